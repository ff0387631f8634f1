"""One lesson: a question and the steps that answer it, one on a screen, or all below each other.

A lesson is a value, made of steps, which are functions with a name and a teacher's note. A step shows one thing: controls, a
figure and its takeaway, or a question beside the figure that answers it. It is called with what the lesson's `given` returns, so
that it can run again by itself. Presented (the key P, or present=on in the link) the side bar is gone and type is larger; Escape
leaves it. How one step leads to the next, and the last one to the next lesson, is in step_navigation.py.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

import streamlit as st

from pages.parts.drawing.scripts import FOLDER
from pages.parts.lesson import foot, fragments, handout, header, small_machine
from pages.parts.lesson.step_navigation import bar, clicker_keys, current_step, step_button, stepper_moves, stop_presenting
from pages.parts.question.question import HOSTS
from pages.parts.teaching import locked_question, notes, routes, share, show_answers
from pages.parts.teaching.notebook import Cell
from pages.parts.visit import dialogs, display, location, scenario
from pages.parts.visit.class_link import ONLY, embedded, narrowed
from pages.parts.visit.display import presenting
from pages.parts.vote import in_a_room, teacher
from pages.parts.vote.voted_question import VOTE

# Of the questions: a class vote may reveal an answer that a lock hides; who wants all shown sees what none of these hides.
HOSTS[:] = (handout.PAPER, VOTE, locked_question.LOCK, show_answers.ALL_SHOWN)
FIGURE_HEIGHT = FOLDER / "figure_height.css"  # figures take the height that is left of the screen


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that a lesson shows. name: two or three words for the bar; show: draws it, called with what is given."""

    name: str
    show: Callable[..., None]
    note: notes.Note


def step(name: str, **note) -> Callable[[Callable[..., None]], Step]:
    """Make a function a step of that name. note: the teacher's, the fields of teaching.notes.Note (minutes, ask, wrong, click)."""
    return lambda show: Step(name, show, notes.Note(**note))


@dataclass(frozen=True)
class Lesson:
    """A lesson of the menu, LESSON in the __init__ of its folder."""

    question: str  # its heading; at a stop of the story the step's name is
    steps: tuple[Step, ...]
    _: KW_ONLY
    title: str  # in the menu
    icon: str
    on_the_map: str = ""  # what the overview says of it where that is not the question
    given: Callable[[], tuple] = tuple  # what each step is called with
    source: tuple[Callable, ...] = ()  # the functions that ran
    toy: bool = True  # whether it is about the toy's scenario: presets beside the heading, the editor in the side bar
    notebook: Callable[[str], list[Cell]] | None = None  # makes the cells of its notebook, told the question; None: it has none
    check_link: Callable[[], None] | None = None  # called first, tells what of the link cannot be used
    about: Callable[[], str] = str  # the lesson that its question is about, or a step of it ("rules 2"); "" for itself

    def show(self) -> None:
        """Draw it as the link asks: on paper, presented, one step without its surroundings, or with all around it."""
        scenario.current()  # reads a link that is new, before anything asks what it says
        if self.check_link:
            self.check_link()
        location.page_begins(self.toy)
        if self.toy:
            header.own_words()
        if scenario.on_paper():
            handout.show(self.question, self.steps, self.given, self.toy)
        elif presenting():
            _presented(self)
        elif narrowed():
            _step_alone(self)
        else:
            presets, whole = self.toy and not _folded(), foot.all_on_one_page()
            heading = self.question if whole else _heading(self)
            fragments.draw_around(lambda: header.title(heading, presets), lambda: header.title_shows(presets), whole)
            _all_steps(self) if whole else _one_step(self)


@dataclass(frozen=True)
class Screen:
    """A page of the menu that is no lesson and has no steps: the first one. show: draws it."""

    title: str
    icon: str
    show: Callable[[], None]


def _heading(lesson: Lesson) -> str:
    """What stands over the step on screen: the lesson's question; at a stop of the story the name that Next has promised."""
    at = current_step(len(lesson.steps))
    return lesson.steps[at - 1].name if routes.in_story(at) else lesson.question


def _all_steps(lesson: Lesson) -> None:
    """All steps below each other, and links to the lessons beside this one."""
    values = lesson.given()
    for k, one in enumerate(lesson.steps, 1):
        fragments.step(one.show, lesson.given, values, str(k), after=lambda: None)
    header.neighbours()
    with st.container(horizontal=True, vertical_alignment="center", key="foot"):
        foot.foot(lesson.question, lesson.notebook, lesson.source)


def _one_step(lesson: Lesson) -> None:
    """The names of all steps, the one that is asked for, and the way on."""
    st.html(FIGURE_HEIGHT)
    steps = lesson.steps
    at = current_step(len(steps))
    if _folded():
        small_machine.on_a_phone(at, lesson.about())
    else:
        _bar(lesson, at)
    drawn: list[tuple] = []

    def after() -> None:
        has_stepper = location.now().stepper is not None
        _run_page_if_changed(drawn, (has_stepper, small_machine.columns_of(at, lesson.about())))
        if has_stepper:  # the two share the arrow keys
            fragments.draw_later(lambda _: _way_on(lesson, at), fragments.stepper_state, "way", alone=False)

    one = steps[at - 1]
    shown = one.show
    if display.with_notes():
        progress = " · ".join(filter(None, routes.counter(at, len(steps))))
        shown = notes.in_place_of(one.show, one.name, one.note, progress)
    fragments.step(shown, lesson.given, lesson.given(), str(at), after)
    if not drawn or not drawn[0][0]:
        _way_on(lesson, at)
    if display.with_notes():
        clicker_keys(leaves=False)


