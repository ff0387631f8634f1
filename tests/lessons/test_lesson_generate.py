"""The clock's lesson: the same answer twice, timed and compared; a stop that stops; races shared between visitors."""

from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest
from app_pages import commit, figures, press, text, visited

from engine import bundled, generate
from engine.timing.both_ways import BothWays, TimedStep
from pages.lessons.generate import compared, run
from pages.lessons.generate.figures.cache_fill import cache_fill
from pages.lessons.generate.figures.logit_gaps import logit_gaps
from pages.lessons.generate.figures.race_times import ceiling, race_times
from pages.parts.text.amounts import milliseconds

ROUNDED = "no, but the same within rounding"
page = partial(visited, "generate")


def test_prefill_has_run_and_the_rest_waits_for_the_button():
    at = page()
    assert "Today\\'s weather is so **nice** (1 of 40 words)" in text(at)
    assert "Prefill has run **6** tokens in one pass" in text(at)


def test_words_come_one_at_a_time_and_stop_stops():
    at = page(g="5")
    press(at, "go")
    said = bundled().tokenizer.decode(generate(bundled(), bundled().tokenizer.encode("Today 's weather is so"), 5).token_ids)
    seen = [at.session_state["words_shown"]]
    press(at, "stop")
    at.run()
    seen.append(at.session_state["words_shown"])
    assert seen == [2, 2]
    press(at, "go")
    for _ in range(5):
        at.run()
    assert at.session_state["words_shown"] == 5 and not at.session_state["running"]
    assert said.replace(".", "\\.") in text(at) and "(5 of 5 words)" in text(at)
    press(at, "rewind")
    assert at.session_state["words_shown"] == 1


def test_an_answer_that_the_model_ends_is_shown_to_its_end(no_results, monkeypatch):
    """With eos_token_id in a folder's config.json the text went on behind it, and the button would have waited for 40 words."""
    monkeypatch.setattr(BothWays, "ended", property(lambda both: len(both.timed) == 3))
    at = page(g="20")
    at.session_state["words_shown"] = 20
    at.run()
    assert not at.exception and "(3 of 3 words, where the model ends it)" in text(at)


def test_the_figures_wait_for_the_answers_and_seldom_is_not_never():
    at = page()
    assert "seldom bit for bit" in commit(at, "same_bits", "yes, in every bit") and "never bit for bit" not in text(at)
    waiting = [alt for _, alt in figures(page())]
    assert "Differences of logits: after your answer." in waiting
    assert "Differences of logits with the mask; without it: after your answer." in waiting


def test_the_keys_are_within_rounding_and_from_layer_2_on():
    at = page()
    assert len(figures(at)) == 4  # two of them wait
    said = commit(at, "same_bits", ROUNDED)
    assert f"**{ROUNDED}**, as you predicted" in said and "100.0% of the logits are equal in every bit" in said
    said = commit(at, "wrong_layers", "from layer 2 on")
    assert "**from layer 2 on**, as you predicted" in said and "so no row has to be made again" in text(at)
    assert len(figures(at)) == 4


def test_the_comparison_would_show_a_visible_difference(monkeypatch, no_results):
    """The negative control: the same page on a model without the mask."""
    unmasked = bundled().variant(causal=False)
    monkeypatch.setattr(run.model, "bundled", lambda *_: unmasked)
    assert "**no, visibly different**, as you predicted" in commit(page(), "same_bits", "no, visibly different")


@pytest.mark.parametrize("checkpoint", ["untrained", "before", "after"])
def test_the_keys_are_recomputed_for_every_moment_of_the_training(checkpoint):
    at = page(checkpoint=checkpoint, prompt="The soup is so")
    assert "as you predicted" in commit(at, "same_bits", ROUNDED)
    assert "as you predicted" in commit(at, "wrong_layers", "from layer 2 on")


def test_visitors_with_the_same_input_share_one_race(monkeypatch, no_results):
    made = []

    class Counted(BothWays):
        def __init__(self, *args):
            made.append(args)
            super().__init__(*args)

    monkeypatch.setattr(run, "BothWays", Counted)
    monkeypatch.setattr(compared, "BothWays", Counted)
    for _ in range(3):
        page(prompt="The dog sleeps", g="9")
    assert len(made) == 2  # the answer, and the few words without the mask


def test_measured_anew_is_measured_for_one_visit_and_kept_for_nobody_else(no_results):
    """The count of new measurements, modulo 4, was part of the key that all share: the second visitor who measured anew got
    what the first had measured, the fourth press brought the oldest back, and each press took room in the store."""
    first, second = page(prompt="The dog sleeps"), page(prompt="The dog sleeps")
    shared = second.session_state["both"][1]
    assert first.session_state["both"][1] is shared
    kept, seen = len(no_results), [shared]
    for at in (first, first, first, first, second):
        press(at, "anew")
        seen.append(at.session_state["both"][1])
    assert len({id(job) for job in seen}) == 6 and len(no_results) == kept
    first.run()
    assert first.session_state["both"][1] is seen[4]  # until another input is asked for
    assert page(prompt="The dog sleeps").session_state["both"][1] is shared


