"""The head rules in sentences: one line of arithmetic a head, the treatments of an empty row.

Every number is taken from the engine. `line` and `in_words` are plain text, the rest is Markdown.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.model import ForwardPass
from engine.sampling import likeliest
from engine.toy.by_hand import RowByHand, rows_by_hand
from engine.toy.empty_row_policies import Treatment
from engine.toy.scenario import Scenario
from pages.lessons.rules.figures.look import TO_FIND, HeadLine, Look
from pages.parts.controls import toy
from pages.parts.text.digits import context_text, equals, share_said, signed, told_apart, weight
from pages.parts.text.format import entered, join, md, number, plural
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, head_names, in_quotes, rule_name, token_name

MOST_TERMS = 5  # of a sum that is written out
HIDDEN_TOO = ", hidden ones too: a look into the future"  # where a mask hides some
REMARKS = {
    "none": "what PyTorch’s fused attention does since 2.5 (its softmax alone still gives NaN); this toy’s usual choice",
    "soft": "what the article’s code does: the head attends to a token that its rule excludes",
    "nan": "0 / 0, and every number computed from it is lost",
    "fill": f"the average of all tokens{HIDDEN_TOO}",
    "softmax1": "“attention is off by one” (E. Miller, 2023): a row may keep its weight",
}


def line(look: RowByHand, policy: str) -> tuple[str, str]:
    """One head's look as arithmetic and result: ("(20 + 5) / 2", "12.5")."""
    result = _context_written(look)
    if look.seen:
        text = _mean([look.values[j] for j in look.seen])
        softer = _softened(look)
        mean = f" = {entered(look.average)}" * (len(look.seen) > 1)
        return (f"{text}{mean}, softened", result) if softer else (text, result)
    return {
        "none": ("nothing to look at", "none"),
        "soft": (f"no match; softmax gives {_mean([look.values[j] for j in look.visible])}", result),
        "nan": ("nothing to look at: 0 / 0", result),
        "fill": (f"no match; average of {'both' if len(look.values) == 2 else f'all {len(look.values)}'}", result),
        "softmax1": (f"no match; weights that sum to {weight(look.weights.sum())}", treated(policy, look.context, look.largest)),
    }[policy]


def found(s: Scenario, look: Look, line: HeadLine) -> str:
    """The headline of the row that asks: how many keys fit, or what the context is made of."""
    who, looks = s.tokens[look.query], line.looks
    if not look.values:
        n, fit = len(looks.visible), len(looks.seen)
        verb = plural(fit if look.told and n > 1 else n, "fits", "fit")
        return f"“{who}” asks: {fit if look.told else '?'} of {n} {plural(n, 'key')} {verb}"
    if line.result == TO_FIND or not look.told:
        return f"context of “{who}”: ?"
    result = _context_written(looks)
    if line.result != result or len(looks.seen) < 2 or not line.text.startswith("(") or line.text.endswith(("softened", "…")):
        return f"context of “{who}”: {line.result}"
    return f"context of “{who}”: {result} {equals(looks.average, result)} {line.text}"


def weights_found(s: Scenario, looks: RowByHand, told: bool) -> str:
    """The headline of what the smallest and the largest value that the row sees weigh."""
    seen = sorted(looks.seen, key=lambda j: looks.values[j])
    low, high = seen[0], seen[-1]
    if low == high:
        return f"weight of “{s.tokens[low]}”: {share_said(looks.weights[low]) if told else '?'}"
    values = f"values {entered(looks.values[low])} and {entered(looks.values[high])}"
    if not told:
        return f"{values}: which weighs more?"
    a, b = (share_said(looks.weights[j]) for j in (low, high))
    return f"{values}: each weighs {a}" if a == b else f"{values} weigh {a} and {b}"


def _context_written(look: RowByHand) -> str:
    """The context that softmax makes of a row."""
    return context_text(look.context, look.largest)


def _mean(values: Sequence[float]) -> str:
    """An average, written out as far as it can be read."""
    if len(values) == 1:
        return f"only {entered(values[0])}"
    shown = values if len(values) <= MOST_TERMS else [*values[:2], None, values[-1]]
    terms = " + ".join("…" if v is None else f"({entered(v)})" if v < 0 else entered(v) for v in shown)
    return f"({terms}) / {len(values)}"


