"""The laws of the trained transformer: float32 throughout, no look ahead, nothing copied, variants that are models themselves."""

import math
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from engine import KVCache, attention, decode_step, generate, prefill, recompute
from engine.attention import FEW_QUERIES
from engine.trained.config import read_config
from engine.trained.layers import Linear, Norm, gelu, in_blocks, silu_gate
from engine.trained.loading import load
from engine.trained.rope import Rope, frequencies, rotate, rotation

FIXTURES = Path(__file__).parents[2] / "fixtures"
FAMILIES = ("gpt2", "llama_mha", "llama_gqa_tied", "mistral", "qwen2", "qwen3")
IDS = np.random.default_rng(0).integers(1, 96, 40)
ROUNDING = 2e-4  # logits of the fixtures reach 14; two ways to the same float32 number differ by far less


def model_of(name: str = "llama_gqa_tied"):
    """A fixture's model."""
    return load(FIXTURES / name)


# float32


class Watched(np.ndarray):
    """An array that passes its nature on to whatever is computed from it, and notes the dtype of all that goes in and comes out.

    What goes in counts because a float64 may vanish again in the float32 array that a result is written to.
    """

    seen: list[tuple[str, np.dtype]] = []

    def __array_function__(self, func, types, args, kwargs):
        result = super().__array_function__(func, types, args, kwargs)
        if not isinstance(result, np.ndarray) or result.dtype.kind != "f":
            return result
        Watched.note(func.__name__, result)
        return result.view(Watched)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        Watched.note(ufunc.__name__, *inputs)
        plain = [np.asarray(x) if isinstance(x, np.ndarray) else x for x in inputs]
        if out is not None:
            options["out"] = tuple(np.asarray(o) for o in out)
        result = getattr(ufunc, method)(*plain, **options)
        Watched.note(ufunc.__name__, result)
        return out[0] if out is not None else np.asarray(result).view(Watched)

    @staticmethod
    def note(function: str, *values) -> None:
        """Remember the dtype of every float array and NumPy scalar; Python's own numbers promote nothing."""
        Watched.seen += [(function, v.dtype) for v in values if isinstance(v, np.ndarray | np.generic) and v.dtype.kind == "f"]


def watched(part):
    """The same parameters as watched arrays, however deep they lie."""
    if isinstance(part, np.ndarray):
        return part.view(Watched)
    if isinstance(part, tuple):
        return tuple(watched(p) for p in part)
    if is_dataclass(part):
        return replace(part, **{f.name: watched(getattr(part, f.name)) for f in fields(part)})
    return part


def arrays_of(run) -> dict[str, np.ndarray]:
    """Every float array that a pass returns."""
    named = {"logits": run.logits, "hidden": run.hidden}
    for i, layer in enumerate(run.layers):
        named |= {f"layer {i} {part}": getattr(layer, part) for part in ("q", "k", "v", "scores", "weights", "context")}
    return {name: array for name, array in named.items() if array is not None}


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_activation_is_float32(name, keep):
    """One float64 scalar promotes everything behind it, and each product then casts a whole matrix: decode 38 times slower."""
    model = model_of(name).variant(keep=keep)
    model = replace(model, params=watched(model.params))
    Watched.seen.clear()
    cache = KVCache.for_model(model, 48)
    runs = [prefill(model, IDS, cache), decode_step(model, 3, cache)]
    used = {ufunc for ufunc, _ in Watched.seen}
    assert {"matmul", "multiply", "add", "divide", "sqrt", "exp", "vecdot", "maximum"} <= used, used
    assert len(Watched.seen) > 40 * model.n_layer
    assert {dtype for _, dtype in Watched.seen} == {np.dtype(np.float32)}
    for run in runs:
        assert {array.dtype for array in arrays_of(run).values()} == {np.dtype(np.float32)}
    assert cache.k.dtype == cache.v.dtype == np.float32


