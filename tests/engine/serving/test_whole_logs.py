"""What only whole logs have: a start that says how long each part took, a draft beside its model, several caches; each with its source."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.held_tokens import held_tokens
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import at_work, times
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.in_sentences import of_several_runs
from pages.lessons.serverlog.understood import _in_memory

OF_VLLM = (
    "# GPU blocks: 8\n(EngineCore_DP0 pid=165) INFO 02-05 00:05:45 [parallel_state.py:1203] world_size=1 rank=0 local_rank=0"
)
OF_A_FOLDER = """./llama-sweep-bench \\
    --model /mnt/models/ollama/models--ubergarm--DeepSeek-R1-0528-GGUF/IQ2_K_R4.gguf \\
    --ctx-size 32768 \\
    -ctk q8_0"""
SGLANG = """[2026-08-01 23:37:49] Init torch distributed ends. elapsed=0.23 s, mem usage=0.03 GB
[2026-08-01 23:39:39] Load weight end. elapsed=109.33 s, type=LagunaForCausalLM, avail mem=47.80 GB, mem usage=67.56 GB.
[2026-08-01 23:39:55] Load weight end. elapsed=12.25 s, type=DFlashLagunaForCausalLM, avail mem=46.25 GB, mem usage=1.58 GB.
[2026-08-01 23:40:01] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 185897, K size: 4.25 GB, V size: 4.25 GB
[2026-08-01 23:40:01] Memory pool end. avail mem=17.73 GB
[2026-08-01 23:40:01] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 185897, K size: 2.13 GB, V size: 2.13 GB
[2026-08-01 23:43:41] Capture target verify CUDA graph end. elapsed=3.00 s, mem usage=0.60 GB, avail mem=6.67 GB."""
DRAFT = """non-default args: {'model': 'poolside/Laguna-S-2.1-NVFP4', 'max_model_len': 65536, %s}
INFO 08-01 17:36:25 [model.py:1776] Using max model len 65536
INFO 08-01 17:36:26 [model.py:1776] Using max model len 1048576
INFO 08-01 17:36:26 [speculative.py:1040] Overriding draft model max model len from 1048576 to 65536"""
WINDOWS = """llama_context: n_ctx         = 32768
llama_kv_cache: size =  640.00 MiB ( 16384 cells,   5 layers,  2/2 seqs), K (f16):  320.00 MiB, V (f16):  320.00 MiB
llama_kv_cache: size =  600.00 MiB (  1536 cells,  25 layers,  2/2 seqs), K (f16):  300.00 MiB, V (f16):  300.00 MiB"""


@pytest.mark.parametrize(
    "text, programs",
    [
        (OF_VLLM, ("vLLM",)),  # sostrowsk/dgx-spark-local-llm: vLLM has a word of TensorRT-LLM's benchmark
        (OF_A_FOLDER, ("llama.cpp",)),  # ik_llama.cpp issue 522
        (SGLANG, ("SGLang",)),  # sostrowsk/dgx-spark-local-llm: seconds in which a server starts
    ],
)
def test_a_word_that_another_program_has_names_none(text, programs):
    assert read_log(text).programs == programs


def test_sglangs_draft_has_parameters_and_a_cache_of_its_own():
    log = read_log(SGLANG)
    assert [round(one.value / 2**30, 2) for one in log.all("weight_bytes")] == [67.56]
    assert [one.printed for one in log.all("k_bytes")] == ["4.25 GB"]
    assert not log.all("used_bytes") and [one.printed for one in log.all("graph_bytes")] == ["0.60 GB"]
    again = read_log(f"{SGLANG}\n{SGLANG}")
    assert len(again.all("weight_bytes")) == len(again.all("k_bytes")) == 2  # a second start has its own


@pytest.mark.parametrize(
    "config",
    [
        "'speculative_config': {'model': 'poolside/Laguna-S-2.1-DFlash-NVFP4', 'num_speculative_tokens': 15}",
        "'speculative_config': {'method': 'dflash', 'model': 'a/b'}, 'max_num_seqs': 32",
        "speculative_config=SpeculativeConfig(method='dflash', model='a/b', num_spec_tokens=15)",
    ],
)
def test_vllms_draft_is_not_its_model(config):
    log = read_log(DRAFT % config)
    assert (stated_setup(log).model, [one.value for one in log.all("n_ctx")]) == ("poolside/Laguna-S-2.1-NVFP4", [65536, 65536])


def test_of_several_caches_no_one_is_the_memorys():
    assert "cache" not in _in_memory(read_log(WINDOWS))  # ghghang2/v1.6: of layers with windows, and of the others
    size = (
        "llama_kv_cache: size =  768.00 MiB ( 32768 cells,  12 layers,  4/1 seqs), K (f16):  384.00 MiB, V (f16):  384.00 MiB\n"
    )
    # Ggml-org/llama.cpp issue 19881.
    assert "cache" in _in_memory(read_log(size)) and "cache" not in _in_memory(read_log(size * 2))
    assert _in_memory(read_log("\n".join(WINDOWS.splitlines()[:2])))["cache"][0] == 640 * 2**20
    log = read_log(f"print_info: n_layer = 30\nprint_info: general.name = Gemma-4-26B\n{WINDOWS}")
    assert "layers of Gemma-4-26B" in {check.how for check in cache_checks(log)}


def test_blocks_of_a_model_with_states_have_no_one_size():
    """gisenberg/local-model-eval, nemotron3_puzzle_75b: 294 blocks of “16” tokens serve sequences of 262,144."""
    line = 'vllm:cache_config_info{block_size="16",mamba_block_size="%s",num_gpu_blocks="294"} 1.0'
    assert [held_tokens(read_log(line % size)) for size in ("262144", "None")] == [None, 4704]


def test_what_tgi_takes_without_being_told():
    log = read_log("Maximum input tokens defaulted to 8048\nMaximum total tokens defaulted to 8049")
    assert (log.value("most_input"), log.value("n_ctx"), log.programs) == (8048, 8049, ("TGI",))


def test_a_part_of_a_text_that_is_measured_is_no_context():
    """ik_llama.cpp discussion 258: four parts of 512 tokens at once, and a cache for 2,048."""
    text = (
        "llm_load_print_meta: general.name = DeepSeek-R1\nKV self size  =   72.91 MiB, c^KV (q8_0):   72.91 MiB, kv^T: not used\n"
    )
    text += "perplexity: calculating perplexity over 561 chunks, n_ctx=512, batch_size=2048, n_seq=4\n"
    log = read_log(text + text)
    assert stated_setup(log).n_ctx == 512 and not [check for check in cache_checks(log) if check.differs]


@pytest.mark.parametrize("n_steps, held", [(1, 0), (2, 0), (389, 1)])
def test_an_answer_of_no_step_is_held_against_no_bound(n_steps, held):
    """ik_llama.cpp pull 612: 0.02 ms for the one token that the prompt gave."""
    log = read_log(f"prompt eval time = 115.07 ms / 1 tokens\ngeneration eval time = 0.02 ms / {n_steps} runs")
    found = times(log, MODELS["Llama-3.1-8B"], DEVICES["RTX 4090"], weight_bits=4, kv_bits=16, n_devices=1)
    assert [time.what for time in found] == ["prompt", "each further token"][: 1 + held]


SUMMED_UP = """INFO 08-05 12:13:22 [gpu_model_runner.py:5405] Model loading took 56.93 GiB memory and 18.142578 seconds
INFO 08-05 12:13:04 [weight_utils.py:829] Prefetching checkpoint files into page cache started (num_threads=8, block_size=16777216 bytes)
INFO 08-05 12:13:45 [gpu_worker.py:563] Available KV cache memory: 13.84 GiB
INFO 08-05 12:13:45 [kv_cache_utils.py:2235] GPU KV cache size: 151,216 tokens
INFO 08-05 12:13:45 [kv_cache_utils.py:2236] Maximum concurrency for 131,072 tokens per request: 1.15x
INFO 08-05 12:13:52 [gpu_worker.py:789] Free memory on device (78.84/79.25 GiB) on startup. Desired GPU memory utilization is (0.9, 71.33 \
GiB). Actual usage is 57.26 GiB for consumed memory (weights + non-torch), 0.23 GiB for peak activation, and 0.11 GiB for CUDAGraph \
memory. Current kv cache memory in use is 13.84 GiB."""


def test_a_line_that_sums_up_begins_no_start():
    """LukeJYK/AutoScientists, vllm.log: bytes that are fetched at once are no block of the cache's."""
    log = read_log(SUMMED_UP)
    assert held_tokens(log) == 151_216 and not log.all("block_size")
    assert [check.what for check in cache_checks(log) if check.agrees] == ["sequences of full length"]
    assert set(_in_memory(log)) == {"parameters", "cache", "memory"}


