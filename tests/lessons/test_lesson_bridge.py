"""The bridge: the same symbols in three columns, no joule or coin that nobody typed, and a count that carries over exactly."""

from math import prod

import pytest
from hardware_pages import EXTREMES, alternatives, checked, commit, page, text

from engine.cost import DEVICES, MODELS
from engine.cost.requests import recomputed_s, request
from engine.counts import cached_counts, recomputed_counts
from engine.timing.one_answer import TimedAnswer
from engine.trained.bundled import FOLDER
from engine.trained.safetensors import TensorFile
from pages.lessons.bridge.figures.side_by_side import side_by_side
from pages.parts.hardware import bundled_times

SHAPE, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]


def test_the_three_columns_are_counted_measured_and_estimated():
    alt = alternatives(page("bridge"))[0]
    assert "Columns: The toy, counted; A trained model, " in alt and "Llama-3.1-8B, estimated, A100-80" in alt
    assert alt.split("N = P + G − 1, rows in the cache: ")[1].startswith("11, ")
    assert "2,247." in alt and "KV bytes of the next token: 520 B, " in alt and "131,072 B." in alt
    assert "≥ 95.2 ms" in alt and "≥ 7.5 ms" in alt and "≥ 1.59 s" in alt


def test_the_toys_rows_are_the_scenarios():
    alt = alternatives(page("bridge", tokens="a,b", values="1,2", rules="all", g="3"))[0]
    assert "P, tokens in the prompt: 2, " in alt and "rows in the cache: 4, " in alt and "KV bytes at the end: 2,080 B" in alt


@pytest.fixture
def measured(monkeypatch):
    """A trained model whose times are known."""
    times = TimedAnswer(32, 16, 0.001, 0.0003, 0.0055, 0.0175, 47, 47 * 768)
    monkeypatch.setattr(bundled_times, "times", lambda p, g: times)
    monkeypatch.setattr(bundled_times, "shape", lambda: MODELS["SmolLM2-135M"])


def test_the_trained_models_column_is_what_was_measured(measured):
    at = page("bridge")
    alt = alternatives(at)[0]
    assert "A trained model, measured here, NumPy" in alt and "TTFT, the first token: not timed, 1 ms, ≥ 95.2 ms" in alt
    assert "KV bytes of the next token: 520 B, 768 B, 131,072 B" in alt and "1 + 7 passes, 5.5 ms, ≥ 1.59 s" in alt
    assert "Without its cache it needs 17.5 ms instead of 5.5 ms." in text(at)


def test_the_bundled_model_is_measured_by_few_pairs_of_lengths():
    t = bundled_times.times(1000, 1000)
    assert (t.n_prompt, t.n_generated) == (bundled_times.MOST_PROMPT, bundled_times.MOST_GENERATED)
    assert bundled_times.times(1001, 900) is t and bundled_times.times(33, 17) is t  # measured once
    shape = bundled_times.shape()
    tensors = TensorFile(FOLDER / "final.safetensors").entries.values()
    assert shape.n_params == sum(prod(entry.shape) for entry in tensors)  # what its file holds
    assert t.kv_bytes == shape.kv_bytes(t.n_tokens, bits=bundled_times.BITS) and t.end_to_end_s > 0


@pytest.mark.parametrize(
    ("p", "g", "factor"), [("1000", "1000", 750.1), ("4", "4", 22 / 7), ("100", "100", 75.13), ("1", "1", 1)]
)
def test_the_count_carries_over(p, g, factor):
    # The article, part 3: 1,499,500 rows against 1,999 (750 ×), 22 against 7, 14,950 against 199.
    answered = commit(page("bridge", p=p, g=g), "kv_rows_factor", factor)
    assert "as you predicted" in answered or f"; you predicted {factor}" in answered
    rows = recomputed_counts(int(p), int(g)).kv_rows
    assert f"{rows:,} rows, divided by {cached_counts(int(p), int(g)).kv_rows:,}" in answered


def test_nothing_gives_the_count_away_before():
    at = page("bridge")
    shown = text(at) + " ".join(alternatives(at))
    factor = recomputed_counts(2048, 200).kv_rows / cached_counts(2048, 200).kv_rows
    assert "191" not in shown and "190 ×" not in shown and "429,500" not in shown and "PFLOP" not in shown
    assert "computed: **191.1437**" in commit(at, "kv_rows_factor", 11.8) and round(factor, 4) == 191.1437
    at.run()
    assert "6.24 PFLOP without: **190 ×** the operations, ✓ **191 ×** the rows" in text(at)


def test_time_gained_is_another_number_than_rows_saved():
    slow, fast = recomputed_s(SHAPE, 2048, 200, DEVICE), request(SHAPE, 2048, 200, DEVICE).end_to_end_s
    assert slow / fast == pytest.approx(12.6, abs=0.05)
    assert "1.59 s with a cache, 20 s without: **12.6 ×**" in text(page("bridge"))


def test_no_joule_and_no_coin_that_nobody_typed():
    shown = text(page("bridge"))
    assert "kWh" not in shown and " J for" not in shown and "an hour" not in shown
    assert "joules: type the watts" in shown and "money: type a price" in shown and "carbon" in shown
    typed = text(page("bridge", watts="400", price="2"))
    energy = 400 * request(SHAPE, 2048, 200, DEVICE).end_to_end_s
    assert f"at your 400 W at least {energy:,.0f} J for this answer" in typed
    step_s = (16_060_522_496 - 2 * 4096 * 128_255 + 2049 * 131_072) / 2.039e12  # weights without the table's other rows; cache
    assert (
        f"at your 2 an hour at least {2 / 3600 * step_s * 1e6:.2f} for 10⁶ generated tokens" in typed
        and "type" not in typed.split("carbon")[0][-40:]
    )
    only_price = text(page("bridge", price="2"))
    assert " J for" not in only_price and "joules: type the watts" in only_price


def test_typing_watts_writes_the_link_and_clearing_forgets_it():
    at = page("bridge")
    next(w for w in at.number_input if w.key == "extra_watts").set_value(350.0).run()
    assert at.session_state["extras"]["watts"] == "350" and "at your 350 W" in text(at)
    next(w for w in at.number_input if w.key == "extra_watts").set_value(None).run()
    assert at.session_state["extras"]["watts"] == "" and "at your" not in text(at)


def test_what_does_not_fit_is_said():
    assert "**This does not fit on A100-80**" in text(page("bridge", model="Llama-3.1-405B"))
    assert "fits on 0 of the 20 devices" in text(page("bridge", model="Llama-3.1-405B", p="1048576"))
    assert "does not fit" not in text(page("bridge"))


@pytest.mark.parametrize("extras", EXTREMES)
def test_no_link_breaks_the_lesson(extras):
    at = page("bridge", extras)
    assert len(alternatives(at)) == 1 and "nan" not in text(at).lower().split()


@pytest.mark.parametrize("dark", [False, True])
def test_the_table_is_valid_and_shows_every_cell(dark):
    rows = [("a", "1", "<b>2", "3"), ("b", "4", "5", "6" * 200)]
    _, words = checked(side_by_side((("x", "how"), ("y", "how"), ("z" * 300, "how")), rows, 1, dark))
    assert "&lt;b&gt;2" in " ".join(words).replace("&lt;b>2", "&lt;b&gt;2") and "<b>b</b>" in words