def test_the_float32_watch_sees_a_float64_scalar():
    """What the watch is for: NumPy's own square root of a Python number is a float64 that promotes."""
    Watched.seen.clear()
    _ = np.ones(3, np.float32).view(Watched) / np.sqrt(64)
    assert ("divide", np.dtype(np.float64)) in Watched.seen
    Watched.seen.clear()
    x = np.ones(3, np.float32).view(Watched)
    x *= np.sqrt(64)
    assert x.dtype == np.float32
    assert ("multiply", np.dtype(np.float64)) in Watched.seen


# One pass, two shapes


@pytest.mark.parametrize("name", FAMILIES)
def test_cached_equals_recomputed_at_every_step(name):
    model, cache = model_of(name), None
    cache = KVCache.for_model(model, len(IDS))
    prefill(model, IDS[:5], cache)
    for n in range(6, 12):
        step, twin = decode_step(model, IDS[n - 1], cache), recompute(model, IDS[:n])
        assert step.logits.shape == (1, model.n_vocab)
        np.testing.assert_allclose(step.logits[0], twin.logits[-1], rtol=0, atol=ROUNDING)
        for mine, theirs in zip(step.layers, twin.layers, strict=True):
            np.testing.assert_allclose(mine.weights[:, 0], theirs.weights[:, -1], rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_row_sees_a_later_token(name):
    """Bit for bit: another token at place 20 changes nothing before it. It changes every row from there on, as far as the windows
    of all layers together reach: a row sees window − 1 places back, through the next layer as many again."""
    model, other = model_of(name), IDS.copy()
    other[20] = IDS[20] % 95 + 1
    a, b = model.forward(IDS), model.forward(other)
    np.testing.assert_array_equal(a.logits[:20], b.logits[:20])
    np.testing.assert_array_equal(a.hidden[:, :20], b.hidden[:, :20])
    reach = sum((window or len(IDS)) - 1 for window in model.config.windows)
    np.testing.assert_array_equal((a.logits != b.logits).any(axis=1).nonzero()[0], np.arange(20, min(20 + reach + 1, len(IDS))))


@pytest.mark.parametrize("name", FAMILIES)
def test_weights_sum_to_one_and_stay_inside_the_mask(name):
    model = model_of(name)
    for layer, window in zip(model.forward(IDS).layers, model.config.windows, strict=True):
        np.testing.assert_allclose(layer.weights.sum(axis=-1), 1, rtol=0, atol=1e-6)
        assert (layer.weights[~layer.mask] == 0).all()
        assert layer.mask.sum(axis=-1).max() == (window or len(IDS))


def test_the_cache_takes_new_rows_without_copying_old_ones():
    model = model_of()
    cache = KVCache.for_model(model, 48)
    first = prefill(model, IDS, cache)
    before, address = cache.k.copy(), cache.k.ctypes.data
    step = decode_step(model, 3, cache)
    assert cache.k.ctypes.data == address
    np.testing.assert_array_equal(cache.k[:, :, : len(IDS)], before)
    # What attention read is the cache's own memory, in both passes, and one key head serves its whole group.
    for run in (first, step):
        for layer in run.layers:
            assert np.shares_memory(layer.k, cache.k)
            assert np.shares_memory(layer.v, cache.v)
            assert len(layer.k) == model.n_kv_head < model.n_head


def test_a_pass_that_does_not_fit_leaves_the_cache_as_it_was():
    model = model_of()
    cache = KVCache.for_model(model, 10)
    prefill(model, IDS[:8], cache)
    kept = cache.k.copy()
    with pytest.raises(ValueError, match=r"n_ctx = 10 tokens, got 8 and 3 more"):
        prefill(model, IDS[:3], cache)
    assert cache.n_tokens == 8
    np.testing.assert_array_equal(cache.k, kept)
    with pytest.raises(ValueError, match="at most n_ctx = 128 tokens in all, got 129"):
        model.forward([1] * 129)
    with pytest.raises(ValueError, match="ids from 0 to 95"):
        model.forward([96])


def test_counts_are_those_of_the_mask():
    for name in ("llama_gqa_tied", "mistral"):
        model = model_of(name)
        cache = KVCache.for_model(model, 48)
        for run in (prefill(model, IDS, cache), decode_step(model, 3, cache), model.variant(causal=False).forward(IDS)):
            mask = run.layers[0].mask[0]
            assert (run.counts.scores, run.counts.scores_dense) == (mask.sum(), mask.size)
            assert run.counts.kv_rows == run.counts.query_rows == run.n_new


# The residual stream


@pytest.mark.parametrize("name", FAMILIES)
def test_the_lens_on_the_last_state_gives_the_logits(name):
    model = model_of(name)
    run = model.forward(IDS)
    assert run.hidden.shape == (model.n_layer + 1, len(IDS), model.d_model)
    lens = model.unembed(run.hidden)
    np.testing.assert_allclose(lens[-1], run.logits, rtol=0, atol=ROUNDING)
    assert abs(lens[0] - run.logits).max() > 0.1
    if model.params.positions is None:
        np.testing.assert_array_equal(run.hidden[0], model.params.embedding[IDS])


# Variants


def test_an_ablated_head_is_one_whose_output_columns_are_zero():
    """Independent way to the same model: erase the columns of the output matrix that read the head's context."""
    model = model_of("llama_mha")
    out = model.params.blocks[1].out
    w = out.w.copy()
    w[:, 2 * model.d_head : 3 * model.d_head] = 0
    blocks = (model.params.blocks[0], replace(model.params.blocks[1], out=Linear(w, out.b)))
    erased = replace(model, params=replace(model.params, blocks=blocks)).forward(IDS).logits
    for keep in (True, False):
        run = model.variant(ablated=[(1, 2)], keep=keep).forward(IDS)
        np.testing.assert_allclose(run.logits, erased[-len(run.logits) :], rtol=0, atol=ROUNDING)
    assert abs(erased - model.forward(IDS).logits).max() > 0.1


def test_an_ablated_head_keeps_its_weights_and_loses_its_context():
    run = model_of().variant(ablated={(0, 3)}).forward(IDS)
    assert (run.layers[0].context[3] == 0).all()
    assert (run.layers[0].context[:3] != 0).any(axis=(1, 2)).all()
    np.testing.assert_array_equal(run.layers[0].weights, model_of().forward(IDS).layers[0].weights)


def test_a_variant_shares_the_parameters_and_runs_in_generate():
    model = model_of()
    lean = model.variant(keep=False)
    assert lean.params is model.params
    a, b = generate(model, IDS[:5], 8), generate(lean, IDS[:5], 8)
    assert a.token_ids == b.token_ids
    assert a.counts == b.counts
    assert not any(run.layers for run in b.passes)
    with pytest.raises(ValueError, match="options out of keep, causal, ablated, got causl"):
        model.variant(causl=False)
    with pytest.raises(ValueError, match=r"below \(2, 4\), got \(2, 0\)"):
        model.variant(ablated=[(2, 0)])


def test_without_the_mask_depth_makes_a_cache_invalid():
    """The first layer's keys do not depend on other tokens; those of the second do, and a later token would have changed them."""
    model = model_of("llama_gqa_tied").variant(causal=False)
    cache = KVCache.for_model(model, len(IDS))
    prefill(model, IDS[:-1], cache)
    step, twin = decode_step(model, IDS[-1], cache), recompute(model, IDS)
    np.testing.assert_allclose(step.layers[0].k, twin.layers[0].k, rtol=0, atol=1e-5)
    assert abs(step.layers[1].k - twin.layers[1].k).max() > 0.1
    assert abs(step.logits[0] - twin.logits[-1]).max() > 0.05
    lean = model.variant(keep=False).forward(IDS).logits
    np.testing.assert_allclose(lean[0], twin.logits[-1], rtol=0, atol=ROUNDING)


# Few queries


def test_few_queries_take_another_road_to_the_very_same_weights():
    """One row of four heads with one key goes the other way round; where products are exact, as in the toy, so is all else."""
    rng = np.random.default_rng(0)
    q = rng.standard_normal((4, 9, 64))
    k, v = np.eye(64)[None, :9], rng.standard_normal((1, 9, 1))
    whole = attention(q, k, v, np.ones((9, 9), bool))
    row = attention(q[:, -1:], k, v, np.ones((1, 9), bool))
    assert 1 < len(q) < FEW_QUERIES < q[..., 0].size
    for part in ("scores", "weights"):
        np.testing.assert_array_equal(getattr(row, part)[:, 0], getattr(whole, part)[:, -1])


# Equations


def test_gelu_is_the_tanh_one_and_silu_does_not_overflow():
    x = np.array([-200, -3, -1, 0, 1, 3, 200], np.float32)
    expected = [0.5 * v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) for v in x.tolist()]
    np.testing.assert_allclose(gelu(x.copy()), expected, rtol=1e-5, atol=1e-6)
    assert abs(gelu(np.array([1], np.float32))[0] - 0.841192) < 1e-6  # 0.841345 by erf
    gate = np.stack([x, np.full_like(x, 2)], axis=1)
    with np.errstate(over="ignore"):
        expected = 2 * x / (1 + np.exp(-x))
    np.testing.assert_allclose(silu_gate(gate)[:, 0], expected, rtol=1e-6)
    assert silu_gate(np.array([[-1000, 5]], np.float32)) == 0


