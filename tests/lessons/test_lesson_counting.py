"""The counting lesson: the article's table, its doubling factors and its questions, read off the page."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from app_pages import (
    all_answered,
    alts,
    commit,
    computed,
    figures,
    of_visit,
    on,
    press,
    ran,
    right,
    says,
    selected,
    text,
    visited,
)
from hypothesis import given
from hypothesis import strategies as st
from scenarios import BIG, CODE, TEXT
from valid_figures import valid

from engine import prefill
from engine.cost import decimal_bytes
from engine.cost.multiplication import kv_factors
from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.timing.one_step import TimedLength
from engine.work.baselines import BASELINES, pass_counts
from pages.app.route_steps import ROUTES
from pages.lessons.counting import costs, in_short, steps, stopwatch
from pages.lessons.counting.figures import growth_curves, one_step_reads, six_parts, step_times, twice_as_long, work_passes
from pages.lessons.counting.stopwatch import Timed
from pages.parts.drawing import row_strips
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import WIDTH, Sheet
from pages.parts.sharing import turns
from pages.parts.text import amounts
from pages.parts.visit import scenario_query
from pages.parts.visit.all_lessons import AllLessons
from pages.parts.visit.location import Where

page = partial(visited, "counting")


def sums(at):
    """What the three ways add up to, as the figure's text alternative has it, and all that is written in the figure."""
    return next((alt, str(figure)) for figure, alt in figures(at) if alt.startswith("Work for one head"))


@pytest.mark.parametrize(
    ("p", "g", "without", "last", "cached"),  # K/V rows, query rows, products: the article's table
    [
        (4, 2, (9, 9, 25), (9, 5, 15), (5, 5, 15)),
        (4, 4, (22, 22, 74), (22, 7, 28), (7, 7, 28)),
        (4, 16, (184, 184, 1_320), (184, 19, 190), (19, 19, 190)),
        (100, 100, (14_950, 14_950, 1_166_650), (14_950, 199, 19_900), (199, 199, 19_900)),
        (1000, 1000, (1_499_500, 1_499_500, 1_166_666_500), (1_499_500, 1_999, 1_999_000), (1_999, 1_999, 1_999_000)),
    ],
)
def test_the_articles_table_stands_on_the_page(p, g, without, last, cached):
    at = page(p=str(p), g=str(g), slide=2)
    commit(at, "products", "66 and 66")
    said, drawn = sums(at)
    for way, numbers in zip(said.split("; "), (without, last, cached), strict=True):
        assert re.findall(r"[\d,]*\d(?= )", way) == [f"{n:,}" for n in numbers]
    assert all(f"<b>{amounts.count(n)}</b>" in drawn for n in (*without, *last, *cached))


def test_the_gain_of_a_thousand_tokens_is_the_articles():
    shown = text(page(p="1000", g="1000", slide=1))
    assert says(shown, "750 times fewer", "K/V rows", "584 times fewer", "products")


def test_the_story_counts_rows_alone():
    """Three counts a column were too many; 11 “instead of 60 (5.45 times as many)” was read backwards; and “not saved: 66 products”
    stood beside 276 products without a cache."""
    at = visited("counting", route="story", slide="1", steps="")
    for told in (False, True):
        if told:
            commit(at, "double_scores", "four times as many")
        ((figure, alt),) = figures(at)
        assert (says(text(at), "60 boxes", "11") and says(text(at), "Not saved", "every key")) == told
        assert says(alt, "11 boxes computed, 60 boxes read") and ("248 boxes read" in alt) == told
        assert not any(count in str(figure["data"][-1]["text"]) + alt + text(at) for count in ("products", "queries", "276"))


def test_every_part_of_the_machine_at_the_end_has_its_question_until_it_is_told():
    ((figure, alt), *_) = figures(visited("counting", route="story", slide="6", steps=""))
    assert all(ask in alt for ask in in_short.sentences(TEXT, 4, 8)) and "every kept key" not in str(figure) + alt


def test_the_engine_counts_what_the_formulas_say_and_stops_where_it_would_take_long():
    at = page(slide=2)
    commit(at, "products", "66 and 66")
    assert says(text(at), "60, 60", "276", "11, 11", "66", "equal")
    for at, run in (
        (page(scenario_query.to_query(replace(CODE, causal=False, empty_row="nan")), g="9", slide=2), True),
        (page(g="1000", slide=2), False),
    ):
        commit(at, "products", "66 and 66")
        assert says(text(at), "engine", "equal") == run and says(text(at), "by formula") != run


def test_a_miscount_would_be_said(monkeypatch):
    monkeypatch.setattr(steps, "counted", lambda *a, **k: cached_counts(4, 9))
    at = page(g="9", slide=2)
    commit(at, "products", "66 and 66")
    assert says(text(at), "engine", "not", "formulas") and not says(text(at), "engine", "equal")


def test_the_questions_keys_are_the_articles():
    at = page(slide=2)
    wrong = commit(at, "products", "276 and 66")
    assert not right(wrong) and computed(wrong) == "66 and 66" and says(wrong, "no product", "276 products")
    assert right(commit(on(at, 1), "double_scores", "×4"), "×4")


