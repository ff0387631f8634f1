"""All that reaches into Streamlit by names that it does not promise to keep. `messages_before_the_next_runner` and
`messages_whole_before_a_fragment` mend a loss each; every other one saves time and changes nothing else.

A move of the attention lesson cost the server 17.5 ms with the first two, 20 with either and 24 with none; `messages_together`
and `theme_once` took 10 % of what was left, settings and pages 4 %; places 1.1 ms of a page with all steps.

Each is tried when the server starts, on a session of its own: where a version of Streamlit has changed what it needs, the server's
log says so and the server goes on without it, a little slower.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import cache, lru_cache

from pages.app.server.run_messages import (
    Reach,
    messages_before_the_next_runner,
    messages_together,
    messages_whole_before_a_fragment,
)

_LOG = logging.getLogger(__name__)


class Values(Mapping):
    """The values of a session that have a name, looked up one by one. all_of: makes the dictionary of all of them."""

    def __init__(self, session, all_of: Callable[[object], Mapping[str, object]]):
        self._session, self._all_of = session, all_of

    def __getitem__(self, key: str) -> object:
        return self._session[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_of(self._session))

    def __len__(self) -> int:
        return len(self._all_of(self._session))

    def __str__(self) -> str:
        return str(self._all_of(self._session))


def values_one_by_one() -> Reach:
    """A session's values, looked up one by one.

    Streamlit makes a dictionary of all values of a session for each slider, list and row of choices that a page draws, to look its
    own key up in it, where a session here has sixty values. The same mapping, made only when somebody
    goes through all of it.
    """
    from streamlit.runtime.state import SessionState
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    all_of = SafeSessionState.filtered_state.fget
    tried = SafeSessionState(SessionState(), lambda: None)
    values = Values(tried, all_of)
    if dict(values) or "tried" in values:
        raise ValueError(f"expected no value of a new session, got {dict(values)}")
    return SafeSessionState, "filtered_state", property(lambda session: Values(session, all_of))


def silent_components() -> Reach:
    """Components that have said nothing since the last run are shown as they are.

    Streamlit makes a class anew each time that it reads what a component has said, eight times a move.
    """
    from streamlit.components.v2.bidi_component import main
    from streamlit.runtime.state import SessionState

    with_events = main.make_bidi_component_presenter

    def presenter(aggregator_id: str, *args, **kwargs):
        show = with_events(aggregator_id, *args, **kwargs)
        return lambda state, session: show(state, session) if aggregator_id in session._new_widget_state else state

    shown = [make("tried")({"cell": 1}, SessionState()) for make in (presenter, with_events)]
    if shown[0] != shown[1]:
        raise ValueError(f"expected a component's state as it is, got {shown[1]}")
    return main, "make_bidi_component_presenter", presenter


def theme_once() -> Reach:
    """The theme, which the server's configuration says, is put into words once, and not six sections of it a move."""
    from streamlit.proto.NewSession_pb2 import CustomThemeConfig
    from streamlit.runtime import app_session

    put = app_session._populate_theme_msg

    @cache
    def made(section: str) -> CustomThemeConfig:
        theme = CustomThemeConfig()
        put(theme, section)
        return theme

    def copied(theme: CustomThemeConfig, section: str = "theme") -> None:
        if made(section).ByteSize():  # an empty one would be there, where there is none
            theme.CopyFrom(made(section))

    made("theme")
    return app_session, "_populate_theme_msg", copied


def settings_once() -> Reach:
    """The server's settings, of which each run tells the browser, are read once."""
    from streamlit.proto.NewSession_pb2 import Config
    from streamlit.runtime import app_session

    put = app_session._populate_config_msg

    @cache
    def made() -> Config:
        settings = Config()
        put(settings)
        return settings

    made()
    return app_session, "_populate_config_msg", lambda settings: settings.CopyFrom(made())


def pages_once() -> Reach:
    """The pages of the menu, of which each run tells the browser, are put into words once as long as they are the same."""
    from streamlit.proto.NewSession_pb2 import NewSession
    from streamlit.runtime.app_session import AppSession

    put = AppSession._populate_app_pages

    @lru_cache(maxsize=16)
    def made(*pages: tuple[str, str, str]) -> bytes:
        message = NewSession()
        put(None, message, {hash_: {"page_name": name, "icon": icon} for hash_, name, icon in pages})
        return message.SerializeToString()

    def merged(session, message: NewSession, pages: Mapping[str, Mapping]) -> None:
        message.MergeFromString(made(*((hash_, told["page_name"], told["icon"]) for hash_, told in pages.items())))

    made(("tried", "tried", ""))  # nothing else of a page is asked for
    return AppSession, "_populate_app_pages", merged


def places_copied_once() -> Reach:
    """Where a fragment stands is remembered by a copy in which each container is once.

    Streamlit copies all containers around a fragment, each with all that it stands in once more, attribute by attribute.
    """
    from streamlit import cursor
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.runtime import fragment

    whole = fragment.deepcopy

    def of_cursor(place: cursor.Cursor | None) -> cursor.Cursor | None:
        if place is None:
            return None
        made = copy(place)
        made._transient_elements = whole(place._transient_elements) if place._transient_elements else cursor.SparseList()
        return made

    def of_container(container: DeltaGenerator | None, known: dict[int, DeltaGenerator]) -> DeltaGenerator | None:
        if container is None or id(container) in known:
            return container and known[id(container)]
        within = of_container(container._parent, known)
        made = DeltaGenerator(container._root_container, of_cursor(container._cursor), within, container._block_type)
        made._form_data, made._creating_fragment_id = container._form_data, container._creating_fragment_id
        known[id(container)] = made
        return made

    def copied(what: object) -> object:
        if isinstance(what, tuple) and all(type(part) is DeltaGenerator for part in what):
            known: dict[int, DeltaGenerator] = {}
            return tuple(of_container(part, known) for part in what)
        if isinstance(what, dict) and all(isinstance(part, cursor.Cursor) for part in what.values()):
            return {root: of_cursor(place) for root, place in what.items()}
        return whole(what)

    def told(containers: Iterable[DeltaGenerator]) -> list[dict]:
        return [vars(one) | {"_parent": one._parent is None, "_provided_cursor": one._cursor.delta_path} for one in containers]

    outer = DeltaGenerator(0, cursor.RunningCursor(0, (1, 2)))
    tried = (outer, DeltaGenerator(0, outer._cursor.open_block(), outer, "column"))
    if told(copied(tried)) != told(whole(tried)):
        raise ValueError(f"expected the copies {told(whole(tried))}, got {told(copied(tried))}")
    return fragment, "deepcopy", copied


REACHES = (
    values_one_by_one, silent_components, messages_together, messages_before_the_next_runner, messages_whole_before_a_fragment,
    theme_once, settings_once, pages_once, places_copied_once,
)  # fmt: skip


@contextmanager
def reached(reaches: tuple[Callable[[], Reach], ...] = REACHES) -> Iterator[list[str]]:
    """Inside, these stand in Streamlit's place; gives the names of those that do."""
    names = []
    with ExitStack() as undone:
        for reach in reaches:
            try:
                owner, name, instead = reach()
            except Exception as changed:  # whatever another version does: no server stays away for a saving
                _LOG.warning("This Streamlit is another one; goes on without %s: %r", reach.__name__, changed)
                continue
            undone.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, instead)
            names.append(reach.__name__)
        yield names
