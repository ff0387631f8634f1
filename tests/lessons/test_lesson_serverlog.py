"""The lesson on server logs: every example adds up as it did where it was printed, and a stranger's log is read or refused."""

import re
from dataclasses import replace

import pytest
from any_log import logs
from app_pages import figures, press, right, says, selected
from hardware_pages import alternatives, checked, commit, page, text
from hypothesis import given
from hypothesis import strategies as st
from printed_logs import CONFIG, HEADING, MEMORY
from said import untagged, words_in

from engine.cost import DEVICES, MODELS
from engine.serving.expected import known
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import times
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog import in_sentences, steps, understood
from pages.lessons.serverlog.compared import AGAINST, Compared, in_words
from pages.lessons.serverlog.examples import EXAMPLES
from pages.lessons.serverlog.figures.bound_and_measured import Timed, bound_and_measured
from pages.lessons.serverlog.figures.log_and_memory import Printed, log_and_memory
from pages.lessons.serverlog.figures.two_numbers import Line, two_numbers
from pages.parts.drawing.palette import faded, palette
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.amounts import amount
from pages.parts.text.amounts import times as factor


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_understood(name):
    at = page("serverlog", log=name, slide=1)
    assert says(text(at), *read_log(EXAMPLES[name].text).programs)
    assert EXAMPLES[name].source.split(",")[0] in text(at)


def test_what_a_line_says_is_in_the_part_of_it_that_is_shown():
    assert "kv_cache_size=3.81GiB" in alternatives(page("serverlog", slide=1))[0]
    long = read_log("(Worker pid=1) INFO " + "x" * 300 + " GPU KV cache size: 78,384 tokens " + "y" * 300)
    assert "78,384" in long.lines[1] and len(long.lines[1]) <= 160 and "78,384" in understood._cut(long, 1)


def test_a_step_with_nothing_to_show_offers_a_log_that_has_it():
    at = page("serverlog")
    press(at, "serverlog_read_bench")
    assert says(" ".join(alternatives(at)), "510")
    assert says(at.info[0].value, "cache and parameters", "no two numbers", "here")  # 1,000 requests in 30.85 s are a rate
    press(at, "serverlog_read_one-card")
    assert "31,232 tokens" in text(at)


def test_a_token_is_worked_out_from_two_lines_and_then_shown():
    at = page("serverlog")
    assert says(alternatives(at)[1], "bytes a token", "?", "?") and "131,072" not in " ".join(alternatives(at))
    said = commit(at, "log_token", 128.0)  # 2 · 32 layers · 8 heads · 128 · 2 bytes = 131,072 bytes = 128 KiB
    assert right(said)
    assert says(alternatives(at)[1], "expected", "131,072 bytes") and says(text(at), "all", "adds up")


def test_what_contradicts_itself_is_said():
    assert says(text(page("serverlog", log="two-lines", slide=2)), "33.04", "32,768", "1,082,655 tokens")


def test_the_examples_model_is_chosen_unless_the_link_names_one():
    at = page("serverlog", log="llama-cpp", slide=2)
    assert says(alternatives(at)[0], "layers", "by the log 80", "expected 80")
    at = page("serverlog", log="llama-cpp", log_model="Llama-3.1-8B", slide=2)
    assert says(alternatives(at)[0], "layers", "by the log 80", "expected 32")


def test_a_benchmark_stands_beside_its_bound_and_a_log_without_times_says_so():
    at = page("serverlog", log="bench", slide=3)
    assert says(" ".join(alternatives(at)), "510") and says(text(at), "5.42 ×", "bound", "queue")
    assert "2,141" not in text(at) + " ".join(alternatives(at))  # nothing is a multiple of a bound that has no queue in it
    at = page("serverlog", slide=3)  # an example that has times stands in their place, and is named as another log
    assert (
        says(text(at), "times of this log", "held against a bound here")
        and says(" ".join(alternatives(at)), "510")
        and at.button(key="serverlog_read_bench")
    )


def read(at, log):
    at.text_area(key="serverlog_text").input(log)
    return at.button(key="FormSubmitter:form_log-Read it").click().run()


