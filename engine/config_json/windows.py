"""How far back each layer of a model looks: the one rule for windows, whoever asks.

A file may list `layer_types`, state a `sliding_window` with or without a pattern and switches, or a window that its family never
heeds (a Llama with a stray `sliding_window` sees everything). What a family makes of these fields is its `windows` rule; each
repeats what the family's configuration class in transformers does.
"""

from engine.config_json.families import Family
from engine.config_json.fields import Fields, excerpt
from engine.config_json.layer_kinds import WORDS

# Words of `layer_types` for layers that look back a window, and the field that says how far.
FIELD = {"sliding_attention": "sliding_window", "chunked_attention": "attention_chunk_size", "local": "window_size"}


def windows(file: Fields, n_layer: int, family: Family) -> tuple[int, ...]:
    """For each layer the number of newest tokens it sees, 0 for all. Notes in `file` say what was understood."""
    if family.windows == "never" or not file.flag("use_sliding_window", not family.windows.startswith("switched")):
        if file.raw("sliding_window") is not None:
            file.understood.append("sliding_window is in the file but not in use.")
        return (0,) * n_layer
    kinds = _kinds(file, n_layer, family)
    if kinds is not None and family.windows not in ("all", "switched all"):
        return _listed(file, kinds, n_layer)
    names = ("sliding_window", "attention_window_size")  # RecurrentGemma has the second
    if file.raw(*names) is None and file.implied(*names) is None:
        return (0,) * n_layer
    window = file.count("n_ctx", *names)
    sees_all = [not _has_window(file, i, family) for i in range(n_layer)]
    file.understood.append(f"{sees_all.count(False)} of {n_layer} layers look back {window:,} tokens only.")
    return tuple(0 if all_of_it else window for all_of_it in sees_all)


def _kinds(file: Fields, n_layer: int, family: Family) -> list | None:
    """The layers as the file lists them, in the words of `layer_types`, None where it does not."""
    if file.raw("layer_types", "attention_layers") is not None:
        return file.raw("layer_types", "attention_layers")
    if file.raw("hybrid_layer_pattern") is not None:  # MiMo: 1 for a window
        return ["sliding_attention" if on else "full_attention" for on in file.integers("hybrid_layer_pattern", n_layer)]
    if family.windows == "chunked":
        return ["chunked_attention" if has_rope(file, i) else "full_attention" for i in range(n_layer)]
    if family.windows == "neo":
        return ["local" if i % 2 else "global" for i in range(n_layer)]
    pattern = file.raw("sliding_window_pattern")
    if isinstance(pattern, str) and pattern and set(pattern) <= set("LG"):  # EXAONE 4: "LLLG"
        letters = {"L": "sliding_attention", "G": "full_attention"}
        return [letters[pattern[i % len(pattern)]] for i in range(n_layer)]
    return None


def _has_window(file: Fields, layer: int, family: Family) -> bool:
    """Whether a layer has the window where the file does not list the layers."""
    if family.windows == "switched from":  # Qwen2, Qwen3: the first max_window_layers see everything
        return layer >= file.count("n_layer", "max_window_layers", default=28, least=0)
    if family.windows == "switched before":  # Qwen2-MoE: every other layer, and none from max_window_layers on
        return layer % 2 == 0 and layer < file.count("n_layer", "max_window_layers", default=28, least=0)
    if family.windows == "switched unturned":  # SmolLM3: the layers without rotary positions
        return not has_rope(file, layer)
    names = ("sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers")  # AFMoE has the last
    every = family.full_every if file.raw(*names) is None else file.count("n_layer", *names)
    return family.windows != "pattern" or not every or (layer + 1) % every > 0


def has_rope(file: Fields, layer: int) -> bool:
    """Whether a layer's queries and keys are turned: all but every fourth, or as `no_rope_layers` lists them (1: turned)."""
    listed = file.raw("no_rope_layers")
    if listed:
        if not isinstance(listed, list) or layer >= len(listed):
            raise ValueError(f"no_rope_layers: expected a list with one number for each layer, got {excerpt(listed)}")
        return bool(listed[layer])
    return (layer + 1) % file.count("n_layer", "no_rope_layer_interval", default=4) != 0


def _listed(file: Fields, kinds: list, n_layer: int) -> tuple[int, ...]:
    """What `layer_types` says, layer by layer."""
    if not isinstance(kinds, list) or len(kinds) != n_layer:
        raise ValueError(f"layer_types: expected a list of {n_layer}, one for each layer, got {excerpt(kinds)}")
    for kind in kinds:
        if not isinstance(kind, str) or kind not in WORDS:
            raise ValueError(f"layer_types: expected full_attention, {', '.join(FIELD)} or linear_attention, got {excerpt(kind)}")
    reaches = {kind: _tokens_seen(file, field) for kind, field in FIELD.items() if kind in kinds}
    for kind, window in reaches.items():
        file.understood.append(f"{kinds.count(kind)} of {n_layer} layers look back {window:,} tokens only ({kind}).")
    return tuple(reaches.get(kind, 0) for kind in kinds)


def _tokens_seen(file: Fields, field: str) -> int:
    """How many tokens such a layer sees; MiMo's `sliding_window_size` does not count the token that asks."""
    if field == "sliding_window" and file.raw("sliding_window_size") is not None:
        return file.count("n_ctx", "sliding_window_size") + 1
    return file.count("n_ctx", field)
