"""What a cache saves of an answer, in rows and in products, and what it does not."""

from engine.counts import cached_counts, recomputed_counts
from pages.parts.teaching import routes
from pages.parts.text.amounts import count, times
from pages.parts.text.format import plural

PRODUCT = "product"


def saved(p: int, g: int, products_told: bool = True) -> str:
    """What the cache saves of this answer, and what it does not. products_told: of products as well as of rows."""
    without, cached = recomputed_counts(p, g), cached_counts(p, g)
    if g == 1:
        counted = f" and {count(cached.scores)} {plural(cached.scores, PRODUCT)}" * products_told
        return (
            f"An answer of one token is one pass, with a cache and without: **{count(cached.kv_rows)}** K/V "
            f"{plural(cached.kv_rows, 'row')}{counted}. The cache is filled; it saves from the second token on."
        )
    kind = "row" if routes.chosen() == routes.STORY else "K/V row"
    rows, products = (
        f"**{count(all_)}** {plural(all_, name)} without a cache, **{count(one)}** with it: "
        f"{times(all_ / one).removeprefix('×')} times fewer"
        for one, all_, name in (
            (cached.kv_rows, without.kv_rows, kind), (cached.scores, without.scores, "product"),
        )
    )  # fmt: skip
    if not products_told:
        return f"**Saved**: what old tokens would do again. {rows}."
    if routes.chosen() == routes.STORY:
        return (
            f"**Saved**: {rows}. **Not saved**: **prefill**; each new query meets **every** key, here {count(cached.scores)} "
            f"{plural(cached.scores, PRODUCT)} in all; and the passes still **wait** for one another."
        )
    return (
        f"**Saved**: what old tokens would do again. {rows}. {products}.  \n"
        "**Not saved**: **prefill** itself; each new query still meets **every** key; and the passes still **wait** for one another."
    )
