"""The attention lesson: one head's figure points at the answers, and what a question asks for is hidden until it is answered."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import unescape
from itertools import pairwise

import numpy as np
import pytest
from app_pages import (
    SCENARIOS,
    commit,
    computed,
    figures,
    linked,
    of_visit,
    options_of,
    press,
    ran,
    right,
    says,
    shown,
    text,
    visited,
)
from hypothesis import example, given
from hypothesis import strategies as st
from said import untagged, words_in
from scenarios import BIG, TEXT, run, scenarios
from valid_figures import valid

from engine import Rule
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.leaks import stays_true
from engine.toy.one_cell import derive
from pages.lessons.attention.cell_in_steps import cell_steps
from pages.lessons.attention.figures.cell_way import _bands, cell_way
from pages.lessons.attention.figures.every_row import every_row
from pages.lessons.attention.figures.narrow_map import ACROSS, narrow_map
from pages.lessons.attention.figures.one_head import one_head
from pages.lessons.attention.maps import next_of
from pages.lessons.attention.sentences import made_of
from pages.lessons.attention.softer import FALLS, RISES, STAYS, softer_question
from pages.lessons.attention.steps import ALL, ITS_COLUMN, NONE, values_question, with_value_raised
from pages.lessons.attention.story import asked, share_question
from pages.parts.drawing.headline import PHONE_LARGE
from pages.parts.drawing.sheet import Sheet, ems
from pages.parts.text.digits import as_number
from pages.parts.visit import scenario_query
from pages.parts.visit.display import Screen
from pages.parts.visit.scenario import Kept

page = partial(visited, "attention", steps="")  # one step on a screen


def written(at):
    """Every word and number in the step's figure."""
    ((figure, _),) = figures(at)
    return figure["data"][-1]["text"]


def drawn_says(at, *parts):
    """Whether one of the figure's words says all of it."""
    return any(says(word, *parts) for word in written(at))


def test_the_formula_is_written_where_one_cell_is_followed_and_beside_the_cells_that_each_factor_makes():
    """Before a query and a key mean anything, words come first."""
    assert "√d" not in text(page()) and "**softmax( Q Kᵀ / √d ) V**" in text(page(slide="3"))
    titles, followed = ([untagged(word) for word in written(page(slide=step))] for step in "13")
    assert {"scores  query · key", "weights  softmax", "context"} <= set(titles)
    assert {"q · k / √d = 64·1 / √64 = +8", "weights", "softmax", "context", "= 12.5"} <= set(followed)


def test_what_moves_the_cells_is_in_a_box_that_the_story_has_not():
    """In the story three matrices, −∞ and e⁸ came at once, and a reader would have left."""

    def keys(at):
        return {w.key for w in (*at.slider, *at.select_slider, *at.selectbox)} - {"preset_1_0"}

    at, values = page(), {"value_0", "value_1", "value_2", "value_3"}
    assert keys(at) == values and options_of(at, "values")
    at.session_state["attention_more"] = True
    assert keys(at.run()) == values | {"attention_cell_head", "one_rule_0", "sharpness_here"}
    assert not keys(page(route="story"))


def test_in_the_story_a_row_is_asked_for_of_which_a_key_fits_that_comes_later():
    at = page(route="story")
    assert written(at).count("?") == 5 and "1/2" in written(at) and not any("√" in word or "∞" in word for word in written(at))
    assert says(text(at), "“weather” and “so” fit", "How much of “weather”") and "chance" not in text(at)
    told = commit(at, "masked_share", "1/2")
    assert not right(told) and computed(told) == "all of it" and says(told, "“so” comes later", "mask", "all of “weather”")
    assert "?" not in written(at) and says(text(at), "text ended") and "15.3" not in shown(at)
    assert "%" not in text(at)  # what comes of all heads is not seen here
    at = page(route="story", cells="products")
    assert written(at).count("8") == 3 and written(at).count("−8") == 4 and written(at).count("?") == 5
    assert "fits scores **8**, another **−8**" in text(at)


@pytest.mark.parametrize("link", [{}, {"mask": "off"}, {"empty": "fill"}, {"empty": "fill", "rules": "previous,self"}])
def test_that_no_row_looks_ahead_is_said_where_none_does(link):
    """With −10⁹ a row that fits nothing is an average of hidden tokens, too."""
    s = scenario_query.from_query(link)[0]
    looks_ahead = any(np.triu(weights, 1).any() for weights in run(s).layers[0].weights)
    assert ("the **mask** hides it" in text(page(route="story", **link))) == (not looks_ahead)


