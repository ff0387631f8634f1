"""Head rules by hand: every context of the article's two tables, the questions' keys, and the five treatments of an empty row."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from app_pages import VERDICT, alts, commit, computed, figures, of_visit, options_of, ran, right, say, says, shown, text, visited
from hypothesis import given
from hypothesis import strategies as st
from said import untagged
from scenarios import BIG, CODE, SOUND, TEXT, run, scenarios
from valid_figures import valid

from engine import Scenario
from engine.toy.by_hand import empty_rows, rows_by_hand
from engine.toy.edits import set_value
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.empty_row_policies import empty_case, treatments
from engine.toy.rules import Rule
from pages.lessons.rules import sentences, story
from pages.lessons.rules.figures.keys_searched import keys_searched
from pages.lessons.rules.figures.look import CELLS, HeadLine, Look
from pages.lessons.rules.figures.narrow_row import WEIGHTS, narrow_row
from pages.lessons.rules.figures.no_match import Tried, no_match
from pages.lessons.rules.figures.one_row import one_row
from pages.lessons.rules.figures.products import WHOLE
from pages.lessons.rules.figures.weighed_values import PALE, weighed_values
from pages.lessons.rules.questions import NOTHING, empty_outcomes, empty_question
from pages.lessons.rules.value_and_weight import SAME
from pages.parts.controls.toy import COMMON_RULES
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.palette import LIGHT, faded
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.format import SEEN
from pages.parts.text.toy_names import rule_name
from pages.parts.visit import scenario_query
from pages.parts.visit.scenario import Kept

NONE = np.nan
TEXT_TABLE = [[NONE, 20, 20, 12.5], [10, 20, 1, 5], [10, 10, 10, 10], [10, 15, 31 / 3, 9]]
CODE_TABLE = [[10, 20, 20, 12.5], [10, 15, 31 / 3, 5], [10, 10, 10, 10], [10, 15, 31 / 3, 9]]
page = partial(visited, "rules")


def drawn_lines(made, names, lines):
    """What the figure is handed: each head with its name and its line of arithmetic."""
    return [HeadLine(look, str(name), *line) for look, name, line in zip(made, names, lines, strict=True)]


def by_rule(layer, query):
    return [x.average for x in rows_by_hand(layer, query)]


def test_by_hand_every_context_of_the_texts_table_comes_out_to_the_last_digit():
    layer = run(TEXT).layers[0]
    np.testing.assert_array_equal(np.transpose([by_rule(layer, q) for q in range(4)]), TEXT_TABLE)
    np.testing.assert_allclose(layer.context[:, :, 0], np.nan_to_num(TEXT_TABLE), atol=1e-5)


def test_text_and_code_differ_in_exactly_three_cells():
    a, b = run(TEXT).layers[0], run(CODE).layers[0]
    np.testing.assert_allclose(b.context[:, :, 0], CODE_TABLE, atol=1e-5)
    differ = (np.abs(a.context - b.context)[:, :, 0] > 1e-9) | (a.empty != b.empty)
    assert np.argwhere(differ).tolist() == [[0, 0], [1, 1], [1, 2]]


def test_a_token_asks_and_a_head_finds_what_its_rule_lets_it_see():
    assert says(alts(page(slide=1))[0], "“is”, position 3", "head 1 even finds “weather”")
    assert says(alts(page(head="2", slide=1))[0], "“is”, position 3", "head 2 self finds “is”")
    assert says(text(page(slide=1)), "“is” fits the key of “weather”", "3 of 4", "hidden", "mask")
    second = page(token="2", head="4", slide=1)
    assert says(alts(second)[0], "head 4 all finds “Today” and “weather”")
    assert says(text(second), "In head 4", "“weather”", "keys", "“Today” and “weather”", "2 of 4")
    assert "context" not in alts(second)[0]  # which is the next step's word


def test_what_no_key_fits_and_what_nothing_hides_is_said():
    assert "fits no key" in text(page(token="1", slide=1))
    assert says(text(page(mask="off", slide=1)), "4 of 4", "mask", "off") and "hidden" not in text(
        page(token="4", slide="1", steps="")
    )


def test_each_head_makes_a_line_of_arithmetic():
    mixed = page(slide="2", steps="")
    assert says(alts(mixed)[0], "head 2 self looks at “so” 5, context 5", "head 4 all", "“Today” 10", "“so” 5, context 9")
    assert "(10 + 20 + 1 + 5) / 4" in shown(mixed) and "(20 + 5) / 2" not in shown(mixed)


def test_once_the_context_is_found_its_values_can_be_moved_and_the_shares_stay():
    at = page(slide="2", steps="")
    assert not [w for w in at.slider if w.key.startswith("mixed_")]
    assert right(commit(at, "context", 12.5), "12.5")
    next(w for w in at.slider if w.key == "mixed_value_1").set_value(60.0).run()
    assert says(text(at), "context follows", "(60 + 5) / 2", "32.5") and "guess_context" not in [w.key for w in at.number_input]
    assert says(alts(at)[0], "head 1 even looks at “weather” 60 and “so” 5, context 32.5")
    next(b for b in at.button if b.key == "mixed_again").click().run()
    assert "32.5" not in shown(at) + text(at) and right(commit(at, "context", 32.5), "32.5")


def test_what_a_question_asks_for_is_nowhere_on_the_page_until_it_is_answered():
    """12.5 and "none" once stood in the tables below their questions."""
    at = page(token="4")
    first = alts(at)[1].split("head 2")[0]  # what is said of head 1
    assert "12.5" not in shown(at) and "none" not in first
    assert says(first, "head 1 even", "“weather” 20", "“so” 5")
    assert right(commit(at, "context", 12.5), "12.5")
    assert "(20 + 5) / 2" in text(at).replace("\\", "") and "12.49" not in text(at)
    assert says(alts(at)[1], "head 1 even", "“weather” 20", "“so” 5", "12.5")
    at = page(token="1")
    assert says(alts(at)[2], "head 1", "no key") and "Here it is" not in alts(at)[2]
    assert not [r for r in at.radio if r.key == "rules_policy"]
    assert right(commit(at, "empty", NOTHING), NOTHING)
    assert f"Here it is {NOTHING}" in alts(at)[2]


def test_the_five_treatments_are_the_articles_and_the_switch_edits_the_scenario():
    at = page(slide=3)
    assert all(r.key != "rules_policy" for r in at.radio)
    commit(at, "empty", "10: the average of what it may see")
    rows = {line.split(" | ")[0].strip("|* ▸"): line.split(" | ")[1:4] for line in text(at).splitlines() if line.startswith("| ")}
    assert list(rows.values())[1:] == [
        ["none", "none", "warm"], ["10", "10", "nice"], ["NaN", "NaN", "nothing"], ["9", "**8.6**", "nice"],
        ["0.00335", "0.00335", "warm"],
    ]  # fmt: skip
    next(r for r in at.radio if r.key == "rules_policy").set_value("fill").run()
    assert of_visit(at, Kept).scenario.empty_row == "fill"
    assert says(text(at), "▸ −10⁹", "leaks")
    last = commit(at, "empty", "9: the average of all 4, hidden or not")
    assert right(last, "9: the average of all 4, hidden or not")  # the question was open again


def test_the_value_is_not_the_attention():
    at = page(slide=4)
    assert says(text(at), "“so”", "“weather”", "20", "“is”", "1")
    wrong = commit(at, "weight", "“weather”, worth 20")
    assert not right(wrong) and computed(wrong) == SAME
    assert says(text(at), "both", "0.25")


SCENARIOS = [
    replace(TEXT, values=(3, 5, 7, 11)),
    replace(TEXT, tokens=("a", "b", "c"), values=(4, -6, 2), rules=("previous", "window:2"), w_vocab=((1, 0, 0), (0, 1, 0))),
    replace(TEXT, causal=False, values=(1, 2, 3, 9), empty_row="fill"),
]
ANSWERS = [  # context, empty row, which weight is larger; worked out by hand
    (8.0, NOTHING, SAME),  # (5 + 11) / 2
    (-2.0, NOTHING, SAME),  # (−6 + 2) / 2; "previous" at position 1
    (
        5.5,
        "3.75: the average of all 4, hidden or not",
        SAME,
    ),  # (2 + 9) / 2; no row is empty, so head 1 is supposed to see nothing: the average of all
]


@pytest.mark.parametrize(("scenario", "answers"), list(zip(SCENARIOS, ANSWERS, strict=True)))
def test_the_keys_are_computed_anew_for_another_scenario(scenario, answers):
    for step, key, answer in zip((2, 3, 4), ("context", "empty", "weight"), answers, strict=True):
        assert right(commit(page(scenario_query.to_query(scenario), slide=step), key, answer))


@pytest.mark.parametrize(
    "query",
    [
        {"token": "99"}, {"token": "x"}, {"tokens": "a", "values": "0", "rules": "even"}, BIG, {**BIG, "token": "16"},
        {"tokens": "a", "values": "5", "rules": "even", "empty": "nan"}, {"mask": "off", "empty": "fill", "rules": "none"},
        {"mask": "off", "rules": "self,first"}, {"rules": "last,none,at:3,window:2", "empty": "softmax1"},
        {**BIG, "empty": "nan", "present": "on", "slide": "3"}, {"present": "on", "slide": "2"}, {"present": "on", "slide": "4"},
        {"sharpness": "1"}, {"values": "5,5,5,5"}, {"tokens": "<b>x</b>,**y**,$z$", "values": "1,2,3", "rules": "all"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(query):
    at = page(query)
    if query.get("present") == "on":
        assert f"{query['slide']} / 4" in text(at)
    else:
        assert says(alts(at)[0], "head 1")
        for key in ("context", "empty", "weight"):
            options = options_of(at, key)
            say(at, key, options[0].label if options else 1.0)
        assert "rules_policy" in [r.key for r in ran(at).radio]
        assert sum(bool(VERDICT.match(m.value)) for m in at.markdown) == 3


@given(scenarios(policies=tuple(EMPTY_ROW)))
def test_the_average_by_hand_is_what_sharp_softmax_computes(scenario):
    sharp = replace(scenario, sharpness=32.0, empty_row="none")
    layer = run(sharp).layers[0]
    for query in range(len(sharp.tokens)):
        for head, x in enumerate(rows_by_hand(layer, query)):
            assert np.isnan(x.average) == empty_rows(layer)[head, query] == (not x.seen)
            if x.seen:
                assert x.context == pytest.approx(x.average, abs=1e-9)


@given(scenarios(policies=tuple(EMPTY_ROW)), st.data())
def test_every_scenario_has_an_empty_row_to_ask_about_and_only_one_treatment_reads_the_future(scenario, data):
    case, head, row = empty_case(scenario)
    assert empty_rows(run(case).layers[0])[head, row]
    assert sum(a != b for a, b in zip(case.rules, scenario.rules, strict=True)) <= 1
    made = {t.policy: t for t in treatments(case, head, row)}
    assert set(made) == set(EMPTY_ROW) and np.isnan(made["nan"].total)
    assert made["none"].total == 0 and made["soft"].total == pytest.approx(1) and made["fill"].total == pytest.approx(1)
    assert all(made[policy].later == pytest.approx(made[policy].context, abs=1e-9) for policy in SOUND)
    moved = set_value(case, len(case.tokens) - 1, case.values[-1] + (100 if case.values[-1] < 0 else -100))
    if row < len(case.tokens) - 1:
        then = {t.policy: t for t in treatments(moved, head, row)}
        assert then["fill"].context != made["fill"].context  # the leak: a later value moves an earlier row
        assert all(then[policy].context == made[policy].context for policy in SOUND)


def drawn(scenario, look, dark=False, phone=False):
    """The figure as Plotly knows it."""
    layer = run(scenario).layers[0]
    made = rows_by_hand(layer, look.query)
    lines = drawn_lines(made, scenario.rules, [sentences.line(x, scenario.empty_row) for x in made])
    build = keys_searched if not look.values else narrow_row if phone else one_row
    return valid(build(Sheet(dark, phone=phone), layer, look, scenario.tokens, lines).to_plotly_json())


def row_of(figure):
    """What stands in the cells of the row that asks: the one heatmap of one row that begins where they do."""
    return next(np.array(t.z[0], float) for t in figure.data if t.type == "heatmap" and len(t.y) == 2 and t.x[0] == CELLS[0])


def lines_of(figure, color):
    """(width, path) of each line of that colour."""
    return [
        (shape.line.width, shape.path) for shape in figure.layout.shapes if shape.type == "path" and shape.line.color == color
    ]


@pytest.mark.parametrize("head", range(4))
def test_a_line_is_as_wide_as_the_share_that_it_carries_and_what_they_carry_adds_up(head):
    look = Look(head, 3, values=True)
    figure, weights = drawn(TEXT, look), run(TEXT).layers[0].weights[head, 3]
    *widths, together = [wide for wide, _ in lines_of(figure, LIGHT.value)]
    np.testing.assert_allclose(widths, WHOLE * weights[weights > SEEN], rtol=1e-4)
    assert together == pytest.approx(sum(widths))  # it ended at the weights, and nothing flowed to the context
    carried = re.findall(r"× \S+ [=≈] <b>([\d.]+)</b>", " ".join(figure.data[-1].text))
    assert len(carried) == len(widths)
    np.testing.assert_allclose(sum(map(float, carried)), TEXT_TABLE[head][3], atol=0.02)


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("s", [TEXT, set_value(TEXT, 0, -1000.0)])
def test_what_is_taken_of_a_value_is_its_share_of_the_values_bar_and_until_the_answer_nothing_has_a_length(s, phone):
    """Boxes of one width stood for the weights that were asked for, and products as long as the values: that is a weight of one."""
    looks, seen, colors = rows_by_hand(run(s).layers[0], 3)[3], {}, LIGHT
    for told in (False, True):
        figure = weighed_values(Sheet(phone=phone), looks, "9", s.tokens, (0, 1), Asked(), told)
        seen[told] = [
            (shape.fillcolor, np.array(re.findall(r"(-?[\d.]+),", shape.path), float))
            for shape in figure.layout.shapes
            if shape.fillcolor
        ]
    rows = [np.ptp(x) for color, x in seen[True] if color in (colors.value, faded(colors, colors.value, PALE))]
    value, taken = rows[:2]
    assert taken / value == pytest.approx(looks.weights[0], abs=2e-3)
    green = {faded(colors, colors.value, share) for share in (1.0, PALE)}
    lengths = [np.ptp(x) for color, x in seen[False] if color in green]
    np.testing.assert_allclose(np.array(lengths) / lengths[0], np.abs(looks.values) / abs(looks.values[0]), atol=2e-3)
    assert colors.hole not in {color for color, _ in seen[False]}


def test_what_lines_carry_is_not_said_while_their_sum_is_asked_for():
    layer, look = run(TEXT).layers[0], Look(0, 3, values=True)
    lines = [HeadLine(x, "", "", "?") for x in rows_by_hand(layer, 3)]
    texts = one_row(Sheet(False), layer, look, TEXT.tokens, lines).to_plotly_json()["data"][-1]["text"]
    assert not any("×" in text for text in texts)


@given(scenarios(policies=tuple(EMPTY_ROW)), st.data(), st.booleans())
def test_the_figure_draws_the_weights_of_the_row(scenario, data, dark):
    layer = run(scenario).layers[0]
    query, head = data.draw(st.integers(0, len(scenario.tokens) - 1)), data.draw(st.integers(0, len(scenario.rules) - 1))
    mask, weights = layer.mask[head, query], layer.weights[head, query]
    figure = drawn(scenario, Look(head, query, values=True), dark)
    np.testing.assert_array_equal(row_of(figure), np.where(mask | (weights != 0), weights, np.nan))
    results = [sentences.line(x, scenario.empty_row)[1] for x in rows_by_hand(layer, query)]
    assert all(result in figure.data[-1].text or f"<b>{result}</b>" in figure.data[-1].text for result in results)


@given(scenarios(policies=tuple(EMPTY_ROW)), st.data(), st.booleans())
def test_a_key_fits_where_it_is_lit_beneath_the_query_and_on_a_phone_values_times_weights_are_a_bill(scenario, data, phone):
    """The keys were splinters of 8 pixels, and whether two fit a dot or a tick."""
    n, query = len(scenario.tokens), data.draw(st.integers(0, len(scenario.tokens) - 1))
    head = data.draw(st.integers(0, len(scenario.rules) - 1))
    look = rows_by_hand(run(scenario).layers[0], query)[head]
    figure = drawn(scenario, Look(head, query), phone=phone)
    searched, keys = (np.array(t.z, float) for t in figure.data[:2])
    assert len(keys) == len(look.visible)
    if not scenario.rules[head].breaks_cache:
        assert tuple(np.flatnonzero((np.nan_to_num(keys) * (searched > 0)).any(axis=1))) == look.seen
        assert figure.data[1].x[0] == figure.data[0].x[0] and figure.data[1].x[-1] == figure.data[0].x[-1]
    if n <= 12:
        said = list(figure.data[-1].text)
        assert said.count("<b>✓ fits</b>") == len(look.seen) and said.count("later") == n - len(look.visible)
    bill = drawn(scenario, Look(head, query, values=True), phone=True)
    (weights,) = (t for t in bill.data if t.type == "heatmap" and t.x[0] == WEIGHTS[0] and len(t.x) == 2)
    mask = run(scenario).layers[0].mask[head, query]
    np.testing.assert_array_equal(np.array(weights.z, float)[:, 0], np.where(mask | (look.weights != 0), look.weights, np.nan))
    assert f"<b>{sentences.line(look, scenario.empty_row)[1]}</b>" in bill.data[-1].text


def test_on_a_phone_each_value_times_its_weight_stands_beside_it_once_the_context_is_known():
    """The weights alone stood there, without what they are multiplied with."""
    said = list(drawn(TEXT, Look(3, 3, values=True), phone=True).data[-1].text)
    assert {"= <b>2.5</b>", "= <b>5</b>", "= <b>0.25</b>", "= <b>1.25</b>", "<b>9</b>"} <= set(said) and said.count("1/4") == 4
    guessed = Asked(("a", "", "b", ""), False, True, guess="a", right="both")
    said = list(drawn(TEXT, Look(3, 3, values=True, asked=guessed), phone=True).data[-1].text)
    assert "yours" in said and "2.5" not in drawn(TEXT, Look(3, 3, values=True, told=False), phone=True).data[-1].text


def test_on_a_phone_a_product_is_what_the_written_numbers_make_or_nearly():
    """“20 × 0.49 = 9.82”, “7 × 0 = 0.023”: the exact product stood beside a share of two digits."""
    said = [
        word for word in drawn(replace(TEXT, sharpness=2), Look(0, 3, values=True), phone=True).data[-1].text if "<b>" in word
    ]
    assert "≈ <b>9.82</b>" in said and not any(word.startswith("= <b>") for word in said)
    few = drawn(replace(TEXT, sharpness=3), Look(0, 3, values=True), phone=True).data[-1].text
    assert "0.0012" in few and "0" not in few  # 10 × 0 was 0.012
    leaks = drawn(replace(TEXT, sharpness=4), Look(0, 3, values=True), phone=True).data[-1].text
    assert leaks.count("0") == 4  # two shares, and what is taken by them


@pytest.mark.parametrize("policy", [policy for policy in EMPTY_ROW if policy != "softmax1"])
def test_what_may_come_out_of_a_row_without_a_match_is_drawn_with_the_values_that_it_is_the_average_of(policy):
    s = replace(TEXT, empty_row=policy)
    case, head, row = empty_case(s)
    outcomes = empty_outcomes(s)
    for outcome in outcomes:
        if outcome.taken:
            assert float(outcome.context) == pytest.approx(np.mean([case.values[j] for j in outcome.taken]), abs=0.005)
    tried = Tried(row, case.values, rows_by_hand(run(case).layers[0], row)[head].visible)
    words = valid(no_match(Sheet(), tried, case.tokens, outcomes, Asked(known=False)).to_plotly_json()).data[-1].text
    assert sum("?" in word for word in words) == len(outcomes)
    assert words.count("no match") == words.count("<b>context</b>") == len(outcomes)


def test_on_a_phone_the_ways_stand_on_one_set_of_tokens_and_no_line_goes_through_a_number():
    """Names stood beneath each of three rows, whose bars were as low as a line of text, and the average ran through its own 5."""
    case, head, row = empty_case(TEXT)
    tried = Tried(row, case.values, rows_by_hand(run(case).layers[0], row)[head].visible)
    figure = no_match(Sheet(phone=True), tried, case.tokens, empty_outcomes(TEXT), Asked(known=False))
    text = figure.data[-1]
    assert [sum(said in word for word in text.text) for said in ("weather", "no match", "hidden", "<b>context</b>")] == [
        1,
        1,
        2,
        1,
    ]
    levels = [
        float(re.search(r",([\d.]+)L", s.path)[1])
        for s in figure.layout.shapes
        if s.path and s.line.dash == "dash" and "Z" not in s.path
    ]
    numbers = [y for y, word in zip(text.y, text.text, strict=True) if re.fullmatch(r"(<b>)?\d+(</b>)?", word)]
    assert len(levels) == 2 and all(abs(y - level) >= 10 for y in numbers for level in levels)


def test_what_may_come_out_is_a_bar_as_high_as_the_values_that_it_takes_level_out_and_the_right_one_has_a_firm_outline():
    """Three rows of cells stood beneath each other, most of them empty, and a context was a number alone."""
    case, head, row = empty_case(TEXT)
    outcomes = empty_outcomes(TEXT)
    options = tuple(outcome.option for outcome in outcomes)
    tried = Tried(row, case.values, rows_by_hand(run(case).layers[0], row)[head].visible)
    told = Asked(options, guess=options[1], right=options[0])
    for phone in (False, True):
        drawn, waits = (
            no_match(Sheet(phone=phone), tried, case.tokens, outcomes, a).to_plotly_json()
            for a in (told, Asked(options, True, False))
        )
        firm = [shape for shape in drawn["layout"]["shapes"] if shape["type"] == "rect"]
        assert len(firm) == 1 and not any(shape["type"] == "rect" for shape in waits["layout"]["shapes"])
        assert {"<b>✓</b>", "your guess"} <= set(drawn["data"][-1]["text"])
        taken, made = (
            [_height(s["path"]) for s in waits["layout"]["shapes"] if s.get("fillcolor") == color]
            for color in (faded(LIGHT, LIGHT.value, 0.55), LIGHT.value)
        )
        one, *all_four = taken
        assert len(all_four) == 4 and made == pytest.approx([one, np.mean(all_four)], abs=0.05)


def _height(path):
    """Of a rectangle."""
    numbers = [float(n) for n in re.findall(r"[\d.]+", path)]
    return numbers[5] - numbers[1]


@given(scenarios(policies=tuple(EMPTY_ROW)), st.data())
def test_a_key_is_lit_where_its_token_stands_and_a_query_where_it_searches(scenario, data):
    """So one sees whether they fit: a key that is lit where the query is."""
    n, query = len(scenario.tokens), data.draw(st.integers(0, len(scenario.tokens) - 1))
    head = data.draw(st.integers(0, len(scenario.rules) - 1))
    if scenario.rules[head].breaks_cache:
        return
    figure = drawn(scenario, Look(head, query, values=True))
    maps = [np.array(t.z, float) for t in figure.data if t.type == "heatmap"]
    keys, searches = next(z for z in maps if z.shape == (int(run(scenario).layers[0].mask[head, query].sum()), n)), maps[2][0]
    layer = run(scenario).layers[0]
    fits = (keys * (searches > 0)).any(axis=1)
    np.testing.assert_array_equal(fits, (layer.scores[head, query] > 0)[: len(keys)])


@given(scenarios(policies=tuple(EMPTY_ROW)))
def test_what_an_empty_row_may_give_is_offered_once_each_and_says_what_kind_of_number_it_is(s):
    question = empty_question(s)
    numbers = [option.partition(": ")[0] for option in question.options]
    assert len(set(numbers)) == len(numbers) and question.answer in question.options and all(": " in o for o in question.options)
    case, head, row = empty_case(s)
    found = next(t for t in treatments(case, head, row) if t.policy == s.empty_row)
    if s.empty_row == "none":
        assert question.answer == NOTHING
    else:
        told = question.answer.partition(": ")[0].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        told = told.replace("−", "-").replace(",", "").replace("·10", "e")
        assert float(told) == pytest.approx(found.context, abs=6e-3, nan_ok=True)


def test_the_code_rule_for_last_leaks_into_earlier_rows_as_an_average():
    """Negative control: head 2 of the code at "weather" and "is" is off by 5 and by 9.33, the text's own position is not."""
    a, b = (run(x).layers[0].context[1, :, 0] for x in (TEXT, CODE))
    np.testing.assert_allclose(b - a, [0, -5, 31 / 3 - 1, 0], atol=1e-5)


