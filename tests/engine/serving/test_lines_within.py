"""A program's line within a guide's comment or a JSON line, and one that leaves a word out."""

import pytest

from engine.cost import MODELS
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log


def test_a_line_behind_a_comments_sign_is_read():
    """A guide to WasmEdge on Kubernetes has its output as comments; a heading of plain words is none."""
    head = "# [2025-07-09 18:09:10.001] [info] [WASI-NN] llama.cpp: "
    log = read_log(f"{head}llama_kv_cache_unified: size =  128.00 MiB (  4096 cells,  16 layers,  1 seqs), K (f16): 64.00 MiB")
    assert log.value("cells") == 4096 and log.value("n_layer") == 16
    with pytest.raises(ValueError, match="no line of the kind"):
        read_log("# eval time = 12.00 ms / 8 runs")


def test_the_message_of_a_json_line_of_llama_cpps_is_read():
    """llama.cpp's server of early 2024; another program's JSON of the same words is not."""
    said = (
        '"msg":"prompt eval time     =    1327.23 ms /   406 tokens (    3.27 ms per token,   305.90 tokens per second)",'
        '"n_prompt_tokens_processed":406,"slot_id":0}'
    )
    log = read_log(f'{{"function":"print_timings","level":"INFO","line":272,{said}')
    assert (log.value("prefill_ms"), log.value("n_prompt"), log.programs) == (1327.23, 406, ("llama.cpp",))
    with pytest.raises(ValueError, match="no line of the kind"):
        read_log(f'{{"bench":"mine",{said}')


def test_a_cache_is_read_without_word_of_its_offload():
    """llama.cpp issue 13581: of a command without a length, the only line that has it."""
    line = (
        "llama_kv_cache_unified: kv_size = 10485760, type_k = 'q8_0', type_v = 'q8_0', n_layer = 48, can_shift = 1, padding = 32"
    )
    log = read_log(line)
    assert log.value("n_ctx") == 10_485_760 and log.value("info_layer") == 48 and log.word("k_type") == "q8_0"


def test_a_device_with_brackets_in_its_name_is_read():
    """llama.cpp on Mesa's Vulkan: each of its names has brackets within the brackets."""
    for line in (
        "llama_model_load_from_file_impl: using device Vulkan0 (Radeon 8060S Graphics (RADV STRIX_HALO)) (0000:c6:00.0) - 12 MiB free",
        "  - Vulkan0 : Radeon 8060S Graphics (RADV STRIX_HALO) (131072 MiB, 129920 MiB free)",
        'level=INFO source=types.go:42 msg="inference compute" id=0 library=Vulkan name=Vulkan0 description="Radeon 8060S Graphics '
        '(RADV STRIX_HALO)" total="125.0 GiB"',
    ):
        assert read_log(line).word("device") == "Radeon 8060S Graphics", line


def test_a_cache_of_sglangs_without_its_tokens_has_those_of_another_line():
    """Its documentation of January 2025."""
    log = read_log(
        "[2025-01-23 19:35:20 TP0] KV Cache is allocated. K size: 27.13 GB, V size: 27.13 GB.\n"
        "[2025-01-23 19:35:27 TP0] max_total_num_tokens=444500, max_prefill_tokens=16384, context_len=131072"
    )
    checks = {check.what: check for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16)}
    assert checks["bytes a token"].agrees and checks["bytes a token"].tokens == 444_500


def test_sequences_with_cells_of_their_own_have_a_cache_each():
    """hogeheer499-commits/strix-halo-guide, its servers of 2, 4, 8 and 16 users: a right cache was said to be 8 × what is expected."""
    line = "llama_kv_cache: size =  640.00 MiB (  4096 cells,  10 layers,  8/{} seqs), K (f16):  320.00 MiB, V (f16):  320.00 MiB"
    widths = "print_info: n_embd_k_gqa = 512\nprint_info: n_embd_v_gqa = 512\n"

    def cache(n):
        return next(check for check in cache_checks(read_log(widths + line.format(n))) if check.what == "the cache")

    assert cache(8).agrees and cache(8).how.startswith("8 · 4,096 cells")
    assert cache(1).differs  # of one, which they share, it would be too much


def test_a_log_that_is_kept_as_a_list_of_its_lines_is_read():
    """mattbucci/2x-3090-GA102-300-A1-sglang-inference: a file of JSON has what SGLang printed as strings."""
    line = '    "[2026-06-10 05:01:05 TP0] KV Cache is allocated. #tokens: 40790, K size: 1.95 GB, V size: 1.95 GB",'
    assert read_log(line).value("kv_tokens") == 40_790
    with pytest.raises(ValueError, match="no line of the kind"):
        read_log('  "eval time = 12.00 ms / 8 runs",')


def test_a_file_without_the_number_of_its_line_is_a_head():
    """noonghunna/club-3090 keeps what vLLM printed so."""
    assert read_log("INFO 08-21 10:00:12 gpu_worker.py: GPU KV cache size: 524,288 tokens").value("kv_tokens") == 524_288
