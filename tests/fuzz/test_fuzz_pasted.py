"""Pasted text: whatever stands in the box for a config.json, or in any other field, is read or refused in a sentence."""

import json

import pytest
from app_pages import alone, application, show
from hostile import JSON, WORDS, bounded, door, fuzz, sentences_only, written
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cost import DEVICES, memory_use
from engine.cost.multiplication import kv_factors
from engine.trained.config import read_config
from engine.trained.safetensors import parse_object
from pages.parts.hardware import pasted_config

LLAMA = {
    "_name_or_path": "somebody/model", "model_type": "llama", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 128, "rms_norm_eps": 1e-5,
    "hidden_act": "silu", "tie_word_embeddings": False, "bos_token_id": 1,
}  # fmt: skip
OTHERS = {
    "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                     "original_max_position_embeddings": 64},
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4}, "rope_theta": 1e4, "sliding_window": 32, "head_dim": 16,
    "layer_types": ["full_attention"] * 4, "use_sliding_window": True, "max_window_layers": 2, "sliding_window_pattern": 2,
    "num_local_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32, "n_shared_experts": 1,
    "first_k_dense_replace": 1, "moe_layer_freq": 1, "decoder_sparse_step": 1, "mlp_only_layers": [0], "kv_lora_rank": 8,
    "qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 8, "q_lora_rank": 4, "text_config": {}, "quantization_config": {},
    "attention_bias": True, "mlp_bias": True, "multi_query": True, "new_decoder_architecture": True, "bias": True,
    "n_inner": None,
    "vision_config": {}, "shared_expert_intermediate_size": 8, "n_embd": 64, "n_layer": 4, "n_head": 4,
    "n_positions": 64, "partial_rotary_factor": 1.0, "num_nextn_predict_layers": 1, "ffn_dim": 8, "torch_dtype": "bfloat16",
}  # fmt: skip
KINDS = st.sampled_from(
    ["llama", "mistral", "qwen2", "qwen3", "gpt2", "falcon", "gpt_bigcode", "deepseek_v3", "gemma3_text", "x", ""]
)
CHANGES = st.dictionaries(st.sampled_from([*LLAMA, *OTHERS]), JSON, max_size=4)
CONFIGS = st.builds(
    lambda kind, more, changes: LLAMA | {"model_type": kind} | {name: OTHERS[name] for name in more} | changes,
    KINDS, st.sets(st.sampled_from(list(OTHERS)), max_size=4), CHANGES,
)  # fmt: skip
# Kept findings, and what has broken readers of JSON elsewhere.
FOUND = [
    written(LLAMA | {name: "x\ud800"}) for name in ("_name_or_path", "model_type", "hidden_act", "torch_dtype")
] + [
    written(LLAMA | {"rope_scaling": {"rope_type": "\udfff", "factor": 2.0}}),
    written(LLAMA | {"rope_scaling": {"type": "x\ud800x", "factor": 2.0}}),
    written(LLAMA | {"_name_or_path": "https://login.evil.tld/x :streamlit: www.evil.tld a@evil.tld"}),
    written(LLAMA | {"model_type": "https://login.evil.tld/x"}), written(LLAMA | {"model_type": "www.evil.tld"}),
    written(LLAMA)[:-1], "{" * 60_000, "[" * 60_000, '{"a":' * 9_000, "9" * 60_000, '{"vocab_size": ' + "9" * 5000 + "}",
    written(LLAMA | {"vocab_size": float("nan"), "hidden_size": float("inf")}), '{"a": 1e999}', "\ud800", '"\ud800"', "\ufeff{}",
    "null", "[]", "\x00", '{"": {}}', written({"text_config": LLAMA | {"model_type": "\ud800"}}), "x" * 70_000, *WORDS[:30],
    written(LLAMA | {"layer_types": ["\ud800"] * 4}), written(LLAMA | {"num_hidden_layers": "\ud800"}),
    written(LLAMA | {"\ud800": "\ud800"}), written(LLAMA | {"mlp_only_layers": ["\ud800"]}),
]  # fmt: skip


def used(text):
    """Everything that the lessons do with a pasted model: its name and notes, its sizes."""
    shape = pasted_config.read(text)
    for said in (shape.name, *shape.understood, *shape.assumed):
        said.encode()
    memory_use(shape, 4096, DEVICES["A100-80"])
    kv_factors(shape, 4096)
    return shape


@fuzz(400)
@given(config=CONFIGS)
def test_any_config_is_read_or_refused(config):
    text = written(config)
    door(lambda: used(text))
    door(lambda: read_config(json.loads(text)))


def edited(text):
    """A text of which a part is gone or replaced."""
    return st.tuples(st.integers(0, len(text)), st.text(max_size=3)).map(lambda at: text[: at[0]] + at[1] + text[at[0] + 1 :])


@fuzz(150)
@given(text=st.text(max_size=200) | JSON.map(written) | CONFIGS.map(written).flatmap(edited))
def test_any_text_is_read_or_refused(text):
    door(lambda: used(text))


@fuzz(150)
@given(data=st.binary(max_size=200) | JSON.map(lambda value: written(value).encode()))
@example(data=b'{"a": "\\ud800"}')
@example(data=b"\xed\xa0\x80")
def test_any_bytes_are_a_json_object_or_refused(data):
    door(lambda: parse_object(data, "config.json"))


@pytest.mark.parametrize("text", FOUND, ids=range(len(FOUND)))
def test_what_was_found_once_is_read_or_refused(text):
    door(lambda: used(text))


def paste(at, text):
    at.text_area(key="config_text").set_value(text)
    next(b for b in at.button if b.label == "Use this model").click()
    with bounded():
        at.run()
    sentences_only(at)


@pytest.fixture(scope="module")
def warm():
    """The first visit of a process also imports, loads and measures."""
    for lesson in ("memory", "roofline", "bridge"):
        alone(lesson).run()


@pytest.mark.parametrize("text", FOUND, ids=range(len(FOUND)))
def test_a_page_survives_what_is_pasted(warm, text):
    """The box, then the same visitor on the other lessons about hardware; one visit each, since a bad model would stay."""
    try:
        text.encode()
    except UnicodeEncodeError:
        pytest.skip("no browser sends a text that is not Unicode")
    at = alone("memory").run()
    paste(at, text)
    if at.session_state["pasted_problem"] == "":
        carried = application().run()
        carried.session_state["pasted_shape"] = at.session_state["pasted_shape"]
        for lesson in ("memory", "roofline", "bridge"):
            show(carried.switch_page(f"pages/{lesson}.py"), {"model": "pasted"})
            sentences_only(carried)


@fuzz(15)
@given(config=CONFIGS)
def test_the_lesson_stands_with_any_config(warm, config):
    paste(alone("memory").run(), written(config))
