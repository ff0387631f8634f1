"""Times beside their bounds: who waits decodes nothing, a step may give several tokens, and below a bound something is wrong."""

import pytest
from printed_logs import HEADING

from engine.cost import DEVICES, MODELS, tpot_s
from engine.serving.log_lines import read_log
from engine.serving.log_times import decoding_at_once, has_times, times
from engine.serving.stated_setup import stated_setup

H100, LLAMA = DEVICES["H100 SXM"], MODELS["Llama-3.1-8B"]


def bench(n, seconds, n_input, n_output, ttft_ms, **step_ms):
    steps = "".join(f"\nMean {name.upper()} (ms): {ms}" for name, ms in step_ms.items())
    return read_log(
        HEADING + f"Successful requests: {n}\nBenchmark duration (s): {seconds}\nTotal input tokens: {n_input}\n"
        f"Total generated tokens: {n_output}\nMean TTFT (ms): {ttft_ms}{steps}"
    )


def test_requests_in_the_queue_are_no_decode_batch():
    """1,000 requests in 30 s that wait 13.5 s for their first token and decode 1.8 s: 60 at once, not 510."""
    _, step = times(bench(1000, 30, 256_000, 200_000, 13_500, tpot=9), LLAMA, H100)
    assert step.n_together == round(1000 / 30 * 199 * 0.009) == 60
    assert not step.below and step.measured_s / step.least_s > 1


