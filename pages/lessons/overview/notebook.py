"""The overview as a notebook: the prompt in one pass, then four words, each the likeliest."""

from engine.experiments.chosen_answer import answer
from engine.prefill import prefill
from pages.parts.controls.toy_notebook import answer_cells, prefill_cells, scenario_cells
from pages.parts.teaching.notebook import Cell
from pages.parts.visit import scenario

N_WORDS = 4


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    model = s.model()
    chosen = answer(model, s.prompt_ids, N_WORDS).token_ids
    return [*scenario_cells(s, question), *prefill_cells(prefill(model, s.prompt_ids)), *answer_cells(s, chosen)]
