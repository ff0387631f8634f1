"""The lesson on the cache as a notebook: what the cache holds, and the answer on screen with it and without."""

from engine.counts import cached_counts, recomputed_counts
from pages.parts.controls.answer_position import answer_position
from pages.parts.controls.toy_notebook import answer_cells, scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.visit import scenario


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    position = answer_position(s)
    n_prompt, n_passes = len(s.tokens), position.at + 1
    counted = [f(n_prompt, n_passes).kv_rows for f in (cached_counts, recomputed_counts)]
    return [
        *scenario_cells(s, question),
        *answer_cells(s, position.answer_ids),
        prose("## Keys computed so far, by one head\n\nWith the cache each token's once; without it, those of every pass again."),
        code(f"passes = {n_passes}\nlengths = len(tokens) + np.arange(passes)\nkeys = [int(lengths[-1]), int(lengths.sum())]"),
        checked("keys", counted, "with the cache, without it"),
    ]