def test_timings_of_several_texts_are_held_against_nothing_and_it_says_why():
    timed = "llama_print_timings: prompt eval time = 34550.14 ms / 2576 tokens ( 13.41 ms per token, 74.56 tokens per second)"
    at = page("serverlog")
    read(at, f"./perplexity -m x.gguf -f y\n{timed}")
    assert says(text(at), "held against a bound here", "one request’s is not known") and not at.exception


def test_what_is_missing_is_chosen_where_its_menu_stands():
    """“Choose it below”, of a model whose menu is in the step above where all steps stand on one page."""
    cache = "Available KV cache memory: 3.81 GiB\nGPU KV cache size: 31,232 tokens\n"
    at = read(page("serverlog"), cache + EXAMPLES["bench"].text)
    said = [info.value for info in at.info if "Needed for a bound" in info.value]
    assert AGAINST in {one.label for one in at.expander} and all(AGAINST in one and "below" not in one for one in said) and said


def menus(at):
    return {box.label: box.value for box in at.selectbox}


@pytest.mark.parametrize("pasted", ["", "hello [x](http://evil.tld) :red[y]", "<script>p()</script>", "\n" * 6000])
def test_a_log_that_says_nothing_takes_the_last_one_with_it(pasted):
    at = read(page("serverlog"), pasted)
    assert not at.exception and len(at.warning) == 1 and "xpected" in at.warning[0].value
    assert "31,232" not in text(at) and alternatives(at) == []
    assert len(at.info) == 2 and all(says(info.value, "no log") for info in at.info)
    press(at, "serverlog_read_one-card")
    assert "31,232 tokens" in text(at) and not at.warning


def test_ones_own_log_is_read_and_stays_in_the_visit():
    at = read(
        page("serverlog", slide=1), "INFO GPU KV cache size: 1,000 tokens\n<b>nothing</b>\nAvailable KV cache memory: 0.13 GiB"
    )
    assert not at.exception and says(text(at), "cache", "1,000 tokens") and says(text(at), "2 of 3 lines")
    assert "1,000" not in str(selected(at))


def test_a_link_to_a_pasted_log_says_that_its_text_is_not_in_it():
    elsewhere = page("serverlog", log="pasted")  # its link on another machine
    assert says(elsewhere.warning[0].value, "not in it") and "31,232" not in text(elsewhere)
    assert elsewhere.info and all(says(info.value, "not in it") for info in elsewhere.info)  # in the other steps too


def test_a_log_that_names_its_model_is_held_against_that_one_and_nothing_is_asked():
    at = read(page("serverlog"), CONFIG + MEMORY)
    assert says(text(at), "sequences", "4,096 tokens")
    assert (
        "llama-2-7b" in text(at).lower()
        and "1 device" in text(at).replace("*", "")
        and list(menus(at)) == ["A log to read", "Model"]
    )
    commit(at, "log_token", 512.0)
    assert says(text(at), "all", "adds up")


def test_a_log_that_names_nothing_is_asked_about_and_gets_no_verdict():
    at = read(page("serverlog"), MEMORY)
    assert set(menus(at)) == {"A log to read", "Model", "How many devices", "Bits a parameter", "Bits a cached number"}
    commit(at, "log_token", 512.0)
    assert says(text(at), "no verdict", "shape") and "Llama-3.1-8B" not in text(at).split("What was measured")[0]
    for key, value in (("model", "Llama-2-7B"), ("devices", "1"), ("bits", "16"), ("kv_bits", "16")):
        at.selectbox(key=f"extra_log_{key}").select(value).run()
    assert says(text(at), "all", "adds up") and not says(text(at), "no verdict")
    read(at, MEMORY)  # what was chosen beside one log is not taken over to the next
    assert (
        at.selectbox(key="extra_log_model").value == "" and says(text(at), "no verdict") and not says(text(at), "all", "adds up")
    )