def test_figures_and_table_wait_for_the_answers_on_the_way():
    at = page()
    (passes, alt), _, (growth, growth_alt), *_ = figures(at)
    assert says(alt, "cache", "11 rows", "66 products") and "<b>11</b>" in str(passes)
    assert says(text(at), "5.45 times", "K/V rows")
    assert (
        "multiplies" not in growth_alt
        and str(growth["data"]).count("<b>?</b>") == 1
        and "×3.99" in str(growth)  # of rows without a cache, which nobody is asked for
        and "×2.00" in str(growth)
    )
    assert sums(at)[0].count("?") == 2 and "rows ×2, products ×?" in str(growth)
    for key, guess in (("products", "66 and 66"), ("double_scores", "×4")):
        commit(at, key, guess)
    _, _, (growth, growth_alt), *_ = figures(at)
    assert "multiplies" in growth_alt and "×2.00" in str(growth)
    assert "?" not in sums(at)[0] and "rows ×2, products ×4" in str(figures(at)[2][0])


def test_on_a_screen_of_its_own_twice_the_answer_shows_what_the_step_before_it_asks():
    at = page(steps="", slide="3")
    assert "×3.99" in str(figures(at)[0][0]) and "multiplies" in figures(at)[0][1]


@pytest.mark.parametrize("query", [{}, {"g": "6"}, {"p": "100", "g": "6"}])
def test_the_table_of_twice_the_answer_is_about_what_was_asked(query):
    """It showed 6 → 12 (× 2.667) beside a question about 1,000 → 2,000, whose answer is 4."""
    at = page(query, slide=1)
    assert says(text(at), "1,000 to 2,000")
    commit(at, "double_scores", "×4")
    figure, alt = figures(on(at, 3))[0]
    asked = {"1,000", "2,000", "<b>With a cache: rows ×2, products ×4</b>"}
    assert asked <= set(figure["data"][-1]["text"]) and says(alt, "1,000", "2,000")
    next(w for w in at.select_slider if w.key == "extra_doubled").set_value(8).run()
    assert "×1.73" in str(figures(at)[0][0]) and selected(at)["doubled"] == "8"
    assert "rows ×1.7, products ×2.9" in str(figures(at)[0][0])  # the sentence spoke of 1,000 → 2,000


def test_another_answer_than_the_one_asked_about_hides_only_that_two_ways_are_equal():
    """At 24 the table showed 378 twice, beside the question which two are equal at 8."""
    at = page(g="9")
    assert "With a cache" in figures(at)[0][1] and sums(at)[0].count("?") == 2 and "'N(N+1)/2'" not in sums(at)[1]
    commit(at, "products", "66 and 66")
    assert "?" not in sums(at)[0]


