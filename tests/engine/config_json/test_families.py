"""Families of models against what builds or publishes them: parameters, rows of the cache, states.

small_configs.json has small members of every family with the parameters and the cache that transformers 5.23 makes of them on
PyTorch's meta device (tests/fixtures/make_config_classes.py writes it). The real files below have published counts.
"""

import json
from pathlib import Path

import pytest

from engine.config_json.families import FAMILIES
from engine.cost import DEVICES, MODELS, ModelShape, memory_use, operations, tpot_s
from engine.cost.layer_caches import layer_caches, layer_kinds
from engine.cost.multiplication import kv_factors, product

SMALL = json.loads((Path(__file__).parent / "small_configs.json").read_text("utf-8"))
# Where the cache of transformers is larger than what the model needs, so that other engines keep less.
OTHER_CACHE = {
    "falcon": "transformers copies each key/value head for all its query heads before it keeps them",
    "gpt_neo": "transformers hides what is outside the window and keeps it all the same",
}
MLA = dict(kv_lora_rank=512, q_lora_rank=1536, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128)
DELTA = dict(linear_num_key_heads=16, linear_key_head_dim=128, linear_value_head_dim=128, linear_conv_kernel_dim=4, head_dim=256)
LLAMA_4 = dict(
    model_type="llama4_text", num_hidden_layers=48, hidden_size=5120, intermediate_size=8192, intermediate_size_mlp=16384,
    num_attention_heads=40, num_key_value_heads=8, head_dim=128, vocab_size=202048, num_experts_per_tok=1,
    attention_chunk_size=8192, no_rope_layers=[],
)  # fmt: skip
QWEN_NEXT = dict(
    DELTA, model_type="qwen3_next", num_hidden_layers=48, hidden_size=2048, intermediate_size=5120, num_attention_heads=16,
    num_key_value_heads=2, linear_num_value_heads=32, full_attention_interval=4, vocab_size=151936, num_experts=512,
    num_experts_per_tok=10, moe_intermediate_size=512, shared_expert_intermediate_size=512,
)  # fmt: skip
QWEN_27B = dict(
    DELTA, model_type="qwen3_5_text", num_hidden_layers=64, hidden_size=5120, intermediate_size=17408, num_attention_heads=24,
    num_key_value_heads=4, linear_num_value_heads=48, full_attention_interval=4, vocab_size=248320,
)  # fmt: skip
DEEPSEEK_V32 = dict(
    MLA, model_type="deepseek_v32", num_hidden_layers=61, hidden_size=7168, intermediate_size=18432, num_attention_heads=128,
    num_key_value_heads=128, vocab_size=129280, n_routed_experts=256, num_experts_per_tok=8, n_shared_experts=1,
    moe_intermediate_size=2048, first_k_dense_replace=3, moe_layer_freq=1, index_head_dim=128, index_n_heads=64,
    index_topk=2048,
)  # fmt: skip
GEMMA_3N = dict(
    model_type="gemma3n_text", num_hidden_layers=35, hidden_size=2048, intermediate_size=[16384] * 35, num_attention_heads=8,
    num_key_value_heads=2, head_dim=256, sliding_window=512, num_kv_shared_layers=15, vocab_size=262400,
)  # fmt: skip
REAL = [  # the file, its parameters in billions as published, to so many digits, and bytes a token
    (LLAMA_4 | dict(num_local_experts=16, interleave_moe_layer_step=1), 107.77, 2, 196_608),  # Scout
    (LLAMA_4 | dict(num_local_experts=128, interleave_moe_layer_step=2), 400.7, 1, 196_608),  # Maverick
    (QWEN_NEXT, 79.67, 2, 24_576),
    (QWEN_27B, 26.9, 1, 65_536),
    (DEEPSEEK_V32, 671.9, 1, 61 * (512 + 64 + 128) * 2),
    (
        MLA | dict(
            model_type="longcat_flash", num_layers=28, hidden_size=6144, num_attention_heads=64, ffn_hidden_size=12288,
            expert_ffn_hidden_size=2048, vocab_size=131072, n_routed_experts=512, zero_expert_num=256, moe_topk=12,
        ), 560.7, 1, 28 * 2 * 576 * 2,  # two caches a layer; its report, arXiv 2509.01322: 560B
    ),
    (
        dict(
            model_type="minimax_text_01", num_hidden_layers=80, hidden_size=6144, intermediate_size=9216, num_attention_heads=64,
            num_key_value_heads=8, head_dim=128, vocab_size=200064, num_local_experts=32, num_experts_per_tok=2,
            attn_type_list=([0] * 7 + [1]) * 10,
        ), 456.09, 2, 10 * 2 * 8 * 128 * 2,  # arXiv 2501.08313: 456 billion, every eighth layer attends
    ),
    (
        dict(
            model_type="minimax_m2", num_hidden_layers=62, hidden_size=3072, intermediate_size=1536, num_attention_heads=48,
            num_key_value_heads=8, head_dim=128, vocab_size=200064, num_local_experts=256, num_experts_per_tok=8,
            attn_type_list=[1] * 62,
        ), 228.69, 2, 62 * 2 * 8 * 128 * 2,  # every layer attends: nothing to refuse
    ),
    (
        dict(
            model_type="mimo_v2_flash", num_hidden_layers=48, hidden_size=4096, intermediate_size=16384, num_attention_heads=64,
            num_key_value_heads=4, head_dim=192, v_head_dim=128, swa_num_key_value_heads=8, swa_head_dim=192, swa_v_head_dim=128,
            sliding_window=128, sliding_window_size=128, hybrid_layer_pattern=[0, 1, 1, 1, 1] + ([0] + [1] * 5) * 7 + [0],
            moe_layer_freq=[0] + [1] * 47, n_routed_experts=256, num_experts_per_tok=8, moe_intermediate_size=2048,
            vocab_size=152576,
        ), 308.78, 2, (9 * 4 + 39 * 8) * (192 + 128) * 2,  # its card: 309B
    ),
    (
        dict(
            model_type="kimi_k2", num_hidden_layers=61, hidden_size=7168, intermediate_size=18432, num_attention_heads=64,
            vocab_size=163840, n_routed_experts=384, num_experts_per_tok=8, n_shared_experts=1, moe_intermediate_size=2048,
            first_k_dense_replace=1, moe_layer_freq=1, **MLA,
        ), 1026.4, 1, 70_272,
    ),
    (
        MLA | dict(
            model_type="kimi_linear", q_lora_rank=None, num_hidden_layers=27, hidden_size=2304, intermediate_size=9216,
            num_attention_heads=32, vocab_size=163840, model_max_length=1048576, num_experts=256, num_experts_per_token=8,
            num_shared_experts=1, moe_intermediate_size=1024, first_k_dense_replace=1, moe_layer_freq=1,
            linear_attn_config=dict(
                full_attn_layers=[4, 8, 12, 16, 20, 24, 27], head_dim=128, num_heads=32, short_conv_kernel_size=4
            ),
        ), 49.12, 2, 7 * 576 * 2,
    ),
    (
        dict(
            model_type="qwen", num_hidden_layers=32, hidden_size=4096, num_attention_heads=32, kv_channels=128,
            intermediate_size=22016, vocab_size=151936, seq_length=8192, no_bias=True,
        ), 7.721324544, 9, 524_288,  # huggingface.co/Qwen/Qwen-7B, safetensors total
    ),
    (
        dict(
            model_type="opt", num_hidden_layers=24, hidden_size=1024, word_embed_proj_dim=512, num_attention_heads=16,
            ffn_dim=4096, vocab_size=50272, max_position_embeddings=2048, do_layer_norm_before=False,
        ), 0.331196416, 9, 98_304,  # facebook/opt-350m
    ),
    (
        dict(
            model_type="chatglm", num_layers=28, hidden_size=4096, ffn_hidden_size=13696, kv_channels=128,
            num_attention_heads=32, multi_query_attention=True, multi_query_group_num=2, padded_vocab_size=65024,
            seq_length=32768, add_qkv_bias=True, add_bias_linear=False,
        ), 6.243584, 6, 28 * 2 * 2 * 128 * 2,  # ChatGLM2-6B
    ),
    (
        dict(
            model_type="dbrx", n_layers=40, d_model=6144, n_heads=48, vocab_size=100352, max_seq_len=32768,
            attn_config=dict(kv_n_heads=8), ffn_config=dict(ffn_hidden_size=10752, moe_num_experts=16, moe_top_k=4),
        ), 131.59652352, 8, 163_840,
    ),
    (
        dict(
            model_type="baichuan", num_hidden_layers=32, hidden_size=4096, intermediate_size=11008, num_attention_heads=32,
            vocab_size=125696, model_max_length=4096,
        ), 7.505973248, 9, 524_288,  # Baichuan2-7B
    ),
    (
        dict(
            model_type="falcon", num_hidden_layers=60, hidden_size=4096, num_attention_heads=32, num_kv_heads=8,
            new_decoder_architecture=True, num_ln_in_parallel_attn=1, vocab_size=65024, ffn_hidden_size=16384,
            tie_word_embeddings=False,
        ), 11.1, 1, 245_760,  # Falcon-11B
    ),
]  # fmt: skip


