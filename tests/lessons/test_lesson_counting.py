"""The counting lesson: the article's table, its doubling factors and its questions, read off the page."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest
from app_pages import BIG, commit, figures, text, visited
from hypothesis import given, settings
from hypothesis import strategies as st
from scenarios import CODE, TEXT

from engine import prefill
from engine.cost.multiplication import kv_factors
from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.timing.one_step import TimedLength
from engine.work.baselines import BASELINES, pass_counts
from pages.lessons.counting import costs, in_short, steps, stopwatch
from pages.lessons.counting.figures import growth_curves, one_step_reads, step_times, work_passes
from pages.parts.drawing import row_strips
from pages.parts.sharing import turns
from pages.parts.text import amounts
from pages.parts.visit import link

page = partial(visited, "counting", steps="all")


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
    at = page(p=str(p), g=str(g))
    commit(at, "products", "66 and 66")
    rows = table(at).split("\n")[2:]
    for row, numbers in zip(rows, (without, last, cached), strict=True):
        cells = row.strip("| ").split(" | ")[1:]
        assert [cell.split("<br>")[0] for cell in cells] == [f"**{n:,}**" for n in numbers]


def test_the_gain_of_a_thousand_tokens_is_the_articles():
    shown = text(page(p="1000", g="1000"))
    assert "**1,999** K/V rows instead of 1,499,500 (×750)" in shown and "1,999,000 products (×584)" in shown


def test_the_engine_counts_what_the_formulas_say_and_stops_where_it_would_take_long():
    at = page()
    commit(at, "rows_with", 11.0)
    commit(at, "products", "66 and 66")
    assert "60, 60 and 276 without a cache, 11, 11 and 66 with it: **equal to the formulas**" in text(at)
    for at, said in (
        (page({**link.to_query(replace(CODE, causal=False, empty_row="nan"))}, g="9"), "equal to the formulas"),
        (page(g="1000"), "By formula: nothing of this size is run"),
    ):
        commit(at, "products", "66 and 66")
        assert said in text(at)


def test_a_miscount_would_be_said(monkeypatch):
    monkeypatch.setattr(steps, "counted", lambda *a, **k: cached_counts(4, 9))
    at = page(g="9")
    commit(at, "products", "66 and 66")
    assert "**not what the formulas say**" in text(at)


def test_the_questions_keys_are_the_articles():
    at = page()
    assert "**22**, as you predicted" in commit(at, "rows_without", 22.0)
    assert "**11**, as you predicted" in commit(at, "rows_with", 11.0)
    assert "computed: **66 and 66**" in commit(at, "products", "276 and 66")
    assert "saves no product" in text(at) and "keys: 276 products." in text(at)
    assert "**2**, as you predicted" in commit(at, "double_rows", 2.0)
    assert "**4**, as you predicted" in commit(at, "double_scores", 4.0)
    assert "**15**, as you predicted" in commit(at, "copied", 15.0)


def test_figures_and_table_wait_for_the_answers_on_the_way():
    at = page()
    (passes, alt), (growth, growth_alt), *_ = figures(at)
    assert (
        "With a cache" not in alt and "<b>11</b>" not in str(passes) and "multiplies" not in growth_alt and "×" not in str(growth)
    )
    assert table(at).count("**?**") == 3 and "instead of" not in text(at) and "true of keys and values" not in text(at)
    for key, guess in (("rows_with", 11.0), ("products", "66 and 66"), ("double_scores", 4.0)):
        commit(at, key, guess)
    (passes, alt), (growth, growth_alt), *_ = figures(at)
    assert "together 11 rows" in alt and "<b>11</b>" in str(passes) and "multiplies" in growth_alt and "×1.727" in str(growth)
    assert "?" not in table(at) and "instead of 60" in text(at) and "true of keys and values" in text(at)


def test_another_answer_than_the_one_asked_about_hides_only_that_two_ways_are_equal():
    """At 24 the table showed 378 twice, beside the question which two are equal at 8."""
    at = page(g="9")
    assert "With a cache" in figures(at)[0][1] and table(at).count("**?**") == 2 and "N(N+1)/2" not in table(at)
    commit(at, "products", "66 and 66")
    assert "?" not in table(at)


def test_the_page_does_not_show_the_answers_of_its_further_questions():
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
    p = len(scenario.tokens)
    at = page(link.to_query(scenario))
    assert "as you predicted" in commit(at, "rows_without", float(sum(range(p, p + 4))))
    assert "as you predicted" in commit(at, "rows_with", float(p + 7))
    n = sum(range(1, p + 8))
    assert "as you predicted" in commit(at, "products", f"{n} and {n}")
    assert "as you predicted" in commit(at, "double_scores", 4.0)
    assert "as you predicted" in commit(at, "copied", float(sum(range(p, p + 3))))


def test_what_linear_is_true_of_is_said_with_its_factors():
    at = page(p="1")
    commit(at, "double_scores", 4.0)
    for factor in ("×2.00 the rows with a cache", "×4.00 without", "×4.00 the products with a cache", "×7.99 without"):
        assert factor in text(at)


@pytest.mark.parametrize(
    "query",
    [
        {"p": "1", "g": "1"}, {"p": "100000", "g": "100000"}, {"p": "37", "g": "0"}, {"p": "-1", "g": "9" * 99},
        {"p": "nan", "g": "4.5", "axes": "cubic"}, {"view": "linear", "g": "100000"}, BIG, {"g": "29"}, {"g": "30"},
    ],
)  # fmt: skip
def test_any_link_gives_a_lesson(query):
    at = page(query)
    sliders = {s.key: s.value for s in at.select_slider}
    assert 1 <= sliders["extra_p"] <= steps.MOST and 1 <= sliders["extra_g"] <= steps.MOST
    axes = next(w.value for w in at.segmented_control if w.key == "extra_axes")
    assert axes == ("linear" if query.get("view") else "log")  # "view" is the parameter's earlier name
    if query.get("p") == "37":
        assert (sliders["extra_p"], sliders["extra_g"]) == (37, 1)


def test_a_moved_slider_is_kept_in_the_link_and_its_default_is_not():
    at = page()
    next(s for s in at.select_slider if s.key == "extra_g").set_value(100).run()
    assert at.session_state["extras"]["g"] == "100" and "**103** K/V rows instead of 5,350" in text(at)
    next(s for s in at.select_slider if s.key == "extra_g").set_value(8).run()
    assert at.session_state["extras"]["g"] == ""


def test_time_is_measured_on_request_kept_for_the_visit_and_set_beside_the_counts(monkeypatch):
    calls = []
    lap = TimedLength(64, 0.001, 0.008, 100, 6400)
    monkeypatch.setattr(stopwatch, "timed_lengths", lambda model, **_: calls.append(model) or (lap,))
    monkeypatch.setattr(stopwatch, "best_times", lambda *a, **k: (0.001, 0.0015))
    at = page()
    assert "measured when you press" in text(at) and not calls and "×64.0" in str(figures(at)[2][0])
    next(b for b in at.button if b.key == "measure").click().run()
    at.run()
    assert not at.exception and len(calls) == 1
    assert (
        "took ×8.00 less time, though it had ×64.0 fewer operations: **the clock gives 8.0 times less than the count**"
        in text(at)
    )
    (whole,) = (m.help for m in at.markdown if "less time" in m.value)
    assert "P = 4, G = 8: 1.5 ms without a cache, 1 ms with it, ×1.50; K/V rows ×5.45, products ×4.18" in whole


def test_one_visitor_measures_at_a_time_and_who_waits_too_long_is_told(monkeypatch):
    """Six tabs that pressed the button took the interpreter from one another, and from everybody else."""
    monkeypatch.setattr(stopwatch, "QUEUE_S", 0)
    at = page()
    with stopwatch._ONE_AT_A_TIME:  # another visitor measures
        next(b for b in at.button if b.key == "measure").click().run()
    assert "Others have been measuring for 0 s. Press the button again." in text(at) and not at.exception
    next(b for b in at.button if b.key == "measure").click().run()
    assert at.session_state["timed_lengths"] and stopwatch._ONE_AT_A_TIME.acquire(0)
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
        assert clock() == 1.0 and turns.mine()


def test_a_busy_machine_is_named_rather_than_believed():
    said = stopwatch._measured_in_words(TimedLength(64, 0.001, 0.1, 100, 6400))
    assert "more than the ×64.0 of the operations" in said and "measure again" in said


def test_the_measurement_itself_runs():
    at = page(p="1", g="1")
    next(b for b in at.button if b.key == "measure").click().run()
    assert not at.exception and at.session_state["timed_lengths"][0].n_tokens == 8


def five(at):
    """The five sentences, each by the words that open it."""
    (said,) = (m.value for m in at.markdown if m.value.startswith("1. **Why two phases?**"))
    return dict(line.removeprefix("1. **").split("** ", 1) for line in said.split("\n"))


def answered(query=()):
    """The page with the predictions made that the five sentences wait for."""
    at = page(dict(query))
    commit(at, "rows_with", 11.0)
    commit(at, "products", "66 and 66")
    return at


def test_the_story_ends_with_five_sentences_and_their_numbers():
    said = five(answered())
    assert len(said) == 5 and next(iter(said)) == "Why two phases?"
    assert (
        "its 4 rows go through the model in **one pass**" in said["Why two phases?"]
        and "**7 more passes**" in said["Why two phases?"]
    )
    assert (
        "each of the **11** tokens read" in said["What is kept?"]
        and "no query, score or attention weight" in said["What is kept?"]
    )
    assert said["Why does it stay true?"].startswith("Under the causal mask a row **never looks ahead**")
    assert "here **66** a head under the mask" in said["What does it not save?"]


def test_what_a_real_model_keeps_is_what_its_config_gives():
    """Llama-3.1-8B's config.json: 32 layers, 8 key/value heads of 4096 / 32 = 128 numbers, 2 bytes each."""
    per_token = 2 * 32 * 8 * (4096 // 32) * 2
    said = five(page())["What does it cost?"]
    assert per_token == 131_072 and "2 × 32 layers × 8 key/value heads × 128 numbers × 2 bytes = **131,072 bytes**" in said
    assert in_short.CHAT * per_token == 2**30 and "**1 GiB** for 8,192" in said


def path_x(path):
    """From where to where a path goes across."""
    across = [float(x) for x in re.findall(r"[ML](-?[\d.]+),", path)]
    return min(across), max(across)


@pytest.mark.parametrize("n", [1, 128, 8192, 131_072, 2**20])  # the last is more than the model was trained for
def test_what_a_conversation_costs_is_bytes_kept_and_bytes_read(n):
    """By hand: 131,072 bytes a token; a step reads them and 8.03 billion weights without the 128,256 · 4,096 of the embedding,
    2 bytes each, at an H100's 3.35 TB/s."""
    at, n = page(context=str(n)), min(n, 131_072)
    kept, weights = 131_072 * n, 2 * (8_030_261_248 - 128_256 * 4096)
    figure, alt = next((f, a) for f, a in figures(at) if "One decode step reads" in a)
    assert f"is {kept:,} bytes" in alt and f"{n:,} tokens" in alt and f"= {kept:,} bytes" in str(figure)
    bars = [path_x(shape["path"]) for shape in figure["layout"]["shapes"][:3]]  # weights, keys, values: one after another
    widths = [right - left for left, right in bars]
    assert bars[0][0] == 0 and bars[0][1] == bars[1][0] and bars[1][1] == bars[2][0]
    assert widths[1] + widths[2] == pytest.approx(max(widths[0] * kept / weights, 2 / 950), rel=0.001, abs=2e-5)  # two pixels
    full, empty = [1e3 * (weights + cache) / 3.35e12 for cache in (kept, 0)]
    said, by_hand = next((m.value, m.help) for m in at.markdown if "each token adds" in m.value)
    assert f"so at {n:,} token{'s' * (n > 1)} a step" in said
    assert "**128 KiB**" in said and said.endswith(f"at least **{full:.1f} ms**, behind an empty cache {empty:.1f} ms.")
    assert "8,030,261,248 parameters of 2 bytes are 16.06 GB; of them a step does not read 1.05 GB" in by_hand
    assert "reads 3.35 TB a second" in by_hand and f"take {full:.1f} ms" in by_hand


def test_the_five_sentences_do_not_answer_a_question_that_is_still_open():
    at = page()
    assert "of every token read" in five(at)["What is kept?"] and "here" not in five(at)["What does it not save?"]
    commit(at, "rows_with", 9.0)
    assert "**11** tokens" in five(at)["What is kept?"] and "here" not in five(at)["What does it not save?"]


def test_the_five_sentences_hold_for_the_shortest_and_the_longest():
    said = five(page(p="1", g="1"))
    assert "its 1 row goes through the model in **one pass**, which also gives the answer’s only word" in said["Why two phases?"]
    assert "each of the **1** tokens" not in said["What is kept?"] and "the **1** token read" in said["What is kept?"]
    assert "here **1** a head" in said["What does it not save?"]
    assert "**1 more pass**" in five(page(g="2"))["Why two phases?"]
    said = five(page(p="100000", g="100000"))
    assert "its 100,000 rows go" in said["Why two phases?"] and "**99,999 more passes**" in said["Why two phases?"]
    assert "each of the **199,999** tokens" in said["What is kept?"]
    assert 199_999 * 200_000 // 2 == 19_999_900_000 and "here **2.000·10¹⁰** a head" in said["What does it not save?"]


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"causal": False}, "**The mask is off here**"),
        ({"rules": ("even", "last")}, "**Here it does not**: the key of head 2 says"),
        ({"rules": ("last", "even", "last"), "causal": False}, "**Here it does not**: the keys of heads 1 and 3 say"),
        ({"empty_row": "fill"}, "a row that matches nothing does look ahead"),
        ({"empty_row": "nan"}, "no later token changes an old key or value."),
    ],
)
def test_why_it_stays_true_is_said_of_the_scenario(changed, wanted):
    w_vocab = {"w_vocab": TEXT.w_vocab[: len(changed["rules"])]} if "rules" in changed else {}
    scenario = replace(TEXT, **w_vocab, **changed)
    assert wanted in five(page(link.to_query(scenario)))["Why does it stay true?"]


