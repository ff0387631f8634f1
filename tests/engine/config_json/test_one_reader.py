"""One reader serves the costs and the trained transformer: what the one says of a file the other runs.

Two readers disagreed on windows: a qwen2 without `max_window_layers` (28 against 0), a qwen2 that lists `layer_types` beside
`use_sliding_window: false`, a llama with a stray `sliding_window`. Each case states what transformers 5.23 makes of the file.
"""

import json
from pathlib import Path

import pytest

from engine.config_json import families
from engine.cost import MODELS, ModelShape, memory
from engine.cost.shapes import catalogue
from engine.serving import listed_names
from engine.trained.bundled import FOLDER
from engine.trained.config import FAMILIES, read_config

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = [json.loads(path.read_text()) for path in (*sorted(FIXTURES.glob("*/config.json")), FOLDER / "config.json")]
SMALL = dict(
    num_hidden_layers=30, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, intermediate_size=64, vocab_size=50
)
MIXED = ["sliding_attention", "full_attention"] * 15
CASES = [  # what is added to SMALL, and how many of the 30 layers have a window
    (dict(model_type="qwen2", use_sliding_window=True, sliding_window=8), 2),  # max_window_layers is 28 where absent
    (dict(model_type="qwen2", use_sliding_window=True, sliding_window=8, max_window_layers=0), 30),
    (dict(model_type="qwen2", use_sliding_window=True, layer_types=MIXED), 15),
    (dict(model_type="qwen2", use_sliding_window=False, sliding_window=8, layer_types=MIXED), 0),
    (dict(model_type="qwen2", sliding_window=8, max_window_layers=3), 0),
    (dict(model_type="qwen3", use_sliding_window=True, max_window_layers=29), 1),
    (dict(model_type="llama", sliding_window=8), 0),
    (dict(model_type="llama", sliding_window=8, layer_types=MIXED), 0),
    (dict(model_type="mistral"), 30),
    (dict(model_type="mistral", sliding_window=None), 0),
    (dict(model_type="mistral", sliding_window=8, max_position_embeddings=64), 30),
]


def assert_agree(config: dict) -> None:
    """Same sizes, same windows, same biases."""
    shape, trained = ModelShape.from_config(config), read_config(config)
    for name in ("n_layer", "d_model", "n_head", "n_kv_head", "d_head", "d_ff", "n_vocab"):
        assert getattr(shape, name) == getattr(trained, name), name
    assert shape.windows == tuple(window or 0 for window in trained.windows)
    assert shape.n_ctx in (None, trained.n_ctx)
    style = shape.style
    assert (style.qkv_bias, style.o_bias, style.mlp_bias, style.tied, bool(style.qk_norm)) == (
        trained.qkv_bias, trained.o_bias, trained.mlp_bias, trained.tied, trained.qk_norm,
    )  # fmt: skip


def test_every_list_of_families_names_those_that_the_reader_knows():
    """What is run, what a log calls an architecture, and what llama.cpp makes of windows, which only families with windows have."""
    assert {*FAMILIES, *listed_names.FAMILIES.values()} <= set(families.FAMILIES)
    applied, ignored = set(memory._LLAMA_CPP_WINDOWS), set(memory._LLAMA_CPP_NO_WINDOWS)
    assert applied.isdisjoint(ignored)
    assert all(families.FAMILIES[family].windows != "never" for family in applied | ignored)


def test_the_presets_and_the_fixtures_are_read_alike():
    presets = [config for _, _, config in catalogue.FILES]
    readable = [config for config in (*presets, *FILES) if config.get("model_type") in FAMILIES]
    assert len(readable) > 25 and {config["model_type"] for config in readable} == set(FAMILIES)
    for config in readable:
        # A preset keeps the fields that bear on size; types of rotary scaling that are not built are refused by name.
        assert_agree({name: value for name, value in config.items() if name not in ("quantization_config", "rope_scaling")})


@pytest.mark.parametrize(("more", "n_windows"), CASES)
def test_windows_are_those_of_transformers_for_both(more, n_windows):
    config = SMALL | more
    assert sum(window > 0 for window in ModelShape.from_config(config).windows) == n_windows
    assert_agree(config)


@pytest.mark.parametrize("kind", ["llama", "falcon", "mistral", "qwen3", "brandnew"])
def test_without_a_trained_length_a_token_has_its_bytes_all_the_same(kind):
    shape = ModelShape.from_config(SMALL | {"model_type": kind, "head_dim": 8})
    assert shape.kv_bytes(10) == 2 * 30 * shape.n_kv_head * 8 * 10 * 2
    assert (shape.n_ctx is None) == any("the trained length is unknown" in note for note in shape.assumed)
    assert shape.n_ctx is None or kind == "falcon"


def test_a_table_of_learned_positions_needs_its_length():
    with pytest.raises(ValueError, match="n_ctx: expected a whole number"):
        ModelShape("x", 1, 8, 1, 1, 8, 8, 8, n_ctx=None, style=MODELS["GPT-2 small"].style)


def test_rope_scaling_wins_over_rope_parameters():
    """transformers takes `rope_scaling or rope_parameters`; the other way round logits are off by as much as 1.2."""
    stretch = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 64}  # fmt: skip
    both = SMALL | {"model_type": "llama", "rope_theta": 5e5, "rope_scaling": stretch, "rope_parameters": {"rope_theta": 7.0}}
    assert (read_config(both).rope.theta, read_config(both).rope.factor) == (5e5, 8.0)
    assert "Rotary positions, base 500,000." in ModelShape.from_config(both).understood
    assert read_config(both | {"rope_scaling": None}).rope.theta == 7.0
