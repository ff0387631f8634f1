"""Every lesson that there is, at the defaults and at the extremes, alone and in the application: it stands, and it is right."""

import re
from importlib import import_module
from itertools import product

import numpy as np
import pytest
import valid_figures
from app_pages import (
    LESSONS,
    SCENARIOS,
    TOY_LESSONS,
    WHOLE,
    alone,
    application,
    declared,
    figures,
    of_visit,
    says,
    show,
    visited,
    visitor,
)
from legible import illegible, states

from engine import Scenario, prefill, probabilities
from engine.sampling import likeliest
from engine.toy.by_hand import pass_by_hand
from pages.parts.drawing.palette import palette, rgb
from pages.parts.drawing.plot import Browser
from pages.parts.lesson.header import OWN
from pages.parts.text.format import md, number, percent
from pages.parts.visit.scenario import Kept

NONSENSE = ("", "x", "-1", "0", "999999999", "1e999", "NaN", "<script>p()</script>", "1.1.1", "99.99.99", "a,b;c", "٣", "x" * 200)


# Scenarios in which every kind of figure is drawn: all others draw the same kinds with other numbers and words.
VALIDATED = ("Article, text", "one of each", "sixteen tokens, eight heads", "as large as may be", "empty row nan")
READ = ("Article, text", "sixteen tokens, eight heads", "negative", "empty row nan", "long and strange words", "mask off")
READ_IN_DARK = READ[1:3]
# With these a toy lesson takes every branch of the engine and of its own that it takes with any of SCENARIOS, but for the pairs
# below; *Logits*, and *One head* in a test of its own, are shown with all of them.
TELLING = dict.fromkeys(
    (*VALIDATED, *READ, "Article, code", "zeros", "sharpest", "empty row softmax1", "empty row fill",
     *(f"empty row {policy}, mask off" for policy in ("none", "fill", "softmax1")))
)  # fmt: skip
PAIRS = [("rules", "Dog bites man"), ("less", "two tokens"), ("counting", "breaks the cache"), ("decode", "twelve words")]
OTHERS = [lesson for lesson in LESSONS if lesson not in TOY_LESSONS]  # whatever the scenario is, they show the same
FEW = [lesson for lesson in TOY_LESSONS if lesson not in ("attention", "logits")]
CASES = [
    *((lesson, name, False) for lesson, name in (*product(FEW, TELLING), *PAIRS, *product(["logits"], SCENARIOS))),
    *((lesson, name, True) for lesson, name in product(TOY_LESSONS, READ_IN_DARK)),
    *product(OTHERS, READ[:1], (False, True)),
]


def words(at):
    """Everything that is said on the page."""
    return "\n".join(element.value for element in (*at.markdown, *at.caption, *at.warning, *at.title))


def stands(lesson, name, dark=False):
    """The lesson in a scenario, which does not fail; its figures are valid for Plotly, described and legible."""
    at = show(visitor(lesson, dark), SCENARIOS[name])
    assert not at.exception, at.exception[0].value
    assert len(at.title) == 1
    assert not any("was left out" in warning.value for warning in at.warning)
    drawn = figures(at)
    for figure, alt in drawn:
        if name in VALIDATED and not dark:
            valid_figures.valid(figure)  # raises where Plotly would draw something else than was meant
        assert len(alt) > 20
    if name in READ:
        for figure in states(drawn):
            assert list(illegible(figure, rgb(palette(dark).surface))) == []
    return at, drawn


@pytest.mark.parametrize(("lesson", "name", "dark"), CASES)
def test_a_lesson_stands_and_its_figures_can_be_read(lesson, name, dark):
    stands(lesson, name, dark)


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_parameter_of_a_lesson_can_make_it_fail(lesson):
    """All of them with the same number, and then each with another piece of nonsense than its neighbours."""
    names, n = declared(), len(NONSENSE)
    same = [dict.fromkeys(names, number) for number in ("0", "999999999")]
    mixed = [{name: NONSENSE[(at + turn) % n] for at, name in enumerate(names)} for turn in range(0, n, 3)]
    for query in (*same, *mixed, dict.fromkeys(names, "999999999") | {"present": "on"}):
        at = show(visitor(lesson), query)
        assert not at.exception, (query, at.exception[0].value)