SCENARIOS = [
    replace(TEXT, tokens=("a",), values=(4,)),
    replace(TEXT, tokens=("a", "b", "c", "d", "e", "f"), values=(1, 2, 3, 4, 5, 6), rules=("none",), w_vocab=((1, 0, 0),)),
    replace(TEXT, causal=False, empty_row="nan", tokens=("a", "b"), values=(1, 2)),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_keys_are_computed_anew_for_another_scenario(scenario):
    p = len(scenario.tokens)
    at = page(scenario_query.to_query(scenario), slide=2)
    n = sum(range(1, p + 8))
    assert right(commit(at, "products", f"{n} and {n}"), f"{n} and {n}")
    assert right(commit(on(at, 1), "double_scores", "×4"), "×4")


def test_what_linear_is_true_of_is_said_with_its_factors():
    at = page(scenario_query.to_query(SCENARIOS[0]))
    commit(at, "double_scores", "×4")
    assert says(text(at), "O(n²)", "keys and values", "products", "a cube", "a square")
    assert {"<b>×2.00</b>", "<b>×4.00</b>", "<b>×7.99</b>"} <= set(figures(at)[2][0]["data"][-1]["text"])


@pytest.mark.parametrize(
    "query",
    [
        {"p": "1", "g": "1"}, {"p": "100000", "g": "100000"}, {"p": "37", "g": "0"}, {"p": "-1", "g": "9" * 99},
        {"p": "nan", "g": "4.5"}, {"view": "log", "axes": "log", "doubled": "100000"}, BIG, {"g": "29"}, {"g": "30"},
    ],
)  # fmt: skip
def test_any_link_gives_a_lesson(query):
    at = page(query)
    sliders = {s.key: s.value for s in at.select_slider}
    assert 1 <= sliders["extra_p"] <= steps.MOST and 1 <= sliders["extra_g"] <= steps.MOST
    if query.get("p") == "37":
        assert (sliders["extra_p"], sliders["extra_g"]) == (37, 1)


def test_a_moved_slider_is_kept_in_the_link_and_its_default_is_not():
    at = page(slide=1)
    next(s for s in at.select_slider if s.key == "extra_g").set_value(100).run()
    assert selected(at)["g"] == "100" and "103 rows computed in place of 5,350" in str(figures(at)[0][0])
    next(s for s in at.select_slider if s.key == "extra_g").set_value(8).run()
    assert selected(at)["g"] == ""


@pytest.fixture(autouse=True)
def as_if_nothing_had_been_measured(monkeypatch):
    """Another test may have started the whole application, which measures once."""
    monkeypatch.setattr(stopwatch, "_AT_THE_START", [])


def test_what_the_server_measured_at_its_start_stands_there_until_somebody_measures(monkeypatch):
    lap = TimedLength(64, 0.001, 0.008, 100, 6400)
    monkeypatch.setattr(stopwatch, "timed_lengths", lambda model, **_: (lap,))
    stopwatch.warm_up()
    at = page(slide=4)
    assert "64.0 times fewer operations, 8.00 times less time" in str(figures(at)[0][0]) and [
        b.label for b in at.button if b.key == "counting_measure"
    ] == ["Measure again"]
    monkeypatch.setattr(stopwatch, "QUEUE_S", 0)
    with stopwatch._ONE_AT_A_TIME:  # another visitor measures
        next(b for b in at.button if b.key == "counting_measure").click().run()
    assert says(text(at), "others", "again") and "×8.00" not in text(at)


def test_time_is_measured_on_request_kept_for_the_visit_and_set_beside_the_counts(monkeypatch):
    calls = []
    lap = TimedLength(64, 0.001, 0.008, 100, 6400)
    monkeypatch.setattr(stopwatch, "timed_lengths", lambda model, **_: calls.append(model) or (lap,))
    monkeypatch.setattr(stopwatch, "in_turns", lambda *a: [(0.001, 0.0015)] * 3)
    at = page()
    assert says(text(at), "measured", "press") and not calls and "×64.0" in str(figures(at)[3][0])
    next(b for b in at.button if b.key == "counting_measure").click().run()
    at.run()
    assert not at.exception and len(calls) == 1
    assert says(text(at), "the clock gives 8.0 times less")
    (whole,) = (m.help for m in at.markdown if says(m.value, "the clock gives"))
    assert says(whole, "P = 4, G = 8", "1.5 ms without", "1 ms with", "×1.50", "rows ×5.45", "products ×4.18")


def test_one_visitor_measures_at_a_time_and_who_waits_too_long_is_told(monkeypatch):
    """Six tabs that pressed the button took the interpreter from one another, and from everybody else."""
    monkeypatch.setattr(stopwatch, "QUEUE_S", 0)
    at = page(slide=4)
    with stopwatch._ONE_AT_A_TIME:  # another visitor measures
        next(b for b in at.button if b.key == "counting_measure").click().run()
    assert says(text(at), "others", "0 s", "again") and not at.exception
    next(b for b in at.button if b.key == "counting_measure").click().run()
    assert of_visit(at, Timed).lengths and stopwatch._ONE_AT_A_TIME.acquire(0)
    stopwatch._ONE_AT_A_TIME.release()


def test_between_two_passes_the_pages_of_others_go_on_and_their_time_does_not_count(monkeypatch):
    now, clock = [0.0], stopwatch.Paused()

    def others(_):
        now[0] += 5
        return True

    monkeypatch.setattr(stopwatch.time, "perf_counter", lambda: now[0])
    with turns.in_turn():
        now[0] = 1.0
        monkeypatch.setattr(turns._turn, "acquire", others)
        clock.pause()
        assert clock() == 1.0 and turns.has_turn()


def test_a_busy_machine_is_named_rather_than_believed():
    said = stopwatch._measured_in_words((TimedLength(64, 0.001, 0.1, 100, 6400),))
    assert says(said, "×64.0", "operations") and "again" in said and "busy" in said
    lost = stopwatch._measured_in_words((TimedLength(64, 0.1, 0.001, 100, 6400, clear=False),))
    assert says(lost, "busy", "again") and "×" not in lost
    written = step_times.step_times(Sheet(), (TimedLength(64, 0.1, 0.001, 100, 6400, clear=False),)).data[-1].text
    assert any("not measurably" in word for word in written)


def test_a_length_that_was_not_reached_keeps_its_row(monkeypatch):
    """The row for 128 tokens vanished after measuring on a busy machine."""
    nan = float("nan")
    taken = (TimedLength(64, 0.001, 0.008, 100, 6400), TimedLength(128, nan, nan, 100, 12800, clear=False))
    monkeypatch.setattr(stopwatch, "timed_lengths", lambda model, **_: taken)
    at = page(slide=4)
    next(b for b in at.button if b.key == "counting_measure").click().run()
    assert says(text(at), "at 64 tokens") and says(text(at), "more than 64 tokens")
    (alt,) = (alt for _, alt in figures(at) if says(alt, "64 tokens", "128 tokens", "operations ×128"))
    assert "measured" in alt.lower() and "nan" not in alt
    written = list(step_times.step_times(Sheet(), taken).data[-1].text)
    assert "<b>128</b>" in written and written.count("<b>?</b>") == 1 and "<b>×128</b>" in written


def test_on_a_phone_the_times_of_the_shortest_lengths_are_not_written_over_each_other():
    """×1.09 and ×1.33 were."""
    speeds = {8: 1.09, 16: 1.33, 32: 1.93, 64: 3.27, 128: 6.6}
    taken = tuple(TimedLength(n, 1e-4, speed * 1e-4, 1, n) for n, speed in speeds.items())
    words = step_times.step_times(Sheet(phone=True), taken).data[-1]
    at = {text: (x, y) for text, x, y in zip(words.text, words.x, words.y, strict=True)}
    assert "<b>×1.33</b>" in at and "<b>×1.93</b>" in at and "<b>×1.09</b>" not in at


def test_the_clock_is_a_line_beneath_the_count_and_says_when_it_was_measured(monkeypatch):
    """Five thick bars showed that as many tokens are as many operations, and nothing of the time."""
    taken = tuple(TimedLength(n, 1e-4, n / 4e4, 1, n) for n in (8, 16, 32))
    drawn = step_times.step_times(Sheet(), taken, "at this server’s start").to_plotly_json()
    counted, clock = ([t["y"][0] for t in drawn["data"] if t.get("mode") == "markers"][k::2] for k in (0, 1))
    assert all(above < beneath for above, beneath in zip(counted, clock, strict=True)) and len(clock) == 3
    said = [text.replace("<b>", "").replace("</b>", "") for text in drawn["data"][-1]["text"]]
    assert {"×32.0", "×8.00", "the time, at this server’s start"} <= set(said)
    unclear = (*taken[:-1], replace(taken[-1], clear=False))  # as on a busy server
    assert "measured now" in str(step_times.step_times(Sheet(), unclear, "measured now").to_plotly_json())
    monkeypatch.setattr(stopwatch, "_AT_THE_START", [taken])
    at = page(slide=4)
    assert "server’s start" in str(figures(at)[0][0])
    next(b for b in at.button if b.key == "counting_measure").click().run()
    assert "measured now" in str(figures(at)[0][0])


def test_the_measurement_itself_runs():
    at = page(p="1", g="1", slide=4)
    next(b for b in at.button if b.key == "counting_measure").click().run()
    assert not at.exception and of_visit(at, Timed).lengths[0].n_tokens == 8


def six(at):
    """The six sentences, each by the question that is pressed for it."""
    for button in at.button:
        if re.fullmatch(r"counting_tell_\d", button.key or ""):
            button.click()
    found = (re.fullmatch(r"\*\*\d\. (.+?)\*\* (.+)", m.value, re.S) for m in ran(at).markdown)
    return {one[1]: one[2] for one in found if one}


def test_a_teachers_notes_have_the_six_answers_in_the_order_of_the_screen():
    """A pupil's sentence could not be judged before its question was pressed."""
    said = text(page(notes="on", slide=6))
    places = [
        said.index(part)
        for part in ("**one pass**", "**key and value**", "**never looks ahead**", "**131.07 kB**", "What you may hear")
    ]
    assert places == sorted(places)
    assert "never looks ahead" not in text(page(slide=6))


def test_the_storys_end_counts_what_was_guessed_right_and_leads_on_when_all_is_told(monkeypatch):
    """It handed over answers, said nothing of what the reader had done, and offered four ways on."""
    links = []
    monkeypatch.setattr(in_short.st, "page_link", lambda page, **_: links.append(page))
    link = {"route": "story", "steps": ""}
    at = visited("counting", **link, slide="1")
    assert right(commit(at, "double_scores", "four times as many"), "four times as many")
    commit(on(at, 5), "longest", "1.72 GB")
    assert says(text(on(at, 6)), "1 of your 2 guesses") and "whole story" not in text(at)
    of_visit(at, AllLessons).pages = dict(zip(in_short.TRIED_IN, in_short.TRIED_IN, strict=True))
    ran(at)
    assert not links
    for k in range(6):
        press(at, f"counting_tell_{k}")
    assert "whole story" in text(at) and set(links) == set(in_short.TRIED_IN)
    own, told = page(slide=6), page(answers="shown", slide=6)
    assert "guesses" not in text(own) and "whole story" not in text(told)
    wrong = visited("counting", **link, slide="1")
    commit(wrong, "double_scores", "twice as many")
    commit(on(wrong, 5), "longest", "171.8 MB")
    assert "guesses" not in text(on(wrong, 6))  # “0 of your 2 guesses were right” was the first thing that one read
    assert "press it" in text(at) and "press it" not in text(told)  # nothing is left to be pressed


@pytest.mark.parametrize(("route", "told"), [("45", ["6"]), ("90", []), ("story", []), ("self", [])])
@pytest.mark.parametrize("screen", [{}, {"present": "on"}, {"notes": "on"}, {"answers": "shown"}])
def test_a_class_is_told_which_sentences_rest_on_what_it_left_out(route, told, screen):
    """Its phones were, its slide and its notes were not."""
    at = page(slide=6, **screen)
    of_visit(at, AllLessons).routes = ROUTES
    at.query_params["route"] = route
    asked = [*(b.label for b in ran(at).button), *(m.value for m in at.markdown)]
    marked = {one.strip("* ")[0] for said in asked for one in said.split("\n") if "not in this class" in one}
    assert sorted(marked) == told


def test_on_a_slide_the_arrow_key_tells_one_sentence_after_the_other():
    """A class ended at a grey button, and its six sentences were six presses of the pointer."""
    at = visited("counting", slide="6", present="on")
    of_visit(at, AllLessons).routes, of_visit(at, Where).lesson = ROUTES, "counting"
    at.query_params["route"] = "45"
    told = [len(re.findall("counting_tell_", str([b.key for b in ran(at).button])))]
    for _ in range(6):
        press(at, "slide_next")
        told.append(len(re.findall("counting_tell_", str([b.key for b in at.button]))))
    assert told == [6, 5, 4, 3, 2, 1, 0] and all(sentence in text(at) for sentence in in_short.sentences(TEXT, 4, 8).values())
    assert next(b for b in at.button if b.key == "slide_next").disabled and "end of the 45 minutes" in text(at)
    press(at, "slide_back")
    assert [b.key for b in at.button if "counting_tell" in b.key] == [f"counting_tell_{in_short.ORDER[-1]}"]


def test_what_a_sentence_rests_on_is_a_step_of_the_story_or_of_a_class():
    names = {stop.name for stop in (*ROUTES["story"], *ROUTES["90"])}
    assert {name for shown in in_short.RESTS_ON.values() for name in shown} <= names


def answered(query=()):
    """The page with the predictions made that the six sentences wait for."""
    at = page(dict(query))
    commit(at, "products", "66 and 66")
    return at


def test_the_story_ends_with_six_questions_and_tells_each_that_is_pressed():
    at = answered()
    asked = [b.label for b in at.button if b.key.startswith("counting_tell")]
    assert len(asked) == 6 and "shares" not in text(at) and "7 more passes" not in text(at)
    press(at, "counting_tell_1")
    assert says(text(at), "7 more passes") and "shares" not in text(at)
    (figure,) = (f for f, alt in figures(at) if "six numbered parts" in alt)
    assert "1 pass, then 7" in str(figure) and "never ahead" not in str(figure)
    shown = page(answers="shown", slide=6)
    assert (
        not [b for b in shown.button if b.key.startswith("counting_tell")]
        and says(text(shown), "in shares")
        and says(text(shown), "7 more passes")
    )


def parts(told, length=(4, 8)):
    """What the machine of the end is drawn of."""
    drawn = six_parts.six_parts(Sheet(), [""] * 6, told, True, length, [0.5, 0.5])
    return drawn.to_plotly_json()["layout"]["shapes"]


def test_the_machine_of_the_end_is_at_work_before_any_part_of_it_is_told():
    """The weights were an empty square, and nothing led from one part to the next."""
    colors, drawn = Sheet().colors, parts([False] * 6)
    seen = [
        s for s in drawn if s.get("fillcolor") in [faded(colors, c, six_parts.UNTOLD) for c in (colors.prefill, colors.decode)]
    ]
    # Who looks at whom: eleven rows, each itself and those above it.
    assert sum(s["path"].count("M") for s in seen) == 11 * 12 / 2
    ways = [s["path"] for s in drawn if s["type"] == "path" and s["line"].get("color") == colors.bar]
    assert sum("C" in way and way.count("M") == 11 for way in ways) == 1  # from the newest query to every key
    edges = [sum(s["type"] == "path" and s["line"].get("color") == colors.ink for s in parts([k == 3 for k in range(6)])), 2]
    assert edges[0] == edges[1] + 1  # the lines of two numbers, and where nobody looks ahead


@pytest.mark.parametrize("phone", [False, True])
def test_the_parts_of_the_machine_are_numbered_as_they_are_read_and_so_are_the_cards(phone):
    """The circles said 2, 3, 4, 1, 6, 5."""
    words = six_parts.six_parts(Sheet(phone=phone), [""] * 6, [False] * 6, True, (4, 8), [0.5, 0.5]).data[-1]
    at = [(y, x, text[3]) for x, y, text in zip(words.x, words.y, words.text, strict=True) if re.fullmatch(r"<b>\d</b>", text)]
    assert "".join(number for *_, number in sorted(at, key=lambda place: (abs(place[0]), place[1]))) == "123456"
    asked = [b.label for b in page(slide=6).button if b.key.startswith("counting_tell")]
    assert [label[:2] for label in asked] == [f"{k}." for k in range(1, 7)] and "two phases" in asked[0]


def test_on_a_projector_what_it_costs_is_a_sentence_and_the_figure_says_the_rest():
    """It was a note of five lines."""
    said = [text(page(slide=5, answers="shown", **more)) for more in ({}, {"present": "on"})]
    assert all(says(one, "8,192 tokens", "4.8 ms", "empty cache for 4.5 ms") for one in said)
    assert [says(one, "the arithmetic alone takes") for one in said] == [True, False]


def test_no_line_of_the_machine_of_the_end_crosses_another_and_its_lower_numbers_are_whole():
    """The way of the values ran through that of the next word, and two circles were flat at the foot."""
    colors, drawn = Sheet().colors, parts([True] * 6)
    low = [
        max(float(y) for y in re.findall(r",([\d.]+)", shape["path"]))
        for color in (colors.value, colors.decode)
        for shape in drawn
        if shape["type"] == "path" and shape["line"].get("color") == color and shape["line"]["width"] == 3
    ]
    values, word = low[0], low[-1]
    figure = six_parts.six_parts(Sheet(), [""] * 6, [False] * 6, True, (4, 8), [0.5, 0.5])
    numbers = [
        abs(y) for y, text in zip(figure.data[-1].y, figure.data[-1].text, strict=True) if re.fullmatch(r"<b>\d</b>", text)
    ]
    assert values + 6 < word < max(numbers) - 17 and max(numbers) + 17 <= figure.layout.height


@pytest.mark.parametrize(("p", "g"), [(8, 3), (2, 5)])
def test_the_machine_of_the_end_is_of_its_numbers(p, g):
    """“Its 8 rows” stood beside a picture of 4."""
    (keys,) = (shape for shape in parts([True] * 6, (p, g)) if shape.get("fillcolor") == Sheet().colors.key)
    tokens = [shape for shape in parts([k == 1 for k in range(6)], (p, g)) if shape.get("fillcolor") == Sheet().colors.decode]
    assert keys["path"].count("M") == p + g - 1 and len(tokens) - 1 == g - 1  # and the head of its arrow


def test_of_an_answer_of_one_token_nothing_is_decode_but_the_word():
    fills = [shape.get("fillcolor") for shape in parts([k != 1 for k in range(6)], (3, 1))]
    assert Sheet().colors.decode not in fills and Sheet().colors.prefill in fills


@pytest.mark.parametrize("k", range(6))
def test_a_part_of_the_machine_of_the_end_lacks_what_is_asked_until_that_is_told(k):
    """All stood complete above the questions: what is kept had its frame around it."""
    asked, told = (set(map(str, parts([told and part == k for part in range(6)]))) for told in (False, True))
    assert asked and len(told - asked) >= 1


def test_the_story_ends_with_six_sentences_and_their_numbers():
    said = six(answered())
    assert len(said) == 6 and next(iter(said)) == "Why two phases?"
    assert says(said["Why two phases?"], "4 rows", "one pass", "7 more passes", "8 words")
    assert says(said["What is kept?"], "11 tokens", "no query")
    assert says(said["Why does what is kept stay true?"], "mask", "never")
    assert says(said["What does the cache not save?"], "prefill", "66", "mask")


def test_what_a_real_model_keeps_is_what_its_config_gives():
    """Llama-3.1-8B's config.json: 32 layers, 8 key/value heads of 4096 / 32 = 128 numbers, 2 bytes each."""
    per_token = 2 * 32 * 8 * (4096 // 32) * 2
    said = six(page(slide=6))["What does the cache cost?"]
    assert per_token == 131_072 and says(said, "131.07 kB")
    assert in_short.CHAT * per_token == 1_073_741_824 and says(said, "1.07 GB", "8,192")


def path_x(path):
    """From where to where a path goes across."""
    across = [float(x) for x in re.findall(r"[ML](-?[\d.]+),", path)]
    return min(across), max(across)


@pytest.mark.parametrize("n", [1, 128, 8192, 131_072, 2**20])  # the last is more than the model was trained for
def test_what_a_conversation_costs_is_bytes_kept_and_bytes_read(n):
    """By hand: 131,072 bytes a token; a step reads them and 8.03 billion weights without the 128,256 · 4,096 of the embedding,
    2 bytes each, at an H100's 3.35 TB/s."""
    at, n = page(context=str(n), slide=5), min(n, 131_072 // 8)  # the longest would answer what is asked
    kept, weights = 131_072 * n, 2 * (8_030_261_248 - 128_256 * 4096)
    ((figure, alt),) = ((f, a) for f, a in figures(at) if "KV cache of" in a)
    assert says(alt, f"{n:,} token", f"{kept:,} bytes") and says(str(figure), "131.07 kB a token", decimal_bytes(kept))
    assert "17.18 GB" in figure_of_answer(n) and "17.18" not in str(figure)  # which is asked for
    assert says(alt, "reads", "15.01 GB") and says(str(figure), "15.01 GB") and "16.06" not in str(figure)  # see by_hand
    bars = [path_x(shape["path"]) for shape in figure["layout"]["shapes"][:3]]  # weights, keys, values: one after another
    widths = [right - left for left, right in bars]
    assert bars[0][0] == 0 and bars[0][1] == bars[1][0] and bars[1][1] == bars[2][0]
    assert widths[1] + widths[2] == pytest.approx(max(widths[0] * kept / weights, 2 / WIDTH), rel=0.001, abs=2e-5)  # two pixels
    full, empty = [1e3 * (weights + cache) / 3.35e12 for cache in (kept, 0)]
    ((said, by_hand),) = ((m.value, m.help) for m in at.markdown if says(m.value, "arithmetic", "ms"))
    assert says(said, f"at {n:,} token{'s' * (n > 1)} ", f"{full:.1f} ms", "empty", f"{empty:.1f} ms", "arithmetic")
    flops = 2 * weights / 2 + 4 * n * 4096 * 32  # products and sums: of each parameter, and of each kept number in 32 layers
    arithmetic = float(re.search(r"arithmetic alone takes \*\*([\d.]+) ms", said)[1])
    assert arithmetic == pytest.approx(1e3 * flops / 989.4e12, rel=0.06, abs=0.001)
    assert says(said, "1 tokens") is False
    assert says(by_hand, "8,030,261,248", "2 bytes", "16.06 GB", "1.05 GB")
    assert says(by_hand, "3.35 TB") and says(by_hand, f"{full:.1f} ms")


def test_the_longest_conversation_is_shown_once_it_has_been_asked_about():
    """Drawn to its end the slider printed the answer, 17.18 GB, above the open question."""
    with all_answered():
        assert any("131,072 tokens" in alt and "17,179,869,184 bytes" in alt for alt in alts(page(context="131072", slide=5)))


def test_in_the_story_the_time_waits_for_the_longest_conversation():
    """Eight numbers stood beside the question for one."""
    at = page(route="story", slide=5)
    assert " ms" not in text(at)
    commit(at, "longest", "17.18 GB")
    empty, full = (bytes_ / 3.35e12 * 1e3 for bytes_ in (15.01e9, 15.01e9 + 17.18e9))
    assert says(text(at), f"{empty:.1f} ms", f"{full:.1f} ms")


def figure_of_answer(n):
    """What the cost's figure says once the longest conversation has been guessed."""
    at = page(context=str(n))
    assert right(commit(at, "longest", "17.18 GB"), "17.18 GB")  # 131,072 tokens of 131,072 bytes
    return str(next(f for f, a in figures(at) if "KV cache of" in a)) if n < 100_000 else "17.18 GB"


@pytest.mark.parametrize(("guess", "marks"), [("171.8 MB", 1), ("171.8 GB", 1), ("17.18 GB", 0)])
def test_a_wrong_guess_is_drawn_beside_the_longest_conversation(guess, marks):
    at = page(slide=5)
    assert "your guess" not in str(figures(at))
    commit(at, "longest", guess)
    figure = str(next(f for f, alt in figures(at) if "KV cache of" in alt))
    assert figure.count(f"your guess: <b>{guess}</b>") == marks and "17.18 GB" in figure


def test_the_six_sentences_do_not_answer_a_question_that_is_still_open():
    at = page(slide=6)
    assert says(six(at)["What is kept?"], "11 tokens") and "66" not in six(at)["What does the cache not save?"]


def test_the_six_sentences_hold_for_the_shortest_and_the_longest():
    said = six(page(p="1", g="1", slide=6))
    assert says(said["Why two phases?"], "1 row", "one pass") and "1 rows" not in said["Why two phases?"]
    assert "more pass" not in said["Why two phases?"] and "more pass" in six(page(g="2", slide=6))["Why two phases?"]
    assert says(said["What is kept?"], "1 token") and not says(said["What is kept?"], "1 tokens")
    assert says(said["What does the cache not save?"], "1")
    assert says(six(page(g="2", slide=6))["Why two phases?"], "1 more pass")
    assert not says(six(page(g="2", slide=6))["Why two phases?"], "1 more passes")
    said = six(page(p="100000", g="100000", slide=6))
    assert says(said["Why two phases?"], "100,000 rows", "99,999 more passes")
    assert says(said["What is kept?"], "199,999 tokens")
    assert 199_999 * 200_000 // 2 == 19_999_900_000 and says(said["What does the cache not save?"], "2.000·10¹⁰")


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"causal": False}, ("mask is off",)),
        ({"rules": ("even", "last")}, ("not", "head 2")),
        ({"rules": ("last", "even", "last"), "causal": False}, ("not", "heads 1 and 3")),
        ({"empty_row": "fill"}, ("matches nothing", "ahead")),
        ({"empty_row": "nan"}, ("mask", "never")),
    ],
)
def test_why_it_stays_true_is_said_of_the_scenario(changed, wanted):
    w_vocab = {"w_vocab": TEXT.w_vocab[: len(changed["rules"])]} if "rules" in changed else {}
    scenario = replace(TEXT, **w_vocab, **changed)
    said = six(page(scenario_query.to_query(scenario), slide=6))["Why does what is kept stay true?"]
    assert says(said, *wanted)
    assert says(said, "mask is off") == (wanted == ("mask is off",)) and (" head" in said) == ("rules" in changed)