def test_a_benchmark_names_its_model_and_is_asked_for_its_device():
    log = '{"model_id": "meta-llama/Llama-3.1-8B-Instruct", "completed": 10, "duration": 9.0, "total_input_tokens": 1000, '
    log += '"total_output_tokens": 1000, "mean_ttft_ms": 100.0, "mean_tpot_ms": 9.0}'
    at = read(page("serverlog"), log)
    assert says(at.info[-1].value, "how many devices", "parameter", "cached number", "the device")
    for key, value in (("devices", "1"), ("bits", "16"), ("kv_bits", "16"), ("device", "H100 SXM")):
        at.selectbox(key=f"extra_log_{key}").select(value).run()
    assert says(text(at), "×", "bound", "Llama-3.1-8B", "H100 SXM")


def test_a_time_below_its_bound_says_that_something_assumed_is_wrong():
    log = (
        HEADING
        + "Successful requests: 1000\nBenchmark duration (s): 2\nTotal input tokens: 2560000\nTotal generated tokens: 200000\n"
    )
    at = read(page("serverlog"), f"{log}Mean TTFT (ms): 1000\nMean TPOT (ms): 9")
    for key, value in (("model", "Llama-3.1-8B"), ("devices", "1"), ("bits", "16"), ("kv_bits", "16"), ("device", "H100 SXM")):
        at.selectbox(key=f"extra_log_{key}").select(value).run()
    assert says(text(at), "assumed", "wrong") and not says(text(at), "×", "bound", "Llama-3.1-8B")


@pytest.mark.parametrize(
    "line",
    [
        "llama_kv_cache: size = 0.00 MiB ( 0 cells, 80 layers, 1 seqs), K (f16): 0.00 MiB, V (f16): 0.00 MiB",
        "llama_kv_cache: size = 1.00 MiB ( 8 cells, 0 layers, 1 seqs), K (f16): 0.50 MiB, V (f16): 0.50 MiB",
        "python -m sglang.launch_server --tp-size 0.5\nKV Cache is allocated. #tokens: 10, KV size: 1.00 GB",
        "Decode batch. #running-req: 0.5, #token: 10, gen throughput (token/s): 5.0",
        "Decode batch. #running-req: 99999999999, #token: 1099511627776, gen throughput (token/s): 5.0",
        "prompt eval time = 1.00 ms / 99999999999999999999 tokens\nllama_context: n_ctx = 1",
        HEADING
        + "Successful requests: 1\nTotal input tokens: 1099511627776\nTotal generated tokens: 1099511627776\nMean TTFT (ms): 1",
        "vllm serve somebody/else",
    ],
)
def test_no_number_in_a_log_stops_the_page(line):
    link = {"log_model": "DeepSeek-V3", "log_device": "A10", "log_devices": "1", "log_bits": "16", "log_kv_bits": "16"}
    at = read(page("serverlog", log="pasted", **link), line)
    assert not at.exception
    for key, value in (("model", "DeepSeek-V3"), ("device", "A10"), ("devices", "1"), ("bits", "file"), ("kv_bits", "16")):
        if any(box.key == f"extra_log_{key}" for box in at.selectbox):
            at.selectbox(key=f"extra_log_{key}").select(value).run()
            assert not at.exception


@given(logs(), st.sampled_from([None, "Llama-3.1-8B", "DeepSeek-V3", "gpt-oss-20b"]))
def test_any_log_is_put_in_words_and_drawn(printed, model):
    """The page's sentences and its figure, without the page: what is shown of a log with any numbers in it."""
    try:
        log = read_log(printed)
    except ValueError:
        return
    shape = model and MODELS[model]
    c = Compared(stated_setup(log), known(log, shape, 1, 16, 16), DEVICES["A10"])
    said = [
        understood._how_many(log),
        in_sentences.held(log, c),
        in_words(c),
        *(understood._cut(log, n) and understood._read_in(log, n) for n in log.lines),
    ]
    checks = cache_checks(log, shape, 1, 16, 16)
    lines = [steps._line(check, False) for check in checks]
    if question := steps.token_question(log, checks):
        said += [question.asked, question.why]
        assert question.low <= question.answer <= question.high
    if shape and (found := times(log, shape, c.device, **c.options)):
        said.append(steps._beside_the_bound(found, c))
        for phone in (False, True):
            _, words = checked(bound_and_measured(Sheet(phone=phone), [steps._timed(time) for time in found]))
            told = [any(factor(time.measured_s / time.least_s) in word for word in words) for time in found if not time.queued]
            assert all(told)
    if checks:
        said.append(steps._verdict(checks))
    if lines:
        checked(two_numbers(Sheet(), lines))
        checked(two_numbers(Sheet(phone=True), lines))
    for phone in (False, True):
        shown = [
            Printed(
                n, understood._cut(log, n), understood._marked(log, n), understood._read_in(log, n), understood._of_cache(log, n)
            )
            for n in log.lines
        ]
        checked(log_and_memory(Sheet(phone=phone), shown[:6], understood._in_memory(log), 31_232.0))
    assert not [text for text in said if "None" in text.replace("quantised None", "") or "nan" in text]


