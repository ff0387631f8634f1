"""What a cache saves of an answer, in rows and in products, and what it does not."""

from engine.counts import cached_counts, recomputed_counts
from engine.toy.scenario import Scenario
from pages.parts.teaching import routes
from pages.parts.text.amounts import count, times
from pages.parts.text.format import plural

PRODUCT = "product"


def what_is_saved(p: int, g: int) -> str:
    """What the cache saves of this answer, and what not; in the story without products."""
    without, cached, story = recomputed_counts(p, g), cached_counts(p, g), routes.chosen() == routes.STORY
    if g == 1:
        counted = f" and {count(cached.scores)} {plural(cached.scores, PRODUCT)}" * (not story)
        return (
            f"An answer of one token is one pass, with a cache and without: **{count(cached.kv_rows)}** K/V "
            f"{plural(cached.kv_rows, 'row')}{counted}. The cache is filled; it saves from the second token on."
        )
    rows, products = (
        f"**{times(all_ / one)[1:]} times fewer** {plural(2, name)}"
        for one, all_, name in ((cached.kv_rows, without.kv_rows, "K/V row"), (cached.scores, without.scores, PRODUCT))
    )
    not_saved = (
        "**Not saved**: **prefill** (nothing is kept before it); each new query still meets **every** key; each pass still **waits** for "
        "the one before."
    )
    if story:
        fewer = (
            f"**Saved**: without a cache all {count(without.kv_rows)} boxes would be computed; now **{count(cached.kv_rows)}** "
            f"{plural(cached.kv_rows, 'is', 'are')}, the others only read."
        )
        return f"{fewer}  \n{not_saved}"
    return f"**Saved**: {rows}, {products}.  \n{not_saved}"


def toy_ids(s: Scenario, n: int) -> list[int]:
    """The prompt's ids over again until there are n."""
    return [s.prompt_ids[i % len(s.tokens)] for i in range(n)]
