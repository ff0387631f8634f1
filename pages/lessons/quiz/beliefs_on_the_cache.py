"""Common beliefs about decode and the cache, each as a statement that is true or false of a drawn scenario; see beliefs.py."""

from collections.abc import Callable
from random import Random

import numpy as np

from engine.attention import attention, causal_mask
from engine.cache import KVCache
from engine.claims import CLAIMS as COURT
from engine.claims import Finding
from engine.compare import ROUNDING, largest_gap, row_gaps
from engine.cost import DEVICES, MODELS, weight_read_bytes
from engine.decode import decode_step, recompute
from engine.experiments.broken_caches import stale_key
from engine.prefill import prefill
from engine.work.baselines import pass_counts
from pages.lessons.quiz.figures.amounts import Bars, Tiles
from pages.lessons.quiz.figures.tokens import WHETHER, Pairs, Strip, Words
from pages.lessons.quiz.task import Task, looks_at, new_pairs, numbered, prompt_values, toy, true_or_false, with_word
from pages.parts.text.amounts import count, seconds
from pages.parts.text.claims import CLAIMS
from pages.parts.text.digits import gap_text
from pages.parts.text.format import number, quantity


def decode_makes_the_first(rng: Random) -> Task | None:
    p, g = rng.randrange(2, 17), rng.randrange(2, 31)
    finding = COURT["decode_makes_the_first"](numbered(rng, p, "all"), g)
    return true_or_false(
        rng, f"A prompt of {p} tokens; to answer with {g} tokens the model runs {{}}.",
        (f"{g} decode steps", finding["several"] == g), (quantity(g - 1, "decode step"), finding["several"] == g - 1),
        CLAIMS["decode_makes_the_first"].why(finding),
        given=Strip(p, g),
    )  # fmt: skip


def old_rows_come_out_anew(rng: Random) -> Task | None:
    s = toy(rng, rng.choice(("all", "even", "odd", "window:2")))
    model, word, n = s.model(), rng.randrange(3), len(s.tokens)
    gaps = row_gaps(recompute(model, s.prompt_ids), recompute(model, (*s.prompt_ids, word)))
    changed = int((gaps > ROUNDING).sum())
    return true_or_false(
        rng,
        f"{looks_at(s.rules[0])}, the mask is on. “{s.words[word]}” is appended to “{' '.join(s.tokens)}”, and all is computed "
        f"again. The contexts of the first {n} tokens {{}}.",
        ("come out differently", changed > 0), ("come out as before", changed == 0),
        f"Counted: {changed} of {n} rows changed. No older row may see the new token, so there is nothing to compute again.",
        given=Pairs(n + 1, counted=new_pairs(n)),
    )  # fmt: skip


def growth(rng: Random, claim: str, belief: int, sentence: str) -> Task | None:
    """What doubling an answer does to the score products."""
    p, g = rng.randrange(1, 11), rng.randrange(10, 41) * 100
    finding = COURT[claim](numbered(Random(0), p, "all"), g)
    by = round(finding["scores"])
    return true_or_false(
        rng,
        f"{sentence} the answer to a prompt of {quantity(p, 'token')} grows from {count(g)} to {count(2 * g)} tokens. It then needs "
        "about {} times as many query · key products in all.",
        (str(belief), by == belief), (str(2 * belief), by == 2 * belief), CLAIMS[claim].why(finding),
        given=Bars(("before", "after"), (g, 2 * g), (f"{count(g)} tokens", f"{count(2 * g)} tokens")),
    )  # fmt: skip


def the_cache_makes_decode_linear(rng: Random) -> Task | None:
    return growth(rng, "linear_with", 2, "With a KV cache,")


def without_it_a_square(rng: Random) -> Task | None:
    return growth(rng, "square_without", 4, "Without a cache, every row computed again for each token,")


def the_cache_makes_attention_constant(rng: Random) -> Task | None:
    p, step = rng.randrange(4, 200), rng.randrange(20, 400)
    early, late = pass_counts("cache", p, 1).scores, pass_counts("cache", p, step).scores
    return true_or_false(
        rng, f"A prompt of {p} tokens, with a KV cache. Decode step {step} computes {{}} step 1.",
        ("as many query · key products as", late == early), ("more query · key products than", late > early),
        f"Step 1 has {early:,} in each head, step {step} has {late:,}: the new query meets every key so far.",
        given=Strip(p, step, f"fed by step {step}"),
    )  # fmt: skip


def the_pace_stays(rng: Random) -> Task | None:
    name, n = rng.choice(("Llama-3.2-3B", "Llama-3.1-8B", "Qwen2.5-7B")), rng.randrange(10, 61) * 1000
    shape, card = MODELS[name], DEVICES["H100 SXM"]
    early, late = ((weight_read_bytes(shape) + shape.kv_bytes(k)) / card.bytes_per_s for k in (0, n))
    return true_or_false(
        rng,
        f"{name} in 16 bits, one sequence. A decode step behind {n:,} cached tokens reads {{}} the first one behind a short prompt.",
        ("as many bytes as", late == early), ("more bytes than", late > early),
        f"It reads the parameters and {shape.kv_bytes(n) / 1e9:.2f} GB of cache: on an H100 SXM at least {seconds(late)} in "
        f"place of {seconds(early)}.",
        given=Tiles((f"{n:,}", "16"), ("cached tokens", "bits a number")),
    )  # fmt: skip


