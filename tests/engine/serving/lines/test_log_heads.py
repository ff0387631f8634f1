"""Lines as they reach a thread: collected, quoted, cut by a terminal, in a request beside them; each with the thread that shows it.

A log is read right if what the page's answer rests on is taken as the log states it - program, model, devices and weights,
room for the cache in tokens or bytes, size of a block, longest request and requests at once, types of weights and cache, rates
and times - and nothing false is said of it. Lines that carry none of these need not be read: they are counted and shown."""

import pytest

from engine.serving.lines.heads import without_heads
from engine.serving.log_lines import read_log
from engine.serving.stated_setup import stated_setup

LINE = (
    "INFO 10-27 16:21:47 llm_engine.py:174] Initializing an LLM engine (v0.5.4) with config: model='/hf/llama-3.1-405b-instruct-hf', "
    "tokenizer='/hf/llama-3.1-405b-instruct-hf', revision=None, dtype=torch.bfloat16, max_seq_len=4096, tensor_parallel_size=16, "
    "pipeline_parallel_size=1, disable_custom_all_reduce=False, quantization=None, enforce_eager=True, kv_cache_dtype=auto, seed=0)"
)


@pytest.mark.parametrize("width", [95, 101, 123])  # vllm-project/vllm issue 9738
def test_a_line_that_a_terminal_cut_is_one(width):
    parts = [LINE[k : k + width] for k in range(0, len(LINE), width)]
    log = read_log("\n".join([*parts, "INFO 10-27 16:21:47 ray_gpu_executor.py:117] use_ray_spmd_worker: False"]))
    stated = stated_setup(log)
    assert stated.model == "/hf/llama-3.1-405b-instruct-hf" and log.word("quantization") == "None"
    assert (stated.n_devices, stated.n_ctx, stated.weight_bits, stated.kv_bits) == (16, 4096, 16, 16)


@pytest.mark.parametrize(
    "line, programs, name, value",
    [
        # ggml-org/llama.cpp issue 13766: docker compose, whose own name is no model's
        ("qwen3_32B-1  | a\nqwen3_32B-1  | srv          init: n_slots = 1, n_ctx_slot = 512\nqwen3_32B-1  |\nqwen3_32B-1",
         ("llama.cpp",), "seq_ctx", 512),
        # ollama/ollama issue 10833
        ("May 24 22:58:23 pleiades ollama[1391]: llama_context: n_ctx = 32768", ("ollama", "llama.cpp"), "n_ctx", 32768),
        # ollama/ollama issues 7673 and 9934
        ('time=x level=INFO source=sched.go:714 msg="fits" parallel=4 available=4162060288 required="3.7 GiB"', ("ollama",), "n_seq", 4),
        ('  2025/03/21 19:47:08    routes.go:1230: INFO server config env="map[OLLAMA_CONTEXT_LENGTH:2048 OLLAMA_NUM_PARALLEL:0"',
         ("ollama",), "asked_ctx", 2048),
        # vllm-project/vllm issues 17676 and 20581
        ("DEBUG 05-15 10:52:40 [arg_utils.py:1623] Setting max_num_seqs to 256 for OPENAI_API_SERVER", ("vLLM",), "n_at_most", 256),
        ("**(VllmWorker rank=5 pid=50999) ERROR 07-07 15:19:48 [x.py:492] Tried to allocate 2 MiB.", ("vLLM",), "asked_bytes", 2 * 2**20),
        # NVIDIA/TensorRT-LLM issue 260
        ("[TensorRT-LLM][INFO] [MemUsageChange] TensorRT-managed allocation in IExecutionContext creation: CPU +0, GPU +0, now: CPU 0, GPU "
         "12569 (MiB)", ("TensorRT-LLM",), "used_bytes", 12569 * 2**20),
        # vllm-project/vllm-ascend issue 9372
        ("Available KV cache memory: -0.87 GiB", ("vLLM",), "lacking_bytes", 0.87 * 2**30),
    ],
)  # fmt: skip
def test_what_stands_before_a_line_changes_nothing_and_names_its_program(line, programs, name, value):
    log = read_log(line)
    assert log.programs == programs and log.value(name) == pytest.approx(value)


def test_what_is_not_set_is_not_stated():
    # ollama/ollama issue 14774: nothing stands behind a name; 0 leaves it to the program
    log = read_log("OLLAMA_DEBUG:x OLLAMA_KV_CACHE_TYPE: OLLAMA_LLM_LIBRARY: OLLAMA_NUM_PARALLEL:0 OLLAMA_CONTEXT_LENGTH:4096")
    assert not log.words_named("k_type") and log.value("n_seq") is None and log.value("asked_ctx") == 4096


