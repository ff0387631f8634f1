"""Learned numbers of a family that its ordinary blocks do not explain: a norm of the embedding, an index, a second MLP.

Each function gives those of the whole model; every token meets them. The largest are LongCat-Flash's two ordinary MLPs beside
each layer's experts and DeepSeek-V3.2's index, the others together are less than a thousandth.
"""

from engine.config_json.fields import Fields


def extra_params(file: Fields, shape: dict, windows: tuple[int, ...]) -> int:
    """What to add for this family, 0 for most. `shape`: what has been read of the file."""
    kind, d_model, n_layer = file.text("model_type"), shape["d_model"], shape["n_layer"]
    if kind == "bloom":  # a LayerNorm behind the embedding
        return 2 * d_model
    if kind == "apertus":  # two learned numbers in the activation of each layer
        return 2 * n_layer
    if kind == "opt" and shape["d_embed"]:  # from the width of the embedding to that of the layers, and back
        return 2 * d_model * shape["d_embed"]
    if kind == "stablelm" and file.flag("qk_layernorm", False):  # a norm of its own for each head, without a shift
        return n_layer * (shape["n_head"] + shape["n_kv_head"]) * shape["d_head"]
    if kind == "mimo_v2_flash":  # a sink for each head of the layers with a window
        return shape["n_head"] * sum(window > 0 for window in windows)
    if kind == "longcat_flash":  # two ordinary MLPs a layer, and the router's choices that do nothing
        zero = file.count("n_expert", "zero_expert_num", default=0, least=0)
        return n_layer * (6 * d_model * shape["d_ff"] + zero * (d_model + 1))
    if file.raw("index_head_dim") is not None and shape.get("latent"):
        return sum(layer.d_index > 0 for layer in shape["layers"]) * _index(file, d_model, shape["latent"].q_rank)
    return 0


def _index(file: Fields, d_model: int, q_rank: int) -> int:
    """DeepSeek-V3.2: queries from the queries' bottleneck, the norm of the one key, and a weight for each head. The key's own
    matrix is counted with its layer."""
    n, d = file.count("n_head", "index_n_heads"), file.count("d_head", "index_head_dim")
    return q_rank * n * d + 2 * d + d_model * n
