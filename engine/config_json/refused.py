"""What is not a decoder with a KV cache, told by its name or by a field that betrays it: refused, with the reason.

The formulas would answer for these too, and wrongly: an encoder keeps nothing between tokens, a purely recurrent model keeps no
keys, and a cache that holds groups of tokens has rows of its own kind.
"""

from engine.config_json.fields import Fields, excerpt

_ENCODERS = frozenset({
    "albert", "bart", "bert", "bert-generation", "big_bird", "bigbird_pegasus", "blenderbot", "blenderbot-small", "camembert",
    "canine", "clip", "convbert", "data2vec-text", "deberta", "deberta-v2", "distilbert", "electra", "ernie", "esm", "eurobert",
    "flaubert", "fnet", "funnel", "ibert", "layoutlm", "layoutlmv3", "led", "longformer", "luke", "marian", "mbart",
    "megatron-bert", "mobilebert", "modernbert", "mpnet", "mt5", "mvp", "nomic_bert", "nystromformer", "pegasus", "plbart",
    "prophetnet", "rembert", "roberta", "roberta-prelayernorm", "roc_bert", "roformer", "siglip", "squeezebert", "t5", "t5gemma",
    "trocr", "umt5", "vit", "wav2vec2", "whisper", "xlm", "xlm-roberta", "xlm-roberta-xl", "xlnet", "xmod",
})  # fmt: skip
_RECURRENT = frozenset({"mamba", "mamba2", "falcon_mamba", "rwkv", "rwkv5", "rwkv6", "rwkv7", "xlstm", "retnet", "hyena"})
_FIELDS = {
    "compress_ratios": "keys and values kept for groups of tokens",
    "ssm_cfg": "layers that keep a state instead of keys and values",
}


def refuse(file: Fields) -> None:
    """ValueError for a file that describes something else than a decoder with a KV cache."""
    kind = file.text("model_type")
    if kind in _RECURRENT:
        raise ValueError(f"model_type: expected layers that keep keys and values, got {kind}, which keeps a state alone")
    if kind not in _ENCODERS and file.flag("is_encoder_decoder", False):
        raise ValueError("is_encoder_decoder: expected a decoder-only language model, got true")
    if kind in _ENCODERS or _is_encoder(file):
        raise ValueError(f"model_type: expected a decoder-only language model, got {kind or 'an encoder'}")
    for field, reason in _FIELDS.items():
        if file.raw(field):
            raise ValueError(f"{field}: expected layers that keep the keys and values of every token, got {reason}")


def _is_encoder(file: Fields) -> bool:
    """BERT and its like, under whatever name: a table of sentence types, or a head that fills in masked words."""
    names = file.raw("architectures") or []
    if not isinstance(names, list):
        raise ValueError(f"architectures: expected a list of names, got {excerpt(names)}")
    masked = any(isinstance(name, str) and name.endswith(("ForMaskedLM", "ForPreTraining")) for name in names)
    return (masked or file.raw("type_vocab_size") is not None) and not file.flag("is_decoder", False)
