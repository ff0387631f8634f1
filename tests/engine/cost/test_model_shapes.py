"""The presets: exact parameters and cache bytes, against counts and figures published elsewhere."""

from dataclasses import replace

import numpy as np
import pytest

from engine.cost import MODELS, ModelShape, bytes_of, mha_kv_bytes_per_token, prefill_flops
from engine.cost.shapes.catalogue import FILES

KIB, MIB, GIB, GB = 2**10, 2**20, 2**30, 10**9

# Parameters of the model that transformers 5.23 builds from the same fields on PyTorch's meta device.
PARAMS = {
    "GPT-2 small": 124_439_808, "GPT-2 XL": 1_557_611_200, "OPT-13B": 12_853_473_280,
    "Llama-2-7B": 6_738_415_616, "Llama-2-13B": 13_015_864_320, "Llama-2-70B": 68_976_648_192,
    "Llama-3.1-8B": 8_030_261_248, "Llama-3.1-70B": 70_553_706_496, "Llama-3.1-405B": 405_853_388_800,
    "Llama-3.2-1B": 1_235_814_400, "Llama-3.2-3B": 3_212_749_824,
    "Mistral-7B": 7_241_732_096, "Mixtral-8x7B": 46_702_792_704,
    "Qwen2.5-0.5B": 494_032_768, "Qwen2.5-7B": 7_615_616_512, "Qwen2.5-72B": 72_706_203_648,
    "Qwen3-0.6B": 596_049_920, "Qwen3-8B": 8_190_735_360, "Qwen3-32B": 32_762_123_264, "Qwen3-30B-A3B": 30_532_122_624,
    "Gemma-2-9B": 9_241_705_984, "Gemma-3-27B": 27_009_346_304,
    "gpt-oss-20b": 20_914_757_184, "gpt-oss-120b": 116_829_156_672,
    "Phi-3-mini": 3_821_079_552, "Falcon-7B": 6_921_720_704, "DeepSeek-V2-Lite": 15_706_484_224,
    # The 58 × 256 biases of its routers are buffers to transformers and so not in its count; DeepSeek's files contain them.
    "DeepSeek-V3": 671_026_404_352 + 58 * 256,
    "SmolLM2-135M": 134_515_008,
}  # fmt: skip

# Bytes a token at 16 bits, recomputed by hand from the published shapes; where somebody printed them, see below.
KV_BYTES = {
    "GPT-2 small": 36_864, "GPT-2 XL": 300 * KIB, "OPT-13B": 800 * KIB, "Llama-2-7B": 512 * KIB, "Llama-2-13B": 819_200,
    "Llama-2-70B": 320 * KIB, "Llama-3.1-8B": 128 * KIB, "Llama-3.1-70B": 327_680, "Llama-3.1-405B": 516_096,
    "Llama-3.2-1B": 32_768, "Mistral-7B": 131_072, "Mixtral-8x7B": 131_072, "Qwen2.5-0.5B": 12_288, "Qwen2.5-7B": 57_344,
    "Qwen2.5-72B": 327_680, "Qwen3-0.6B": 114_688, "Qwen3-8B": 147_456, "Gemma-2-9B": 344_064, "DeepSeek-V3": 70_272,
}  # fmt: skip


def test_no_two_presets_share_a_name_and_each_has_a_source():
    assert len(MODELS) == len(FILES) == len(PARAMS)
    for shape in MODELS.values():
        assert shape.source.startswith("huggingface.co/") and shape.source.endswith("/config.json")


@pytest.mark.parametrize("name", PARAMS)
def test_parameters_are_exact(name):
    assert MODELS[name].n_params == PARAMS[name]


@pytest.mark.parametrize("name", KV_BYTES)
def test_cache_bytes_of_a_token(name):
    assert MODELS[name].kv_bytes_per_token() == KV_BYTES[name]


def test_gpt2_in_float32_keeps_twice_as_much():
    assert MODELS["GPT-2 small"].kv_bytes_per_token(bits=32) == 73_728


