"""params.json, as Mistral and Meta put it beside their weights, gives the shape that the model's config.json gives."""

import pytest

from engine.config_json.params_json import as_config
from engine.cost import MODELS, ModelShape

MISTRAL_7B = dict(  # huggingface.co/mistralai/Mistral-7B-v0.1, params.json
    dim=4096, n_layers=32, head_dim=128, hidden_dim=14336, n_heads=32, n_kv_heads=8, norm_eps=1e-5, sliding_window=4096,
    vocab_size=32000,
)  # fmt: skip
LLAMA_8B = dict(  # llama-models, Meta-Llama-3.1-8B, params.json
    dim=4096, n_layers=32, n_heads=32, n_kv_heads=8, vocab_size=128256, ffn_dim_multiplier=1.3, multiple_of=1024, norm_eps=1e-5,
    rope_theta=500000.0, use_scaled_rope=True,
)  # fmt: skip
MIXTRAL = MISTRAL_7B | dict(moe=dict(num_experts_per_tok=2, num_experts=8), sliding_window=None)


@pytest.mark.parametrize(("file", "listed"), [(MISTRAL_7B, "Mistral-7B"), (LLAMA_8B, "Llama-3.1-8B"), (MIXTRAL, "Mixtral-8x7B")])
def test_it_is_the_listed_model(file, listed):
    shape, known = ModelShape.from_config(file), MODELS[listed]
    assert not shape.doubt and shape.n_params == known.n_params
    assert shape.kv_bytes(10_000) == known.kv_bytes(10_000)


def test_other_files_are_left_as_they_are():
    for file in ({}, {"model_type": "llama", "dim": 1, "n_layers": 1, "n_heads": 1}, {"hidden_size": 8}):
        assert as_config(file) is file


@pytest.mark.parametrize(
    "wrong",
    [
        dict(kv_lora_rank=512),
        dict(ffn_dim_multiplier=1e300),
        dict(ffn_dim_multiplier="1.3"),
        dict(n_heads="x"),
        dict(dim=10**400),
    ],
)
def test_what_it_cannot_be_is_a_sentence(wrong):
    with pytest.raises(ValueError, match="expected"):
        ModelShape.from_config(LLAMA_8B | wrong)