OWN = """print_info: file size   = {size} ({bits} BPW)
print_info: arch             = something
print_info: model params     = 1.00 M
"""


@pytest.mark.parametrize(
    ("size", "bits", "agrees"), [("2.00 MiB", "16.00", False), ("1.91 MiB", "16.00", True), ("0.58 MiB", "4.85", True)]
)
def test_a_file_s_own_parameters_and_bits_make_its_size_whatever_its_shape(size, bits, agrees):
    """ "No verdict, not known: the shape" was said of 1.00 M parameters of 16 bits in 2.00 MiB, which are 1.91."""
    (check,) = (check for check in cache_checks(read_log(OWN.format(size=size, bits=bits))) if check.what == "parameters")
    assert check.agrees == agrees and check.differs != agrees and ("contradicts itself" in check.why) != agrees
    twice = OWN.format(size="2.00 MiB", bits="16.00") + OWN.format(size="4.00 MiB", bits="16.00")  # a draft model beside it
    assert all(check.expected is None for check in cache_checks(read_log(twice)) if check.what == "parameters")
    assert says(text(read(page("serverlog"), OWN.format(size="2.00 MiB", bits="16.00"))), "parameters", "contradicts itself")


def test_one_token_is_one_in_every_sum():
    log = "GPU KV cache size: 1 tokens\nMaximum concurrency for 1,000 tokens per request: 0.00x\n"
    at = read(page("serverlog"), log)
    assert [check.how for check in cache_checks(read_log(log))] == ["1 token ÷ 1,000"]
    assert "1 tokens ÷" not in text(at) and "  " not in next(m.value for m in at.markdown if "Its lines are" in m.value)
    assert not any("  " in m.value for m in read(at, CONFIG + MEMORY).markdown if "Its lines are" in m.value)


BENCH = (
    HEADING + "Successful requests: {}\nBenchmark duration (s): 60.5\nTotal input tokens: 2000000\nTotal generated tokens: {}\n"
    "Mean TTFT (ms): {}\nMean TPOT (ms): {}\nnothing"
)


@pytest.mark.parametrize(
    ("log", "reason", "never"),
    [
        (BENCH.format(100, 12_800, 80.5, 25.1), "prefix caching", ("at once", "speculation")),  # a first token in 80 ms
        (BENCH.format(1, 128, 9e6, 2.5), "speculation", ("at once", "prefix")),
        (BENCH.format(1000, 128_000, 9e6, 9.1), "fewer at once", ("prefix",)),
    ],
)
def test_what_lies_below_its_bound_has_the_reasons_that_it_can_have(log, reason, never):
    """“TTFT: below the bound …: fewer at once, or several tokens a step”, of prompts, of which a step has no tokens at all."""
    read_ = read_log(log)
    shape, device = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
    c = Compared(stated_setup(read_), known(read_, shape, 1, 16, 16), device)
    said = steps._beside_the_bound(times(read_, shape, device, **c.options), c)
    assert "below the bound" in said and reason in said and not [word for word in never if word in said]


