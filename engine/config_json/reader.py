"""Read a Hugging Face config.json: which numbers it states and which it leaves to its family. The one reader of such a file:
engine.cost makes a shape of what it returns, engine.trained a transformer.

Pasted by strangers, so every field is checked for kind and size before it is used, and the answer tells what was understood and
what was assumed. Old and new spellings are read alike: `n_embd` and `hidden_size`, `rope_scaling` and `rope_parameters`,
`sliding_window_pattern` and `layer_types`. What has no KV cache is refused by name (engine.config_json.refused).
"""

import re
from dataclasses import replace

from engine.config_json.block_style import Style
from engine.config_json.experts import experts
from engine.config_json.extras import extra_params
from engine.config_json.families import FAMILIES, UNKNOWN, Family
from engine.config_json.fields import LIMITS, Fields, excerpt
from engine.config_json.heads import heads, latent
from engine.config_json.layer_kinds import layers
from engine.config_json.params_json import as_config
from engine.config_json.quantised import quantised
from engine.config_json.refused import refuse
from engine.config_json.rope_settings import note_rope
from engine.config_json.windows import windows

_NESTED = ("text_config", "llm_config", "language_config")
_GROUPS = ("attn_config", "ffn_config")  # DBRX and MPT keep some of the fields one level down
N_LAYER = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
N_HEAD = ("num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads")
# Names of fields from which a cache's bytes may follow, and words that tell others from them.
_KEEPS = re.compile(
    r"kv|key_value|hybrid|window|chunk|latent|sparse|(attn|attention|layer|block).*(every|interval|freq|period|pattern|group|type|"
    r"kind|config|list|idx|indices|share|skip|stride|compress)|(every|interval|pattern|group).*(attn|attention|layer)"
)
_KEEPS_NOT = re.compile(
    r"norm|rope|rotary|drop|mlp|ffn|moe|expert|router|quant|vision|audio|use_cache|implementation|dtype|init|_kv_bias"
)
NO_MTP = "The layers that predict several tokens at once (MTP) are not counted: not in bytes, FLOPs or times."
D_FF = ("intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "d_ff", "block_ff_dim")
N_CTX = (
    "max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_sequence_length", "max_seq_len", "model_max_length",
)  # fmt: skip


def read(config: dict, name: str = "") -> dict:
    """What a config.json states or implies, named as ModelShape's arguments; n_ctx is None where the file does not say.

    `doubt` says why the number of parameters is not known, "" where it is. ValueError names the field, what was expected and
    what came.
    """
    file = Fields(as_config(_text_part(config)))
    refuse(file)
    kind = file.text("model_type")
    family = FAMILIES.get(kind, UNKNOWN)
    file.omitted = family.omitted
    if kind in FAMILIES:
        file.understood.append(f"Read as {kind}.")
    else:
        file.doubts.append(f"model_type {excerpt(kind)} is not known here")
    if kind in FAMILIES and not family.exact:
        file.doubts.append(f"{kind} has parts that are not counted here")
    shape = dict(family=kind, name=name or file.text("_name_or_path") or kind or "model", n_layer=_n_layer(file))
    shape |= _widths(file, family, kind)
    note_rope(file)
    shape["n_ctx"] = _n_ctx(file, family)
    n_layer, n_head = shape["n_layer"], shape["n_head"]
    shape |= latent(file, n_head) or heads(file, n_layer, n_head, shape["d_model"], kind)
    shape["experts"] = experts(file, shape["n_layer"], shape["d_ff"])
    shape["windows"] = windows(file, shape["n_layer"], family)
    shape["layers"] = layers(file, shape, shape["windows"])
    shape["style"] = _style(file, family, kind)
    shape["n_extra"] = extra_params(file, shape, shape["windows"])
    shape["quantised"] = quantised(file)
    file.understood.insert(
        0,
        f"{shape['n_layer']} layer{'s' * (shape['n_layer'] > 1)} of width {shape['d_model']:,}"
        f"{', {:,} words'.format(shape['n_vocab']) * bool(shape['n_vocab'])}.",
    )
    _other_notes(file, config)
    if kind not in FAMILIES:
        unread = _unread(file)
        file.kv_doubts += [f"{', '.join(unread[:4])} may say what layers keep, and nothing here reads it"] * bool(unread)
    shape["doubt"], shape["kv_doubt"] = "; ".join(file.doubts), "; ".join(file.kv_doubts)
    if file.doubts:
        file.assumed.append(
            f"The bytes of its cache are read from the file as other families mean its fields; its number of parameters is not "
            f"known: {shape['doubt']}. Its weights, and what follows from them, are not given."
        )
    return shape | {"understood": tuple(file.understood), "assumed": tuple(file.assumed)}


def _text_part(config: dict) -> dict:
    """The language model's own part of a multimodal file, which lies one level down."""
    if not isinstance(config, dict):
        raise ValueError(f"config: expected a JSON object {{…}}, got {excerpt(config)}")
    inner = next((config[name] for name in _NESTED if config.get(name) is not None), None)
    if inner is not None and not isinstance(inner, dict):
        raise ValueError(f"text_config: expected an object, got {excerpt(inner)}")
    if inner is not None:
        # Some files state these outside the language model's part; what the part itself states wins.
        outer = {k: config[k] for k in ("model_type", "tie_word_embeddings", "quantization_config") if k in config}
        config = outer | inner
    groups = [config[name] for name in _GROUPS if isinstance(config.get(name), dict)]
    skip = ("model_type", "hidden_size", "architectures")
    return {k: v for group in groups for k, v in group.items() if k not in skip} | config


def _n_layer(file: Fields) -> int:
    """How many layers; Nemotron-H leaves it to the length of its pattern."""
    pattern = file.raw("layers_block_type", "hybrid_override_pattern")
    stated = file.raw(*N_LAYER) is not None or not isinstance(pattern, list | str)
    return file.count("n_layer", *N_LAYER) if stated else min(len(pattern), LIMITS["n_layer"] + 1)


def _widths(file: Fields, family: Family, kind: str) -> dict:
    """Widths and heads. Cache bytes need neither vocabulary nor MLP: where a file lacks one it is left out, and it is said."""
    d_model = file.count("d_model", "hidden_size", "n_embd", "d_model")
    n_head = file.count("n_head", *N_HEAD)
    d_embed = file.count("d_model", "word_embed_proj_dim", default=d_model)
    shape = dict(d_model=d_model, n_head=n_head, d_embed=0 if d_embed == d_model else d_embed)
    shape["d_ff"] = _d_ff(file, family, kind, d_model)
    names = ("vocab_size", "padded_vocab_size")
    if file.raw(*names) is None and file.implied(*names) is None:
        file.doubts.append("vocab_size is not in the file, and no table of words is counted")
    shape["n_vocab"] = file.count("n_vocab", *reversed(names), default=0, least=int(file.raw(*names) is not None))
    return shape


def _d_ff(file: Fields, family: Family, kind: str, d_model: int) -> int:
    """The width of the MLP, by the rules of those families whose files do not say it outright."""
    stated = file.raw(*D_FF)
    if isinstance(stated, list):
        widths = file.config[next(name for name in D_FF if file.config.get(name) is not None)]
        if not widths or not all(type(n) is int and 0 < n <= LIMITS["d_ff"] for n in widths):
            raise ValueError(f"{D_FF[0]}: expected whole numbers, got {excerpt(widths)}")
        if len(set(widths)) > 1:
            file.doubts.append("its layers have MLPs of different widths")
        return sum(widths) // len(widths)
    ratio = family.dense_d_ff or (file.count("d_ff", "expansion_ratio") if file.raw("expansion_ratio") else 0)
    if stated is None and kind.startswith("granitemoe") and file.raw("shared_intermediate_size") is not None:
        return file.count("d_ff", "shared_intermediate_size")
    if stated is None and ratio:
        file.assumed.append(f"{D_FF[0]} is not in the file: {ratio} · {d_model:,} = {ratio * d_model:,}.")
        return ratio * d_model
    if stated is None and file.raw("moe_intermediate_size") is None:
        file.doubts.append(f"{D_FF[0]} is not in the file, and no MLP is counted")
    if kind.startswith("llama4"):
        return file.count("d_ff", "intermediate_size_mlp")
    d_ff = file.count("d_ff", *D_FF, default=0, least=int(stated is not None))
    if kind == "qwen":  # the first Qwen states both halves of its gated MLP
        return d_ff // 2
    if kind == "granitemoehybrid" and not file.raw("num_local_experts"):
        return file.count("d_ff", "shared_intermediate_size", default=d_ff)
    if kind == "lfm2" and file.flag("block_auto_adjust_ff_dim", True):  # two thirds, rounded up to whole blocks
        block = file.count("d_ff", "block_multiple_of", default=256)
        return -(-(2 * d_ff // 3) // block) * block
    return d_ff


def _n_ctx(file: Fields, family: Family) -> int | None:
    """The longest text it was trained for, None where the file does not say; a table of learned positions needs it."""
    if file.raw(*N_CTX) is None and file.implied(*N_CTX) is None and family.style.n_position_offset is None:
        file.assumed.append(f"{N_CTX[0]} is not in the file: the trained length is unknown.")
        return None
    return file.count("n_ctx", *N_CTX)


def _style(file: Fields, family: Family, kind: str) -> Style:
    """The family's manner, with the switches that a file may set."""
    style = replace(family.style, tied=file.flag("tie_word_embeddings", file.flag("tie_embedding", family.style.tied)))
    for name, parts in family.switches.items():
        on = file.flag(name, False)
        if file.raw(name) is None:
            continue
        for part in parts:
            part, _, value = part.partition("=")
            style = replace(style, **{part: value * on if value else on})
    if kind == "falcon":
        one = not file.flag("new_decoder_architecture", False) and file.flag("parallel_attn", True)
        style = replace(style, n_block_norms=1 if one or file.raw("num_ln_in_parallel_attn") == 1 else 2)
    if kind == "stablelm" and file.flag("use_parallel_residual", False):
        style = replace(style, n_block_norms=1)
    if kind == "hyperclovax" and file.flag("use_post_norm", True):
        style = replace(style, n_block_norms=4)
    if kind == "opt":
        last = file.flag("do_layer_norm_before", True) and not file.flag("_remove_final_layer_norm", False)
        style = replace(style, last_norm=last)
    return style


def _unread(file: Fields) -> list[str]:
    """Fields of an unknown family that bear on what its layers keep, by their names, and that nobody has looked for."""
    said = (name for name, value in file.config.items() if value not in (None, False, 0, 1, "", [], {}) and isinstance(name, str))
    unasked = (name for name in said if name not in file.asked)
    return [excerpt(name) for name in unasked if _KEEPS.search(name) and not _KEEPS_NOT.search(name)]


def _other_notes(file: Fields, config: dict) -> None:
    """What the numbers leave out, where the file shows that there is something."""
    if any(isinstance(config.get(part), dict) for part in ("vision_config", "audio_config")):
        file.assumed.append("The language model alone is counted, without the parts that read pictures or sound.")
    # as vLLM finds them (vllm/config/speculative.py); Qwen3-Next’s file does not name those that its checkpoint has
    fields = [file.raw(name) for name in ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")]
    if any(fields) or file.text("model_type") == "qwen3_next":
        file.assumed.append(NO_MTP)
    if file.raw("quantization_config") is not None:
        own = (
            "they have the file’s own bits until you choose others" if quantised(file)[0] else "they all have the bits you choose"
        )
        file.assumed.append(f"The file’s weights are quantised; here {own}.")