@pytest.mark.parametrize("link", [{}, {"empty": "fill"}, {"rules": "even,last,first,all"}, {"mask": "off"}])
def test_that_rows_stay_when_a_word_comes_in_is_said_only_where_they_do(link):
    said = "as if the text ended" in text(page(route="story", answers="shown", **link)).replace("**", "")
    assert said == stays_true(scenario_query.from_query(link)[0])


@given(scenarios(policies=sorted(EMPTY_ROW)), st.booleans())
def test_the_share_that_is_asked_for_is_what_the_mask_makes_of_it(s, causal):
    s = replace(s, causal=causal)
    question = share_question(s, run(s))
    if question is None:
        return
    head, row, token = asked(s, run(s))
    keys = np.flatnonzero(run(s).layers[0].scores[head, row] > 0)
    assert (keys > row).any() and token <= row < len(s.tokens) - 1
    said = {"all of it": "1", "nothing": "0"}.get(question.answer, question.answer)
    assert Fraction(said) == pytest.approx(run(s).layers[0].weights[head, row, token], abs=0.005)
    assert ("off" in question.why) == (not causal) and len(question.options) >= 3 and question.answer in question.options


def test_figure_panel_and_sentence_show_the_same_values_before_the_answer_and_after_it():
    """“25 → 100”, said the figure, and “the next word is now delicious” the sentence, beside a slider at 25 and “warm 64.1%”."""
    at = page()
    assert right(commit(at, "values", NONE), NONE)
    assert says(text(at), "were it 100", "7", "16 contexts") and not drawn_says(at, "→ <b>") and not drawn_says(at, "100")
    assert drawn_says(at, "Context of “so”: 12.5 = 0.5·20 + 0.5·5")
    at.slider(key="value_1").set_value(60.0).run()
    assert not options_of(at, "values")  # it is not asked again
    assert says(text(at), "“weather” 20 → 60", "no weight", "head 1 context 12.5 → 32.5") and drawn_says(at, "32.5")
    winner = text(at).partition("the next word is now")[2]
    assert not winner or drawn_says(at, winner.split("**")[1])


def test_the_question_is_about_the_head_that_is_shown():
    assert says(text(page(cell="4.4.1")), "weights", "head 4") and not says(text(page()), "weights", "head 4")
    told = commit(page(cell="4.4.1"), "values", ALL)
    assert not right(told) and computed(told) == NONE and ALL in told


@given(scenarios(), st.data())
def test_no_value_ever_moves_a_weight(s, data):
    """The answer is computed, not typed: it is what the engine says of any head of any scenario."""
    head = data.draw(st.integers(0, len(s.rules) - 1))
    assert values_question(s, run(s), head).answer == NONE
    assert ITS_COLUMN in values_question(s, run(s), head).options


def test_softer_scores_are_shown_once_they_are_answered():
    at = page(slide="4")
    assert (
        {"<b>±8</b>", "<b>±1</b>", "<b>head 2 self</b>"} <= set(written(at))
        and "0.71" not in written(at)
        and written(at).count("<b>?</b>") == 1
    )
    assert not at.select_slider  # moved, it would give the answer away
    assert not any(sign in word for sign in ("rises", "falls", "stays") for word in written(at))
    answer = softer_question(TEXT, run(TEXT)).answer
    assert right(commit(at, "softer", answer), answer)
    assert {"0.71", "<b>6.54</b>", "<b>✓</b> <b>↑</b> rises, your guess"} <= set(written(at)) and answer in (RISES, FALLS)


def test_the_slider_and_the_figure_of_softer_scores_never_disagree_and_the_answer_stands_when_it_is_moved():
    at = page(slide="4")
    verdict = commit(at, "softer", FALLS)
    assert computed(verdict) == RISES
    for said, highest in (("1", "+1"), ("4", "+4"), ("8", "+8")):
        if said != "1":  # where it stands once it is answered
            at.select_slider(key="extra_softer").set_value(said).run()
        assert at.select_slider(key="extra_softer").value == said and highest in written(at)
        assert not {"+1", "+4"} - {highest} & set(written(at)) and "+8" in written(at)  # above it the scores as they are
        assert verdict in text(at)
    assert of_visit(at, Kept).scenario == TEXT  # the lessons that follow keep their scores
    at.select_slider(key="extra_softer").set_value("4").run()
    press(at, "again_softer")
    assert "+1" in written(at) and "<b>?</b>" in written(at) and not at.select_slider
    commit(at, "softer", RISES)
    assert "+1" in written(at) and "<b>?</b>" not in written(at)


