"""Checkpoint folders for tests: copies of the fixtures with a tensor, a key of config.json or the tokenizer changed."""

import json
import struct
from pathlib import Path

import numpy as np

from engine.trained.safetensors import TensorFile

FIXTURES = Path(__file__).parents[1] / "fixtures"
TYPES = {np.dtype(np.float32): "F32", np.dtype(np.float16): "F16", np.dtype(np.uint16): "BF16", np.dtype(np.int64): "I64"}


def file_bytes(header: bytes, data: bytes = b"") -> bytes:
    """A safetensors file out of its header's JSON and its data."""
    return struct.pack("<Q", len(header)) + header + data


def packed(tensors: dict[str, np.ndarray], pad: int = 0) -> bytes:
    """A sound file of these tensors; uint16 arrays are bfloat16 bits. `pad` spaces in the header shift the data."""
    header, data = {}, b""
    for name, array in tensors.items():
        offsets = [len(data), len(data) + array.nbytes]
        header[name] = {"dtype": TYPES[array.dtype], "shape": list(array.shape), "data_offsets": offsets}
        data += array.tobytes()
    return file_bytes(json.dumps(header).encode() + b" " * pad, data)


def tensors_of(folder: Path) -> dict[str, np.ndarray]:
    """The tensors of a single-file fixture as arrays."""
    file = TensorFile(folder / "model.safetensors")
    return {name: np.array(file.view(name)) for name in file.entries}


def change_config(folder: Path, **changes) -> None:
    """Set keys of config.json; None removes one."""
    config = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(json.dumps({key: value for key, value in config.items() if value is not None}))


def change_tensors(folder: Path, **changes) -> None:
    """Replace, add or (None) drop tensors, named without the "model." in front."""
    tensors = tensors_of(folder) | {name: array for name, array in changes.items()}
    (folder / "model.safetensors").write_bytes(packed({name: a for name, a in tensors.items() if a is not None}))


def tokenizer_json(changes=()):
    """A file of four words, with `changes`."""
    model = {"type": "WordLevel", "vocab": {"<s>": 0, "a": 1, "b": 2, "?": 3}, "unk_token": "?"}
    return json.dumps({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model} | dict(changes))


MARK = {"SpecialToken": {"id": "<s>", "type_id": 0}}
TEXT = {"Sequence": {"id": "A", "type_id": 0}}
LONGER = {"type": "Replace", "pattern": {"String": "x"}, "content": "y " * 1_000_000}
HOSTILE = {
    "has no token for unknown words": {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"}},
    "panics": {"post_processor": {"type": "TemplateProcessing", "single": [MARK, TEXT], "pair": [], "special_tokens": {}}},
    "aborts": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////w=="}},
    "never ends": {"normalizer": LONGER},
    "pads": {"padding": {"strategy": {"Fixed": 200_000_000}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                         "pad_type_id": 0, "pad_token": "a"}},
    "cuts": {"truncation": {"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0}},
}  # fmt: skip
READABLE = ("pads", "cuts")  # the file's padding and truncation are not used
