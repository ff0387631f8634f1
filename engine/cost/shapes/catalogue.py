"""Models everybody runs: what their config.json states, read through the same door as a pasted one.

Only the fields that bear on size are kept, with the values and the spelling of the file on huggingface.co. Where a repository
asks for a licence to be accepted (Llama, Gemma) the values are those of public copies of the same file. Every count of
parameters that follows is checked against the model as transformers builds it (tests/engine/cost/test_model_shapes.py).
"""

from engine.cost.shapes.model_shape import ModelShape

File = tuple[str, str, dict]  # a model's name, where its config.json stands, and the fields of it


def _file(name: str, repository: str, **config) -> File:
    return name, f"huggingface.co/{repository}/config.json", config


def _gpt2(name: str, repository: str, n_layer: int, n_head: int, n_embd: int) -> File:
    config = dict(n_layer=n_layer, n_head=n_head, n_embd=n_embd, n_positions=1024, vocab_size=50257)
    return _file(name, repository, model_type="gpt2", **config)


# The sizes that files of Llama, Mistral, Qwen and SmolLM state alike, in the order in which they stand below.
_SIZES = (
    "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads", "intermediate_size", "vocab_size",
    "max_position_embeddings",
)  # fmt: skip


def _llama(name: str, repository: str, *sizes: int, **more) -> File:
    """A Llama-like file: _SIZES, and what it states besides."""
    stated = {"model_type": "llama", "tie_word_embeddings": False} | dict(zip(_SIZES, sizes, strict=True))
    return _file(name, repository, **stated | more)


def _llama3_rope(factor: float) -> dict:
    scaling = dict(factor=factor, high_freq_factor=4.0, low_freq_factor=1.0, original_max_position_embeddings=8192)
    return dict(rope_theta=500000.0, rope_scaling=scaling | {"rope_type": "llama3"})


_ROPE_3_1, _ROPE_3_2 = _llama3_rope(8.0), _llama3_rope(32.0) | {"tie_word_embeddings": True}
_QWEN2_5 = dict(model_type="qwen2", rope_theta=1000000.0, use_sliding_window=False)
_QWEN3 = dict(model_type="qwen3", rope_theta=1000000, head_dim=128, use_sliding_window=False, sliding_window=None)

