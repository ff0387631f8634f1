"""What the browser does by itself on every page, without asking the server; drawn once a page, because a script travels with it.

release_focus.js: a control that was moved with the pointer gives the focus back, so that the arrow keys turn to the next step.
verdict_in_sight.js: on a phone, what is said of an answer is brought above the bar at the foot.
press_queue.js: presses of what leads on or back wait for one another, and none is lost.
expander_into_sight.js: a box that is unfolded at the foot of the menu or of a lesson comes into sight.
"""

from pages.parts.visit.components import CALL, DRAWN, RUNNING, component

_SCRIPTS = {
    name: component(name, __file__, html=DRAWN, before=CALL + RUNNING)
    for name in ("release_focus", "press_queue", "expander_into_sight", "verdict_in_sight")
}


def run_on_page() -> None:
    """Hand these scripts to the browser."""
    for name, script in _SCRIPTS.items():
        script(key=name, height=1)
