"""Every step of the story, and many others, fit a phone: no figure is wider than it, and nothing is written beyond its edges."""

import re
from html import unescape

import pytest
from app_pages import alone, figures, of_visit, ran

from pages.app.route_steps import ROUTES
from pages.parts.drawing.sheet import PHONE, ems
from pages.parts.teaching.routes import STORY
from pages.parts.visit.display import Screen

NEAR = 12 / PHONE  # a few pixels: how wide letters are is known to some hundredths


FITTED = [
    ("logits", 3), ("logits", 4), ("logits", 5), ("logits", 6), ("less", 4), ("paging", 1), ("paging", 2),
    ("paging", 3), ("paging", 4), ("tiles", 1), ("tiles", 2), ("tiles", 3), ("memory", 2), ("memory", 3),
    ("inside", 1), ("inside", 2), ("inside", 3), ("second_turn", 1), ("second_turn", 2), ("counting", 4), ("decode", 2),
]  # fmt: skip


def within_a_phone(at):
    """The figures of a page that a phone has asked for, none of which is wider than it or writes beyond its edges."""
    of_visit(at, Screen).narrow = True
    shown = figures(ran(at))
    assert shown
    for figure, alt in shown:
        assert figure["layout"]["meta"]["min_width"] <= PHONE, alt
        for trace in figure["data"]:
            if trace.get("mode") != "text":
                continue
            for x, text, size, place in zip(
                trace["x"], trace["text"], trace["textfont"]["size"], trace["textposition"], strict=True
            ):
                wide = ems(unescape(re.sub(r"</?\w+>", "", text))) * size / PHONE
                left = x - {"left": 1, "center": 0.5, "right": 0}[place.split()[1]] * wide
                assert left >= -NEAR and left + wide <= 1 + NEAR, (alt, text, left, left + wide)


@pytest.mark.parametrize("stop", ROUTES[STORY], ids=lambda stop: stop.name)
def test_a_step_of_the_story_fits_a_phone(stop):
    at = alone(stop.lesson)
    at.query_params.update({"steps": "", "slide": str(stop.at), "route": STORY})
    within_a_phone(at)


@pytest.mark.parametrize("answers", ["", "shown"])
@pytest.mark.parametrize(("lesson", "step"), FITTED)
def test_a_step_of_another_lesson_fits_a_phone(lesson, step, answers):
    at = alone(lesson)
    at.query_params.update({"steps": "", "slide": str(step), "answers": answers})
    within_a_phone(at)


MOVED_BENEATH = [
    ("attention", 1), ("counting", 1), ("counting", 2), ("counting", 5), ("decode", 1), ("guess", 1), ("guess", 2), ("less", 1),
    ("logits", 1), ("logits", 3), ("many", 1), ("many", 3), ("many", 4), ("memory", 3), ("paging", 2), ("paging", 4), ("prefill", 1),
    ("prefill", 3), ("roofline", 2), ("roofline", 4), ("rules", 1), ("rules", 4), ("second_turn", 1),
    ("second_turn", 2), ("tiles", 1), ("tiles", 2), ("tiles", 3),
]  # fmt: skip
MOVES = {"slider", "select_slider", "number_input", "button_group", "selectbox"}


@pytest.mark.parametrize(("lesson", "step"), MOVED_BENEATH)
def test_a_phone_has_the_figure_and_what_is_asked_of_it_before_all_that_moves_it(lesson, step):
    """A screen full of sliders stood before the picture, or between it and its question, whose answer was read without it."""
    at = alone(lesson)
    at.query_params.update({"steps": "", "slide": str(step)})
    of_visit(at, Screen).narrow = True
    shown = list(ran(at).main)
    kinds = ["figure" if getattr(getattr(e, "proto", None), "component_name", "") == "figure" else e.type for e in shown]
    asked = [k for k, e in enumerate(shown) if str(getattr(e, "key", "")).startswith("predict_")]
    moves = [k for k, kind in enumerate(kinds) if kind in MOVES and not str(shown[k].key).startswith("guess_")]
    assert max([kinds.index("figure"), *asked]) < moves[0]


def test_what_carries_the_meaning_stays_on_a_phone():
    """Gone were the word that goes back in, whose numbers those beneath a broken cache are, and the end of “in tokens”."""

    def shown(lesson, step):
        at = alone(lesson)
        at.query_params.update({"steps": "", "slide": str(step)})
        of_visit(at, Screen).narrow = True
        return ran(at)

    drawn = [figures(shown(*where))[0][0] for where in (("decode", 1), ("cache", 5))]
    written = [" ".join(figure["data"][-1]["text"]) for figure in drawn]
    assert written[0].count("<b>nice</b>") == 2 and "logits off by" in written[1]
    assert shown("paging", 3).number_input[0].placeholder == "in tokens"
