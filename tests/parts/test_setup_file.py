"""What a hardware lesson saves: model, device, bits and context, and not the toy; and what a stranger's file may do."""

import json

import pytest
from hardware_pages import OTHER, page
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cost import MODELS
from engine.toy.scenario import Scenario
from pages.parts.hardware import setup_file
from pages.parts.teaching import take_home
from pages.parts.visit import scenario_file

MINE = {"model": "Mistral-7B", "device": "H200", "n_devices": 8, "bits": 8, "kv_bits": 4, "context": 5000, "batch": 3}


@pytest.fixture
def visit(monkeypatch):
    """The parameters of one visit without a page: name -> text."""
    extras = {}
    monkeypatch.setattr("pages.parts.visit.scenario.extra", lambda name: extras.get(name, ""))
    monkeypatch.setattr("pages.parts.visit.scenario.set_extra", extras.__setitem__)
    monkeypatch.setattr("pages.parts.hardware.pasted_config.shape", lambda: None)
    return extras


def taken(extras):
    return {name: said for name, said in extras.items() if said}


@pytest.mark.parametrize("lesson", ["memory", "roofline", "bridge"])
def test_a_hardware_lesson_keeps_its_settings_and_not_the_toys_scenario(lesson):
    """Save offered the toy's tokens and rules, and none of the model, the device, the bits and the context."""
    at = page(lesson, {name: str(value) for name, value in MINE.items()})
    _, _, kept = at.session_state["to_save"]
    assert kept.file == "settings.json" and kept is not take_home.SCENARIO
    assert page("decode").session_state["to_save"][2] is take_home.SCENARIO


def test_what_was_saved_comes_back(visit):
    setup_file._set_all(Scenario.article(), json.dumps(MINE))
    assert taken(visit) == {name: str(value) for name, value in MINE.items()}
    assert json.loads(setup_file.to_json(setup_file.setup.setup())) == MINE


@pytest.mark.parametrize("name", ["DeepSeek-V3", "Llama-3.1-8B"])
def test_a_file_with_little_in_it_is_the_defaults_and_those_are_kept_as_nothing(visit, name):
    setup_file._set_all(Scenario.article(), json.dumps({"model": name, "device": "A100-80", "n_devices": 1}))
    assert taken(visit) == {"model": name}
    kept = json.loads(setup_file.to_json(setup_file.setup.setup()))
    assert kept["bits"] == ("file" if MODELS[name].stored_bits else 16)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ({"model": "x"}, "model: expected one of GPT-2"), ({"model": 3}, "model"), ({"device": "H9"}, "device: expected one of"),
        ({"model": "pasted"}, "model: expected one of"), ({"bits": 3}, "bits: expected one of 16, 8, 4, got 3"),
        ({"bits": "file"}, "bits"), ({"bits": True}, "bits"), ({"context": 0}, "context: expected a whole number from 1"),
        ({"context": 1.5}, "context"), ({"batch": 10**400}, "batch"), ({"reserved": float("nan")}, "reserved"),
        ({"config": {"model_type": "bert"}}, "expected a decoder-only"), ({"config": 3}, "JSON object"),
        ({"tokens": ["a"]}, "got 'tokens' besides"), ({}, "fields such as model"), ([1], "fields such as model"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_and_nothing_is_changed(visit, found, told):
    with pytest.raises(ValueError, match=told):
        setup_file._set_all(Scenario.article(), json.dumps(MINE | found if isinstance(found, dict) and found else found))
    assert not taken(visit)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*(p.name for p in setup_file.KEPT), "config"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.just(OTHER) | st.just("file"),
    )
)
def test_any_json_is_settings_or_a_sentence(found):
    try:
        given_fields = setup_file._fields(json.dumps(found))
        setup_file._words(given_fields, None)
        setup_file._numbers(given_fields)
    except ValueError as problem:
        assert 10 < len(str(problem)) < 900


def test_the_texts_of_the_two_kinds_are_told_apart():
    with pytest.raises(ValueError, match="got 'tokens' besides"):
        setup_file._fields(scenario_file.to_json(Scenario.article()))
    with pytest.raises(ValueError, match="got 'model' besides"):
        scenario_file.from_json(json.dumps(MINE))
