"""The lesson on time: what waits for what, the questions' keys, this machine measured once, and figures that hold any setup."""

import json
import re
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import FIXTURES, all_answered, computed, figures, linked, on, right, says, selected
from hardware_pages import OF_HARDWARE, alternatives, checked, commit, helps, page, text

from engine.cost import DEVICES, MODELS, Device, ModelShape, attention_intensity, decimal_bytes, operations, weight_read_bytes
from engine.cost.desk.published_times import TENSORRT_LLM
from engine.cost.requests import Request, request
from engine.cost.roofline_points import points, whole_pass
from engine.cost.times import decode_intensity, pass_parts, tpot_s
from pages.lessons.roofline import LESSON, batching, cache_or_weights, ridges, steps, waiting
from pages.lessons.roofline.figures.answer_times import answer_times
from pages.lessons.roofline.figures.reads_by_length import Kept, reads_by_length
from pages.lessons.roofline.figures.roofline import roofline
from pages.lessons.roofline.figures.step_times import Step, step_times
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.sheet import Sheet
from pages.parts.hardware import this_machine
from pages.parts.hardware.setup import Setup
from pages.parts.sharing.results import ResultStore
from pages.parts.text.amounts import amount, flops_per_s, seconds
from pages.parts.text.format import percent

EXACT = ("95.2 ms", "7.5 ms")  # TTFT and TPOT as a question has them

STEPS = [Step(1, 0.0074, 0.0001, "", 133), Step(2, 0.0074, 0.0002, "", 264), Step(133, 0.0074, 0.0175, "the most", 5346)]


@pytest.fixture(autouse=True)
def unmeasured(monkeypatch):
    """Each test starts in a process that has not been measured."""
    monkeypatch.setattr(this_machine, "_MEASURED", ResultStore(0))


def test_prefill_waits_for_compute_and_decode_for_memory():
    at = page("roofline", slide=1)
    assert says(text(at), "prefill", "1,096", "compute") and says(text(at), "1.05", "memory", "153")
    assert says(alternatives(at)[0], "prefill", "1,096", "compute", "decode", "1.05", "memory")
    short = page("roofline", p="1", slide=1)
    assert says(text(short), "prefill", "1", "memory", "1", "memory")
    assert says(alternatives(short)[0], "prefill", "1", "memory", "decode", "1", "memory")
    next(s for s in at.select_slider if s.key == "extra_p").set_value(64).run()
    assert says(text(at), "prefill", "memory", "decode", "memory") and selected(at)["p"] == "64"


def test_llm_viewers_query_projection_is_in_the_table():
    # LLM-Viewer, Llama-2-7B on an A6000, 2,048 tokens, one layer: 68.72 GOP, 67.11 MB, 1,024 a byte; decode 1.00. Here × 32.
    row = next(
        line
        for line in text(page("roofline", model="Llama-2-7B", device="A6000", slide=1)).split("\n")
        if line.startswith("| q |")
    )
    assert row.replace("\xa0", " ") == "| q | 2.2 TFLOP | 2.15 GB | 1,024 | compute | 1.07 GFLOP | 1.07 GB | 1 | memory |"
    assert pytest.approx(2.2e12, rel=1e-3) == 32 * 68.72e9 and pytest.approx(2.15e9, rel=2e-3) == 32 * 67.11e6


def test_attention_does_half_of_t_against_one():
    shown = text(page("roofline", p="4096", slide=1))
    assert says(shown, "T/2 = 2,048", "307 tokens") and says(shown, "decode", "1")
    assert says(shown, "Llama-3.1-8B", "4", "memory-bound")
    assert attention_intensity(307) >= DEVICES["A100-80"].ridge > attention_intensity(306)


def test_end_to_end_asks_for_what_the_figure_draws():
    """What is typed out of the question's own two numbers is right; all words times the gap, as many believe, is not."""
    for g in (1, 2, 200, 1000):
        r = request(MODELS["Llama-3.1-8B"], 2048, g, DEVICES["A100-80"])
        total = 1e3 * r.end_to_end_s
        at = page("roofline", g=str(g), slide=3)
        assert f"{total:,.0f} ms" not in text(at) and says(text(at), "95.2 ms")
        answered = commit(at, "end_to_end", total)
        assert right(answered) and computed(answered).endswith(" ms")
        wrong = commit(page("roofline", g=str(g), slide=3), "end_to_end", total + 1e3 * r.tpot_s)  # one step too many
        assert not right(wrong) or g == 1


