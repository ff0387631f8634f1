"""Questions about the cache: what it holds, what a stale key, a row too many or a window makes of the next token."""

from random import Random

import numpy as np

from engine.cache import KVCache, floats_per_token
from engine.caches.reservations import in_one_piece, in_pages
from engine.caches.window import WindowCache
from engine.decode import decode_step, generate
from engine.experiments.broken_caches import shifted, stale_key
from engine.prefill import prefill
from engine.toy.scenario import Scenario
from pages.lessons.quiz.figures.amounts import Bars, Tiles
from pages.lessons.quiz.figures.tokens import Strip
from pages.lessons.quiz.task import Task, choice, looks_at, mean_of, numbered, prompt_values, toy, with_word
from pages.parts.text.format import join, number, plural


def rows_held(rng: Random) -> Task | None:
    p, g = rng.randrange(3, 17), rng.randrange(3, 21)
    s = numbered(rng, p, "all")
    model, cache = s.model(), KVCache.for_model(s.model(), p + g)
    generate(model, s.prompt_ids, g, cache=cache)
    return choice(
        rng,
        f"A prompt of {p} tokens, {g} tokens generated. How many rows does each layer’s KV cache hold then?",
        str(cache.n_tokens),
        f"Prefill writes {p}; each of the {g - 1} decode steps writes one. The last generated token has not been fed back: "
        f"{p} + {g} − 1.",
        [
            (str(p + g), "The last generated token has not been fed back, so it has no row yet."),
            (str(g), "The prompt’s rows are in the cache too."),
            (str(p), "Each decode step appends the row of the token that it was fed."),
        ],
        given=Strip(p, g, asks="rows in the cache"),
    )


def numbers_kept(rng: Random) -> Task | None:
    h, d = rng.choice((4, 8, 12, 16, 25, 32)), rng.choice((32, 64, 80, 128))
    return choice(
        rng,
        f"A layer has {h} heads, each with queries, keys and values of its own, {d} numbers each. How many numbers does the "
        "cache keep for one token in this layer?",
        f"{floats_per_token(h, d, h, d):,}",
        f"A key and a value for each head: 2 · {h} · {d}. A query is used once, by its own row, and dropped.",
        [
            (f"{3 * h * d:,}", "That keeps the query too; no later token asks for it."),
            (f"{h * d:,}", "That keeps keys alone; values are needed by every later row as well."),
            (f"{2 * d:,}", "That is one head of the layer."),
        ],
        given=Tiles((str(h), str(d)), ("heads", "numbers each"), (h, d), asks="numbers a token"),
    )


def stale(rng: Random) -> Task | None:
    """The context behind a cache that holds a key which knew the future."""
    s = toy(rng, "self")
    word = rng.randrange(3)
    behind = stale_key(s, word)
    old, new = s.values[-1], s.word_values[word]
    cached, whole = (float(x.context[0, -1, 0]) for x in (behind.cached, behind.whole))
    return choice(
        rng,
        "A head asks for the last token so far: the newest token’s key says “I am the last”, every other key says “I am not”. A "
        f"key in the cache is never written again. Prompt: {prompt_values(s)}. Then “{s.words[word]}” is decoded, with the value "
        f"{number(new)}. What context does this head compute for it behind the cache?",
        number(cached),
        f"The cached key of “{s.tokens[-1]}” still says that it is the last, and so does the new one: {mean_of((old, new))}. "
        f"Computed without a cache it is {number(whole)}: a key may not know the future.",
        [
            (number(whole), "That is the value without a cache, where the old key is computed again and says no."),
            (number(old), "That is what the prompt’s last token says; the new key says “I am the last” as well."),
            (number(float(np.mean([*s.values, new]))), "That averages over everybody; all but two keys say no."),
        ],
        given=with_word(s, word),
    )


