"""What programs call a model, a device, a type of numbers, and which of those that are listed here it is."""

import re
from collections.abc import Sequence

from engine.cost import DEVICES, MODELS, ModelShape

TYPE_BITS = {  # bits a number, scales included (llama.cpp, ggml-common.h: bytes of a block over its numbers)
    "f32": 32, "f16": 16, "bf16": 16, "q8_0": 8.5, "q5_1": 6, "q5_0": 5.5, "q4_1": 5, "q4_0": 4.5, "iq4_nl": 4.5,
}  # fmt: skip
FLOAT_BITS = {  # as PyTorch and the two servers call them; packed types (uint8) do not say their bits
    "float32": 32, "float": 32, "bfloat16": 16, "float16": 16, "half": 16, "fp16": 16, "bf16": 16, "int8": 8, "fp8": 8,
    "fp8_e4m3": 8, "fp8_e5m2": 8, "fp8_inc": 8, "float8_e4m3fn": 8, "float8_e5m2": 8, "float8_e4m3fnuz": 8,
}  # fmt: skip
DEVICE_NAMES = {  # as nvidia-smi and llama.cpp print those that are listed under another name
    "a100-sxm4-40gb": "A100-40", "a100-sxm4-80gb": "A100-80", "h100 80gb hbm3": "H100 SXM", "rtx a6000": "A6000",
    "gb10": "DGX Spark", "rtx pro 6000 blackwell workstation edition": "RTX PRO 6000",
    "rtx pro 6000 blackwell server edition": "RTX PRO 6000",
}  # fmt: skip
MAKERS = {"nvidia", "amd", "geforce", "tesla", "instinct", "gpu"}  # words of a device’s name that make no other device
FAMILIES = {  # what llama.cpp calls an architecture -> what its config.json does
    "llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "phi3": "phi3", "qwen3moe": "qwen3_moe",
}  # fmt: skip
TRAINED_FURTHER = {"instruct", "chat", "it", "hf", "base"}  # words of a name that change nothing in the shape
STORED = {"gguf", "awq", "gptq", "fp8", "bf16", "fp16", "int4", "int8", "4bit", "8bit", "bnb", "w4a16", "w8a8", "quantized",
          "f16", "f32", "mxfp4"}  # fmt: skip
GIVEN_OUT_QUANTISED = {"DeepSeek-V3", "gpt-oss-20b", "gpt-oss-120b"}
NAMES_QUANTISED = re.compile(
    r"(?<![a-z0-9])(?:awq|gptq|(?:nv|mx)?fp[48]|int[48]|[2-8][_-]?bits?|bnb|w\d{1,2}a\d{1,2}\w*|quant(?:ized)?|gguf|exl[23]|hqq|aqlm|"
    r"auto-?round|i?q\d_\w+)(?![a-z0-9])",
    re.IGNORECASE,
)
SAME_SHAPE = {  # names of files whose config.json has the widths and layers of a listed one
    "deepseek-r1": "deepseek-v3", "deepseek-r1-0528": "deepseek-v3", "deepseek-v3-0324": "deepseek-v3", "deepseek-v3.1": "deepseek-v3",
    "deepseek-r1-distill-llama-8b": "llama-3.1-8b", "deepseek-r1-distill-llama-70b": "llama-3.1-70b", "llama-3-8b": "llama-3.1-8b",
    "llama-3-70b": "llama-3.1-70b", "llama-3.3-70b": "llama-3.1-70b", "qwen2-7b": "qwen2.5-7b", "qwen2-72b": "qwen2.5-72b",
    "qwen2-0.5b": "qwen2.5-0.5b", "qwen2.5-coder-7b": "qwen2.5-7b",
}  # fmt: skip


def same_name(one: str, other: str) -> bool:
    """Whether two names are one but for what follows a model's name in that of its files.

    >>> same_name("deepseek-ai/DeepSeek-V3", "DeepSeek-V3"), same_name("deepseek-ai/DeepSeek-R1", "DeepSeek-V3")
    (True, False)
    """
    return _key(one.rstrip("/").split("/")[-1]) == _key(other)


def last_part(name: str) -> str:
    """A model's own name in a path of folders; the whole where its last part is a version's number or any folder's name.

    >>> last_part("/data/my models/Qwen2.5-3B/"), last_part("Qwen/Qwen3-8B"), last_part("/mnt/models")
    ('Qwen2.5-3B', 'Qwen/Qwen3-8B', '/mnt/models')
    """
    last = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    own = re.search(r"[a-zA-Z]", last) and re.search(r"\d|\.gguf$", last) and not re.fullmatch(r"[0-9a-f]{20,64}", last)
    return last if own and re.match(r"[A-Za-z]:\\|[/~.]", name) else name