def test_weights_read_equals_cache_read_at_122_532_tokens():
    at = page("roofline")
    assert "122,5" not in text(at) + " ".join(alternatives(at))
    answered = commit(page("roofline", slide=4), "even", 122_532.0)
    assert right(answered, "122,532 tokens") and says(answered, "122,528")
    assert says(answered, "16,060,522,496 bytes", "131,072 bytes")
    assert right(commit(page("roofline", slide=4), "even", 122_528.0))
    assert not right(commit(page("roofline", slide=4), "even", 61_000.0))


@pytest.mark.parametrize(
    ("extras", "n"),
    [
        ({"model": "Llama-2-7B"}, 6_738_415_616 * 2 // 524_288),
        ({"batch": "16", "bits": "4"}, 8_030_261_248 // 2 // (16 * 131_072)),
        # 21 layers of Gemma-2-9B stop at 4,096 tokens: 4,096 numbers a layer and token, of 8 bits.
        ({"model": "Gemma-2-9B", "kv_bits": "8"}, (9_241_705_984 * 2 - 21 * 4096 * 4096) // (21 * 4096)),
    ],
)
def test_the_keys_are_computed_anew_for_another_setup(extras, n):
    answered = commit(page("roofline", extras, slide=4), "even", float(n))
    assert right(answered.replace("1914", "1,914"), f"{n:,} tokens") and "122,528" not in answered


def test_a_model_of_windows_never_gets_there():
    assert right(commit(page("roofline", model="Mistral-7B", slide=4), "even", "at any length"), "at any length")


@pytest.mark.parametrize(
    ("extras", "answer"),
    [
        ({}, "it hardly changes"),
        ({"batch": "256", "p": "8192"}, "it about doubles"),
        ({"batch": "8", "p": "8192"}, "it grows, but less than double"),
        ({"batch": "1024", "p": "1"}, "it about doubles"),
    ],
)
def test_what_doubling_the_batch_does_is_computed(extras, answer):
    answered = commit(page("roofline", extras, slide=2), "batch", answer)
    assert right(answered, answer)
    batch, past = int(extras.get("batch", 1)), int(extras.get("p", 2048))

    def by_hand(b):  # the matrices' longer wait, then the caches' bytes; of the table b rows are read
        weights = 16_060_522_496 - 2 * 4096 * (128_256 - b)
        return max(weights / 2.039e12, 2 * b * 7_504_658_432 / 312e12) + b * (past + 1) * 131_072 / 2.039e12

    assert says(answered, seconds(by_hand(batch)), seconds(by_hand(2 * batch)))


def test_a_13b_on_eight_tpus_is_the_books():
    # How to Scale Your Model: 200.61 tokens a second at batch 1, 787.99 at 16, never 1,000; from unrounded inputs within .5 %.
    # Reading caches alone allows 976, and the arithmetic with the parameters takes 2 % more.
    at = page("roofline", model="Llama-2-13B", device="TPU v5e", n_devices="8", p="8192", g="200", usable="1")
    assert "788" not in text(at) + " ".join(alternatives(at))  # asked first
    commit(at, "batch", "it hardly changes")
    shown = helps(at)
    assert says(shown, "202", "788", "16")
    allowed = re.search(r"never more than ([\d,.]+)", shown)[1]
    assert float(allowed) == pytest.approx(1 / (1 / 976 + 2 * 13e9 / (8 * 197e12)), rel=0.005)
    assert says(shown, "memory", "full", "15")


def test_the_honest_sentence_has_the_measurement():
    at = page("roofline")
    shown = text(at)
    assert says(shown, "bound", "Llama-2-7B", "128 tokens", "6.51 ms", "16.2 ms")
    assert any("TensorRT-LLM 0.9.0" in one.help for one in at.markdown) and "16.1" not in shown


def test_what_does_not_fit_is_said():
    assert says(
        text(page("roofline", model="DeepSeek-V3", device="H200", n_devices="8", bits="16", slide=1)), "not fit", "8 × H200"
    )
    assert not says(text(page("roofline", device="H200", n_devices="8", slide=1)), "fit", "8 × H200")


def test_the_timeline_adds_up():
    at = page("roofline", p="2048", g="200")
    assert "199" not in text(at) + " ".join(alternatives(at)) and "1.59 s" not in text(at) + " ".join(alternatives(at))
    commit(at, "end_to_end", 6)
    shown = text(at)
    assert says(shown, "95.2 ms + (200 − 1) × 7.5 ms") and says(" ".join(alternatives(at)), "1.59 s")
    assert pytest.approx(1.59, abs=0.005) == 0.0952 + 199 * 0.0075


@pytest.mark.parametrize("extras", OF_HARDWARE)
def test_no_link_breaks_the_lesson(extras):
    at = page("roofline", extras)
    assert len(alternatives(at)) == len(LESSON.steps) and "nan" not in text(at).lower().split()


def test_operations_are_nine_in_the_file_for_each_phase():
    at = page("roofline")
    assert any(b.proto.label == "Save as CSV" for b in at.get("download_button"))
    assert sum(line.startswith("| ") for line in text(at).split("\n")) == 2 * 2 + 9 + len(TENSORRT_LLM)


# --- this machine


def test_this_machine_is_measured_when_asked_and_once_for_everybody(monkeypatch):
    made = []

    def measure(s):
        made.append(s)
        return Device(this_machine.NAME, 2**34, 2e10, 3e11, "measured")

    monkeypatch.setattr(this_machine, "measure_this_machine", measure)
    at = page("roofline", device=this_machine.NAME, slide=1)
    assert made == [] and next(w for w in at.selectbox if w.key == "extra_device").value == "A100-80"  # a link measures nothing
    next(b for b in on(at, 3).button if b.key == "measure_machine").click().run()
    assert not at.exception and made == [this_machine.SECONDS]
    assert says(text(at), "20.0 GB/s", "300 GFLOP/s") and says(text(at), "ridge", "15.0")
    other = page("roofline", device=this_machine.NAME, slide=1)
    assert next(w for w in other.selectbox if w.key == "extra_device").value == this_machine.NAME and made == [
        this_machine.SECONDS
    ]
    assert this_machine.NAME in alternatives(other)[0]


def test_visitors_who_ask_at_the_same_time_share_one_measurement(monkeypatch):
    made = []

    def measure(s):
        made.append(s)
        time.sleep(0.05)
        return SimpleNamespace(name=this_machine.NAME)

    monkeypatch.setattr(this_machine, "measure_this_machine", measure)
    visitors = [threading.Thread(target=this_machine.measure) for _ in range(8)]
    [v.start() for v in visitors]
    [v.join() for v in visitors]
    assert len(made) == 1


def test_the_measurement_is_short_and_real():
    start = time.perf_counter()
    here = this_machine.measure()
    assert time.perf_counter() - start < 20 and here.ridge > 0
    assert this_machine.SECONDS <= 0.5


# --- figures


@pytest.mark.parametrize("name", list(MODELS))
def test_the_roofline_holds_any_model_at_any_length(name):
    for device, n_devices, n_tokens, batch in ((DEVICES["L4"], 1, 1, 1), (DEVICES["B200"], 32, 2**20, 4096)):
        passes = [
            (whole_pass(what, ops, device, n_devices), points(ops, device, n_devices))
            for what, ops in (
                ("prefill", operations(MODELS[name], n_tokens, 0, batch)),
                ("decode", operations(MODELS[name], 1, n_tokens, batch)),
            )
        ]
        figure, words = checked(roofline(Sheet(n_tokens == 1, zoom=1.15), device, "x", n_devices, *passes))
        assert f"{amount(passes[0][0].arithmetic_intensity)} FLOP a byte" in words
        hovers = [text for trace in figure.data if trace.customdata is not None for text in trace.customdata]
        assert sum(f"<b>{phase}</b>" in h for h in hovers for phase in ("prefill", "decode")) == 2


@pytest.mark.parametrize("name", list(DEVICES))
def test_every_dot_lies_on_the_roof_that_is_drawn(name):
    """Nothing here was measured, so nothing may hang below the roof or stand out of it."""
    device = DEVICES[name]
    for n_tokens, batch in ((1, 1), (128, 1), (8192, 64)):
        phases = (
            ("prefill", operations(MODELS["Llama-2-7B"], n_tokens, 0, batch)),
            ("decode", operations(MODELS["Llama-2-7B"], 1, n_tokens)),
        )
        figure = roofline(
            Sheet(), device, "x", 1, *((whole_pass(what, ops, device), points(ops, device)) for what, ops in phases)
        )
        (line,) = (s.path for s in figure.layout.shapes if s.line.width == 3.5)
        corners = np.array([corner.split(",") for corner in line[1:].split("L")], float)
        for dots in (trace for trace in figure.data if trace.mode == "markers"):
            np.testing.assert_allclose(dots.y, np.interp(dots.x, *corners.T), rtol=0, atol=0.1)


def test_the_other_figures_hold_extremes():
    shape, device = MODELS["Llama-3.1-405B"], DEVICES["L4"]
    for n in (1, 2**20):
        for g in (1, 2, 81, 4096):
            _, words = checked(
                answer_times(Sheet(), [("a", request(shape, n, g, device)), ("b", request(shape, 2 * n, 2 * g, device))], EXACT)
            )
            assert f"<b>✓ {seconds(request(shape, n, g, device).end_to_end_s)}</b>" in words
    for scale in (1e-7, 1e-3, 10.0):
        steps_ = [Step(n, scale, n * scale / 10, "the most", n / scale) for n in (1, 2, 4096)]
        for limit, known, phone in ((scale, True, False), (1e4 * scale, False, True), (1.5 * scale, True, True)):
            assert checked(step_times(Sheet(phone=phone), steps_, limit, "cache", phone, "1.3", NOT_ASKED._replace(known=known)))[
                1
            ]


def test_on_a_phone_the_figures_are_as_wide_as_the_screen():
    shape, device = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
    r, kept = request(shape, 2048, 200, device), Kept("cache and states", float, False)
    for known in (False, True):
        drawn = (
            answer_times(Sheet(phone=True), [("this", r), ("a prompt twice as long", r)], EXACT, known),
            reads_by_length(Sheet(phone=True), 1000, kept, 4, 1000, known),
            step_times(Sheet(phone=True), STEPS, 0.025, "cache", False, "1.3", NOT_ASKED._replace(known=known)),
        )
        for figure in drawn:
            checked(figure)
            assert figure.layout.meta["min_width"] <= 340, figure.layout.meta


def test_how_long_a_doubled_step_may_take_is_three_bars_to_scale_that_can_be_pressed():
    """It was one bar with three dashed lines, whose parts were shades of grey."""
    asked = Asked(("hardly", "longer", "double"), open=True, known=False)
    for phone in (False, True):
        figure, words = checked(step_times(Sheet(phone=phone), STEPS, 0.025, "cache", False, "1.3", asked))
        (_, left, _, once, *_), (_, _, _, longer, *_), (_, _, _, twice, *_) = figure.layout.meta["answers"]
        assert (twice - left) / (once - left) == pytest.approx(2) and once < longer < twice
        assert sum(w.endswith("?") for w in words) >= 3


def test_what_decode_leaves_unused_is_drawn_to_scale():
    """Over an axis of powers of ten 99.3 % looked like a half."""
    s = Setup(MODELS["Llama-3.1-8B"], DEVICES["A100-80"], 1, 2048, 1, 16, 16)
    for batch, idle in ((1, True), (4096, False)):
        prefill, decode = steps.passes(replace(s, batch=batch))
        decode = decode if idle else prefill
        figure, words = checked(roofline(Sheet(), s.device, "A100-80", 1, prefill, decode))
        (lit,), (whole,) = (areas(figure, color) for color in (Sheet().colors.decode, Sheet().colors.hole))
        assert lit / whole == pytest.approx(decode[0].busy, abs=1e-4) and ("<b>idle</b>" in words) == idle


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize(
    ("model", "device", "bits", "n_tokens", "batch", "n_devices"),
    [
        ("Llama-3.1-8B", "A100-80", 4, 131_072, 1, 1), ("gpt-oss-20b", "RTX 4090", 4, 131_072, 16, 1),
        ("Llama-3.1-405B", "H100 SXM", 8, 131_072, 1, 8), ("Llama-3.1-8B", "A100-80", 16, 2048, 1, 1),
    ],
)  # fmt: skip
def test_the_headline_is_the_share_of_the_time_that_is_drawn(model, device, bits, n_tokens, batch, n_devices, phone):
    """“Decode: at best 2.3% of the FLOP/s”, of 8.2 TFLOP/s under a roof of 1,248, where attention is computed at another rate."""
    s = Setup(MODELS[model], DEVICES[device], n_devices, n_tokens, batch, bits, 16)
    prefill, decode = steps.passes(s)
    figure, words = checked(roofline(Sheet(phone=phone), s.device, device, n_devices, prefill, decode, ridges.roofs_of(s)))
    (lit,), (whole,) = (areas(figure, color) for color in (Sheet().colors.decode, Sheet().colors.hole))
    large = " ".join(words[: 1 + phone])  # on a phone in two lines
    share = float(re.search(r"([\d.]+)%", large)[1])
    assert share == pytest.approx(100 * decode[0].busy, abs=0.05) and "of its time" in large and "FLOP/s" not in large
    assert phone or lit / whole == pytest.approx(decode[0].busy, abs=1e-4)  # there it is 3 pixels at least
    peak = n_devices * ridges.roofs_of(s)[0].flops_per_s
    assert (len(ridges.roofs_of(s)) == 1) == (decode[0].flops_per_s / peak == pytest.approx(decode[0].busy))


def areas(figure, color: str) -> list[float]:
    """Of the rectangles in one colour, in the figure's own units."""
    path = "".join(s.path for s in figure.layout.shapes if s.fillcolor == color)
    corners = [[tuple(map(float, at.split(","))) for at in one.rstrip("Z").split("L")] for one in path.split("M")[1:]]
    return [(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) for c in corners]


def test_the_timeline_is_to_scale_in_phase_colours():
    r = request(MODELS["Llama-3.1-8B"], 2048, 14, DEVICES["A100-80"])
    figure, _ = checked(answer_times(Sheet(), [("this", r)], EXACT))
    prefill, decode = (sum(areas(figure, color)) for color in ("#0B5CAD", "#C24E00"))
    # Some pixels are free between lines.
    assert prefill / (prefill + decode) == pytest.approx(r.ttft_s / r.end_to_end_s, abs=0.02)


def test_each_decode_step_is_a_cell_and_the_beginning_alone_is_drawn_while_the_end_is_asked_for():
    """199 steps were one block, and while they were asked for a bar that faded, which told nothing of them."""
    r = request(MODELS["Llama-3.1-8B"], 2048, 200, DEVICES["A100-80"])

    def cells(request_, known: bool) -> int:
        figure, _ = checked(answer_times(Sheet(), [("this", request_)], EXACT, known))
        (path,) = (s.path for s in figure.layout.shapes if s.line.color == Sheet().colors.surface)
        return path.count("M")

    assert cells(r, True) == 199 and 0 < cells(r, False) < 199 / 2
    longer = request(MODELS["Llama-3.1-8B"], 2048, 800, DEVICES["A100-80"])
    assert cells(r, False) == cells(longer, False)  # no end can be read from it


def test_what_is_kept_is_a_bar_to_the_scale_of_the_parameters():
    """Two dashed curves stood where it was asked, over an axis whose logarithm bent what grows evenly."""
    kept, drawn = Kept("cache", lambda n: 2.0 * n, False), {}
    for phone in (False, True):
        for known in (False, True):
            figure, words = checked(reads_by_length(Sheet(phone=phone), 400.0, kept, 10, 200, known))
            assert ("<b>? tokens</b>" in words, "<b>✓ 200 tokens</b>" in words) == (not known, known)
            bars = [shape for shape in figure.layout.shapes if shape.fillcolor]
            drawn = {shape.fillcolor: _right(shape.path) for shape in bars}
            colors = Sheet().colors
            assert drawn[colors.key] == drawn[colors.value] == pytest.approx(drawn[colors.bar] / 20, abs=1e-4)
    figure, words = checked(reads_by_length(Sheet(), 400.0, Kept("cache", lambda n: 2.0 * min(n, 20), True), 10, None, True))
    assert "<b>✓ any number of tokens</b>" in words and "<b>latents</b>" in words
    states = Kept("cache and states", lambda n: 500.0, False)
    assert not any("keys" in w for w in checked(reads_by_length(Sheet(), 400.0, states, 10, 0, True))[1])


def _right(path: str) -> float:
    return max(float(at) for at in re.findall(r"[ML]([\d.]+),", path))


def test_words_for_rates_and_times():
    assert [flops_per_s(x) for x in (1e9, 312e12, 2.5e15, 5)] == ["1 GFLOP/s", "312 TFLOP/s", "2.5 PFLOP/s", "5 FLOP/s"]
    assert [seconds(x) for x in (6.47, 0.0952, 0.00803, 3.2e-7, 125)] == ["6.47 s", "95.2 ms", "8.03 ms", "0.32 µs", "125 s"]
    assert [amount(x) for x in (1.066, 12.34, 1096.3)] == ["1.07", "12.3", "1,096"]


def test_of_experts_only_those_that_are_met_count():
    """All experts were divided by: 712,628 tokens for Mixtral, and "twice as long" was false."""
    answered = commit(page("roofline", model="Mixtral-8x7B", slide=4), "even", 196_532.0)
    assert right(answered, "196,532 tokens") and says(answered, "27.6 %")
    assert says(answered, "2 ×")
    at = page("roofline", model="Mixtral-8x7B", device="H100 SXM", slide=2)
    commit(at, "batch", "it hardly changes")
    assert says(helps(at), "1,079 tokens", "compute-bound", "because")


def test_what_takes_the_time_of_a_large_batch_is_the_larger_of_arithmetic_and_the_caches_reads():
    """From 153 sequences on the page blamed arithmetic: 12.3 ms of it, beside 33.7 ms of reading caches (8B, A100, P = 2,048)."""
    answered = commit(page("roofline", p="2048", batch="128", slide=2), "batch", "it about doubles")
    arithmetic, reading = 256 * 2 * 7.505e9 / 312e12, 256 * 2048 * 131_072 / 2.039e12
    assert (arithmetic, reading) == (pytest.approx(0.0123, abs=1e-4), pytest.approx(0.0337, abs=1e-4))
    assert says(answered, "arithmetic", "12.3 ms", "caches", "33.7 ms")
    assert answered.count("arithmetic") == 1
    alone = commit(page("roofline", p="2048", slide=2), "batch", "it hardly changes")
    assert says(alone, "parameters", "7.36 ms", "caches") and "arithmetic" not in alone


def test_a_latent_s_decode_is_said_where_it_stands():
    """ "Decode about 1" was said of every model: 128 heads share one latent, 2 · 128 · (576 + 512) FLOP for 1,152 bytes."""
    expected = 2 * 128 * (576 + 512) / (2 * 576)
    assert expected == pytest.approx(decode_intensity(MODELS["DeepSeek-V3"]), rel=1e-5) and round(expected) == 242
    assert decode_intensity(MODELS["Llama-2-7B"]) == pytest.approx(1) and decode_intensity(
        MODELS["Llama-3.1-8B"]
    ) == pytest.approx(4)
    assert says(text(page("roofline", model="DeepSeek-V3", slide=1)), "latent", "128 heads", "242", "compute-bound")


def test_a_roof_of_its_own_for_numbers_of_fewer_bits():
    """8- and 4-bit peaks were counted with, and the figure drew the 16-bit roof alone."""
    at = page("roofline", device="H100 SXM", bits="8", kv_bits="16", slide=1)
    assert says(alternatives(at)[0], "1.98 PFLOP/s", "8-bit")
    ridge = 1978.9 / 3.35
    assert says(alternatives(at)[0], "ridge", f"{ridge:.1f}") and says(text(at), "ridge", f"{ridge:.1f}")
    words = " ".join(figures(at)[0][0]["data"][-1]["text"])
    assert says(words, "1.98 PFLOP/s", "8-bit") and says(words, "16-bit", "989.4 TFLOP/s")
    same = " ".join(figures(page("roofline", device="Apple M1", bits="8", kv_bits="4", slide=1))[0][0]["data"][-1]["text"])
    assert "-bit" not in same  # it has one rate for all


LIMITED = (
    (("tpot_limit", "10"), ("price", "2")), (("tpot_limit", "5"),), (("model", "Llama-3.1-405B"), ("tpot_limit", "1000")),
    (("tpot_limit", "1000"), ("p", "131072")),
)  # fmt: skip


def test_under_a_limit_the_largest_batch_and_what_it_costs():
    """By hand on an A100: (16.06 − 1.05 GB of weights + batch · 2,049 · 131,072 bytes) / 2.039 TB/s ≤ 10 ms for 20 sequences."""
    weights, cache = 16_060_522_496 - 2 * 4096 * 128_256, 2049 * 131_072 + 2 * 4096
    batch = int((0.010 * 2.039e12 - weights) / cache)
    rate = batch * 2.039e12 / (weights + batch * cache)
    with all_answered():
        read = {link: text(page("roofline", **dict(link), slide=2)) for link in LIMITED}
    shown = read[LIMITED[0]]
    assert says(shown, f"{batch}", "10 ms", "A100-80", f"{rate:,.0f}", "tokens a second")
    assert says(shown, "at least", f"{round(2 / 3600 / rate * 1e6, 3):g}")
    assert says(read[LIMITED[1]], "7.49 ms", "no batch", "5 ms") and says(read[LIMITED[2]], "not fit", "no batch")
    assert says(read[LIMITED[3]], "A100-80", "memory is full")


def test_figures_wait_for_their_answers_and_mark_them():
    waiting, answered = (
        checked(step_times(Sheet(), STEPS, 0.025, "cache", False, "1.3", NOT_ASKED._replace(known=known)))[1]
        for known in (False, True)
    )
    assert "twice as long?" in waiting and not any("264" in w or "5,346" in w for w in waiting)
    assert any("264" in w for w in answered) and any("5,346" in w for w in answered)
    r = request(MODELS["Llama-3.1-8B"], 2048, 200, DEVICES["A100-80"])
    waiting, answered = (checked(answer_times(Sheet(), [("this", r)], EXACT, known))[1] for known in (False, True))
    assert not any(re.fullmatch(r"[\d.]+( s)?", w) for w in waiting)  # a clock beneath the bars told where they end
    assert "<b>?</b>" in waiting and not any("199" in w for w in waiting) and any("199" in w for w in answered)
    assert f"<b>✓ {seconds(r.end_to_end_s)}</b>" in answered


def test_an_index_is_read_and_what_is_assumed_of_it_is_said():
    """DeepSeek-V3.2 at 131,072 tokens and 32 sequences on eight H200: 86.4 ms a step, though 26 are possible."""
    shape = ModelShape.from_config(json.loads((FIXTURES / "deepseek_v32_exp_config.json").read_text("utf-8")))
    s = Setup(shape, DEVICES["H200"], 8, 131_072, 32, shape.stored_bits, 16)
    said = batching._batching(s)
    assert says(said, "Assumed", "index", "16 bits")
    assert "Assumed" not in batching._batching(replace(s, kv_bits=8))
    assert says(batching._why_batch(s), "70.1 GB") and says(batching._why_batch(s), "index")
    assert s.ceiling < 8 * DEVICES["H200"].bytes_per_s / (8 * 70_103_597_056 / 32)  # if nothing but caches took time
    assert says(cache_or_weights.even_question(s).asked, "index", "2,048", "rows")
    assert says(steps._shared(s, 242), "64") and "Assumed" in steps._bends(s, *(p[0] for p in steps.passes(s)))


def test_a_share_of_bytes_is_said_to_be_one():
    """“43.4 % of all parameters”, which are 30.0 % of them: two tokens’ experts have 4.25 bits, and what is read besides 16."""
    shape = MODELS["gpt-oss-20b"]
    s = Setup(shape, DEVICES["H200"], 1, 2048, 2, shape.stored_bits, 16)
    question = cache_or_weights.even_question(s)
    assert says(question.why, "43.4 %", "bytes") and says(question.asked, "4.25", "experts", "16", "all else")
    assert says(cache_or_weights.even_question(replace(s, weight_bits=8)).asked, "parameters in 8 bits")
    assert shape.visited_params(2) / shape.n_params == pytest.approx(0.300, abs=0.001)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("batch", [1, 8, 4096])
def test_decode_reads_the_weights_that_it_meets_and_both_numbers_are_named(name, batch):
    """Of a mixture of experts the page said that decode "reads every weight for one token": 2.37 of 13.75 GB for gpt-oss-20b. And
    Llama-3.1-8B weighed 15.01 GB here and 16.06 GB elsewhere: the one is read at a step, the other stored."""
    shape = MODELS[name]
    s = Setup(shape, DEVICES["H200"], 8, 2048, batch, shape.stored_bits or 16, 16)
    read = weight_read_bytes(shape, batch, s.weight_bits)
    stored, met = s.stored_and_read
    assert (stored, met) == (decimal_bytes(shape.weight_bytes(s.weight_bits)), decimal_bytes(read))
    bends, why = steps._bends(s, *(p[0] for p in steps.passes(s))), batching._why_batch(s)
    if stored == met:
        assert "every parameter" in bends and met not in bends and says(why, "parameters", stored)
    else:
        assert says(bends, met, stored) and says(why, stored, met, "once")


def test_rates_and_ridges_are_those_of_the_parts_of_a_file():
    """“At most 1.25 PFLOP/s on 4.46-bit numbers”, “waits for memory: the ridge is at 612.1 for products with parameters”: the file has
    numbers of 4 bits and of 16, and its prompt takes 60 ms of arithmetic and 49 of moving bytes."""
    at = page("roofline", model="gpt-oss-120b", device="A100-80", batch="4", p="1200", g="240", slide=1)
    (alt,), shown = alternatives(at), text(at)
    assert says(alt, "1.25 PFLOP/s on 4-bit numbers (experts) and 312 TFLOP/s on 16-bit numbers (all else)")
    assert says(alt, "ridge at 612.1 FLOP a byte for products with experts, 153 for all else", "waits for compute")
    assert says(shown, "waits for compute", "612.1 for products with experts, 153 for all else")
    words = " ".join(figures(at)[0][0]["data"][-1]["text"])
    assert says(words, "decode computes 1.3% of its time")
    assert says(words, "1.25 PFLOP/s on 4-bit numbers", "all else, 16-bit: 312 TFLOP/s")
    assert not re.search(r"4\.4\d-bit numbers", alt + shown + words)
    s = Setup(MODELS["gpt-oss-120b"], DEVICES["A100-80"], 1, 1200, 4, MODELS["gpt-oss-120b"].stored_bits, 16)
    assert says(batching._batching(s), "From 2,005 tokens", "4 of 128 experts")
    apple = replace(s, device=DEVICES["Apple M4"])  # one rate for all
    assert ridges.peaks(apple).endswith("on 4- and 16-bit numbers") and "for" not in ridges.in_words(apple)


def test_published_shares_of_experts_are_said():
    """By hand in two audits: 3.71 of 13.76 GB for gpt-oss-20b alone, whose experts have 4.25 bits and all else 16; 162.9 of 671 GB
    for DeepSeek-V3 in 8 bits at batch 8."""
    small = Setup(MODELS["gpt-oss-20b"], DEVICES["H200"], 1, 2048, 1, MODELS["gpt-oss-20b"].stored_bits, 16)
    large = Setup(MODELS["DeepSeek-V3"], DEVICES["H200"], 8, 2048, 8, 8, 16)
    assert small.stored_and_read == ("13.76 GB", "3.71 GB") and large.stored_and_read == ("671.03 GB", "162.86 GB")


@pytest.mark.parametrize("n_generated", [1, 2, 4096])
@pytest.mark.parametrize(("scale", "first"), [(1e-7, 3.2), (1e-3, 3.2), (10.0, 3.2), (1e-5, 24_689.1), (1e12, 3.2)])
def test_an_answer_of_any_length_of_time_is_written_and_a_step_too_many_is_wrong(scale, first, n_generated):
    """“0 ms” of 0.0046 ms, where every guess near 0 was right; “More: 908.6 ms; you predicted 908.564 ms”, which is the sum itself,
    rounded to more than half a step of it."""
    now = Request(64, n_generated, first * scale, 1.4 * scale)
    question, (_, per_s) = waiting.end_to_end_question(now), waiting.asked_unit(now)
    assert question.answer == pytest.approx(per_s * (now.ttft_s + (n_generated - 1) * 1.4 * scale), rel=1e-3)
    ttft, tpot = waiting.asked_times(now)
    assert not question.refusal(question.answer)  # “expected a number from 0 to 1,000,000,000,000”, of an answer of 56,000 years
    assert not question.is_right(1.05 * question.answer)  # “near enough”, 0.65 of 0.477
    assert question.is_right(ttft + (n_generated - 1) * tpot) and (first > 10 or not question.is_right(ttft + n_generated * tpot))
    assert 0 < question.tolerance < (1.4 * per_s * scale if n_generated > 1 else question.answer)


def test_what_a_step_spends_on_states_is_said_beside_the_caches():
    plain = Setup(MODELS["Qwen3-32B"], DEVICES["A100-80"], 1, 7000, 3, 8, 16)
    layers = plain.shape.layers
    mixed = replace(plain.shape, layers=(replace(layers[0], kind="linear", n_state=4096), *layers[1:]))
    for s, kept in ((plain, "with the caches,"), (replace(plain, shape=mixed), "with the caches and states,")):
        assert says(batching._step_in_words(s, batching._step(s, 3)), kept)
        question = cache_or_weights.even_question(s)
        assert ("**cache and states**" in question.asked) == (s is not plain) and ("the **cache**" in question.asked) == (
            s is plain
        )


def test_operations_that_take_equally_long_are_both_the_longest():
    lengths = {"context": "1048576", "p": "1048576", "g": "4096", "batch": "4096"}
    said = text(linked("roofline", slide="1", model="Llama-3.1-405B", device="TPU v5e", **lengths))
    assert says(said, "scores", "and", "context", "take longest", "each")


def test_a_length_that_the_model_was_not_trained_for_is_said_to_be_one():
    """“41,659” of a model that reads 40,960."""
    long = Setup(MODELS["Qwen3-32B"], DEVICES["A100-80"], 1, 7000, 3, 8, 16)
    assert says(cache_or_weights.even_question(long).why, "trained for 40,960 at most")
    assert "trained" not in cache_or_weights.even_question(replace(long, batch=64)).why


@pytest.mark.parametrize(
    ("model", "device", "bits", "p", "batch"),
    [
        ("Gemma-2-9B", "Apple M4", 4, 2048, 32),
        ("Qwen2.5-0.5B", "A100-80", 16, 128, 128),
        ("Llama-3.1-8B", "A100-80", 16, 2048, 1),
    ],
)
def test_the_share_that_decode_computes_is_that_of_the_times_of_the_next_steps(model, device, bits, p, batch):
    """“Computes 74% of its time”, of a step of which the next one draws 157 ms of arithmetic and 188 ms of reading."""
    s = Setup(MODELS[model], DEVICES[device], 1, p, batch, bits, 16)
    weights, caches = pass_parts(s.shape, 1, s.device, p, batch, **s.options)
    share = (weights[0] + caches[0]) / tpot_s(s.shape, p, s.device, batch, **s.options)
    assert steps.computing_share(s) == pytest.approx(share)
    drawn = figures(page("roofline", model=model, device=device, bits=str(bits), p=str(p), batch=str(batch), slide="1"))[0][0]
    assert f"computes {percent(share).replace('.0%', '%')} of its time" in str(drawn)