def in_words(s: Scenario, looks: Sequence[RowByHand], shown: Look, lines: Sequence[tuple[str, str]]) -> str:
    """The figure as a text alternative."""
    parts = []
    for h, (name, look, (_, result)) in enumerate(zip(head_names(s), looks, lines, strict=True)):
        if not (shown.values or h == shown.head):
            continue  # it is not drawn
        values = [f" {entered(look.values[j])}" if shown.values else "" for j in look.seen]
        seen = join([f"“{s.tokens[j]}”{value}" for j, value in zip(look.seen, values, strict=True)]) if look.seen else "nothing"
        made = f", context {'to be found' if result == '?' else result}" if shown.values else ""
        found = "what you are asked for" if h == shown.head and not (shown.told or shown.values) else seen
        parts.append(f"head {name} {'looks at' if shown.values else 'finds'} {found}{made}")
    who = f"“{s.tokens[shown.query]}”, position {shown.query + 1}"
    asks = f"What {who}, gets from each head" if shown.values else f"{who}, asks: its query meets every key that it may see"
    large = f" Large: head {shown.head + 1}." * shown.values
    return f"{supposition(shown.head, shown.supposed)}{asks}: {'; '.join(parts)}.{large}"


def supposition(head: int, supposed: str) -> str:
    """What is supposed of a head, in a sentence of its own; "" where nothing is.

    >>> supposition(0, "every token"), supposition(0, "")
    ('Suppose head 1 looked at every token. ', '')
    """
    return f"Suppose head {head + 1} looked at {supposed}. " if supposed else ""


def whose_keys_fit(s: Scenario, look: RowByHand, head: int, query: int) -> str:
    """The takeaway of one query: whose keys fit, and which it cannot meet."""
    visible, n = len(look.visible), len(s.tokens)
    keys = [token_name(s.tokens, j) for j in look.seen]
    fits = f"fits the {plural(len(keys), 'key')} of {join(keys)}" if keys else "fits no key that it may see"
    meets = f"It meets **{visible} of {n}** {plural(n, 'key')}"
    if n - visible:
        meets += ": what comes later is hidden from it, which is the **mask**’s work"
    elif n == 1:
        meets = "It is the only token"
    elif not s.causal:
        meets += ": the mask, which hides what comes later, is off"
    return f"In head {head + 1} the query of “{md(s.tokens[query])}” {fits}. {meets}."


def context_follows(before: Scenario, s: Scenario, head: int, row: int) -> str:
    """The takeaway where values have been moved: the context follows those that it is made of."""
    look, was = (rows_by_hand(toy.prefill_of(replace(s, values=x.values)).layers[0], row)[head] for x in (s, before))
    shut = [j for j, pair in enumerate(zip(before.values, s.values, strict=True)) if len(set(pair)) > 1 and j not in look.seen]
    if (
        shut
        and all(before.values[j] == s.values[j] for j in look.seen)
        and toy.hardly_taken(before, s, look.context - was.context)
    ):
        whose = f"The {plural(len(shut), 'drawer')} of {join([token_name(s.tokens, j) for j in shut])}"
        old, new = map(_context_written, (was, look))
        still = f"is still **{new}**" if old == new else f"moves by what softmax leaks, from {old} to **{new}**"
        return f"{whose} {plural(len(shut), 'stays', 'stay')} closed: the context {still}."
    return f"The context follows the values: {md(line(look, s.empty_row)[0])}, **{_context_written(look)}**."