@pytest.mark.parametrize(
    ("name", "n_tokens", "published_bytes", "source"),
    [
        ("Llama-2-7B", 4096, 2048 * MIB, 'NVIDIA, "~2 GB" at 4,096: it is GiB'),
        ("OPT-13B", 2048, 1600 * MIB, 'vLLM paper, arXiv 2309.06180 §3, "1.6 GB": it is 1,600 MiB'),
        ("Llama-3.1-70B", 4096, 1280 * MIB, "llama.cpp log, K 640 + V 640 MiB"),
        ("Llama-3.2-1B", 4096, 128 * MIB, "llama.cpp log"),
        ("Llama-3.2-1B", 1024, 32 * MIB, "llama.cpp log"),
        ("Llama-3.1-8B", 4096, GIB // 2, "arithmetic: half a GiB"),
        ("Llama-3.1-8B", 1024, GIB // 8, 'Hugging Face blog on Llama 3.1, ".125 GB": it is GiB'),
        ("Llama-3.1-8B", 100_000, 13_107_200_000, "arithmetic: 13.1 GB"),
        ("DeepSeek-V3", 1, 70_272, "arXiv 2505.09343 table 1, 70.272 KB, decimal"),
        ("Qwen2.5-72B", 1, 327_680, "arXiv 2505.09343 table 1, 327.680 KB, decimal"),
        ("Llama-3.1-405B", 1, 516_096, "arXiv 2505.09343 table 1, 516.096 KB, decimal"),
    ],
)
def test_published_cache_sizes(name, n_tokens, published_bytes, source):
    assert MODELS[name].kv_bytes(n_tokens) == published_bytes, source


@pytest.mark.parametrize(
    ("name", "n_tokens", "unit", "published", "digits", "source"),
    [
        ("Llama-2-13B", 8192, GB, 6.7, 1, "How to Scale Your Model, inference chapter (its table heads it GiB; it is GB)"),
        ("Llama-2-13B", 8192, GIB, 6.25, 2, "the same in GiB"),
        ("Llama-3.1-8B", 16_000, GIB, 1.95, 2, "Hugging Face blog on Llama 3.1: 16k there is 16,000, GB there is GiB"),
        ("Llama-3.1-8B", 128_000, GIB, 15.62, 2, "Hugging Face blog on Llama 3.1: 128k there is 128,000"),
        ("Llama-3.1-70B", 4096, GB, 1.3, 1, "spheron.network on Llama 3.1 70B"),
        ("Llama-3.1-70B", 131_072, GB, 42.9, 1, "spheron.network on Llama 3.1 70B"),
        ("Llama-3.1-70B", 100_000, GB, 32.8, 1, "arithmetic"),
        ("DeepSeek-V3", 1, KIB, 68.6, 1, "S. Raschka's gallery of architectures"),
    ],
)
def test_published_cache_sizes_rounded(name, n_tokens, unit, published, digits, source):
    # Half a unit in the last printed place: the blog cut 15.625 down, others round.
    assert MODELS[name].kv_bytes(n_tokens) / unit == pytest.approx(published, abs=0.5001 * 10**-digits), source


def test_a_16_token_block_of_an_8b_model():
    assert MODELS["Llama-3.1-8B"].kv_bytes(16) == 2_097_152  # one block of vLLM's paged cache


def test_mistrals_window_caps_its_cache_and_saves_eight_times_at_32k():
    shape = MODELS["Mistral-7B"]
    assert shape.kv_bytes(4096) == shape.kv_bytes(10**6) == 512 * MIB
    unwindowed = 32_768 * shape.kv_bytes_per_token()
    assert unwindowed / shape.kv_bytes(32_768) == 8  # arXiv 2310.06825: "reduces the cache memory usage by 8x"


def test_half_of_gemma_2_and_a_sixth_of_gemma_3_see_everything():
    gemma2, gemma3 = MODELS["Gemma-2-9B"], MODELS["Gemma-3-27B"]
    assert gemma2.windows == (4096, 0) * 21
    assert gemma2.kv_bytes(8192) == 21 * (4096 + 8192) * gemma2.kv_row * 2
    assert [i for i, window in enumerate(gemma3.windows) if not window] == list(range(5, 62, 6))
    assert set(gemma3.windows) == {0, 1024}


def test_gpt_oss_at_its_longest_context_keeps_half_of_what_a_calculator_without_windows_says():
    # github.com/gpustack/gguf-parser-go/issues/32: 49,152 B a token charged, 6.00 GiB, where 3.00 are due.
    shape = MODELS["gpt-oss-20b"]
    assert shape.kv_bytes_per_token() == 49_152
    assert 131_072 * shape.kv_bytes_per_token() == 6 * GIB
    assert shape.kv_bytes(131_072) == 3 * GIB + 12 * 128 * shape.kv_row * 2


def test_active_parameters():
    # OpenAI's gpt-oss model card counts the head but not the embedding as active: 3.61 and 5.13 billion.
    for name, total, active in (("gpt-oss-20b", 20.91, 3.61), ("gpt-oss-120b", 116.83, 5.13)):
        shape = MODELS[name]
        assert shape.n_params / 1e9 == pytest.approx(total, abs=0.005)
        assert (shape.n_active_params - shape.embedding_params) / 1e9 == pytest.approx(active, abs=0.005)
    assert MODELS["Mixtral-8x7B"].n_active_params / 1e9 == pytest.approx(12.9, abs=0.05)  # arXiv 2401.04088: "13B active"
    assert MODELS["Qwen3-30B-A3B"].n_active_params / 1e9 == pytest.approx(3.3, abs=0.06)  # its model card: 3.3B
    # DeepSeek-V3 report, arXiv 2412.19437: 671B total, 37B activated.
    assert MODELS["DeepSeek-V3"].n_params // 10**9 == 671 and MODELS["DeepSeek-V3"].n_active_params // 10**9 == 37
    for shape in MODELS.values():
        assert shape.n_active_params == shape.visited_params(1)
        assert (shape.n_active_params < shape.n_params) == (shape.experts is not None)


def test_weight_bytes():
    assert MODELS["Llama-3.1-8B"].weight_bytes() == 2 * 8_030_261_248
    assert MODELS["Llama-3.1-8B"].weight_bytes(4) == 8_030_261_248 // 2
    # llama.cpp's q8_0: 32 numbers and a 16-bit scale in 34 bytes.
    assert bytes_of(32, 8.5) == 34 and bytes_of(32, 4.5) == 18 and bytes_of(3, 4) == 2


class TestCommonMistakes:
    """Wrong figures found in print, each computed from its mistake, so that the right one is seen to differ."""

    def test_query_heads_instead_of_key_value_heads(self):
        # pulseaugur: "2 · layers · hidden" for a 70B model at 128K is 340 GB; it forgets the eightfold grouping.
        shape = MODELS["Llama-3.1-70B"]
        assert mha_kv_bytes_per_token(shape) == 2_621_440
        assert mha_kv_bytes_per_token(shape) * 131_072 / GB == pytest.approx(340, rel=0.02)
        assert mha_kv_bytes_per_token(shape) == 8 * shape.kv_bytes_per_token()
        assert 262 < mha_kv_bytes_per_token(shape) * 100_000 / GB < 263

    def test_sixteen_key_value_heads_for_405b(self):
        # The Hugging Face blog on Llama 3.1 prints .984 "GB" for 1,024 tokens: GiB, and with 16 heads; the file says 8.
        shape = MODELS["Llama-3.1-405B"]
        assert shape.n_kv_head == 8
        assert replace(shape, n_kv_head=16).kv_bytes(1024) / GIB == pytest.approx(0.984, abs=0.0005)
        assert replace(shape, n_kv_head=16).kv_bytes(1024) == 2 * shape.kv_bytes(1024)

    def test_67_gb_for_128_tokens(self):
        # insidellms.com: "Llama-2-70B GQA ~65 KB/token, 67 GB for 128 tokens": neither follows, nor one from the other.
        shape = MODELS["Llama-2-70B"]
        assert shape.kv_bytes_per_token() == pytest.approx(5 * 65_536)
        assert shape.kv_bytes(128) == 40 * MIB

    @pytest.mark.parametrize(
        ("name", "derived"), [("Qwen3-0.6B", 64), ("Qwen3-32B", 80), ("Gemma-2-9B", 224), ("gpt-oss-20b", 45)]
    )
    def test_d_head_derived_though_the_file_states_it(self, name, derived):
        shape = MODELS[name]
        assert shape.d_model // shape.n_head == derived != shape.d_head

    def test_a_factor_two_for_a_latent(self):
        # One latent serves as key and value: 61 · (512 + 64) · 2 bytes, not twice that.
        shape = MODELS["DeepSeek-V3"]
        assert shape.kv_bytes_per_token() == 61 * (512 + 64) * 2
        ratio = MODELS["Llama-3.1-405B"].kv_bytes_per_token() / shape.kv_bytes_per_token()
        assert ratio == pytest.approx(7.34, abs=0.005)  # arXiv 2505.09343 table 1 prints 7.28x
        assert MODELS["Qwen2.5-72B"].kv_bytes_per_token() / shape.kv_bytes_per_token() == pytest.approx(4.66, abs=0.005)

    def test_gb_for_gib(self):
        n = MODELS["Llama-3.1-8B"].kv_bytes(128_000)
        assert n / GIB == 15.625 and n / GB == pytest.approx(16.78, abs=0.005)


def test_numpys_integers_count_too_and_do_not_overflow():
    shape = MODELS["Llama-3.1-405B"]
    assert shape.kv_bytes(np.int32(10**6), np.int8(100)) == shape.kv_bytes(10**6, 100) > 2**31
    assert prefill_flops(shape, np.int32(10**6)) == prefill_flops(shape, 10**6)


def test_a_shape_says_what_is_wrong_with_it():
    good = dict(name="x", n_layer=2, d_model=8, n_head=2, n_kv_head=1, d_head=4, d_ff=16, n_vocab=10)
    assert ModelShape(**good).windows == (0, 0)
    for change, message in (
        (dict(n_layer=0), "n_layer: expected a whole number from 1"),
        (dict(n_layer=10**12), "n_layer: expected a whole number from 1 to 2000"),
        (dict(n_layer="2"), "n_layer: expected a whole number"),
        (dict(windows=(4, -1)), "windows: expected a whole number from 0"),
        (dict(n_kv_head=3), "n_kv_head: expected a divisor of n_head = 2, got 3"),
        (dict(windows=(4,)), "windows: expected one for each of the 2 layers, got 1"),
        (dict(d_head=4.0), "d_head: expected a whole number"),
        (dict(d_ff=True), "d_ff: expected a whole number"),
    ):
        with pytest.raises(ValueError, match=message):
            ModelShape(**good | change)
    shape = ModelShape(**good)
    for call in (lambda: shape.kv_bytes(-1), lambda: shape.kv_bytes(1.5), lambda: shape.kv_bytes(1, batch=-2)):
        with pytest.raises(ValueError, match="expected a whole number"):
            call()
    for bits in (0, -4, 65, float("nan"), True, "16"):
        with pytest.raises(ValueError, match="bits: expected a number of bits"):
            shape.kv_bytes(1, bits=bits)
