"""Which layers of a mixed model attend, which keep a state, which borrow another's keys and values, and how their heads differ.

Every family has its own spelling: a list, a period, a string of letters. All of them end here as one `Layer` for each layer;
an ordinary model has none. Where the layers without attention are of a kind unknown here, their state is said not to be counted.
"""

from dataclasses import replace

from engine.config_json.block_style import Layer
from engine.config_json.fields import Fields, excerpt
from engine.config_json.mixers import mixer

# The words of `layer_types` and `layers_block_type`, and the letters of `hybrid_override_pattern`.
WORDS = {
    "full_attention": "attention", "sliding_attention": "attention", "chunked_attention": "attention", "attention": "attention",
    "indexed_attention": "attention", "global": "attention", "local": "attention", "*": "attention",
    "linear_attention": "state", "mamba": "state", "mamba2": "state", "conv": "state", "recurrent": "state", "M": "state",
    "hybrid": "both", "mlp": "none", "moe": "none", "-": "none", "E": "none",
}  # fmt: skip


def layers(file: Fields, shape: dict, windows: tuple[int, ...]) -> tuple[Layer, ...]:
    """For each layer how it differs, () where none does. `shape`: what has been read: n_layer, d_model, n_head, d_head."""
    n_layer = shape["n_layer"]
    kinds = _kinds(file, n_layer)
    found = [_heads(file, i, windows[i] > 0, shape) for i in range(n_layer)]
    found = _borrowed(file, found)
    pictures = set(file.integers("cross_attention_layers"))
    if pictures:
        file.understood.append(f"{len(pictures)} of {n_layer} layers look at a picture and keep nothing of the text.")
        found = [Layer(kind="none") if i in pictures else layer for i, layer in enumerate(found)]
    if set(kinds) - {"attention"}:
        found = [layer if kind in ("attention", "both") else Layer(kind=kind) for layer, kind in zip(found, kinds, strict=True)]
        found = _with_state(file, shape, found, kinds)
    if file.text("model_type") == "longcat_flash":  # two blocks of attention in each layer
        found = [replace(layer, n_cache=2) for layer in found]
    found = [
        replace(layer, **index) if layer.kind == "attention" else layer
        for layer, index in zip(found, _index(file, n_layer), strict=True)
    ]
    if not any(layer.kind == "attention" for layer in found):
        raise ValueError("layer_types: expected some layers that keep keys and values, got none: there is no KV cache to count")
    return () if set(found) == {Layer()} else tuple(found)


def _kinds(file: Fields, n_layer: int) -> list[str]:
    """attention, state, both or none for each layer."""
    for name in ("layer_types", "layers_block_type", "hybrid_override_pattern"):
        if file.raw(name) is not None:
            return _words(name, file.raw(name), n_layer)
    if file.raw("attn_type_list") is not None:
        listed = file.integers("attn_type_list", n_layer)
        return ["attention" if kind else "state" for kind in listed]
    if isinstance(file.raw("linear_attn_config"), dict):
        attending = {i - 1 for i in Fields(file.raw("linear_attn_config")).integers("full_attn_layers")}
        return ["attention" if i in attending else "state" for i in range(n_layer)]
    for name in ("full_attn_idxs", "attn_layer_indices"):
        if file.raw(name) is not None:
            attending = set(file.integers(name))
            return ["attention" if i in attending else "state" for i in range(n_layer)]
    if file.raw("attn_layer_period") is not None:
        period, offset = (
            file.count("n_layer", "attn_layer_period"),
            file.count("n_layer", "attn_layer_offset", default=0, least=0),
        )
        return ["attention" if i % period == offset else "state" for i in range(n_layer)]
    if file.raw("block_configs") is not None:
        return ["attention" if heads_in_group(file, n_layer, i) else "none" for i in range(n_layer)]
    if file.raw("layer_group_size") is not None:  # Ring-linear: the last of each group attends, and those that fill no group
        size = file.count("n_layer", "layer_group_size")
        whole = n_layer // size * size
        return ["attention" if (i + 1) % size == 0 or i >= whole else "state" for i in range(n_layer)]
    if file.raw("block_types") is not None:
        pattern = file.raw("block_types")
        if not isinstance(pattern, list) or not pattern:
            raise ValueError(f"block_types: expected a list of kinds, got {excerpt(pattern)}")
        return _words("block_types", [pattern[i % len(pattern)] for i in range(n_layer)], n_layer)
    if file.raw("linear_num_value_heads") is not None:  # Qwen3-Next: every fourth attends
        every = file.count("n_layer", "full_attention_interval", default=4)
        return ["state" if (i + 1) % every else "attention" for i in range(n_layer)]
    if file.raw("mamba_d_state") is not None:  # Falcon-H1 has both side by side in every layer; Bamba's file lists who attends
        return ["state" if file.text("model_type") == "bamba" else "both"] * n_layer
    return ["attention"] * n_layer


