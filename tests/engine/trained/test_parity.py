"""The engine computes what transformers computes: same logits, same greedy text, for every family, however the tokens are fed.

The fixtures were written by tests/fixtures/make_fixtures.py. An equal argmax is no gate: it passes a wrong GELU, a wrong eps and
a shifted position. The last tests make such mistakes on purpose and show that the tolerance catches every one of them.
"""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import KVCache, chunked_prefill, generate, prefill
from engine.trained import transformer
from engine.trained.layers import Linear, Norm
from engine.trained.loading import load

FIXTURES = Path(__file__).parents[2] / "fixtures"
FAMILIES = (
    "gpt2",
    "llama_mha",
    "llama_gqa_tied",
    "llama_mqa",
    "llama3",
    "mistral",
    "phi3",
    "qwen2",
    "qwen2_window",
    "qwen3",
    "rope_linear",
    "rope_dynamic",
    "rope_yarn",
)


def reference(name: str) -> dict[str, np.ndarray]:
    """What transformers computed: token_ids, logits32, logits64 and the greedy continuation of the first 16 tokens."""
    with np.load(FIXTURES / name / "reference.npz") as arrays:
        return dict(arrays)


def error_and_gate(logits: np.ndarray, expected: np.ndarray) -> tuple[float, float]:
    """The largest difference, and what it may be: 5·10⁻⁶ of the largest logit, plus 5·10⁻⁶."""
    return abs(logits - expected).max(), 5e-6 * abs(expected).max() + 5e-6


def assert_same(logits: np.ndarray, expected: np.ndarray) -> None:
    """The parity gate."""
    error, gate = error_and_gate(logits, expected)
    assert logits.shape == expected.shape
    assert logits.dtype == np.float32
    assert error <= gate


@pytest.mark.parametrize("name", FAMILIES)
def test_one_pass_gives_the_logits_of_transformers(name):
    ref = reference(name)
    logits = prefill(load(FIXTURES / name), ref["token_ids"]).logits
    assert_same(logits, ref["logits32"])
    # Our error against double precision is not larger than that of transformers' own float32 by more than chance.
    assert abs(logits - ref["logits64"]).max() <= 2 * abs(ref["logits32"] - ref["logits64"]).max()


@pytest.mark.parametrize("n_chunk", [1, 7])
@pytest.mark.parametrize("name", FAMILIES)
def test_chunks_give_the_logits_of_transformers(name, n_chunk):
    """Only this sees a wrong position in the cached path: rotary positions all shifted by one change no logit of one pass."""
    ref, model = reference(name), load(FIXTURES / name)
    passes = chunked_prefill(model, ref["token_ids"], KVCache.for_model(model, len(ref["token_ids"])), n_chunk)
    assert len(passes) == math.ceil(len(ref["token_ids"]) / n_chunk)
    assert_same(np.concatenate([run.logits for run in passes]), ref["logits32"])


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("use_cache", [True, False])
@pytest.mark.parametrize("name", FAMILIES)
def test_greedy_text_is_that_of_transformers(name, use_cache, keep):
    ref, model = reference(name), load(FIXTURES / name).variant(keep=keep)
    n_new = 64 if use_cache else 16  # the uncached twin costs ten times as much and shows the same
    generation = generate(model, ref["token_ids"][:16], n_new, use_cache=use_cache)
    assert generation.token_ids == tuple(ref["greedy"][:n_new])


@pytest.mark.parametrize("name", FAMILIES)
def test_a_pass_that_keeps_nothing_gives_the_last_row(name):
    ref = reference(name)
    run = prefill(load(FIXTURES / name).variant(keep=False), ref["token_ids"])
    assert (run.layers, run.hidden) == ((), None)
    expected = ref["logits32"]
    assert run.logits.shape == (1, expected.shape[1])
    assert abs(run.logits[0] - expected[-1]).max() <= error_and_gate(run.logits, expected[-1:])[1]


