"""Folders that an operator could offer by mistake or in bad faith, each made of a sound one, and a page that opens one of them.

Some of them block, never end or take all memory where a defect lets them, so each page is opened in a process of its own that has
limits. `python folders.py <empty directory>`, with this folder, its parent and the root in PYTHONPATH, makes all folders, opens
each, and writes down how that ended.
"""

import faulthandler
import gc
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
from app_pages import alone
from hostile import bounded, sentences_only

if sys.platform != "win32":
    import resource

PATIENCE_S, PATIENCE_CPU_S, MEMORY_BYTES = 30, 8, 6 * 2**30  # of one page; far beyond what a sound one takes
FIXTURES = Path(__file__).parents[1] / "fixtures"
PROMPTS = {"short": "w1 w2", "endless": "a" * 60 + "!"}
VOCABULARY = {"<unk>": 0, **{f"w{i}": i for i in range(1, 96)}}
SPLIT = {"type": "Whitespace"}
TOKENIZER = {
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None, "pre_tokenizer": SPLIT,
    "post_processor": None, "decoder": None, "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "<unk>"},
}  # fmt: skip
PAD = {"direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "<unk>"}
CUT = {"direction": "Right", "max_length": 9, "strategy": "LongestFirst", "stride": 0}
MARK = {"SpecialToken": {"id": "x", "type_id": 0}}
BPE = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
       "fuse_unk": False, "byte_fallback": False, "vocab": {"a": 0, "b": 1, "aa": 2}, "merges": [["a", "a"]]}  # fmt: skip
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
TOKENIZERS = {
    "pads to 200 million": {"padding": {"strategy": {"Fixed": 200_000_000}, **PAD}},
    "pads to 2⁶³": {"padding": {"strategy": {"Fixed": 2**63 - 1}, **PAD}},
    "pads to a multiple of 0": {"padding": {"strategy": {"Fixed": 4}, **PAD, "pad_to_multiple_of": 0}},
    "cuts with too long a stride": {"truncation": CUT | {"max_length": 1, "stride": 9}},
    "cuts everything": {"truncation": CUT | {"max_length": 0}},
    "has no unk token": {"model": {"type": "WordLevel", "vocab": {"w90": 0}, "unk_token": "<unk>"}},
    "has no words": {"model": {"type": "WordLevel", "vocab": {}, "unk_token": "<unk>"}},
    "names an unk that is not there": {"model": {"type": "Unigram", "unk_id": 9, "vocab": [["a", 0.0]], "byte_fallback": False}},
    "has chances that are no numbers": {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", -1e308], ["b", 1e308]]}},
    "knows ids beyond the model": {
        "model": {"type": "WordLevel", "vocab": {"w1": 4_000_000_000, "<unk>": 5}, "unk_token": "<unk>"}
    },
    "searches for ever": {"normalizer": {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}},
    "searches for ever in pieces": {
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a|aa)+$"}, "behavior": "Isolated", "invert": False}
    },
    "grows what is typed": {"normalizer": {"type": "Sequence", "normalizers": [
        {"type": "Replace", "pattern": {"String": "w"}, "content": "w" * 90}] * 5}},
    "reads nothing": {"normalizer": {"type": "Replace", "pattern": {"Regex": "."}, "content": ""}},
    "merges what is not there": {"model": BPE | {"merges": [["x", "y"]]}},
    "has no unk in pieces": {"model": BPE, "pre_tokenizer": BYTES},
    "turns ids to text by a broken expression": {"decoder": {"type": "Replace", "pattern": {"Regex": "("}, "content": ""}},
    "has a broken map of characters": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
    "adds marks that have no id": {
        "post_processor": {"type": "TemplateProcessing", "single": [MARK], "pair": [], "special_tokens": {}}
    },
    "is a list": None,
}  # fmt: skip


def sound(place: Path, fixture: str = "qwen2") -> Path:
    """A copy of a fixture beneath `place`, with a tokenizer of a word an id."""
    folder = Path(shutil.copytree(FIXTURES / fixture, place / "model"))
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER))
    return folder


def _weights(value: float, every: int) -> Callable[[Path], None]:
    """Puts `value` in the place of every so-many-th number of all tensors of the gpt2 fixture, which are float32."""

    def change(folder: Path) -> None:
        path = folder / "model.safetensors"
        content = bytearray(path.read_bytes())
        start = 8 + int.from_bytes(content[:8], "little")
        numbers = np.frombuffer(content[start:], "<f4").copy()
        numbers[::every] = value
        path.write_bytes(content[:start] + numbers.tobytes())

    return change