@given(scenarios(policies=sorted(EMPTY_ROW)), st.data())
def test_an_equals_sign_stands_between_equal_numbers_only(s, data):
    """5.6·10⁻⁸ × 10 = 0 stood there."""
    layer, head = run(s).layers[0], data.draw(st.integers(0, len(s.rules) - 1))
    query, key = (data.draw(st.integers(0, len(s.tokens) - 1)) for _ in range(2))
    score, *_, last = cell_steps(s, derive(layer, head, query, key), head, query, key)
    assert_true(re.search(r"√\d+: (.+)\.$", score)[1])
    if layer.mask[head, query, key]:
        share, total = last.removeprefix("**Weight × value.** ").removesuffix(".").split(", ")
        total = total.removeprefix("one part of the context ")
        assert_true(share)
        assert_true(total)


def assert_true(line):
    """A written-out line: both sides the same where = stands, near each other where ≈ does."""
    if "NaN" in line or "none" in line or "∞" in line:
        return
    left, sign, right = re.fullmatch(r"(.+) ([=≈]) \*{0,2}(.+?)\*{0,2}", line).groups()
    a, b = (float(eval(python(side))) for side in (left, right))
    size = max(sum(abs(eval(python(part))) for part in left.split(" + ")), abs(b))
    assert abs(a - b) <= (1e-9 if sign == "=" else 6e-2) * size + (sign == "≈") * 6e-2, line


def python(written):
    """A sum of products as the page writes it, for Python."""
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−×", "-0123456789-*")
    return written.replace("·10", "e").replace(",", "").translate(digits).replace("+1e", "1e").lstrip("+")


def test_where_nothing_can_change_it_stays():
    s = replace(TEXT, values=(5, 5, 5, 5), rules=("all",) * 4)
    assert softer_question(s, run(s)).answer == STAYS


@pytest.mark.parametrize("slide", range(1, 5))
@pytest.mark.parametrize("query", [{}, BIG, {"tokens": "a", "values": "5", "rules": "even", "empty": "nan"}, {"cell": "9.99.x"}])
def test_every_step_stands(query, slide):
    assert f"{slide} / 4" in text(page(query, slide=str(slide), present="on"))


@given(scenarios(), st.data())
def test_the_headline_is_the_sum_that_the_weights_make(s, data):
    layer, head = run(s).layers[0], data.draw(st.integers(0, len(s.rules) - 1))
    row = data.draw(st.integers(0, len(s.tokens) - 1))
    seen = (layer.weights[head, row] >= 0.005).any() and not layer.empty[head, row]
    assert bool(re.search(" [=≈] ", made_of(s, run(s), head, row))) == seen
    np.testing.assert_allclose(layer.weights[head, row] @ layer.v[0, :, 0], layer.context[head, row, 0], atol=1e-9)


@pytest.mark.parametrize("query", [{}, BIG])
def test_all_steps_stand_on_one_page(query):
    """The values, the rules and the sharpness each have controls in two steps: no two of them may have one key."""
    assert len(figures(page(query, steps="all"))) == 4


@pytest.mark.parametrize(
    "name", ["Article, text", "sixteen tokens, eight heads", "empty row nan", "mask off", "long and strange words"]
)
def test_on_a_phone_the_heads_stand_beneath_each_other_within_its_width_and_show_the_engines_numbers(name):
    s = SCENARIOS[name]
    layer = run(s).layers[0]
    shown = narrow_map(
        Sheet(), run(s), s.tokens, dict(enumerate(map(str, s.rules))), next_of(s, run(s)), (0, len(s.tokens) - 1, 0)
    )
    tops = []
    for head in range(len(s.rules)):
        masked, weights = shown.data[2 * head], shown.data[2 * head + 1]
        for trace, meant in ((masked, layer.scores[head]), (weights, layer.weights[head])):
            z = np.array(trace.z, float)
            assert np.array_equal(np.isnan(z), ~layer.mask[head] | np.isnan(meant))
            assert np.array_equal(z[~np.isnan(z)], meant[~np.isnan(z)])
        tops.append((masked.y[0], masked.y[-1]))
    assert all(a[1] < b[0] for a, b in pairwise(tops))
    words = shown.data[-1]
    for x, text_, size, anchor in zip(words.x, words.text, words.textfont.size, words.textposition, strict=True):
        wide = 0.53 * size * len(unescape(text_.replace("<b>", "").replace("</b>", ""))) / ACROSS
        left = x - wide * {"left": 1, "center": 0.5, "right": 0}[anchor.split()[1]]
        assert left > -0.03 and left + wide < 1.03 and size >= 11, text_