@pytest.mark.parametrize("n", range(1, 9))
def test_up_to_eight_tokens_of_eight_letters_stand_whole_in_their_boxes(n):
    s = Scenario(["tomorrow"] * n, [67] * n, ("all",), w_vocab=[(0.1, 0.2, 0.3)])
    for query, phone in ((0, False), (n - 1, True)):
        written = drawn(s, Look(0, query, values=True), phone=phone).data[-1].text
        assert sum(words == "<b>tomorrow</b>" for words in written) == n


def test_every_rule_is_read_whole_in_its_menu():
    """“the last of the prompt (⚠ breaks the c…” stood there: four menus beside each other have room for 22 letters."""
    assert max(len(rule_name(Rule.parse(text))) for text in COMMON_RULES) <= 22


def test_in_the_story_one_search_is_predicted_before_its_drawers_open_and_the_mask_has_no_name_yet():
    """It had no question, used “head” and “drawer” unsaid, and searched for even positions for no reason."""
    at = page(route="story", steps="")
    assert says(text(at), "the colour", "query", "drawer", "key", "place") and not re.search("mask|even pos", text(at))
    assert says(alts(at)[0], "head 1", "finds what you are asked for") and not any("even" in word for word in written(at))
    assert (
        written(at).count("?") == 4 and "✓ fits" not in written(at) and "extra_head" not in [w.key for w in at.segmented_control]
    )
    told = commit(at, "drawers", "“weather” and “so”")
    assert right(told, "“weather” and “so”") and says(told, "places 2 and 4", "head 1", "even") and "✓ fits" in written(at)
    assert says(text(at), "another above the figure") and "its drawer" not in text(at) and "mask" not in text(at)
    at.segmented_control(key="extra_token").set_value(1).run()
    at.segmented_control(key="extra_head").set_value(1).run()
    assert (
        says(text(at), "“Today”", "no drawer", "later is hidden") and right(told, "“weather” and “so”") and "mask" not in text(at)
    )