def test_the_devices_of_all_stages_are_named_beside_their_bound():
    """“× the bound of Llama-3.1-70B on 8 × H200”, of 16."""
    log = read_log(
        "server_args=ServerArgs(model_path='x', tp_size=8, pp_size=2)\n"
        "Decode batch. #running-req: 2, #token: 400, gen throughput (token/s): 10.0"
    )
    shape, device = MODELS["Llama-3.1-70B"], DEVICES["H200"]
    c = Compared(stated_setup(log), known(log, shape, 8, 8, 8), device)
    assert "on 16 × H200" in steps._beside_the_bound(times(log, shape, device, **c.options), c)


def test_devices_of_one_of_several_copies_are_not_said_to_be_all():
    """“It names 2 devices” of `--tp-size 2 --dp-size 2`, which are four, and four beside the bound of what one copy printed."""
    log = read_log(
        "python -m sglang.launch_server --model-path a/Qwen3-0.6B --tp-size 2 --dp-size 2\n"
        "Decode batch, #running-req: 1, #token: 128, token usage: 0.00, gen throughput (token/s): 17.59"
    )
    device = DEVICES["H100 SXM"]
    c = Compared(stated_setup(log), known(log, MODELS["Qwen3-0.6B"], None, 16, 16), device)
    assert "**2 devices** in each of **2 copies**" in in_words(c)
    said = steps._beside_the_bound(times(log, c.known.shape, device, **c.options), c)
    assert "on 2 × H100" in said and "of one copy" in times(log, c.known.shape, device, **c.options)[0].how  # in the help


@pytest.mark.parametrize(("n", "said"), [(1, "the other is left alone"), (2, "the others are left alone")])
def test_one_line_that_is_left_alone_is_one(n, said):
    assert said in understood._how_many(read_log("GPU KV cache size: 1,000 tokens" + "\nnothing" * n))


@pytest.mark.parametrize(
    "text, change",
    [
        (  # ovg-project/kvcached issue 29
            "Free memory on device (59.32/79.15 GiB) on startup is less than desired GPU memory utilization (0.9, 71.24 GiB).",
            "--gpu-memory-utilization 0.749",
        ),
        (  # vatsasree/MedQA_Agent: of four cards the one with the least decides
            "\n".join(
                f"Free memory on device cuda:{n} ({free}/79.18 GiB) on startup is less than desired GPU memory utilization (0.92, 72 GiB)."
                for n, free in enumerate((54.34, 53.76, 54.49, 54.11))
            ),
            "--gpu-memory-utilization 0.678",
        ),
        (
            "Server error: Not enough memory to handle 31000 prefill tokens. You need to decrease",
            "31,000 tokens",
        ),  # TGI issue 3130
    ],
)
def test_a_start_that_found_too_little_memory_says_what_to_change(text, change):
    assert change in in_sentences.to_change(read_log(text))


def test_a_start_that_failed_says_what_to_change_and_what_was_not_understood():
    """The one log for which one comes here: it was said to say nothing about the size of a cache."""
    failed = (
        "raise ValueError(\nValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is "
        "needed, which is larger than the available KV cache memory (9.71 GiB). Based on the available memory, the estimated maximum "
        "model length is 79536."
    )  # vllm-project/tpu-inference pull 223, with other numbers
    at = page("serverlog", slide=1)
    read(at, failed)
    assert says(text(at), "not start", "131,072 tokens", "--max-model-len 79536", "6.29 GiB")
    assert any("1: raise ValueError(" in code.value for code in at.code)


def bars(figure):
    """The filled areas of a figure: colour, and from where to where across."""
    for shape in figure.to_plotly_json()["layout"]["shapes"]:
        if shape["type"] == "path" and shape.get("fillcolor"):
            xs = [float(x) for x in re.findall(r"(-?[\d.]+),", shape["path"])]
            yield shape["fillcolor"], min(xs), max(xs), len(xs)