def test_on_a_phone_both_figures_are_the_narrow_ones_and_a_cell_is_still_selected():
    at = page(slide="2")
    at.session_state["screen"] = {"narrow": True}
    ((figure, _),) = figures(at.run())
    assert figure["layout"]["meta"]["min_width"] <= 320 and len(figure["layout"]["meta"]["grid"]["curves"]) == 8
    at.session_state["screen"] = {}  # another page: Streamlit has forgotten what the screen has said
    assert figures(at.run())[0][0]["layout"]["meta"]["min_width"] <= 320
    at.session_state["screen"] = {"narrow": False}  # turned
    assert figures(at.run())[0][0]["layout"]["meta"]["min_width"] > 500


@pytest.mark.parametrize(
    "said", [{"narrow": "yes"}, {"narrow": None}, {"spare": -60}, {"spare": 1e9}, {"spare": "60"}, {"spare": True}]
)
def test_a_screen_says_what_it_may_say_and_nothing_else(said):
    at = page(slide="2")
    (figure, _), *_ = figures(at)
    at.session_state["screen"] = said
    (same, _), *_ = figures(at.run())
    assert same["layout"]["height"] == figure["layout"]["height"] and same["layout"]["meta"]["min_width"] > 500


def test_a_higher_screen_gets_a_higher_figure():
    at = page(slide="1")
    before = figures(at)[0][0]["layout"]["height"]
    at.session_state["screen"] = {"spare": 180}
    assert figures(at.run())[0][0]["layout"]["height"] > before + 60


def test_a_moved_value_does_not_answer_the_question_on_what_a_value_moves():
    """The takeaway said "no weight moved" beside the question how many weights move."""
    at = page()
    at.slider(key="value_1").set_value(48.0).run()
    assert says(text(at), "“weather” 20 → 48", "head 1") and not says(text(at), "20 → 48", "weight")
    commit(at, "values", NONE)
    assert says(text(at), "“weather” 20 → 48", "no weight", "head 1")


def test_what_moved_the_weights_is_said_beside_each_count_of_them():
    """The figure said that no weight moves, beside it the takeaway that 27 did: one was about a value, one about scores."""
    at = page()
    commit(at, "values", NONE)
    at.session_state["attention_more"] = True  # the box is open
    at.run().select_slider(key="sharpness_here").set_value(4.0).run()
    before, after = run(TEXT).layers[0].weights[0], run(replace(TEXT, sharpness=4.0)).layers[0].weights[0]
    moved = int((np.abs(before - after) > 1e-12).sum())
    assert says(text(at), "±8 → ±4", f"{moved} weights", "head 1", "0.005") and 0 < moved <= 10


def test_what_an_edit_did_is_said_on_the_step_where_it_was_made_and_on_no_other():
    at = page()
    at.slider(key="value_1").set_value(48.0).run()
    assert says(text(at), "“weather” 20 → 48", "head 1")
    at.segmented_control(key="step_names").set_value("2").run()
    assert "→" not in text(at) and drawn_says(at, "26.5") and drawn_says(at, "4 contexts make “nice” the next word")
    at.slider(key="all_value_1").set_value(50.0).run()
    assert says(text(at), "“weather” 48 → 50", "no weight")
    at.segmented_control(key="step_names").set_value("1").run()
    assert "→" not in text(at) and drawn_says(at, "Context of “so”: 27.5")


def test_pointing_at_a_hidden_cell_says_what_the_mask_made_of_it():
    """A score becomes −∞, and a weight 0: both said −∞ with all heads, and NaN with one."""
    figure = figures(page(slide="1"))[0][0]
    maps = [trace for trace in figure["data"] if "customdata" in trace]
    masked, weights = ([said for row in trace["customdata"] for said in row if said] for trace in maps[-2:])
    assert sum(says(said, "masked −∞", "hidden") for said in masked) == len(masked) * 6 // 16
    assert sum(says(said, "weights 0", "hidden") for said in weights) == len(weights) * 6 // 16


