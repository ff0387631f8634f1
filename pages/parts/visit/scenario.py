"""The one scenario of a visit, shared by all lessons, and what they have selected besides: read from a link, then edited.

The session holds the truth. A link is read once, when its query string is first seen; from then on every edit goes through
`edit`, which keeps the last good scenario when an edit is refused. address.py writes the state back into the address bar.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from engine.toy.scenario import Scenario
from pages.parts.visit import scenario_query
from pages.parts.visit.session import of_this_visit
from pages.parts.visit.view_parameters import that_are

MOST_EXTRAS, MOST_EXTRA = 120, 1600  # names that a link may bring besides the scenario's, and characters of one
STAYS = that_are("stays")
PAPER = ("questions", "answers", "route", "route_answers")  # what `handout` may say: lesson/handout.py
_OWN = 64  # the last addresses that we wrote ourselves: a rerun may still carry an older one, and is no new link


@dataclass
class Kept:
    """What a visit has read from its link and edited since."""

    scenario: Scenario | None = None  # None before a link has been read
    extras: dict[str, str] = field(default_factory=dict)  # what lessons have selected besides, by the parameter's name
    before: Scenario | None = None  # the last edit's; None where none says anything of the step on screen
    edited: str = ""  # what that edit was of
    edit_problem: str = ""  # why it was refused
    link_problems: list[str] = field(default_factory=list)  # what could not be used of the link
    # What each keeps of the extras for itself, as it was left.
    of_lessons: dict[str, dict[str, str]] = field(default_factory=dict)
    link_is_new: bool = False  # whether the link was read since a lesson began
    opened: tuple[Scenario | None, dict[str, str]] = (None, {})  # what lessons that keep apart begin with: a link's or a preset's
    scenarios: dict[str, Scenario] = field(default_factory=dict)  # as each of these lessons was left
    mine: Scenario | None = None  # the last of them that was edited
    query: tuple = ()  # of the last run, as the browser sent it
    own_queries: deque = field(default_factory=lambda: deque(maxlen=_OWN))  # that we wrote into the address bar ourselves


kept = of_this_visit(Kept)


def current() -> Scenario:
    """The scenario of this visit; on the first run, or behind a link that is new to the session, the link's."""
    own, query = kept(), st.query_params.to_dict()
    heard, own.query = own.query, _key(query)
    if own.scenario is None or (query and own.query != heard and own.query not in own.own_queries):
        _load(query)
    return own.scenario


def open_link(query: Mapping[str, str]) -> None:
    """Read a link that Streamlit does not know of; the one that it sends along is older from now on."""
    current()
    _load(query)


def _load(query: Mapping[str, str]) -> None:
    own = kept()
    own.scenario, own.link_problems = scenario_query.from_query(query)
    own.before, own.edited, own.edit_problem, own.extras = None, "", "", {}
    own.link_is_new = True
    for name, text in query.items():
        if re.fullmatch("[a-z_]{1,20}", name) and len(text) <= MOST_EXTRA and len(own.extras) < MOST_EXTRAS:
            if half := re.search("[\ud800-\udfff]", text):  # JSON can write one, and no page and no file can hold it
                problem = ValueError(f"expected whole characters, got {text[half.start() :][:40]!r}")
                own.link_problems.append(scenario_query.left_out(name, problem))
            else:
                own.extras[name] = text
    _opens()


def _opens() -> None:
    """What is there now is what lessons that keep apart begin with."""
    own = kept()
    own.opened, own.mine = (own.scenario, dict(own.extras)), None
    own.scenarios.clear()


def lesson_begins(lesson: str, left: str, own: Iterable[str], apart: bool = False) -> None:
    """A lesson is drawn from now on, where `left` was drawn before, which may be the same. own: the names of what each lesson keeps
    for itself: it says what it said when that lesson was left, unless a new link has just said it. apart: so does its scenario, and
    a lesson that was not drawn yet begins with what was opened."""
    here = kept()
    if not here.link_is_new and left != lesson:
        scenario, extras = here.opened if apart else (None, {})
        here.of_lessons[left] = {name: here.extras[name] for name in own if name in here.extras}
        shared = {name: text for name, text in here.extras.items() if name not in own}
        begins = {name: extras[name] for name in own if name in extras}
        here.extras = shared | here.of_lessons.get(lesson, begins)
        if apart:
            here.mine = here.mine if here.scenario == scenario else here.scenario
            here.scenarios[left] = here.scenario
            here.scenario = here.scenarios.get(lesson, scenario)
    here.link_is_new = False


