"""Every step of the story fits a phone: no figure is wider than it, and nothing is written beyond its edges."""

import re
from html import unescape

import pytest
from app_pages import alone, figures, of_visit, ran

from pages.app.route_steps import ROUTES
from pages.parts.drawing.sheet import PHONE, ems
from pages.parts.teaching.routes import STORY
from pages.parts.visit.display import Screen

NEAR = 12 / PHONE  # a few pixels: how wide letters are is known to some hundredths


@pytest.mark.parametrize("stop", ROUTES[STORY], ids=lambda stop: stop.name)
def test_a_step_of_the_story_fits_a_phone(stop):
    at = alone(stop.lesson)
    at.query_params.update({"steps": "", "slide": str(stop.at), "route": STORY})
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
