"""Checkpoint folders: whatever their files say, the engine refuses with a reason and the page says it in a sentence."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from app_pages import ROOT
from configs import CHANGES
from folders import FILES, FIXTURES, TOKENIZER, TOKENIZERS, sound
from hostile import JSON, door, fuzz, written
from hypothesis import given
from hypothesis import strategies as st

from engine.trained.loading import load

# Small leaves only: a tokenizer that pads to 2⁴⁰ is one of the cases that have a process of their own.
SMALL = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.floats(-10, 10) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return sound(tmp_path_factory.mktemp("folders"))


def ran(folder):
    """Load, read a text, run a pass: all that a lesson does first."""
    model = load(folder)
    ids = [1, 2, 3]
    if model.tokenizer is not None:
        ids = [i for i in model.tokenizer.encode("w1 w2 zebra") if i < model.n_vocab][:20] or ids
        for text in model.tokenizer.tokens(ids):
            text.encode()
        model.tokenizer.decode(ids).encode()
    assert model.forward(ids).logits.shape == (len(ids), model.n_vocab)
    return model


@fuzz(60)
@given(changes=CHANGES, fixture=st.sampled_from(["qwen2", "gpt2", "llama3", "mistral", "qwen3"]))
def test_any_config_is_opened_or_refused(changes, fixture, tmp_path_factory):
    folder = Path(shutil.copytree(FIXTURES / fixture, tmp_path_factory.mktemp("config") / "model"))
    config = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(written(config))
    door(lambda: ran(folder), OSError)
    shutil.rmtree(folder.parent)


@fuzz(50)
@given(data=st.data())
def test_any_bytes_of_the_weights_are_opened_or_refused(data, tmp_path_factory):
    """Bytes changed in the header, where names, shapes and offsets stand, or the end cut off."""
    folder = sound(tmp_path_factory.mktemp("weights"))
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    header = 8 + int.from_bytes(content[:8], "little")
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, header - 1), st.integers(0, 255)), min_size=1, max_size=4)):
        content[at] = byte
    path.write_bytes(content[: data.draw(st.just(len(content)) | st.integers(0, len(content)))])
    door(lambda: ran(folder), OSError)
    shutil.rmtree(folder.parent)


@fuzz(50)
@given(name=st.sampled_from(["config.json", "tokenizer.json", "model.safetensors.index.json"]), value=JSON)
def test_any_json_in_the_place_of_a_file_is_opened_or_refused(name, value, tmp_path_factory):
    folder = sound(tmp_path_factory.mktemp("files"))
    (folder / name).write_text(written(value))
    if "index" in name:
        (folder / "model.safetensors").unlink()
    door(lambda: ran(folder), OSError)
    shutil.rmtree(folder.parent)


@fuzz(60)
@given(part=st.sampled_from(list(TOKENIZER)), inner=st.none() | st.text(max_size=12), value=SMALL)
def test_any_tokenizer_is_opened_or_refused(part, inner, value, place):
    changed = {**TOKENIZER[part], inner: value} if inner and isinstance(TOKENIZER[part], dict) else value
    (place / "tokenizer.json").write_text(written(TOKENIZER | {part: changed}))
    door(lambda: ran(place), OSError)


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and limits of a process")
def test_a_page_says_what_is_wrong_with_a_folder_and_stands(tmp_path):
    """Each folder is opened in a process with limits, a copy of one that has loaded the application."""
    here = Path(__file__).parent
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (here, here.parent / "helpers", ROOT)))}
    subprocess.run(
        [sys.executable, "folders.py", str(tmp_path)], cwd=here, env=environment, check=True, stderr=subprocess.DEVNULL
    )
    names = [*FILES, *TOKENIZERS]
    badly = [n for n in range(len(names)) if (tmp_path / f"{n}.ended").read_text() != "well"]
    assert {names[n]: (tmp_path / f"{n}.txt").read_text()[-1500:] or "it did not end" for n in badly} == {}


def test_the_sound_folder_is_opened(tmp_path):
    """Else every one of the above could be refused for a reason that is not its own."""
    model = ran(sound(tmp_path))
    assert np.isfinite(model.forward([1, 2, 3]).logits).all()
    assert model.tokenizer.encode("w1 w2 zebra") == [1, 2, 0]
