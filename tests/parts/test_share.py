"""The shared link: what it says is what the class finds; its controls stand still where the teacher wants them to."""

from urllib.parse import parse_qsl

import pytest
from app_pages import alone, press, ran, selected, show, visited
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario
from pages.parts.teaching import share
from pages.parts.visit import answer_lock, class_link, control_locks, scenario_query


def controls(at):
    """Every control of the page, the questions and the foot left out."""
    return [
        w for kind in (at.slider, at.select_slider, at.selectbox, at.number_input) for w in kind if "guess" not in (w.key or "")
    ]


@given(st.dictionaries(st.from_regex("[a-z]{1,9}", fullmatch=True), st.text(min_size=1, max_size=40)))
def test_what_is_written_into_a_link_is_what_a_browser_reads_out_of_it(query):
    assert dict(parse_qsl(class_link.as_text(query), keep_blank_values=True)) == query


def test_a_link_locks_all_controls_but_those_it_names():
    at = visited("attention", controls="values,nonsense")
    free = {w.key for w in controls(at) if not w.disabled}
    assert free and all("value_" in key for key in free - {"attention_cell_head"})  # which head is looked at is no edit
    assert next(b for b in at.button if b.key == "reset").disabled
    assert not any(w.disabled for w in controls(visited("attention")))
    everything = visited("memory", controls="none")
    assert controls(everything) and all(w.disabled for w in controls(everything))


def test_a_lock_outlives_a_preset_and_bad_names_lock_nothing():
    at = visited("attention", controls="presets")
    next(box for box in at.selectbox if box.label == "Scenario").set_value("Delicious wins")
    ran(at)
    assert selected(at)["controls"] == "presets"


@pytest.mark.parametrize("nonsense", ["", "<b>", ",,,", "A", "x" * 2000])
def test_bad_names_lock_nothing(monkeypatch, nonsense):
    monkeypatch.setattr(control_locks.scenario, "extra", {control_locks.NAME: nonsense}.get)
    assert control_locks.free() is None


def test_one_step_alone_has_no_other_steps_and_no_way_on():
    at = alone("attention")
    at.query_params.clear()
    at = show(at, {"only": "on", "slide": "3", "steps": ""})
    keys = {b.key for b in at.button}
    assert "leave_only" in keys and not keys & {"slide_next", "slide_back", "present", "share"}
    assert len(at.get("bidi_component")) > 0
    press(at, "leave_only")
    assert "only" not in {k for k, v in selected(at).items() if v}


def test_the_dialog_offers_the_lessons_own_controls_and_keeps_the_scenario():
    at = show(alone("memory"), Scenario(values=(1, 2, 3, 4)))
    at.session_state["share_lock"] = True
    press(at, "share")
    assert {"Model", "Device", "Prompt, tokens"} <= set(at.multiselect(key="share_free").options)


def test_a_class_begins_with_the_vote_the_notes_and_the_handout_before_it():
    at = show(alone("overview"), {"prepared": "on", "route": "45"})
    assert {"vote_open", "share_route"} <= {b.key for b in at.button} and "notes=on" in at.get("link_button")[0].proto.url
    assert not selected(at).get("prepared")
    press(at, "share_route")
    assert selected(at)["handout"] == "route" and not at.get("link_button")


@pytest.mark.parametrize(("key", "given_out"), [("", False), ("short", False), ("blue tomato", True)])
def test_nothing_is_given_out_as_locked_before_the_lock_stands(monkeypatch, key, given_out):
    links = []
    monkeypatch.setattr(share, "_LINK", lambda key, data: links.append(data["link"]))
    monkeypatch.setattr(share, "qr_code", lambda link: links.append(link) or "<svg></svg>")
    at = alone("attention")
    at.session_state["share_answers"] = at.session_state["share_embed"] = True
    at.session_state["share_key"] = key
    press(show(at, {}), "share")
    assert len(links) == (3 if given_out else 0)  # to copy, the teacher's own, in the code
    assert all(f"{answer_lock.LOCK.name}=" in link for link in links)
    assert [f"{answer_lock.LOCK.name}=" in code.value for code in at.code] == [True] * given_out
    assert any(str(answer_lock.LEAST) in said.value for said in at.warning) is not given_out


@pytest.mark.parametrize(
    ("told", "own", "wanted"),
    [
        ("http://localhost:8501/attention", "192.168.1.7", "http://192.168.1.7:8501/attention"),
        ("http://127.0.0.1:8501/", None, "http://127.0.0.1:8501/"),
        ("https://teach.example.org/app/decode", "192.168.1.7", "https://teach.example.org/app/decode"),
        ("javascript:alert(1)", None, ""),
        ("http://a b/", None, ""),
    ],
)
def test_the_address_is_the_browsers_own_and_localhost_is_the_computer_in_its_network(monkeypatch, told, own, wanted):
    monkeypatch.setattr(class_link, "own_address", lambda: own)
    monkeypatch.setattr(class_link.st, "context", type("Context", (), {"url": told}))
    assert class_link.page_address() == wanted


def test_the_longest_link_still_has_a_code():
    large = Scenario([f"w{i}" for i in range(16)], [-1000] * 16, ("at:1.2.3.4",) * 8, w_vocab=[(0.123, 0.2, 0.3)] * 8)
    text = class_link.as_text(scenario_query.to_query(large))
    assert len(text) < share.MOST_IN_CODE and "data:image/svg+xml" in share.qr_code("x" * share.MOST_IN_CODE)