def test_the_row_that_is_followed_changes_no_cells_colour():
    """Pale, a weight of 1 had the blue of a half."""
    figure = one_head(Sheet(), run(TEXT), TEXT.tokens, [str(r) for r in TEXT.rules], (0, 3, 1))
    assert sum(trace.type == "heatmap" for trace in figure.data) == 2


def test_what_follows_a_value_is_drawn_once_the_question_is_answered():
    """“none” stood small above the weights, and nothing in the figure said what does change."""
    old, new = (run(one).layers[0].context[0, :, 0] for one in (TEXT, with_value_raised(TEXT, run(TEXT), 0)))
    at = page()
    assert not drawn_says(at, "follows")
    commit(at, "values", NONE)
    (figure, _), *_ = figures(at)
    assert str(figure["data"][-1]["text"]).count("follows") == int((np.abs(new - old) > 0.005).sum()) > 0


def test_a_context_that_is_no_number_votes_for_no_word():
    links = {"tokens": "ö?", "values": "-7", "rules": "previous:2", "w": "0.4,-0.3,0.2"}
    assert "vote" not in text(linked("attention", empty="nan", **links)) and "vote" in text(
        linked("attention", empty="soft", **links)
    )


@given(scenarios(policies=sorted(EMPTY_ROW)), st.booleans(), st.booleans(), st.booleans(), st.data())
def test_of_a_row_that_is_asked_for_nothing_is_drawn(s, causal, phone, products, data):
    s = replace(s, causal=causal)
    head, n = data.draw(st.integers(0, len(s.rules) - 1)), len(s.tokens)
    hidden = data.draw(st.one_of(st.none(), st.integers(0, n - 1)))
    figure = valid(every_row(Sheet(phone=phone), run(s).layers[0], head, s.tokens, "it", products, hidden).to_plotly_json())
    shown = ~np.isnan(np.array(figure.data[0].z, float))
    expected = run(s).layers[0].mask[head] & (np.arange(n) != hidden)[:, None]
    assert not shown[~expected].any() and (s.empty_row == "nan" or (shown == expected).all())
    assert figure.data[-1].text.count("?") == (0 if hidden is None else n + 1)


@given(scenarios())
# “0.5 | 1/2”, where 0.4953 is taken.
@example(replace(TEXT, rules=(Rule("odd"), *TEXT.rules[1:]), sharpness=4.0, empty_row="softmax1"))
def test_no_share_is_offered_twice(s):
    question = share_question(s, run(s))
    if question:
        written = [{"nothing": "0", "all of it": "1"}.get(x, x) for x in question.options]
        shares = sorted(float(Fraction(x)) for x in written if re.fullmatch(r"[\d./]+", x))
        assert all(b - a > 0.004 for a, b in pairwise(shares))


def the_way_of(s, cell, phone):
    """The figure of a cell's way: its heatmaps, its arrows' lines from top to bottom, and its words with their places."""
    figure = cell_way(Sheet(phone=phone), run(s).layers[0], s.tokens, "even", cell, ("a", "b", "c"))
    lines = [shape.path for shape in figure.layout.shapes if shape.layer == "above" and shape.type == "path"]
    ends = [tuple(float(y) for y in re.findall(r",([\d.]+)", path)) for path in lines]
    words = figure.data[-1]
    return figure, ends, dict(zip(map(untagged, words.text), zip(words.x, words.y, strict=True), strict=True))


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("row", range(4))
def test_a_cells_way_goes_down_its_column_from_the_score_to_its_part_of_the_context(phone, row):
    """Four maps with some fifty numbers stood beside each other, and the way from map to map was a thin line in a lane."""
    figure, ends, words = the_way_of(TEXT, (0, row, 1), phone)
    layer = run(TEXT).layers[0]
    scores, asks, mask, weights, values, parts = (np.array(trace.z, float) for trace in figure.data[:6])
    np.testing.assert_array_equal(scores, layer.scores[0])
    np.testing.assert_array_equal(asks[0], layer.scores[0, row])
    seen = layer.mask[0, row]
    for drawn, meant in ((mask, layer.scores), (weights, layer.weights)):
        np.testing.assert_array_equal(drawn[0], np.where(seen, meant[0, row], np.nan))
    np.testing.assert_allclose(parts[0], np.where(seen, layer.weights[0, row] * values[0], np.nan), atol=1e-12)
    assert values.argmax() == 1 and figure.layout.meta["grid"]["selected"] == [0, row, 1]
    assert len(ends) == (4 if seen[1] else 1) and all(a[1] < b[0] for a, b in pairwise(ends))
    if row == 3:
        assert {"20", "0.5", "+8", "+ 10", "+ 2.5"} <= set(words) and words["= 12.5"][1] > ends[-1][1]


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_written_of_a_contexts_parts_adds_up_to_it_or_is_said_to_be_nearly_it(name):
    s = SCENARIOS[name]
    layer = run(s).layers[0]
    for row in range(len(s.tokens)):
        *_, band = _bands(Sheet(), layer, 0, row)
        parts = [as_number(part.replace(" ", "").lstrip("+")) for part in band.words if part]
        said = [untagged(word) for word in the_way_of(s, (0, row, 0), False)[2] if re.match(r"[=≈] [−\d]", word)]
        if parts and said:
            assert (abs(sum(parts) - as_number(said[0][2:])) < 1e-6) == (said[0][0] == "=") or len(parts) == 1
            assert abs(sum(parts) - as_number(said[0][2:])) < 0.01 * len(parts) * max(1, abs(layer.v).max() / 100)


