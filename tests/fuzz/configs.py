"""What could stand in a config.json: a small Llama's, with any other field that readers know, and any value in their place."""

from hostile import JSON
from hypothesis import strategies as st

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