def the_cache_speeds_up_the_first(rng: Random) -> Task | None:
    p = rng.randrange(10, 400)
    with_it, without = (pass_counts(way, p, 0).scores for way in ("cache", "recompute"))
    return true_or_false(
        rng, f"A new prompt of {p} tokens, nothing in the cache yet. With a KV cache prefill computes {{}} without.",
        ("fewer query · key products than", with_it < without), ("as many query · key products as", with_it == without),
        f"Both {with_it:,} in each head. There is nothing to read back yet; what the cache saves begins with the second token.",
        given=Strip(p),
    )  # fmt: skip


def in_a_step(
    rng: Random, claim: str, sentence: str, ways: Callable[[Finding, int], tuple[tuple[str, bool], ...]]
) -> Task | None:
    """A statement about one decode step. ways: the belief and the truth, from what was found and how many tokens there are."""
    p, step = rng.randrange(3, 17), rng.randrange(1, 12)
    finding = COURT[claim](numbered(rng, p, "all"), step + 1)
    return true_or_false(
        rng,
        f"A prompt of {p} tokens{sentence.format(step)}",
        *ways(finding, p + step),
        CLAIMS[claim].why(finding),
        given=Strip(p, step, f"fed by step {step}"),
    )


def the_newest_row_needs_the_mask(rng: Random) -> Task | None:
    return in_a_step(
        rng, "newest_needs_no_mask", ". In the row of decode step {} the causal mask hides {{}}.",
        lambda f, n: (("some keys", f["hidden"] > 0), ("no key", f["hidden"] == 0)),
    )  # fmt: skip


def only_the_query(rng: Random) -> Task | None:
    nothing, one = "but no key and no value: these are in the cache", "one key and one value"
    return in_a_step(
        rng, "only_the_query", ", with a KV cache. In each head decode step {} computes one query, {{}}.",
        lambda f, n: ((nothing, f["kv"] == 0), (one, f["kv"] == 1)),
    )  # fmt: skip


def weights_are_cached(rng: Random) -> Task | None:
    one = "one query · key product, since the other weights are cached"
    return in_a_step(
        rng, "weights_are_spared", ", with a KV cache. In each head decode step {} computes {{}}.",
        lambda f, n: ((one, f["step"] == 1), (f"{n} query · key products", f["step"] == n)),
    )  # fmt: skip


def contexts_are_read(rng: Random) -> Task | None:
    s = toy(rng, rng.choice(("all", "even", "odd", "window:3")))
    model, word = s.model(), rng.randrange(3)
    filled, by_hand = (KVCache.for_model(model, len(s.tokens) + 1) for _ in range(2))
    layer = prefill(model, s.prompt_ids, filled).layers[0]
    by_hand.write(0, layer.k, layer.v)  # no context was ever there
    by_hand.advance(len(s.tokens))
    gap = largest_gap(*(decode_step(model, word, cache).layers[0].context for cache in (filled, by_hand)))
    return true_or_false(
        rng,
        f"{looks_at(s.rules[0])}. Prompt: {prompt_values(s)}. Somebody writes the prompt’s keys and values into an empty cache, and none "
        f"of the contexts that prefill computed. In this one layer the context of the next token, “{s.words[word]}”, comes out {{}}.",
        ("differently", gap > ROUNDING), ("the same", gap <= ROUNDING),
        f"The two differ by {gap_text(gap)}. A decode step reads cached keys and values; contexts go on to the next layer and "
        "are not kept.",
        given=Words(s.tokens, s.values, asks=WHETHER),
    )  # fmt: skip


def any_key_may_be_cached(rng: Random) -> Task | None:
    s = toy(rng, "self")
    word = rng.randrange(3)
    stale = stale_key(s, word)
    cached, whole = (float(x.context[0, -1, 0]) for x in (stale.cached, stale.whole))
    if abs(cached - whole) < 0.1:  # both tokens happen to have one value
        return None
    return true_or_false(
        rng,
        f"Keys that say “I am the last token so far” are cached like any others. Prompt: {prompt_values(s)}; then “{s.words[word]}” is "
        f"decoded, with the value {number(s.word_values[word])}. Behind the cache the head that looks for the last token gets "
        "{} without one.",
        ("the same context as", abs(cached - whole) < ROUNDING), ("another context than", abs(cached - whole) > ROUNDING),
        f"{number(cached)} behind the cache, {number(whole)} without: the old key still says “last”. Only a key that knows "
        "nothing of the future may be kept.",
        given=with_word(s, word, WHETHER),
    )  # fmt: skip


def sharing_heads_saves_products(rng: Random) -> Task | None:
    n_kv, group, n, d = rng.choice((1, 2, 4)), rng.choice((2, 4, 8)), rng.randrange(4, 33), 4
    q, k = np.ones((n_kv * group, n, d)), np.ones((n_kv * group, n, d))
    own, shared = (np.count_nonzero(attention(q, x, x, causal_mask(n)).weights) for x in (k, k[:n_kv]))
    return true_or_false(
        rng,
        f"{n_kv * group} query heads share {quantity(n_kv, 'key/value head')} ({'grouped' if n_kv > 1 else 'multi'}-query attention) in "
        "place of one each. The count of query · key products {}.",
        ("falls", shared < own), ("stays the same", shared == own),
        f"Each of the {n_kv * group} queries of a token still meets every key up to its own: {shared:,} for {n} tokens either way. "
        f"The cache is {group} times smaller.",
        given=Tiles(
            (str(n_kv * group), str(n_kv)), ("query heads", "key/value heads" if n_kv > 1 else "key/value head"), (n_kv * group, n_kv)
        ),
    )  # fmt: skip
