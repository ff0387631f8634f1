"""A question that is voted on comes into sight by itself: on a phone its form, on the teacher's screen all that the class looks at."""

from pages.parts.visit.components import CALL, DRAWN, RUNNING, component

# Of the one step that a phone shows: a field, or options to press.
FORM = '[class*="st-key-predict_"] :is([data-testid="stForm"], [class*="st-key-guess_"])'
_COMPONENT = component("into_sight", __file__, html=DRAWN, before=CALL + RUNNING)


def bring_into_sight(what: str, selector: str = FORM, key: str = "into_sight") -> None:
    """Once for each `what`, "" for nothing: scroll until what the selector names is in sight, as far as it has room."""
    _COMPONENT(key=key, data={"what": what, "selector": selector}, height=1)
