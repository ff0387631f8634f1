"""Share and teach: the link to what is on screen, copied, as a QR code for phones, what the class finds behind it, and what a teacher
has beside it: the vote, the notes, the handout, the plan. A link to a class opens it once (PREPARED).
"""

from dataclasses import dataclass, field
from html import escape
from secrets import token_hex

import streamlit as st

from pages.parts.teaching import own_route, plan, routes, take_home
from pages.parts.visit import answer_lock, class_link, control_locks, dialogs, location
from pages.parts.visit.class_link import CONTROLS, ONLY
from pages.parts.visit.components import CLIPBOARD, component
from pages.parts.visit.display import ANSWERS, NOTES, PRESENT, presenting, with_notes
from pages.parts.visit.parameters import Choice
from pages.parts.visit.qr_code import qr_code
from pages.parts.visit.session import of_this_visit
from pages.parts.visit.view_parameters import that_are
from pages.parts.vote import in_a_room, teacher

PREPARED = Choice("prepared")  # "on": the dialog is open when a class is begun; it leaves the address bar at once
MOST_IN_CODE = 1500  # characters of a link; the code of a longer one has cells too small for a camera
_LINK = component(
    "share",
    __file__,
    html="""<div class="line" data-drawn="1"><input readonly aria-label="The link"><button type="button">Copy</button></div>
    <p role="status"></p>""",
    before=CLIPBOARD,
    isolated=True,
)


@dataclass
class Key:
    """salt: of the locks that this visit makes; opener: what opens the one in the link that is shown, "" where no key is typed."""

    salt: str = field(default_factory=lambda: token_hex(4))
    opener: str = ""


key_of_visit = of_this_visit(Key)


def button() -> None:
    """The button that opens it, on every lesson; a teacher sees on it that a room is open, and its code: on a slide, where who comes late
    reads it, it opens that."""
    opens = {"on_click": dialogs.open_dialog, "args": (dialogs.CODE if in_a_room.teaching() and presenting() else dialogs.SHARE,)}
    label = f"Room {in_a_room.code()}" if in_a_room.teaching() else "Share"
    st.button(label, key="share", icon=":material/qr_code_2:", type="tertiary", **opens)
    if PREPARED.text():
        PREPARED.set_text("")
        dialogs.open_dialog(dialogs.SHARE)
    if dialogs.is_open(dialogs.SHARE):
        _dialog()


@st.dialog("Share and teach", width="large", on_dismiss=dialogs.close)  # Next then leads where the chosen route does
def _dialog() -> None:
    """The link, what a teacher has, and what the class is to find on the left; the code on the right, made anew with every choice: that
    of the room while the class votes."""
    left, code = st.columns([1, 1.5], gap="medium")
    with left:
        there, teach = st.container(), st.container()
        with st.expander("How the link opens", key="share_how", icon=":material/tune:"):
            query = chosen()
        with there:
            link = _link(query)
        with teach:
            _teach()
    if room := in_a_room.link(in_a_room.code()) if in_a_room.teaching() else "":  # a class that votes is led into its room
        code.html(qr_code(room))
    elif len(link) > MOST_IN_CODE:
        code.warning(f"This link has {len(link):,} characters, more than the {MOST_IN_CODE:,} that a camera reads from afar.")
    elif link:
        code.html(qr_code(link))


def _teach() -> None:
    """What a teacher has beside the screen: the vote, notes, a handout, words of one's own, and the plan of the route that Next follows."""
    teacher.offer()
    if with_notes():  # they have their own menu of routes
        return
    with st.container(horizontal=True):
        own = class_link.as_text(class_link.query_now() | {NOTES.name: "on"})
        # Where this window is, not where phones find it: only windows of one address follow each other.
        told = "In a second window, on your own screen: it follows this one"
        st.link_button("Teacher’s notes", f"?{own}", icon=":material/speaker_notes:", help=told)
        if take_home.handout_of_the_route("share"):
            st.rerun()  # the whole page, which is on paper now
        offered = location.now().toy and not control_locks.locked(control_locks.PRESETS)
        if offered and st.button("Your own words", key="share_words", icon=":material/edit:"):
            dialogs.open_dialog(dialogs.WORDS)
            st.rerun()  # this dialog gives way to that one
    routes.ROUTE.buttons("Where Next and Back lead", routes.NAMES, routes.SELF)
    if routes.chosen() == routes.OWN:
        own_route.editor()
    plan.offer()