def any_folder(name: str) -> bool:
    """Whether a path ends in a name that a folder of any model has.

    >>> [any_folder(name) for name in ("/model", "/mnt/models/", "/repository", "/models/Qwen3-8B", "org/model")]
    [True, True, True, False, False]
    """
    return bool(re.fullmatch(r"(?:[A-Za-z]:\\|[/~.])(?:.*[/\\])?(?i:models?|repository)[/\\]?", name))


def listed(model: str) -> ModelShape | None:
    """The listed model whose file has this name, whatever it was trained for or stored as.

    >>> listed("/data/models--meta-llama--Meta-Llama-3.1-8B-Instruct/snapshots/0e9e39f2").name
    'Llama-3.1-8B'
    >>> listed("deepseek-ai/DeepSeek-R1-Distill-Llama-8B").name, listed("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B"), listed("/mnt/models")
    ('Llama-3.1-8B', None, None)
    """
    cached = re.search(r"models--[\w.-]+?--([\w.-]+)", model)
    path = [part for part in re.split(r"[/\\]", model) if not re.fullmatch(r"[0-9a-f]{20,64}|", part)] or [""]  # a version’s hash
    own = _key(cached[1] if cached else path[-1])
    own = next((shape for name, shape in SAME_SHAPE.items() if own == _key(name)), own)
    return next((shape for shape in MODELS.values() if own and _key(own) == _key(shape.source.split("/")[-2])), None)


def of_one_model(names: Sequence[str]) -> bool:
    """Whether all of these name one model: in several folders, or in several words for what is listed as one.

    >>> of_one_model(["Qwen/Qwen2-VL-7B", "/hub/qwen/Qwen2-VL-7B/"]), of_one_model(["/a/Qwen3-8B", "/a/Qwen3-4B"])
    (True, False)
    """
    shapes = [listed(name) for name in names]
    of_list = shapes[0] is not None and all(shape is shapes[0] for shape in shapes)
    return of_list or len({_key(re.split(r"[/\\]", name.rstrip("/\\"))[-1]) for name in names}) == 1


def _key(name: str) -> str:
    """A model's name without what it was trained for, what it is stored in, and gaps (“DeepSeekV3”: ktransformers issue 1804)."""
    name = name.partition(":")[0]  # a file of llama.cpp’s: “Qwen3-8B-GGUF:Q4_K_M”
    name = re.sub(r"-\d{5}-of-\d{5}$", "", re.sub(r"\.(?:gguf|bin)$", "", name))  # one of a file's parts
    name = re.sub(r"[-_.](?:ud-)?i?q\d(?:_[a-z0-9]{1,3}){0,3}$", "", name.casefold())  # “-Q4_K_M”
    name = re.sub(r"(?<=qwen\d)_(?=\d)", ".", re.sub(r"^llama(?=\d)", "llama-", name))  # “Llama2-70b”, “Qwen2_5-7B”
    words = re.split(r"[\s_-]+", name.replace("___", "."))  # as ModelScope names its folders (vllm issue 42510)
    words = words[1:] if words[:2] == ["meta", "llama"] else words
    return "".join(word for word in words if word not in TRAINED_FURTHER | STORED)


def printed_device(printed: Sequence[str]) -> str:
    """The one name that a log gives its device, whether listed or not; "" for several.

    >>> printed_device(["NVIDIA GeForce GTX 1060 6GB", "GTX 1060"]), printed_device(["RTX 3090", "RTX 4090"])
    ('NVIDIA GeForce GTX 1060 6GB', '')
    """
    names = _whole(printed)
    return names[0] if len(names) == 1 else ""


def _whole(printed: Sequence[str]) -> list[str]:
    """The names that are no part of another one; “NVIDIA_H100_80GB_HBM3” as in the names of vLLM’s files."""
    printed = list(dict.fromkeys(name.replace("_", " ") for name in printed))
    return [name for name in printed if not any(name != other and name in other for other in printed)]


def device_of(printed: Sequence[str]) -> str | None:
    """The one listed device that all of these names mean; None for none, several, or one whose name leaves open which it is.

    >>> device_of(["NVIDIA GeForce RTX 3090", "RTX 3090 24GB"]), device_of(["NVIDIA A100"]), device_of(["NVIDIA GeForce RTX 3090 Ti"])
    ('RTX 3090', None, None)
    """
    own = {name.casefold(): name for name in DEVICES}
    found = set()
    for name in _whole(printed):
        words = " ".join(word for word in name.casefold().split() if word not in MAKERS)
        bare = re.sub(r"[ -](?:\d{1,3} ?gi?b?|sxm\d?(?: ac)?)$", "", words)
        found.add(DEVICE_NAMES.get(words) or own.get(words) or own.get(bare) or own.get(f"rtx {bare}"))
    return found.pop() if len(found) == 1 else None
