"""Questions about real models on real devices: how long a step and an answer take, and what a pass waits for."""

from random import Random

from engine.cost import DEVICES, bound, critical_batch, end_to_end_s, memory_s
from pages.lessons.quiz.figures.amounts import Bars, Tiles
from pages.lessons.quiz.task import Task, choice
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number, plural, quantity

CARDS = ("A100-80", "H100 SXM", "H200", "L4", "L40S")
OF_A_CARD = ("computed, 16 bits", "read")  # what `_card` says


def whole_answer(rng: Random) -> Task | None:
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
        given=Bars(
            ("first token", "each further one"), (ttft, tpot / 1000), (f"{number(ttft)} s", f"{tpot} ms"), asks=f"for {g} tokens"
        ),
    )


def step_time(rng: Random) -> Task | None:
    card, batch = DEVICES[rng.choice(CARDS)], rng.choice((2, 4, 8))
    weights, cache = rng.randrange(5, 17), rng.randrange(5, 21) / 10
    t = [seconds(memory_s(n * 1e9, card)) for n in (
        weights + batch * cache, batch * (weights + cache), weights + cache, weights, batch * cache,
    )]  # fmt: skip
    return choice(
        rng,
        f"Parameters of {weights} GB, {batch} sequences with a cache of {number(cache)} GB each, and memory that reads "
        f"{_card(card)[1]} (those of {card.name}). How long does one decode step of the batch take at least, "
        "if it waits for memory alone?",
        t[0],
        f"The parameters are read once for all, each sequence’s cache once: ({weights} + {batch} · {number(cache)}) GB / "
        f"{_card(card)[1]}.",
        [
            (t[1], "That reads the parameters for each sequence; a batch shares one reading."),
            (t[2], "That reads one sequence’s cache; every sequence of the batch has its own."),
            (t[3], "That leaves the caches out."),
            (t[4], "That leaves the parameters out."),
        ],
        given=Bars(
            ("parameters", f"cache, each of {batch}"),
            (weights, cache),
            (f"{weights} GB", f"{number(cache)} GB"),
            asks="time of a step",
        ),
    )


def ridge(rng: Random) -> Task | None:
    card, bits = DEVICES[rng.choice(CARDS)], rng.choice((16, 8))
    computed, (rate, reads) = critical_batch(card, bits, 16), _card(card)
    tokens = {f: f"{computed * f:,.0f}" for f in (0.5, 1, 2, 4)}
    return choice(
        rng,
        f"A device computes {rate} in 16 bits and reads {reads}. The parameters of a dense "
        f"model are stored in {bits} bits and multiplied in 16. From about how many tokens in a pass on do products with parameters "
        "wait for arithmetic?",
        tokens[1],
        f"Each parameter is {quantity(bits // 8, 'byte')} to read and takes 2 FLOP a token. So tokens · 2 / {rate} "
        f"reaches {bits // 8} / {reads} at about {tokens[1]} tokens.",
        [
            (tokens[2], "That counts one FLOP for a parameter and token; it is a multiplication and an addition."
             if bits == 16 else "That takes the parameters for 16 bits; half as many bytes are read."),
            (tokens[0.5], "That reads half the bytes a parameter has."),
            (tokens[4], f"That takes the parameters for {2 * bits} bits, and one FLOP for a parameter and token."),
        ],
        given=Tiles((rate, reads, f"{bits}"), (*OF_A_CARD, "bits a parameter"), asks="tokens in a pass"),
    )  # fmt: skip


def waits_for(rng: Random) -> Task | None:
    card = DEVICES[rng.choice(CARDS)]
    n = rng.choice((1, 4, 16, 64, 1024, 2048, 4096, 8192))
    which, (rate, reads) = bound(n, card), _card(card)
    what = f"prefill of {n:,} tokens" if n > 500 else f"a decode step of {quantity(n, 'sequence')}"
    other = "memory" if which == "compute" else "compute"
    return choice(
        rng,
        f"{card.name} computes {rate} in 16 bits and reads {reads}. In {what}, do the products "
        "with a dense model’s 16-bit parameters wait for memory or for compute?",
        which,
        f"{quantity(n, 'token')} {plural(n, 'takes', 'take')} {2 * n:,} FLOP for each parameter of 2 bytes: {n:,} FLOP a byte. The "
        f"device can do {card.ridge:.0f} while it fetches one, so it waits for {which}.",
        [
            (other, f"{n:,} FLOP a byte is {'more' if which == 'compute' else 'less'} than {card.ridge:.0f}."),
            ("both take the same time", f"They would at {card.ridge:.0f} tokens in a pass."),
        ],
        given=Tiles(
            (rate, reads, f"{n:,}"),
            (*OF_A_CARD, "tokens in the pass" if n > 1 else "token in the pass"),
            asks="what it waits for",
        ),
    )


def _card(card) -> tuple[str, str]:
    """What a device computes and reads in a second, OF_A_CARD."""
    return f"{number(card.flops_per_s / 1e12)} TFLOP/s", f"{card.bytes_per_s / 1e9:,.0f} GB/s"


def _seconds(s: float) -> str:
    return f"{number(s, 3)}\u00a0s"  # a multiple of a millisecond, so nothing is rounded
