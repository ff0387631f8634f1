"""Experts in other bits than the rest, settings as a dict, a command behind a pipe, a folder that any model has, and names for readers."""

import pytest

from engine.serving.lines.caught import WORDS
from engine.serving.log_lines import read_log
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.understood import _NAMES

LOADED = "[2026-09-11 23:36:02 TP0] Load weight end. elapsed=93.59 s, type={}, quant=fp8, avail mem=19.88 GB, mem usage={} GB."
PS = "NAME   ID   SIZE   PROCESSOR   UNTIL\ngemma2:27b    53261bc9c192    18 GB    12%/88% CPU/GPU    3 minutes from now"
LOOP = '$ for run in {1..10}; do echo "where was beethoven born?" | ollama run tinyllama --verbose 2>&1 | grep "eval rate:"; done'


@pytest.mark.parametrize(
    "line",
    [
        "[2026-09-11 23:34:02] Auto-detected DSV4 routed-expert layout: is_fp4_experts=True",
        "[2026-09-11 23:34:02 TP0] Preparing DSv4 MXFP4 experts for layer 3",
    ],
)
def test_experts_in_other_bits_leave_no_one_number(line):
    loaded = LOADED.format("DeepseekV4ForCausalLM", "94.00")
    assert stated_setup(read_log(loaded)).weight_bits == 8
    assert stated_setup(read_log(f"{line}\n{loaded}")).weight_bits is None
    assert stated_setup(read_log(f"{line.replace('True', 'False').replace('MXFP4', 'FP8')}\n{loaded}")).weight_bits == 8


def test_a_dspark_draft_has_bytes_of_its_own():
    both = "\n".join(LOADED.format(*one) for one in (("DeepseekV4ForCausalLM", "94.00"), ("DeepseekV4ForCausalLMDSpark", "2.80")))
    assert [figure.printed for figure in read_log(both).all("weight_bytes")] == ["94.00 GB"]


def test_sglangs_arguments_as_a_dict_are_read_as_those_in_brackets():
    args = "'model_path': '/models/DeepSeek-V4.1-Flash', 'served_model_name': 'flash', 'mem_fraction_static': 0.95, 'tp_size': 3"
    log = read_log("[2026-09-11 23:34:03] server_args={" + args + ", 'page_size': 256, 'c128_page_size': 16}")
    said = stated_setup(log)
    assert (said.model, said.n_devices, log.value("usable"), log.value("block_size"), log.word("served")) == (
        "/models/DeepSeek-V4.1-Flash",
        3,
        0.95,
        256,
        "flash",
    )


def test_two_starts_with_arguments_as_a_dict_are_two():
    start = "[2026-09-11 23:34:03] server_args={'model_path': 'a/b-8B', 'tp_size': 2}"
    loaded = LOADED.format("Qwen3ForCausalLM", "9.00") + "\n"
    assert len(read_log(f"{start}\n{loaded * 3}{start}").begins) == 2


def test_a_model_that_is_listed_is_not_that_of_a_command_behind_a_pipe():
    rates = "prompt eval rate:     1354.84 tokens/s\neval rate:            88.77 tokens/s"
    assert stated_setup(read_log(f"{PS}\n\n{LOOP}\n{rates}")).model == ""
    assert stated_setup(read_log(LOOP)).model == "tinyllama"
    assert stated_setup(read_log(PS)).model == "gemma2:27b"


@pytest.mark.parametrize(
    "line", ["| ollama run tinyllama | 88 |", "We echo it | ollama run tinyllama", "cat x | grep ollama run a"]
)
def test_a_table_or_a_sentence_with_a_bar_is_no_pipe(line):
    assert stated_setup(read_log(f"{PS}\n{line}")).model == "gemma2:27b"


@pytest.mark.parametrize("folder", ["/model", "/models", "/data/model", "/mnt/models/", "/repository"])
def test_a_folder_that_any_model_has_is_no_name_beside_the_served_one(folder):
    head = "INFO 07-30 07:07:02 [core.py:116] Initializing a V1 LLM engine (v0.26.0) with config: "
    args = f"{head}model='{folder}', dtype=torch.float16, served_model_name=LFM2.5-1.2B-Instruct, "
    said = stated_setup(read_log(args))
    assert (said.model, said.served) == ("", "LFM2.5-1.2B-Instruct")
    assert stated_setup(read_log(args.replace(folder, f"{folder.rstrip('/')}/LFM2.5-1.2B"))).model.endswith("LFM2.5-1.2B")


@pytest.mark.parametrize(
    ("name", "model"), [("Qwen3.6-35B-A3B", "Qwen3.6-35B-A3B"), ('"Meta Llama 3.1 8B"', "Meta Llama 3.1 8B"), ('""', "")]
)
def test_ollamas_own_engine_names_its_file_or_does_not(name, model):
    head = 'time=2026-05-09T10:33:52.782Z level=INFO source=ggml.go:136 msg="" architecture=qwen35moe file_type=unknown '
    log = read_log(head + f'name={name} description="" num_tensors=733 num_key_values=55')
    assert (stated_setup(log).model, log.word("arch")) == (model, "qwen35moe")


def test_a_cache_with_windows_has_two_lengths_and_its_bytes_are_of_neither():
    log = read_log("SWAKVPool mem usage: 79.94 GB, swa size: 798276, full size: 997846")
    assert (log.value("window_tokens"), log.value("full_tokens"), log.programs) == (798276, 997846, ("SGLang",))
    assert log.last("cache_size").printed == "79.94 GB" and not log.all("kv_bytes")


def test_every_word_that_is_caught_has_a_name_for_a_reader():
    assert not [name for name in WORDS if name not in _NAMES]


@pytest.mark.parametrize("prompt", ["", "#", "  # "])
def test_a_command_in_a_comment_is_none_beside_one_that_is_not(prompt):
    named = "vllm serve a/b-8B --max-model-len 4096"
    assert stated_setup(read_log(f"# vllm serve a/c-9B --max-model-len 8192\n{named}")).model == "a/b-8B"
    assert stated_setup(read_log(f"# {named}")).model == "a/b-8B"  # as a root's shell shows it
    assert stated_setup(read_log(f"{prompt} {named}".strip())).n_ctx == 4096


def test_a_setting_right_behind_an_advice_is_none():
    vllms = "INFO 09-21 10:00:00 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens"
    advised = "WARNING 09-21 10:00:00 [arg_utils.py:10] non-default args: You can lower the length. max_model_len: 8192"
    assert read_log(f"{vllms}\n{advised}").value("n_ctx") is None
    assert read_log(f"{vllms}\n{advised.replace('You can lower the length', 'As given')}").value("n_ctx") == 8192


def test_trtllm_bench_of_2024_says_how_long_all_of_it_took():
    log = read_log(
        "= STATISTICS\n= ENGINE DETAILS\nToken Throughput (tokens/sec):  23405.9\nTotal Latency (seconds):        16.406100739"
    )
    assert (log.last("answer_rate").value, log.last("duration_s").value) == (23405.9, 16.406100739)


def test_preemptions_that_are_counted_behind_an_advice_are_read():
    warned = "WARNING 09-21 10:00:00 [scheduler.py:1057] Sequence group 9 is preempted by PreemptionMode.RECOMPUTE "
    advised = (
        "as there is not enough KV cache space. Increase gpu_memory_utilization to have more. total_num_cumulative_preemption=1"
    )
    assert read_log(warned + advised).value("n_preempted") == 1
