"""The bridge as a notebook: rows and bytes of the toy, the trained model and the real one by one formula, and the real one's times."""

from __future__ import annotations

from engine.cost.requests import recomputed_s, request
from engine.counts import cached_counts, recomputed_counts
from engine.prefill import filled_cache
from engine.toy.scenario import Scenario
from pages.lessons.bridge import steps
from pages.parts.hardware import bundled_times, notebook, pass_notebook
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

WITHOUT = '''
def without_cache():
    """Seconds of G prefills, each one token longer; of many only 64 are computed, and what lies between is drawn straight."""
    lengths = P + np.round(np.linspace(0, G - 1, min(G, 64))).astype(int)
    each = [seconds(int(n), 0, attention_prefill) for n in lengths]
    return np.trapezoid(each, lengths) + (each[0] + each[-1]) / 2
'''


def cells(question: str) -> list[Cell]:
    s, toy, n_generated = steps.given()
    return [
        *notebook.model_cells(s, question, "P"),
        *_rows(s, toy, n_generated),
        *_times(s, n_generated),
    ]


def _rows(s: Setup, toy: Scenario, g: int) -> list[Cell]:
    """Counts carry over exactly: the same formula for all three."""
    t, shape, cache = bundled_times.times(s.n_tokens, g), bundled_times.shape(), filled_cache(toy.model(), toy.prompt_ids)
    pairs = [(len(toy.tokens), min(g, steps.TOY_GENERATED)), (t.n_prompt, t.n_generated), (s.n_tokens, g)]
    n_layer, n_kv_head, _, d_head = cache.k.shape
    rows = [cached_counts(*pair).kv_rows for pair in pairs]
    return [
        prose("## Rows: the toy, the trained model, the real one\n\nP tokens of prompt and G of answer; the last one is never fed back."),
        code(
            f"G = {g}\nanswers = {pairs!r}  # (P, G) of each, as the page has them\n"
            "rows = [p + g - 1 for p, g in answers]\nrecomputed = [g * p + g * (g - 1) // 2 for p, g in answers]"
        ),
        checked("rows", rows, "rows of keys and values with a cache, for each layer and head"),
        checked("recomputed", [recomputed_counts(*pair).kv_rows for pair in pairs], "rows without one"),
        prose("## Bytes at the end\n\nLayers · heads · (width of a key + width of a value) · bytes · rows; the real one by its list."),
        code(
            f"toy = {n_layer} * {n_kv_head} * ({d_head} + {cache.v.shape[3]}) * 8 * rows[0]\n"
            f"trained = {shape.n_layer} * {shape.n_kv_head} * 2 * {shape.d_head} * 4 * rows[1]\n\n\n"
            "def cache_of_one(tokens):\n"
            "    held = sum(layers * row * (min(tokens, window) if window else tokens) for layers, row, window, _ in kept)\n"
            "    return bytes_of(held, kv_bits)\n\n\n"
            "real = cache_of_one(rows[2])\nnext_token = cache_of_one(rows[2] + 1) - real"
        ),
        checked(
            "[toy, trained, real, next_token]",
            [cache.nbytes // cache.n_tokens * rows[0], t.kv_bytes, s.shape.kv_bytes(rows[2], 1, s.kv_bits),
             s.shape.next_token_bytes(rows[2], s.kv_bits)],
            "bytes of each cache, and what one more token adds to the real one",
        ),
    ]  # fmt: skip


def _times(s: Setup, n_generated: int) -> list[Cell]:
    """Times do not carry over: those of the real model as a bound, with a cache and without."""
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    slow = recomputed_s(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    return [
        *notebook.matrix_cells(s.shape),
        *pass_notebook.pass_cells(s),
        prose("## The real model's times\n\nNot faster than this: what takes longer, arithmetic or reading, and nothing else."),
        pass_notebook.seconds_cell(s.shape),
        code(
            "weights = bytes_of(learned(np.inf) + tables, weight_bits)\n"
            "middle = (2 * P + max(G - 2, 0)) // 2  # tokens behind the step in the middle of the answer\n"
            "ttft, tpot = seconds(P, 0, attention_prefill), seconds(1, middle, attention_decode)\n"
            "end_to_end = ttft + (G - 1) * tpot"
        ),
        checked("weights", s.shape.weight_bytes(s.weight_bits), "bytes of the weights"),
        checked("[ttft, tpot, end_to_end]", [r.ttft_s, r.tpot_s, r.end_to_end_s], "TTFT, TPOT, the whole answer: s", 0),
        code(f"{WITHOUT}\n\nwithout = without_cache()"),
        checked(
            "[without, without / end_to_end]", [slow, slow / r.end_to_end_s], "without a cache: s, and how many times as long", 0
        ),
    ]
