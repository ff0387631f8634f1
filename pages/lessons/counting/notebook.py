"""The lesson on counting as a notebook: rows and products added up pass by pass, against the closed forms."""

from engine.counts import cached_counts, recomputed_counts
from engine.work.baselines import doubling
from pages.lessons.counting.costs import BITS, REAL, tokens
from pages.lessons.counting.steps import DOUBLED, given
from pages.parts.teaching.notebook import Cell, checked, code, prose


def cells(question: str) -> list[Cell]:
    s, p, g = given()
    prompt, answer, n = len(s.tokens), DOUBLED.value(), tokens()
    again, cached = recomputed_counts(p, g), cached_counts(p, g)
    return [
        prose(f"# {question}\n\nRows and products, added up pass by pass. Every assertion compares with the page."),
        code(
            f"import numpy as np\n\nP, G = {p}, {g}  # prompt tokens, generated tokens\nn = np.arange(P, P + G)  # tokens a pass"
        ),
        prose("## Without a cache: every pass runs the whole sequence"),
        code("recomputed = [int(n.sum()), int((n * (n + 1) // 2).sum())]"),
        checked("recomputed", [again.kv_rows, again.scores], "key rows, products of one head"),
        prose("## With a cache: prefill, then one row a pass"),
        code("cached = [P + G - 1, P * (P + 1) // 2 + int(n[1:].sum())]"),
        checked("cached", [cached.kv_rows, cached.scores], "key rows, products of one head"),
        prose("## An answer twice as long\n\nNear 2: linear. Near 4: a square. Near 8: a cube."),
        code(
            "def products(P, G):\n    n = np.arange(P, P + G)\n    return int((n * (n + 1) // 2).sum()), P * (P + 1) // 2 + "
            f"int(n[1:].sum())\n\n\nfactors = [twice / once for twice, once in zip(products({prompt}, 2 * {answer}), "
            f"products({prompt}, {answer}))]"
        ),
        checked("factors", [doubling(name, "scores", prompt, answer) for name in ("recompute", "cache")], "recomputed, cached"),
        prose(
            f"## What it costs\n\n{REAL.name}: what a conversation keeps, and what a decode step reads besides its parameters."
        ),
        code(f"tokens = {n}\ncache = 2 * {REAL.n_kv_head} * {REAL.d_head} * {REAL.n_layer} * tokens * {BITS // 8}"),
        checked("cache", REAL.kv_bytes(n, bits=BITS), "bytes of keys and values"),
    ]