def test_every_lesson_stands_in_an_ordinary_script_with_streamlits_own_charts():
    """What a host shows that cannot serve plotly.js: the same lessons, one scenario through all of them."""
    at = application()
    of_visit(at, Browser).failed = True
    show(at, Scenario(values=(10, 20, 100, 5)))
    for lesson in LESSONS:
        at.switch_page(f"pages/{lesson}.py").run()
        assert not at.exception, (lesson, at.exception[0].value)
        charts = at.get("plotly_chart")
        assert len(charts) == len(figures(at)) == len(figures(show(visitor(lesson), Scenario(values=(10, 20, 100, 5)))))
        assert of_visit(at, Kept).scenario.values == (10, 20, 100, 5)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_control_that_comes_into_sight_late_shows_its_value(lesson):
    """In a box that is opened after another control was used the browser has only what is sent with each run: the sliders of the
    values had stood at −20 there, and the first that was moved took the others along."""
    at = visited(lesson, WHOLE)
    at.run()  # what was set at first is not sent again
    for slider in at.slider:
        assert list(slider.proto.default) == [slider.value], slider.key
    for stops in at.select_slider:
        assert stops.proto.default == [stops.options.index(stops.format_func(stops.value))], stops.key


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_attention_lesson_shows_what_the_engine_computes(name):
    s = SCENARIOS[name]
    at, drawn = stands("attention", name)
    run = pass_by_hand(prefill(s.model(), s.prompt_ids), s.w_vocab)  # as it is by hand
    _, (figure, alt), *_ = drawn  # the first is of one head
    (z, *_), layer, n = [trace["z"] for trace in figure["data"] if trace["type"] == "heatmap"], run.layers[0], len(s.tokens)
    for h, i, j in np.ndindex(*layer.weights.shape):
        shown, meant = z[i][h * (n + 1) + j], layer.weights[h, i, j]
        hidden = not layer.mask[h, i, j] and meant == 0  # else it leaks through the mask
        assert shown is None if hidden or np.isnan(meant) else shown == meant
    if np.isfinite(run.logits[-1]).all():
        best = likeliest(run.logits[-1])  # several where they draw level
        (said,) = (m.proto.help for m in at.markdown if says(m.proto.help, "likeliest", number(run.logits[-1, best[0]], 3)))
        _, *named = re.findall(r"\*\*(.+?)\*\*", said)  # behind the contexts
        assert named == [md(s.words[word]) for word in best] and percent(probabilities(run.logits[-1])[best[0]]) in said
        assert says(alt, "Next word", s.words[int(run.logits[-1].argmax())]) and alt.endswith("%.")
    else:
        assert "not a number" in words(at)


def test_a_slider_moves_the_logits_and_the_sentence_says_so():
    at = alone("attention").run()
    at.slider(key="value_2").set_value(100.0).run()
    assert says(words(at), "“is” 1 → 100", "no weight", "head 4", "9 → 33.75", "warm")
    at.button(key="reset").click().run()
    assert of_visit(at, Kept).scenario == Scenario.article()


def preset(at):
    """The box of presets; its key follows what it shows."""
    (box,) = [box for box in at.selectbox if box.label == "Scenario"]
    return box


def test_a_preset_is_chosen_and_named():
    at = alone("attention").run()
    preset(at).set_value("Delicious wins").run()
    assert of_visit(at, Kept).scenario.tokens == ("Lunch", "today", "is", "so")
    at.slider(key="value_0").set_value(1.0).run()
    assert preset(at).value == "Edited"


def test_the_dialog_for_teachers_leads_to_words_of_ones_own():
    at = alone("attention").run()
    next(b for b in at.button if b.key == "share").click().run()
    next(b for b in at.button if b.key == "share_words").click().run()
    assert not at.exception and at.text_input(key="own_prompt").value == "Today weather is so"
    use = next(b for b in at.button if b.proto.form_id == "own_words")
    assert use.proto.type == "secondary"  # of a primary one the words were white on white in a dark dialog


def use_own_words(at, candidates):
    at.text_input(key="own_prompt").set_value("Our cat sat on the")
    at.text_input(key="own_candidates").set_value(candidates)
    next(button for button in at.button if button.proto.form_id == "own_words").click().run()


def test_words_of_ones_own_are_typed_what_goes_in_and_what_may_come_next():
    at = alone("attention").run()
    preset(at).set_value(OWN).run()
    use_own_words(at, "mat mat")
    assert any(says(warning.value, "different", "mat, mat") for warning in at.warning)
    assert of_visit(at, Kept).scenario == Scenario.article() and preset(at).value == "Article, text"
    use_own_words(at, "mat, New York")
    s = of_visit(at, Kept).scenario
    assert (s.tokens, s.words) == (("Our", "cat", "sat", "on", "the"), ("mat", "New York"))
    assert not at.text_input and preset(at).value == "Edited" and not at.warning


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"tokens": "", "values": ""}, "tokens"),
        ({"values": "NaN,1,1,1"}, "expected a number, got 'NaN'"),
        ({"values": "1e999,1,1,1"}, "values"),
        ({"tokens": ",".join(["w"] * 1000)}, "tokens"),
        ({"rules": "window:1000000000"}, "rules"),
        ({"sharpness": "-1", "mask": "perhaps", "empty": "yes", "w": "1;2", "word_values": "x"}, "mask"),
        ({"tokens": "\x00ÿÀ", "rules": "<script>p()</script>"}, "rules"),
        ({"tokens": "x" * 50_000}, "expected at most 4000 characters, got 50000"),
    ],
    ids=range(8),
)
def test_a_wrong_part_is_reported_and_the_rest_of_the_link_works(query, said):
    at = show(visitor("attention"), query | {"words": "nice,hot,delicious"})
    problems = [warning.value.replace("\\", "") for warning in at.warning]  # as a reader sees them
    assert any(said in problem for problem in problems), problems
    assert all(re.fullmatch(r"The link's “\w+” was left out: .{5,400}\.", problem) for problem in problems), problems
    assert of_visit(at, Kept).scenario.words == ("nice", "hot", "delicious")


def test_every_wrong_part_of_a_link_is_told_on_every_lesson():
    for lesson in LESSONS:
        at = show(visitor(lesson), {"mask": "perhaps", "rules": "sideways"})
        told = [warning.value for warning in at.warning]
        assert sum("“mask”" in t for t in told) == sum("“rules”" in t for t in told) == 1, lesson


def test_what_the_server_makes_when_it_starts_can_be_made():
    """A figure whose arguments had changed kept the server from starting, which only a browser would have found."""
    import_module("pages.app.warm").warm_up()
