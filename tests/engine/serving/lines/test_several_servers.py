"""Two servers in one file, fewer bits than a line says of all, and settings or batches in forms of their own."""

import pytest

from engine.serving.lines.heads import several_servers, without_heads
from engine.serving.lines.whose import whose
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.starts import mixed
from engine.serving.stated_setup import stated_setup

INFO = "(EngineCore pid=164) INFO 03-20 10:20:32 "
SMALL = [
    f"ocr    | {INFO}[core.py:101] Initializing a V1 LLM engine (v0.17.1) with config: model='/m/a-1B', max_seq_len=8192, seed=0",
    f"ocr    | {INFO}[gpu_worker.py:452] Available KV cache memory: 1.69 GiB",
    f"ocr    | {INFO}[kv_cache_utils.py:1316] GPU KV cache size: 48,816 tokens",
]
LARGE = [
    f"chat   | {INFO}[core.py:101] Initializing a V1 LLM engine (v0.17.1) with config: model='/m/b-35B', max_seq_len=32768, seed=0",
    f"chat   | {INFO}[gpu_worker.py:452] Available KV cache memory: 5.69 GiB",
    f"chat   | {INFO}[kv_cache_utils.py:1321] Maximum concurrency for 32,768 tokens per request: 12.91x",
]


def test_what_one_service_prints_is_not_the_others():
    """docker compose with a model for pictures and one for texts: no length, no name and no sum of one is held against the other's."""
    both = read_log("\n".join(SMALL + LARGE))
    said = stated_setup(both)
    assert both.of_several and mixed(both) == "lines of several servers stand in it" and (said.model, said.n_ctx) == ("", None)
    assert not [check for check in cache_checks(both) if check.agrees]
    assert stated_setup(read_log("\n".join(LARGE))).model == "/m/b-35B"


def test_a_service_that_is_no_server_makes_no_second_one():
    lines = [*LARGE, *["web    | GET /health 200"] * 4]
    assert not several_servers(lines) and stated_setup(read_log("\n".join(lines))).n_ctx == 32768


LOADED = "[2026-10-10 11:59:36] Load weight end. elapsed=329.53 s, type=BailingMoeV3ForCausalLM, quant=fp8, fmt=e4m3, mem usage=80.31 GB."


@pytest.mark.parametrize(
    "line",
    [
        "[2026-10-10 11:53:57] Detected mixed checkpoint layout: routed experts are MXFP4.",  # inclusionAI/ling-cookbook
        "python3 -m sglang.launch_server --model-path ~/models/Ling-3.0-flash-fp4 --tp-size 1",
        "python3 -m sglang.launch_server --model-path ~/models/x --served-model-name ling-w4a8 --tp-size 1",
    ],
)
def test_a_name_or_a_line_with_fewer_bits_leaves_none(line):
    assert stated_setup(read_log(LOADED)).weight_bits == 8
    assert stated_setup(read_log(f"{line}\n{LOADED}")).weight_bits is None


def test_settings_that_their_reader_put_in_lines_are_one_list():
    log = read_log(
        "INFO scheduler.init_model_worker: max_total_num_tokens=695104,\n  chunked_prefill_size=16384,\n  context_len=262144"
    )
    assert (log.value("kv_tokens"), log.value("batch_tokens"), stated_setup(log).n_ctx) == (695104, 16384, 262144)


def test_a_config_that_begins_in_the_next_line_is_read():  # vlm-run/vlmbench
    log = read_log(
        "(APIServer pid=1) INFO 02-07 15:44:24 non-default args: {\n  'model': 'a/b-1B',\n  'max_num_seqs': 8,\n  'x': False\n}\n"
        "(EngineCore pid=272) INFO 02-07 15:44:44 Initializing a V1 LLM engine (v0.15.1) with config:\n"
        "  model='a/b-1B', dtype=torch.bfloat16, max_seq_len=16384,\n  tensor_parallel_size=2, quantization=None\n"
        "(EngineCore pid=272) INFO 02-07 15:45:42 Model loading took 1.88 GiB memory and 22.15 seconds"
    )
    said = stated_setup(log)
    assert (said.model, said.n_ctx, said.n_devices, said.weight_bits) == ("a/b-1B", 16384, 2, 16) and log.value("n_at_most") == 8
    assert log.all("n_devices")[0].line == 8


def test_a_batch_with_its_number_is_read():
    line = "(SGLangEngine pid=35555) [2025-10-31 03:45:20 TP0] {} batch [51341], "
    log = read_log(
        line.format("Decode") + "#running-req: 317, #token: 1094261, token usage: 0.67, gen throughput (token/s): 7269.16"
    )
    assert (log.value("n_running"), log.value("tokens_per_s")) == (317, 7269.16)
    log = read_log(line.format("Prefill") + "#new-seq: 1, #new-token: 8192, #cached-token: 0, token usage: 0.97")
    assert log.value("new_tokens") == 8192


@pytest.mark.parametrize(
    "head", ["389| ", "Feb 24 20:27:29: ", "2024-02-15T17:06:46.930-05:00 | [INFO ] PyProcess - W-332-model-stdout: "]
)
def test_more_heads(head):
    assert (
        read_log(head + "INFO 02-15 22:06:45 llm_engine.py:275] # GPU blocks: 2050, # CPU blocks: 2048").value("n_blocks") == 2050
    )


def test_a_month_and_a_time_alone_are_a_collectors():
    assert without_heads(["Feb 24 20:27:29: llama_kv_cache_init: x"]) == ["llama_kv_cache_init: x"]


def test_a_containers_name_behind_a_time_is_docker_desktops():
    line = "2025-07-16 04:20:47 gbstudio_hub-ollama-1   | llama_kv_cache_unified: size =   32.00 MiB (  1024 cells,  16 layers,  1/1 seqs)"
    assert read_log(line).value("cells") == 1024
    assert (
        read_log("INFO gpu_worker.determine_available_memory: Available KV cache memory: 54.90 GiB").last("kv_bytes").printed
        == "54.90 GiB"
    )


@pytest.mark.parametrize("before", ["1. Country:", "worker 3 said ", "a city of romance. Paris is a must-visit"])
def test_a_line_of_sglangs_begins_where_its_head_does(before):  # its notebook prints a model's answer in between
    line = (
        before
        + "[2025-01-23 19:35:34 TP0] Decode batch. #running-req: 1, #token: 57, token usage: 0.00, gen throughput (token/s): 113.78"
    )
    assert read_log(line).value("tokens_per_s") == 113.78
    assert whose(before + "[2025-01-23 19:35:34 TP0] I saw a Decode batch. #running-req: 1") == ""
