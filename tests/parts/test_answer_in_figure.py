"""A question about parts of a figure is answered by pressing one, once, while it is open; the guess stays drawn beside the truth."""

import re

import pytest
from app_pages import alone, figures, of_visit, options_of, press, ran, say, show, text, told

from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.sheet import Sheet
from pages.parts.question.question import Predictions
from pages.parts.visit import answer_lock

LOCK = answer_lock.new_lock("blue tomato", "0123abcd")
# Lesson, step, figure, question, a part of it, and the option that pressing it takes.
PARTS = [
    ("why", 1, "look_back", "looks_at", 5, "kite"),
    ("why", 1, "look_back", "looks_at", 4, "red"),
    ("cache", 1, "what_to_keep", "kept", 0, "only q"),
    ("cache", 1, "what_to_keep", "kept", 1, "k and v"),
    ("cache", 4, "depth", "depth", 1, "layer 2’s"),
    ("rules", 4, "one_row_weights", "weight", 1, "“weather”, worth 20"),
    ("prefill", 4, "mask_off", "mask", 0, "only the first"),
    ("decode", 2, "split_point", "old_rows", 0, "another one, or several"),
    ("decode", 2, "split_point", "old_rows", 1, "only the last of them"),
    ("logits", 2, "word_map_silent", "silence", 2, "delicious"),
    ("many", 2, "spreads", "pause", 3, "disaggregated"),
    ("inside", 3, "training_maps", "list", 2, "after (step 800)"),
]


def page(lesson, **query):
    at = alone(lesson)
    return show(at, query)


def guess_of(at, key):
    """What was predicted of the question of that key, None where nothing was."""
    return of_visit(at, Predictions).guesses.get(key, (None, None, None))[2]


def offered(at):
    """[number, box and name of a part] of every figure in which parts can be pressed."""
    return [part for figure, _ in figures(at) for part in figure["layout"]["meta"].get("answers", [])]


def drawn(at):
    """How often a figure says that something was the guess."""
    return len(re.findall("your guess|'yours'", str(figures(at))))


@pytest.mark.parametrize(("lesson", "step", "figure", "key", "k", "option"), PARTS)
def test_a_part_that_is_pressed_is_the_answer_and_stays_drawn(lesson, step, figure, key, k, option):
    at = page(lesson, slide=step)
    assert [k, option] in [[part[0], part[-1]] for part in offered(at)] and options_of(at, key) and not drawn(at)
    told(at, figure, "answer", k)
    assert guess_of(at, key) == option
    assert not options_of(ran(at), key) and drawn(at) == 1
    press(at, f"again_{key}")
    assert options_of(at, key) and not drawn(at)


# Lesson and step, question, a wrong answer and the right one, what the figure says of the wrong one.
MARKED = [
    ("decode", 1, "new_rows_0", "4 rows", "1 row", "your guess"),
    ("cache", 2, "rows_0", 3.0, 6.0, "yours"),
    ("logits", 1, "w_row", "2 self", "1 even", "your guess"),
    ("attention", 1, "values", "all", "none", "yours"),
    ("rules", 3, "empty", "10: the average of what it may see", "none: there is nothing to average", "your guess"),
]


@pytest.mark.parametrize(("lesson", "slide", "key", "wrong", "correct", "says"), MARKED)
def test_an_answer_marks_the_right_place_and_the_guess_beside_it(lesson, slide, key, wrong, correct, says):
    """A right answer, and often a wrong one, changed nothing in the picture."""
    asked, guessed, known = (page(lesson, slide=str(slide)) for _ in range(3))
    say(guessed, key, wrong)
    say(known, key, correct)
    pictures = [str(figures(at)) for at in (asked, ran(guessed), ran(known))]
    assert "✓" not in pictures[0] and "✓" in pictures[2]
    assert says not in pictures[0] and says in pictures[1] and f"✓ {says}" not in pictures[1]
    if key != "new_rows_0":  # the open row is dashed itself, through all of its columns
        # An open place is there no more.
        assert pictures[1].count("'dash'") > pictures[0].count("'dash'") - (key in ("empty", "rows_0"))


def test_where_the_guess_is_marked_its_words_stand_outside():
    """They ran into their own frame, or lay over words and numbers."""
    for k, (guess, right) in enumerate((("a", "b"), ("b", "b"), ("c", "a"))):
        sheet = Sheet()
        for j in range(3):
            answer_part(sheet, Asked(("a", "b", "c"), guess=guess, right=right), j, (0.1, 50.0 * j, 0.4, 50.0 * j + 30))
        firm = [shape for shape in sheet.shapes if shape["type"] == "rect"]
        dashed = [shape for shape in sheet.shapes if shape["line"].get("dash")]
        assert len(firm) == 1 and len(dashed) == (guess != right) and firm[0]["line"]["width"] > 2
        words = [(y, text) for _, y, text, *_ in sheet.words]
        assert len(words) == 1 + (guess != right) and all(y % 50 > 36 for y, _ in words), k
        assert ("✓ your guess" in dict(map(reversed, words))) == (guess == right)


@pytest.mark.parametrize("value", [0, 99, -1, 10**12, True, "5", None, [5], 5.0, {"k": 5}])
def test_what_is_no_part_is_no_answer(value):
    at = page("why", slide=1)
    told(at, "look_back", "answer", value)
    assert guess_of(at, "looks_at") is None


def test_an_answer_is_not_changed_by_a_late_press():
    at = page("why", slide=1)
    told(at, "look_back", "answer", 5)
    told(at, "look_back", "answer", 4)
    assert guess_of(at, "looks_at") == "kite"


def test_nothing_is_offered_where_the_answers_are_shown_or_on_paper():
    assert not offered(page("why", answers="shown")) and not offered(page("why", handout="questions"))


def test_behind_a_lock_it_is_kept_and_not_drawn():
    at = page("why", lock=LOCK, slide="1")
    told(at, "look_back", "answer", 5)
    assert guess_of(at, "looks_at") == "kite" and "You predicted kite. The answers are locked" in text(ran(at))
    assert not drawn(at) and not offered(at)
