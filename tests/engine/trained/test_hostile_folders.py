"""Folders that nobody vouches for, through both lessons: each ends as a sentence, and the rest of the page goes on."""

import json
import os
import shutil
from functools import partial
from itertools import cycle

import numpy as np
import pytest
from app_pages import FIXTURES, alone, figures, press, ran, text
from checkpoints import HOSTILE, READABLE, change_tensors, tensors_of, tokenizer_json

from engine import bundled
from pages.parts.sharing import shared_work
from pages.parts.trained import model

LESSONS = ("inside", "generate")  # which open folders alike: each kind of folder is tried on one of them


@pytest.fixture
def folder(tmp_path, monkeypatch, no_results):
    """A folder on offer, small and sound, that a test may break; its models are not those of other tests."""
    monkeypatch.setenv(model.VARIABLE, str(tmp_path))
    return shutil.copytree(FIXTURES / "qwen2", tmp_path / "own")


def opened(lesson, **extras):
    """The lesson with the folder and, whatever is wrong with that, a field to type a prompt in and no path of the machine."""
    at = alone(lesson)
    at.query_params.update({"source": "own", **extras})
    ran(at)
    assert at.text_input(key="typed") and str(os.environ[model.VARIABLE]) not in text(at).replace("\\", "")
    return at


def weights_not_finite(folder, value=np.nan):
    name = next(n for n, a in tensors_of(folder).items() if a.dtype != np.int64)
    array = tensors_of(folder)[name]
    array[-1] = value
    change_tensors(folder, **{name: array})


def shards(folder, *names):
    """An index in place of the one file."""
    (folder / "model.safetensors").unlink()
    listed = {f"tensor {i}": name for i, name in enumerate(names)}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": listed}))


def a_missing_shard(folder):
    shards(folder, "a.safetensors")


def a_pipe_as_a_shard(folder):
    shards(folder, "a.safetensors")
    os.mkfifo(folder / "a.safetensors")


def a_link_out_of_the_folder(folder):
    (folder.parent / "secret").write_text("secret")
    (folder / "tokenizer.json").symlink_to(folder.parent / "secret")


def a_link_to_itself(folder):
    (folder / "tokenizer.json").symlink_to(folder / "tokenizer.json")


def a_file_that_may_not_be_read(folder):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").mkdir()


BROKEN = {
    weights_not_finite: "expected finite numbers, got others in model.safetensors",
    partial(weights_not_finite, value=np.inf): "expected finite numbers",
    a_missing_shard: "a.safetensors: expected a file, got none",
    a_pipe_as_a_shard: "a.safetensors: expected a file, got something else",
    a_link_out_of_the_folder: "tokenizer.json: expected a file of this folder, got a link that leads out of it",
    a_link_to_itself: "tokenizer.json: expected a file of this folder|tokenizer.json: Too many levels",
    a_file_that_may_not_be_read: "expected model.safetensors or model.safetensors.index.json",
}


def named(part):
    return getattr(part, "__name__", None) or (part if isinstance(part, str) else "infinite")


@pytest.mark.parametrize(("broken", "lesson"), list(zip(BROKEN, cycle(LESSONS))), ids=named)
def test_a_broken_folder_is_a_sentence_beside_the_bundled_model(folder, lesson, broken):
    """A pipe was waited for without end, a missing shard named the operator's path, and weights that are no numbers ended the
    page with a traceback."""
    broken(folder)
    at = opened(lesson)
    said = text(at).replace("\\", "")
    assert "“own” cannot be opened" in said and any(part in said for part in BROKEN[broken].split("|")), said[:600]
    assert "This is the bundled model." in said and len(figures(at)) >= 2


def test_a_folder_that_was_mended_is_opened_and_a_broken_one_is_read_once(folder, monkeypatch):
    weights_not_finite(folder)
    read = []
    load = model.load
    monkeypatch.setattr(model, "load", lambda *args: read.append(1) or load(*args))
    for _ in range(3):
        assert "cannot be opened" in text(opened("inside"))
    assert read == [1]
    shutil.copy(FIXTURES / "qwen2" / "model.safetensors", folder / "model.safetensors")
    os.utime(folder / "model.safetensors", ns=(0, 2**62))
    assert "cannot be opened" not in text(opened("inside")) and read == [1, 1]


@pytest.mark.parametrize(("name", "lesson"), list(zip(HOSTILE, cycle(LESSONS))))
def test_a_hostile_tokenizer_is_a_sentence_and_the_lesson_goes_on(folder, lesson, name, monkeypatch):
    pytest.importorskip("tokenizers", reason="the tokenizers library is optional")
    monkeypatch.setattr("engine.trained.tokenizer.FileTokenizer.__init__.__defaults__", (20.0, 1.0))
    (folder / "tokenizer.json").write_text(tokenizer_json(HOSTILE[name]))
    at = opened(lesson, prompt="x" * 40)
    assert ("tokenizer.json: expected" in text(at).replace("\\", "")) == (name not in READABLE)
    assert len(figures(at)) >= 2


@pytest.mark.parametrize(("lesson", "what"), [("inside", "A pass over the prompt"), ("generate", "The first 40 words")])
def test_numbers_that_overflow_in_a_pass_are_a_sentence(folder, lesson, what):
    """Each weight is finite, and the products are not: the pass ends in a ValueError, which was a traceback."""
    large = {name: a.astype(np.float32) * np.float32(1e30) for name, a in tensors_of(folder).items() if "proj.weight" in name}
    change_tensors(folder, **large)
    at = opened(lesson)
    assert f"{what} cannot be computed: logits: expected a row of finite numbers" in text(at).replace("\\", ""), text(at)
    assert not figures(at) and at.text_input(key="typed")


# A slow folder


@pytest.fixture
def slow(folder, monkeypatch):
    """The folder counts as a large model, and a run of the page has no time at all: what it shows is what is there."""
    monkeypatch.setattr(model, "SMALL", 1)
    monkeypatch.setattr(shared_work, "RERUN_S", 0)
    return folder


@pytest.mark.parametrize(("lesson", "what"), [("generate", "The first word"), ("inside", "A pass over the prompt")])
def test_what_is_not_finished_is_said_and_goes_on_at_the_next_run(slow, lesson, what, monkeypatch):
    at = opened(lesson)
    assert not at.exception and not figures(at)
    assert f"{what}: 0 of 1 step done" in str([e.proto for e in at.main])
    press(at, "job_stop")
    assert f"{what}: stopped after 0 of 1 step." in "\n".join(e.value for e in at.info)
    monkeypatch.setattr(shared_work, "RERUN_S", 60)
    ran(at)
    assert not figures(at)  # stopped is stopped
    press(at, "job_go_on")
    assert len(figures(at)) >= 2 and not at.info


def test_a_slow_folder_keeps_only_its_own_visitors_waiting(slow, monkeypatch):
    """All models shared one lock, waited for with the turn held: 9.8 s for a word of the bundled model."""
    held = model.Trained("own", "", bundled()).lock
    with held:  # as during another visitor's pass
        monkeypatch.setattr(shared_work, "RERUN_S", 0.01)
        assert "The first word: 0 of 1 step done" in str([e.proto for e in opened("generate").main])
        monkeypatch.setattr(shared_work, "RERUN_S", 60)
        at = alone("generate")
        at.query_params["prompt"] = "The soup is so"
        assert "(1 of 40 words)" in text(ran(at))