FILES: tuple[File, ...] = (
    _gpt2("GPT-2 small", "openai-community/gpt2", 12, 12, 768),
    _gpt2("GPT-2 XL", "openai-community/gpt2-xl", 48, 25, 1600),
    _file(
        "OPT-13B", "facebook/opt-13b", model_type="opt", num_hidden_layers=40, hidden_size=5120, word_embed_proj_dim=5120,
        num_attention_heads=40, ffn_dim=20480, vocab_size=50272, max_position_embeddings=2048,
    ),
    _llama("Llama-2-7B", "meta-llama/Llama-2-7b-hf", 32, 4096, 32, 32, 11008, 32000, 4096),
    _llama("Llama-2-13B", "meta-llama/Llama-2-13b-hf", 40, 5120, 40, 40, 13824, 32000, 4096),
    _llama("Llama-2-70B", "meta-llama/Llama-2-70b-hf", 80, 8192, 64, 8, 28672, 32000, 4096),
    _llama("Llama-3.1-8B", "meta-llama/Llama-3.1-8B", 32, 4096, 32, 8, 14336, 128256, 131072, **_ROPE_3_1),
    _llama("Llama-3.1-70B", "meta-llama/Llama-3.1-70B", 80, 8192, 64, 8, 28672, 128256, 131072, **_ROPE_3_1),
    _llama("Llama-3.1-405B", "meta-llama/Llama-3.1-405B", 126, 16384, 128, 8, 53248, 128256, 131072, **_ROPE_3_1),
    _llama("Llama-3.2-1B", "meta-llama/Llama-3.2-1B", 16, 2048, 32, 8, 8192, 128256, 131072, head_dim=64, **_ROPE_3_2),
    _llama("Llama-3.2-3B", "meta-llama/Llama-3.2-3B", 28, 3072, 24, 8, 8192, 128256, 131072, head_dim=128, **_ROPE_3_2),
    _llama(
        "Mistral-7B", "mistralai/Mistral-7B-v0.1", 32, 4096, 32, 8, 14336, 32000, 32768,
        model_type="mistral", sliding_window=4096, rope_theta=10000.0,
    ),
    _llama(
        "Mixtral-8x7B", "mistralai/Mixtral-8x7B-v0.1", 32, 4096, 32, 8, 14336, 32000, 32768,
        model_type="mixtral", sliding_window=None, num_local_experts=8, num_experts_per_tok=2, rope_theta=1000000.0,
    ),
    _llama("Qwen2.5-0.5B", "Qwen/Qwen2.5-0.5B", 24, 896, 14, 2, 4864, 151936, 32768, **_QWEN2_5 | {"tie_word_embeddings": True}),
    _llama("Qwen2.5-7B", "Qwen/Qwen2.5-7B", 28, 3584, 28, 4, 18944, 152064, 131072, **_QWEN2_5),
    _llama("Qwen2.5-72B", "Qwen/Qwen2.5-72B", 80, 8192, 64, 8, 29568, 152064, 131072, **_QWEN2_5),
    _llama("Qwen3-0.6B", "Qwen/Qwen3-0.6B", 28, 1024, 16, 8, 3072, 151936, 40960, **_QWEN3 | {"tie_word_embeddings": True}),
    _llama("Qwen3-8B", "Qwen/Qwen3-8B", 36, 4096, 32, 8, 12288, 151936, 40960, **_QWEN3),
    _llama("Qwen3-32B", "Qwen/Qwen3-32B", 64, 5120, 64, 8, 25600, 151936, 40960, **_QWEN3),
    _llama(
        "Qwen3-30B-A3B", "Qwen/Qwen3-30B-A3B", 48, 2048, 32, 4, 6144, 151936, 40960, **_QWEN3
        | dict(model_type="qwen3_moe", num_experts=128, num_experts_per_tok=8, moe_intermediate_size=768, decoder_sparse_step=1),
    ),
    _llama(
        "Gemma-2-9B", "google/gemma-2-9b", 42, 3584, 16, 8, 14336, 256000, 8192,
        model_type="gemma2", head_dim=256, sliding_window=4096, tie_word_embeddings=True,
    ),
    _file(
        # Most of what its file omits (vocabulary, context, the 5:1 pattern) is in engine.config_json.families.
        "Gemma-3-27B", "google/gemma-3-27b-it", model_type="gemma3", vision_config={}, text_config=dict(
            model_type="gemma3_text", num_hidden_layers=62, hidden_size=5376, num_attention_heads=32, num_key_value_heads=16,
            head_dim=128, intermediate_size=21504, sliding_window=1024, rope_scaling={"factor": 8.0, "rope_type": "linear"},
        ),
    ),
    *(
        _llama(
            name, f"openai/{name}", n_layer, 2880, 64, 8, 2880, 201088, 131072, model_type="gpt_oss", head_dim=64,
            num_local_experts=n_expert, num_experts_per_tok=4, sliding_window=128, rope_theta=150000,
            layer_types=["sliding_attention", "full_attention"] * (n_layer // 2), quantization_config={"quant_method": "mxfp4"},
            rope_scaling={"factor": 32.0, "rope_type": "yarn", "original_max_position_embeddings": 4096},
        )
        for name, n_layer, n_expert in (("gpt-oss-20b", 24, 32), ("gpt-oss-120b", 36, 128))
    ),
    _llama(
        "Phi-3-mini", "microsoft/Phi-3-mini-4k-instruct", 32, 3072, 32, 32, 8192, 32064, 4096,
        model_type="phi3", sliding_window=2047,
    ),
    _file(
        "Falcon-7B", "tiiuae/falcon-7b", model_type="falcon", num_hidden_layers=32, hidden_size=4544, num_attention_heads=71,
        multi_query=True, new_decoder_architecture=False, parallel_attn=True, bias=False, vocab_size=65024,
    ),
    _llama(
        "DeepSeek-V2-Lite", "deepseek-ai/DeepSeek-V2-Lite", 27, 2048, 16, 16, 10944, 102400, 163840, model_type="deepseek_v2",
        kv_lora_rank=512, q_lora_rank=None, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, first_k_dense_replace=1,
        n_routed_experts=64, num_experts_per_tok=6, n_shared_experts=2, moe_intermediate_size=1408, moe_layer_freq=1,
        rope_theta=10000, rope_scaling={"factor": 40, "type": "yarn", "original_max_position_embeddings": 4096},
    ),
    _llama(
        "DeepSeek-V3", "deepseek-ai/DeepSeek-V3", 61, 7168, 128, 128, 18432, 129280, 163840, model_type="deepseek_v3",
        kv_lora_rank=512, q_lora_rank=1536, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, first_k_dense_replace=3,
        n_routed_experts=256, num_experts_per_tok=8, n_shared_experts=1, moe_intermediate_size=2048, moe_layer_freq=1,
        num_nextn_predict_layers=1, quantization_config={"quant_method": "fp8"},
        rope_theta=10000, rope_scaling={"factor": 40, "type": "yarn", "original_max_position_embeddings": 4096},
    ),
    _llama(
        "SmolLM2-135M", "HuggingFaceTB/SmolLM2-135M", 30, 576, 9, 3, 1536, 49152, 8192,
        tie_word_embeddings=True, rope_theta=100000,
    ),
)  # fmt: skip

MODELS: dict[str, ModelShape] = {name: ModelShape.from_config(config, name, source) for name, source, config in FILES}