@pytest.mark.parametrize("hidden", [True, False])
def test_what_a_token_takes_is_worked_out_where_it_will_stand(hidden):
    """Its question mark was the smallest thing of its row, and a dot lay on “equal” before the answer."""
    log = read_log(EXAMPLES["one-card"].text)
    lines = [
        steps._line(check, hidden and check.kind == steps.A_TOKEN)
        for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16)
    ]
    for phone in (False, True):
        figure = two_numbers(Sheet(phone=phone), lines)
        _, words = checked(figure)
        assert "<b>3.81 GiB</b>" in words and "<b>31,232 tokens</b>" in words and words.count("<b>✓</b>") == 2
        assert ("one token takes" in words) == hidden == ("<b>?</b>" in words)
        assert any("130,986 bytes" in word for word in words) != hidden
        assert len(list(bars(figure))) == 3 - hidden  # the way out of the cache, the cache, and what a token takes


def test_two_numbers_are_bars_of_one_scale_and_those_that_are_far_apart_torn():
    """Agreement was a dot in a grey band of unexplained width, on a logarithmic axis with two sides."""
    colors, ratios = palette(False), (1.025, 0.5, 2.0, 8.0, 60.0, 1 / 60, 0.0, None)
    lines = [Line("a", "9", "?" if ratio is None else "8", ratio, ratio in (1.025, None)) for ratio in ratios]
    for phone in (False, True):
        figure = two_numbers(Sheet(phone=phone), lines)
        drawn = [(color, x1) for color, x0, x1, _ in bars(figure) if x0 == 0]
        assert [color for color, _ in drawn[:4]] == [colors.wasted, colors.bar] * 2
        pairs, track = [drawn[k : k + 2] for k in range(0, 12, 2)], max(x1 for _, x1 in drawn)
        found = [log[1] / expected[1] for log, expected in pairs]
        assert found == pytest.approx([0.5, 2, 8, 10, 0.1, 0.1], rel=1e-3) and len(drawn) == 13  # what agrees is a line of text
        assert all(max(log[1], expected[1]) == track for log, expected in pairs)
        torn = [shape for shape in figure.to_plotly_json()["layout"]["shapes"] if shape["line"].get("color") == colors.surface]
        assert len(torn) == 3
        said = " ".join(map(str, figure.data[-1].text))
        assert says(said, "differs", "×0.50", "×8.00", "×60.0", "no verdict", "+2.5%", "✓")


def test_what_one_token_takes_is_drawn_whatever_is_known_of_it():
    """Of a cache of one token, of one whose shape is not known, and where the two differ."""
    colors = palette(False)
    for tokens, ratio, good in ((1, 1.0, True), (3, 2.0, False), (31232, None, False), (1e9, 1 / 60, False)):
        token = Line(
            "bytes a token", "9 bytes", "?" if ratio is None else "8 bytes", ratio, good, "", f"1 GiB for {tokens} tokens", tokens
        )
        for phone in (False, True):
            figure = two_numbers(Sheet(phone=phone), [Line("a", "1", "1", 1.0, True), token])
            _, words = checked(figure)
            assert any("9 bytes" in word for word in words)
            slots = next(n for color, _, _, n in bars(figure) if color == colors.cached) // 4
            assert slots == min(tokens, 21 if phone else 56)


def test_while_a_token_is_asked_for_the_headline_counts_it_as_open():
    """ "All 2 agree" stood above a third that was still to be worked out."""
    at = page("serverlog")
    words = [word for figure, _ in figures(at) for word in words_in(figure)]
    assert any(": ? a token" in word for word in words) and not any("All 2" in word for word in words)


def test_the_lines_of_a_log_point_at_what_of_the_memory_they_say():
    """Two of four lines stood beside the memory without a sign of what they are about."""
    (picture,) = figures(page("serverlog", slide=1))
    assert says(picture[1], "Line 1", "leads to parameters", "Line 2", "leads to cache", "Line 3", "blocks", "leads to cache")
    assert picture[1].count("leads to cache") == 3 and len([t for t in picture[0]["data"] if t.get("mode") == "markers"]) == 4