def test_a_race_that_the_store_has_dropped_goes_on(monkeypatch, no_results):
    monkeypatch.setattr(no_results, "most_bytes", 1)
    at = page(g="8")
    press(at, "go")
    both = at.session_state["both"][1]
    page(prompt="The soup is so")
    at.run()
    assert at.session_state["both"][1] is both and at.session_state["words_shown"] == 3


@pytest.mark.parametrize(
    "extras",
    [
        {"g": "0"}, {"g": "999999"}, {"g": "x", "temperature": "NaN"}, {"temperature": "2", "seed": "7"}, {"prompt": "so " * 300},
        {"prompt": "<script>", "g": "1"}, {"checkpoint": "none"}, {"source": "/"}, {"present": "on", "slide": "3"},
        {"present": "on", "slide": "4"}, {"present": "on", "slide": "6"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(extras):
    assert len(text(page(**extras))) > 20


def test_drawn_words_follow_the_seed():
    model, ids = bundled(), bundled().tokenizer.encode("Today 's weather is so")
    at = page(temperature="1", seed="5", g="4")
    press(at, "go")
    at.run()
    at.run()
    said = model.tokenizer.decode(generate(model, ids, 4, temperature=1.0, seed=5).token_ids)
    assert said.replace(".", "\\.") in text(at)


# Figures


TIMED = [
    TimedStep(1, 0.004, 0.004, 6, 0.0, 20.0, 1.0),
    TimedStep(2, 0.001, 0.005, 7, 2e-6, 20.0, 0.1),
    TimedStep(3, 0.001, 0.006, 8, 1e-6, 18.0, 0.2),
]


def test_the_timeline_shows_both_paces():
    figure = go.Figure(race_times(TIMED, 5).to_plotly_json())
    written = list(figure.data[-1].text)
    assert written.count("4 ms") == 2  # the same first pass
    assert "1 ms" in written and "5.5 ms" in written and "<b>500</b>" in written and "200" in written
    go.Figure(race_times(TIMED[:1], 1).to_plotly_json())


def test_one_hiccup_is_cut_and_flattens_no_other_pass():
    slow = [*TIMED, TimedStep(4, 0.25, 0.006, 9, 1e-6, 18.0, 0.2)]
    written = list(go.Figure(race_times(slow, 5).to_plotly_json()).data[-1].text)
    assert "cut: 250 ms" in written and "20 ms" in written  # the axis of the passes
    assert not any(text.startswith("cut") for text in race_times(TIMED, 5).data[-1].text)
    # A mean counts the hiccup, the median beneath it hardly does.
    assert {"84 ms", "median 1 ms", "5.7 ms", "median 6 ms"} <= set(written)


def test_at_rest_the_figure_says_that_both_did_the_same_pass():
    said = "so far the same pass in both: what differs is noise"
    assert said in race_times(TIMED[:1], 5).data[-1].text and said not in race_times(TIMED, 5).data[-1].text


def test_axes_change_seldom_and_times_read_well():
    assert [ceiling(x) for x in (0.0011, 0.002, 0.03, 0.6)] == [0.002, 0.002, 0.05, 1.0]
    assert [milliseconds(s) for s in (0.00043, 0.0123, 1.52)] == ["0.43 ms", "12 ms", "1.5 s"]


def test_the_gaps_are_drawn_by_powers_of_ten():
    figure = go.Figure(logit_gaps([("mask on", TIMED), ("mask off", TIMED[:2])], 3).to_plotly_json())
    assert "mask on: at most <b>2·10⁻⁶</b>" in figure.data[-1].text
    assert any(text.endswith("1·10⁻⁴") for text in figure.data[-1].text)


@pytest.mark.parametrize(("n_layer", "n_kv_head", "n"), [(3, 2, 6), (12, 12, 212), (1, 1, 1)])
def test_the_cache_is_drawn_as_it_is(n_layer, n_kv_head, n):
    rng = np.random.default_rng(0)
    k, v = rng.random((2, n_layer, n_kv_head, n, 4))
    figure = go.Figure(cache_fill(k, v, min(n, 4), n + 5, [f"w{i}" for i in range(n)]).to_plotly_json())
    z = np.array(figure.data[0].z, float)
    assert np.nanmax(z) == 1 and (~np.isnan(z)).sum() == n_layer * n * (n_kv_head if n_kv_head < 12 else 1)