def test_one_layer_does_not_notice_what_deeper_layers_would():
    """What the sentences say of a mask that is off, and of −10⁹: the toy's kept keys and values are those of a new run."""
    for scenario in (replace(TEXT, causal=False), replace(TEXT, empty_row="fill"), replace(TEXT, rules=("last",) * 4)):
        model, ids = scenario.model(), scenario.prompt_ids
        part, whole = prefill(model, ids[:-1]).layers[0], prefill(model, ids).layers[0]
        same = np.array_equal(part.k, whole.k[:, :-1]) and np.array_equal(part.v, whole.v[:, :-1])
        assert same == ("last" not in str(scenario.rules))


SIZES = st.tuples(st.integers(1, 300), st.integers(1, 300))


@settings(max_examples=40)
@given(SIZES, st.booleans(), st.booleans())
def test_the_figures_are_valid_for_any_size(size, log, dark):
    p, g = size
    for figure in (
        one_step_reads.one_step_reads(kv_factors(costs.REAL, p * g), 15e9, dark),
        work_passes.work_passes(p, g, log, dark),
        growth_curves.growth_curves(p, g, log, dark, dark),
        step_times.step_times([TimedLength(8, 1e-4, 2e-4, 1, 8)], dark),
        step_times.step_times(stopwatch.untimed(), dark),
    ):
        go.Figure(figure.to_plotly_json())


