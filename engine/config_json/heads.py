"""How many key/value heads a config.json gives a layer and how wide they are, or the latent that stands for all of them."""

from engine.config_json.block_style import Latent
from engine.config_json.families import FAMILIES
from engine.config_json.fields import LIMITS, Fields
from engine.config_json.layer_kinds import heads_in_group

N_KV_HEAD = (
    "num_key_value_heads", "num_kv_heads", "n_kv_heads", "kv_n_heads", "multi_query_group_num", "num_attention_groups",
    "n_head_kv", "num_query_groups",
)  # fmt: skip


def heads(file: Fields, n_layer: int, n_head: int, d_model: int, kind: str) -> dict:
    """Key/value heads and their width. Falcon and GPT-BigCode say "multi_query" where others give a number."""
    n_kv_head = _n_kv_head(file, n_layer, n_head, kind)
    if n_head % n_kv_head:
        raise ValueError(f"num_key_value_heads: expected a divisor of the {n_head} query heads, got {n_kv_head}")
    names = ("head_dim", "attention_head_dim", "kv_channels")
    if file.raw(*names) is None and file.implied(*names) is None:
        if d_model % n_head:
            raise ValueError(f"head_dim: expected it in the file, since {d_model} / {n_head} is not whole")
        d_head = d_model // n_head
        if d_head > LIMITS["d_head"]:
            raise ValueError(f"head_dim: expected at most {LIMITS['d_head']:,}, got {d_model:,} / {n_head:,} = {d_head:,}")
        file.assumed.append(f"head_dim is not in the file: hidden_size / heads = {d_model:,} / {n_head} = {d_head}.")
    else:
        d_head = file.count("d_head", *names)
    d_v = file.count("d_head", "v_head_dim", default=d_head)
    meet = "share" if n_kv_head < n_head else "have" if n_head > 1 else "has"
    met = f"query {_named(n_head)} {meet} {n_kv_head} key/value {_named(n_kv_head)}"
    file.understood.append(f"{n_head} {met} of width {d_head}{f' and {d_v}' if d_v != d_head else ''}.")
    return dict(n_kv_head=n_kv_head, d_head=d_head, d_v=d_v)


def _named(n: int) -> str:
    return "head" if n == 1 else "heads"


def _n_kv_head(file: Fields, n_layer: int, n_head: int, kind: str) -> int:
    if kind == "gpt_bigcode" or (kind == "falcon" and not file.flag("new_decoder_architecture", False)):
        return 1 if file.flag("multi_query", True) else n_head
    if kind == "chatglm" and not file.flag("multi_query_attention", False):
        return n_head
    if file.raw(*N_KV_HEAD) is None and file.raw("block_configs") is not None:
        return _in_blocks(file, n_layer, n_head)
    if file.raw(*N_KV_HEAD) is None and file.implied(*N_KV_HEAD) is None:
        if kind not in FAMILIES:
            file.kv_doubts.append(f"it does not say how many key/value heads there are; {n_head} are counted, one a query head")
        each = f"every one of the {n_head} query heads" if n_head > 1 else "the one query head"
        file.assumed.append(f"num_key_value_heads is not in the file: {each} has its own.")
    return file.count("n_head", *N_KV_HEAD, default=n_head)


def _in_blocks(file: Fields, n_layer: int, n_head: int) -> int:
    """Key/value heads of the first layer with attention, where each layer says its own (Nemotron-NAS)."""
    groups = [group for i in range(n_layer) if (group := heads_in_group(file, n_layer, i))]
    file.understood.append(f"{len(groups)} of {n_layer} layers have attention, each with heads of its own (block_configs).")
    return max(1, n_head // groups[0]) if groups else 1


def latent(file: Fields, n_head: int) -> dict | None:
    """The ranks and widths of latent attention; None where the file has none."""
    if file.raw("kv_lora_rank") is None:
        return None
    rank, d_rope = file.count("rank", "kv_lora_rank"), file.count("d_head", "qk_rope_head_dim")
    d_nope, d_v = file.count("d_head", "qk_nope_head_dim"), file.count("d_head", "v_head_dim")
    q_rank = file.count("rank", "q_lora_rank", default=0, least=0)
    file.understood.append(f"Latent attention: a token caches {rank} + {d_rope} numbers a layer, for all heads together.")
    return dict(n_kv_head=n_head, d_head=d_nope + d_rope, d_v=d_v, latent=Latent(rank, d_rope, d_nope, q_rank))
