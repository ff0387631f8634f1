"""The lesson on prefill as a notebook: one pass over the prompt beside a pass for every prefix, and what each way computes."""

from engine.counts import prefill_counts
from engine.prefill import prefill
from pages.parts.controls.toy_notebook import prefill_cells, scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.visit import scenario


def cells(question: str) -> list[Cell]:
    s = scenario.current()
    model, ids = s.model(), s.prompt_ids
    run = prefill(model, ids)
    prefixes = [prefill(model, ids[: n + 1]).logits[-1] for n in range(len(ids))]
    counts = prefill_counts(len(ids))
    return [
        *scenario_cells(s, question),
        *prefill_cells(run),
        prose(
            "## A pass for every prefix\n\nThese are the rows above where no row looks ahead: with the mask on, rules that know the past "
            "only, and no empty row that is filled with the average of all tokens."
        ),
        code("prefixes = np.array([rows(1, values[:n], only_last(n))[3][-1] for n in range(1, len(values) + 1)])"),
        checked("prefixes", prefixes, "the last row of a pass over each prefix"),
        prose("## What one pass computes for one head"),
        code("n = len(values)\nrows_and_products = [n, n * (n + 1) // 2, n * n]"),
        checked("rows_and_products", [counts.kv_rows, counts.scores, counts.scores_dense], "keys, visible products, all"),
    ]