def heads_in_group(file: Fields, n_layer: int, i: int) -> int:
    """Nemotron-NAS: how many query heads of a layer share a key/value head, by `block_configs`; 0 for a layer that has no
    attention, or something else in its place."""
    blocks = file.raw("block_configs")
    if not isinstance(blocks, list) or len(blocks) != n_layer or not isinstance(blocks[i], dict):
        raise ValueError(f"block_configs: expected a list of {n_layer} objects, one for each layer, got {excerpt(blocks)}")
    attention = blocks[i].get("attention")
    if not isinstance(attention, dict):
        raise ValueError(f"block_configs: expected an object “attention” in layer {i}, got {excerpt(attention)}")
    if attention.get("no_op") or attention.get("replace_with_linear"):
        return 0
    return Fields(attention).count("n_head", "n_heads_in_group")


def _words(name: str, listed, n_layer: int) -> list[str]:
    if not isinstance(listed, list | str) or len(listed) != n_layer:
        raise ValueError(f"{name}: expected a list of {n_layer}, one for each layer, got {excerpt(listed)}")
    for word in listed:
        if not isinstance(word, str) or word not in WORDS:
            raise ValueError(
                f"{name}: expected {', '.join(list(WORDS)[:4])}, linear_attention, mamba, conv or mlp, got {excerpt(word)}"
            )
    return [WORDS[word] for word in listed]


