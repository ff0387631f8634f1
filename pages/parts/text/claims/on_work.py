"""Statements about the work and its growth, in our words, and what is said once the reader has voted."""

from engine.claims import CONTEXTS, FAR, REAL
from engine.cost import decimal_bytes
from pages.parts.text.claims.wording import Claim, Exhibit, counted, factor
from pages.parts.text.format import number, quantity

WORK: dict[str, Claim] = {
    "weights_are_spared": Claim(
        "The cache keeps attention weights",
        "The cache keeps attention weights, so that a step need not compute them again.",
        "Count the query · key products of the last decode step, and of a short answer with and without a cache.",
        "counting",
        lambda f: (
            f"A step behind {f['n'] - 1} cached tokens computes **{quantity(f['step'], 'product')}**, one for each key it meets, "
            f"itself included. On one layer a cache spares none: {f['without']:,} without, {f['cached']:,} with. (A deep "
            f"model would have to run old rows again too, {f['deep']:,}, because the next layer’s keys are made of them.) Nor is it a "
            "dictionary: every row is read, and weighed."
        ),
        lambda f: [
            counted("products in the last decode step", f["step"], True),
            counted("a whole answer, no cache, last query only", f["without"]),
            counted("a whole answer, cache", f["cached"]),
        ],
    ),
    "keys_and_values_linear": Claim(
        "K and V: from square to linear",
        "Without a cache the work on keys and values grows with the square of the length, with one linearly: each is "
        "computed once.",
        f"Double an answer of {FAR:,} tokens by the closed forms, and count the keys of a short one as it runs.",
        "counting",
        lambda f: (
            f"Doubling costs ×{f['without']:.3f} without and **×{f['cached']:.3f}** with a cache; {f['computed']} rows were "
            f"computed for {f['tokens']} tokens. Of keys and values the sentence is exact."
        ),
        lambda f: [
            factor("K/V rows without a cache, answer doubled", f["without"]),
            factor("K/V rows with a cache, answer doubled", f["cached"], True),
        ],
    ),
    "square_without": Claim(
        "Without a cache: O(N²)",
        "Without a cache each step runs all tokens so far, so an answer of length N costs O(N²).",
        f"Double an answer of {FAR:,} tokens: by what factor do token passes grow, and by what attention?",
        "counting",
        lambda f: (
            f"Token passes: ×{f['rows']:.3f}, O(N²). Attention’s products: **×{f['scores']:.3f}**, since a recomputed step is itself a "
            f"square and the answer a cube, O(N³)."
        ),
        lambda f: [
            factor("tokens run through the model, answer doubled", f["rows"]),
            factor("score products, answer doubled", f["scores"], True),
        ],
    ),
    "linear_with": Claim(
        "The cache makes decode O(N)",
        "The cache brings the cost of the decode phase from O(N²) down to O(N).",
        f"With a cache, double an answer of {FAR:,} tokens: keys and values, then attention.",
        "counting",
        lambda f: (
            f"Keys and values, and the MLP: ×{f['rows']:.3f}, O(N). Attention’s products: **×{f['scores']:.3f}**, since every cached row "
            f"is read, O(n) a step, O(N²) over the answer."
        ),
        lambda f: [
            factor("K/V rows with a cache, answer doubled", f["rows"]),
            factor("score products with a cache, answer doubled", f["scores"], True),
        ],
    ),
    "steady_pace": Claim(
        "With a cache the pace is steady",
        "The first word comes as fast without a cache; with one, the following words come at a steady pace.",
        "Count prefill both ways, then the products of an early and a late decode step; and bytes for a real model.",
        "memory",
        lambda f: (
            f"Prefill is the same, {quantity(f['first'], 'product')}. But a step does {quantity(f['early'], 'product')} at first "
            f"and **{f['late']:,}** after {FAR:,} words. {REAL.name} in fp16, all {decimal_bytes(REAL.weight_bytes())} of "
            f"parameters and the cached rows read once at 2 TB/s, needs {f['ms_0']:.2f} ms a word at first and "
            f"{f[f'ms_{CONTEXTS[-1]}']:.2f} behind {CONTEXTS[-1]:,} tokens: steady only while the context is short."
        ),
        lambda f: [
            Exhibit("products of decode step 1", number(f["early"])),
            Exhibit(f"products of decode step {FAR:,}", f"{f['late']:,}", None, True),
            *(Exhibit(f"{REAL.name} behind {n:,} tokens", f"{f[f'ms_{n}']:.2f} ms", f[f"ms_{n}"]) for n in CONTEXTS),
        ],
    ),
    "a_latent_saves": Claim(
        "A latent saves 93.3 %",
        "DeepSeek-V2, which keeps a latent instead of keys and values, needs a cache 93.3 % smaller than DeepSeek 67B.",
        "Multiply out what either keeps of a token, with the same number of bits and with fewer.",
        "memory",
        lambda f: (
            f"{f['latent']:,} numbers a token instead of {f['grouped']:,}: with as many bits on both sides "
            f"**{f['saved_16']:.1f} %** smaller. The published figure comes out where the latent is also stored in 6 bits "
            f"and the other cache in 16: {f['saved_6']:.1f} %."
        ),
        lambda f: [
            Exhibit(
                f"saved, latent in {bits} bits, the other in 16", f"{f[f'saved_{bits}']:.1f} %", f[f"saved_{bits}"], bits == 16
            )
            for bits in (16, 8, 6)
        ],
    ),
}
