"""Whatever phones say of a number, each of its answers is refused or kept in a sentence, and all that were kept can be shown."""

import itertools
import math

import pytest
from app_pages import of_visit, press, ran, text
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest
from vote_pages import teaching

from pages.parts.question.question import Question, verdict_on, written
from pages.parts.vote import in_a_room
from pages.parts.vote.distribution import MOST_BARS, holds, of_numbers
from pages.parts.vote.ownership import Teacher
from pages.parts.vote.rooms import Rooms
from pages.parts.vote.rooms.rooms_file import Refused
from pages.parts.vote.voted_question import bars_of

LEAST = 5e-324
NUMBERS = st.floats() | st.integers(-30, 30).map(float) | st.integers(-40, 40).map(lambda k: k * LEAST)
CLOSE = st.builds(  # numbers that are nearly one
    lambda about, steps: [about + k * math.ulp(about) for k in steps],
    st.floats(-1e30, 1e30), st.lists(st.integers(0, 99), min_size=9, max_size=20),
)  # fmt: skip
LESSON_S = 600  # from one class to the next


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """Every `next` is the rooms of another class, some minutes later."""
    now = itertools.count(0, LESSON_S)
    rooms = Rooms(tmp_path_factory.mktemp("rooms"))
    rooms.clock = rooms.file.clock = rooms.pace.clock = lambda: rooms.now
    yield iter(lambda: setattr(rooms, "now", next(now)) or rooms, None)
    rooms.file.disconnect()


def kept(rooms, said):
    """What a room keeps of what phones say to one question."""
    code, secret = rooms.open("teacher")
    rooms.ask(code, secret, "question", "decode", "{}")
    for who, value in enumerate(said):
        try:
            rooms.answer(code, "question", str(who), value)
        except Refused as problem:
            assert str(problem).endswith(".")
    return rooms.answers(code, "question")


@settings(max_examples=120)  # of ten and more answers each
@given(said=st.lists(NUMBERS | st.text(max_size=3), min_size=9, max_size=20) | CLOSE, answer=st.sampled_from([0.0, 8.6, 1e9]))
def test_every_answer_is_shown_as_a_sentence(classes, said, answer):
    q = Question("k", "How many?", answer, "Because.", unit="tokens")
    numbers = [value for value in kept(next(classes), said) if not isinstance(value, str)]
    assert all(value == 0 or 1e-30 <= abs(value) <= 1e30 for value in numbers)
    bars = bars_of(q, numbers, marked=True)
    assert sum(bar.n for bar in bars) == len(numbers) and all(bar.label for bar in bars)
    assert all(written(q, value) and verdict_on(q, value) for value in numbers)


def test_a_range_that_has_the_answer_in_it_is_not_called_right():
    """“✔ 10 to less than 20: 21 of 30” beside “9 of 30 right”."""
    q = Question("k", "How many?", 12.5, "Because.", tolerance=0.05)
    ranges, single = (" ".join(bar.label for bar in bars_of(q, said, marked=True)) for said in (range(9, 30), [12.5, 12.5, 25.0]))
    assert "**12.5**, is here" in ranges and "check_circle" not in ranges and "check_circle:] 12.5" in single


TINY = st.integers(9, 12).flatmap(lambda n: st.permutations([k * LEAST for k in range(n)]))  # no two the same, as close as may be


@given(TINY | st.lists(NUMBERS.filter(math.isfinite).filter(lambda x: abs(x) <= 1e30), min_size=9, max_size=30) | CLOSE)
def test_every_number_is_in_one_bar_also_among_numbers_that_are_nearly_one(said):
    bars = of_numbers(said)
    assert sum(bar.n for bar in bars) == len(said) and len(bars) <= MOST_BARS
    assert all(bar.n == sum(holds(bar, value, 0) for value in said) for bar in bars)


def frame():
    """A teacher's window or a phone at the second step of decode, as the frame shows it."""
    import runpy
    from pathlib import Path

    from pages.parts.visit import location
    from pages.parts.vote import in_a_room, phone

    in_a_room.enter()
    location.set_lesson("decode")
    runpy.run_path(str(Path(in_a_room.__file__).parents[2] / "decode.py"))
    phone.bar()


@pytest.mark.usefixtures("own_rooms")
def test_numbers_that_differ_by_the_least_that_a_computer_can_stop_no_page():
    """Twelve said 0 and eight said 5e-324 to 4e-323: the teacher's page stopped, and after the reveal every phone's."""
    desk = AppTest.from_function(frame, default_timeout=60)
    of_visit(desk, Teacher).teaching, of_visit(desk, Teacher).times = in_a_room.rooms().open("teacher"), 1
    ran(desk)
    press(desk, next(b.key for b in desk.button if (b.key or "").startswith("ask_")))
    code = teaching(desk)[0]
    question = in_a_room.rooms().room(code).asking
    for who in range(20):
        in_a_room.rooms().answer(code, question, f"phone {who}", max(0, who - 11) * LEAST)
    assert in_a_room.rooms().answers(code, question) == [0.0] * 20
    for act in ("show", "reveal"):
        press(desk, next(b.key for b in desk.button if (b.key or "").startswith(act)))
    assert "20" in text(desk)
