"""A control that was moved with the pointer gives the focus back, so that the arrow keys turn to the next step (focus_back.js)."""

from pages.parts.visit.components import DRAWN, component

_COMPONENT = component("focus_back", __file__, html=DRAWN)


def give_focus_back() -> None:
    """What makes it so for every control of the page; drawn once a page, because its script travels with it."""
    _COMPONENT(key="focus_back", height=1)
