"""Lessons as AppTest opens them: by name, with a link, alone or through the whole application; and the figures they show."""

import importlib
import json
import math
import re
from collections.abc import Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

from said import in_order, plain, untagged
from short_form import short, unfolded
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from engine import Scenario
from engine.timing.both_ways import BothWays
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.presets import PRESETS
from pages.app import course
from pages.lessons.generate import run as generate_run
from pages.lessons.many import load as many_load
from pages.parts.lesson import fragments
from pages.parts.question.question import Question
from pages.parts.sharing import shared_work, turns
from pages.parts.visit import scenario_query
from pages.parts.visit.parameters import DECLARED
from pages.parts.visit.scenario import Kept
from pages.parts.visit.session import key_of

ROOT = Path(__file__).parents[2]
WHOLE = {"steps": "all"}  # a lesson with all its steps on one page, which a test reads at once
FIXTURES = Path(__file__).parents[1] / "fixtures"
# Each AppTest looks through all installed packages for components, 0.13 s; what is installed stays the same.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _wait_for(runner: local_script_runner.LocalScriptRunner, timeout_s: float) -> None:
    """Wait for a page as it runs: AppTest looks every millisecond, for which the page has to stop each time."""
    runner._script_thread.join(timeout_s)
    if runner._script_thread.is_alive():
        runner.request_stop()
        raise RuntimeError(f"the page ran for more than {timeout_s:g} s")


def _enqueue(runner: local_script_runner.LocalScriptRunner, message: ForwardMsg) -> None:
    """Puts what a page sends where AppTest reads it: by a signal, and asking first whether to go on, it costs three times as much."""
    if runner._requests._state is not ScriptRequestType.CONTINUE:
        runner._maybe_handle_execution_control_request()
    runner.forward_msg_queue.enqueue(message)


local_script_runner.LocalScriptRunner._enqueue_forward_msg = _enqueue
local_script_runner.require_widgets_deltas = _wait_for
app_test.MagicMock = cache(app_test.MagicMock)  # what stands in the server's place is made once
local_script_runner.ScriptCache = cache(local_script_runner.ScriptCache)  # a page is compiled once, and not for every run
script_run_context.populate_hash_if_needed = lambda message: None  # tells a browser what it has already; nobody reads it here
shared_work.RERUN_S = many_load.SHOWN_AFTER_S = 60  # a slow machine makes no test fail; the bound has tests of its own
turns.SLICE_S = math.inf  # for whom long work rests, no test that opens a page by itself has
generate_run.BothWays = partial(BothWays, repeats=1)  # a page times each pass once: turns have tests of their own
LESSONS = sorted(course.IN_THE_MENU)
VERDICT = re.compile(r":(green|red)\[:material/(check_circle|cancel):")
TOY_LESSONS = [name for name in LESSONS if name in course.LESSONS and course.LESSONS[name].toy]  # about a scenario
ADDRESSES = ("https://evil.tld/x", "www.evil.tld", "a@evil.tld", ":streamlit:")
WIDE = {"rules": ("even", "odd", "self", "previous:3", "first", "all", "window:3", "at:2.5")}
SCENARIOS = {
    **{name: scenario for name, (scenario, _) in PRESETS.items()},
    "two tokens": Scenario(tokens=("so", "warm"), values=(5, 8)),
    "one token": Scenario(tokens=("so",), values=(5,)),
    "one of each": Scenario(("so",), (5,), ("even",), ("nice",), (7,), ((0.8,),)),
    "sixteen tokens, eight heads": Scenario([f"w{i}" for i in range(16)], range(16), **WIDE, w_vocab=[(0.1, 0.2, 0.3)] * 8),
    "zeros": Scenario(values=(0, 0, 0, 0)),
    "negative": Scenario(values=(-10, -20, -1, -5)),
    "as large as may be": Scenario(
        values=(1000, -1000, 1000, -1000), word_values=(1000, -1000, 0), w_vocab=((1000, -1000, 0),) * 4
    ),
    "no head sees anything": Scenario(rules=("none",) * 4),
    "mask off": Scenario(causal=False),
    "softest": Scenario(sharpness=0.01),
    "sharpest": Scenario(sharpness=32),
    "breaks the cache": Scenario(rules=("last",) * 4, empty_row="none"),
    "twelve words": Scenario(
        words=[f"v{i}" for i in range(12)], word_values=range(12), w_vocab=[[i / 10 for i in range(12)]] * 4
    ),
    "long and strange words": Scenario(("W" * 24, "<b>a</b>", "$x$ :red[y] *z*", "a, b \\"), words=("M" * 24, "<i>", "[x](y)")),
    "words that are addresses": Scenario(ADDRESSES, words=ADDRESSES[:3]),
    **{f"empty row {policy}": Scenario(rules=("none", "even", "previous:3", "all"), empty_row=policy) for policy in EMPTY_ROW},
    **{f"empty row {policy}, mask off": Scenario(rules=("none",) * 4, empty_row=policy, causal=False) for policy in EMPTY_ROW},
}


