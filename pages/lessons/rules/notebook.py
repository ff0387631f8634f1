"""The lesson on head rules as a notebook: averages by hand beside what softmax computes."""

from engine.prefill import prefill
from engine.toy.by_hand import rows_by_hand
from pages.parts.controls.toy_notebook import prefill_cells, scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.visit import scenario


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    run = prefill(s.model(), s.prompt_ids)
    averages = [made.average for made in rows_by_hand(run.layers[0], len(s.tokens) - 1)]
    return [
        *scenario_cells(s, question),
        prose("## By hand\n\nThe last token looks back: each head averages the values that its rule lets it see."),
        code(
            "n = len(values)\nj = np.arange(1, n + 1)\nby_hand = []\nfor rule in rules:\n    seen = "
            "values[np.broadcast_to(wanted(rule, n, j, only_last(n)), n)]\n    by_hand.append(seen.mean() if len(seen) else "
            "np.nan)  # nan: it sees none"
        ),
        checked("by_hand", averages, "averages by hand, a number for each head"),
        *prefill_cells(run),
    ]
