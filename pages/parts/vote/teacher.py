"""What a teacher sees of a class vote: the code to give out, how many have answered, who said how much, and the reveal."""

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from pages.parts.text.format import plural
from pages.parts.visit import answer_lock, dialogs, location
from pages.parts.visit.components import CLIPBOARD, component
from pages.parts.visit.display import presenting, with_notes
from pages.parts.visit.qr_code import qr_code
from pages.parts.vote import held_press, in_a_room, leading, ownership, poll
from pages.parts.vote.distribution import Bar
from pages.parts.vote.into_sight import bring_into_sight
from pages.parts.vote.network import network_address
from pages.parts.vote.rooms import OPEN, REVEALED, SHOWN

POLL_S = 1.0
_COPY = component(
    "own_link",
    __file__,
    html="""<button type="button" data-drawn="1">Copy your own link</button>
    <p role="status">It opens the room as its teacher’s, anywhere: for you alone.</p>""",
    before=CLIPBOARD,
    isolated=True,
)


def offer() -> None:
    """In the Share dialog: open a room, or see its code again."""
    if answer_lock.locked() or in_a_room.joined() or with_notes():  # the notes are not what the class looks at
        return
    if ownership.own():
        take_back_button("share")
        if location.now().open_lesson:
            dialogs.close()
            st.rerun()  # the dialog gives way to what the class sees
    label = "The room’s code" if in_a_room.teaching() else "Ask the class"
    st.button(label, key="vote_open", icon=":material/groups:", on_click=_open_room)
    if dialogs.is_open(dialogs.CODE):
        st.rerun()  # this dialog gives way to that of the code
    _problem()


def take_back_button(key: str) -> None:
    """Offered in the other tabs of the browser that has opened a room: this one steers it from now on."""
    why = "You opened it in this browser. This tab then shows what the class sees, and the class follows it."
    look = {"icon": ":material/undo:", "type": "tertiary", "help": why}
    st.button(f"Take back room {ownership.own()}", key=f"back_{key}", on_click=_take_back, **look)
    _problem()


def ask_button(key: str, question_id: str) -> None:
    """Beside a question that the class has not been asked as it stands now."""
    ask = {"on_click": leading.ask, "args": (question_id, location.now().step)}
    st.button("Ask the class", key=f"ask_{key}", icon=":material/groups:", type="tertiary", **ask)


def tell_what_went_wrong() -> None:
    """Of a press that was held for an open vote, or of a room that could not be asked."""
    held_press.tell()
    _problem()


def panel(key: str, question_id: str, options: Sequence[str], bars: Callable[[Sequence], list[Bar]]) -> None:
    """What there is to choose from and how many have answered, once a second; then who said how much. bars: makes the distribution."""
    leading.is_on_screen(question_id)
    poll.every(POLL_S, key, lambda: _panel(key, question_id, options, bars))


def revealed(
    key: str, question_id: str, verdict: str, bars: Callable[[Sequence], list[Bar]], is_right: Callable[[object], bool]
) -> None:
    """The verdict on this visit's own answer, and who said what; the teacher may have the class vote a second time."""
    answers = _class_answers(question_id)
    right = sum(map(is_right, answers))
    said = f"{verdict} :material/groups: **{right}** of {len(answers)} right." if answers else verdict
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(said, width="content")
        if in_a_room.teaching():
            leading.leading().revealed[question_id] = right, len(answers)
            told, args = "The answers given so far are forgotten", (question_id, location.now().step)
            st.button("Ask again", key=f"anew_{key}", type="tertiary", on_click=leading.ask, args=args, help=told)
            _code_button(key)
    if answers:
        _drawn(key, bars(answers), len(answers))
    if in_a_room.teaching():
        _into_sight(key, question_id, REVEALED)
        _problem()


def end_of_the_class() -> None:
    """On the last slide of a class: how it has voted, and the way to close its room."""
    if not in_a_room.teaching():
        return
    votes = [of for of in leading.leading().revealed.values() if of[1]]
    with st.container(horizontal=True, vertical_alignment="center", key="class_end"):
        if votes:
            right, of = map(sum, zip(*votes, strict=True))
            said = f"{len(votes)} {plural(len(votes), 'vote')}, **{right}** of {of} {plural(of, 'answer')} right."
            st.markdown(f":material/groups: {said}", width="content")
        st.button("Close the room", key="end_room", type="tertiary", icon=":material/close:", on_click=_ask_to_close)


def how_many(n: int) -> str:
    """How many have answered, as a phone and the teacher's screen say it."""
    return f"**{n}** {plural(n, 'has', 'have')} answered"


def _drawn(key: str, bars: list[Bar], n: int) -> None:
    """A bar beneath each answer, side by side as the options stand."""
    with st.container(key=f"vote_bars_{key}"):
        for bar in bars:
            st.progress(bar.n / n if n else 0.0, text=f"{bar.label}: **{bar.n}** of {n}")


