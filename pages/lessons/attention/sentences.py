"""Sentences with their numbers: what the figure shows now, and what the last edit changed.

All Markdown but `map_in_words`, which is read aloud. Every number is taken from a pass of the engine.
"""

import numpy as np

from engine.attention import Attention
from engine.compare import ROUNDING, gaps, largest_gap
from engine.model import ForwardPass
from engine.sampling import likeliest
from engine.toy.scenario import Scenario
from pages.lessons.attention.figures.one_head import written_sum
from pages.parts.controls import toy
from pages.parts.lesson.cell_links import cell_link
from pages.parts.text.digits import context_of, contexts_of, logit_text, told_apart
from pages.parts.text.format import SEEN, entered, join, md, number, percent, plural, quantity
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, head_names, in_quotes, rule_name, token_name

WEIGHTS = 1  # which of the figure's maps


def map_in_words(s: Scenario, run: ForwardPass, probs: np.ndarray | None) -> str:
    """The attention map as a text alternative: the last row of each head, its context, and the next word."""
    layer, last = run.layers[-1], s.tokens[-1]
    heads = []
    for h, name in enumerate(head_names(s)):
        seen = [f"“{s.tokens[j]}” {number(w)}" for j, w in enumerate(layer.weights[h, -1]) if w >= SEEN]
        context = context_of(layer, h, -1)
        heads.append(f"head {name}: {', '.join(seen) or 'no token'}, context {context}")
    result = "the logits are not numbers" if probs is None else f"next word {next_in_words(s, run)} {percent(probs.max())}"
    return (
        f"Attention of {quantity(len(s.tokens), 'token')} in {quantity(len(s.rules), 'head')}: softmax weights. "
        f"Weights of the last row, “{last}”: {'; '.join(heads)}. {result[0].upper()}{result[1:]}."
    )


def next_in_words(s: Scenario, run: ForwardPass) -> str:
    """The likeliest next word, or all that draw level, as plain text."""
    best = in_quotes(s.words[w] for w in likeliest(run.logits[-1]))
    return best[0] if len(best) == 1 else f"{join(best)}, which draw level at"


def made_of(s: Scenario, run: ForwardPass, head: int, row: int) -> str:
    """The headline of one head: of which values the context of a row is made."""
    layer = run.layers[-1]
    sum_ = "" if layer.empty[head, row] else written_sum(layer.weights[head, row], layer.v[layer.kv_head(head), :, 0])
    return f"context of “{s.tokens[row]}”: {context_of(layer, head, row)} {sum_}".rstrip()


def makes_the_word(s: Scenario, run: ForwardPass, probs: np.ndarray | None, short: bool = False) -> str:
    """The headline of all heads: to which word their contexts lead. short: on a phone."""
    n = quantity(len(s.rules), "context")
    if probs is None:
        return f"{n}, and no next word: not all are numbers"
    best = likeliest(run.logits[-1])
    if len(best) > 1:
        return f"{n}, {len(best)} words level at {percent(probs[best[0]])}"
    return f"{n} {plural(len(s.rules), 'makes', 'make')} “{s.words[best[0]]}”{' the next word' * (not short)}: {percent(probs[best[0]])}"


def one_row(s: Scenario, run: ForwardPass, head: int, row: int, figure: str = "") -> str:
    """The takeaway of one head: what a row takes of which values; what that makes where it is no number, else the headline has it.

    figure: in which the weights that are named are shown.
    """
    layer, word = run.layers[-1], md(s.tokens[row])
    taken = [(j, weight) for j, weight in enumerate(layer.weights[head, row]) if weight >= SEEN]
    if layer.empty[head, row] or not taken:
        made = context_of(layer, head, row)
        given = "has no context for it" if layer.empty[head, row] else f"hardly gives it any weight, its context is **{made}**"
        given = "makes a context that is not a number" if made == "NaN" else given
        return f"Nothing that “{word}” may see matches “{md(rule_name(s.rules[head]))}”: head {head + 1} {given}."
    named = taken if len(taken) <= 4 else sorted(taken, key=lambda part: -part[1])[:2]
    shown = [f"{cell_link(_share(weight), figure, WEIGHTS, row, j)} of {token_name(s.tokens, j)}" for j, weight in named]
    shown = shown if len(taken) <= 4 else [*shown, f"{len(taken) - 2} more shares"]
    return f"“{word}” takes {join(shown)}."


def _share(weight: float) -> str:
    """A share as it is said: 1 is all."""
    return "all" if number(weight) == "1" else number(weight)


def unedited_takeaway(s: Scenario, run: ForwardPass, probs: np.ndarray | None) -> str:
    layer = run.layers[-1]
    contexts = contexts_of(layer, -1)
    if probs is None:
        return (
            "Where a head has nothing to look at, −∞ without a guard comes to 0 / 0: "
            "its context is not a number, and neither is any logit of that row."
        )
    best, times_w = likeliest(run.logits[-1]), plural(len(contexts), "it makes", "they make")
    words, each = join([f"**{md(s.words[word])}**" for word in best]), " each" if len(best) > 1 else ""
    return (
        f"The last row, “{md(s.tokens[-1])}”, gives the {plural(len(contexts), 'context')} **{join(contexts)}**; times W {times_w} "
        f"{words} the likeliest next {plural(len(best), 'word')}: logit {logit_text(run.logits[-1, best[0]], run.logits[-1])}, "
        f"{percent(probs[best[0]])}{each}."
    )


def change(before: Scenario, after: Scenario, head: int | None = None, with_weights: bool = True) -> str:
    """One sentence: what was edited and what it did to weights, contexts and the next word.

    head: whose weights alone are counted, where the figure shows no other. with_weights: not where somebody is asked how many
    of them move.
    """
    return f"{_edited(before, after)}: {'; '.join(_effects(before, after, head, with_weights))}."


