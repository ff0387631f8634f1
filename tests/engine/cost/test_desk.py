"""What an engineer asks at his desk: bits of a quantised file, copies on several devices, the next token, a limit on the wait."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config_json.fields import Fields
from engine.config_json.quantised import BLOCKS, EXPERTS, quantised
from engine.cost import DEVICES, MODELS, Device, ModelShape, largest_batch, memory_use, operations, tpot_s, weight_read_bytes
from engine.cost.tensor_parallel import all_kv_bytes, kv_copies
from engine.cost.tpot_limit import served

LLAMA_8B, DEEPSEEK = MODELS["Llama-3.1-8B"], MODELS["DeepSeek-V3"]
LLAMA_8B_FILE = dict(
    model_type="llama", num_hidden_layers=32, hidden_size=4096, num_attention_heads=32, num_key_value_heads=8,
    intermediate_size=14336, vocab_size=128256, max_position_embeddings=131072, tie_word_embeddings=False,
)  # fmt: skip


# --- bits of a quantised file


@pytest.mark.parametrize(("name", "gib"), [("gpt-oss-120b", 60.8), ("gpt-oss-20b", 12.8)])
def test_a_mxfp4_file_has_the_size_that_its_maker_prints(name, gib):
    # OpenAI, gpt-oss model card (arXiv 2508.10925), table 1: checkpoints of 60.8 and 12.8 GiB.
    shape = MODELS[name]
    assert shape.weight_bytes(shape.stored_bits) / 2**30 == pytest.approx(gib, rel=4e-3)


def test_an_awq_file_has_the_size_that_the_hub_shows():
    # huggingface.co/hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4: 4 bits, groups of 128, two files of 5.74 GB together.
    shape = ModelShape.from_config(LLAMA_8B_FILE | {"quantization_config": dict(quant_method="awq", bits=4, group_size=128)})
    assert shape.weight_bytes(shape.stored_bits) / 1e9 == pytest.approx(5.74, rel=3e-3)
    assert LLAMA_8B.stored_bits == 0  # no quantised file: nothing to offer


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        (dict(quant_method="mxfp4"), (4 + 8 / 32, EXPERTS)), (dict(quant_method="fp8"), (8, BLOCKS)),
        (dict(quant_method="gptq", bits=4, group_size=128), (4 + 20 / 128, BLOCKS)),
        (dict(quant_method="gptq", bits=3), (3, BLOCKS)),
        (dict(quant_method="awq", bits=4, group_size=-1), (4, BLOCKS)),
        (dict(quant_method="bitsandbytes", load_in_8bit=True), (8, BLOCKS)),
        (dict(quant_method="bitsandbytes", load_in_4bit=True), (4 + 32 / 64, BLOCKS)),
        (dict(quant_method="bitsandbytes", load_in_4bit=True, bnb_4bit_use_double_quant=True), (4.127, BLOCKS)),
        (dict(quant_method="aqlm"), (0, "")), (dict(quant_method="gptq", bits="4"), (0, "")), ({}, (0, "")),
        (dict(quant_method="gptq", bits=True), (0, "")), (dict(quant_method="awq", bits=10**9), (0, "")), ("fp8", (0, "")),
        (dict(quant_method=["fp8"]), (0, "")), (None, (0, "")),
    ],
)  # fmt: skip
def test_what_a_file_says_of_its_bits(stated, found):
    """A block's scale counts: 8 bits for 32 numbers of mxfp4 (OCP), a 16-bit scale and a zero point for a group of GPTQ's."""
    assert quantised(Fields({"quantization_config": stated})) == pytest.approx(found)


def test_a_quantised_number_is_multiplied_without_its_scale():
    assert DEVICES["B200"].rate(4.25) == DEVICES["B200"].rate(4) and DEVICES["B200"].rate(8.5) == DEVICES["B200"].rate(8)


# --- the next token


@pytest.mark.parametrize(("n_tokens", "added"), [(0, 507_904), (1023, 507_904), (1024, 81_920), (8192, 81_920)])
def test_the_next_token_of_gemma_3_adds_what_its_windows_leave(n_tokens, added):
    # 62 layers of 16 heads · 2 · 128 numbers, 8,192 bytes each; 52 look back 1,024 tokens, 10 at everything.
    assert MODELS["Gemma-3-27B"].next_token_bytes(n_tokens) == added == (62 if n_tokens < 1024 else 10) * 8192


# --- several devices


def test_heads_are_copied_where_there_are_fewer_than_devices():
    # vLLM: num_kv_heads = max(1, total_num_kv_heads // tensor_parallel_size) on each device.
    assert [kv_copies(8, n) for n in (1, 2, 8, 16, 32)] == [1, 1, 1, 2, 4]
    shape = MODELS["Llama-3.1-70B"]
    for n in (1, 2, 4, 8, 16, 32):
        on_each = 80 * max(1, 8 // n) * 2 * 128 * 2  # layers, heads, key and value, width, bytes
        assert all_kv_bytes(shape, 1000, 3, n_devices=n) == 3 * 1000 * n * on_each


def test_every_device_keeps_a_whole_latent():
    one = DEEPSEEK.kv_bytes(1000)
    assert [all_kv_bytes(DEEPSEEK, 1000, n_devices=n) // one for n in (1, 8, 32)] == [1, 8, 32]
    use = memory_use(DEEPSEEK, 1000, DEVICES["H200"], n_devices=8)
    assert use.cache_bytes == one and use.copy_bytes == 7 * one
    assert use.total_bytes == use.weight_bytes + 8 * one + use.activation_bytes


def test_a_latent_on_every_device_is_read_by_every_device():
    """Eight devices were said to read an eighth of a latent each: the cache's part of a step took an eighth of its time."""
    device, n_past = DEVICES["H200"], 50_000
    device = replace(device, flops_per_s=1e25)  # arithmetic takes no time here
    longer = tpot_s(DEEPSEEK, 2 * n_past, device, 64, n_devices=8) - tpot_s(DEEPSEEK, n_past, device, 64, n_devices=8)
    assert longer == pytest.approx(64 * n_past * 61 * 576 * 2 / device.bytes_per_s)
    fewer = largest_batch(DEEPSEEK, 8192, device, n_devices=8, weight_bits=8)
    room = 8 * device.memory_bytes - DEEPSEEK.weight_bytes(8)
    assert fewer <= room // (8 * DEEPSEEK.kv_bytes(8192))  # without copies eight times as many seemed to fit