def _link(query: dict[str, str] | None) -> str:
    """The link with these choices, shown and copied; "" while the lock that it is to carry has no key."""
    if query is None:
        return ""
    link = f"{class_link.page_address()}{'?' if query else ''}{class_link.as_text(query)}"
    _LINK(key="share_link", data={"link": link, "copy": True})
    if query.get(answer_lock.LOCK.name) and (opener := key_of_visit().opener):
        st.markdown("Your own link, which opens the answers:")
        _LINK(key="share_own", data={"link": f"{link}&{answer_lock.OPEN.name}={opener}", "copy": False})
    if "embed" in query:
        frame = f'<iframe src="{escape(link)}" width="100%" height="720" title="Token by Token"></iframe>'
        st.code(frame, language="html", wrap_lines=True)
    return link


def chosen() -> dict[str, str] | None:
    """The query of the link to give out, with the choices that stand here; None while a lock is wanted and has no key."""
    query = {name: value for name, value in class_link.query_now().items() if name not in that_are("asked")}
    presented = st.checkbox("Presented", key="share_present", help="Large type, no side bar")
    only = st.checkbox("This step only", key="share_only", help="No menu, no other steps")
    embedded = st.checkbox("Embedded in a course page", key="share_embed", help="This step without title and menu, in a frame")
    shown = st.checkbox("Answers shown", key="share_shown", help="Every question stands answered, unless you lock the answers")
    query |= {PRESENT.name: "on"} if presented else {}
    query |= {ONLY.name: "on"} if only and not embedded else {}
    query |= {ANSWERS.name: "shown"} if shown else {}
    query |= {"embed": "true"} if embedded else {}
    free, lock = _free_controls(), _locked_answers()
    return None if lock is None else query | free | lock


def _locked_answers() -> dict[str, str] | None:
    """A lock on the answers, and the teacher's own link, which opens them. Who has met a lock hands on the same.

    None while a new lock has no key: a link without it would open the answers that the box says are locked.
    """
    there, key_of_visit().opener = answer_lock.lock(), ""
    if answer_lock.locked():
        return {answer_lock.LOCK.name: there}
    if not st.checkbox("Lock the answers", bool(there), key="share_answers", help="Nobody sees them before your key opens them"):
        return {}
    field = {"type": "password", "max_chars": answer_lock.MOST, "help": "Type it to open the answers"}
    key = st.text_input("Your key", key="share_key", **field)
    if len(key) < answer_lock.LEAST:
        if there:
            st.markdown(f"The link keeps its lock; a new key has at least {answer_lock.LEAST} characters.")
            return {answer_lock.LOCK.name: there}
        least = f"a key of at least {answer_lock.LEAST} characters"
        st.warning(f"No link before there is {least}. The one copied before is not locked.")
        return None
    own = key_of_visit()
    own.opener = answer_lock.opener(key, own.salt)
    return {answer_lock.LOCK.name: answer_lock.new_lock(key, own.salt)}


def _free_controls() -> dict[str, str]:
    """Which controls the class may move: all, or those of a list."""
    labels = control_locks.TOY | control_locks.drawn() if location.now().toy else control_locks.drawn()
    before = control_locks.free()
    told = "The class sees them and cannot move them"
    if not st.checkbox("Lock the controls", before is not None, key="share_lock", help=told):
        return {}
    chosen_before = [name for name in labels if before and name in before]
    look = {"placeholder": "None: all are locked", "format_func": lambda name: labels.get(name, name)}
    most = control_locks.MOST
    names = st.multiselect(
        "Still free", list(labels), chosen_before, key="share_free", max_selections=most, select_all=False, **look
    )
    return {CONTROLS.name: ",".join(names) or control_locks.NOTHING}