def _folded() -> bool:
    """Whether a phone shows one step, whose names, presets and place are behind the way on: its screen begins with the question."""
    return display.on_a_phone() and not foot.all_on_one_page()


def _bar(lesson: Lesson, at: int) -> None:
    """The names of its steps, or of the story's, and where on a route the one on screen stands."""
    bar([one.name for one in lesson.steps], at, lesson.toy, _folded(), lesson.about())


def _run_page_if_changed(drawn: list, now: object) -> None:
    """What is outside of a step was drawn for `now`; a step that is drawn by itself for something else runs the whole page."""
    if drawn and drawn != [now]:
        st.rerun()
    drawn[:] = [now]


def _way_on(lesson: Lesson, at: int) -> None:
    """What every step offers, and the way back and on, which a wide screen has at both ends of it and a phone at its foot."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="way"):
        foot.foot(lesson.question, lesson.notebook, lesson.source)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="way_bar"):
            before, after = header.titles_beside()
            n = len(lesson.steps)
            step_button(_leads_back(lesson, at, before), -1, at, n, before, icon=":material/arrow_back:")
            if _folded():
                folds = "_folded" * dialogs.is_open(dialogs.WORDS)  # unfolded it would stand over the dialog
                with st.popover(routes.counter(at, n)[0], key=f"step_menu_{at}{folds}"), st.container(key="step_menu"):
                    _bar(lesson, at)
                    if lesson.toy:
                        fragments.draw_later(lambda _: header.presets(), lambda: header.title_shows(True), "presets", alone=True)
            # While a stepper's own button has the arrow key, that one is the way; a reader of the story finds the way on in its place.
            weak = stepper_moves(1) and routes.chosen() != routes.STORY
            strong = {"type": "secondary" if weak else "primary", "icon": ":material/arrow_forward:", "icon_position": "right"}
            look = {"type": "tertiary"} if routes.ends_here(at) else strong  # a class's last step says so, and leads nowhere
            step_button(_leads_on(lesson, at, after), 1, at, n, after, **look)


def _leads_back(lesson: Lesson, at: int, before: str) -> str:
    """The name of the step before, or of the lesson; a class begins where its route does."""
    if routes.ends_here(at, -1):
        return "Back"
    return routes.name(at, -1) or (lesson.steps[at - 2].name if at > 1 else f"Before: {before}" if before else "Back")


def _leads_on(lesson: Lesson, at: int, after: str) -> str:
    """The name of the step that comes next, or of the lesson, and that a route ends here."""
    steps, end = lesson.steps, routes.end(at).capitalize()
    if routes.ends_here(at):
        return end
    beyond = f"{'After the story' if end else 'Next'}: {after}" if after else "Next"
    return routes.name(at, 1) or (steps[at].name if at < len(steps) else beyond)


def _step_alone(lesson: Lesson) -> None:
    """The step that is asked for and nothing around it; in another page's frame, no title either."""
    at = current_step(len(lesson.steps))
    bare = embedded()
    fragments.draw_around(
        header.problems if bare else lambda: header.title(_heading(lesson), lesson.toy),
        lambda: header.title_shows(lesson.toy and not bare),
        whole=False,
    )
    fragments.step(lesson.steps[at - 1].show, lesson.given, lesson.given(), str(at), after=lambda: None)
    if not embedded() and not in_a_room.joined():
        icon = ":material/view_agenda:"
        st.button("The whole lesson", key="leave_only", icon=icon, type="tertiary", on_click=ONLY.set_text, args=("",))


def _presented(lesson: Lesson) -> None:
    """The step that is asked for, large; its own stepper is moved by the same two buttons."""
    st.html(FIGURE_HEIGHT)
    steps, given = lesson.steps, lesson.given
    at = current_step(len(steps))
    here = (location.now().lesson, at)
    if display.slide().controls_of != here:
        display.slide().controls_of = None
    with st.container(key="presented"):
        place = st.container(key="slide_bar")  # filled last: the step says whether it has a stepper of its own
        fragments.draw_around(header.problems, scenario.problems, whole=False)
        drawn: list[tuple] = []

        def after() -> None:
            _run_page_if_changed(drawn, (stepper_moves(-1), stepper_moves(1), small_machine.columns_of(at, lesson.about())))

        fragments.step(steps[at - 1].show, given, given(), str(at), after)
        ended = routes.ends_here(at) and not stepper_moves(1)  # all of the last step has been told
        if ended:
            teacher.end_of_the_class()
        before, after = header.titles_beside()
        with place:
            title, way, controls, leave, shared, machine = st.columns([7, 3, 1, 1, 1, 2], vertical_alignment="center")
            title.title(_heading(lesson), anchor=False)
            with way.container(horizontal=True, vertical_alignment="center", key="way_bar"):
                step_button("Back", -1, at, len(steps), before)
                stop, left = routes.counter(at, len(steps))
                if location.now().stepper and ended:
                    left = routes.end(at)
                with st.container(horizontal=True, gap="xxsmall", key="counter"):
                    st.markdown(stop, width="content")
                    if left:  # taken off a narrow screen
                        st.markdown(f"· {left}", width="content")
                step_button("Next", 1, at, len(steps), after, type="primary")
            look = {"icon": ":material/tune:", "shortcut": "S", "on_click": display.show_controls, "args": (here,)}
            controls.button("Sliders and menus", key="slide_controls", **look)
            leave.button("Leave", key="slide_leave", icon=":material/close:", shortcut="P", on_click=stop_presenting)
            with shared:
                share.button()
            with machine:
                about = lesson.about()
                small_machine.on_a_phone(at, about) if display.narrow() else small_machine.show(at, "", about)
        clicker_keys(leaves=True)
