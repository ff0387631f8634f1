"""Questions about the bytes of a real model's cache: of a token, of a text, how many fit, what shared heads save."""

from dataclasses import replace
from random import Random

from engine.cost import MODELS, ModelShape, binary_bytes, decimal_bytes, mha_kv_bytes_per_token
from engine.cost.common_mistakes import mistakes
from pages.lessons.quiz.figures.amounts import Tiles
from pages.lessons.quiz.task import Task, choice
from pages.parts.text.format import number, plural, quantity

# Every layer of these sees every token, and each has keys and values of its own.
NAMES = ("Llama-2-7B", "Llama-2-13B", "Llama-3.1-8B", "Llama-3.1-70B", "Qwen2.5-7B", "Qwen2.5-72B", "Qwen3-8B", "Qwen3-32B")
QUERY_HEADS = "That counts query heads; only key/value heads keep something."
KEYS_ALONE = "That counts keys alone; a value is kept beside each."
SLIPS = {"GiB printed as GB": "That is the number of GiB; a GB is 10⁹ bytes.", "1 instead of 2": KEYS_ALONE}


def token_bytes(rng: Random) -> Task | None:
    name, (bits, other) = rng.choice(NAMES), rng.choice(((16, 8), (8, 16)))
    shape = MODELS[name]
    computed = shape.kv_bytes_per_token(bits)
    return choice(
        rng,
        f"{_shape(shape)} Numbers are kept in {bits} bits. How many bytes does one more token add to the cache?",
        _bytes(computed),
        f"A key and a value, {shape.n_layer} layers, {shape.n_kv_head} key/value heads, {shape.d_head} numbers, "
        f"{quantity(bits // 8, 'byte')}: 2 · {shape.n_layer} · {shape.n_kv_head} · {shape.d_head} · {bits // 8}.",
        [
            (_bytes(mha_kv_bytes_per_token(shape, bits)), QUERY_HEADS),
            (_bytes(computed // 2), KEYS_ALONE),
            (_bytes(computed // shape.n_layer), "That is one layer; each has a cache of its own."),
            (_bytes(shape.kv_bytes_per_token(other)), f"That is the count at {other} bits a number."),
        ],
        given=_tiles(shape, "bytes a token", (f"{bits}", "bits a number")),
    )


def cache_size(rng: Random) -> Task | None:
    name, n = rng.choice(NAMES), rng.choice((4_000, 8_000, 16_000, 32_000, 100_000))
    batch = rng.choice((1, 1, 4, 8))
    shape = MODELS[name]
    n = min(n, shape.n_ctx)  # as much as it reads
    right = shape.kv_bytes(n, batch)
    mistaken = {mistake.how: mistake.wrong_bytes for mistake in mistakes(shape, n, batch)}
    wrong = [(_gigabytes(mistaken[how]), slip) for how, slip in SLIPS.items()]
    heads = mha_kv_bytes_per_token(shape) * n * batch
    wrong.insert(0, (_gigabytes(heads), QUERY_HEADS))
    wrong.append((_gigabytes(right / shape.n_layer), "That is one layer; each has a cache of its own."))
    return choice(
        rng,
        f"{_shape(shape)} Numbers are kept in 16 bits. How large is the cache of {quantity(batch, 'sequence')} of {n:,} "
        f"tokens{' each' * (batch > 1)}, in GB (10⁹ bytes)?",
        _gigabytes(right),
        f"2 · {shape.n_layer} · {shape.n_kv_head} · {shape.d_head} · 2 bytes = {shape.kv_bytes_per_token():,} bytes a token, "
        f"times {n * batch:,} tokens: {decimal_bytes(right)}, which is {binary_bytes(right)}.",
        wrong,
        given=_tiles(
            shape, "GB of cache", ("16", "bits a number"), (f"{n:,}", f"tokens, {batch} times" if batch > 1 else "tokens")
        ),
    )


def tokens_that_fit(rng: Random) -> Task | None:
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
        given=_tiles(shape, "tokens", ("16", "bits a number"), (f"{left} GB", "left for caches")),
    )


def shared_heads(rng: Random) -> Task | None:
    n_head, n_kv = rng.choice((16, 24, 32, 40, 48, 64)), rng.choice((1, 2, 4, 8))
    shape = replace(MODELS["Llama-3.1-8B"], n_head=n_head, n_kv_head=n_kv)
    by = mha_kv_bytes_per_token(shape) / shape.kv_bytes_per_token()
    return choice(
        rng,
        f"A model has {n_head} query heads that share {quantity(n_kv, 'key/value head')}. By what factor is its cache "
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
        given=Tiles((str(n_head), str(n_kv)), ("query heads", plural(n_kv, "key/value head")), (n_head, n_kv), asks="times smaller"),
    )  # fmt: skip


def _shape(shape: ModelShape) -> str:
    """What one needs to know of a model to count its cache."""
    return (
        f"{shape.name}: {shape.n_layer} layers, {shape.n_head} query heads, {shape.n_kv_head} key/value heads of {shape.d_head} "
        "numbers."
    )


def _tiles(shape: ModelShape, asks: str, *more: tuple[str, str]) -> Tiles:
    """The same as a picture, with more that is given: (number, what it counts)."""
    counts = shape.n_layer, shape.n_head, shape.n_kv_head, shape.d_head
    said, names = zip(*more, strict=True)
    return Tiles(
        (*map(str, counts), *said), ("layers", "query heads", "key/value heads", "numbers a head", *names),
        (*counts[:3], *[0] * (1 + len(more))), asks,
    )  # fmt: skip


def _bytes(n: int) -> str:
    return f"{n:,}\u00a0bytes"


def _gigabytes(n: float) -> str:
    return f"{n / 1e9:,.2f}\u00a0GB"
