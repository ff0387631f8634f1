"""What a log names: model, devices, bits, as vLLM, llama.cpp, SGLang and a benchmark print them, and what is left unsaid."""

import pytest
from printed_logs import CACHE, CONFIG, HYBRID, INFO, MEMORY

from engine.cost import MODELS
from engine.serving.expected import known, unexplained
from engine.serving.listed_names import listed
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.stated_setup import stated_setup


def test_a_healthy_log_of_llama_2_agrees_without_being_told_anything():
    found = {check.what: check for check in cache_checks(read_log(CONFIG + MEMORY))}
    assert set(found) == {"sequences of full length", "bytes a token", "parameters"}
    assert all(check.agrees and not check.why for check in found.values())
    assert "Llama-2-7B" in found["bytes a token"].how and found["bytes a token"].expected == 524_288


def test_a_log_without_its_models_name_gets_no_verdict_on_one():
    found = cache_checks(read_log(MEMORY))
    assert [check.what for check in found if check.expected is not None] == ["sequences of full length"]
    assert all("needed for it: the shape of its model" in check.why for check in found if check.expected is None)
    half = cache_checks(read_log(MEMORY), MODELS["Llama-2-7B"])  # the model chosen, and devices and bits not
    assert {check.why for check in half if check.expected is None} == {
        "needed for it: how many devices share it, the bits of a cached number",
        "needed for it: how many devices share it, the bits of a parameter",
    }


def test_llama_cpps_print_info_names_the_whole_shape():
    said = stated_setup(read_log(INFO))
    assert said.model == "DeepSeek R1 Distill Qwen 32B" and said.device == "RTX 4090" and said.weight_bits == 4.85
    assert said.shape.family == "qwen2" and said.shape.kv_bytes_per_token() == 2 * 64 * 1024 * 2 and not said.shape.style.tied
    assert abs(said.shape.n_params - 32.76e9) < 0.005e9
    checks = cache_checks(read_log(INFO + CACHE))
    assert all(check.agrees for check in checks) and len(checks) == 4  # K + V, the cache, its layers, the file’s bytes


def test_a_shape_whose_parameters_are_not_the_printed_ones_is_no_shape():
    assert stated_setup(read_log(INFO.replace("32.76 B", "30.00 B"))).shape is None
    assert stated_setup(read_log(INFO.replace("= qwen2", "= qwen2next"))).shape is None
    found = {check.what: check for check in cache_checks(read_log(INFO.replace("32.76 B", "30.00 B") + CACHE))}
    assert found["the cache"].agrees and found["layers with a cache"].agrees  # the log’s own rows and layers
    # 30.00 B of 4.85 bits are no 18.48 GiB.
    assert found["parameters"].differs and "contradicts itself" in found["parameters"].why


@pytest.mark.parametrize(
    ("line", "model"),
    [
        ("vllm serve openai/gpt-oss-120b --tensor-parallel-size 4 --max-model-len 8192", "gpt-oss-120b"),
        ("python -m vllm.entrypoints.openai.api_server --port 1 --model=Qwen/Qwen2.5-7B-Instruct", "Qwen2.5-7B"),
        ("non-default args: {'model_tag': 'google/gemma-3-27b-it', 'max_model_len': 8192}", "Gemma-3-27B"),
        ("Namespace(backend='vllm', max_concurrency=None, model='Qwen/Qwen3-0.6B', tokenizer=None)", "Qwen3-0.6B"),
        ("python3 -m sglang.launch_server --model-path /models/Meta-Llama-3.1-70B-Instruct --tp 4", "Llama-3.1-70B"),
        ("server_args=ServerArgs(model_path='meta-llama/Llama-3.2-3B-Instruct', tp_size=2)", "Llama-3.2-3B"),
        ("llm_load_print_meta: general.name     = Qwen3-30B-A3B", "Qwen3-30B-A3B"),
        ("python -m sglang.launch_server --model /home/models/DeepSeekV3", "DeepSeek-V3"),
        ("python build.py \n  --model_dir /app/Llama-2-7b-hf/\n  --dtype float16", "Llama-2-7B"),  # TensorRT-LLM issue 401
    ],
)
def test_every_program_names_its_model_in_its_own_way(line, model):
    assert stated_setup(read_log(line)).shape.name == model


