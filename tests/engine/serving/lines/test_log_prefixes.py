"""What stands before a line does not hide it: loggers, collectors, terminals and readers put their own there, or break the line."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.lines.heads import without_heads
from engine.serving.lines.whose import begins, whose
from engine.serving.log_lines import read_log
from engine.serving.log_times import times
from engine.serving.starts import mixed
from engine.serving.stated_setup import stated_setup

SAID = "GPU KV cache size: 78,384 tokens"
VLLMS = "INFO 09-21 10:00:00 [kv_cache_utils.py:864] " + SAID


@pytest.mark.parametrize(
    "head",
    [
        "2026-08-10T16:29:42.731228Z  INFO scheduler.init_model_worker: ",  # NVIDIA Dynamo, for vLLM and SGLang
        "2025-05-15 10:52:40.123 | INFO     | vllm.v1.core.kv_cache_utils:get_kv_cache_configs:864 - ",  # loguru
        "2025-05-15 10:52:40,123 - vllm.v1.core.kv_cache_utils - INFO - ",  # Python’s logging
        "INFO:vllm.v1.core.kv_cache_utils:",  # logging.basicConfig
        "[10:52:40] INFO     ",  # rich
        "(ServeReplica:anthropic-direct:LLMServer:claude-sonnet-4-5-20250929-with-a-long-name pid=28488) ",  # Ray
        "[rank0]: INFO ",
        "[1,0]<stdout>:INFO ",  # mpirun --tag-output
        "0: INFO ",  # srun --label
        "#12 34.56 ",  # a build of Docker’s
        "<30>1 2025-05-15T10:52:40Z ",  # syslog
        "[pod/vllm-7d9f8b6c5-abcde/vllm] ",  # kubectl logs --prefix
        "level=info ts=2025-05-15T10:52:40Z ",
    ],
)
def test_a_message_behind_any_head_is_its_programs(head):
    assert read_log(head + SAID).value("kv_tokens") == 78_384
    assert whose(head + "My " + SAID) == ""


@pytest.mark.parametrize(
    "line",
    [
        '{"log":"' + VLLMS + '\\n","stream":"stderr","time":"2025-05-15T10:52:40.1Z"}',  # what Docker keeps
        '{"level": "info", "message": "' + SAID + '", "logger": "vllm"}',
        'ts=2025-05-15T10:52:40Z level=info msg="' + VLLMS + '"',
        "vllm-7d9f8b6c5-abcde vllm " + VLLMS,  # stern
        "vllm-7d9f8b6c5-abcde | " + VLLMS,
        "Nov 28 12:00:00 host vllm: " + VLLMS,
        "2025-11-28T12:00:00+0100 host vllm[123]: " + VLLMS,  # journalctl -o short-iso
        "test\tRun server\t2025-11-28T12:00:00.1234567Z " + VLLMS,  # gh run view --log
    ],
)
def test_a_line_within_what_a_collector_makes_of_it_is_read(line):
    assert read_log(line).value("kv_tokens") == 78_384


def test_devices_are_no_separators():
    line = "0.00.053.157 I   - ROCm0   : AMD Radeon RX 7700 XT (12272 MiB, 11976 MiB free)"
    assert stated_setup(read_log(line)).printed_device == "AMD Radeon RX 7700 XT"


def test_a_month_without_a_number_of_a_process_is_a_collectors():
    assert without_heads(["Nov 28 12:00:00.123 host llama-server: n_ctx = 2"]) == ["n_ctx = 2"]


def test_one_start_that_prints_its_arguments_twice_is_one():
    args = "server_args=ServerArgs(model_path='a/b', tp_size=2)"
    head = "2026-08-10T16:23:49.995247Z  INFO {}: "
    twice = [head.format("engine.__init__") + args, head.format("engine._launch_subprocesses") + args]
    assert begins(twice) == ()
    loaded = "2026-08-10T16:24:49.995247Z  INFO model_runner.load_model: Load weight end. type=Qwen3ForCausalLM"
    assert begins([twice[0], *[loaded] * 3, twice[0]]) == (1, 5)
    assert begins([twice[0], twice[0].replace("a/b", "a/c")]) == (1, 2)


def test_a_draft_under_dynamo_is_none_of_the_models_cache():
    lines = [
        "model_runner.load_model: Load weight end. elapsed=9.00 s, type=DeepseekV3ForCausalLM, mem usage=80.00 GB.",
        "memory_pool.__init__: KV Cache is allocated. #tokens: 1000, KV size: 1.00 GB",
        "model_runner.init_memory_pool: Memory pool end. avail mem=9.00 GB",
        "model_runner.load_model: Load weight end. elapsed=1.00 s, type=DeepseekV3ForCausalLMNextN, mem usage=2.00 GB.",
        "memory_pool.__init__: KV Cache is allocated. #tokens: 2000, KV size: 0.10 GB",
    ]
    log = read_log("\n".join(f"2026-08-10T16:24:4{k}.995247Z  INFO {line}" for k, line in enumerate(lines)))
    assert [one.printed for one in log.all("weight_bytes")] == ["80.00 GB"] and log.value("kv_tokens") == 1000


WIDTHS = [80, 100, 145, 203]
CONFIG = (
    "(EngineCore_DP0 pid=14400) INFO 09-23 03:01:22 [core.py:76] Initializing a V1 LLM engine (v0.10.2) with config: "
    "model='/llm/Qwen3-8B/', speculative_config=None, tokenizer='/llm/Qwen3-8B/', skip_tokenizer_init=False, "
    "dtype=torch.bfloat16, max_seq_len=8192, "
    "tensor_parallel_size=8, pipeline_parallel_size=2, quantization=None, kv_cache_dtype=auto, served_model_name=Qwen3-8B, seed=1024"
)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("moved", range(8))
def test_settings_are_read_wherever_a_terminal_cut_them(width, moved):
    config = CONFIG.replace("seed=1024", "x" * moved).replace(
        "'/llm/Qwen3-8B/', spec", f"'/llm/Qwen3-8B/', a={'y' * moved}, spec"
    )
    parts = [config[k : k + width] for k in range(0, len(config), width)]
    log = read_log("\n".join([*parts, "(EngineCore_DP0 pid=14400) INFO 09-23 03:01:22 [ray_utils.py:345] No placement group."]))
    said = stated_setup(log)
    assert (said.n_devices, said.n_stages, said.n_ctx, said.weight_bits) == (8, 2, 8192, 16) and log.word("served") == "Qwen3-8B"


def test_a_line_of_ollamas_that_its_reader_broke_is_one():
    log = read_log(
        'time=2025-10-18T12:22:56.099+02:00 level=INFO source=types.go:112\n  msg="inference compute"\n  id=0\n  library=ROCm\n'
        '  compute=gfx1102          ← as gfx1102\n  description="AMD Radeon Graphics"\n  total="11.6 GiB"         ← 8 + 3.6\n\n'
        'time=2025-10-18T12:23:24.518+02:00 level=INFO source=ggml.go:492\n  msg="offloaded 29/29 layers to GPU"     ← all'
    )
    assert stated_setup(log).printed_device == "AMD Radeon Graphics" and log.value("gpu_layers") == 29
    assert log.last("card_bytes").printed == "11.6 GiB"


@pytest.mark.parametrize(
    "word", ["max_total_num_tokens=540800", "my GPU KV cache size: 9 tokens", "llama_kv_cache has size = 1280.00 MiB"]
)
def test_a_refusal_denies_nothing_that_stands_there(word):
    with pytest.raises(ValueError, match="A word that such lines have stands in it") as refused:
        read_log(f"a sentence\nthat says {word}")
    assert "in line 2" in str(refused.value)
    with pytest.raises(ValueError, match="Expected one of vLLM"):
        read_log("a sentence")


TWO = (
    "encoded   15 tokens in    0.140 seconds, speed:  107.248 t/s\n\ndraft:\n\nprompt eval time = 519.43 ms / 56 tokens\n\ntarget:\n\n"
    "common_perf_print: prompt eval time =     785.34 ms /   100 tokens (    7.85 ms per token,   127.33 tokens per second)"
)


def test_batches_of_guesses_are_no_prompt():  # llama-speculative counts both as one
    log, setup = read_log(TWO), (MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"])
    assert log.value("n_prompt") == 100 and times(log, *setup, weight_bits=16, kv_bits=16) == []
    alone = read_log(TWO.replace("target:", "").replace("draft:", ""))
    assert [one.what for one in times(alone, *setup, weight_bits=16, kv_bits=16)] == ["prompt"]


def test_a_context_with_states_in_it_is_no_cache():
    line = "llama_memory_breakdown_print: |   - Vulkan0 (Graphics (RADV GFX1201)) | "
    line += "32624 =  640 + (30193 = 18392 +   11221 +     579) + 1789 |"
    log = read_log(line)
    assert not log.all("cache_part") and log.last("context_part").printed == "11221 MiB"
    assert stated_setup(log).printed_device == "Graphics (RADV GFX1201)"
    whole = read_log(line.replace("Graphics (RADV GFX1201)", "Radeon 8060S Graphics (RADV STRIX_HALO)"))
    assert stated_setup(whole).printed_device == "Radeon 8060S Graphics"


def test_memory_in_brackets_is_no_name():
    line = "  - Vulkan0 : AMD Radeon Graphics (RADV GFX1103) (12272 MiB, 11976 MiB free)\n  - Metal : Apple GPU (12272 MiB, 11976 MiB free)"
    assert read_log(line).words_named("device") == ("AMD Radeon Graphics (RADV GFX1103)", "Apple GPU")


OWN = "INFO 08-12 10:00:00 [model.py:1500] Using max model len "
DRAFTS = "INFO 08-12 10:00:01 [model.py:500] Resolved architecture: {}"
ENGINE = (
    "INFO 08-12 10:00:02 [core.py:9] Initializing a V1 LLM engine (v0.19.2) with config: model='a/b', {}max_seq_len=98304, seed=0"
)


def test_a_draft_that_is_longer_does_not_hide_the_models_length():
    first = [DRAFTS.format("Gemma4ForCausalLM"), OWN + "98304"]
    assert stated_setup(read_log("\n".join([*first, DRAFTS.format("Eagle3LlamaForCausalLM"), OWN + "262144"]))).n_ctx == 98304
    assert stated_setup(read_log("\n".join([*first, OWN + "262144"]))).n_ctx is None  # whose it is, no line says
    named = ENGINE.format("speculative_config=SpeculativeConfig(method='eagle3', model='a/c'), ")
    assert stated_setup(read_log("\n".join([*first, OWN + "262144", named]))).n_ctx == 98304
    assert stated_setup(read_log("\n".join([*first, OWN + "262144", ENGINE.format("")]))).n_ctx is None


@pytest.mark.parametrize(
    "error", ["timed out waiting for llama runner to start - progress 0.82 - ", "model requires more system memory"]
)
def test_ollamas_load_that_failed_is_said(error):
    line = f'time=2026-01-04T10:23:12.805-06:00 level=INFO source=sched.go:470 msg="Load failed" model=A:\\x error="{error}"'
    assert read_log(f"llama_context: n_ctx = 8\n{line}").failed == 2


def test_tensorrts_longest_sequence_is_read():
    line = (
        "[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 288 [window size=8224], tokens per block=32, primary blocks=257, "
    )
    log = read_log(f"{line}secondary blocks=0, max sequence length=9193")
    assert stated_setup(log).n_ctx == 9193 and log.value("n_blocks") == 257
    assert read_log(f"{line}secondary blocks=0").value("n_blocks") == 257


def test_a_list_of_names_has_a_name():
    log = read_log("INFO 01-02 03:04:05 [utils.py:278] non-default args: {'model': '/model', 'served_model_name': ['a-8B', 'b']}")
    assert log.words_named("served") == ("a-8B",)


def test_an_advice_in_two_sentences_sets_nothing():
    said = "[TensorRT-LLM][INFO] You can try a smaller one. {}max_seq_len: 8192"
    assert read_log(f"[TensorRT-LLM][INFO] Number of tokens per block: 32.\n{said.format('Use ')}").value("n_ctx") is None
    assert read_log(said.format("It has ").replace("You can try a smaller one. ", "")).value("n_ctx") == 8192


def test_several_capacities_have_thousands_commas():
    both = "[TensorRT-LLM][INFO] [MemUsageChange] Allocated {} GiB for max tokens in paged KV cache ({})."
    log = read_log("\n".join([both.format("0.56", 8224), both.format("3.17", 46208)]))
    assert mixed(log, "kv_tokens").endswith("8,224, 46,208")
