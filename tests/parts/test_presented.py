"""Every lesson runs presented, all its steps, with the type that a projector needs."""

import pytest
from app_pages import LESSONS, figures, visited


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_can_be_presented(lesson):
    at = visited(lesson, present="on", steps="")
    for figure, _ in figures(at):
        sizes = [size for trace in figure["data"] if trace.get("mode") == "text" for size in trace["textfont"]["size"]]
        assert not sizes or min(sizes) >= 12
