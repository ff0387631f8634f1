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

drawing_of_answer(read(OPENING), 0)
_scenario = Scenario.article()
_run = prefill(_scenario.model(), _scenario.prompt_ids)
attention_map(Sheet(), _run, _scenario.tokens, list("1234"), next_of(_scenario, _run)).to_json()
with turns.nobody_waits():
    beside.warm_up()
    devices.warm_up()
    stopwatch.warm_up()
