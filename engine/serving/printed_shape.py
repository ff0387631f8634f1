"""The config.json of a model whose shape a log prints (print_info of llama.cpp's), where its learned numbers are as many as it says."""

from engine.cost import ModelShape
from engine.serving.listed_names import FAMILIES
from engine.serving.log_lines import ServerLog
from engine.serving.starts import only


def config_of(log: ServerLog) -> dict | None:
    """The config.json that print_info's lines make; None unless its learned numbers are as many as the log says.

    Whether the head is the embedding again is not printed: it is what makes the numbers meet.
    """
    config, printed = _config(log), log.last("n_params")
    if not config or not printed:
        return None
    for tied in (False, True):
        config["tie_word_embeddings"] = tied
        try:
            shape = ModelShape.from_config(config)
        except ValueError:
            return None  # widths that no model has
        if not shape.doubt and abs(shape.n_params - printed.value) <= 1.01 * printed.half:
            return config
    return None


def _config(log: ServerLog) -> dict | None:
    """print_info's numbers under the names of a config.json; None where one is missing or the family has more to it."""
    keys = {
        "num_hidden_layers": "info_layer", "hidden_size": "info_embd", "num_attention_heads": "info_head",
        "num_key_value_heads": "info_head_kv", "head_dim": "info_d_head", "intermediate_size": "info_ff",
        "vocab_size": "info_vocab", "max_position_embeddings": "info_ctx",
    }  # fmt: skip
    family = FAMILIES.get(log.word("arch"))
    config = {key: only(log, name) for key, name in keys.items()}
    if not family or None in config.values() or log.all("state_bytes"):
        return None
    n_expert = only(log, "info_expert")
    if n_expert and family == "qwen3_moe":
        config |= {"num_experts": n_expert, "num_experts_per_tok": only(log, "info_expert_used")}
        config["moe_intermediate_size"] = only(log, "info_ff_exp")
    elif n_expert:
        return None
    window = only(log, "info_window")
    return config | {"model_type": family, "sliding_window": window or None}
