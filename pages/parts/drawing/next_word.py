"""The next word: logits and chances after a row, with one word in bold: the likeliest, or the one that an answer goes on with."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.sampling import best_first
from pages.parts.drawing.sheet import WIDTH, Sheet, bold, bold_ems, short, type_size
from pages.parts.text.digits import logit_text
from pages.parts.text.format import percent
from pages.parts.text.softmax_residue import by_hand

ACROSS, BENEATH = 4, 3  # words that stand beside each other; and on a phone beneath, of more
BAR_END = 0.8  # on a phone, where the bar of a chance would end that is 1
LINE = 24.0  # pixels of a word on a phone
SPOILED = ("not a number: one NaN row", "spoils every logit")


class NextWord(NamedTuple):
    """What comes after a token. words: (n_vocab,) with their logits and probs, None where a logit is no number.

    strong: which word stands out, None for none. digits: of a logit, at most.
    """

    after: str
    words: Sequence[str]
    logits: np.ndarray
    probs: np.ndarray | None
    strong: int | None
    digits: int = 2

    def likeliest(self, most: int) -> "NextWord":
        """At most so many words, the one that stands out and the likeliest, in their order."""
        by_logit = best_first(self.logits)
        some = sorted(sorted(by_logit, key=lambda w: w != self.strong)[:most])
        words, probs = [self.words[w] for w in some], None if self.probs is None else self.probs[some]
        strong = some.index(self.strong) if self.strong in some else None
        return self._replace(words=words, logits=self.logits[some], probs=probs, strong=strong)

    def written(self) -> list[str]:
        """Its logits; one that is small as the values that somebody typed is not written 0."""
        return [by_hand(x, self.digits, self.logits) if abs(x) >= 0.005 else logit_text(x, self.logits) for x in self.logits]


def next_word_across(sheet: Sheet, word: NextWord, left: float, top: float) -> float:
    """The likeliest words beside each other, from `left` to the right border; returns where they end."""
    colors, y = sheet.colors, top + 18
    sheet.write(left - 0.009, y, "<b>next word</b>", type_size("next word", (left - 0.006) * WIDTH, 14.0), anchor="middle left")
    if word.probs is None:
        sheet.write(left, y, " ".join(SPOILED), 15, colors.muted, "middle right")
        return top + 36
    shown = word.likeliest(ACROSS)
    each, inside = (1 - left) / len(shown.words), 0.02
    for w, (name, text, chance) in enumerate(zip(shown.words, shown.written(), shown.probs, strict=True)):
        start, strong = left + w * each, w == shown.strong
        end, size = start + each - inside, 20.0 if strong else 16.0
        ink, said = colors.accent if strong else colors.ink, percent(chance)
        room = (end - start) * WIDTH
        numbers = size * bold_ems(said + text) + 16
        sheet.write(start, y, bold(short(name, room - numbers - 10, size, strong=True), strong), size, ink, "middle right")
        sheet.write(end, y, bold(said, strong), size, ink, "middle left")
        sheet.write(end - (size * bold_ems(said) + 14) / WIDTH, y, text, size, ink if strong else colors.muted, "middle left")
        sheet.share_bar((start, y + 16, end, y + 25), chance, ink if strong else colors.bar)
    return top + 52


def next_word_beneath(sheet: Sheet, next_: NextWord, top: float) -> float:
    """For a phone: a line a word from `top` down, over the whole width, of many the likeliest; returns where it ends."""
    colors, y, n = sheet.colors, top + 8 + LINE, len(next_.words)
    shown = next_ if n <= BENEATH + 1 or next_.probs is None else next_.likeliest(BENEATH)
    of = "" if len(shown.words) == n else f", {BENEATH} of {n}"
    sheet.write(0, top + 8, f"<b>next word</b> after “{short(next_.after, 120, 14)}”{of}", 14, anchor="middle right")
    if shown.probs is None:
        sheet.write(0, y, " ".join(SPOILED), 13, colors.muted, "middle right")
        return top + 16 + 2 * LINE
    for w, (word, text, chance) in enumerate(zip(shown.words, shown.written(), shown.probs, strict=True)):
        y, strong = top + 8 + (w + 1) * LINE, w == shown.strong
        ink = colors.accent if strong else colors.ink
        sheet.write(0, y, bold(short(word, 90, 14), strong), 14, ink, "middle right")
        sheet.write(0.46, y, text, 14, ink if strong else colors.muted, "middle left")
        sheet.write(1, y, bold(percent(chance), strong), 14, ink, "middle left")
        sheet.share_bar((0.5, y - 4, BAR_END, y + 4), chance, ink if strong else colors.bar)
    return top + 20 + (len(shown.words) + 1) * LINE
