"""Statements about the work and its growth, in our words, and what is said once the reader has voted."""

from __future__ import annotations

from engine.claims import CONTEXTS, FAR, REAL
from engine.cost import decimal_bytes
from pages.lessons.claims.figures.exhibits import Exhibit
from pages.lessons.claims.wording import Claim, counted, factor
from pages.parts.text.format import number, quantity

WORK: dict[str, Claim] = {
    "weights_are_spared": Claim(
        "The cache keeps attention weights",
        "The cache keeps attention weights, so that a step need not compute them again.",
        "Count the query · key products of the last decode step, and of a short answer with and without a cache.",
        "counting",
        lambda f: (
            f"A step behind {f.numbers['n'] - 1} cached tokens computes **{quantity(f.numbers['step'], 'product')}**, one for each key "
            "it meets, itself included. "
            f"On one layer a cache spares none: {f.numbers['without']} without, {f.numbers['cached']} with. (A deep model "
            "would have to run old rows "
            f"again too, {f.numbers['deep']}, because the next layer’s keys are made of them.) Nor is it a dictionary: every row "
            "is read, and weighed."
        ),
        lambda f: [
            counted("products in the last decode step", f.numbers["step"], True),
            counted("a whole answer, no cache, last query only", f.numbers["without"]),
            counted("a whole answer, cache", f.numbers["cached"]),
        ],
    ),
    "keys_and_values_linear": Claim(
        "K and V: from square to linear",
        "Without a cache the work on keys and values grows with the square of the length, with one linearly: each is "
        "computed once.",
        f"Double an answer of {FAR:,} tokens by the closed forms, and count the keys of a short one as it runs.",
        "counting",
        lambda f: (
            f"Doubling costs ×{f.numbers['without']:.3f} without and **×{f.numbers['cached']:.3f}** with a cache; "
            f"{f.numbers['computed']} rows were "
            f"computed for {f.numbers['tokens']} tokens. Of keys and values the sentence is exact."
        ),
        lambda f: [
            factor("K/V rows without a cache, answer doubled", f.numbers["without"]),
            factor("K/V rows with a cache, answer doubled", f.numbers["cached"], True),
        ],
    ),
    "square_without": Claim(
        "Without a cache: O(N²)",
        "Without a cache each step runs all tokens so far, so an answer of length N costs O(N²).",
        f"Double an answer of {FAR:,} tokens: by what factor do token passes grow, and by what attention?",
        "counting",
        lambda f: (
            f"Of token passes it is true: ×{f.numbers['rows']:.3f}. Attention is left out: a recomputed step is itself a "
            "square, so the "
            f"answer is a cube, **×{f.numbers['scores']:.3f}**, O(N³)."
        ),
        lambda f: [
            factor("tokens run through the model, answer doubled", f.numbers["rows"]),
            factor("score products, answer doubled", f.numbers["scores"], True),
        ],
    ),
    "linear_with": Claim(
        "The cache makes decode O(N)",
        "The cache brings the cost of the decode phase from O(N²) down to O(N).",
        f"With a cache, double an answer of {FAR:,} tokens: keys and values, then attention.",
        "counting",
        lambda f: (
            f"Of keys and values, and of the MLP, it is true: ×{f.numbers['rows']:.3f}. Attention still reads every cached "
            "row, O(n) a step: "
            f"**×{f.numbers['scores']:.3f}**, O(N²) over the answer."
        ),
        lambda f: [
            factor("K/V rows with a cache, answer doubled", f.numbers["rows"]),
            factor("score products with a cache, answer doubled", f.numbers["scores"], True),
        ],
    ),
    "steady_pace": Claim(
        "With a cache the pace is steady",
        "The first word comes as fast without a cache; with one, the following words come at a steady pace.",
        "Count prefill both ways, then the products of an early and a late decode step; and bytes for a real model.",
        "memory",
        lambda f: (
            f"Prefill is the same, {quantity(f.numbers['first'], 'product')}. But a step does "
            f"{quantity(f.numbers['early'], 'product')} at first and "
            f"**{f.numbers['late']:,}** after {FAR:,} words. {REAL.name} in fp16, all {decimal_bytes(REAL.weight_bytes())} of weights "
            "and the cached rows read once at 2 TB/s, needs "
            f"{f.numbers['ms_0']:.2f} ms a word at first and {f.numbers[f'ms_{CONTEXTS[-1]}']:.2f} behind {CONTEXTS[-1]:,} "
            "tokens: steady only while the context is short."
        ),
        lambda f: [
            Exhibit("products of decode step 1", number(f.numbers["early"])),
            Exhibit(f"products of decode step {FAR:,}", f"{f.numbers['late']:,}", None, True),
            *(
                Exhibit(f"{REAL.name} behind {n:,} tokens", f"{f.numbers[f'ms_{n}']:.2f} ms", f.numbers[f"ms_{n}"])
                for n in CONTEXTS
            ),
        ],
    ),
    "a_latent_saves": Claim(
        "A latent saves 93.3 %",
        "DeepSeek-V2, which keeps a latent instead of keys and values, needs a cache 93.3 % smaller than DeepSeek 67B.",
        "Multiply out what either keeps of a token, with the same number of bits and with fewer.",
        "memory",
        lambda f: (
            f"{f.numbers['latent']:,} numbers a token instead of {f.numbers['grouped']:,}: with as many bits on both sides "
            f"**{f.numbers['saved_16']:.1f} %** smaller. The published figure comes out where the latent is also stored in 6 bits "
            f"and the other cache in 16: {f.numbers['saved_6']:.1f} %."
        ),
        lambda f: [
            Exhibit(
                f"saved, latent in {bits} bits, the other in 16",
                f"{f.numbers[f'saved_{bits}']:.1f} %",
                f.numbers[f"saved_{bits}"],
                bits == 16,
            )
            for bits in (16, 8, 6)
        ],
    ),
}
