"""The lesson on logits as a notebook: what each head adds to each word, and the chances at four temperatures."""

import numpy as np

from engine.prefill import prefill
from engine.sampling import probabilities
from pages.parts.controls.toy_notebook import prefill_cells, scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, literal, prose
from pages.parts.visit import scenario

TEMPERATURES = (0.5, 1.0, 2.0, 5.0)


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    run = prefill(s.model(), s.prompt_ids)
    added = run.layers[0].context[:, -1] * np.array(s.w_vocab)
    made = [
        *scenario_cells(s, question),
        *prefill_cells(run),
        prose("## What each head adds\n\nA head's context times its row of W; a column's sum is the word's logit."),
        code("added = contexts[:, -1:] * W"),
        checked("added", added, "what each head adds to each word's logit"),
        code("assert np.allclose(added.sum(axis=0), logits[-1], equal_nan=True)"),
    ]
    if not np.isfinite(run.logits[-1]).all():
        return [*made, prose("A logit is not a number here: no word has a chance.")]
    chances = [probabilities(run.logits[-1], t) for t in TEMPERATURES]
    return [
        *made,
        prose("## Chances at several temperatures"),
        code(f"temperatures = {literal(TEMPERATURES)}\nchances = np.array([softmax(logits[-1] / t) for t in temperatures])"),
        checked("chances", chances, "a row for each temperature, a column for each word"),
    ]