@cache
def declared() -> tuple[str, ...]:
    """Every parameter that some lesson declares; those of a lesson are there once its modules have been imported."""
    for file in sorted(ROOT.glob("pages/lessons/*/[!_]*.py")):
        importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    return tuple(sorted(DECLARED))


def names_of(lesson: str) -> list[str]:
    """The names of a lesson's steps, in order."""
    return [step.name for step in course.LESSONS[lesson].steps]


def alone(name: str) -> AppTest:
    """A lesson by itself with all its steps, not yet run."""
    at = AppTest.from_file(ROOT / "pages" / f"{name}.py", default_timeout=60)
    at.query_params.update(WHOLE)
    return at


def application() -> AppTest:
    """streamlit_app.py as an ordinary script, not yet run."""
    return AppTest.from_file(ROOT / "streamlit_app.py", default_timeout=60)


def _whole(query: Mapping[str, object]) -> dict[str, str]:
    """A link with all steps on one page, which takes three times as long as one: where it names a step (slide=2) that one alone."""
    return ({} if "slide" in query else WHOLE) | {name: str(value) for name, value in query.items()}


def show(at: AppTest, query: Mapping[str, str] | Scenario) -> AppTest:
    """Give the visitor behind `at` another link and run; all steps on one page, or the one that the link names."""
    query = scenario_query.to_query(query) if isinstance(query, Scenario) else query
    of_visit(at, Kept).own_queries.clear()  # a link from elsewhere, though it may be what the address bar said before
    at.query_params.clear()
    at.query_params.update(_whole(query))
    return at.run()


def visited(name: str, query: Mapping[str, str] = MappingProxyType({}), **extras: object) -> AppTest:
    """A lesson by itself, opened by a link, with all its steps or the one that the link names; a failure of the page is one of the
    test."""
    at = alone(name)
    at.query_params.clear()
    at.query_params.update(_whole({**query, **extras}))
    return ran(at)


@cache
def visitor(name: str, dark: bool = False) -> AppTest:
    """A visitor of a lesson who is shown one link after the other: a new session takes three times as long."""
    at = alone(name)
    at.context = {"theme": "dark" if dark else "light"}
    return at.run()


def linked(name: str, **query: object) -> AppTest:
    """A lesson behind another link, for one visitor after the other, who may answer its questions."""
    at = show(_answering(name), query)
    assert not at.exception, at.exception[0].value
    return at


@cache
def _answering(name: str) -> AppTest:
    """A visitor of his own: what he has answered is seen by no test that only looks."""
    return visited(name)


def of_visit(at: AppTest, subject: type) -> Any:
    """What a visit keeps of a subject (visit/session.py)."""
    if key_of(subject) not in at.session_state:
        at.session_state[key_of(subject)] = subject()
    return at.session_state[key_of(subject)]


def selected(at: AppTest) -> dict[str, str]:
    """What the visit's link says besides the scenario."""
    return of_visit(at, Kept).extras


def ran(at: AppTest) -> AppTest:
    """Run the page again, which must not fail."""
    at.run()
    assert not at.exception, at.exception[0].value
    return at


def on(at: AppTest, step: int) -> AppTest:
    """The same visitor on another step of the lesson, whose link names one."""
    assert "slide" in at.query_params
    at.query_params["slide"] = str(step)
    return ran(at)


def moved(at: AppTest, fragment: str) -> AppTest:
    """Run one fragment of the page alone, as a browser asks when something in it was moved; AppTest itself runs whole pages.

    What `at` shows then is that fragment, or the whole page where the fragment had it run.
    """
    (asked,) = at._fragment_storage.resolve_target(fragment)
    with patch.object(local_script_runner, "RerunData", partial(RerunData, fragment_id=asked)):
        return ran(at)


