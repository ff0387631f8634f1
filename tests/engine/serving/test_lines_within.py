"""A program's line within a guide's comment or a JSON line, and one that leaves a word out."""

import pytest

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