def test_a_device_in_the_name_of_a_file():
    line = "Config file not found at /x/fused_moe/configs/E=128,N=768,device_name={}.json"
    names = ("NVIDIA_H100_80GB_HBM3", "NVIDIA_H20", "NVIDIA_GeForce_RTX_3090", "AMD_Instinct_MI300X")
    assert [stated_setup(read_log(line.format(name))).device for name in names] == ["H100 SXM", "H20", "RTX 3090", "MI300X"]


def test_a_file_that_a_command_calls_its_model_has_the_name_of_the_model_in_it():
    text = "    --model /mnt/raid/models/Kimi-K2-Instruct-Q8_0.gguf\nllm_load_print_meta: general.name = Kimi K2 Instruct"
    assert stated_setup(read_log(text)).model == "Kimi K2 Instruct"  # ik_llama.cpp pull 616


SERVED = (
    "model='a/b' tokenizer=None tokenizer_mode='auto' skip_tokenizer_init=False "
    "kv_cache_config=KvCacheConfig(tokens_per_block=32) max_batch_size=32 build_config=BuildConfig(max_input_len=1024, "
    "max_seq_len=1024, opt_batch_size=8, plugin_config=PluginConfig(dtype='float16')) cuda_graph_config=CudaGraphConfig(max_batch_size=128)"
)
OF_A_RUNNER = 'time=2025-07-18T14:50:44.599Z level=INFO source=ggml.go:362 msg="offloaded 40/41 layers to GPU"'


