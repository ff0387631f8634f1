"""The params.json that Mistral and Meta put beside their weights, in the words of a config.json.

Mistral states `hidden_dim`; Meta leaves it to its program: two thirds of four times the width, times a factor, rounded up
(github.com/meta-llama/llama3, llama/model.py, FeedForward).
"""

from math import ceil

WORDS = {
    "dim": "hidden_size", "n_layers": "num_hidden_layers", "n_heads": "num_attention_heads", "n_kv_heads": "num_key_value_heads",
    "head_dim": "head_dim", "hidden_dim": "intermediate_size", "vocab_size": "vocab_size", "rope_theta": "rope_theta",
    "max_seq_len": "max_position_embeddings", "max_position_embeddings": "max_position_embeddings", "sliding_window": "sliding_window",
    "tied_embeddings": "tie_word_embeddings",
}  # fmt: skip
LATENT = ("kv_lora_rank", "q_lora_rank")
SIZES = ("dim", "multiple_of")
MOST = 2**20


def as_config(file: dict) -> dict:
    """The same model as a config.json has it; any other file as it is. ValueError for one whose latents are named in other words.

    >>> as_config({"dim": 4096, "n_layers": 32, "n_heads": 32, "ffn_dim_multiplier": 1.3, "multiple_of": 1024})["intermediate_size"]
    14336
    """
    if not {"dim", "n_layers", "n_heads"} <= set(file) or "model_type" in file:
        return file
    if any(file.get(name) for name in LATENT):
        raise ValueError(
            "kv_lora_rank: expected no latents in a params.json, which names them in its own words; paste the config.json"
        )
    config = {word: file[name] for name, word in WORDS.items() if file.get(name) is not None}
    experts = file.get("moe")
    if isinstance(experts, dict):
        config |= {"num_local_experts": experts.get("num_experts"), "num_experts_per_tok": experts.get("num_experts_per_tok")}
    config["model_type"] = "mixtral" if isinstance(experts, dict) else "mistral" if "hidden_dim" in file else "llama"
    if "hidden_dim" not in file and all(type(file.get(name)) is int and 0 < file[name] <= MOST for name in SIZES):
        factor = file.get("ffn_dim_multiplier") or 1.0
        if not isinstance(factor, (int, float)) or isinstance(factor, bool) or not 0 < factor <= 16:
            raise ValueError(f"ffn_dim_multiplier: expected a factor of at most 16, got {str(factor)[:40]}")
        width = int(factor * int(2 * 4 * file["dim"] / 3))
        config["intermediate_size"] = file["multiple_of"] * ceil(width / file["multiple_of"])
    config.setdefault("tie_word_embeddings", False)
    config.setdefault("num_key_value_heads", config["num_attention_heads"])
    if config["model_type"] != "llama":
        config.setdefault("sliding_window", None)
    return config
