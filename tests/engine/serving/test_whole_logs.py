"""What only whole logs have: a start that says how long each part took, a draft beside its model, several caches; each with its source."""

import pytest

from engine.serving.log_checks import cache_checks, held_tokens
from engine.serving.log_lines import read_log
from engine.serving.stated_setup import stated_setup
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


def test_memory_that_a_program_could_not_ask_for_is_not_none():
    with pytest.raises(ValueError):
        read_log("   Total GPU Memory: 0 MB")
