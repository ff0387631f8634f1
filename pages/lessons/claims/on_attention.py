"""Statements about attention and what becomes of it, in our words, and what is said once the reader has voted."""

from __future__ import annotations

from pages.lessons.claims.figures.exhibits import Exhibit
from pages.lessons.claims.wording import Claim, counted, gap, logit_bars
from pages.parts.text.format import apart, md, number, percent, plural, quantity

ATTENTION: dict[str, Claim] = {
    "values": Claim(
        "Small words get less attention",
        "Words such as “is” and “so” carry little meaning, and attention naturally looks at them less.",
        "Measure what each head of the trained model gives to such words; then edit the toy’s values.",
        "attention",
        lambda f: (
            f"**{f.numbers['more']} of {f.numbers['heads']}** heads look harder at them than at the other words, the hardest "
            f"with {percent(f.numbers['most'])} of its attention; others look past them, down to {percent(f.numbers['least'])}. "
            "What a head looks at is learned. In the toy no weight follows a token’s meaning: "
            f"{quantity(f.numbers['weights'], 'weight')} of {f.numbers['visible']} {plural(f.numbers['weights'], 'moves', 'move')} "
            "when values are edited."
        ),
        lambda f: [
            Exhibit("“’s”, “is”, “so”: an even share", percent(f.numbers["even"]), f.numbers["even"]),
            Exhibit("from the head that looks at them most", percent(f.numbers["most"]), f.numbers["most"], True),
            Exhibit("from the head that looks at them least", percent(f.numbers["least"]), f.numbers["least"]),
            Exhibit("heads that give them more than that share", f"{f.numbers['more']} of {f.numbers['heads']}", None, True),
            Exhibit("toy: weights moved by other values", f"{f.numbers['weights']} of {f.numbers['visible']}"),
            *(
                Exhibit(f"toy: “{token}”, value {number(v)}, in the logit of “{f.numbers['word']}”", number(x, 3))
                for token, v, x in list(zip(f.scenario.tokens, f.scenario.values, f.numbers["shares"], strict=True))[-1:]
            ),
        ],
    ),
    "every_other": Claim(
        "Every token sees every other",
        "While the prompt is processed, each token attends to every other token in it.",
        "Count the pairs that the causal mask lets through, and whether a token sees itself.",
        "prefill",
        lambda f: (
            f"Only **{f.numbers['others']} of {f.numbers['all_others']}** pairs of two different tokens are let through: the "
            "earlier "
            "ones. A token does see itself. Said the other way round, “itself and what precedes it”, the same sources get it "
            "right."
        ),
        lambda f: [
            counted("pairs of two different tokens", f.numbers["all_others"]),
            counted("of these, let through by the mask", f.numbers["others"], True),
            counted("tokens that see themselves", f.numbers["itself"]),
        ],
    ),
    "newest_needs_no_mask": Claim(
        "The newest token needs no mask",
        "When one new token is decoded behind the cache, its attention row needs no mask.",
        "Decode a few words and count the keys that the mask hides; again on a model whose rows look back a window.",
        "decode",
        lambda f: (
            f"In {f.numbers['steps']} decode steps the causal mask hides **{f.numbers['hidden']}** keys; without it the weights "
            f"differ by {apart(f.numbers['gap'])}: nothing later exists. But a model that looks back a window needs one: with "
            f"a window of {f.numbers['window']} it hides **{f.numbers['beyond']} of {f.numbers['keys']}** keys; leaving "
            f"it out moves a weight by {number(f.numbers['missed'])}. (So does padding in a batch.)"
        ),
        lambda f: [
            counted("pairs hidden in prefill", f.numbers["prefill"]),
            counted(f"keys hidden in {f.numbers['steps']} decode steps", f.numbers["hidden"]),
            Exhibit("largest change of a weight without the mask", apart(f.numbers["gap"])),
            counted(f"window of {f.numbers['window']}: hidden of {f.numbers['keys']} keys in a step", f.numbers["beyond"], True),
            gap("window: largest change without the mask", f.numbers["missed"], True),
        ],
    ),
    "logits_are_chances": Claim(
        "Logits are probabilities",
        "The logits are the probability distribution over the next word.",
        "Add the logits up, and compare with what softmax makes of them.",
        "logits",
        lambda f: (
            f"The logits sum to **{number(f.numbers['sum'], 3)}**, not to 1. Softmax turns them into probabilities; only the "
            "order is "
            "the same in both."
        ),
        lambda f: [
            Exhibit("sum of the logits", number(f.numbers["sum"], 3), None, True),
            Exhibit("sum of the probabilities", number(f.numbers["probs_sum"], 3)),
            *(
                Exhibit(f"“{w}”: logit and probability", f"{number(x, 3)}, {percent(p)}")
                for w, x, p in list(zip(f.scenario.words, f.numbers["logits"], f.numbers["probs"], strict=True))[:3]
            ),
        ],
    ),
    "average": Claim(
        "Heads are averaged",
        "The outputs of the heads are combined by taking their average.",
        "Replace each context by the mean of all; then look for another prompt with the very same mean.",
        "logits",
        lambda f: (
            f"Averaging, {number(f.numbers['mean'], 3)} for each head, gives other logits. And values "
            f"{', '.join(number(v) for v in f.numbers['values'])} have the same mean, {number(f.numbers['twin_mean'], 3)}, "
            "yet other "
            "logits: what an average would throw away is used. Heads stand side by side, and a matrix weighs each by itself."
        ),
        lambda f: [
            *logit_bars(f, "as it is: logit", f.numbers["logits"])[:2],
            *logit_bars(f, "averaged: logit", f.numbers["averaged"])[:2],
            *logit_bars(f, "other prompt, same mean: logit", f.numbers["twin"])[:2],
        ],
    ),
    "decode_makes_the_first": Claim(
        "Decode makes the first word",
        "Prefill reads the prompt; the highest-scoring first word then comes out of the decode phase.",
        "Generate one word, then several, and count the decode steps.",
        "overview",
        lambda f: (
            f"The first word takes **{f.numbers['first']}** decode steps: the last row of prefill has its logits already. "
            f"{f.numbers['words']} words take {f.numbers['several']}, always one fewer."
        ),
        lambda f: [
            counted("decode steps for 1 word", f.numbers["first"], True),
            counted(f"decode steps for {f.numbers['words']} words", f.numbers["several"]),
        ],
    ),
    "attention_finds_the_word": Claim(
        "Attention finds the fitting word",
        "In the worked example, attention arrives by itself at the word that fits.",
        "Exchange two columns of W and leave all attention as it is.",
        "logits",
        lambda f: (
            f"**{f.numbers['moved']} of {quantity(f.numbers['weights'], 'weight')}** {plural(f.numbers['weights'], 'moves', 'move')}, and "
            f"“{md(f.numbers['before'])}” becomes "
            f"“{md(f.numbers['after'])}”. In the toy W was written so that the right word wins; attention only says which "
            "values reach it. "
            "In a trained model both are learned, and neither decides alone."
        ),
        lambda f: [
            counted("attention weights that moved", f.numbers["moved"]),
            *(
                Exhibit(f"logit of “{w}”, before → after", f"{number(x, 3)} → {number(y, 3)}", None, w == f.numbers["after"])
                for w, x, y in zip(f.scenario.words, f.numbers["logits"], f.numbers["swapped"], strict=True)
                if w in (f.numbers["before"], f.numbers["after"])
            ),
        ],
    ),
}
