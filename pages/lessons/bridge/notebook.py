"""The bridge as a notebook: rows and bytes of the toy, the trained model and the real one by one formula, and the real one's times."""

from __future__ import annotations

from engine.cost.requests import recomputed_s, request
from engine.counts import cached_counts, recomputed_counts
from engine.prefill import filled_cache
from engine.toy.scenario import Scenario
from pages.lessons.bridge import steps
from pages.parts.hardware import bundled_times, notebook
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

IMPORTS = """
from engine.cost import DEVICES, MODELS, Device, ModelShape
from engine.cost.requests import recomputed_s, request
"""


def cells(question: str) -> list[Cell]:
    s, toy, n_generated = steps.given()
    return [*notebook.begin(question, IMPORTS), notebook.setup_cell(s, "P"), *_rows(s, toy, n_generated), *_times(s, n_generated)]


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
        prose("## Bytes at the end\n\nLayers · heads · (width of a key + width of a value) · bytes · rows; the real one by its shape."),
        code(
            f"toy = {n_layer} * {n_kv_head} * ({d_head} + {cache.v.shape[3]}) * 8 * rows[0]\n"
            f"trained = {shape.n_layer} * {shape.n_kv_head} * 2 * {shape.d_head} * 4 * rows[1]\n"
            "real, next_token = shape.kv_bytes(rows[2], 1, kv_bits), shape.next_token_bytes(rows[2], kv_bits)"
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
    asked = (s.shape, s.n_tokens, n_generated, s.device, s.batch)
    r, slow = request(*asked, **s.options), recomputed_s(*asked, **s.options)
    return [
        prose("## The real model's times\n\nNot faster than this: what takes longer, arithmetic or reading, and nothing else."),
        checked("shape.weight_bytes(weight_bits)", s.shape.weight_bytes(s.weight_bits), "bytes of the weights"),
        code(
            "one = request(shape, P, G, device, batch, **setup)\nend_to_end = one.ttft_s + (G - 1) * one.tpot_s\n"
            "without = recomputed_s(shape, P, G, device, batch, **setup)  # G prefills, each one token longer"
        ),
        checked(
            "[one.ttft_s, one.tpot_s, end_to_end]", [r.ttft_s, r.tpot_s, r.end_to_end_s], "TTFT, TPOT, the whole answer: s", 0
        ),
        checked(
            "[without, without / end_to_end]", [slow, slow / r.end_to_end_s], "without a cache: s, and how many times as long", 0
        ),
    ]
