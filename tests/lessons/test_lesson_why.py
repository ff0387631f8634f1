"""Why look back: the arc is the engine's weight, the word follows what is changed, and the rows of every pass are counted."""

import numpy as np
import pytest
from app_pages import commit, figures, options_of, press, right, says, text, visited

from engine import bundled, prefill, probabilities
from pages.lessons.why import heads
from pages.lessons.why.figures.arcs import MAY_LOOK
from pages.lessons.why.figures.four_heads import Chance, four_heads
from pages.lessons.why.figures.stairs import OPEN, stairs
from pages.lessons.why.heads import heads_question
from pages.lessons.why.steps import word_question
from pages.lessons.why.story import COLORS, N_ANSWER, OTHER_COLOR, OWNERS, answer, chances_without, look_back, next_word
from pages.lessons.why.waste import rows_question, same_again
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.palette import DARK, LIGHT, contrast, faded, rgb
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.format import percent


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("color", COLORS)
def test_the_word_that_is_looked_at_is_the_word_that_comes(color, owner):
    """Anna's thing has the colour that was said of it, Ben's the other: in every story the model takes it from where it stands."""
    found = look_back(color, owner)
    due = color if owner == "Anna" else OTHER_COLOR
    words = bundled().tokenizer.words
    assert found.words[found.at] == due == words[int(found.probs.argmax())]
    run = prefill(bundled(), found.token_ids)
    np.testing.assert_allclose(found.looks, run.layers[-1].weights[found.head, -1], atol=1e-6)
    np.testing.assert_allclose(found.probs, probabilities(run.logits[-1]), atol=1e-6)
    assert found.looks[found.at] > 0.9 and found.looks.sum() == pytest.approx(1, abs=1e-5)
    assert due in word_question(found).options and word_question(found).answer == due


def test_before_the_prediction_neither_arc_nor_word_is_there():
    at = visited("why", slide="1")
    figure, alt = figures(at)[0]
    assert "97.9%" not in str(figure["data"]) and says(alt, "still to be predicted")
    assert right(commit(at, "looks_at", "red"), "red")
    figure, alt = figures(at)[0]
    assert "97.9%" in str(figure["data"]) and says(alt, "red", "97.9%", "red", "99.9%")
    assert says(text(at), "one of them", "red", "97.9%")


def test_after_one_answer_arc_and_word_follow_every_change_until_it_is_asked_again():
    """“Change her kite’s colour, and the word follows”, it said, and hid both behind the next question."""
    at = visited("why", slide="1")
    assert not [group for group in at.segmented_control if group.key.startswith("extra_")]
    commit(at, "looks_at", "red")
    at.segmented_control(key="extra_last").set_value("Ben").run()
    found = look_back("red", "Ben")
    assert says(figures(at)[0][1], OTHER_COLOR) and says(text(at), OTHER_COLOR, f"{100 * found.looks[found.at]:.1f}%")
    assert not options_of(at, "looks_at")
    press(at, "why_again")
    assert says(figures(at)[0][1], "still to be predicted") and right(commit(at, "looks_at", OTHER_COLOR), OTHER_COLOR)


def test_on_a_phone_the_words_stand_beneath_each_other_and_say_the_same():
    at = visited("why", slide="1")
    at.session_state["screen"] = {"narrow": True}
    commit(at, "looks_at", "red")
    figure, _ = figures(at)[0]
    assert figure["layout"]["meta"]["min_width"] <= 320 and {"<b>97.9%</b>", "<b>99.9%</b>"} <= set(figure["data"][-1]["text"])


def test_the_link_carries_the_story():
    at = visited("why", slide="1", kite="green", last="Ben")
    assert "Ben has a" in text(at)
    assert right(commit(at, "looks_at", "blue"), "blue")
    assert "Anna has a" in text(visited("why", slide="1", kite="mauve", last="Zoe"))


@pytest.mark.parametrize("last", OWNERS)
def test_what_follows_from_a_change_is_what_follows(last):
    """“Change the colour or the owner: the arc and the word follow”, where Ben’s boat stays blue whatever Anna’s kite is."""
    at = visited("why", slide="1", last=last)
    commit(at, "looks_at", look_back(COLORS[0], last).words[look_back(COLORS[0], last).at])
    stories = [look_back(color, last) for color in COLORS]
    assert len({found.at for found in stories}) == 1  # the colour moves no arc
    follows = [next_word(found) for found in stories] == list(COLORS)
    assert ("the word follows" in text(at)) == follows
    assert ("alone changes neither" in text(at)) == (len({next_word(found) for found in stories}) == 1) == (not follows)
    other = look_back(COLORS[0], next(owner for owner in OWNERS if owner != last))
    assert other.at != stories[0].at and next_word(other) != next_word(stories[0])


