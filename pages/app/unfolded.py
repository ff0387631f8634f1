"""A box that is unfolded at the foot of the menu or of a lesson comes into sight (unfolded.js), without asking the server."""

from pages.parts.visit.components import DRAWN, component

_COMPONENT = component("unfolded", __file__, html=DRAWN)


def bring_into_sight() -> None:
    """What makes it so for every box of the page; drawn once a page, because its script travels with it."""
    _COMPONENT(key="unfolded", height=1)