def code_dialog() -> None:
    """The room's code for the class to read, while it is open. Called when the page has been drawn."""
    leading.leading().ask_first = False
    if dialogs.is_open(dialogs.CODE):
        _dialog() if in_a_room.teaching() else dialogs.close()


def _dismissed() -> None:
    _may_close(False)
    dialogs.close()


@st.dialog("Answer on your phone", width="large", on_dismiss=_dismissed)
def _dialog() -> None:
    if not in_a_room.teaching():
        dialogs.close()
        st.rerun()
    code, link = in_a_room.teaching()[0], in_a_room.link(in_a_room.teaching()[0])
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        st.html(f'<p class="tbt-room-code">{code}</p>')
        st.markdown("Scan the code, or open")
        shown = link.partition("://")[2] or f"this site with ?{in_a_room.ROOM.name}={code}"
        st.html(f'<p class="tbt-room-link">{escape(shown)}</p>')
        poll.every(POLL_S, "count", _count)
        st.markdown(
            "No names, no accounts. The room and its answers are deleted when you close it, or with the next vote on "
            "this server after four hours."
        )
        if own := leading.owners_link():
            _COPY(key="own_link", data={"link": own})
        _close_it()
        if presenting() and st.button("Share and teach", key="code_share", type="tertiary", icon=":material/share:"):
            dialogs.open_dialog(dialogs.SHARE)
            st.rerun()
    if link:
        right.html(qr_code(link))


def _close_it() -> None:
    """Two presses close the room: one, in front of a class, would delete all that it has answered."""
    if not leading.leading().may_close:
        st.button("Close the room", key="room_end", type="tertiary", icon=":material/close:", on_click=_may_close, args=(True,))
        return
    with st.container(horizontal=True):
        st.button("Close it and delete its answers", key="room_close", on_click=_close)
        st.button("Keep it", key="room_keep", type="tertiary", on_click=_may_close, args=(False,))


def _ask_to_close() -> None:
    _may_close(True)
    dialogs.open_dialog(dialogs.CODE)


def _may_close(may: bool) -> None:
    leading.leading().may_close = may


def _count() -> None:
    with in_a_room.problems_told():
        room = in_a_room.rooms().room(in_a_room.teaching()[0]) if in_a_room.teaching() else None
        if room is None:
            dialogs.close()
            st.rerun()
        st.markdown(how_many(room.n_answers) if room.asking else "No question is asked now: “Ask the class” stands beside each.")


def _open_room() -> None:
    """Show the room's code, of a new room where there is none yet; the question on screen is asked at once."""
    with in_a_room.problems_told():
        if not in_a_room.teaching():
            ownership.teach(in_a_room.rooms(), *in_a_room.rooms().open(location.now().visit, network_address()))
            leading.leading().ask_first = True
        dialogs.open_dialog(dialogs.CODE)


def _panel(key: str, question_id: str, options: Sequence[str], bars: Callable[[Sequence], list[Bar]]) -> None:
    now = in_a_room.stage(question_id)
    if now not in (OPEN, SHOWN):
        st.rerun()
    answers = _class_answers(question_id)
    held_press.tell()
    if now == OPEN and options:
        st.markdown("\u2003 ".join(f":material/radio_button_unchecked: {option}" for option in options))
    if now == SHOWN:
        _drawn(key, bars(answers), len(answers))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/groups: {how_many(len(answers))}", width="content")
        if now == OPEN:
            st.button("Show the distribution", key=f"show_{key}", on_click=leading.lead_to, args=(question_id, SHOWN))
        st.button("Reveal the answer", key=f"reveal_{key}", on_click=leading.lead_to, args=(question_id, REVEALED))
        _code_button(key)
    _into_sight(key, question_id, now)
    _problem()


def _into_sight(key: str, question_id: str, stage: int) -> None:
    """What the teacher has just led the class to: the question, the distribution or the answer, with the way on from there."""
    if leading.leading().led_to == (question_id, stage) or held_press.is_held():
        bring_into_sight(f"{question_id} {stage} {held_press.is_held()}", f".st-key-predict_{key}")


def _code_button(key: str) -> None:
    if st.button("Code", key=f"code_{key}", type="tertiary", icon=":material/qr_code_2:"):
        dialogs.open_dialog(dialogs.CODE)
        st.rerun()


def _take_back() -> None:
    with in_a_room.problems_told():
        if in_a_room.rooms().is_of_this_machine(ownership.own()):
            ownership.take_back(in_a_room.rooms())
        else:
            in_a_room.to_another_machine(ownership.own_query())


def _close() -> None:
    _may_close(False)
    leading.as_teacher(in_a_room.rooms().close)
    ownership.stop()


def _class_answers(question_id: str) -> list:
    with in_a_room.problems_told():
        return in_a_room.rooms().answers(in_a_room.code(), question_id)
    return []


def _problem() -> None:
    if problem := in_a_room.problem():
        st.warning(problem)