def _in_place_of(name: str, make: Callable[[Path], None], shard: bool = False) -> Callable[[Path], None]:
    """Puts something else where a file should be; a shard is then named by an index."""

    def change(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        if shard:
            (folder / "model.safetensors").unlink()
            (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"norm.weight": name}}))
        make(folder / name)

    return change


def _link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


# What fails with a sentence and blocks nothing is in tests/engine/trained/test_hostile_folders.py.
SHARD = "model-00001-of-00001.safetensors"
FILES = {
    "weights as large as may be": _weights(3e38, 3),
    "no weight but zero": _weights(0.0, 1),
    "a pipe for a shard": _in_place_of(SHARD, lambda path: os.mkfifo(path), shard=True),
    "a pipe for the weights": _in_place_of("model.safetensors", lambda path: os.mkfifo(path)),
    "a pipe for the tokenizer": _in_place_of("tokenizer.json", lambda path: os.mkfifo(path)),
    "a folder for a shard": _in_place_of(SHARD, Path.mkdir, shard=True),
    "a folder for the weights": _in_place_of("model.safetensors", Path.mkdir),
    "an endless shard": _in_place_of(SHARD, _link_to("/dev/zero"), shard=True),
    "an endless tokenizer": _in_place_of("tokenizer.json", _link_to("/dev/zero")),
    "a shard that is a link out of the folder": _in_place_of(SHARD, _link_to("/etc/hostname"), shard=True),
    "weights that are a link to themselves": _in_place_of("model.safetensors", _link_to("model.safetensors")),
    "weights that may not be read": lambda folder: (folder / "model.safetensors").chmod(0),
    "a lone surrogate for a tensor": lambda folder: (folder / "model.safetensors").write_bytes(
        (18).to_bytes(8, "little") + b'{"\\ud800": {}}    '
    ),
    "a lone surrogate for the family": lambda folder: (folder / "config.json").write_text('{"model_type": "\\ud800"}'),
    "a name with an address": lambda folder: folder.rename(folder.with_name("www.evil.tld")),
}


def broken(place: Path, name: str) -> Path:
    """The folder `name` of FILES or TOKENIZERS, beneath `place`."""
    folder = sound(place, "gpt2" if "weight" in name else "qwen2")
    if name in FILES:
        FILES[name](folder)
    else:
        changed = TOKENIZERS[name]
        (folder / "tokenizer.json").write_text(json.dumps([] if changed is None else TOKENIZER | changed))
    return next(place.iterdir())


def opened(folder: Path, lesson: str, prompt: str) -> None:
    """Open a lesson on a folder, within the bounds; AssertionError for whatever is no sentence."""
    os.environ["TOKEN_BY_TOKEN_CHECKPOINTS"] = str(folder.parent)
    at = alone(lesson)
    at.query_params.update({"source": folder.name, "prompt": prompt, "g": "3"})
    with bounded():
        at.run()
    sentences_only(at)


def isolated(folder: Path, lesson: str, prompt: str, said: Path) -> bool:
    """`opened` in a copy of this process that has limits; whether it ended well. What it had to say is in the file `said`."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    with said.open("w") as errors:
        os.dup2(errors.fileno(), 2)
        faulthandler.enable()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE_CPU_S, PATIENCE_CPU_S))
        signal.alarm(PATIENCE_S)
        try:
            opened(folder, lesson, prompt)
        except BaseException:  # a library that panics raises what is no Exception
            traceback.print_exc()
            os._exit(1)
        os._exit(0)


def main(place: Path) -> None:
    """Make each folder beneath `place`, open it, and keep what was said where a page did not stand."""
    for lesson in ("inside", "generate"):
        alone(lesson).run()  # the first visit of a process also imports and loads
    gc.collect()
    gc.freeze()  # what is loaded stays: each copy would look through it, and by that have its own
    for number, name in enumerate((*FILES, *TOKENIZERS)):
        directory = place / str(number)
        directory.mkdir()
        lesson, prompt = ("generate" if name in FILES else "inside"), PROMPTS["endless" if "ever" in name else "short"]
        stands = isolated(broken(directory, name), lesson, prompt, place / f"{number}.txt")
        (place / f"{number}.ended").write_text("well" if stands else "badly")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
