"""Shows the machine at work: it plays in the browser, pass by pass, can be paused or skipped, and asks the server for nothing.

The first screen plays the trained model's answer, the cache lesson the toy's; what is drawn is plain data of drawing/machine.py.
"""

from pages.parts.visit.components import component
from pages.parts.visit.scenario import on_paper

_MACHINE = component("machine", __file__)


def play(drawing: str, key: str = "machine", beside: bool = False) -> None:
    """Play a drawing, given as JSON; the same one again goes on where it stands. On paper its end is shown.

    beside: whether the answer goes on beside the prompt, in the page's own `.tbt-answer`, and not in a line of the machine's.
    """
    _MACHINE(key=key, data={"drawing": drawing, "ended": on_paper(), "beside": beside})