def test_the_mean_over_all_gaps_is_taken_where_it_is_printed():
    """vllm-project/vllm pull 18566 prints ITL 38.13 beside TPOT 77.86: short answers weigh as much as long ones in the second."""
    _, step = times(bench(1000, 30.85, 229_711, 203_068, 9626.13, tpot=77.86, itl=38.13), LLAMA, H100)
    assert step.what == "ITL, mean" and step.n_together == decoding_at_once(1000, 1000 / 30.85, 202 * 0.03813) == 250
    assert step.least_s == tpot_s(LLAMA, 230 + 203 // 2, H100, 250)


def test_what_is_faster_than_its_bound_with_so_many_at_once_is_below_it_even_if_one_alone_could_be():
    _, step = times(bench(1000, 2, 2_560_000, 200_000, 10, tpot=9), LLAMA, H100)
    assert step.n_together > 1 and tpot_s(LLAMA, step.n_past, H100) < step.measured_s < step.least_s and step.below


def test_as_many_as_there_are_decode_at_once_at_most():
    assert decoding_at_once(10, 10, 999.0) == 10 and decoding_at_once(10, None, 1.0) == 1


CUT = """Successful requests: 10000
Benchmark duration (s): 282.80
Total input tokens: 25873815
Total generated tokens: 1876513
Concurrency: 784.53
Mean E2E Latency (ms): 22186.77
Mean TTFT (ms): 19182.07
Mean ITL (ms): {}
"""


def test_where_a_whole_request_and_its_first_token_are_timed_the_rest_is_decoding():
    """sgl-project/sglang issue 17212: 3.00 s of decoding each, 16.1 ms a token; of ITL 34.28, of two tokens a gap, “226 decoded at once”
    were made, and a step that none of its tokens took. Where it is 16.1, 106 did."""
    setup = {"weight_bits": 16, "kv_bits": 16, "n_devices": 1}
    assert [one.what for one in times(read_log(HEADING + CUT.format("34.28")), LLAMA, H100, **setup)] == ["TTFT, mean"]
    _, step = times(read_log(HEADING + CUT.format("16.10")), LLAMA, H100, **setup)
    assert step.n_together == round(10_000 / 282.8 * (22.18677 - 19.18207)) == 106
    share = "SpecDecoding metrics: Mean acceptance length: 2.10, Avg Draft acceptance rate: 55.0%\n"
    drafted = read_log("INFO 07-25 03:27:27 [metrics.py:96] " + share + HEADING + CUT.format("34.28"))
    assert [one.n_together for one in times(drafted, LLAMA, H100, **setup)][1:] == [106]


def test_a_step_with_speculation_gives_several_tokens():
    """A decode batch as sgl-project/sglang prints it with a draft model: 2.4 tokens a step for each of 18."""
    line = "Decode batch. #running-req: 18, #token: 16384, token usage: 0.71, {}gen throughput (token/s): 2520.18, #queue-req: 3"
    (alone,), (draft,) = (
        times(read_log(line.format(more)), LLAMA, DEVICES["A100-80"]) for more in ("", "accept len: 2.40, accept rate: 0.84, ")
    )
    assert alone.measured_s == 18 / 2520.18 and draft.measured_s == pytest.approx(2.4 * alone.measured_s)
    assert alone.below and not draft.below and "2.4 tokens a step" in draft.how


def test_stages_of_a_pipeline_work_at_once():
    text = (
        "python -m sglang.launch_server --pp-size 2\nDecode batch. #running-req: 1, #token: 256, gen throughput (token/s): 10.0"
    )
    (two,), (one,) = times(read_log(text), LLAMA, H100), times(read_log(text.split("\n")[1]), LLAMA, H100)
    assert two.least_s == pytest.approx(one.least_s / 2)


def test_what_is_shared_out_whole_has_no_copies_in_its_bound():
    """8 key/value heads on 2 · 8 devices of a pipeline are kept once, a latent with data-parallel attention too: copies of the
    cache made “at least” more than it is."""
    line = "\nDecode batch. #running-req: 200, #token: 400000, gen throughput (token/s): 1000.0"
    for name, text, shared, groups in (
        ("Llama-3.1-70B", "tp_size=8, pp_size=2", 8, 2), ("DeepSeek-V3", "tp_size=8, enable_dp_attention=True", 1, 8),
        ("DeepSeek-V3", "tp_size=8, enable_dp_attention=False", 8, 1),
    ):  # fmt: skip
        shape = MODELS[name]
        (step,) = times(read_log(f"server_args=ServerArgs(model_path='x', {text}){line}"), shape, H100, n_devices=8)
        assert step.least_s == pytest.approx(tpot_s(shape, 2000, H100, 200, n_devices=shared) / groups)
        assert step.least_s <= tpot_s(shape, 2000, H100, 200, n_devices=8 * (2 if groups == 2 else 1))


def test_tokens_that_a_draft_gives_several_of_are_no_steps():  # noonghunna/club-3090 issue 1106: 61 tokens in some 11 steps
    answer = "I slot print_timing: id  0 | task 1 |        eval time =    1834.34 ms /    61 tokens"
    share = "draft acceptance = 0.92727 (   51 accepted /    55 generated), mean len =  5.64"
    drafted = f"{answer}\nI slot print_timing: id  0 | task 1 | {share}"
    (alone,), (draft,) = (times(read_log(text), LLAMA, H100) for text in (answer, drafted))
    assert alone.how.startswith("61 steps") and draft.how.startswith("61 tokens") and "5.64 tokens a step" in draft.how


def test_a_gap_of_several_tokens_is_no_step():
    """vllm-project/vllm issue 8804: “1,000 decoded at once” of ITL 168.08 beside TPOT 19.76, of eight tokens a gap; 129 did."""
    log = bench(1000, 19.48, 215_196, 127_912, 4212.85, tpot=19.76, itl=168.08)
    _, step = times(log, LLAMA, H100)
    assert step.what == "TPOT, mean" and step.n_together == round(1000 / 19.48 * 127 * 0.01976) == 129
    _, near = times(bench(1000, 30, 256_000, 200_000, 13_500, tpot=9, itl=9.5), LLAMA, H100)
    assert near.what == "ITL, mean"  # a mean over other things


@pytest.mark.parametrize(
    ("line", "n", "said"),
    [
        ("Peak concurrent requests: 40", 40, " 40 decoded at once at most,"),
        ("Concurrency: 40.9\nPeak concurrent requests: 64", 41, "about 41 decoded at once on average at most,"),
        ("Mean E2E Latency (ms): 1227.0", 41, "about 41 decoded at once on average at most,"),
    ],
)
def test_no_more_decode_at_once_than_its_own_result_says_were_there(line, n, said):
    """60 by Little’s law, of answers as long as their mean; the result counts its requests itself. Of a mean of 7.94 there were 16 at
    times: sgl-project/sglang pull 26445."""
    plain = bench(1000, 30, 256_000, 200_000, 13_500, tpot=9)
    assert times(plain, LLAMA, H100)[1].n_together == 60
    text = "Successful requests: 1000\nBenchmark duration (s): 30\nTotal input tokens: 256000\nTotal generated tokens: 200000\n"
    _, step = times(read_log(f"{HEADING}{text}Mean TTFT (ms): 13500\nMean TPOT (ms): 9\n{line}"), LLAMA, H100)
    assert step.n_together == n and f"{said} for no more were there" in step.how and "Little" not in step.how


def test_of_answers_of_two_tokens_a_fraction_is_decoded():
    """sgl-project/sglang pull 9428: 101 tokens of 64 answers; “34 decoded at once” were those of two tokens each."""
    _, step = times(bench(64, 15.3, 2_097_122, 101, 7252.11, itl=8132.74), LLAMA, H100)
    assert step.n_together == 20


def test_a_decode_line_of_a_part_is_no_step_of_all_devices():
    """sgl-project/sglang pull 6081: DP0 to DP7, of a command that is not in the text: nobody says what the others computed."""
    line = "[2025-05-31 18:31:21{}] Decode batch. #running-req: 8, #token: 37217, token usage: 0.13, gen throughput (token/s): 171.01"
    assert not has_times(read_log(line.format(" DP6 TP6"))) and has_times(read_log(line.format(" TP0")))


def test_a_decode_line_of_one_copy_is_held_against_its_own_devices():
    """sgl-project/sglang issue 17499: “631 × the bound on 4 × H100” of what one of two copies printed, on two."""
    line = "Decode batch, #running-req: 1, #token: 128, token usage: 0.00, gen throughput (token/s): 17.59"
    command = "python -m sglang.launch_server --model-path a/Qwen3-0.6B --tp-size 2"
    (alone,) = times(read_log(f"{line}\n{command}"), LLAMA, H100, n_devices=2)
    log = read_log(f"{line}\n{command} --dp-size 2")
    (copy,) = times(log, LLAMA, H100, n_devices=2)
    assert (copy.least_s, copy.n_devices, alone.n_devices) == (alone.least_s, 2, 2) and "one copy" in copy.how
    assert stated_setup(log).n_copies == 2 and stated_setup(read_log(f"{line}\n{command}")).n_copies is None
    parts = read_log(f"{line}\n{command} --dp-size 2 --enable-dp-attention")  # the line of one part, on devices of both
    assert not has_times(parts) and not times(parts, LLAMA, H100, n_devices=2) and stated_setup(parts).n_copies is None


def test_a_benchmark_counts_all_copies():
    text = "python -m sglang.launch_server --dp-size 2\n" + HEADING + "Successful requests: 2\nBenchmark duration (s): 9\n"
    text += "Total input tokens: 200\nTotal generated tokens: 200\nMean TTFT (ms): 900\nMean TPOT (ms): 90"
    assert [one.n_devices for one in times(read_log(text), LLAMA, H100, n_devices=1)] == [2, 2]