def test_they_are_longest_where_an_empty_row_is_filled():
    """That they fit a screen there is measured in a browser."""
    ways = [{"empty_row": "fill"}, {"causal": False}, {"rules": ("last",) * 4}]
    fill, *others = (
        len(six(page(scenario_query.to_query(replace(TEXT, **way)), slide=6))["Why does what is kept stay true?"]) for way in ways
    )
    assert fill >= max(others) > 150


def test_one_layer_does_not_notice_what_deeper_layers_would():
    """What the sentences say of a mask that is off, and of −10⁹: the toy's kept keys and values are those of a new run."""
    for scenario in (replace(TEXT, causal=False), replace(TEXT, empty_row="fill"), replace(TEXT, rules=("last",) * 4)):
        model, ids = scenario.model(), scenario.prompt_ids
        part, whole = prefill(model, ids[:-1]).layers[0], prefill(model, ids).layers[0]
        same = np.array_equal(part.k, whole.k[:, :-1]) and np.array_equal(part.v, whole.v[:, :-1])
        assert same == ("last" not in str(scenario.rules))


SIZES = st.tuples(st.integers(1, 300), st.integers(1, 300))


@given(SIZES, st.booleans(), st.booleans())
def test_the_figures_are_valid_for_any_size(size, log, dark):
    p, g = size
    for figure in (
        one_step_reads.one_step_reads(Sheet(dark), kv_factors(costs.REAL, p * g), 15e9, 17e9, True, None),
        work_passes.work_passes(Sheet(dark), p, g),
        twice_as_long.twice_as_long(Sheet(dark, phone=log), p, g, dark),
        growth_curves.growth_curves(Sheet(dark, phone=log), p, g, dark),
        step_times.step_times(Sheet(dark), [TimedLength(8, 1e-4, 2e-4, 1, 8)]),
        step_times.step_times(Sheet(dark), stopwatch.lengths_not_timed()),
    ):
        valid(figure.to_plotly_json())