def test_a_name_that_is_not_listed_or_not_one_is_no_model():
    for name in (
        "",
        "/mnt/models",
        "mistralai/Mistral-7B-Instruct-v0.3",
        "deepseek-ai/DeepSeek-V3.2",
        "Qwen/Qwen2.5-7B-Instruct-1M",
    ):
        assert listed(name) is None
    same = "vllm serve Qwen/Qwen3-8B\nwith config: model='/cache/models--Qwen--Qwen3-8B/snapshots/b968826d', "
    assert stated_setup(read_log(same)).shape.name == "Qwen3-8B"  # a name and the folder of its files are one model
    two = read_log("vllm serve Qwen/Qwen3-8B\nvllm serve Qwen/Qwen3-32B")
    assert stated_setup(two).shape is None and two.words_named("model") == ("Qwen/Qwen3-8B", "Qwen/Qwen3-32B")


@pytest.mark.parametrize(
    ("words", "weight_bits", "kv_bits"),
    [
        ("quantization=None, enforce_eager=True, kv_cache_dtype=auto, ", 16, 16),
        ("quantization=None, enforce_eager=True, kv_cache_dtype=fp8_e5m2, ", 16, 8),
        ("quantization=fp8, enforce_eager=True, kv_cache_dtype=auto, ", 8, None),  # its file may bring a type for the cache
        ("quantization=awq_marlin, enforce_eager=True, kv_cache_dtype=fp8, ", None, 8),
    ],
)
def test_bits_are_read_where_they_are_said_and_asked_where_not(words, weight_bits, kv_bits):
    said = stated_setup(read_log(f"with config: model='a/b', dtype=torch.bfloat16, max_seq_len=8, {words}"))
    assert (said.weight_bits, said.kv_bits) == (weight_bits, kv_bits)


def test_a_type_said_in_two_ways_is_one():
    log = read_log("vllm serve a/b --dtype half\nwith config: model='a/b', dtype=torch.float16, max_seq_len=8, quantization=None, "
                   "enforce_eager=True, kv_cache_dtype=auto, ")  # fmt: skip
    assert (stated_setup(log).weight_bits, stated_setup(log).kv_bits) == (16, 16)


def test_a_name_in_a_shell_is_no_model():
    # huggingface/text-generation-inference issues 755 and 1354
    named_later = (
        'docker run text-generation-inference:1.3 --model-id $model\nArgs { model_id: "tiiuae/falcon-7b-instruct", revision'
    )
    assert stated_setup(read_log(named_later)).shape.name == "Falcon-7B"


def test_sglang_in_2026_prints_the_type_of_its_cache():
    log = read_log("KV Cache is allocated. dtype: torch.bfloat16, #tokens: 298447, K size: 5.69 GB, V size: 5.69 GB")
    assert log.value("kv_tokens") == 298_447 and stated_setup(log).kv_bits == 16
    packed = read_log("KV Cache is allocated. dtype: torch.uint8, #tokens: 100, KV size: 1.00 GB")
    assert packed.value("kv_bytes") == 2**30 and stated_setup(packed).kv_bits is None
    assert read_log("KV Cache is allocated. dtype: torch.bfloat16, #tokens: 70950").value("kv_tokens") == 70_950


def test_sglangs_layers_with_windows_have_a_cache_of_their_own_and_get_no_verdict():
    two = (
        "--tp 1\nKV Cache is allocated. dtype: torch.bfloat16, #tokens: 56320, K size: 5.40 GB, V size: 5.40 GB\n"
        "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 70656, K size: 0.68 GB, V size: 0.68 GB"
    )
    assert cache_checks(read_log(two), MODELS["Gemma-3-27B"]) == []