def read(config: dict) -> ModelShape:
    return ModelShape.from_config(config)


@pytest.mark.parametrize("small", SMALL, ids=lambda small: small["config"]["model_type"])
def test_a_small_member_is_read_as_transformers_builds_it(small):
    shape, kind = read(small["config"]), small["config"]["model_type"]
    if kind == "longcat_flash":  # transformers makes gates of experts that do nothing, which no checkpoint holds
        zero = small["config"]["zero_expert_num"] * 2 * small["config"]["expert_ffn_hidden_size"] * shape.d_model
        assert shape.n_params == small["n_params"] + small["n_router_biases"] - zero * shape.n_layer
    elif not shape.doubt:
        assert shape.n_params == small["n_params"] + small["n_router_biases"]
    if small["cache"] and kind not in OTHER_CACHE:
        held = [(k[0] * k[1] + v[0] * v[1], w or 0) if k else (0, 0) for k, v, w in small["cache"]]
        got = [(row, window if row else 0) for row, window in zip(shape.kv_rows, shape.windows, strict=True)]
        assert got == held + [(0, 0)] * (shape.n_layer - len(held))  # layers that borrow have no entry


@pytest.mark.parametrize(
    ("config", "billions", "digits", "token_bytes"), REAL, ids=lambda x: x.get("model_type") if isinstance(x, dict) else ""
)
def test_real_files_have_their_published_sizes(config, billions, digits, token_bytes):
    shape = read(config)
    assert round(shape.n_params / 1e9, digits) == billions
    assert shape.kv_bytes_per_token() == token_bytes
    assert not shape.doubt