def told(at: AppTest, component: str, event: str, value: object) -> AppTest:
    """What comes of it when a component of the page tells something; what `at` shows then is what was drawn for it."""
    known = at.session_state._state._state._new_widget_state.widget_metadata
    (heard,) = [id for id in known if id.endswith(f"-{component}__events")]

    def asked(widget_states=None, **kwargs) -> RerunData:
        if widget_states is not None:
            widget_states.widgets.add(id=heard, json_trigger_value=json.dumps([{"event": event, "value": value}]))
        return RerunData(widget_states=widget_states, fragment_id=known[heard].fragment_id, **kwargs)

    with patch.object(local_script_runner, "RerunData", asked):
        return ran(at)


def followed(at: AppTest) -> AppTest:
    """What a browser asks for when nothing has moved for a while."""
    return told(at, "after_moves", "due", True)


def shown(at: AppTest) -> str:
    """Everything that reached the page, figures and their text alternatives included; what is sent compressed, in the open too."""
    return str([e.proto for e in at.main]) + "".join(json.dumps(short(data["figure"]), ensure_ascii=False) for data in _drawn(at))


def text(at: AppTest) -> str:
    """The words on the page, as Markdown."""
    return "\n".join(element.value for element in (*at.markdown, *at.caption, *at.warning))


def seen(at: AppTest) -> str:
    """The words on the page, what stands behind them, and those of its figures, a line each."""
    drawn = [untagged(word) for figure, _ in figures(at) for word in figure["data"][-1]["text"]]
    return "\n".join([text(at), *(element.proto.help for element in at.markdown), *drawn])


def says(words: str, *parts: str) -> bool:
    """Whether one paragraph of `words` says all parts, one after the other, whatever stands between them.

    The parts are what is computed and at most one key word; a number is a whole one, and what is bold or a link does not count.
    """
    wanted = in_order(*parts)
    return any(wanted.search(plain(paragraph)) for paragraph in words.splitlines())


@contextmanager
def all_answered():
    """Inside, every question there is has been answered, and rightly."""
    said = property(lambda question: question.answer)
    with patch.object(Question, "guess", said), patch.object(fragments, "may_be_answered", lambda key: True):
        yield


def right(verdict: str, answer: str = "") -> bool:
    """Whether a verdict says that the prediction was right, and, where one is given, that this is the computed answer."""
    return "material/check_circle" in verdict and answer in ("", computed(verdict))


def computed(verdict: str) -> str:
    """The computed answer, which a verdict names in bold."""
    return plain(re.search(r"\*\*(.+?)\*\*", verdict)[1])


def commit(at: AppTest, key: str, guess: float | str) -> str:
    """Answer a question as a reader does; returns the verdict that this adds to the page."""
    before = [m.value for m in at.markdown]
    say(at, key, guess)
    (verdict,) = (m.value for m in ran(at).markdown if VERDICT.match(m.value) and m.value not in before)
    return verdict


def say(at: AppTest, key: str, guess: float | str) -> None:
    """Answer a question, the page not yet run: press an option, or type a number and commit it."""
    if options := options_of(at, key):
        next(b for b in options if b.label == guess).click()
        return
    at.number_input(key=f"guess_{key}").set_value(guess)
    next(b for b in at.button if b.proto.form_id == f"form_{key}").click()


def options_of(at: AppTest, key: str) -> list:
    """The buttons of a question's options, in order; none where it asks for a number, or is not open."""
    return [b for b in at.button if re.fullmatch(rf"option_{re.escape(key)}_\d+", b.key or "")]


def press(at: AppTest, key: str) -> None:
    """Press a button of the page."""
    next(b for b in at.button if b.key == key).click()
    ran(at)


def _drawn(at: AppTest) -> list[dict]:
    """What each figure on the page was sent."""
    return [json.loads(element.proto.json) for element in at.get("bidi_component") if "figure" in element.proto.component_name]


def figures(at: AppTest) -> list[tuple[dict, str]]:
    """Every figure on the page, as Plotly's JSON, with its text alternative."""
    charts = [(element.proto.spec, element.proto.alt) for element in at.get("plotly_chart")]
    return [*((unfolded(data["figure"]), data["alt"]) for data in _drawn(at)), *((json.loads(spec), alt) for spec, alt in charts)]


def alts(at: AppTest) -> list[str]:
    """Every figure's text alternative."""
    return [alt for _, alt in figures(at)]