def test_the_fixtures_cover_what_they_claim():
    """Every stored dtype, a sharded checkpoint, a window shorter than the text, a head wider than its share, biases and gains."""
    assert len(list((FIXTURES / "llama_mha").glob("*.safetensors"))) == 3
    models = {name: load(FIXTURES / name) for name in FAMILIES}
    assert models["mistral"].config.windows == (10, 10)
    assert models["qwen2_window"].config.windows == (None, 12)
    assert models["qwen3"].config.d_head * models["qwen3"].n_head != models["qwen3"].d_model
    assert models["llama3"].config.rope.factor == 8
    assert {m.n_head // m.n_kv_head for m in models.values()} == {1, 2, 4}
    assert {m.config.tied for m in models.values()} == {True, False}
    for name, model in models.items():
        block = model.params.blocks[0]
        assert np.ptp(block.attention_norm.gain) > 0.5, name
        if block.qkv.b is not None:
            assert np.ptp(block.qkv.b) > 0.5, name
    for name in FAMILIES:
        assert sum(file.stat().st_size for file in (FIXTURES / name).iterdir()) <= 300_000, name


# Mistakes that have been made. Each is built into the engine on purpose, and the gate has to notice.


def gelu_by_erf(x):
    """The other GELU: a difference that no argmax shows."""
    return (x * 0.5 * (1 + np.vectorize(math.erf, otypes=[np.float32])(x / math.sqrt(2)))).astype(np.float32)


def rotate_neighbours(x, cos, sin):
    """Rotary positions as Meta's own files have them, entry 2i with 2i + 1."""
    a, b = x[..., ::2].copy(), x[..., 1::2].copy()
    x[..., ::2], x[..., 1::2] = a * cos - b * sin, b * cos + a * sin


def without(part: str):
    """Blocks that forgot a bias, or a norm's gain."""

    def forget(block):
        if part.endswith("_norm"):
            norm = getattr(block, part)
            return replace(block, **{part: Norm(np.ones_like(norm.gain), norm.bias, norm.eps)})
        return replace(block, **{part: Linear(getattr(block, part).w)})

    return forget


def with_eps(eps: float):
    """Blocks whose norms have another eps."""
    return lambda b: replace(
        b, attention_norm=replace(b.attention_norm, eps=eps), feed_forward_norm=replace(b.feed_forward_norm, eps=eps)
    )


def with_window(change: int):
    return lambda config: replace(config, windows=tuple(w and w + change for w in config.windows))


BLOCK_MISTAKES = [
    ("gpt2", without("qkv")), ("gpt2", without("out")), ("gpt2", without("up")), ("gpt2", without("down")),
    ("gpt2", with_eps(1e-6)),
    ("llama_mha", without("qkv")), ("llama_mha", without("up")), ("llama_gqa_tied", with_eps(1e-6)),
    ("llama_mqa", with_eps(1e-5)),
    ("qwen2", without("qkv")), ("qwen3", without("q_norm")), ("qwen3", without("k_norm")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "mistake"), BLOCK_MISTAKES)
def test_the_gate_notices_a_wrong_parameter(name, mistake):
    ref, model = reference(name), load(FIXTURES / name)
    wrong = replace(model, params=replace(model.params, blocks=tuple(mistake(block) for block in model.params.blocks)))
    error, gate = error_and_gate(prefill(wrong, ref["token_ids"]).logits, ref["logits32"])
    assert error > 2 * gate


CONFIG_MISTAKES = [
    ("llama_mqa", lambda c: replace(c, rope=replace(c.rope, theta=c.rope.theta * 1.01))),
    ("llama3", lambda c: replace(c, rope=replace(c.rope, factor=1.0))),
    ("llama3", lambda c: replace(c, rope=replace(c.rope, low=1.5))),
    ("mistral", with_window(1)), ("mistral", with_window(-1)), ("qwen2_window", with_window(1)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "mistake"), CONFIG_MISTAKES)
def test_the_gate_notices_a_wrong_configuration(name, mistake):
    ref, model = reference(name), load(FIXTURES / name)
    error, gate = error_and_gate(prefill(replace(model, config=mistake(model.config)), ref["token_ids"]).logits, ref["logits32"])
    assert error > 2 * gate


@pytest.mark.parametrize(
    ("name", "function", "mistake"),
    [("gpt2", "gelu", gelu_by_erf), ("llama_mha", "rotate", rotate_neighbours), ("qwen3", "rotate", rotate_neighbours)],
)
def test_the_gate_notices_a_wrong_equation(name, function, mistake, monkeypatch):
    ref, model = reference(name), load(FIXTURES / name)
    monkeypatch.setattr(transformer, function, mistake)
    error, gate = error_and_gate(prefill(model, ref["token_ids"]).logits, ref["logits32"])
    assert error > 2 * gate


@pytest.mark.parametrize("name", ["gpt2", "llama_gqa_tied", "qwen3"])
def test_the_gate_notices_a_wrong_position_behind_the_cache(name, monkeypatch):
    """A cached step that thinks it stands one place further on: invisible in one pass, and greedy text may stay the same."""
    ref, model = reference(name), load(FIXTURES / name)
    cache = KVCache.for_model(model, 48)
    prefill(model, ref["token_ids"][:-1], cache)
    begin_pass = transformer.begin_pass
    monkeypatch.setattr(transformer, "begin_pass", lambda *given: (begin_pass(*given)[0], begin_pass(*given)[1] + 1))
    logits = model.forward(ref["token_ids"][-1:], cache).logits
    error, gate = error_and_gate(logits[0], ref["logits32"][-1])
    assert error > 2 * gate
