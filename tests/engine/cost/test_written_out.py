"""The multiplication as it is written, grouped heads, and the mistakes of other calculators with their factors."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost import MODELS, mha_kv_bytes_per_token
from engine.cost.common_mistakes import mistakes
from engine.cost.multiplication import kv_factors, product
from engine.cost.shapes.head_groups import kind_of_heads, kv_head_choices, with_kv_heads

names = st.sampled_from(sorted(MODELS))


@given(names, st.integers(0, 2**20), st.integers(1, 4096), st.sampled_from((16, 8, 4)))
def test_the_factors_multiply_to_the_bytes(name, n_tokens, batch, bits):
    shape = MODELS[name]
    factors = kv_factors(shape, n_tokens, batch, bits)
    assert product(factors) == shape.kv_bytes(n_tokens, batch, bits)
    for factor in factors:
        assert not factor.terms or sum(a * b for a, b in factor.terms) == factor.value


def test_how_it_is_written():
    written = [(f.value, f.what) for f in kv_factors(MODELS["Llama-3.1-8B"], 100_000)]
    assert written == [
        (2, "key and value"), (8, "KV heads"), (128, "head width"), (32, "layers"), (100_000, "tokens"), (1, "sequences"),
        (2, "bytes each"),
    ]  # fmt: skip
    latent = kv_factors(MODELS["DeepSeek-V3"], 10)
    assert latent[0].terms == ((1, 512), (1, 64)) and product(latent) == 10 * 70_272  # no factor 2
    mixed = next(f for f in kv_factors(MODELS["Gemma-2-9B"], 8192) if f.terms)
    assert mixed.terms == ((21, 8192), (21, 4096))
    inside = kv_factors(MODELS["Gemma-2-9B"], 4096)
    assert not any(f.terms for f in inside)
    # arXiv 2310.06825: "32k tokens … reduces the cache memory usage by 8x"
    assert [f.what for f in kv_factors(MODELS["Mistral-7B"], 32_768)][4] == "tokens (window)"
    assert product(kv_factors(replace(MODELS["Mistral-7B"], windows=()), 32_768)) == 8 * MODELS["Mistral-7B"].kv_bytes(32_768)


@pytest.mark.parametrize("name", [n for n in MODELS if not MODELS[n].latent])
def test_grouping_divides_the_cache_and_leaves_the_queries(name):
    shape = MODELS[name]
    choices = kv_head_choices(shape)
    assert choices[0] == shape.n_head and choices[-1] == 1 and shape.n_kv_head in choices and len(choices) <= 8
    assert list(choices) == sorted(choices, reverse=True)
    for n in choices:
        grouped = with_kv_heads(shape, n)
        assert grouped.kv_bytes(1000) * shape.n_head == with_kv_heads(shape, shape.n_head).kv_bytes(1000) * n
        assert (grouped.n_head, grouped.d_head) == (shape.n_head, shape.d_head)


def test_a_70b_as_mha_gqa_and_mqa():
    # The article, part 3: 327,680 bytes a token against 2,621,440 as MHA and 40,960 as MQA.
    shape = MODELS["Llama-3.1-70B"]
    assert {n: with_kv_heads(shape, n).kv_bytes(1) for n in (64, 8, 1)} == {64: 2_621_440, 8: 327_680, 1: 40_960}
    assert mha_kv_bytes_per_token(shape) == 2_621_440
    assert [kind_of_heads(64, n) for n in (64, 8, 1)] == ["MHA", "GQA", "MQA"]
    assert kv_head_choices(MODELS["Falcon-7B"]) == (71, 1) and kv_head_choices(MODELS["DeepSeek-V3"]) == (128,)
    with pytest.raises(ValueError, match="n_kv_head: expected 128, since a latent"):
        with_kv_heads(MODELS["DeepSeek-V3"], 1)


def test_many_divisors_are_cut_to_the_largest_the_own_and_one():
    shape = replace(MODELS["Llama-2-7B"], n_head=720, n_kv_head=6, d_model=720 * 128)
    assert kv_head_choices(shape) == (720, 360, 240, 180, 144, 120, 6, 1)


def by_what(name, n_tokens=131_072):
    return {m.what.split()[0]: m for m in mistakes(MODELS[name], n_tokens)}


def test_published_mistakes_come_out_with_their_factors():
    # The Hugging Face blog prints 1.95 "GB" for 16,000 tokens of Llama-3.1-8B: it is GiB.
    assert mistakes(MODELS["Llama-3.1-8B"], 16_000)[0].wrong_bytes == pytest.approx(1.953e9, rel=1e-3)
    assert by_what("Llama-3.1-8B")["decimal"].factor == pytest.approx(1 / 1.0737, rel=1e-4)
    # "340 GB for a 70B at 128K" forgets that eight query heads share one key/value head.
    assert by_what("Llama-3.1-70B", 131_072)["query"].wrong_bytes == pytest.approx(343.6e9, rel=1e-3)
    assert by_what("Llama-3.1-70B")["query"].factor == 8 and by_what("Llama-3.1-405B")["query"].factor == 16
    assert by_what("Qwen3-0.6B")["head"].factor == 0.5  # 1024 / 16 = 64, where the file says 128
    assert by_what("Gemma-2-9B")["head"].factor == 224 / 256
    assert by_what("Gemma-2-9B", 8192)["windows"].factor == pytest.approx(4 / 3)
    assert by_what("DeepSeek-V3")["a"].factor == 2 and by_what("DeepSeek-V3")["all"].factor == 128 * (192 + 128) / 576


@given(names, st.integers(1, 10**6), st.integers(1, 50))
def test_a_mistake_that_changes_nothing_is_not_listed(name, n_tokens, batch):
    for m in mistakes(MODELS[name], n_tokens, batch):
        assert m.wrong_bytes != m.right_bytes == MODELS[name].kv_bytes(n_tokens, batch)
    assert "query" not in by_what("Llama-2-7B") and "windows" not in by_what("Llama-2-7B")
