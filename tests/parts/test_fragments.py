"""A move runs its step alone; what stands around it follows, and whatever a step cannot follow runs the whole page."""

import json
import re
from contextlib import contextmanager
from unittest.mock import patch
from urllib.parse import parse_qsl

import pytest
from app_pages import application, followed, moved, of_visit, ran, selected, shown, text, told
from hardware_pages import OTHER
from streamlit.testing.v1 import local_script_runner

from engine import Scenario
from pages.parts.hardware.pasted_config import Pasted
from pages.parts.visit import scenario
from pages.parts.visit.scenario import Kept


def opened(lesson, **query):
    """The application at a lesson with one step on screen, and the editor in the side bar."""
    at = application().run()
    at.switch_page(f"pages/{lesson}.py")
    at.query_params.update(query)
    return ran(at)


def preset(at):
    return [box.value for box in at.selectbox if box.label == "Scenario"]


def address(at, key):
    """What is written into the address bar, and whether it is said that a step was moved."""
    (bar,) = [e.proto.json for e in at.get("bidi_component") if e.proto.id.endswith(f"-address_{key}")]
    return bar


def test_a_move_draws_its_step_alone_and_writes_the_address_and_then_the_title_follows():
    at = opened("attention", slide="2")
    assert preset(at) == ["Article, text"] and len(at.title) == 1
    assert '"moved": false' in address(at, "2")
    at.slider(key="all_value_2").set_value(100.0)
    moved(at, "step_2")
    assert not at.title and not at.sidebar.expander and not preset(at)  # nothing but the step
    assert "“is” 1 → 100" in text(at) and "values" in address(at, "2") and '"moved": true' in address(at, "2")
    followed(at)
    assert preset(at) == ["Edited"] and len(at.title) == 1 and not at.sidebar.expander  # which shows what it did
    assert "“is” 1 → 100" not in text(at)  # nothing of the step
    followed(at)
    assert not at.title and not preset(at)  # nothing has changed since
    assert "“is” 1 → 100" in text(ran(at))


LIVE = {  # steps with a part that follows the finger: lesson, its link, what is moved and to where; None: a button is pressed
    "One head": ("attention", "slide=1", "value_1", 42.0),
    "Two phases": ("overview", "slide=1", "extra_g", 7),
    "Value and weight": ("rules", "slide=4&answers=shown", "value_1", 42.0),
    "One row": ("decode", "slide=1&step=1", "step_next", None),
    "Row by row": ("cache", "slide=2&step=1", "step_next", None),
    "On the toy": ("less", "slide=1", "extra_newest", 4),
    "One row of tiles": ("tiles", "slide=1&tile=1", "tile_next", None),
    "One row of tiles, to its end": ("tiles", "slide=1&tile=2", "tile_next", None),
    "Blocks": ("paging", "slide=1&event=2", "extra_pool_block", 3),
    "The whole map": ("tiles", "slide=2", "extra_tile_side", 20),
    "All heads": ("attention", "slide=2", "all_value_1", 42.0),
    "One pass or many": ("prefill", "slide=1", "extra_chunk", 3),
    "Pass by pass": ("counting", "slide=1", "extra_g", 16),
    "Where heads look": ("inside", "slide=1", "extra_checkpoint", "untrained"),
    "The clock": ("generate", "slide=1", "extra_g", 12),
    "The second turn": ("second_turn", "slide=1", "extra_block", 2),
}


@contextmanager
def on_screen():
    """The page as it stands: what each place of it shows, by what all runs have sent."""
    page = {}
    parse = local_script_runner.parse_tree_from_messages

    def sent(messages):
        for message in messages:
            if message.WhichOneof("type") == "delta":
                shown = re.sub(
                    r'\n\s*(value: \S+\n\s*)?(set_value|has_one_shot_effect): true|"run": ?\d+|run\W+\d+|fragment_id: "\w+"',
                    "",
                    str(message.delta),
                )
                page[tuple(message.metadata.delta_path)] = "" if "-address_" in shown or "-after_moves" in shown else shown
        return parse(messages)

    with patch.object(local_script_runner, "parse_tree_from_messages", sent):
        yield page


@pytest.mark.parametrize(("lesson", "link", "key", "value"), LIVE.values(), ids=LIVE)
def test_a_move_of_the_live_part_and_what_follows_leave_nothing_stale(lesson, link, key, value):
    at = opened(lesson, **dict(parse_qsl(link)))
    with on_screen() as page:
        ran(at)
        before = dict(page)
        control = next(each for each in (*at.slider, *at.select_slider, *at.button) if each.key == key)
        control.click() if value is None else control.set_value(value)
        moved(at, f"live_{selected(at)['slide'] or 1}")
        assert page != before and not at.title
        drawn = len(at.main)
        followed(at)
        after = dict(page)
        ran(at)
        assert after == page and drawn < len(page)