def test_the_way_of_a_hidden_score_ends_at_the_mask_and_no_row_is_cut_where_there_are_many():
    _, ends, words = the_way_of(TEXT, (0, 1, 3), True)
    assert len(ends) == 1 and "−∞" in words
    s = SCENARIOS["sixteen tokens, eight heads"]
    figure, ends, words = the_way_of(s, (0, 15, 4), True)
    assert len(ends) == 4 and {"mask", "weights", "values", "context"} <= set(words)
    assert figure.layout.height < 440 and max(x for x, _ in words.values()) <= 1


def test_the_headline_of_all_heads_has_room_on_a_phone():
    """“… the next word: 75.0” and half of a %."""
    at = page(slide=2)
    of_visit(at, Screen).narrow = True
    ((figure, _),) = figures(ran(at))
    (said,) = [word for word in words_in(figure) if "contexts make" in word]
    assert said.endswith("75.0%") and 1.1 * ems(said) * PHONE_LARGE < 350


class StillHeld(list):
    """The names in a browser that the new ones have not reached: it sends the third."""

    def index(self, name):
        return 2


def test_a_menu_whose_names_have_changed_shows_the_new_ones_and_takes_no_move_with_it():
    """“3 w2” stayed in the menu after other words had been typed; the browser sent it along, and the first move of the slider was lost."""
    at = page({"tokens": ",".join(f"w{i}" for i in range(10)), "values": ",".join(["1"] * 10), "of": "3"}, slide=1)
    old = at.selectbox(key="value_of").options
    of_visit(at, Kept).scenario = replace(of_visit(at, Kept).scenario, tokens=tuple(f"v{i}" for i in range(10)))
    menu = ran(at).selectbox(key="value_of")
    assert menu.value == 2 and menu.proto.set_value and menu.proto.raw_value == "3 v2"
    menu.options = StillHeld(old)
    at.slider(key="value_2").set_value(100.0)
    assert ran(at).slider(key="value_2").value == of_visit(at, Kept).scenario.values[2] == 100
    assert at.selectbox(key="value_of").value == 2


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ({}, "votes of 4 heads"),
        ({"w": "1,2,3;0,0,0;7,7,7;3,2,1"}, "votes of 2 heads"),
        ({"rules": "all,none,none,none"}, "<b>next word</b>"),  # of one nothing is counted
        ({"rules": "none,all,all,all"}, ""),  # what takes nothing leads to no word
    ],
)
def test_beside_a_head_it_is_said_how_many_vote(link, told):
    """“75.0%” stood behind the context of one of four heads."""
    words = [*written(page(slide=1, **link))]
    assert told in words if told else "<b>next word</b>" not in words
    assert len([word for word in words if "votes of" in word]) == told.startswith("votes")


@pytest.mark.parametrize(("rule", "empty", "told"), [("even", "none", True), ("even", "soft", False), ("all", "none", False)])
def test_above_the_figure_it_is_said_what_none_is_where_a_row_has_it(rule, empty, told):
    """On a slide, where there is no tooltip, softmax was said of every row, and one of them had none."""
    at = page(slide=1, rules=rule, empty=empty, present="on")
    assert says(at.subheader[0].value, "none", "no key fits") == told