def test_recurrent_memory_is_no_cache():
    found = {check.what: check for check in cache_checks(read_log(HYBRID))}
    assert found["the cache"].agrees and found["the cache"].printed == 4224 * 2**20 and found["K and V together"].agrees
    assert found["layers with a cache"].expected is None and "state" in found["layers with a cache"].why
    assert read_log(HYBRID).value("state_bytes") == 201 * 2**20


def test_tokens_that_are_sequences_times_length_are_no_capacity_of_layers_that_differ():
    """vllm-project/vllm pull 40694 and issue 51041: some versions print the one from the other, and no year says which (0.19 of April
    2026 does not: issue 40691)."""
    log = read_log(
        "Available KV cache memory: 7.70 GiB\nGPU KV cache size: 1,082,654 tokens\n"
        "Maximum concurrency for 32,768 tokens per request: 33.04x"
    )
    for shape in (MODELS["gpt-oss-120b"], MODELS["Gemma-2-9B"]):
        a_token = next(check for check in cache_checks(log, shape, 1, 16, 16) if check.kind == "a token")
        assert a_token.expected is None and "no capacity" in a_token.why
        assert "20" not in a_token.why and "earlier" not in a_token.why
    plain = next(check for check in cache_checks(log, MODELS["Llama-2-7B"], 1, 16, 16) if check.kind == "a token")
    assert plain.differs  # each of its layers keeps every token: there it is one


def test_a_length_that_does_not_fit_is_checked():
    """vllm-project/vllm issue 25350 prints the sentence; the numbers are Llama-3.1-8B's: 131,072 tokens · 128 KiB = 16 GiB."""
    log = read_log(
        "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is "
        "larger than the available KV cache memory (5.59 GiB). Based on the available memory, the estimated maximum model length is 45792."
    )
    (check,) = (check for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16) if "sequence" in check.what)
    assert check.agrees and check.expected == 16 * 2**30


def test_what_is_a_little_off_is_said_in_per_cent_and_the_same_weights_printed_twice_are_one_set():
    k = known(read_log(CONFIG))
    assert unexplained(1.0012, k).startswith("0.12 % more") and unexplained(2.5, k).startswith("2.5 × what")
    weights = next(
        check for check in cache_checks(read_log(MEMORY), MODELS["Llama-2-70B"], 1, 16, 16) if check.what == "parameters"
    )
    assert weights.differs and "× what is expected" in weights.why


def test_what_the_log_says_is_not_blamed():
    differs = next(c for c in cache_checks(read_log(CONFIG + MEMORY.replace("56.18", "66.18"))) if c.kind == "a token")
    assert differs.differs and "no rule here explains it" in differs.why and "chosen" not in differs.why
    told = next(c for c in cache_checks(read_log(MEMORY), MODELS["Llama-2-13B"], 1, 16, 16) if c.kind == "a token")
    assert told.differs and "chosen" in told.why


def test_a_model_is_named_by_its_file_and_by_the_page_of_its_metrics():
    # vllm-project/vllm-gguf-plugin issue 101, QwenLM/Qwen3 issue 295, production-stack issue 318, vllm pull 33743
    lines = {
        "python -m vllm.entrypoints.openai.api_server --model  /models--Qwen--Qwen2.5-7B-Instruct": "Qwen2.5-7B",
        'vllm:num_requests_running{engine="0",model_name="Qwen/Qwen3-32B"} 0.0': "Qwen3-32B",
        "with config: model='/hub/models/LLM-Research/Meta-Llama-3___1-8B-Instruct', ": "Llama-3.1-8B",  # vllm issue 42510
        "vllm bench serve --model google/gemma-3-27b-it --base-url http://localhost:8000": "Gemma-3-27B",
    }
    assert {line: getattr(stated_setup(read_log(line)).shape, "name", None) for line in lines} == lines