@given(st.sampled_from(sorted(MODELS)), st.integers(0, 20_000), st.integers(1, 9), st.integers(1, 32))
def test_several_devices_never_keep_less_than_one(name, n_tokens, batch, n_devices):
    shape = MODELS[name]
    assert all_kv_bytes(shape, n_tokens, batch, 16, n_devices) >= shape.kv_bytes(n_tokens, batch)
    assert all_kv_bytes(shape, n_tokens, batch, 16, n_devices) <= n_devices * shape.kv_bytes(n_tokens, batch)


def test_what_a_program_keeps_for_itself_is_taken_from_every_device():
    free, kept = (memory_use(LLAMA_8B, 1000, DEVICES["A100-80"], n_devices=4, reserved_bytes=n) for n in (0, 3 * 10**9))
    assert free.room_bytes - kept.room_bytes == kept.reserved_bytes == 12 * 10**9
    for bad in (-1, 1.5, 2**61):
        with pytest.raises(ValueError, match="reserved_bytes: expected a whole number"):
            memory_use(LLAMA_8B, 1, DEVICES["A100-80"], reserved_bytes=bad)


# --- a limit on the wait


def test_the_largest_batch_that_keeps_a_limit_by_hand():
    # 2 TB/s and arithmetic without end: a step reads 16.06 − 1.05 GB of weights, and 131,072 bytes a token of each sequence.
    device, n_past = Device("2 TB/s", 10**12, 2e12, 1e20), 2047
    found = served(LLAMA_8B, n_past, device, 0.010)
    weights, cache = 16_060_522_496 - 2 * 4096 * 128_256, 2048 * 131_072 + 2 * 4096  # a row of the table a sequence
    assert found.batch == int((0.010 * 2e12 - weights) / cache) == 18 and found.stops == "limit"
    assert found.tokens_per_s == pytest.approx(18 / ((weights + 18 * cache) / 2e12))
    assert found.price(3.6) == pytest.approx(3.6 / 3600 / found.tokens_per_s * 1e6)