def test_a_time_is_its_bound_and_as_many_more_blocks_as_it_takes():
    """Bars began at 1 ms on a logarithmic clock, and their lengths meant nothing."""
    colors = palette(False)
    timed = [
        Timed("TPOT, mean", False, 0.0144, 0.0779, False),
        Timed("prompt", False, 0.002, 0.001, True),
        Timed("each step", False, 1.0, 1.0, False),
        Timed("prompt", False, 0.001, 60.0, True),
        Timed("TTFT, mean", True, 0.0045, 9.63, True),
    ]
    for phone in (False, True):
        sheet = Sheet(phone=phone)
        figure = bound_and_measured(sheet, timed)
        _, words = checked(figure)
        drawn = [bar[:3] for bar in bars(figure)]
        (bound, first), (rest, begins, ends) = drawn[0][0::2], drawn[1]
        assert (bound, rest) == (colors.decode, faded(colors, colors.decode, 0.5)) and ends == pytest.approx(1)
        assert first == pytest.approx(0.0144 / 0.0779, abs=1e-4) and 0 < begins - first < 0.01
        assert [x1 for color, _, x1 in drawn if color == colors.wasted] == pytest.approx([0.5])
        assert any("A further token takes 5.41 times its bound" in word for word in words)
        assert {"<b>×5.41</b>", "<b>×0.50</b>", "<b>×1.00</b>"} <= set(words)
        assert any("clock of its own" in word for word in words)
        _, alone = checked(bound_and_measured(Sheet(phone=phone), timed[:1]))
        assert not any("clock" in word for word in alone)


def test_on_a_phone_no_number_of_a_log_s_line_is_cut():
    """“… concurrency for 200 … per request: 1.56x”, of 20,000 tokens."""
    log = read_log(EXAMPLES["one-card"].text)
    for n, line in log.lines.items():
        for most in (60, 72, understood.ON_A_PHONE):
            shown = understood._cut(log, n, most)
            assert set(re.findall(r"[\d.,]+", shown)) <= set(re.findall(r"[\d.,]+", line))
        printed = Printed(n, shown, understood._marked(log, n), "")
        _, words = checked(log_and_memory(Sheet(phone=True), [printed], {}, None))
        text = untagged(" ".join(words))
        assert all(one.printed in text for one in log.figures if one.line == n and one.printed in line)


def test_of_two_servers_in_one_file_one_did_not_start():
    """“It did not start” beside the cache of the other, which did."""
    log = read_log("INFO 03-09 12:56:44 [gpu_worker.py:424] Available KV cache memory: -8.59 GiB")
    assert in_sentences.to_change(log).startswith("**It did not start")
    assert in_sentences.to_change(replace(log, of_several=True)).startswith("**One of its starts failed")


def test_the_figure_says_of_no_tokens_that_there_is_room_for_them():
    """“Room for 78,384 tokens”, where half of the layers keep windows and one text has room for twice as many."""
    said = str(figures(page("serverlog", {"log": "windows"}, slide=1))[0])
    assert "A cache of 78,384 tokens" in said and "Room for" not in said


def test_what_waits_in_a_queue_is_no_wait_where_it_is_below_its_bound():
    """“Measured 60 ms”, “at least 423 ms”, and between the two “the wait in the queue and all else”."""
    for measured_s, waits in ((0.06, False), (9.63, True)):
        figure = bound_and_measured(Sheet(), [Timed("TTFT, mean", True, 0.423, measured_s, True)])
        _, words = checked(figure)
        assert any("wait in the queue" in word for word in words) == waits
        assert (palette(False).wasted in [bar[0] for bar in bars(figure)]) == (not waits)


def test_a_wait_alone_is_said_to_be_so_many_times_its_bound_as_it_is_drawn():
    """“×35.1 its least” above “not compared with the bound”."""
    log = read_log(BENCH.format(100, 12_800, 9000, 0).split("Mean TPOT")[0])
    device = DEVICES["A100-80"]
    c = Compared(stated_setup(log), known(log, MODELS["Llama-3.1-8B"], 1, 16, 16), device)
    (time,) = times(log, c.known.shape, device, **c.options)
    said = steps._beside_the_bound([time], c)
    _, words = checked(bound_and_measured(Sheet(), [Timed("TTFT, mean", time.queued, time.least_s, time.measured_s, True)]))
    ratio = time.measured_s / time.least_s
    assert time.queued and f"{amount(ratio)} × the bound" in said and "wait in the queue" in said
    assert any(f"{factor(ratio)[1:]} times its least" in word for word in words)