@pytest.mark.parametrize(
    "text, programs",
    [
        ("[TensorRT-LLM][INFO] Number of tokens per block: 32.\n" + SERVED, ("TensorRT-LLM",)),  # TensorRT-LLM 1.2, PyTorch
        (OF_A_RUNNER, ("ollama",)),  # ollama pull 11090: its own, not llama.cpp’s
    ],
)
def test_a_line_names_none_but_who_printed_it(text, programs):
    assert read_log(text).programs == programs


def test_what_a_build_would_have_is_not_the_servers():
    log = read_log(SERVED)
    assert [one.value for one in log.all("n_at_most")] == [32] and not [one for one in log.words if one.name == "dtype"]


def test_a_pool_is_no_devices_memory():  # sgl-project/sglang pull 14071
    log = read_log(
        "[2025-12-18 22:43:05 TP0] KV cache: layers=2 2.25KB/tok mem=42.5/43.8GB rest=35.9GB\n"
        "[2025-12-18 22:43:05 TP0] req_to_token_pool: slots=4096, mem=2.68GB\n"
        "[2025-12-18 22:43:05 TP2] Memory pool end. avail mem=39.83 GB"
    )
    assert not [name for name in ("used_bytes", "card_bytes", "memory") if log.all(name)]


@pytest.mark.parametrize("n_prompt, n_times", [(285_948, 0), (1024, 1)])
def test_the_texts_of_a_perplexity_are_no_one_prompt(n_prompt, n_times):  # ik_llama.cpp issue 239
    log = read_log(f"llama_new_context_with_model: n_ctx = 2048\nprompt eval time = 9852711.72 ms / {n_prompt} tokens")
    assert len(times(log, MODELS["Llama-3.1-8B"], DEVICES["A100-80"], weight_bits=16, kv_bits=16)) == n_times


def test_each_cache_of_llama_cpp_has_its_own_sum():  # ghghang2/my-repo, llama_server.log: "no sum is made of them", and two were
    log = read_log(WINDOWS)
    assert [check.agrees for check in cache_checks(log) if check.what == "K and V together"] == [True, True]
    assert not of_several_runs(log) and "cache" not in _in_memory(log)


def test_the_parts_of_data_parallel_attention_are_no_further_devices():  # shun8686/for_debug: 64 were at work, of 16
    args = "server_args=ServerArgs(model_path='x', tp_size=16, dp_size=4, enable_dp_attention={})"
    assert [at_work(read_log(args.format(said)), 16) for said in (True, False)] == [16, 64]


def test_an_ollama_of_today_describes_its_device_behind_its_name():  # MEAKCIN/Voice_Bot_Web, ollama.log
    line = (
        'time=2025-12-29T14:45:11.928+03:00 level=INFO source=types.go:42 msg="inference compute" '
        'id=GPU-2291a0cd library={0} compute=8.9 name=CUDA0 description="NVIDIA GeForce RTX 4060 Laptop GPU" libdirs=ollama,cuda_v13 '
        'driver=13.1 pci_id=0000:01:00.0 type=discrete total="8.0 GiB" available="7.6 GiB"'
    )
    log, host = read_log(line.format("CUDA")), read_log(line.format("cpu"))
    assert (log.value("card_bytes"), log.word("device")) == (8 * 2**30, "NVIDIA GeForce RTX 4060 Laptop GPU")
    assert not host.all("card_bytes") and not host.words_named("device")
