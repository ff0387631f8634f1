"""The counting lesson: the article's table, its doubling factors and its questions, read off the page."""

from dataclasses import replace
from functools import partial

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lessons import BIG, commit, text, visited
from test_toy import CODE, TEXT

from engine.append import STRATEGIES, simulate
from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.stopwatch import Lap
from engine.ways import WAYS, pass_counts
from pages.parts import counting_view, link, stopwatch_view
from pages.parts.figures import append_strips, growth_curves, step_times, strips, work_passes

page = partial(visited, "counting")


def table(at):
    return next(m.value for m in at.markdown if m.value.startswith("| For one head"))


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
    rows = table(page(p=str(p), g=str(g))).split("\n")[2:]
    for row, numbers in zip(rows, (without, last, cached), strict=True):
        cells = row.strip("| ").split(" | ")[1:]
        assert [cell.split("<br>")[0] for cell in cells] == [f"**{n:,}**" for n in numbers]


def test_the_gain_of_a_thousand_tokens_is_the_articles():
    shown = text(page(p="1000", g="1000"))
    assert "**1,999** K/V rows instead of 1,499,500 (×750)" in shown and "1,999,000 (×584)" in shown


def test_the_engine_counts_what_the_formulas_say_and_stops_where_it_would_take_long():
    assert "60, 60 and 276 without a cache, 11, 11 and 66 with it: **equal to the formulas**" in text(page())
    assert "equal to the formulas" in text(page({**link.to_query(replace(CODE, causal=False, empty_row="nan"))}))
    assert "By formula: nothing of this size is run" in text(page(g="1000"))


def test_a_miscount_would_be_said(monkeypatch):
    monkeypatch.setattr(counting_view, "counted", lambda *a, **k: cached_counts(4, 8))
    assert "**not what the formulas say**" in text(page())


def test_the_questions_keys_are_the_articles():
    assert "**22**, as you predicted" in commit(page(), "rows_without", 22.0)
    assert "**7**, as you predicted" in commit(page(), "rows_with", 7.0)
    at = page()
    assert "computed: **28 and 28**" in commit(at, "products", "74 and 28")
    assert "not one score product" in text(at) and "come from them: 74." in text(at)
    assert "**2**, as you predicted" in commit(page(), "double_rows", 2.0)
    assert "**4**, as you predicted" in commit(page(), "double_scores", 4.0)
    assert "**15**, as you predicted" in commit(page(), "copied", 15.0)


def test_the_page_does_not_show_the_answers_of_its_questions():
    for query in ({}, {"g": "4"}):
        before = text(page(**query)).split("A prompt of 4")[0]
        p, g = 4, 6 if query else 4
        for n in (recomputed_counts(p, g).kv_rows, cached_counts(p, g).kv_rows):
            assert f"**{n}**" not in before and f" {n} " not in before