def test_one_model_in_several_words_is_one():
    # vllm-project/vllm issue 38820: in a folder, elsewhere, and cut off with the text
    log = read_log(
        "vllm serve ./a/gemma-4-31B-it-AWQ-6Bit\nargs: {'model_tag': '/b/gemma-4-31B-it-AWQ-6Bit', 'model': '/b/gemma-4-31B-i"
    )
    assert stated_setup(log).model == "./a/gemma-4-31B-it-AWQ-6Bit"
    # vllm-project/vllm issue 38107: what its requests call it
    log = read_log('vllm serve /models/Qwen3-8B --served-model-name test\n{\n  "model": "test",')
    assert stated_setup(log).model == "/models/Qwen3-8B" and log.word("served") == "test"
    # vllm-project/vllm issue 11126: a name that its author left out
    assert not read_log("vllm serve --model /.../L --max-model-len 8").words_named("model")


def test_a_comparison_of_two_versions_has_its_files():
    # ggml-org/llama.cpp pull 4844
    log = read_log(
        "| Model | GPU | Model Size [GiB] | Test | t/s master | t/s cuda | Speedup |\n"
        "| llama 7B Q4_0 | NVIDIA GeForce RTX 3090 | 3.56 | pp512 | 3890.69 | 2236.42 | 0.57 |"
    )
    assert log.word("file") == "llama 7B Q4_0" and log.value("weight_bytes") == pytest.approx(3.56 * 2**30)


@pytest.mark.parametrize(
    ("mark", "program"),
    [
        ("INFO:     Initializing the Aphrodite Engine (v0.5.1) with the following config:", "Aphrodite"),
        ('  File "/opt/aphrodite/engine/llm_engine.py", line 12', "Aphrodite"),
        ("tokenspeed serve openai/gpt-oss-120b", "TokenSpeed"),
        ("INFO: the goddess of the model list: aphrodite", "vLLM"),
    ],
)
def test_a_program_that_comes_from_vllm_and_names_itself_is_not_called_vllm(mark, program):
    """dphnAI/sonar issues 362 and 1077: its lines of blocks are vLLM's."""
    blocks = "INFO:     # GPU blocks: 3385, # CPU blocks: 0"
    assert read_log(f"{mark}\n{blocks}").programs == (program,) and read_log(blocks).programs == ("vLLM",)


def test_a_server_of_embeddings_answers_nothing():  # huggingface/text-embeddings-inference issue 305
    line = '2025-08-09T19:36:02.798333Z  INFO openai_embed{total_time="1.207716998s" queue_time="686.203µs"}: '
    line += "text_embeddings_router::http::server: router/src/http/server.rs:1290: Success"
    with pytest.raises(ValueError, match="Found no line"):
        read_log(line)
    assert list(read_log(f"{line}\nGPU KV cache size: 1,600 tokens").left_alone) == [1]


def test_a_block_of_a_draft_is_none_of_the_cache():  # noonghunna/club-3090 issue 1124
    line = "I common_speculative_impl_draft_dflash: - block_size=8, mask_token_id=154856"
    log = read_log(f"{line}\nI slot print_timing: id  0 | task 0 | prompt eval time =    3948.41 ms /    13 tokens")
    assert not log.all("block_size") and list(log.left_alone) == [1]


@pytest.mark.parametrize("name, total", [("cpu", None), ("cuda", 7.6 * 2**30)])
def test_main_memory_is_no_devices(name, total):  # LawrenceMei026/Chinese-name-meaning, ollama_11435.log
    head = 'time=2026-06-29T17:22:55.303+08:00 level=INFO source=types.go:50 msg="inference compute" id=0'
    line = f'{head} library={name} compute="" name={name} description={name} total="7.6 GiB" available="5.5 GiB"'
    log = read_log(line)
    assert (log.value("card_bytes"), log.value("free_bytes")) == (total, 5.5 * 2**30)


def test_a_line_of_tgi_is_its_own_however_much_was_asked_of_it():  # triton-inference-server/server issue 7395
    asked = ", ".join(f"top_{k}: None" for k in range(40))
    of = 'total_time="357.867572ms" validation_time="1.9ms" queue_time="49.3µs" inference_time="355.8ms" time_per_token="14.827082ms"'
    log = read_log(f"INFO generate{{parameters=GenerateParameters {{ {asked} }} {of}}}: text_generation_router::server: Success")
    assert log.programs == ("TGI",) and (log.value("request_ms"), log.value("tpot_ms")) == (357.867572, 14.827082)


def test_a_month_in_chinese_is_a_collectors():
    """ollama/ollama issue 9245."""
    line = "2月 21 13:33:12 tc ollama[285585]: llama_kv_cache_init: layer 18: n_embd_k_gqa = 1024, n_embd_v_gqa = 1024"
    assert without_heads([line]) == ["llama_kv_cache_init: layer 18: n_embd_k_gqa = 1024, n_embd_v_gqa = 1024"]
