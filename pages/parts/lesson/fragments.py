"""What a move draws again: what follows the finger at once, what stands around it once, shortly after the last move.

A step is a fragment of the page: when one of its controls is moved, it runs alone and writes the address bar itself. Within it `live`
is a smaller one, for the controls that are moved on and on, what shows them and the sentence on it: these alone are drawn with each
move of theirs. What a move changes of the question, the title or the side bar comes by `draw_later`: the browser asks for it when nothing
has moved for a while (after_moves.js), and what shows the same as before is not drawn again. What a move changes beyond that, and whatever
is changed around the steps, runs the whole page; a late answer leaves nothing stale, because each part remembers what it was drawn for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps

import streamlit as st

from pages.parts.lesson import step_navigation
from pages.parts.question.predict import predict
from pages.parts.question.question import Question, may_be_answered
from pages.parts.sharing import turns
from pages.parts.visit import address, location, scenario
from pages.parts.visit.components import CALL, RUNNING, component
from pages.parts.visit.display import presenting, with_notes
from pages.parts.visit.parameters import DECLARED
from pages.parts.visit.scenario import on_paper
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import in_a_room, leading

_AFTER_MOVES = component("after_moves", __file__, before=CALL + RUNNING)
Shows = Callable[[], object]


@dataclass
class Drawn:
    """What stands on the page and what it was drawn for."""

    lesson: str | None = None  # whose steps are drawn; None where all are on one page
    page_state: tuple = ()  # that they were drawn for
    given: Callable[[], tuple] = tuple  # what they are called with
    steps: dict[str, tuple] = field(default_factory=dict)  # what each depended on when it was drawn
    steppers: dict[str, tuple] = field(default_factory=dict)  # where its own stood
    live: set[str] = field(default_factory=set)  # those with a live part
    from_outside: bool = False  # whether the live part is drawn for what was changed outside of it
    moved: bool = False  # whether the step that is drawn was moved
    address_written: bool = False  # whether that step has written the address bar
    # Of each part that follows: what it shows now, and showed.
    later: dict[str, tuple[Shows, object]] = field(default_factory=dict)
    # Parts and steps that the browser has asked for, and what they then show.
    asked: dict[str, object] = field(default_factory=dict)
    side_bar: tuple[Callable[[], None], Shows] | None = None  # (draws it, what it shows); None where there is none


drawn_of_visit = of_this_visit(Drawn)


def draw_around(draw: Callable[[], None], shows: Shows, whole: bool) -> None:
    """Draw what stands around the steps, before them; again after moves. whole: whether the other steps follow a move as well."""
    drawn = drawn_of_visit()
    drawn.steps, drawn.live, drawn.later, drawn.asked = {}, set(), {}, {}
    drawn.lesson = None if whole else location.now().lesson
    draw_later(lambda _: draw(), shows, "title", alone=True)
    if drawn.side_bar:
        draw_later(lambda _: drawn.side_bar[0](), drawn.side_bar[1], "side_bar", alone=True)

    def follow() -> None:
        late = _out_of_date()
        if late and (whole or _page_state() != drawn.page_state):
            st.rerun()
        shown = {key: now() for key, (now, _) in drawn.later.items()}
        drawn.asked = {key: now for key, now in shown.items() if now != drawn.later[key][1]} | dict.fromkeys(late)
        if drawn.asked:
            st.rerun([*drawn.asked, "around"])

    def run(by_the_page: list[bool]) -> None:
        follows = not by_the_page
        by_the_page.clear()
        with turns.in_turn(later=follows):
            if follows:
                leading.go_on()
            _AFTER_MOVES(key="after_moves", data={"run": address.next_run()}, on_due_change=follow, height=1)

    _fragment(run, "around")


def step(show: Callable[..., None], given: Callable[[], tuple], values: tuple, key: str, after: Callable[[], None]) -> None:
    """Draw a step, now with the `values` that are given, and when it is moved with what is given then.

    after: draws what belongs to it, or runs the whole page where something outside depends on what it has drawn.
    """
    drawn = drawn_of_visit()
    drawn.page_state, drawn.given = _page_state(), given

    @wraps(show)  # its name tells one step's fragment from another's
    def run(by_the_page: list[tuple]) -> None:
        moved = not by_the_page
        if moved and _page_state() != drawn.page_state:
            st.rerun()
        with turns.in_turn():
            location.step_begins(key)
            leading.step_begins()
            drawn.moved, drawn.address_written = moved and f"step_{key}" not in drawn.asked, False
            drawn.asked.pop(f"step_{key}", None)
            show(*(given() if moved else by_the_page.pop()))
            after()
            if not drawn.address_written:
                _write_address(key, drawn.moved)
        drawn.steps[key], drawn.steppers[key] = _state(), stepper_state()

    st.fragment(run, key=f"step_{key}")([values])


def live(draw: Callable[..., str | tuple | None], *values: object, said: object = None, help: str | None = None) -> None:
    """Draw what follows the finger, now with these `values` and at each move of a control in it with what the lesson's `given` returns
    then. Whatever in the step depends on such a move is in it, or drawn by `draw_later`.

    draw: returns the sentence on it, which is written in the place `said`, or that and what stands behind it; help: what does
    whatever is moved.
    """
    drawn, key = drawn_of_visit(), location.now().step

    def write(values: tuple) -> None:
        found = draw(*values)
        text, behind = found if isinstance(found, tuple) else (found, help)
        if text:
            said.markdown(text, help=behind)
        elif said:
            said.empty()  # a place in which nothing stands at first cannot be written to later

    def run(by_the_step: list[tuple]) -> None:
        if by_the_step:
            write(by_the_step.pop())
            _write_address(key, drawn.moved)
            return
        if _page_state() != drawn.page_state:
            st.rerun()
        with turns.in_turn():
            stepper, location.now().step, location.now().stepper = location.now().stepper, key, None
            write(drawn.given())
            if not location.now().stepper:
                location.now().stepper = stepper
            elif presenting() and stepper_state() != drawn.steppers[key]:
                st.rerun()  # the bar at the top, outside of the step, has other keys
            _write_address(key, moved=True)
        if not drawn.from_outside:
            drawn.steps[key] = _state()
        drawn.from_outside = False

    if _whole_steps():
        write(values)
    else:
        drawn.live.add(key)
        _fragment(run, f"live_{key}", values)


def step_follows() -> None:
    """The last line of a callback, of what was changed outside of the steps: the one on screen follows at once, as it does a move of its
    own, what stands around it when nothing has moved for a while."""
    drawn, key = drawn_of_visit(), location.now().step
    if key in drawn.steps and drawn.lesson == location.now().lesson and drawn.page_state == _page_state():
        drawn.from_outside = key in drawn.live
        st.rerun(f"live_{key}" if key in drawn.live else f"step_{key}")


def ask_later(make: Callable[..., Question | None], *values: object, on_commit: Callable[[], None] | None = None) -> None:
    """Ask a question that follows the moves of the live part. make: makes it of what the lesson's `given` returns, None where there is
    nothing to ask. on_commit: called when it is answered."""
    drawn, key = drawn_of_visit(), location.now().step

    def ask(shown: tuple[Question | None, object]) -> None:
        location.now().step = key
        if shown[0]:
            predict(shown[0], on_commit)

    def shows(*values: object) -> tuple[Question | None, object]:
        question = make(*values)
        return question, question and question.kept_guess  # which may have been pressed in the live part's figure

    if _whole_steps():
        ask(shows(*values))
    else:
        draw_later(ask, lambda: shows(*drawn.given()), f"question_{key}", alone=False)


def asked_and_answered(key: str, make: Callable[..., Question], *values: object) -> bool:
    """Whether the question that `make` makes of these `values` is answered; where nothing was said of that key, it is not made."""
    return may_be_answered(key) and make(*values).answered


def _whole_steps() -> bool:
    """Whether a step is always drawn as a whole: on paper, for its notes, and in a class vote, which asks what the step shows."""
    return bool(on_paper() or with_notes() or in_a_room.teaching() or in_a_room.joined())


def draw_later(draw: Callable[[object], None], shows: Shows, key: str, alone: bool) -> None:
    """Draw a part that follows moves when nothing has moved for a while, where what it `shows`, and `draw` is told, is another then.

    alone: whether nothing else depends on what is pressed in it, unless that changes the state.
    """
    drawn = drawn_of_visit()

    def run(by_the_page: list[tuple]) -> None:
        follows = not by_the_page
        if follows and key not in drawn.asked and (not alone or _out_of_date()):
            st.rerun()
        by_the_page.clear()
        with turns.in_turn(later=follows):
            shown = drawn.asked.pop(key) if key in drawn.asked else shows()
            drawn.later[key] = shows, shown
            draw(shown)

    _fragment(run, key)


def _fragment(run: Callable[[list], None], key: str, values: tuple = ()) -> None:
    """Draw a part now, called with a list of the values, and when it is drawn by itself with that list, then empty."""
    run.__qualname__ = f"{key} {location.now().lesson}"  # a late message from another lesson finds nothing to run
    st.fragment(run, key=key)([values])


def _write_address(key: str, moved: bool) -> None:
    drawn_of_visit().address_written = True
    address.publish(DECLARED, key=f"address_{key}", moved=moved)


def _page_state() -> tuple:
    """What a step cannot follow by itself: which one is shown and how, what is complained of, and the way to another page."""
    problems, extras = scenario.problems(), scenario.kept().extras
    return [extras.get(name, "") for name in scenario.STAYS], problems, (location.now().open_lesson, location.now().turn_by)


def stepper_state() -> tuple:
    """What the way on depends on of a stepper within the step."""
    return location.now().stepper is not None, step_navigation.stepper_moves(-1), step_navigation.stepper_moves(1)


def _state() -> tuple:
    """What everything on the page depends on."""
    return scenario.current(), dict(scenario.kept().extras), _page_state()


def _out_of_date() -> list[str]:
    """The fragments of the steps that were drawn for another state than this one: it was changed around them."""
    now = _state()
    return [f"step_{key}" for key, drawn in drawn_of_visit().steps.items() if drawn != now]