def test_memory_may_stop_it_first_and_a_limit_may_be_too_tight_for_one():
    small = replace(DEVICES["A100-80"], memory_bytes=20 * 10**9)
    found = served(LLAMA_8B, 8192, small, 1.0)
    assert found.stops == "memory" and found.batch == largest_batch(LLAMA_8B, 8193, small)
    assert served(LLAMA_8B, 8192, DEVICES["A100-80"], 0.001).batch == 0
    assert served(LLAMA_8B, 8192, DEVICES["L4"], 1.0, reserved_bytes=20 * 10**9).batch == 0
    just = tpot_s(LLAMA_8B, 8192, DEVICES["A100-80"])
    assert served(LLAMA_8B, 8192, DEVICES["A100-80"], just).batch == 1
    assert served(LLAMA_8B, 8192, DEVICES["A100-80"], 0.999 * just).tpot_s == just  # what one reader would have to wait
    for bad in (0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="limit_s: expected a positive number"):
            served(LLAMA_8B, 1, DEVICES["L4"], bad)


@given(
    st.sampled_from(["Llama-3.1-8B", "DeepSeek-V3", "Gemma-3-27B", "gpt-oss-20b"]), st.integers(0, 20_000), st.integers(1, 200)
)
def test_what_is_served_keeps_the_limit_and_one_more_would_not(name, n_past, limit_ms):
    shape, device, setup = MODELS[name], DEVICES["B200"], dict(n_devices=8, weight_bits=8)
    found = served(shape, n_past, device, limit_ms / 1e3, **setup)
    assert found.tpot_s == tpot_s(shape, n_past, device, max(found.batch, 1), **setup)
    if found.batch:
        assert tpot_s(shape, n_past, device, found.batch, **setup) <= limit_ms / 1e3
        assert memory_use(shape, n_past + 1, device, found.batch, **setup).fits
    fits = memory_use(shape, n_past + 1, device, found.batch + 1, **setup).fits
    assert tpot_s(shape, n_past, device, found.batch + 1, **setup) > limit_ms / 1e3 if found.stops == "limit" else not fits


@pytest.mark.parametrize(
    "name, n_tokens, read_gb", [("gpt-oss-20b", 1, 3.71), ("gpt-oss-20b", 8, 9.11), ("gpt-oss-120b", 1, 5.00)]
)
def test_a_step_reads_what_is_not_quantised_in_16_bits(name, n_tokens, read_gb):
    """At the file's mean of all parameters it read 2.37 and 2.86 GB for one token: of the experts, which have 4.25 bits, it reads few."""
    shape = MODELS[name]
    read = weight_read_bytes(shape, n_tokens, shape.stored_bits)
    assert read / 1e9 == pytest.approx(read_gb, abs=0.005)
    # Biases and norms are in no product.
    assert sum(op.weight_bytes for op in operations(shape, 1, 1, n_tokens, shape.stored_bits)) == pytest.approx(read, rel=2e-3)
    assert shape.visited_bytes(10**6, shape.stored_bits) == pytest.approx(shape.weight_bytes(shape.stored_bits), rel=1e-9)
    assert shape.visited_bytes(1, 8) == shape.n_active_params
