"""The bridge: the same symbols in three columns, no joule or coin that nobody typed, and a count that carries over exactly."""

import re
from dataclasses import replace
from math import prod

import pytest
from app_pages import computed, right, says, selected
from hardware_pages import EXTREMES, alternatives, checked, commit, page, text

from engine.cost import DEVICES, MODELS
from engine.cost.requests import recomputed_s, request
from engine.counts import cached_counts, recomputed_counts
from engine.timing.one_answer import TimedAnswer
from engine.trained.bundled import FOLDER
from engine.trained.safetensors import TensorFile
from pages.lessons.bridge.figures.side_by_side import side_by_side
from pages.lessons.bridge.steps import _without_cache
from pages.parts.drawing.sheet import Sheet
from pages.parts.hardware import bundled_times

SHAPE, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]


def line(at, word):
    """One line of the table, by a word of its name: the toy's cell, the trained model's and the real one's."""
    (alt,) = alternatives(at)
    (cells,) = (cells for name, cells in (said.rsplit(": ", 1) for said in alt.removesuffix(".").split(". ")) if word in name)
    return cells.split(", ")


def test_the_three_columns_are_counted_measured_and_estimated():
    at = page("bridge")
    assert says(alternatives(at)[0], "toy, counted", "trained model", "Llama-3.1-8B, estimated, A100-80")
    assert line(at, "N = P + G − 1")[0] == "11" and line(at, "N = P + G − 1")[-2:] == ["47", "2,247"]
    assert line(at, "next token")[0] == "520 B" and line(at, "next token")[-1] == "131,072 B"
    assert [line(at, name)[-1] for name in ("TTFT, the", "TPOT, each", "end to end")] == ["≥ 95.2 ms", "≥ 7.5 ms", "≥ 1.59 s"]


def test_the_toys_rows_are_the_scenarios():
    at = page("bridge", tokens="a,b", values="1,2", rules="all", g="3")
    assert [line(at, name)[0] for name in ("P, ", "N = P + G − 1", "bytes at the end")] == ["2", "4", "2,080 B"]


@pytest.fixture
def measured(monkeypatch):
    """A trained model whose times are known."""
    times = TimedAnswer(32, 16, 0.001, 0.0003, 0.0055, 0.0175, 47, 47 * 768, True)
    monkeypatch.setattr(bundled_times, "times", lambda p, g: times)
    monkeypatch.setattr(bundled_times, "shape", lambda: MODELS["SmolLM2-135M"])


def test_the_trained_models_column_is_what_was_measured(measured):
    at = page("bridge")
    assert says(alternatives(at)[0], "trained model, measured") and line(at, "TTFT, the")[1:] == ["1 ms", "≥ 95.2 ms"]
    assert line(at, "next token") == ["520 B", "768 B", "131,072 B"] and line(at, "end to end")[1:] == ["5.5 ms", "≥ 1.59 s"]
    assert says(line(at, "end to end")[0], "1 + 7") and says(text(at), "cache", "17.5 ms", "5.5 ms")


def test_a_time_without_the_cache_is_no_argument_on_a_busy_server():
    def said(g, cached_s, again_s, clear):
        return _without_cache(TimedAnswer(32, g, 0.001, 0.0003, cached_s, again_s, 47, 47 * 768, clear))

    assert says(said(16, 0.0175, 0.0055, False), "5.5 ms", "17.5 ms", "busy")
    clear = said(16, 0.0055, 0.0175, True)
    assert "busy" not in clear and says(clear, "17.5 ms", "5.5 ms")
    assert says(said(1, 0.001, 0.001, False), "one pass") and "busy" not in said(1, 0.001, 0.001, False)


def test_a_disturbed_measurement_is_tried_again_and_not_for_ever(monkeypatch):
    tries = []
    answer = TimedAnswer(8, 8, 0.001, 0.0003, 0.0055, 0.0175, 15, 15 * 768, False)

    def disturbed(*_):
        tries.append(1)
        return answer if len(tries) != 2 else replace(answer, clear=True)

    monkeypatch.setattr(bundled_times, "time_answer", disturbed)
    assert bundled_times._measured(8, 8).clear and len(tries) == 2
    assert not bundled_times._measured(8, 8).clear and len(tries) == 2 + bundled_times.TRIES


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
    rows, kept = recomputed_counts(int(p), int(g)).kv_rows, cached_counts(int(p), int(g)).kv_rows
    assert right(answered) and float(computed(answered)) == pytest.approx(rows / kept, abs=5e-5)
    assert says(answered, f"{rows:,} row", f"{kept:,}") and says(answered, f"{rows:,} rows") == (rows > 1)


