"""Mixture of experts as a config.json states it: how many, how many a token visits, how wide, and in which layers."""

from engine.config_json.block_style import Experts
from engine.config_json.fields import Fields, excerpt


def experts(file: Fields, n_layer: int, d_ff: int) -> Experts | None:
    """None where every layer has one ordinary MLP."""
    n_expert = file.count(
        "n_expert", "num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts", default=0, least=0
    )
    if n_expert <= 1:
        return None
    active = (
        "num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_top_k", "moe_k", "top_k_experts",
    )  # fmt: skip
    n_active = file.count("n_expert", *active)
    if n_active > n_expert:
        raise ValueError(f"num_experts_per_tok: expected at most {n_expert}, got {n_active}")
    kind = file.text("model_type")
    widths = ("moe_intermediate_size", "expert_ffn_hidden_size", *(("intermediate_size",) if kind.startswith("llama4") else ()))
    d_expert = file.count("d_ff", *widths, default=d_ff)
    shared = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts")
    d_shared = file.count("n_expert", *shared, default=int(kind.startswith("llama4")), least=0) * d_expert
    if kind == "longcat_flash":  # some of the choices are experts that do nothing
        zero = file.count("n_expert", "zero_expert_num", default=0, least=0)
        n_active = max(1, n_active * n_expert // (n_expert + zero))
    gated = file.raw("shared_expert_intermediate_size") is not None or file.implied("shared_expert_intermediate_size") is not None
    gated = gated or kind == "qwen3_next"
    d_shared = file.count("d_ff", "shared_expert_intermediate_size", "shared_intermediate_size", default=d_shared, least=0)
    dense = () if kind == "longcat_flash" else _dense_layers(file, n_layer)
    few = {0: "every layer has them", 1: "1 layer has an ordinary MLP"}
    ordinary = few.get(len(dense), f"{len(dense)} layers have an ordinary MLP")
    shares = ", and a shared MLP" * (d_shared > 0)
    file.understood.append(f"Each token visits {n_active} of {n_expert} experts{shares}; {ordinary}.")
    return Experts(n_expert, n_active, d_expert, d_shared, gated and d_shared > 0, dense)


def _dense_layers(file: Fields, n_layer: int) -> tuple[int, ...]:
    """The layers with an ordinary MLP, by whichever of seven spellings the file has."""
    sparse = set(range(n_layer))
    if isinstance(file.raw("mlp_layer_types"), list):  # transformers 5
        kinds = file.raw("mlp_layer_types")
        if len(kinds) != n_layer:
            raise ValueError(f"mlp_layer_types: expected a list of {n_layer}, one for each layer, got {excerpt(kinds)}")
        return tuple(i for i in range(n_layer) if kinds[i] != "sparse")
    if file.raw("moe_layers") is not None:  # Llama 4
        sparse = set(file.integers("moe_layers"))
    elif file.raw("interleave_moe_layer_step") is not None:
        step = file.count("n_layer", "interleave_moe_layer_step")
        sparse = set(range(step - 1, n_layer, step))
    if isinstance(file.raw("moe_layer_freq"), list):  # MiMo: 1 for a layer with experts
        sparse = {i for i, on in enumerate(file.integers("moe_layer_freq", n_layer)) if on}
    elif file.raw("moe_layer_freq") is not None:  # DeepSeek: the first k, then all but every freq-th
        every = file.count("n_layer", "moe_layer_freq")
        sparse &= set(range(0, n_layer, every))
    first = file.count("n_layer", "first_k_dense_replace", "moe_layer_start_index", default=0, least=0)
    last = file.count("n_layer", "moe_layer_end_index", default=n_layer, least=0)
    every = file.count("n_layer", "moe_layer_interval", default=1)
    sparse = {i for i in sparse if first <= i <= last and (every == 1 or (i + 1) % every == 0)}
    step = file.count("n_layer", "decoder_sparse_step", default=1)  # Qwen: all but every step-th, and those listed
    sparse = {i for i in sparse if (i + 1) % step == 0} - set(file.integers("mlp_only_layers"))
    period = file.count("n_layer", "expert_layer_period", default=2 if file.text("model_type") == "jamba" else 1)  # Jamba
    offset = file.count("n_layer", "expert_layer_offset", default=1 if file.text("model_type") == "jamba" else 0, least=0)
    sparse = {i for i in sparse if i % period == offset % period}
    return tuple(i for i in range(n_layer) if i not in sparse)