def _heads(file: Fields, i: int, windowed: bool, shape: dict) -> Layer:
    """A layer's own heads, where the file gives the layers with a window, those without, or single ones others."""
    prefix = "swa_" if windowed else "global_"
    own = {
        "n_head": (f"{prefix}num_attention_heads",),
        "n_kv_head": (f"{prefix}num_key_value_heads", "num_global_key_value_heads" if not windowed else "swa_num_kv_heads"),
        "d_head": (f"{prefix}head_dim",),
        "d_v": (f"{prefix}v_head_dim", f"{prefix}head_dim"),
    }
    numbers = {}
    for name, names in own.items():
        if file.raw(*names) is not None or file.implied(*names) is not None:
            numbers[name] = file.count(name if name.startswith("d_h") or name == "n_head" else "d_head", *names)
    if file.text("model_type") == "mimo_v2_flash" and windowed:  # twice as many where the file does not say
        numbers.setdefault("n_kv_head", 2 * shape["n_kv_head"])
    if file.text("model_type").startswith("gemma4") and not file.flag("attention_k_eq_v", False):
        numbers.pop("n_kv_head", None)  # num_global_key_value_heads counts only with it
    single = file.raw("per_layer_config")
    single = next((single[k] for k in (str(i), f"{i:02d}") if k in single), None) if isinstance(single, dict) else None
    if isinstance(single, dict):
        names = {"num_attention_heads": "n_head", "num_key_value_heads": "n_kv_head", "head_dim": "d_head"}
        numbers |= {names[k]: Fields(single).count("d_head", k) for k in single if k in names and single[k] is not None}
        if "head_dim" in single:
            numbers["d_v"] = numbers["d_head"]
    if file.raw("block_configs") is not None and (group := heads_in_group(file, shape["n_layer"], i)):
        numbers["n_kv_head"] = max(1, shape["n_head"] // group)
    listed = file.raw("num_key_value_heads_per_layer")
    if listed is not None:
        numbers["n_kv_head"] = file.integers("num_key_value_heads_per_layer", shape["n_layer"])[i]
    numbers = {name: n for name, n in numbers.items() if n != (shape.get(name) or shape["d_head"])}
    n_head, n_kv = numbers.get("n_head", shape["n_head"]), numbers.get("n_kv_head", shape["n_kv_head"])
    if n_kv < 1 or n_head % n_kv:
        raise ValueError(f"num_key_value_heads: expected a divisor of the {n_head} query heads in layer {i}, got {n_kv}")
    return Layer(**numbers)


def _borrowed(file: Fields, found: list[Layer]) -> list[Layer]:
    """Gemma 3n: the last layers use the caches of earlier ones. Hunyuan: all but every so-many-th do."""
    n_layer, last = len(found), file.count("n_layer", "num_kv_shared_layers", default=0, least=0)
    if last >= n_layer:
        raise ValueError(f"num_kv_shared_layers: expected fewer than the {n_layer} layers, got {last}")
    every = file.count("n_layer", "cla_share_factor", default=1) if file.flag("use_cla", False) else 1
    borrows = [i >= n_layer - last or i % every > 0 for i in range(n_layer)]
    if any(borrows):
        file.understood.append(f"{sum(borrows)} of {n_layer} layers use the keys and values of another and keep none.")
    return [replace(layer, kind="borrowed") if b else layer for layer, b in zip(found, borrows, strict=True)]


def _with_state(file: Fields, shape: dict, found: list[Layer], kinds: list[str]) -> list[Layer]:
    """The layers with the state that each keeps."""
    n = sum(kind in ("state", "both") for kind in kinds)
    made = mixer(file, shape["d_model"], shape["n_head"], shape["d_head"])
    if made is None and n:
        file.doubts.append("it has layers of a kind unknown here, and what they keep is not counted")
    n_state, n_tail, n_mixer = made or (0, 0, 0)
    if made:
        file.understood.append(
            f"{n} of {len(kinds)} layers keep a state of {n_state + n_tail:,} numbers a sequence, however long the text"
            f"{'' if 'both' in kinds else ', instead of keys and values'}."
        )
    return [
        replace(layer, n_state=n_state, n_tail=n_tail, n_mixer=n_mixer) if kind in ("state", "both") else layer
        for layer, kind in zip(found, kinds, strict=True)
    ]


def _index(file: Fields, n_layer: int) -> list[dict[str, int]]:
    """DeepSeek-V3.2: one short key a token, by which a layer chooses what to read; layers may share one (`indexer_types`)."""
    width, kinds = file.count("d_head", "index_head_dim", default=0, least=0), file.raw("indexer_types") or []
    if not isinstance(kinds, list) or len(kinds) not in (0, n_layer):
        raise ValueError(f"indexer_types: expected a list of {n_layer}, one for each layer, got {excerpt(kinds)}")
    if not width:
        return [{}] * n_layer
    n_index = file.count("n_head", "index_n_heads", default=0, least=0)
    chosen = {"n_select": file.count("n_ctx", "index_topk", default=0, least=0)}
    file.understood.append(_index_note(width, n_index, **chosen))
    file.assumed.append(
        "Its index has the bits that you choose for a cached number; DeepSeek’s own program keeps and multiplies it in 8."
    )
    own = {"d_index": width, "n_index": n_index} | chosen
    return [chosen if kinds and kinds[i] == "shared" else own for i in range(n_layer)]


def _index_note(width: int, n_index: int, n_select: int) -> str:
    """What the index keeps and what is read by it."""
    kept = f"An index keeps {width} more numbers a token and layer; its {n_index} heads score every past token"
    if not n_select:
        return f"{kept}. index_topk is not in the file: all keys and values are counted as read."
    return f"{kept}, and keys and values are read of the {n_select:,} that score highest (index_topk), not of all."