def test_llama_4_scout_keeps_a_million_tokens_in_50_gb():
    shape = read(LLAMA_4 | dict(num_local_experts=16, interleave_moe_layer_step=1))
    assert shape.windows.count(8192) == 36 and shape.windows[3] == 0
    assert round(shape.kv_bytes(10**6) / 1e9, 1) == 50.4
    assert shape.kv_bytes(10**6) == (12 * 10**6 + 36 * 8192) * 2 * 8 * 128 * 2


def test_a_state_does_not_grow():
    """Qwen3.5-27B: 65,536 bytes a token in every fourth layer, and in the others 144 MiB of state that no token adds to."""
    shape = read(QWEN_27B)
    assert sum(4 * layer.n_state for layer in shape.layers) == 144 * 2**20
    assert shape.state_bytes() == 144 * 2**20 + 48 * (2 * 16 * 128 + 48 * 128) * 3 * 2  # and a convolution's last three inputs
    assert shape.kv_bytes(10) == 655_360 and shape.state_bytes(3) == 3 * shape.state_bytes()
    device = DEVICES["H200"]
    near, far = (memory_use(shape, n, device) for n in (1, 1001))
    assert far.cache_bytes - near.cache_bytes == 1000 * 65_536 and near.state_bytes == far.state_bytes == shape.state_bytes()
    assert near.total_bytes == near.weight_bytes + near.cache_bytes + near.state_bytes + near.activation_bytes
    assert read(QWEN_NEXT).state_bytes() > 0 and MODELS["Llama-3.1-8B"].state_bytes() == 0


def test_borrowed_caches_are_kept_once():
    """Gemma 3n: 20 of its 35 layers keep keys and values, 4 of them of the whole text."""
    shape = read(GEMMA_3N)
    assert sum(row > 0 for row in shape.kv_rows) == 20
    assert shape.next_token_bytes(10_000) == 4 * 2 * 2 * 256 * 2
    assert "15 of 35 layers use the keys and values of another and keep none." in shape.understood
    assert shape.doubt and any("its number of parameters is not known" in note for note in shape.assumed)


def test_heads_may_differ_by_layer():
    """Gemma 4: wider and fewer heads where a layer sees everything; keys that serve as values are kept twice all the same."""
    shape = read(dict(
        model_type="gemma4_text", num_hidden_layers=6, hidden_size=64, intermediate_size=64, num_attention_heads=8,
        num_key_value_heads=4, head_dim=16, global_head_dim=32, num_global_key_value_heads=2, attention_k_eq_v=True,
        sliding_window=8, vocab_size=100,
    ))  # fmt: skip
    assert shape.kv_rows == (4 * 32,) * 5 + (2 * 64,)
    listed = read(dict(
        model_type="brandnew", num_hidden_layers=2, hidden_size=64, intermediate_size=64, num_attention_heads=8, vocab_size=9,
        num_key_value_heads_per_layer=[8, 2],
    ))  # fmt: skip
    assert listed.kv_rows == (128, 32)