def test_nothing_gives_the_count_away_before():
    at = page("bridge")
    shown = text(at) + " ".join(alternatives(at))
    factor = recomputed_counts(2048, 200).kv_rows / cached_counts(2048, 200).kv_rows
    assert "191" not in shown and "190 ×" not in shown and "429,500" not in shown and "PFLOP" not in shown
    assert computed(commit(at, "kv_rows_factor", 11.8)) == "191.1437" and round(factor, 4) == 191.1437
    at.run()
    assert says(text(at), "6.24 PFLOP", "190 ×", "operations", "191 ×", "rows")


def test_time_gained_is_another_number_than_rows_saved():
    slow, fast = recomputed_s(SHAPE, 2048, 200, DEVICE), request(SHAPE, 2048, 200, DEVICE).end_to_end_s
    assert slow / fast == pytest.approx(12.6, abs=0.05)
    assert says(text(page("bridge")), "1.59 s", "20 s", "12.6 ×")


def test_no_joule_and_no_coin_that_nobody_typed():
    shown = text(page("bridge"))
    assert "kWh" not in shown and not re.search(r"\d J\b", shown) and not says(shown, "10⁶", "tokens")
    assert all(says(shown, "Not computed", word) for word in ("joules", "money", "carbon"))
    typed = text(page("bridge", watts="400", price="2"))
    energy = 400 * request(SHAPE, 2048, 200, DEVICE).end_to_end_s
    assert says(typed, "400 W", f"{energy:,.0f} J")
    step_s = (16_060_522_496 - 2 * 4096 * 128_255 + 2049 * 131_072) / 2.039e12  # weights without the table's other rows; cache
    assert says(typed, "2 an hour", f"{2 / 3600 * step_s * 1e6:.2f}", "10⁶", "tokens")
    assert [says(typed, "Not computed", word) for word in ("joules", "money", "carbon")] == [False, False, True]
    only_price = text(page("bridge", price="2"))
    assert [says(only_price, "Not computed", word) for word in ("joules", "money")] == [True, False]
    assert not re.search(r"\d J\b", only_price) and re.search(r"\d J\b", typed)


def test_typing_watts_writes_the_link_and_clearing_forgets_it():
    at = page("bridge")
    next(w for w in at.number_input if w.key == "extra_watts").set_value(350.0).run()
    assert selected(at)["watts"] == "350" and says(text(at), "350 W", "J")
    next(w for w in at.number_input if w.key == "extra_watts").set_value(None).run()
    assert selected(at)["watts"] == "" and "350 W" not in text(at) and not re.search(r"\d J\b", text(at))


def test_what_does_not_fit_is_said():
    assert says(text(page("bridge", model="Llama-3.1-405B")), "not fit", "A100-80")
    assert says(text(page("bridge", model="Llama-3.1-405B", p="1048576")), f"0 of the {len(DEVICES)} devices")
    fits = text(page("bridge"))
    too_small = [name for name, device in DEVICES.items() if device.memory_bytes < 16.2e9]  # 8.03 billion × 2, and a cache
    assert says(fits, f"fits on {len(DEVICES) - len(too_small)} of the {len(DEVICES)} devices") and not says(fits, "not fit")


@pytest.mark.parametrize("extras", EXTREMES)
def test_no_link_breaks_the_lesson(extras):
    at = page("bridge", extras)
    assert len(alternatives(at)) == 1 and "nan" not in text(at).lower().split()


@pytest.mark.parametrize("dark", [False, True])
def test_the_table_is_valid_and_shows_every_cell(dark):
    rows = [("a", "1", "<b>2", "3"), ("b", "4", "5", "6" * 200)]
    _, words = checked(side_by_side(Sheet(dark), (("x", "how"), ("y", "how"), ("z" * 300, "how")), rows, 1))
    assert "&lt;b&gt;2" in " ".join(words).replace("&lt;b>2", "&lt;b&gt;2") and "<b>b</b>" in words