def shifted_row(rng: Random) -> Task | None:
    """The context behind a cache with a row too many or one too few."""
    shift, rule = rng.choice((-1, 1)), rng.choice(("all", "even", "odd"))
    s = toy(rng, rule)
    word = rng.randrange(3)
    layers = {k: shifted(s.model(), s.prompt_ids, word, k).layers[0] for k in (-1, 0, 1)}
    contexts = {k: float(layer.context[0, 0, 0]) for k, layer in layers.items()}
    values, seen = layers[shift].v[0, :, 0], np.flatnonzero(layers[shift].scores[0, 0] > 0)
    if not seen.size:
        return None
    last, row = s.tokens[-1], prefill(s.model(), s.prompt_ids).layers[0]
    fault = f"leaves the prompt’s last token “{last}” out" if shift < 0 else f"feeds the prompt’s last token “{last}” twice"
    place = len(values)
    return choice(
        rng,
        f"{looks_at(s.rules[0])}. Prompt: {prompt_values(s)}. A faulty program {fault}, then decodes “{s.words[word]}”, with the value "
        f"{number(s.word_values[word])}, behind that cache. What is the head’s context for it?",
        number(contexts[shift]),
        f"The cache counts {place - 1} rows, so the new token stands at position {place}. The head sees "
        f"{plural(len(seen), 'position')} {join([str(j + 1) for j in seen])}: {mean_of(values[seen])}. "
        f"Behind the right cache it would be {number(contexts[0])}.",
        [
            (number(contexts[0]), "That is the context behind the right cache; here its rows and the new position are off "
            "by one."),
            (number(contexts[-shift]), "That is off by one the other way."),
            (number(float(row.context[0, -1, 0])), "That is the row of the prompt’s last token."),
            (number(float(values[seen].sum())), "That adds the values up. Weights share out 1, so a context is an average."),
        ],
        given=with_word(s, word),
    )  # fmt: skip


def windowed(rng: Random) -> Task | None:
    """The context behind a cache that keeps the newest tokens, perhaps with the first one."""
    s = toy(rng, "all")
    word, window, sinks = rng.randrange(3), rng.randrange(2, 4), rng.randrange(2)
    everything = _decoded(s, word, KVCache.for_model(s.model(), 64))
    context = _decoded(s, word, WindowCache.for_model(s.model(), 64, window, sinks))
    values = [*s.values, s.word_values[word]]
    kept = [*values[:sinks], *values[-window:]]
    too = ", and besides the very first token" if sinks else ""
    other = values[-window:] if sinks else [values[0], *kept]
    slip = (
        "That forgets the first token, which this cache keeps."
        if sinks
        else "That keeps the first token too, as attention sinks do."
    )
    return choice(
        rng,
        f"The cache keeps the newest {window} tokens, the current one included{too}. A head looks at everything that is kept. "
        f"Prompt: {prompt_values(s)}. Then “{s.words[word]}” is decoded, with the value {number(values[-1])}. What is its context?",
        number(context),
        f"What is left to see: {mean_of(kept)}. With everything kept it would be {number(everything)}.",
        [
            (number(everything), "That is the context with everything kept."),
            (number(float(np.mean(other))), slip),
            (number(float(np.mean([*values[:sinks], *values[-window - 1 : -1]]))), "That leaves the new token out of its "
            "own window."),
            (number(float(np.mean([*values[:sinks], *values[-window - 1 :]]))), "The window counts the new token itself."),
        ],
        given=with_word(s, word),
    )  # fmt: skip


def blocks(rng: Random) -> Task | None:
    size, lengths = rng.choice((8, 16, 32)), [rng.randrange(5, 200) for _ in range(3)]
    total = sum(lengths)
    return choice(
        rng,
        f"Three sequences have {join([str(n) for n in lengths])} tokens. Their caches lie in blocks of {size} tokens, of which "
        "no two sequences share one. For how many tokens is room set aside?",
        f"{in_pages(lengths, size):,}",
        f"{' + '.join(str(-(-n // size)) for n in lengths)} blocks of {size}: the rest of a sequence’s last block stays empty.",
        [
            (f"{total:,}", "Blocks are handed out whole, and a sequence’s last one may not be full."),
            (f"{-(-total // size) * size:,}", "That rounds up once, as if sequences could share their last block."),
            (f"{in_one_piece(lengths, max(lengths)):,}", "That sets aside the longest length for each, as caches in one "
            "piece do."),
            (f"{sum(n // size * size for n in lengths):,}", "That rounds down: tokens in a block that is not full need room "
            "too."),
        ],
        given=Bars(("first", "second", "third"), tuple(lengths), tuple(f"{n} tokens" for n in lengths), asks="tokens of room"),
    )  # fmt: skip


def _decoded(s: Scenario, word: int, cache) -> float:
    """The first head's context of a word decoded behind `cache`."""
    prefill(s.model(), s.prompt_ids, cache)
    return float(decode_step(s.model(), word, cache).layers[0].context[0, 0, 0])
