"""What the first visitor would otherwise wait for, made when the server starts: what the first screen writes, one figure, and the
simulations and times that stand on a screen before anybody has moved a slider."""

from engine import Scenario, prefill
from pages.lessons.attention.figures.attention_map import attention_map
from pages.lessons.attention.maps import next_of
from pages.lessons.counting import stopwatch
from pages.lessons.many import beside, devices
from pages.lessons.start.answer import drawing_of_answer, read
from pages.parts.drawing.sheet import Sheet
from pages.parts.sharing import turns
from pages.parts.trained.prompt import OPENING


def warm_up() -> None:
    """Make each of them once, while nobody waits."""
    drawing_of_answer(read(OPENING), 0)
    scenario = Scenario.article()
    run = prefill(scenario.model(), scenario.prompt_ids)
    attention_map(Sheet(), run, scenario.tokens, list("1234"), next_of(scenario, run)).to_json()
    with turns.nobody_waits():
        beside.warm_up()
        devices.warm_up()
        stopwatch.warm_up()
