"""Questions about real models on real devices: bytes of a cache, what fits, how long a step and an answer take."""

from dataclasses import replace
from random import Random

from engine.cost import (
    DEVICES,
    MODELS,
    ModelShape,
    binary_bytes,
    bound,
    critical_batch,
    decimal_bytes,
    end_to_end_s,
    memory_s,
    mha_kv_bytes_per_token,
)
from engine.cost.common_mistakes import mistakes
from pages.lessons.quiz.task import Task, choice
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number

# Every layer of these sees every token, and each has keys and values of its own.
NAMES = ("Llama-2-7B", "Llama-2-13B", "Llama-3.1-8B", "Llama-3.1-70B", "Qwen2.5-7B", "Qwen2.5-72B", "Qwen3-8B", "Qwen3-32B")
CARDS = ("A100-80", "H100 SXM", "H200", "L4", "L40S")
QUERY_HEADS = "That counts query heads; only key/value heads keep something."
KEYS_ALONE = "That counts keys alone; a value is kept beside each."
SLIPS = {"GiB printed as GB": "That is the number of GiB; a GB is 10⁹ bytes.", "1 instead of 2": KEYS_ALONE}


def token_bytes(rng: Random) -> Task | None:
    """Bytes that one more token keeps."""
    name, (bits, other) = rng.choice(NAMES), rng.choice(((16, 8), (8, 16)))
    shape = MODELS[name]
    computed = shape.kv_bytes_per_token(bits)
    return choice(
        rng,
        f"{_shape(shape)} Numbers are kept in {bits} bits. How many bytes does one more token add to the cache?",
        _bytes(computed),
        f"A key and a value, {shape.n_layer} layers, {shape.n_kv_head} key/value heads, {shape.d_head} numbers, {bits // 8} byte"
        f"{'s' * (bits > 8)}: 2 · {shape.n_layer} · {shape.n_kv_head} · {shape.d_head} · {bits // 8}.",
        [
            (_bytes(mha_kv_bytes_per_token(shape, bits)), QUERY_HEADS),
            (_bytes(computed // 2), KEYS_ALONE),
            (_bytes(computed // shape.n_layer), "That is one layer; each has a cache of its own."),
            (_bytes(shape.kv_bytes_per_token(other)), f"That is the count at {other} bits a number."),
        ],
    )


def cache_size(rng: Random) -> Task | None:
    """Gigabytes of a cache."""
    name, n = rng.choice(NAMES), rng.choice((4_000, 8_000, 16_000, 32_000, 100_000))
    batch = rng.choice((1, 1, 4, 8))
    shape = MODELS[name]
    right = shape.kv_bytes(n, batch)
    mistaken = {mistake.how: mistake.wrong_bytes for mistake in mistakes(shape, n, batch)}
    wrong = [(_gigabytes(mistaken[how]), slip) for how, slip in SLIPS.items()]
    heads = mha_kv_bytes_per_token(shape) * n * batch
    wrong.insert(0, (_gigabytes(heads), QUERY_HEADS))
    wrong.append((_gigabytes(right / shape.n_layer), "That is one layer; each has a cache of its own."))
    return choice(
        rng,
        f"{_shape(shape)} Numbers are kept in 16 bits. How large is the cache of {batch} sequence{'s' * (batch > 1)} of {n:,} "
        f"tokens{' each' * (batch > 1)}, in GB (10⁹ bytes)?",
        _gigabytes(right),
        f"2 · {shape.n_layer} · {shape.n_kv_head} · {shape.d_head} · 2 bytes = {shape.kv_bytes_per_token():,} bytes a token, "
        f"times {n * batch:,} tokens: {decimal_bytes(right)}, which is {binary_bytes(right)}.",
        wrong,
    )


def tokens_that_fit(rng: Random) -> Task | None:
    """Tokens for which there is room."""
    name, left = rng.choice(NAMES), rng.randrange(5, 61)
    shape = MODELS[name]
    each, room = shape.kv_bytes_per_token(), left * 10**9
    return choice(
        rng,
        f"{_shape(shape)} Numbers are kept in 16 bits, and {left} GB (10⁹ bytes) are left for caches. For how many tokens, of "
        "all sequences together, is there room?",
        f"{room // each:,}",
        f"2 · {shape.n_layer} · {shape.n_kv_head} · {shape.d_head} · 2 bytes = {each:,} bytes a token, and {left} · 10⁹ / "
        f"{each:,} rounded down.",
        [
            (f"{room // mha_kv_bytes_per_token(shape):,}", QUERY_HEADS),
            (f"{left * 2**30 // each:,}", "That takes a GB for a GiB."),
            (f"{2 * room // each:,}", KEYS_ALONE),
            (f"{room // (2 * each):,}", "That takes 4 bytes for a number of 16 bits; they are 2."),
        ],
    )


def shared_heads(rng: Random) -> Task | None:
    """What grouped-query attention saves."""
    n_head, n_kv = rng.choice((16, 24, 32, 40, 48, 64)), rng.choice((1, 2, 4, 8))
    shape = replace(MODELS["Llama-3.1-8B"], n_head=n_head, n_kv_head=n_kv)
    by = mha_kv_bytes_per_token(shape) / shape.kv_bytes_per_token()
    return choice(
        rng,
        f"A model has {n_head} query heads that share {n_kv} key/value head{'s' * (n_kv > 1)}. By what factor is its cache "
        "smaller than with a key/value head for each query head?",
        number(by),
        f"The cache holds keys and values only: {n_head} / {n_kv} = {number(by)}.",
        [
            wrong for wrong in (
                (str(n_kv), "That is how many key/value heads are left; the factor is how many query heads share one."),
                (str(n_head), "That would be one key/value head for all."),
                (number(2 * by), "Keys and values both get fewer, so the factor is the same for their sum."),
                (number(by / 2), "The factor is the same for keys, for values and for both together."),
            ) if wrong[0] != "1"  # nobody believes that fewer heads keep as much
        ],
    )  # fmt: skip


def whole_answer(rng: Random) -> Task | None:
    """The time of an answer."""
    ttft, tpot, g = rng.randrange(2, 21) / 10, rng.randrange(10, 81), rng.randrange(5, 41) * 10
    computed = end_to_end_s(ttft, tpot / 1000, g)
    return choice(
        rng,
        f"The first token comes after {number(ttft)} s (TTFT), each further one after {tpot} ms (TPOT). How long does an answer "
        f"of {g} tokens take?",
        _seconds(computed),
        f"TTFT + (G − 1) · TPOT = {number(ttft)} s + {g - 1} · {tpot} ms. The first token is prefill’s.",
        [
            (_seconds(ttft + g * tpot / 1000), "That takes a decode step for each token; the first one is prefill’s."),
            (_seconds(g * tpot / 1000), "That leaves out the wait for the first token."),
            (_seconds(ttft + tpot / 1000), "That is the time until the second token."),
        ],
    )


def step_time(rng: Random) -> Task | None:
    """The time of a decode step that waits for memory."""
    card, batch = DEVICES[rng.choice(CARDS)], rng.choice((2, 4, 8))
    weights, cache = rng.randrange(5, 17), rng.randrange(5, 21) / 10
    t = [seconds(memory_s(n * 1e9, card)) for n in (
        weights + batch * cache, batch * (weights + cache), weights + cache, weights, batch * cache,
    )]  # fmt: skip
    return choice(
        rng,
        f"Weights of {weights} GB, {batch} sequences with a cache of {number(cache)} GB each, and memory that reads "
        f"{card.bytes_per_s / 1e9:,.0f} GB/s (those of {card.name}). How long does one decode step of the batch take at least, "
        "if it waits for memory alone?",
        t[0],
        f"Weights are read once for all, each sequence’s cache once: ({weights} + {batch} · {number(cache)}) GB / "
        f"{card.bytes_per_s / 1e9:,.0f} GB/s.",
        [
            (t[1], "That reads the weights for each sequence; a batch shares one reading."),
            (t[2], "That reads one sequence’s cache; every sequence of the batch has its own."),
            (t[3], "That leaves the caches out."),
            (t[4], "That leaves the weights out."),
        ],
    )


def ridge(rng: Random) -> Task | None:
    """The number of tokens from which products with weights wait for compute."""
    card, bits = DEVICES[rng.choice(CARDS)], rng.choice((16, 8))
    computed = critical_batch(card, bits, 16)
    tokens = {f: f"{computed * f:,.0f}" for f in (0.5, 1, 2, 4)}
    return choice(
        rng,
        f"A device computes {_rate(card)} in 16 bits and reads {card.bytes_per_s / 1e9:,.0f} GB/s. The weights of a dense model "
        f"are stored in {bits} bits and multiplied in 16. From about how many tokens in a pass on do products with weights wait "
        "for arithmetic?",
        tokens[1],
        f"Each weight is {bits // 8} byte{'s' * (bits > 8)} to read and takes 2 FLOP a token. So tokens · 2 / {_rate(card)} "
        f"reaches {bits // 8} / {card.bytes_per_s / 1e9:,.0f} GB/s at about {tokens[1]} tokens.",
        [
            (tokens[2], "That counts one FLOP for a weight and token; it is a multiplication and an addition."
             if bits == 16 else "That takes the weights for 16 bits; half as many bytes are read."),
            (tokens[0.5], "That reads half the bytes a weight has."),
            (tokens[4], f"That takes the weights for {2 * bits} bits, and one FLOP for a weight and token."),
        ],
    )  # fmt: skip


def waits_for(rng: Random) -> Task | None:
    """What a pass waits for."""
    card = DEVICES[rng.choice(CARDS)]
    n = rng.choice((1, 4, 16, 64, 1024, 2048, 4096, 8192))
    which = bound(n, card)
    what = f"prefill of {n:,} tokens" if n > 500 else f"a decode step of {n} sequence{'s' * (n > 1)}"
    other = "memory" if which == "compute" else "compute"
    return choice(
        rng,
        f"{card.name} computes {_rate(card)} in 16 bits and reads {card.bytes_per_s / 1e9:,.0f} GB/s. In {what}, do the products "
        "with a dense model’s 16-bit weights wait for memory or for compute?",
        which,
        f"{n:,} token{'s' * (n > 1)} take{'s' * (n == 1)} {2 * n:,} FLOP for each weight of 2 bytes: {n:,} FLOP a byte. The "
        f"device can do {card.ridge:.0f} while it fetches one, so it waits for {which}.",
        [
            (other, f"{n:,} FLOP a byte is {'more' if which == 'compute' else 'less'} than {card.ridge:.0f}."),
            ("both take the same time", f"They would at {card.ridge:.0f} tokens in a pass."),
        ],
    )


def _shape(shape: ModelShape) -> str:
    """What one needs to know of a model to count its cache."""
    return (
        f"{shape.name}: {shape.n_layer} layers, {shape.n_head} query heads, {shape.n_kv_head} key/value heads of {shape.d_head} "
        "numbers."
    )


def _bytes(n: int) -> str:
    return f"{n:,}\u00a0bytes"


def _gigabytes(n: float) -> str:
    return f"{n / 1e9:,.2f}\u00a0GB"


def _seconds(s: float) -> str:
    return f"{number(s, 3)}\u00a0s"  # a multiple of a millisecond, so nothing is rounded


def _rate(card) -> str:
    return f"{number(card.flops_per_s / 1e12)} TFLOP/s"
