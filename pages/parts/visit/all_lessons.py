"""The lessons around the one on screen, as the router lays them out; none where a lesson runs by itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from streamlit.navigation.page import StreamlitPage

from pages.parts.visit.session import of_this_visit


@dataclass
class AllLessons:
    """pages: of all lessons, in order, by name, what leads to them; sections: the same under headings; lessons: themselves;
    routes: the stops of each; own_route: makes those of the link's; before, after: the pages beside this one."""

    pages: Mapping[str, StreamlitPage] = field(default_factory=dict)
    sections: Mapping[str, list[StreamlitPage]] = field(default_factory=dict)
    lessons: Mapping[str, Any] = field(default_factory=dict)
    routes: Mapping[str, tuple] = field(default_factory=dict)
    own_route: Callable[[], tuple] = tuple
    before: StreamlitPage | None = None
    after: StreamlitPage | None = None


of_visit = of_this_visit(AllLessons)


def lay_out(**what: Mapping | Callable) -> None:
    """Pages, sections, lessons and routes, once a visit."""
    vars(of_visit()).update(what)


def set_neighbours(before: StreamlitPage | None, after: StreamlitPage | None) -> None:
    """The pages before and after the one that is drawn."""
    of_visit().before, of_visit().after = before, after
