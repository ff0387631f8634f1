"""What the tests of the three hardware lessons share: a page with a link, its words, a committed answer, its figures."""

import app_pages
import valid_figures
from app_pages import alts, visited

EXTREMES = [
    {},
    {"model": "Llama-3.1-405B", "device": "TPU v5e", "context": "1048576", "p": "1048576", "g": "4096", "batch": "4096"},
    {"model": "DeepSeek-V3", "n_devices": "32", "bits": "4", "kv_bits": "4", "context": "1", "p": "1", "g": "1"},
    {"model": "Mistral-7B", "device": "Apple M1", "bits": "8", "context": "131072", "batch": "64", "compare": "none"},
    {"model": "Gemma-3-27B", "kv_bits": "8", "kv_heads": "1", "compare": "GPT-2 small,Falcon-7B,Qwen3-30B-A3B,OPT-13B"},
    {"model": "SmolLM2-135M", "device": "B200", "kv_heads": "7", "watts": "700", "price": "2.5"},
    {"model": "../x", "device": "<b>", "context": "-5", "p": "1e9", "g": "x", "batch": "99999999", "bits": "3", "n_devices": "0",
     "compare": "a,b," * 40, "watts": "nan", "price": "-1", "kv_heads": "0x1"},
    {"model": "Qwen3-32B", "device": "DGX Spark", "bits": "6.5625", "context": "32768", "kv_bits": "8"},
    {"tokens": ",".join("abcdefghijklmnop"), "values": ",".join(["1"] * 16), "rules": "all,none,even,odd,first,self,last,all"},
    {"tokens": "a", "values": "0", "rules": "none", "empty": "nan"},
    {"mask": "off", "rules": "none,none", "tokens": "a,b", "values": "1,2"},
]  # fmt: skip

OF_HARDWARE = EXTREMES[1:8]  # without the defaults, and scenarios of which a lesson that is not about the toy shows nothing

OTHER = {
    "_name_or_path": "Qwen2.5-32B", "model_type": "qwen2", "num_hidden_layers": 64, "hidden_size": 5120,
    "num_attention_heads": 40, "num_key_value_heads": 8, "intermediate_size": 27648, "vocab_size": 152064,
    "max_position_embeddings": 131072, "tie_word_embeddings": False, "use_sliding_window": False, "sliding_window": 131072,
}  # fmt: skip


page, alternatives = visited, alts


def text(at):
    """As app_pages.text, without Markdown's escapes."""
    return app_pages.text(at).replace("\\", "")


def helps(at):
    """What stands behind the question marks of a page's sentences, without Markdown's escapes."""
    return "\n".join(one.help for one in at.markdown if one.help).replace("\\", "")


def commit(at, key, guess):
    """As app_pages.commit, without Markdown's escapes."""
    return app_pages.commit(at, key, guess).replace("\\", "")


def checked(figure):
    """A builder's figure, validated by Plotly, and its words."""
    valid = valid_figures.valid(figure.to_plotly_json())
    words = [str(t) for trace in valid.data if trace.mode == "text" for t in trace.text]
    for trace in valid.data:
        ys = [y for y in trace.y if y is not None]
        assert all(-1e-6 <= x <= 1 + 1e-6 for x in trace.x if x is not None)
        assert all(valid.layout.yaxis.range[1] - 5 <= y <= valid.layout.yaxis.range[0] + 5 for y in ys)
    return valid, words
