"""The attention lesson as a notebook: every score, weight, context and logit, and one row's softmax written out."""

from engine.prefill import prefill
from pages.parts.controls.toy_notebook import prefill_cells, scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.visit import scenario


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    run = prefill(s.model(), s.prompt_ids)
    return [
        *scenario_cells(s, question),
        *prefill_cells(run),
        prose("## Softer scores\n\nAn eighth of the score: beside a match, a token that does not match takes a larger share."),
        code("full, sharpness = sharpness, sharpness / 8\nsofter = rows(1, values, only_last(len(values)))[2]\nsharpness = full"),
        checked("softer", _softer(s), "contexts with scores an eighth as high"),
    ]


def _softer(s):
    soft = type(s)(**{**vars(s), "sharpness": s.sharpness / 8})
    return prefill(soft.model(), soft.prompt_ids).layers[0].context[:, :, 0]
