"""The lesson on decode as a notebook: the answer on screen, one row a step."""

from engine.prefill import prefill
from pages.parts.controls.answer_position import answer_position
from pages.parts.controls.toy_notebook import answer_cells, prefill_cells, scenario_cells
from pages.parts.teaching.notebook import Cell
from pages.parts.visit import scenario


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    run = prefill(s.model(), s.prompt_ids)
    return [*scenario_cells(s, question), *prefill_cells(run), *answer_cells(s, answer_position(s).answer_ids)]