@pytest.mark.parametrize(("lesson", "step"), [("attention", "1"), ("rules", "4"), ("logits", "3")])
def test_a_number_typed_in_the_side_bar_moves_the_same_part_and_what_follows_leaves_nothing_stale(lesson, step):
    at = opened(lesson, slide=step, answers="shown")
    at.session_state["edit__words"] = True
    with on_screen() as page:
        ran(at)
        before = dict(page)
        told(at, "words_table", "edit", ["token", 1, "value", "42"])
        assert page != before and not at.title and not at.sidebar.text_input and len(at.get("bidi_component")) == 2
        assert any(slider.value == 42 for slider in at.slider)
        followed(at)
        after = dict(page)
        ran(at)
        assert after == page


def test_a_sentence_that_has_to_wait_for_the_first_press_is_there_after_it():
    at = opened("cache", slide="2")
    next(button for button in at.button if button.key == "step_next").click()
    moved(at, "live_2")
    assert "**1 row**" in text(at)


def test_a_preset_chosen_around_the_steps_runs_the_whole_page():
    at = opened("attention")
    (box,) = [box for box in at.selectbox if box.label == "Scenario"]
    box.set_value("Delicious wins")
    moved(at, "title")
    assert preset(at) == ["Delicious wins"] and of_visit(at, Kept).scenario.tokens[0] == "Lunch"
    assert at.slider(key="value_0").value == 40


def test_opening_a_box_of_the_editor_draws_no_step():
    at = opened("attention")
    at.session_state["edit__words"] = True
    moved(at, "side_bar")
    assert [field.label for field in at.sidebar.text_input] == ["Prompt"] and "Lunch" not in shown(at)
    with pytest.raises(KeyError):
        at.slider(key="value_0")


def test_a_prompt_that_is_refused_stays_in_its_field_until_something_is_edited():
    at = opened("attention", answers="shown")
    at.session_state["edit__words"] = True
    too_long = " ".join("abcdefghijklmnopq")
    ran(at).text_input(key="prompt").set_value(too_long)
    assert ran(at).text_input(key="prompt").value == too_long and any("16" in warning.value for warning in at.warning)
    assert ran(at).text_input(key="prompt").value == too_long
    at.slider(key="value_0").set_value(7.0)
    assert ran(at).text_input(key="prompt").value == "Today weather is so" and not at.warning


def test_with_all_steps_on_one_page_the_others_follow_as_well():
    at = opened("attention", steps="all")
    at.slider(key="value_2").set_value(100.0)
    moved(at, "step_1")
    with pytest.raises(KeyError):
        at.slider(key="all_value_2")
    followed(at)
    assert at.slider(key="all_value_2").value == at.slider(key="value_2").value == 100
    assert preset(at) == ["Edited"]


def test_a_refused_edit_is_told_at_once_and_all_stays_as_it_was(monkeypatch):
    at = opened("attention", slide="2")

    def refused(*_):
        raise ValueError("expected a number that this test likes")

    of_visit(at, Kept).edit_problem = ""
    real = scenario.edit
    monkeypatch.setattr(scenario, "edit", lambda change, *args, **kwargs: real(refused))
    at.slider(key="all_value_2").set_value(100.0)
    moved(at, "step_2")
    assert "a number that this test likes" in text(at) and len(at.title) == 1
    assert of_visit(at, Kept).scenario == Scenario.article() and at.slider(key="all_value_2").value == 1


def test_a_move_that_changed_no_step_is_made_good_by_what_follows():
    """A late message for a step that is gone runs its callbacks and draws nothing."""
    at = opened("attention", slide="2")
    of_visit(at, Kept).scenario = Scenario(values=(1, 2, 3, 4))
    followed(at)
    assert at.slider(key="all_value_2").value == 3 and preset(at) == ["Edited"]


def test_the_step_that_is_asked_for_from_within_another_is_shown():
    at = opened("decode", step="2")
    assert {"slide_back", "slide_next", "step_next"} <= {button.key for button in at.button}
    next(button for button in at.button if button.key == "slide_next").click()  # beside the stepper, in its fragment
    moved(at, "step_1")
    assert selected(at)["slide"] == "2" and at.title
    assert "step_2" in at._fragment_storage._ids_by_target_key


def test_presented_the_bar_follows_a_stepper_that_comes_to_its_end():
    at = opened("decode", present="on", step="2")
    next_ = next(button for button in at.button if button.key == "slide_next")
    assert not next_.disabled
    of_visit(at, Kept).extras = {**selected(at), "step": "3"}
    moved(at, "step_1")  # as a question does that adds a row when it is answered
    assert len(at.title) == 1


def test_the_frame_has_the_text_of_a_pasted_model_at_once():
    """The browser brings it back after a lost connection: it stands outside of every step."""
    at = opened("memory")
    at.text_area(key="config_text").set_value(json.dumps(OTHER))
    next(button for button in at.button if button.label == "Use this model").click()
    moved(at, "step_1")
    assert len(at.title) == 1 and of_visit(at, Pasted).text == json.dumps(OTHER)  # the whole page has run
