"""Cache bytes of files that say in their own words what layers keep: by hand from each file, and marked where no word is known.

The widths are those of the files on huggingface.co; that the last layer of each of Ring's groups attends, and what AFMoE leaves to
its class, is in the models' own code.
"""

import pytest

from engine.config_json.reader import NO_MTP
from engine.cost import ModelShape

SMALL = dict(hidden_size=64, num_hidden_layers=4, num_attention_heads=8, intermediate_size=128, vocab_size=99)


def block(group=None, **more):
    return {"attention": {"n_heads_in_group": group, **more}, "ffn": {"ffn_mult": 2.625}}


def nas(*blocks):
    return dict(model_type="nemotron-nas", hidden_size=8192, num_hidden_layers=len(blocks), num_attention_heads=64,
                num_key_value_heads=None, intermediate_size=None, vocab_size=128256, block_configs=list(blocks))  # fmt: skip


STEP_3 = dict(model_type="step3_text", hidden_size=7168, num_hidden_layers=61, num_attention_heads=64, num_attention_groups=1,
              head_dim=256, share_q_dim=2048, intermediate_size=18432, vocab_size=128815)  # fmt: skip
RING = dict(model_type="bailing_moe_linear", hidden_size=2048, num_hidden_layers=20, num_attention_heads=16, num_key_value_heads=4,
            head_dim=128, intermediate_size=5120, layer_group_size=5, vocab_size=157184)  # fmt: skip
AFMOE = dict(model_type="afmoe", hidden_size=2048, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=4,
             head_dim=128, intermediate_size=6144, sliding_window=2048, vocab_size=200192)  # fmt: skip


def test_blocks_of_nemotron_nas_have_heads_of_their_own():
    """Counted with a key and a value for each of 64 query heads in all layers, its cache was 16 times too large."""
    shape = ModelShape.from_config(nas(block(8), block(16), block(no_op=True), block(replace_with_linear=True)))
    assert shape.kv_rows == (2 * 8 * 128, 2 * 4 * 128, 0, 0) and not shape.kv_doubt
    whole = ModelShape.from_config(nas(*[block(8)] * 49, *[block(no_op=True)] * 31))  # the 49B: 49 of 80 layers attend
    assert whole.kv_bytes_per_token() == 49 * 2 * 8 * 128 * 2
    assert "49 of 80 layers have attention" in " ".join(whole.understood)


def test_attention_groups_are_key_value_heads():
    """Step-3: one key and value of 256 for 64 query heads; 64 times as much was counted, and called "its own"."""
    shape = ModelShape.from_config(STEP_3)
    assert shape.kv_bytes_per_token() == 61 * 2 * 256 * 2 and "has its own" not in " ".join(shape.understood + shape.assumed)


@pytest.mark.parametrize(("n_layer", "attending"), [(20, [4, 9, 14, 19]), (18, [4, 9, 14, 15, 16, 17])])
def test_the_last_layer_of_each_group_attends_and_those_that_fill_no_group(n_layer, attending):
    """Ring-linear: five times too much was counted."""
    shape = ModelShape.from_config(RING | {"num_hidden_layers": n_layer})
    assert [i for i, row in enumerate(shape.kv_rows) if row] == attending
    assert shape.kv_bytes_per_token() == len(attending) * 2 * 4 * 128 * 2
    assert shape.state_bytes() == (n_layer - len(attending)) * 16 * 128 * 128 * 4


@pytest.mark.parametrize(("more", "every", "window"), [({}, 4, 2048), ({"global_attn_every_n_layers": 8}, 8, 2048)])
def test_afmoe_without_a_list_of_layers_has_its_classs_pattern(more, every, window):
    shape = ModelShape.from_config(AFMOE | more)
    assert shape.windows == tuple(0 if (i + 1) % every == 0 else window for i in range(32))
    assert ModelShape.from_config({k: v for k, v in AFMOE.items() if k != "sliding_window"}).windows[0] == 1024


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({}, "how many key/value heads"), ({"num_key_value_heads": 2}, ""), ({"n_kv_heads": 2, "use_cache": True}, ""),
        ({"num_key_value_heads": 2, "attention_dropout": 0.1, "rope_interval": 4}, ""),
        ({"num_key_value_heads": 2, "full_attention_every": 6}, "full_attention_every"),
        ({"num_key_value_heads": 2, "kv_sharing_map": [0, 0, 1, 1]}, "kv_sharing_map"),
        ({"num_key_value_heads": 2, "sparse_block_size": 64}, "sparse_block_size"),
    ],
)  # fmt: skip
def test_bytes_of_a_family_that_names_nothing_known_are_marked(more, named):
    shape = ModelShape.from_config(SMALL | {"model_type": "brandnew"} | more)
    assert (named in shape.kv_doubt) if named else not shape.kv_doubt
    # A known family leaves out what it has not.
    assert not ModelShape.from_config(SMALL | {"model_type": "llama"} | more).kv_doubt


@pytest.mark.parametrize("wrong", [3, [], [block(8)] * 3, [block(8)] * 3 + [{}], [block("x")] * 4, [block(8)] * 3 + [None]])
def test_blocks_that_are_none_are_told(wrong):
    with pytest.raises(ValueError, match=r"block_configs|n_heads_in_group"):
        ModelShape.from_config(SMALL | {"model_type": "nemotron-nas", "block_configs": wrong})


@pytest.mark.parametrize(
    "more",
    [{"num_nextn_predict_layers": 1}, {"mtp_num_hidden_layers": 1}, {"num_mtp_modules": 3}, {"num_nextn_predict_layers": 0}],
)
def test_layers_that_guess_ahead_are_said_to_be_left_out(more):
    config = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 8, "num_attention_heads": 2, "vocab_size": 9,
              "intermediate_size": 8, "max_position_embeddings": 8}  # fmt: skip
    plain, own = (ModelShape.from_config(config | part) for part in ({}, more))
    assert (NO_MTP in own.assumed) == any(more.values()) and NO_MTP not in plain.assumed
    assert (own.n_params, own.kv_bytes(9)) == (plain.n_params, plain.kv_bytes(9))