def begin_with(other: Scenario) -> None:
    """Let all lessons begin with another scenario, where the link brought none and nothing was edited, nor a word chosen of it."""
    here = kept()
    chosen = any(own.get("answer") for own in (here.extras, *here.of_lessons.values()))
    if current() == scenario_query.DEFAULT == here.opened[0] and here.mine is None and not (chosen or on_paper()):
        here.scenario, here.opened = other, (other, here.opened[1])
        here.scenarios.clear()


def edited_elsewhere() -> Scenario | None:
    """The scenario that was edited in another lesson, which keeps it for itself; None where this one has it too."""
    return kept().mine if kept().mine != current() else None


def take_along() -> None:
    """Let this lesson have what was edited in another one."""
    edit(_exchange, kept().mine)
    forget_last_edit()


def on_paper() -> bool:
    """Whether this visit sees a handout, where no control is moved: what a browser tells of one is no edit."""
    return extra("handout") in PAPER


def extra(name: str) -> str:
    """What the link or the last selection says of a lesson's own parameter; "" when nothing. See visit/parameters.py.

    A new link is read by `current`, which every page asks for first: this is asked for a dozen times a run.
    """
    here = kept()
    if here.scenario is None:
        current()
    return here.extras.get(name, "")


def set_extra(name: str, text: str) -> None:
    """Remember a lesson's selection, so that a link restores it; "" forgets it.

    No control of ours makes text longer than a link's parameter: it comes from a browser that was told to lie, and is not kept.
    """
    current()
    if len(text) <= MOST_EXTRA and (name in STAYS or not on_paper()):
        kept().extras[name] = text


def edit(change: Callable[..., Scenario], *args, what: str = "") -> None:
    """Replace the scenario by `change(scenario, *args)`. Called from a widget's callback; a refused edit leaves all as it was.

    what: names the thing that is edited, where several edits in a row count as one (a slider moved on and on): then
    `kept().before` is what stood before the first of them.
    """
    if on_paper():
        return
    own, before = kept(), current()
    try:
        after = change(before, *args)
    except ValueError as problem:
        own.edit_problem = f"That edit was not made. {str(problem)[:1].upper()}{str(problem)[1:]}."
        return
    own.edit_problem, own.link_problems = "", []
    if after == before:
        return
    if not what or what != own.edited or own.before is None:
        own.before = before
    own.scenario, own.edited = after, what
    if own.before == after:
        own.before = None  # back where it was


def replace(scenario: Scenario) -> None:
    """Put another scenario in the place of the current one, as a preset or the reset button does."""
    edit(_exchange, scenario)
    kept().before = None  # a list of all that differs says nothing of the new one
    kept().extras = {name: text for name, text in kept().extras.items() if name in STAYS}
    kept().of_lessons.clear()
    _opens()


def _exchange(_: Scenario, other: Scenario) -> Scenario:
    return other


def forget_last_edit() -> None:
    """Another step or lesson is shown: what an edit did was said where it was made, and is not what this one is about."""
    kept().before, kept().edited = None, ""


def problems() -> list[str]:
    """What could not be used of the link or of the last edit, one sentence each."""
    current()
    return [*kept().link_problems, *filter(None, [kept().edit_problem])]


def report(problem: str) -> None:
    """Say what could not be used of a link, where a lesson's own parameter found it."""
    if problem not in problems():
        kept().link_problems.append(problem)


def remember_own(query: Mapping[str, str]) -> None:
    """Remember a link that we wrote into the address bar ourselves: the browser sends it along, and it is no new one."""
    if (own := _key(query)) not in kept().own_queries:
        kept().own_queries.append(own)


def _key(query: Mapping[str, str]) -> tuple:
    return tuple(sorted(query.items()))