@given(st.integers(1, 12), st.integers(1, 12))
def test_the_strips_show_the_counts(p, g):
    for baseline in ("recompute", "cache"):
        for step in range(g):
            drawn = work_passes.segments(baseline, p, step)
            computed = sum(end - start for start, end, kind in drawn if kind != "read")
            assert computed == pass_counts(baseline, p, step).kv_rows
            assert drawn[0][0] == 0 and drawn[-1][1] == p + step
    shown = work_passes.work_passes(Sheet(), p, g).data[-1].text
    totals = [
        n for baseline in ("recompute", "cache") for n in (BASELINES[baseline](p, g).kv_rows, BASELINES[baseline](p, g).scores)
    ]
    assert {f"<b>{n:,}</b>" for n in totals} <= set(shown)


@given(st.integers(1, 12), st.integers(1, 12))
def test_what_is_read_is_as_high_as_the_columns_and_boxes_are_of_one_size(p, g):
    heights = [work_passes.segments("cache", p, step)[-1][1] for step in range(g)]
    assert twice_as_long.boxes_read(p, g) == sum(heights) == recomputed_counts(p, g).kv_rows
    shown = twice_as_long.twice_as_long(Sheet(), p, g, True).data[-1].text
    assert {f"<b>{twice_as_long.boxes_read(k * p, k * g):,}</b>" for k in (1, 2)} <= set(shown)
    phone = twice_as_long.twice_as_long(Sheet(phone=True), p, g, True)
    assert {f"<b>{twice_as_long.boxes_read(k * p, k * g):,}</b>" for k in (1, 2)} <= set(phone.data[-1].text)
    hidden = twice_as_long.twice_as_long(Sheet(), p, g, False).data[-1].text
    assert f"<b>{twice_as_long.boxes_read(2 * p, 2 * g):,}</b>" not in hidden and "<b>?</b>" in hidden


