"""The small trained model that comes with the program: four moments of one training, a vocabulary and nothing to download.

It was trained by tests/fixtures/training on stories of our own grammar. Its language has some four hundred words; within it the
model knows seasons, tastes, who has what, and how to continue a list it has read once. The checkpoints show how it came to that.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from engine.trained.config import read_config
from engine.trained.loading import load_files
from engine.trained.safetensors import TensorFile, parse_object
from engine.trained.tokenizer import WordTokenizer
from engine.trained.transformer import Transformer

FOLDER = Path(__file__).resolve().parent / "small_model"
CHECKPOINTS = ("untrained", "before", "after", "final")  # in the order of training; before and after the induction heads form


@dataclass(frozen=True)
class Checkpoint:
    """One saved moment of the training. step: optimiser steps done; loss: mean loss in nats a word at that time."""

    name: str
    step: int
    loss: float


def bundled(checkpoint: str = "final") -> Transformer:
    """The bundled model with its word tokenizer: read once, then shared. ValueError for an unknown name."""
    return _bundled(checkpoint)  # a call of its own, so that bundled() and bundled("final") are one entry


@lru_cache(maxsize=len(CHECKPOINTS))
def _bundled(checkpoint: str) -> Transformer:
    tokenizer = WordTokenizer(parse_object((FOLDER / "vocabulary.json").read_bytes(), "vocabulary.json")["words"])
    config = read_config(parse_object((FOLDER / "config.json").read_bytes(), "config.json"))
    return load_files(config, [_file(checkpoint)], tokenizer)


@cache
def checkpoints() -> tuple[Checkpoint, ...]:
    """The checkpoints in the order of training, with what their files say of themselves; these are read once."""
    files = ((name, TensorFile(_file(name)).metadata) for name in CHECKPOINTS)
    return tuple(Checkpoint(name, int(metadata["step"]), float(metadata["loss"])) for name, metadata in files)


def _file(checkpoint: str) -> Path:
    if checkpoint not in CHECKPOINTS:
        raise ValueError(f"checkpoint: expected one of {', '.join(CHECKPOINTS)}, got {str(checkpoint)[:40]!r}")
    return FOLDER / f"{checkpoint}.safetensors"
