"""Opens a trained model from a folder in the Hugging Face layout: config.json, model.safetensors or its shards, tokenizer.json.

What the configuration says the model must hold is compared with what the files say they hold, name by name and shape by
shape, before any memory is taken. float32 matrices that need no rearranging stay where they are, in the mapped file; the
others are copied once, as float32.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from engine.trained.config import Config, read_config
from engine.trained.safetensors import READABLE, TensorFile, parse_object
from engine.trained.tensor_names import HEAD, Params, Source, all_sources, assemble
from engine.trained.tokenizer import FileTokenizer, Tokenizer
from engine.trained.transformer import Transformer

MAX_JSON_BYTES, MAX_SHARDS = 20_000_000, 1000
# What a file may hold beside the parameters: constants that older versions of transformers saved with them.
BUFFERS = (".attn.bias", ".attn.masked_bias", ".rotary_emb.inv_freq")
PREFIXES = ("", "transformer.", "model.")


def load(folder: str | Path, progress: Callable[[float], None] | None = None) -> Transformer:
    """The model in `folder`, with its tokenizer where the folder has a tokenizer.json (else model.tokenizer is None).

    progress is called with the share of parameters read, up to 1. Raises ValueError naming the file, or the tensor and both
    shapes, when something is broken, missing, too much, not finite or not supported; FileNotFoundError when there is no
    such file.
    """
    try:
        if not Path(folder).is_dir():
            asked = Path(folder).name if Path(folder).is_absolute() else str(folder)[-80:]
            raise FileNotFoundError(
                f"{asked}: expected a folder of this machine with config.json and safetensors, got no such folder; nothing is "
                "fetched: download the model, and give the folder that it lies in"
            )
        return _load(Path(folder), progress)
    except OSError as error:
        if error.filename is None:  # a sentence of ours
            raise
        # The system's message names the whole path. Whoever opens the lesson reads it, and need not know the operator's folders.
        name = Path(error.filename).name
        raise type(error)(f"{name}: expected a file that can be read, got: {error.strerror}") from None


def _load(folder: Path, progress: Callable[[float], None] | None) -> Transformer:
    config = read_config(parse_object(_read_bytes(folder / "config.json"), "config.json"))
    tokenizer = FileTokenizer(folder / "tokenizer.json") if (folder / "tokenizer.json").is_file() else None
    return load_files(config, weight_files(folder), tokenizer, progress)


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a folder: model.safetensors, or those that its index lists. None outside the folder is taken."""
    if (folder / "model.safetensors").is_file():
        return [folder / "model.safetensors"]
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        raise FileNotFoundError(f"{folder.name}: expected model.safetensors or model.safetensors.index.json, got neither")
    listed = parse_object(_read_bytes(index), index.name).get("weight_map")
    if not isinstance(listed, dict) or not all(isinstance(name, str) for name in listed.values()):
        raise ValueError(f"{index.name}: weight_map: expected tensor names and file names, got {str(listed)[:80]}")
    names = sorted(set(listed.values()))
    if len(names) > MAX_SHARDS:
        raise ValueError(f"{index.name}: expected at most {MAX_SHARDS} files, got {len(names)}")
    for name in names:
        if not name.endswith(".safetensors") or "/" in name or "\\" in name or "\0" in name:
            raise ValueError(f"{index.name}: expected the name of a .safetensors file in the same folder, got {name[:80]!r}")
    return [folder / name for name in names]


def load_files(
    config: Config, paths: Sequence[Path], tokenizer: Tokenizer | None, progress: Callable[[float], None] | None = None
) -> Transformer:
    """A model of the given configuration out of safetensors files; see `load`."""
    where: dict[str, tuple[TensorFile, str]] = {}
    for path in paths:
        file = TensorFile(path)
        for name in file.entries:
            if where.setdefault(_without_prefix(name), (file, name))[0] is not file or where[_without_prefix(name)][1] != name:
                raise ValueError(
                    f"{name:.80}: expected once, got it in {where[_without_prefix(name)][0].path.name} and {path.name}"
                )
    check_tensors(config, where)
    return Transformer(config, _params(config, where, progress), tokenizer)