SCENARIOS = [
    replace(TEXT, tokens=("a",), values=(4,)),
    replace(TEXT, tokens=("a", "b", "c", "d", "e", "f"), values=(1, 2, 3, 4, 5, 6), rules=("none",), w_vocab=((1, 0, 0),)),
    replace(TEXT, causal=False, empty_row="nan", tokens=("a", "b"), values=(1, 2)),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_keys_are_computed_anew_for_another_scenario(scenario):
    query, p = link.to_query(scenario), len(scenario.tokens)
    assert "as you predicted" in commit(page(query), "rows_without", float(sum(range(p, p + 4))))
    assert "as you predicted" in commit(page(query), "rows_with", float(p + 3))
    n = sum(range(1, p + 4))
    assert "as you predicted" in commit(page(query), "products", f"{n} and {n}")
    assert "as you predicted" in commit(page(query), "double_scores", 4.0)
    assert "as you predicted" in commit(page(query), "copied", float(sum(range(p, p + 3))))


def test_what_linear_is_true_of_is_said_with_its_factors():
    shown = text(page(p="1"))
    for factor in ("×2.000 with it", "×3.998 without", "×3.998; recomputing", "×7.988"):
        assert factor in shown


@pytest.mark.parametrize(
    "query",
    [
        {"p": "1", "g": "1"}, {"p": "100000", "g": "100000"}, {"p": "37", "g": "0"}, {"p": "-1", "g": "9" * 99},
        {"p": "nan", "g": "4.5", "view": "cubic"}, {"view": "linear", "g": "100000"}, BIG, {"g": "29"}, {"g": "30"},
    ],
)  # fmt: skip
def test_any_link_gives_a_lesson(query):
    at = page(query)
    assert len(at.get("bidi_component") or at.markdown) and not at.exception
    sliders = {s.key: s.value for s in at.select_slider}
    assert 1 <= sliders["extra_p"] <= counting_view.MOST and 1 <= sliders["extra_g"] <= counting_view.MOST
    if query.get("p") == "37":
        assert sliders == {"extra_p": 37, "extra_g": 1}


def test_a_moved_slider_is_kept_in_the_link_and_its_default_is_not():
    at = page()
    next(s for s in at.select_slider if s.key == "extra_g").set_value(100).run()
    assert at.session_state["extras"]["g"] == "100" and "**103** K/V rows instead of 5,350" in text(at)
    next(s for s in at.select_slider if s.key == "extra_g").set_value(8).run()
    assert at.session_state["extras"]["g"] == ""


def test_time_is_measured_on_request_kept_for_the_visit_and_set_beside_the_counts(monkeypatch):
    calls = []
    lap = Lap(64, 0.001, 0.008, 100, 6400)
    monkeypatch.setattr(stopwatch_view, "laps", lambda model: calls.append(model) or (lap,))
    monkeypatch.setattr(stopwatch_view, "race", lambda *a, **k: (0.001, 0.0015))
    at = page()
    assert "Press the button" in text(at) and not calls
    next(b for b in at.button if b.key == "measure").click().run()
    at.run()
    assert not at.exception and len(calls) == 1
    assert "took ×8.00 less time, **8.0 times less than the ×64.0 of the operations**" in text(at)
    assert "P = 4, G = 8: 1.5 ms without a cache, 1 ms with it, ×1.50; K/V rows ×5.45, products ×4.18" in at.caption[0].value


def test_a_busy_machine_is_named_rather_than_believed():
    said = stopwatch_view._measured_in_words(Lap(64, 0.001, 0.1, 100, 6400))
    assert "more than the ×64.0 of the operations" in said and "measure again" in said


def test_the_measurement_itself_runs():
    at = page(p="1", g="1")
    next(b for b in at.button if b.key == "measure").click().run()
    assert not at.exception and at.session_state["laps"][0].n_tokens == 8


SIZES = st.tuples(st.integers(1, 300), st.integers(1, 300))


@settings(max_examples=40)
@given(SIZES, st.booleans(), st.booleans())
def test_the_figures_are_valid_for_any_size(size, log, dark):
    p, g = size
    n = p + g - 1
    for figure in (
        work_passes.work_passes(p, g, dark),
        growth_curves.growth_curves(p, g, log, dark),
        append_strips.append_strips(p, n, counting_view.room(n), 16, 73_728, dark, zoom=1.15),
        step_times.step_times([Lap(8, 1e-4, 2e-4, 1, 8)], dark),
    ):
        go.Figure(figure.to_plotly_json())


@given(st.integers(1, 12), st.integers(1, 12))
def test_the_strips_show_the_counts(p, g):
    for way in ("recompute", "cache"):
        for step in range(g):
            drawn = work_passes.segments(way, p, step)
            computed = sum(end - start for start, end, kind in drawn if kind != "kept")
            assert computed == pass_counts(way, p, step).kv_rows
            assert drawn[0][0] == 0 and drawn[-1][1] == p + step
    shown = work_passes.work_passes(p, g).data[-1].text
    totals = [n for way in ("recompute", "cache") for n in (WAYS[way](p, g).kv_rows, WAYS[way](p, g).scores)]
    assert {f"<b>{n:,}</b>" for n in totals} <= set(shown)


@given(st.integers(1, 12), st.integers(0, 30), st.sampled_from(STRATEGIES))
def test_the_append_strips_are_the_simulation(p, more, strategy):
    n = p + more
    room = counting_view.room(n)
    drawn = [append_strips.arrival(strategy, p, k, room, 4) for k in range(p, n + 1)]
    assert tuple(drawn) == simulate(strategy, p, n, room, 4)[0]
    shown = append_strips.shown(p, n)
    copying = [i for i, a in enumerate(drawn) if strategy == "double" and a.copied]
    assert set(copying) <= set(shown) and shown[0] == 0 and shown[-1] == more


def test_a_thousand_rows_are_a_small_figure_in_which_the_copies_still_show():
    figure = append_strips.append_strips(4, 1003, 1024, 16, 73_728)
    assert len(figure.to_json()) < 40_000
    copied = {append_strips.arrival("double", 4, 4 + i, 1024, 16).copied for i in append_strips.shown(4, 1003)}
    assert {64, 128, 256, 512} <= copied  # the first few fall on one strip
    assert len(work_passes.work_passes(1000, 1000).to_json()) < 40_000


def test_the_curves_end_at_the_engines_numbers_and_the_plain_axis_is_plain():
    texts = growth_curves.growth_curves(4, 8).data[-1].text
    assert {"276", "1,320", "66", "190", "60", "184", "11", "19", "<b>×4.783</b>", "<b>×1.727</b>"} <= set(texts)
    assert {"grows as N³", "grows as N²", "grows as N"} <= set(texts)
    assert strips.count(last_query_counts(4, 8).scores) in texts


def test_every_pass_up_to_forty_is_drawn_and_the_first_and_last_of_more():
    assert strips.sampled(40) == list(range(40)) and strips.sampled(1) == [0]
    assert strips.sampled(1000)[0] == 0 and strips.sampled(1000)[-1] == 999 and len(strips.sampled(1000)) == strips.MAX_STRIPS