@given(st.integers(1, 12), st.integers(1, 12))
def test_the_strips_show_the_counts(p, g):
    for baseline in ("recompute", "cache"):
        for step in range(g):
            drawn = work_passes.segments(baseline, p, step)
            computed = sum(end - start for start, end, kind in drawn if kind != "kept")
            assert computed == pass_counts(baseline, p, step).kv_rows
            assert drawn[0][0] == 0 and drawn[-1][1] == p + step
    shown = work_passes.work_passes(p, g).data[-1].text
    totals = [
        n for baseline in ("recompute", "cache") for n in (BASELINES[baseline](p, g).kv_rows, BASELINES[baseline](p, g).scores)
    ]
    assert {f"<b>{n:,}</b>" for n in totals} <= set(shown)


def test_a_thousand_passes_are_a_small_figure():
    assert len(work_passes.work_passes(1000, 1000).to_json()) < 40_000


def test_the_curves_end_at_the_engines_numbers_and_the_plain_axis_is_plain():
    texts = growth_curves.growth_curves(4, 8).data[-1].text
    assert {"276", "1,320", "66", "190", "60", "184", "11", "19", "<b>×4.783</b>", "<b>×1.727</b>"} <= set(texts)
    assert {"in the long run as N³", "in the long run as N²", "in the long run as N"} <= set(texts)
    assert amounts.count(last_query_counts(4, 8).scores) in texts


def test_every_pass_up_to_forty_is_drawn_and_the_first_and_last_of_more():
    assert row_strips.sampled(40) == list(range(40)) and row_strips.sampled(1) == [0]
    assert (
        row_strips.sampled(1000)[0] == 0
        and row_strips.sampled(1000)[-1] == 999
        and len(row_strips.sampled(1000)) == row_strips.MAX_STRIPS
    )
