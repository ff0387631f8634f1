"""What a line advises is no setting, a name that a blank cuts is no name, and a reason says no more than is always so."""

import pytest

from engine.cost import MODELS
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.starts import ONCE, mixed
from engine.serving.stated_setup import stated_setup

VLLMS = "INFO 09-21 10:00:00 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens"
SGLANGS = "[2026-03-02 14:44:10 TP0] max_total_num_tokens=367404, chunked_prefill_size=8192, max_running_requests=64"
LLAMAS = "llama_kv_cache: size = 1280.00 MiB (  4096 cells,  80 layers,  1/1 seqs), K (f16):  640.00 MiB, V (f16):  640.00 MiB"
LOADER = "llama_model_loader: loaded meta data with 29 key-value pairs and 291 tensors from "
TGIS = "2024-05-07T12:39:07.078362Z  INFO text_generation_launcher: "


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (r"srv    load_model: loading model 'E:\Project\Ai Assistant\Model\Qwen3-4B-Q4_K_M.gguf'", "Qwen3-4B-Q4_K_M.gguf"),
        (LOADER + r"C:\Users\Ann Lee\models\Qwen3-8B.gguf (version GGUF V3 (latest))", "Qwen3-8B.gguf"),
        (LOADER + "/home/ann lee/my models/Qwen3-8B.gguf (version GGUF V3 (latest))", "Qwen3-8B.gguf"),
        (r'llama-server -m "C:\Users\Ann Lee\models\Qwen3-8B.gguf" -c 4096', "Qwen3-8B.gguf"),
        ("[2026-03-02 14:44:10] server_args=ServerArgs(model_path='/data/my models/Qwen2.5-3B', tp_size=2)", "Qwen2.5-3B"),
        ("INFO 09-21 10:00:00 [core.py:1] Initializing a V1 LLM engine with config: model='/data/my models/Qwen2.5-3B'", "Qwen2.5-3B"),
    ],
)  # fmt: skip
def test_a_name_in_quotes_or_before_a_version_keeps_its_blanks(line, name):
    assert stated_setup(read_log(line)).model.endswith(name)


@pytest.mark.parametrize(
    "line",
    [
        "srv    load_model: loading model '/data/my models/",
        r"srv    load_model: loading model 'E:\Project\Ai Assistant",
        r"srv    load_model: loading model C:\Users\Ann Lee\models\Qwen3-8B.gguf",
        r"llama-server -m C:\Users\Ann Lee\models\Qwen3-8B.gguf -c 4096",
        "llama-server -m D:\\LLM\\",
        "load_model: loading model /data/my models/Qwen3-8B.gguf",
    ],
)
def test_a_name_that_is_cut_is_none(line):
    assert stated_setup(read_log(f"{LLAMAS}\n{line}")).model == ""


def test_an_empty_name_in_quotes_does_not_reach_to_the_next():
    log = read_log("INFO 09-21 10:00:00 [core.py:1] non-default args: {'model': '', 'tokenizer': 'a/b', 'max_model_len': 4096}")
    assert stated_setup(log).model == "" and log.value("n_ctx") == 4096


def test_limits_of_an_advice_are_no_settings():
    advice = (
        "Model supports up to 8192. You can increase that size using `--max-batch-prefill-tokens=8242 --max-input-tokens=8191`."
    )
    log = read_log(f"{TGIS}{advice}\n{TGIS}Default `max_input_tokens` to 4095\n{TGIS}Default `max_total_tokens` to 4096")
    assert not log.all("prefill_tokens") and [f.value for f in log.all("most_input")] == [4095] and log.value("n_ctx") == 4096


def test_processes_that_its_lines_count_are_not_those_of_a_command():
    command = "docker run ghcr.io/huggingface/text-generation-inference --model-id a/b-8B --num-shard 1"
    sharding = f"{TGIS}Sharding model on 2 processes"
    assert stated_setup(read_log(sharding)).n_devices == 2 and stated_setup(read_log(f"{command}\n{sharding}")).n_devices is None


@pytest.mark.parametrize(
    "line",
    [
        "WARNING 09-21 10:00:00 [config.py:10] Out of memory. Try --max-model-len 8192 or gpu_memory_utilization=0.95 instead.",
        "vllm serve a/b-8B works fine with --max-model-len 4096 but crashes when I use 8192",
        "docker run of the image with --tensor-parallel-size 2 is what the docs say",
        "--tensor-parallel-size 8 is what the README recommends, I have 4",
        "ollama run it again with the other model",
        "vllm serve works",
    ],
)
def test_a_sentence_that_begins_as_a_command_is_none(line):
    log = read_log(f"{VLLMS}\n{line}")
    assert {one.line for one in (*log.figures, *log.words)} == {1}