def written(at):
    ((figure, _),) = figures(at)
    return [untagged(word) for word in figure["data"][-1]["text"]] if "text" in figure["data"][-1] else []


@given(scenarios(n_tokens=st.integers(1, 16)))
def test_what_is_said_of_a_search_is_what_the_engine_finds(s):
    head, row = story.asked_head(s), len(s.tokens) - 1
    seen = rows_by_hand(run(s).layers[0], row)[head].seen
    question = story.drawers_question(s)
    assert question.answer == story.drawers(s, tuple(seen)) in question.options
    assert ("no drawer" in question.why) == (not len(seen))
    assert len(set(question.options)) == len(question.options) >= 2


def test_in_the_story_weights_and_sums_wait_for_the_context_that_they_make():
    """Two halves and “(10 + 20 + 1 + 5) / 4” stood beside the question for an average."""
    at = page(route="story", steps="", slide="2")
    assert says(text(at), "weight", "same share") and "1/2" not in shown(at) and "/ 4" not in shown(at)
    assert right(commit(at, "context", 12.5), "12.5") and "1/2" in shown(at) and "/ 4" in shown(at)


def test_stripes_of_query_and_key_have_the_number_of_their_place_and_another_head_is_said():
    ((figure, _),) = figures(page(route="story", steps=""))
    assert [figure["data"][-1]["text"].count(f"<b>{j}</b>") for j in range(1, 5)] == [1, 2, 1, 2]
    assert says(text(page(route="story", steps="", slide="2", head="3")), "shown is head 1")


@pytest.mark.parametrize(
    ("link", "slide"), [(dict(rules="window:3"), 3), (dict(rules="previous,self"), 4), (dict(rules="odd,all"), 3)]
)
def test_what_is_supposed_of_a_head_is_said_before_it_is_told_of_it(link, slide):
    """“Today” asks in head 1, which looks at even positions, where head 1 looks at the last three: only the question said “suppose”."""
    at = visited("rules", link, slide=slide, answers="shown")
    assert "Suppose head 1 looked at" in text(at) and alts(at)[0].startswith("Suppose head 1 looked at")
    assert not alts(visited("rules", slide=slide, answers="shown"))[0].startswith("Suppose")


def test_a_slide_invites_to_sliders_once_they_have_been_brought():
    """“Move a value that is taken”, where none can be moved until S."""
    link = {"route": "story", "slide": "2", "answers": "shown"}
    at = page(link | {"present": "on"})
    assert "Move a value" not in text(at) and "Move a value" in text(page(link))
    assert "Move a value" in text(at.button(key="slide_controls").click().run())