def test_a_thousand_passes_are_a_small_figure():
    assert len(work_passes.work_passes(Sheet(), 1000, 1000).to_json()) < 40_000


def test_the_curves_go_through_the_engines_numbers():
    texts = growth_curves.growth_curves(Sheet(), 4, 8).data[-1].text
    assert {"<b>×4.78</b>", "<b>×2.88</b>", "<b>×3.07</b>", "<b>×1.73</b>"} <= set(texts)
    assert [sum(text.endswith(f" {power}") for text in texts) > 0 for power in ("N³", "N²", "N")] == [True] * 3
    assert last_query_counts(4, 8).scores == 66


@given(SIZES)
def test_no_work_more_than_doubles_thrice_when_the_answer_doubles_and_the_axis_ends_there(size):
    by = [growth_curves.doubling(c.baseline, c.kind, *size) for c in growth_curves.CURVES]
    assert min(by) > 1 and max(by) <= growth_curves.TIMES[-1]


def test_every_pass_up_to_forty_is_drawn_and_the_first_and_last_of_more():
    assert row_strips.sampled(40) == list(range(40)) and row_strips.sampled(1) == [0]
    assert (
        row_strips.sampled(1000)[0] == 0
        and row_strips.sampled(1000)[-1] == 999
        and len(row_strips.sampled(1000)) == row_strips.MAX_STRIPS
    )