@pytest.mark.parametrize(("activation", "share"), [(gelu, 1), (silu_gate, 2)])
def test_blocks_of_rows_change_no_activation(activation, share):
    x = np.random.default_rng(0).standard_normal((500, 600), np.float32)
    whole = activation(x.copy())
    assert whole.shape == (500, 600 // share)
    np.testing.assert_array_equal(in_blocks(activation, x.copy()), whole)


@pytest.mark.parametrize("bias", [None, np.linspace(-1, 1, 64, dtype=np.float32)])
def test_norms_agree_with_float64(bias):
    rng = np.random.default_rng(0)
    x, gain = rng.standard_normal((7, 64), np.float32) * 5 + 3, rng.standard_normal(64, np.float32)
    y = x.astype(np.float64)
    if bias is not None:
        y = y - y.mean(-1, keepdims=True)
    expected = y / np.sqrt((y**2).mean(-1, keepdims=True) + 1e-2) * gain + (0 if bias is None else bias)
    kept = x.copy()
    np.testing.assert_allclose(Norm(gain, bias, 1e-2)(x), expected, rtol=0, atol=2e-6)
    np.testing.assert_array_equal(x, kept)


def test_rotation_depends_on_the_distance_only_and_keeps_lengths():
    rope, rng = Rope(theta=100.0), np.random.default_rng(0)
    q, k = (rng.standard_normal((1, 1, 16), np.float32) for _ in range(2))

    def turned(x, position):
        y = x.copy()
        rotate(y, *rotation(rope, 16, np.array([position])))
        return y[0, 0]

    products = [turned(q, at + 7) @ turned(k, at) for at in (0, 3, 90)]
    np.testing.assert_allclose(products, products[0], rtol=0, atol=1e-4)
    assert abs(products[0] - turned(q, 8) @ turned(k, 0)) > 1e-2
    assert np.linalg.norm(turned(q, 50)) == pytest.approx(np.linalg.norm(q), rel=1e-6)
    np.testing.assert_array_equal(turned(q, 0), q[0, 0])
    # Entry i turns with entry i + d_head / 2 ("rotate half"), by position · θ^(−2i / d_head).
    unit = np.zeros((1, 1, 16), np.float32)
    unit[0, 0, 3] = 1
    angle = 5 * 100.0 ** (-6 / 16)
    expected = np.zeros(16)
    expected[3], expected[11] = math.cos(angle), math.sin(angle)
    np.testing.assert_allclose(turned(unit, 5), expected, rtol=0, atol=1e-6)


def test_the_llama3_stretch_slows_long_waves_only():
    plain, stretched = frequencies(Rope(500000.0), 128), frequencies(Rope(500000.0, 8.0, 1.0, 4.0, 8192), 128)
    wavelength = 2 * math.pi / plain.astype(np.float64)
    short, long = wavelength < 8192 / 4, wavelength > 8192 / 1
    between = ~short & ~long
    assert short.sum() > 10
    assert long.sum() > 10
    assert between.sum() > 3
    np.testing.assert_array_equal(stretched[short], plain[short])
    np.testing.assert_allclose(stretched[long], plain[long] / 8, rtol=1e-6)
    assert ((stretched[between] < plain[between]) & (stretched[between] > plain[between] / 8)).all()


SLOW = [0.25, 0.07905694, 0.025, 0.007905695, 0.0025, 0.0007905695, 0.00025, 7.905695e-05]
PLAIN = [1.0, 0.3162278, 0.1, 0.03162278, 0.01, 0.003162278, 0.001, 0.0003162278]
LONGER = [1.0, 0.2427025, 0.05890451, 0.01429627, 0.003469741, 0.0008421148, 0.0002043834, 4.960436e-05]
YARN = [1.0, 0.2239947, 0.04166666, 0.003952847, 0.00125, 0.0003952847, 0.000125, 3.952847e-05]
UNCUT = [1.0, 0.120534, 0.0125, 0.003952847, 0.00125, 0.0003952847, 0.000125, 3.952847e-05]
MSCALE = [1.0, 0.2134537, 0.035, 0.0007905695, 0.00025, 7.905695e-05, 2.5e-05, 7.905694e-06]
AT_64 = {"factor": 8.0, "original_max_position_embeddings": 64}


@pytest.mark.parametrize(
    ("settings", "n_tokens", "expected", "length"),
    [  # what ROPE_INIT_FUNCTIONS of transformers 5.23 computes for heads of 16, θ = 10,000 and 128 positions
        ({"rope_type": "linear", "factor": 4.0}, 1, SLOW, 1),
        ({"rope_type": "dynamic", "factor": 4.0}, 100, PLAIN, 1),
        ({"rope_type": "dynamic", "factor": 4.0}, 300, LONGER, 1),
        ({"rope_type": "yarn", **AT_64}, 1, YARN, 1.2079442),
        ({"rope_type": "yarn", **AT_64, "truncate": False, "beta_fast": 16, "beta_slow": 2}, 1, UNCUT, 1.2079442),
        ({"rope_type": "yarn", **AT_64, "factor": 40.0, "mscale": 1.0, "mscale_all_dim": 0.7}, 1, MSCALE, 1.0879546),
        ({"rope_type": "yarn", **AT_64, "attention_factor": 1.5}, 1, YARN, 1.5),
    ],
)
def test_stretched_frequencies_are_those_of_transformers(settings, n_tokens, expected, length):
    config = read_config(LLAMA | {"hidden_size": 64, "max_position_embeddings": 128, "rope_scaling": settings})
    np.testing.assert_allclose(frequencies(config.rope, 16, n_tokens), expected, rtol=3e-6)
    assert config.rope.length == pytest.approx(length, abs=1e-7)
    assert config.n_ctx == max(128, int(settings["factor"] * 64) if settings["rope_type"] == "yarn" else 0)


def test_only_a_part_of_a_head_may_turn():
    rope, x = Rope(theta=100.0, share=0.5), np.random.default_rng(0).standard_normal((1, 1, 16), np.float32)
    turned = x.copy()
    rotate(turned, *rotation(rope, 16, np.array([7])))
    np.testing.assert_array_equal(turned[..., 8:], x[..., 8:])
    alone = x[..., :8].copy()
    rotate(alone, *rotation(Rope(theta=100.0), 8, np.array([7])))
    np.testing.assert_array_equal(turned[..., :8], alone)


# Configurations

LLAMA = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32, "intermediate_size": 64,
         "vocab_size": 50, "max_position_embeddings": 64}  # fmt: skip