def table(s: Scenario, case: Scenario, head: int, row: int, made: Sequence[Treatment]) -> str:
    """The five treatments of one empty row as a Markdown table; the one in force is marked."""
    word, rule = md(s.tokens[row]), md(rule_name(case.rules[head]))
    lines = [
        f"| “{rule}” at “{word}” | context | with “{md(s.words[0])}” behind the prompt | this row would write | remark |",
        "|---|---|---|---|---|",
    ]
    for t in made:
        name = EMPTY_ROW_NAMES[t.policy][0].upper() + EMPTY_ROW_NAMES[t.policy][1:]
        name = f"**▸ {name}**" if t.policy == s.empty_row else name
        sees = (False, t.later_sees)
        cells = [
            "none" if t.policy == "none" and not seen else treated(t.policy, x, t.largest)
            for x, seen in zip((t.context, t.later), sees, strict=True)
        ]
        then = f"**{cells[1]}**" if cells[1] != cells[0] or abs(t.later - t.context) > 1e-9 else cells[1]
        write = _would_write(replace(case, empty_row=t.policy), row)
        remark = REMARKS[t.policy] if case.causal else REMARKS[t.policy].removesuffix(HIDDEN_TOO)
        lines.append(f"| {name} | {cells[0]} | {then} | {write} | {remark} |")
    return "\n".join(lines)


def _would_write(s: Scenario, row: int) -> str:
    """The word with the highest of a row's logits by hand, or those that draw level; nothing where they are no numbers."""
    logits = toy.prefill_of(s).logits[row]
    if not np.isfinite(logits).all():
        return "nothing"
    words = [s.words[w] for w in likeliest(logits)]
    return md(words[0]) if len(words) == 1 else f"{join(in_quotes(words, escape=md))}, level"


def treated(policy: str, context: float, largest: float) -> str:
    """The context that a treatment gives of values, the largest of which is given: softmax with 1 in the denominator leaves little."""
    said = number(context, 5) if abs(context) >= 5e-4 else signed(context)
    return said if policy == "softmax1" and number(context, 5) != "0" else context_text(context, largest)


def why_context(looks: Sequence[RowByHand], s: Scenario, head: int, row: int) -> str:
    """Why the asked context is what it is."""
    look = looks[head]
    seen = [f"{token_name(s.tokens, j)} ({entered(look.values[j])})" for j in look.seen]
    left_over = _left_over(s, look)
    seen_here = _softened(look) or number(look.context, 4) != number(look.average, 4)  # as the answer is written
    made_it = told_apart(look.average, look.context, 4)[1]
    trace = f" *Scores, mask, softmax* averages with exponentials, {left_over}: here that makes it {made_it}."
    softmax = trace if left_over and seen_here else ""
    return f"Head {head + 1} ({md(rule_name(s.rules[head]))}) sees {join(seen)}: {md(line(look, s.empty_row)[0])}.{softmax}"


def _softened(look: RowByHand) -> bool:
    """Whether softmax makes another context of a row than the average by hand, as far as it is written."""
    return _context_written(look) != context_text(look.average, look.largest)


def _left_over(s: Scenario, look: RowByHand) -> str:
    """What softmax takes away from the tokens that match, and who has it then; nothing where they keep all."""
    others = ["which leaves the tokens that do not match some weight"] if len(look.seen) < len(look.visible) else []
    denominator = ["and the 1 in the denominator keeps a part of the weight from all tokens"] if s.empty_row == "softmax1" else []
    return ", ".join([*others, *denominator])


def why_empty(s: Scenario, case: Scenario, head: int, row: int) -> str:
    """Why a row can be empty, and that somebody has to decide."""
    rule = md(rule_name(case.rules[head]))
    alone = f"may see only itself, which “{rule}” does not match"
    sees = alone if row == 0 and s.causal else f"sees no token that “{rule}” matches"
    return (
        f"“{md(s.tokens[row])}” stands at position {row + 1} and {sees}. By hand the "
        "answer is **none**. A computer must put *some* number there; which one is a choice, and the choices in use disagree."
    )


def why_weight(run: ForwardPass, head: int, low: int) -> str:
    """Value is not attention. low: the token with the smaller value."""
    weights = run.layers[0].weights[head, -1]
    who = "Both get" if len(weights) > 1 else "It gets"
    seen = len(rows_by_hand(run.layers[0], len(weights) - 1)[head].seen)
    hand = f"1/{seen} {'=' if round(1 / seen, 4) == 1 / seen else '≈'} " if seen > 1 else ""
    same = number(weights[low], 4) == number(1 / max(seen, 1), 4)
    return (
        f"{who} weight {hand if same else ''}{number(weights[low], 4)}. Weights come from the rule and the positions; a value is "
        "what a token hands over, not how much it is looked at."
    )