@given(SIZES, st.booleans())
def test_no_name_of_a_pass_touches_that_of_the_next(size, phone):
    names = [f"{k + 1:,}" for k in row_strips.sampled(size[1])]
    labelled = work_passes._labelled(names, 200.0 if phone else 350.0)
    assert labelled[0][0] == 0 and labelled[-1][0] == len(names) - 1
    half = [7.0 * len(names[k]) / 2 for k, _ in labelled]
    for (_, x0), (_, x1), a, b in zip(labelled, labelled[1:], half, half[1:], strict=False):
        assert x0 + a < x1 - b


def test_a_later_pass_stands_further_right_and_a_later_token_further_down():
    """Here passes were lines and tokens columns, in the overview passes columns and tokens rows."""
    sheet = Sheet()
    row_strips.strips(sheet, (0, 0, 1, 90), [[(0, 2, "prefill")], [(0, 2, "again"), (2, 3, "new")]], 3)
    drawn = [(x, y, text) for x, y, text, *_ in sheet.words]
    assert drawn == [(0.25, 15, "+"), (0.25, 45, "+"), (0.75, 15, "↻"), (0.75, 45, "↻"), (0.75, 75, "+")]


@pytest.mark.parametrize(("p", "g"), [(4, 8), (1, 1), (2048, 2048)])
def test_on_a_phone_the_two_runs_are_all_that_is_drawn_and_have_its_width(p, g):
    """Two small staircases stood above a triangle, and what was answered beneath the screen."""
    figure = valid(work_passes.work_passes(Sheet(phone=True), p, g).to_plotly_json())
    shown = figure.data[-1].text
    for baseline in ("recompute", "cache"):
        assert f"<b>{work_passes.count(BASELINES[baseline](p, g).kv_rows, work_passes.WIDEST)}</b>" in shown
    assert figure.layout.height < 560 and not any("×" in text for text in shown)
    if p == 4:
        commit(at := page(slide=1), "double_scores", "×4")
        assert any("503,506 and 2,007,006" in alt for _, alt in figures(at))