def test_without_a_cache_every_pass_computes_all_rows_and_they_come_out_the_same():
    """16 + 17 + 18 + 19 + 20 = 90, of which 20 are different."""
    found = look_back("red", "Anna")
    made = answer(found)
    assert [run.n_new for run in made.passes] == [16, 17, 18, 19, 20] and len(made.token_ids) == N_ANSWER
    assert rows_question(16).answer == "about three quarters" and sum(run.n_new for run in made.passes) == 90
    assert same_again(made) < 2e-5
    at = visited("why", slide="2")
    brown = LIGHT.wasted
    assert brown not in str(figures(at)) and "again" not in figures(at)[0][1]  # which boxes these are is seen from the answer on
    told = commit(at, "rows_again", "about three quarters")
    assert right(told, "about three quarters") and says(told, "90", "20", "70")
    assert brown in str(figures(at)) and says(str(figures(at)), "70 of 90 boxes") and says(text(at), "What if they were kept")


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("color", COLORS)
def test_the_heads_that_find_the_word_are_those_without_which_it_does_not_come(color, owner):
    """Where a head looks says not yet that it matters: the chance falls without the heads that look there, and not without others."""
    look = look_back(color, owner)
    model, word = bundled(), bundled().tokenizer.words.index(look.words[look.at])
    found = heads.finders(look)
    rest = [h for h in range(look.n_head) if h not in found]
    for silent, falls in ((found, True), (rest, False)):
        run = prefill(model.variant(ablated=[(look.n_layer - 1, h) for h in silent]), look.token_ids)
        chance = float(probabilities(run.logits[-1])[word])
        assert chance == pytest.approx(float(chances_without(look, tuple(silent))[word]), abs=1e-6)
        assert (chance < 0.5 * look.probs[word]) == falls
        assert percent(chance) in [
            percent(bar.chance) for bar in heads.switched_off(look, answered=True) if bar.chance is not None
        ]
    question = heads_question(look)
    assert (question.answer, heads.heads_in_words(found)) == ("heads 1 and 2", "heads 3 and 4")  # the teacher's note names them
    assert set(map(heads.heads_in_words, (rest, found))) <= set(question.options)
    assert [bar.chance for bar in heads.switched_off(look, answered=False)] == [look.probs[word], None, None]


def test_the_chance_without_some_heads_is_guessed_and_then_the_first_screens_prompt_can_be_read():
    at = visited("why", slide="3", steps="")
    ((figure, alt),) = figures(at)
    assert alt.count("still to be found") == 2 and "98%" in str(figure) and "13.2%" not in str(figure)
    assert not [group for group in at.segmented_control if group.key == "extra_heads_on"]
    told = commit(at, "trained_heads", "heads 1 and 2")
    assert right(told, "heads 1 and 2") and "13.2%" in str(figures(at)) and says(text(at), "99.9%", "13.2%")
    at.segmented_control(key="extra_heads_on").set_value("prompt").run()
    assert says(figures(at)[0][1], "The weather in Oslo is so") and says(text(at), "“so”", "nice")
    for prompt in ("zzz", "so", " ".join(["kite"] * 60)):  # unknown, one word, too long
        own = visited("why", slide="3", steps="", prompt=prompt, heads_on="prompt", answers="shown")
        assert not own.exception and figures(own)


def test_what_a_word_keeps_without_some_heads_stands_beside_their_rows():
    """Lines led from four rows to two bars beneath them, over one another."""
    chances = [Chance("all heads", 0.9), Chance("heads 1 and 3 off", 0.8, [0, 2]), Chance("head 2 off", None, [1])]
    asked = Asked(("", "heads 1 and 3", "head 2"), True, False)
    figure = four_heads(Sheet(), ["a", "b"], np.full((3, 2), 0.5), "b", chances, asked)
    said = dict(zip(figure.data[-1].text, figure.data[-1].y, strict=True))
    assert said["head 1"] < said["head 3"] < said["head 2"]
    (_, _, top, _, bottom, _), (_, _, below, _, end, _) = figure.layout.meta["answers"]
    assert top < said["head 1"] < said["<b>80.0%</b>"] < said["head 3"] < bottom
    assert bottom < below < said["head 2"] < end and below < said["<b>?</b>"] < end


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_the_arcs_that_wait_for_an_answer_are_seen_from_the_last_row(colors):
    """A line needs a contrast of 3 : 1 (WCAG 2.2, 1.4.11); a projector in a lit room takes some of it."""
    assert contrast(rgb(faded(colors, colors.prefill, MAY_LOOK)), rgb(colors.surface)) > 3.8


@pytest.mark.parametrize("told", [False, True])
def test_a_word_stands_once_beside_its_row_and_again_in_the_pass_that_brings_it(told):
    """Words in ninety boxes were what one saw; before the answer there were five blue slabs."""
    names, written = ("begin", "Anna", "has", "a", "kite"), ("red", "kite", ".")
    figure = stairs(Sheet(), names, written, 3, told)
    texts = [text.replace("<b>", "").replace("</b>", "") for text in figure.data[-1].text]
    assert [texts.count(name) for name in names] == [1, 1, 1, 1 + told, 2 + told]
    filled = {s.fillcolor: s.path.count("Z") for s in figure.layout.shapes if s.fillcolor}
    assert filled == {LIGHT.prefill: 3} | (
        {LIGHT.wasted: 3 + 4, LIGHT.decode: 2} if told else {faded(LIGHT, LIGHT.bar, OPEN): 4 + 5}
    )
