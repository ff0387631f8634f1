"""The challenge to make the last word win by one number of W: in whose row it need change least, and how far."""

import math
from collections.abc import Sequence

import numpy as np

from engine.compare import ROUNDING
from engine.sampling import greedy, likeliest
from engine.toy.flips import entry_needed
from engine.toy.rules import LITTLE
from engine.toy.scenario import MAX_VALUE, Scenario
from pages.parts.question.question import Question
from pages.parts.text.digits import context_text, logit_text, logits_side_by_side, weight
from pages.parts.text.format import join, md, number, plural, scientific
from pages.parts.text.toy_names import head_names
from pages.parts.visit.scenario import on_paper
from pages.parts.visit.scenario_query import own_w


def who_wins(s: Scenario, logits: np.ndarray) -> str:
    """The word with the highest logit; words that share it draw level, and none wins."""
    words = [f"**{md(s.words[w])}**" for w in likeliest(logits)]
    return f"{words[0]} wins" if len(words) == 1 else f"{join(words)} draw level, and one of them is taken"


def winner_found(words: Sequence[str], logits: np.ndarray | None, off: Sequence[int]) -> str:
    """The headline of the logits, None as long as they are asked for: which word wins, and without which heads."""
    without = f"without {plural(len(off), 'head')} {join([str(h + 1) for h in off])}: " if off else ""
    if logits is None:
        return f"{without}? wins"
    if not np.isfinite(logits).all():
        return f"{without}no logit is a number"
    best = likeliest(logits)
    logit = logits_side_by_side(logits)[best[0]]
    return f"{without}“{words[best[0]]}” wins with {logit}" if len(best) == 1 else f"{without}{len(best)} words level at {logit}"


def cell_question(s: Scenario, context: np.ndarray, logits: np.ndarray) -> Question | None:
    """In whose row of W the last word's number need change least for it to win; None where it wins, or where no head is the one."""
    target, size = len(s.words) - 1, np.abs(context)
    if not np.isfinite(logits).all() or target in likeliest(logits) or len(s.rules) == 1:
        return None
    head = int(np.argmax(size))
    most = max(map(abs, s.values))
    if size[head] <= ROUNDING or context_text(size[head], most) in [context_text(x, most) for x in np.delete(size, head)]:
        return None
    names, short = [md(name) for name in head_names(s)], float(logits.max() - logits[target])
    ratio = short / size[head]
    enough = number(ratio, 3) if ratio >= 0.001 else weight(ratio)
    above, below = _four_digits(short), _four_digits(size[head])
    exact = all(abs(x - round(x, digits)) <= LITTLE * x for x, digits in ((short, 4), (size[head], 4), (ratio, 3)))
    return Question(
        "w_row",
        f"To let **{md(s.words[target])}** win, in which head’s row need its number change least?",
        names[head],
        f"Its context, {context_text(context[head], most)}, is the farthest from 0, so a change of its number counts most: "
        f"{above} / {below} {'=' if exact else '≈'} {enough} is enough to draw level.",
        options=tuple(names),
    )


def _four_digits(x: float) -> str:
    """A number above 0 with at least four digits that count, so that one divided by another comes to what is said of them.

    >>> _four_digits(32.18), _four_digits(0.000712), _four_digits(7.365e-6)
    ('32.18', '0.000712', '7.365·10⁻⁶')
    """
    places = 3 - math.floor(math.log10(x))
    return number(x, max(4, places)) if places <= 7 else scientific(x, 3, short=True)


def challenge(s: Scenario, context: np.ndarray, logits: np.ndarray, head: int, word: int) -> tuple[str, str]:
    """The challenge to make the last candidate win by W alone, or that it is done; and what the selected cell would take, which
    is told when somebody asks for it."""
    if not np.isfinite(logits).all():
        return "A context that is not a number spoils every logit that it is added to: here all of them.", ""
    target, best = len(s.words) - 1, greedy(logits)
    name = md(s.words[target])
    if len(s.words) == 1:
        logit = logit_text(logits[target], max(map(abs, s.values)))
        return f"**{name}** is the only candidate: it wins whatever W is, here with logit {logit}.", ""
    if likeliest(logits) == [target]:
        typed = own_w(s)
        kept = "What follows goes on with this W until it is reset." if typed and not on_paper() else ""
        made = "typed" if typed else "made up"
        won = f"**{name}** wins with logit {logits_side_by_side(logits)[target]}. Here W is {made}, in a trained model it is learned."
        return f"{won} {kept}".rstrip(), ""
    wins = "wins alone" if target in likeliest(logits) else f"wins, which is {weight(logits[best] - logits[target])} short"
    text = f"**Challenge:** change one number of W so that **{name}** {wins}. "
    level = entry_needed(logits, float(context[head]), s.w_vocab[head][word], word)
    if np.abs(context).max() <= ROUNDING:
        return f"{text}But every context is 0 here: whatever W is, so is every logit.", ""
    if word != target:
        return f"{text}Select a cell in its column.", ""
    if level is None or abs(context[head]) <= ROUNDING:
        return f"{text}The selected cell is multiplied by 0: select another one in its column.", ""
    side, outwards = ("above", np.ceil) if context[head] > 0 else ("below", np.floor)
    places = max(3, 2 - math.floor(math.log10(abs(level)))) if abs(level) > 1e-6 else 3  # three digits of a small one
    enough = outwards(round(level * 10**places, 3)) / 10**places  # what is typed beyond it wins, but for what softmax leaks
    if abs(enough) >= MAX_VALUE:
        return f"{text}What must the framed one be?", f"More than {number(MAX_VALUE)} in size, and no number may be that large."
    return f"{text}What must the framed one be?", f"For “{name}” to win, {side} **{number(enough, places)}**."
