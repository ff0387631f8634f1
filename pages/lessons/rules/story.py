"""What the story says and asks of queries, keys and drawers, coming from a trained model and before the mask has a name."""

from dataclasses import replace

import numpy as np

from engine.toy.by_hand import RowByHand, rows_by_hand
from engine.toy.scenario import Scenario
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.digits import share_said
from pages.parts.text.format import join, md, plural
from pages.parts.text.toy_names import rule_name, token_name
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import controls_in_sight

PLACE, LAST = "its own place", "whether it is the last"  # what keys of the toy say
ALL_NAMED = 4  # drawers that an answer names without counting the rest, of which one alone would be no shorter
MOST_PLACES = 8  # that a reason names, where they are not all
MOST = 3  # drawers that an answer names, and sets of them to choose from that other heads open


def searches(s: Scenario) -> str:
    """What a head, a query and a key are; in the story from the search that was seen before, and why the toy's is another."""
    if routes.chosen() == routes.STORY:
        last = {rule.breaks_cache for rule in s.rules}
        said = "** or **".join([PLACE] * (False in last) + [LAST] * (True in last))
        return (
            "How was the colour found? The last word asks with a **query**; each word has a **drawer** with a label, its **key**. Where "
            f"the two fit, the drawer opens. A trained key may say “a colour, Anna’s”; one of the toy says **{said}**: easy to check."
        )
    return (
        "A **head** is one way of looking back: a token asks with its **query**, and the **key** of each token is the label on its "
        "drawer. Trained heads search for meaning, such as a colour that was named; these for places, so that you can check them."
    )


def asked_head(s: Scenario) -> int:
    """The head that the story asks about: the first that opens some drawers for the last token and not all, better more than one, or the
    first that opens any."""
    n, row = len(s.tokens), len(s.tokens) - 1
    seen = [look.seen for look in rows_by_hand(toy.prefill_of(s).layers[0], row)]
    fits = (lambda x: 1 < len(x) < n, lambda x: len(x) == 1 and x[0] != row, bool)
    return next((h for fit in fits for h, keys in enumerate(seen) if fit(keys)), 0)


def drawers_question(s: Scenario) -> Question:
    """Which drawers the last token opens in one head, from its query and the keys that are drawn."""
    row, head, n = len(s.tokens) - 1, asked_head(s), len(s.tokens)
    looks = rows_by_hand(toy.prefill_of(s).layers[0], row)
    seen, who = tuple(looks[head].seen), f"“{md(s.tokens[row])}”"
    others = [tuple(look.seen) for h, look in enumerate(looks) if h != head][:MOST]
    # The mistake that is made: “so” does not search itself.
    others_only = tuple(j for j in seen if j != row) if row in seen else ()
    sets = sorted({seen, (0,), (row,), tuple(range(n)), others_only, *others}, key=lambda keys: (not keys, len(keys), keys))
    names = {keys: drawers(s, keys) for keys in sets}
    plain = 0 < len(seen) <= (ALL_NAMED if len(seen) == n else MOST_PLACES) and not s.rules[head].breaks_cache
    places = f", {plural(len(seen), 'place')} {join([str(j + 1) for j in seen])}" if plain else ""
    key = LAST if s.rules[head].breaks_cache else PLACE
    searches = f" This is how **head {head + 1}** asks: it looks at {md(rule_name(s.rules[head]))}."
    return Question(
        "drawers",
        f"The blue bars are what the **query** of {who} asks for, each key says {key}. Which drawers open?",
        names[seen],
        f"Its query fits {plural(len(seen), 'that key', 'these keys')}{places}.{searches}"
        if seen
        else f"Its query fits no key, and so by hand no drawer opens.{searches}",
        options=tuple(dict.fromkeys(names.values())),
        slips={names[others_only]: f"{who} has a drawer of its own, too, and may find itself."} if others_only else {},
    )


def drawers(s: Scenario, keys: tuple[int, ...]) -> str:
    """Some tokens' drawers as an answer."""
    if not keys:
        return "none"
    if len(keys) == len(s.tokens) > 1:
        return "both" if len(keys) == 2 else f"all {len(keys)}"
    most = ALL_NAMED if len(keys) == ALL_NAMED else MOST
    named = [token_name(s.tokens, j) for j in keys[:most]]
    more = len(keys) - most
    return f"{join(named)}, and {more} more" if more > 0 else join(named)


def whose_drawers_open(s: Scenario, look: RowByHand, head: int, query: int) -> str:
    """The takeaway of one query in the story, where the mask has no name yet."""
    who, keys = f"In head {head + 1} the query of “{md(s.tokens[query])}”", [token_name(s.tokens, j) for j in look.seen]
    opened = f"**opens {'its drawer' if len(keys) == 1 else 'their drawers'}**"
    fits = (
        f"fits the {plural(len(keys), 'key')} of {join(keys)}: it {opened}."
        if keys
        else f"fits no key that it may see: {_opens_none(look)}."
    )
    later = " What comes later is hidden from it." if len(look.visible) < len(s.tokens) else ""
    return f"{who} {fits}{later} {other_ways(s)}".rstrip()


def other_ways(s: Scenario) -> str:
    """The way to another head, "" where there is none."""
    if len(s.rules) == 1:
        return ""
    every = len(set(s.rules)) == len(s.rules)
    ways = "Each **head** searches in its own way" if every else "Another **head** may search in another way"
    return f"{ways}{': choose another above the figure' * controls_in_sight()}."


def _opens_none(look: RowByHand) -> str:
    """What becomes of a query that fits no key: nothing, unless the scenario's way with such rows takes something all the same."""
    shares = look.weights.sum()
    if np.isnan(shares):
        return "by hand it opens no drawer, and softmax makes **0 / 0** of that"
    return "by hand it opens no drawer, but **softmax shares out all the same**" if shares > 0.5 else "it opens no drawer"


def mixes(s: Scenario, head: int) -> str:
    """What a value, a weight and a context are. head: the one that is shown, which is said where it is another than was chosen."""
    another = f" Shown is head {head + 1}." * (HEAD.value(high=len(s.rules)) - 1 != head)
    others = max(len(s.tokens) - 2, 0) * np.exp(-2 * s.sharpness) + (s.empty_row == "softmax1") * np.exp(-s.sharpness)
    halves = share_said(1 / (2 + others)) == "1/2"  # where softmax leaves next to nothing to anything else
    each = ": where two are open, each gives half" * halves
    kept = ", and **a part is kept from all**" * bool(s.empty_row == "softmax1" and np.exp(-s.sharpness) >= 0.005)
    colour = ": with Anna’s kite the colour, in the toy a number" * (routes.chosen() == routes.STORY)
    return (
        "In each drawer lies a **value**. The share of it that is taken is its **weight**; here all open drawers give "
        f"the same share{each}{kept}. Values times weights add up to the **context**, what the head has found{colour}.{another}"
    )


def invited_to_move(question: Question) -> Question:
    """The question of a context, whose answer invites a reader of the story to the sliders that come with it."""
    if routes.chosen() != routes.STORY or narrowed() or not controls_in_sight():
        return question
    return replace(question, why=f"{question.why} **Move a value that is taken**: the context follows, the weights stay.")