def _edited(before: Scenario, after: Scenario) -> str:
    """Which fields differ, with the old and the new content where one entry changed."""
    edits = []
    if before.tokens != after.tokens:
        edits.append(f"prompt “{md(' '.join(before.tokens))}” → “{md(' '.join(after.tokens))}”")
    elif before.values != after.values:
        changed = [
            f"{token_name(after.tokens, j)} {entered(old)} → {entered(new)}"
            for j, (old, new) in enumerate(zip(before.values, after.values, strict=True))
            if old != new
        ]
        edits.append(", ".join(changed))
    if len(before.rules) != len(after.rules):
        edits.append(f"{quantity(len(before.rules), 'head')} → {len(after.rules)}")
    elif before.rules != after.rules:
        pairs = enumerate(zip(before.rules, after.rules, strict=True), 1)
        edits.append(", ".join(f"head {h} {old} → {new}" for h, (old, new) in pairs if old != new))
    if before.words != after.words:
        edits.append(f"words {md(', '.join(before.words))} → {md(', '.join(after.words))}")
    elif before.w_vocab != after.w_vocab and len(before.rules) == len(after.rules):
        cells = [
            f"W of head {h + 1} for {md(after.words[w])} {number(before.w_vocab[h][w])} → {number(x)}"
            for h, row in enumerate(after.w_vocab)
            for w, x in enumerate(row)
            if x != before.w_vocab[h][w]
        ]
        edits.append(", ".join(cells) if len(cells) <= 2 else f"{len(cells)} entries of W")
    if before.sharpness != after.sharpness:
        edits.append(f"scores ±{number(before.sharpness)} → ±{number(after.sharpness)}")
    if before.causal != after.causal:
        edits.append("mask on" if after.causal else "mask off")
    if before.empty_row != after.empty_row:
        edits.append(f"empty rows: {EMPTY_ROW_NAMES[after.empty_row]}")
    if before.word_values != after.word_values and not edits:
        edits.append("a word’s value once it is chosen")
    return "; ".join(edits) or "Edited"


def _effects(before: Scenario, after: Scenario, head: int | None, with_weights: bool) -> list[str]:
    """Weights, the last row's contexts, the next word."""
    a, b = toy.prefill_of(before), toy.prefill_of(after)
    effects, x, y = [], a.layers[-1], b.layers[-1]
    if x.weights.shape == y.weights.shape:
        counted, of = (slice(None), "") if head is None else (head, f" of head {head + 1}")
        moved = int((gaps(x.weights[counted], y.weights[counted]) > ROUNDING).sum())
        if with_weights:
            little = f" by less than {SEEN}" if moved and np.abs(y.weights[counted] - x.weights[counted]).max() < SEEN else ""
            effects.append(f"{moved or 'no'} weight{'s' * (moved > 1)}{of} moved{little}")
        said = enumerate(map(_moved, contexts_of(x, -1), contexts_of(y, -1), x.context[:, -1, 0], y.context[:, -1, 0]))
        contexts = [f"head {h + 1} context {old} → {new}" for h, (old, new) in said if old != new]
        shown = contexts[:3] + ([f"{len(contexts) - 3} more"] if len(contexts) > 3 else [])
        still = x.context.shape != y.context.shape or largest_gap(x.context[:, -1], y.context[:, -1]) <= ROUNDING
        little = "no context of the last row moved" if still else "no context of the last row moved by 0.01 or more"
        effects.append(", ".join(shown) if shown else little)
    effects.append(_next_word(before, after, a, b))
    return effects


def _moved(was: str, now: str, before: float, after: float) -> tuple[str, str]:
    """A head's last context before and after an edit, as it is written; neither is written 0 beside the other unless it is."""
    plain = "0" in (was, now) and not {"none", "NaN"} & {was, now} and was != now
    return told_apart(before, after) if plain else (was, now)


def moved_contexts(before: Attention, after: Attention) -> str:
    """How many contexts change so that two decimals show it, or by how little."""
    apart = gaps(before.context, after.context)
    plain, leaked = int((apart >= SEEN).sum()), int(((apart > ROUNDING) & (apart < SEEN)).sum())
    if apart.size == 1:
        return f"its context {'changes' if plain else f'changes by less than {SEEN}' if leaked else 'does not change'}"
    of = "of all heads " if len(apart) > 1 else ""
    more = "" if not leaked else f" by {SEEN} or more" if plain else f", by less than {SEEN}"
    n = plain or leaked
    return f"{n or 'none'} of the {apart.size} contexts {of}{plural(n or 1, 'changes', 'change')}{more}"


def _next_word(before: Scenario, after: Scenario, a: ForwardPass, b: ForwardPass) -> str:
    if not np.isfinite(b.logits[-1]).all():
        return "the next word is **not a number**"
    was, new = ([s.words[w] for w in likeliest(run.logits[-1])] for s, run in ((before, a), (after, b)))
    words, same = join([f"**{md(word)}**" for word in new]), new == was and np.isfinite(a.logits[-1]).all()
    if len(new) > 1:
        return f"{words} {'still' if same else 'now'} draw level"
    alone = " alone" if len(was) > 1 and new[0] in was else ""
    return f"the next word {'stays' if same else 'is now'} {words}{alone}"


def where_nothing_fits(s: Scenario, run: ForwardPass) -> str | None:
    """What stands in rows of which no key fits, where these take nothing."""
    if s.empty_row != "none" or not run.layers[0].empty.any():
        return None
    return "**none**: no key that such a row may see fits its query. It takes nothing, where softmax alone would share out 1."
