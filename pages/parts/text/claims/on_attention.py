"""Statements about attention and what becomes of it, in our words, and what is said once the reader has voted."""

from pages.parts.text.claims.wording import Claim, Exhibit, counted, decode_steps, gap, logit_bars
from pages.parts.text.digits import gap_text, logit_text, told_apart
from pages.parts.text.format import entered, md, number, percent, plural, quantity

ATTENTION: dict[str, Claim] = {
    "values": Claim(
        "Small words get less attention",
        "Words such as “is” and “so” carry little meaning, and attention naturally looks at them less.",
        "Measure what each head of the trained model gives to such words; then edit the toy’s values.",
        "attention",
        lambda f: (
            f"**{f['more']} of {f['heads']}** heads look harder at them than at the other words, the hardest with "
            f"{percent(f['most'])} of what it gives to words; others look past them, down to {percent(f['least'])}. What a head looks at "
            f"is learned. In the toy no weight follows a token’s meaning: {quantity(f['weights'], 'weight')} of {f['visible']:,} "
            f"{plural(f['weights'], 'moves', 'move')} when values are edited."
        ),
        lambda f: [
            Exhibit("“’s”, “is”, “so”: an even share", percent(f["even"]), f["even"]),
            Exhibit("from the head that looks at them most", percent(f["most"]), f["most"], True),
            Exhibit("from the head that looks at them least", percent(f["least"]), f["least"]),
            Exhibit("heads that give them more than that share", f"{f['more']} of {f['heads']}", None, True),
            Exhibit("toy: weights moved by other values", f"{f['weights']} of {f['visible']:,}"),
            *(
                Exhibit(f"toy: “{token}”, value {entered(v)}, in the logit of “{f['word']}”", logit_text(x, f["shares"]))
                for token, v, x in list(zip(f.scenario.tokens, f.scenario.values, f["shares"], strict=True))[-1:]
            ),
        ],
    ),
    "every_other": Claim(
        "Every token sees every other",
        "While the prompt is processed, each token attends to every other token in it.",
        "Count the pairs that the causal mask lets through, and whether a token sees itself.",
        "prefill",
        lambda f: (
            f"Only **{f['others']} of {f['all_others']}** pairs of two different tokens "
            f"{plural(f['others'], 'is let through: the earlier one', 'are let through: the earlier ones')}. And each of "
            f"the {f['n']} sees itself. “Itself and what precedes it” is right."
        ),
        lambda f: [
            counted("pairs of two different tokens", f["all_others"]),
            counted("of these, let through by the mask", f["others"], True),
            counted("tokens that see themselves", f["itself"]),
        ],
    ),
    "newest_needs_no_mask": Claim(
        "The newest token needs no mask",
        "When one new token is decoded behind the cache, its attention row needs no mask.",
        "Decode a few words and count the keys that the mask hides; again on a model whose rows look back a window.",
        "decode",
        lambda f: (
            f"In {quantity(f['steps'], 'decode step')} the causal mask hides **{f['hidden']}** keys; without it the weights "
            f"differ by {gap_text(f['gap'])}: nothing later exists. But a model that looks back a window needs one: one "
            f"with a window of {f['window']} hides **{f['beyond']} of {f['keys']}** keys from token {f['keys']}; leaving "
            f"that out moves a weight by {number(f['missed'])}. So does padding in a batch."
        ),
        lambda f: [
            counted("pairs hidden in prefill", f["prefill"]),
            counted(f"keys hidden in {f['steps']} decode steps", f["hidden"]),
            Exhibit("largest change of a weight without the mask", gap_text(f["gap"])),
            counted(f"window of {f['window']}: hidden of {f['keys']} keys in a step", f["beyond"], True),
            gap("window: largest change without the mask", f["missed"], True),
        ],
    ),
    "logits_are_chances": Claim(
        "Logits are probabilities",
        "The logits are the probability distribution over the next word.",
        "Add the logits up, and compare with what softmax makes of them.",
        "logits",
        lambda f: (
            f"The logits sum to **{logit_text(f['sum'], f['logits'])}**, not to 1. Softmax turns them into probabilities; only the "
            "order is the same in both."
        ),
        lambda f: [
            Exhibit("sum of the logits", logit_text(f["sum"], f["logits"]), None, True),
            Exhibit("sum of the probabilities", number(f["probs_sum"], 3)),
            *(
                Exhibit(f"“{w}”: logit and probability", f"{logit_text(x, f['logits'])}, {percent(p)}")
                for w, x, p in list(zip(f.scenario.words, f["logits"], f["probs"], strict=True))[:3]
            ),
        ],
    ),
    "average": Claim(
        "Heads are averaged",
        "The outputs of the heads are combined by taking their average.",
        "Replace each context by the mean of all; then look for another prompt with the very same mean.",
        "logits",
        lambda f: (
            f"Averaging, {logit_text(f['mean'])} for each head, gives other logits. And a prompt with the values "
            f"{', '.join(map(entered, f['values']))} gives contexts of the same mean, yet other "
            "logits: what an average would throw away is used. Heads stand side by side, and a matrix weighs each by itself."
        ),
        lambda f: [
            *logit_bars(f, "as it is: logit", f["logits"])[:2],
            *logit_bars(f, "averaged: logit", f["averaged"])[:2],
            *logit_bars(f, "other prompt, same mean: logit", f["twin"])[:2],
        ],
    ),
    "decode_makes_the_first": Claim(
        "Decode makes the first word",
        "Prefill reads the prompt; the highest-scoring first word then comes out of the decode phase.",
        "Generate one word, then several, and count the decode steps.",
        "overview",
        lambda f: (
            f"The first word takes **{f['first']}** decode steps: the last row of prefill has its logits already. "
            f"{f['words']} words take {f['several']}, always one fewer."
        ),
        lambda f: [
            decode_steps("decode steps for 1 word", f["first"], True),
            decode_steps(f"decode steps for {f['words']} words", f["several"]),
        ],
    ),
    "attention_finds_the_word": Claim(
        "Attention finds the fitting word",
        "In the worked example, attention arrives by itself at the word that fits.",
        "Exchange two columns of W and leave all attention as it is.",
        "logits",
        lambda f: (
            f"**{f['moved']} of {quantity(f['weights'], 'weight')}** {plural(f['weights'], 'moves', 'move')}, and "
            f"“{md(f['before'])}” becomes “{md(f['after'])}”. The toy’s W was written by hand; attention "
            "only says which values reach it. In a trained model both are learned, and neither decides alone."
        ),
        lambda f: [
            counted("attention weights that moved", f["moved"]),
            *(
                Exhibit(f"logit of “{w}”, before → after", " → ".join(told_apart(x, y, 3)), None, w == f["after"])
                for w, x, y in zip(f.scenario.words, f["logits"], f["swapped"], strict=True)
                if w in (f["before"], f["after"])
            ),
        ],
    ),
}