def check_tensors(config: Config, where: dict[str, tuple[TensorFile, str]]) -> None:
    """ValueError unless the files hold exactly the tensors of the configuration, in the right shapes and readable dtypes."""
    expected = set()
    for source in all_sources(config):
        for name, shape in zip(source.names, source.shapes, strict=True):
            if name not in where:
                raise ValueError(f"{name}: expected shape {shape}, got no such tensor in the checkpoint")
            expected.add(name)
            entry = where[name][0].entries[where[name][1]]
            if entry.shape != shape:
                raise ValueError(f"{name}: expected shape {shape} by config.json, got {entry.shape}")
            if entry.dtype not in READABLE:
                raise ValueError(f"{name}: expected dtype {', '.join(READABLE)}, got {entry.dtype}")
    if config.tied and HEAD in where:
        expected.add(HEAD)
        _check_tied(where)
    extra = sorted(name for name in where if name not in expected and not name.endswith(BUFFERS))
    if extra:
        got = where[extra[0]][0].entries[where[extra[0]][1]].shape
        raise ValueError(f"{extra[0]:.80}: expected no such tensor by config.json, got one of shape {got}")


def _check_tied(where: dict[str, tuple[TensorFile, str]]) -> None:
    """A tied head may be in the file all the same, but then it has to be the embedding."""
    embedding = next(name for name in ("wte.weight", "embed_tokens.weight") if name in where)
    head, tokens = (where[name][0].entries[where[name][1]] for name in (HEAD, embedding))
    if (head.dtype, head.shape) != (tokens.dtype, tokens.shape):
        raise ValueError(f"{HEAD}: tied by config.json: expected {tokens.dtype} {tokens.shape}, got {head.dtype} {head.shape}")
    head_rows, token_rows = (where[name][0].view(where[name][1]) for name in (HEAD, embedding))
    if not all(np.array_equal(a, b) for a, b in zip(head_rows, token_rows, strict=True)):
        raise ValueError(f"{HEAD}: tied by config.json: expected the values of {embedding}, got others")


def _params(config: Config, where: dict, progress: Callable[[float], None] | None) -> Params:
    sources = sum(1 for _ in all_sources(config))
    done = 0

    def read(source: Source) -> np.ndarray:
        nonlocal done
        array = _read_source(source, where)
        done += 1
        if progress:
            progress(done / sources)
        return array

    return assemble(config, read)


def _read_source(source: Source, where: dict) -> np.ndarray:
    """One parameter as float32, its numbers found finite: a view of the file where that is possible, else one copy, stacked and
    turned as it is needed."""
    tensors = [where[name] for name in source.names]
    for file, name in tensors:
        file.check_finite(name)
    if len(tensors) == 1 and not source.transposed:
        file, name = tensors[0]
        array = file.view(name)
        # An odd header leaves the floats at odd addresses; matrix products would copy such a matrix at every call.
        if array.dtype == np.float32 and array.flags.aligned and file.entries[name].dtype == "F32":
            return array
    shapes = [shape[::-1] if source.transposed else shape for shape in source.shapes]
    out = np.empty((sum(shape[0] for shape in shapes), *shapes[0][1:]), np.float32)
    start = 0
    for (file, name), shape in zip(tensors, shapes, strict=True):
        file.copy_to(name, out[start : start + shape[0]], source.transposed)
        start += shape[0]
    out.flags.writeable = False
    return out


def _without_prefix(name: str) -> str:
    """A tensor's name without the prefix that some files have and some have not."""
    for prefix in PREFIXES[1:]:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def _read_bytes(path: Path) -> bytes:
    if not path.is_file():
        raise FileNotFoundError(f"{path.parent.name}: expected {path.name}, got no such file")
    n_bytes = path.stat().st_size
    if n_bytes > MAX_JSON_BYTES:
        raise ValueError(f"{path.name}: expected at most {MAX_JSON_BYTES} bytes, got {n_bytes}")
    return path.read_bytes()
