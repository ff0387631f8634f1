"""Pasted text: whatever stands in the box for a config.json, or in any other field, is read or refused in a sentence."""

import json

import pytest
from app_pages import alone, application, of_visit, show, visited
from configs import CONFIGS, LLAMA
from hostile import JSON, WORDS, bounded, door, fuzz, sentences_only, written
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cost import DEVICES, memory_use
from engine.cost.multiplication import kv_factors
from engine.trained.config import read_config
from engine.trained.safetensors import parse_object
from pages.parts.hardware import pasted_config
from pages.parts.hardware.pasted_config import Pasted

# Kept findings, and what has broken readers of JSON elsewhere.
FOUND = [
    written(LLAMA | {name: "x\ud800"}) for name in ("_name_or_path", "model_type", "hidden_act", "torch_dtype")
] + [
    written(LLAMA | {"rope_scaling": {"rope_type": "\udfff", "factor": 2.0}}),
    written(LLAMA | {"rope_scaling": {"type": "x\ud800x", "factor": 2.0}}),
    written(LLAMA | {"_name_or_path": "https://login.evil.tld/x :streamlit: www.evil.tld a@evil.tld"}),
    written(LLAMA | {"model_type": "https://login.evil.tld/x"}), written(LLAMA | {"model_type": "www.evil.tld"}),
    written(LLAMA)[:-1], "{" * 60_000, "[" * 60_000, '{"a":' * 9_000, "9" * 60_000, '{"vocab_size": ' + "9" * 5000 + "}",
    written(LLAMA | {"vocab_size": float("nan"), "hidden_size": float("inf")}), '{"a": 1e999}', "\ud800", '"\ud800"', "\ufeff{}",
    "null", "[]", "\x00", '{"": {}}', written({"text_config": LLAMA | {"model_type": "\ud800"}}), "x" * 70_000, *WORDS[:30],
    written(LLAMA | {"layer_types": ["\ud800"] * 4}), written(LLAMA | {"num_hidden_layers": "\ud800"}),
    written(LLAMA | {"\ud800": "\ud800"}), written(LLAMA | {"mlp_only_layers": ["\ud800"]}),
]  # fmt: skip


def used(text):
    """Everything that the lessons do with a pasted model: its name and notes, its sizes."""
    shape = pasted_config.read(text)
    for said in (shape.name, *shape.understood, *shape.assumed):
        said.encode()
    memory_use(shape, 4096, DEVICES["A100-80"])
    kv_factors(shape, 4096)
    return shape


@fuzz(150)
@given(config=CONFIGS)
def test_any_config_is_read_or_refused(config):
    text = written(config)
    door(lambda: used(text))
    door(lambda: read_config(json.loads(text)))


def edited(text):
    """A text of which a part is gone or replaced."""
    return st.tuples(st.integers(0, len(text)), st.text(max_size=3)).map(lambda at: text[: at[0]] + at[1] + text[at[0] + 1 :])


@fuzz(80)
@given(text=st.text(max_size=200) | JSON.map(written) | CONFIGS.map(written).flatmap(edited))
def test_any_text_is_read_or_refused(text):
    door(lambda: used(text))


@fuzz(80)
@given(data=st.binary(max_size=200) | JSON.map(lambda value: written(value).encode()))
@example(data=b'{"a": "\\ud800"}')
@example(data=b"\xed\xa0\x80")
def test_any_bytes_are_a_json_object_or_refused(data):
    door(lambda: parse_object(data, "config.json"))


@pytest.mark.parametrize("text", FOUND, ids=range(len(FOUND)))
def test_what_was_found_once_is_read_or_refused(text):
    door(lambda: used(text))


def paste(at, text):
    at.text_area(key="config_text").set_value(text)
    next(b for b in at.button if b.label == "Use this model").click()
    with bounded():
        at.run()
    sentences_only(at)


@pytest.fixture(scope="module")
def other():
    """Another visitor, who is given what was pasted. The first visit of a process also imports, loads and measures."""
    for lesson in ("memory", "roofline"):
        alone(lesson).run()
    return application().run()


# Of words that are no JSON the page says one sentence: those that could become a link in it, and some of the others.
# None that is not Unicode: no browser sends it.
ON_A_PAGE = [
    text
    for at, text in enumerate(FOUND)
    if (text not in WORDS or "evil" in text or at % 4 == 0) and not any("\ud800" <= letter <= "\udfff" for letter in text)
]


@pytest.mark.parametrize("text", ON_A_PAGE, ids=range(len(ON_A_PAGE)))
def test_a_page_survives_what_is_pasted(other, text):
    """The box, in a visit of its own, since a bad model would stay, and on the step that has it; what could be read then on all steps of
    the lessons about hardware."""
    at = visited("memory", slide=1)
    paste(at, text)
    if of_visit(at, Pasted).problem == "":
        of_visit(other, Pasted).shape = of_visit(at, Pasted).shape
        for lesson in ("memory", "roofline"):
            show(other.switch_page(f"pages/{lesson}.py"), {"model": "pasted"})
            sentences_only(other)


@fuzz(15)
@given(config=CONFIGS)
@pytest.mark.usefixtures("other")
def test_the_lesson_stands_with_any_config(config):
    paste(alone("memory").run(), written(config))