def test_a_context_is_shared_out_among_sequences():
    # atineiatte/deep-research-at-home issue 14, ggml-org/llama.cpp issue 14043, text-generation-inference issue 1692
    lines = {
        'cmd="/data/ollama/bin/ollama runner --model sha256-e8ad --ctx-size 8192 --batch-size 512 --parallel 2 --port 35253"': 4096,
        "llama_context: n_ctx         = 8192\nllama_context: n_ctx_per_seq = 2048": 2048,
        "text-generation-launcher --model-id databricks/dbrx-instruct --max-total-tokens 20000 --num-shard 4": 20_000,
    }
    assert {line: stated_setup(read_log(line)).n_ctx for line in lines} == lines
    assert stated_setup(read_log(list(lines)[-1])).n_devices == 4


def test_contexts_of_several_starts_are_no_one_context():
    """simo-hue/LLM-Mob-As-Mobility-Interpreter: a model is loaded three times, and once in other bits than before."""
    load = "llm_load_print_meta: model size       = 4.36 GiB ({} BPW)\nllama_new_context_with_model: n_ctx      = {}\n"
    loads = "".join(load.format(*of) for of in ((4.91, 1024), (8.5, 2048), (4.91, 1024)))
    assert stated_setup(read_log(loads)).n_ctx is None and stated_setup(read_log(loads)).weight_bits is None
    same = stated_setup(read_log(load.format(4.91, 1024) * 2))
    assert same.n_ctx == 1024 and same.weight_bits == 4.91
    runner = 'cmd="/usr/bin/ollama runner --model sha256-e8ad --ctx-size 8192 --parallel {} --port 35253"\n'
    assert stated_setup(read_log(runner.format(4) + runner.format(1))).n_ctx is None


def test_a_type_of_k_alone_is_not_the_caches():
    """ggml-org/llama.cpp pull 11397: V has 16 bits where nobody says another. ollama sets both at once, a latent is both."""
    command = "./build/bin/llama-cli --model /data/DeepSeek-R1-UD-IQ1_S.gguf --ctx-size 8192 -ctk iq4_nl"
    assert stated_setup(read_log(command)).kv_bits is None
    assert stated_setup(read_log(f"{command} -ctv iq4_nl")).kv_bits == 4.5
    latent = "llama_new_context_with_model: KV self size  = 1166.62 MiB, c^KV (q8_0): 1166.62 MiB, kv^T: not used"
    assert stated_setup(read_log(latent)).kv_bits == 8.5
    both = "llama_kv_cache: size = 1280.00 MiB (  4096 cells,  80 layers,  1/1 seqs), K ({0}):  640.00 MiB, V ({0}):  640.00 MiB"
    assert stated_setup(read_log(f"{both.format('f16')}\n{both.format('q8_0')}")).kv_bits is None


def test_what_ollama_was_asked_for_need_not_be_in_force():
    """Its cache has other bits only with flash attention, and fewer sequences where there is no room for more: it prints what it did."""
    asked = 'msg="server config" env="map[OLLAMA_KV_CACHE_TYPE:q8_0 OLLAMA_NUM_PARALLEL:4 OLLAMA_CONTEXT_LENGTH:4096]"'
    runner = '\nlevel=INFO source=server.go:439 msg="starting llama server" cmd="/bin/ollama runner --model /x --ctx-size 8192{}"'
    alone, did = (stated_setup(read_log(asked + runner.format(more))) for more in ("", " --kv-cache-type q8_0 --parallel 2"))
    assert (alone.kv_bits, alone.n_ctx) == (None, None) and did.n_ctx == 4096
    load = '\nmsg=load request="{Parallel:1 BatchSize:512 FlashAttention:true KvSize:8192 KvCacheType:q8_0}"'
    assert (stated_setup(read_log(asked + load)).kv_bits, stated_setup(read_log(asked + load)).n_ctx) == (8.5, 8192)