GPT2 = {"model_type": "gpt2", "n_layer": 2, "n_head": 4, "n_embd": 32, "n_positions": 64, "vocab_size": 50}


@pytest.mark.parametrize(
    ("base", "change", "message"),
    [
        (LLAMA, {"model_type": "gemma3"}, "model_type: expected one of gpt2, llama, mistral, phi3, qwen2, qwen3, got 'gemma3'"),
        (LLAMA, {"model_type": None}, "model_type"),
        (LLAMA, {"quantization_config": {"bits": 4}}, "quantization_config"),
        (LLAMA, {"hidden_act": "gelu"}, "hidden_act: this engine knows only silu"),
        (LLAMA, {"num_key_value_heads": 3}, "num_key_value_heads: expected a divisor of the 4 query heads, got 3"),
        (LLAMA, {"head_dim": 7}, "head_dim: expected an even number of entries to turn"),
        (LLAMA, {"hidden_size": 33}, "head_dim: expected it in the file, since 33 / 4 is not whole"),
        (LLAMA, {"num_hidden_layers": 10**9}, "num_hidden_layers: expected a whole number from 1 to 2,000"),
        (LLAMA, {"num_hidden_layers": True}, "num_hidden_layers"),
        (LLAMA, {"vocab_size": "50"}, "vocab_size"),
        (LLAMA, {"intermediate_size": None}, "intermediate_size"),
        (LLAMA, {"rms_norm_eps": -1}, "rms_norm_eps: expected a positive number"),
        (LLAMA, {"rms_norm_eps": float("nan")}, "rms_norm_eps"),
        (LLAMA, {"attention_bias": "yes"}, "attention_bias: expected true or false"),
        (LLAMA, {"rope_scaling": {"rope_type": "longrope"}}, "rope_type: expected default, .* or yarn, got 'longrope'"),
        (LLAMA, {"rope_scaling": {"type": "linear"}}, "factor: expected a positive number, got None"),
        (LLAMA, {"rope_scaling": {"rope_type": "yarn", "factor": 4, "beta_fast": 1}}, "expected beta_slow below beta_fast"),
        (LLAMA, {"rope_scaling": {"rope_type": "llama3", "factor": 4}}, "low_freq_factor"),
        (LLAMA, {"rope_parameters": {"full_attention": {"rope_type": "default"}}}, "one for all layers"),
        (LLAMA, {"rope_parameters": [1]}, "rope_parameters: expected an object"),
        (LLAMA, {"partial_rotary_factor": 0.5}, "partial_rotary_factor: expected 1 for llama"),
        (
            LLAMA,
            {"model_type": "qwen2", "use_sliding_window": True, "layer_types": ["full_attention"]},
            "layer_types: expected a list of 2",
        ),
        (
            LLAMA,
            {"model_type": "mistral", "layer_types": ["full_attention"] * 2},
            "layer_types: expected sliding_attention in every layer of a mistral",
        ),
        (GPT2, {"activation_function": "gelu"}, "activation_function: this engine knows only gelu_new"),
        (GPT2, {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx"),
        (GPT2, {"add_cross_attention": True}, "add_cross_attention"),
        (GPT2, {"n_embd": 0}, "n_embd"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(base, change, message):
    read_config(base)
    with pytest.raises(ValueError, match=message):
        read_config(base | change)


def test_old_and_new_ways_to_write_rope_are_read():
    settings = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192}  # fmt: skip
    new = read_config(LLAMA | {"rope_parameters": settings | {"rope_theta": 5e5}})
    old = read_config(LLAMA | {"rope_theta": 5e5, "rope_scaling": settings})
    assert new.rope == old.rope == Rope(5e5, 8.0, 1.0, 4.0, 8192)
    assert read_config(LLAMA | {"rope_scaling": None}).rope == Rope(10000.0)


def test_defaults_are_those_of_transformers():
    assert read_config(LLAMA | {"model_type": "mistral"}).windows == (4096, 4096)
    assert read_config(LLAMA | {"model_type": "mistral", "sliding_window": None}).windows == (None, None)
    assert read_config(LLAMA | {"model_type": "qwen2", "sliding_window": 8}).windows == (None, None)
    for family in ("llama", "mistral", "qwen2"):
        assert (
            read_config({k: v for k, v in LLAMA.items() if k != "max_position_embeddings"} | {"model_type": family}).n_ctx >= 2048
        )
    assert read_config(LLAMA | {"model_type": "qwen3"}).d_head == 128
    assert read_config(LLAMA | {"head_dim": None}).d_head == 8
    assert (read_config(GPT2).tied, read_config(LLAMA).tied) == (True, False)
    assert [read_config(GPT2 | {"bos_token_id": bos}).bos_id for bos in (49, 50, None, "1")] == [49, 0, 0, 0]
    assert (read_config(GPT2).eps, read_config(LLAMA).eps) == (1e-5, 1e-6)