def test_a_context_that_is_tried_or_a_product_is_no_setting():
    assert read_log(f"{LLAMAS}\nsrv  load_model: too long, try n_ctx = 8192 instead").value("n_ctx") is None
    told = "[TensorRT-LLM][WARNING] The max_num_tokens (8192) shouldn't be greater than max_seq_len * max_batch_size (2048), specifying to "
    log = read_log(f"[TensorRT-LLM][INFO] Number of tokens per block: 32.\n{told}max_seq_len * max_batch_size (2048).")
    assert not log.all("batch_tokens") and not log.all("n_at_most")


def test_minutes_until_a_model_is_dropped_are_no_context():
    ps = "llama3.1:8b    42182419e950    6.7 GB    100% GPU     "
    assert read_log(f"{ps}4096    4 minutes from now").value("at_ctx") == 4096
    assert read_log(f"{ps}4 minutes from now").value("at_ctx") is None


def test_what_may_run_out_has_not():
    assert not read_log(f"{SGLANGS}\n[2026-03-02 14:44:10 TP0] This may lead to CUDA out of memory.").words_named("ran_out")
    assert read_log(f"{SGLANGS}\n[2026-03-02 14:44:10 TP0] torch.OutOfMemoryError: CUDA out of memory.").words_named("ran_out")


def test_a_draft_has_a_context_of_its_own():
    assert read_log(f"{LLAMAS}\ncommon_speculative_init: draft model n_ctx = 512").value("n_ctx") is None


def test_several_values_are_printed_and_nothing_is_said_of_why():
    estimate = "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 0.56 GiB for max tokens in paged KV cache (8224)."
    final = "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 5.95 GiB for max tokens in paged KV cache (86720)."
    assert mixed(read_log(f"{estimate}\n{final}"), "kv_bytes") == "several bytes of a cache are printed: 0.56 GiB, 5.95 GiB"
    many = "\n".join(f"Available KV cache memory: {n}.00 GiB" for n in range(1, 7))
    assert mixed(read_log(many), *ONCE).endswith("1.00 GiB, 2.00 GiB, 3.00 GiB, 4.00 GiB and 2 more")


def test_workers_with_bytes_of_their_own_have_one_number_of_tokens():
    # vllm-project/vllm issue 15039
    of_two = "\n".join(
        f"INFO 03-19 10:53:21 [worker.py:267] the rest of the memory reserved for KV Cache is {n}GiB." for n in (36.63, 36.07)
    )
    blocks = "INFO 03-19 10:53:21 [executor_base.py:111] # cuda blocks: 29547, # CPU blocks: 3276"
    at_once = "INFO 03-19 10:53:21 [executor_base.py:116] Maximum concurrency for 131072 tokens per request: 3.61x"
    checks = cache_checks(read_log(f"{of_two}\n{blocks}\n{at_once}"), MODELS["Llama-3.1-8B"], 1, 16, 16)
    assert [check.what for check in checks if check.agrees] == ["sequences of full length"]


INFO = [
    '"model_path": "/app/models/Deepseek-R1/",', '"tp_size": 16,', '"kv_cache_dtype": "auto",', '"internal_states": [{',
    '"memory_usage": {', '"weight": 40.62,', '"kvcache": 21.35,', '"token_capacity": 326223,', '}}], "version": "0.5.9"}',
]  # fmt: skip


@pytest.mark.parametrize("between", ["\n    ", " "])
def test_what_sglang_answers_of_itself_is_read(between):
    log = read_log(between.join(["{", *INFO]))
    said = stated_setup(log)
    assert (said.model, said.n_devices, log.value("kv_tokens"), log.programs) == (
        "/app/models/Deepseek-R1/",
        16,
        326223,
        ("SGLang",),
    )
    (check,) = [one for one in cache_checks(log, None, None, 16, None) if one.what == "bytes a token"]
    assert check.agrees  # a latent of 576 numbers in 61 layers, kept by each device


def test_the_same_keys_of_another_object_are_nobodys():
    with pytest.raises(ValueError, match="Found no line"):
        read_log('{"model_path": "a/b", "tp_size": 2, "weight": 3.5}')
