"""Statements about what the cache keeps and why it may, in our words, and what is said once the reader has voted."""

from engine.claims import Finding
from pages.parts.text.claims.wording import Claim, Exhibit, counted, gap, head
from pages.parts.text.digits import context_text, gap_text, told_apart
from pages.parts.text.format import number, percent
from pages.parts.text.toy_names import articles_way


def contexts_apart(f: Finding, a: str, b: str) -> tuple[str, str]:
    """Two contexts of a finding that are not the same, told apart."""
    written = context_text(f[a]), context_text(f[b])
    return written if written[0] != written[1] else told_apart(f[a], f[b])


CACHE: dict[str, Claim] = {
    "only_the_query": Claim(
        "Only the query is computed",
        "Behind a cache, only the query of the new token has to be computed.",
        "Run a decode step and count the queries, keys and values that it computes.",
        "cache",
        lambda f: (
            f"It computes **{f['queries']} query, {f['kv']} key and {f['kv']} value**, all of the new token. The {f['read']} "
            "older keys and values are read. Without a key of its own the new token could never be found by later ones."
        ),
        lambda f: [
            counted("queries computed", f["queries"]),
            counted("keys computed", f["kv"], True),
            counted("values computed", f["kv"], True),
            counted("older keys and values, read", f["read"]),
        ],
    ),
    "queries_are_dropped": Claim(
        "Old queries can be thrown away",
        "Keys and values are kept, queries are not: no later token needs an old query.",
        "Decode behind a cache that holds keys and values only, and compare with running everything again.",
        "cache",
        lambda f: (
            f"The largest difference is **{gap_text(max(f['gaps']))}**, on the toy and on random models of 1 to 3 layers: rounding. "
            "A query asks once, for its own row, and that row is done."
        ),
        lambda f: [
            Exhibit(name, gap_text(gap), None, gap == max(f["gaps"]))
            for name, gap in zip(("the toy", "1 layer", "2 layers", "3 layers"), f["gaps"], strict=True)
        ],
    ),
    "old_rows_stay": Claim(
        "Old rows need no recomputing",
        "A new token changes nothing for the earlier ones: recomputing their attention would give the same result.",
        "Recompute all rows with the new token; again with a key that says “I am the last”; again without the mask.",
        "decode",
        lambda f: (
            f"With the mask on and keys of positions the old rows move by **{gap_text(f['gap'])}**. It rests on both: without "
            f"the mask they move by **{gap_text(f['unmasked'])}**, and with the article’s own key in {head(f)}, "
            f"{articles_way(f.scenario)}, the last old context goes from "
            f"{contexts_apart(f, 'before', 'after')[0]} to **{contexts_apart(f, 'before', 'after')[1]}**."
        ),
        lambda f: [
            gap("mask on, keys of positions: old rows move by", f["gap"]),
            gap("a key that knows the future: by", abs(f["after"] - f["before"]), True),
            gap("mask off: by", f["unmasked"], True),
        ],
    ),
    "same_result": Claim(
        "With and without cache: identical",
        "With a cache, the result is identical to the one without.",
        "Decode both ways and compare; then with the article’s key “I am the last”, kept as it was made.",
        "cache",
        lambda f: (
            f"With keys of positions the two differ by {gap_text(f['gap'])}: equal, up to the order of sums. With the article’s key "
            f"in {head(f)}, {articles_way(f.scenario)}, the cached context is **{contexts_apart(f, 'cached', 'whole')[0]}** and the "
            f"recomputed one **{contexts_apart(f, 'cached', 'whole')[1]}**. The cached key is stale; asked by position it is "
            f"{context_text(f['mended'])} again. Caches that round or evict differ too."
        ),
        lambda f: [
            Exhibit("cached and recomputed differ by", gap_text(f["gap"])),
            Exhibit("the article’s key: context, cached", contexts_apart(f, "cached", "whole")[0], f["cached"], True),
            Exhibit("the article’s key: context, recomputed", contexts_apart(f, "cached", "whole")[1], f["whole"], True),
            Exhibit("asked by position: context, cached", context_text(f["mended"]), f["mended"]),
        ],
    ),
    "contexts_are_reused": Claim(
        "Decode reuses prefill’s contexts",
        "Decode builds on the contextual vectors that prefill has computed.",
        "While a random model of two layers reads the prompt, add 1 to every context of one layer; then decode.",
        "cache",
        lambda f: (
            f"Changed in layer 1, they move the next logits by **{number(f['below'])}**: layer 2’s keys and values are "
            f"computed from them. Changed in the last layer, or in a model’s only one, by **{gap_text(f['last'])}**: those "
            "choose the first word and are let go. Decode reads keys and values; the contexts themselves are kept nowhere."
        ),
        lambda f: [
            gap("contexts of layer 1 of 2, + 1: logits move by", f["below"], True),
            gap("contexts of layer 2 of 2, + 1: by", f["last"], True),
            gap("contexts of a model’s only layer, + 1: by", f["only"]),
            gap("cached values + 1 instead: by", f["values"]),
        ],
    ),
    "keys_never_change": Claim(
        "Old keys never change",
        "Keys and values of earlier tokens never change, and so they can be cached.",
        "On random models of 1, 2 and 3 layers: cached against recomputed, with the causal mask and without.",
        "cache",
        lambda f: (
            f"With the mask, up to rounding ({gap_text(max(f['masked']))}). Without it a deeper layer’s keys come from rows that "
            f"have seen the new token: logits are off by **{percent(f['bare'][1], 0)}** of the largest on 2 layers, by "
            f"{percent(f['bare'][2], 0)} on 3. On a single layer it does not show. The causal mask makes the cache valid: no later "
            "token reaches an old row. (A mask that lets prompt tokens see each other does so too, if the prompt enters at once.)"
        ),
        lambda f: [
            Exhibit("mask on, at most, 1 to 3 layers", gap_text(max(f["masked"]))),
            gap("mask off, 1 layer", f["bare"][0]),
            *(
                Exhibit(f"mask off, {n} layers, of the largest logit", percent(f["bare"][n - 1], 0), f["bare"][n - 1], True)
                for n in (2, 3)
            ),
        ],
    ),
    "gqa_is_a_strategy": Claim(
        "GQA is a caching strategy",
        "Grouped-query and multi-query attention are caching strategies: smarter ways to keep keys and values.",
        "Let the heads of a finished random model share keys and values in groups; then take a model whose heads have the "
        "same ones anyway.",
        "memory",
        lambda f: (
            f"Sharing changes the output by **{number(f['forced'])}**: it is another model, chosen in training (or trained on). "
            f"Only where the heads of a group have the same K and V is it the same ({gap_text(f['shared'])}). The cache shrinks to "
            f"exactly H_kv / H = {f['kv_heads']}/{f['heads']}; score products stay {f['grouped_scores']:,}."
        ),
        lambda f: [
            gap("a model with K and V for each head: output moves by", f["forced"], True),
            gap("a model with equal K and V in each group: by", f["shared"]),
            Exhibit(f"cache, {f['heads']} and {f['kv_heads']} key/value heads", f"{f['full']:,} B and {f['small']:,} B"),
            Exhibit("cache, one part in", number(f["full"] / f["small"])),
        ],
    ),
}