def test_cross_layer_sharing_keeps_every_second_layer():
    shape = read(dict(
        model_type="hunyuan", num_hidden_layers=4, hidden_size=64, intermediate_size=64, num_attention_heads=8, vocab_size=9,
        use_cla=True, cla_share_factor=2,
    ))  # fmt: skip
    assert shape.kv_rows == (128, 0, 128, 0)


SHAPES = [read(c) for c, *_ in REAL] + [read(small["config"]) for small in SMALL] + [read(GEMMA_3N), *MODELS.values()]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_sum_is_the_sum_of_its_layers(shape):
    for n_tokens in (0, 1, 9, 5000):
        layers = layer_caches(shape, n_tokens, 3)
        assert len(layers) == shape.n_layer
        assert sum(c.kv_bytes for c in layers) == shape.kv_bytes(n_tokens, 3)
        assert sum(c.state_bytes for c in layers) == shape.state_bytes(3)
        short = layer_kinds(shape, n_tokens, 3)
        assert sum(c.total_bytes for c in short) == shape.kv_bytes(n_tokens, 3) + shape.state_bytes(3)
        assert sorted(i for c in short for i in c.layers) == list(range(shape.n_layer))
        assert product(kv_factors(shape, n_tokens, 3)) == shape.kv_bytes(n_tokens, 3)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_operations_read_the_matrices_that_are_there(shape):
    """Products with weights are twice the parameters that a token meets, but for what is looked up, norms and biases."""
    ops = operations(shape, 1, 1)
    weights = sum(op.weight_bytes for op in ops) / 2
    met = shape.n_active_params - shape.lookup_params
    if not shape.doubt:
        assert weights == pytest.approx(met, rel=0.01 if shape.d_model > 500 else 0.2)
    kv = sum(op.cache_bytes for op in ops if op.name in ("index", "scores", "context"))
    borrowed = any(layer.kind == "borrowed" for layer in shape.layers)
    if not borrowed and shape.d_model > 500:
        assert kv == shape.kv_bytes(2)
    assert tpot_s(shape, 1, DEVICES["H200"]) > 0


def test_layers_that_look_at_a_picture_keep_nothing_of_the_text():
    """Llama-3.2-11B-Vision: 8 of its 40 layers are cross-attention."""
    shape = read(dict(
        model_type="mllama", vision_config={}, text_config=dict(
            model_type="mllama_text_model", num_hidden_layers=40, hidden_size=4096, intermediate_size=14336,
            num_attention_heads=32, num_key_value_heads=8, vocab_size=128256, cross_attention_layers=[*range(3, 40, 5)],
        ),
    ))  # fmt: skip
    assert shape.kv_bytes_per_token() == 32 * 2 * 8 * 128 * 2


def test_a_stated_width_of_attention_heads_wins_over_channels():
    zamba = dict(model_type="zamba2", num_hidden_layers=2, hidden_size=64, num_attention_heads=4, num_key_value_heads=4,
                 attention_head_dim=32, kv_channels=16, n_mamba_heads=2, mamba_headdim=64, mamba_d_state=8, mamba_ngroups=1,
                 intermediate_size=64, vocab_size=9, layers_block_type=["mamba", "hybrid"])  # fmt: skip
    shape = read(zamba)
    assert shape.kv_rows == (0, 2 * 4 * 32) and shape.layers[0].n_state == shape.layers[1].n_state == 2 * 64 * 8


def test_layers_may_share_an_index():
    shared = DEEPSEEK_V32 | {"indexer_types": ["full"] + ["shared"] * 60}
    assert read(shared).kv_bytes_per_token() == (61 * 576 + 128) * 2


def test_a_row_is_all_that_a_new_family_needs(monkeypatch):
    """Without it the same file has its cache read, and a doubt in place of a number of parameters."""
    llama = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    llama |= {"intermediate_size": 96, "vocab_size": 100, "max_position_embeddings": 128, "tie_word_embeddings": False}
    known, new = ModelShape.from_config(llama), llama | {"model_type": "brand_new"}
    unknown = ModelShape.from_config(new)
    assert unknown.doubt and not unknown.kv_doubt and unknown.kv_bytes(100) == known.kv_bytes(100)
    monkeypatch.setitem(FAMILIES, "brand_new", FAMILIES["llama"])
    read = ModelShape.from_config(new)
    assert (read.doubt, read.n_params, read.kv_bytes(100)) == ("", known.n_params, known.kv_bytes(100))
