"""The lesson on prefill: three ways to one triangle, a prompt of 100,000 tokens, and the rows a later token can reach."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from app_pages import commit, computed, figures, on, right, says, seen, text, visited
from hypothesis import given, settings
from hypothesis import strategies as st
from said import untagged
from scenarios import BIG, CODE, TEXT, scenarios
from valid_figures import valid

from engine import Rule, Scenario, bundled, prefill
from engine.compare import ROUNDING, gaps
from engine.cost import compute_s, decode_flops, tpot_s
from engine.experiments.rows import contexts
from engine.toy.edits import set_value
from engine.toy.rules import LITTLE
from engine.work.prompt_chunks import prompt_work
from pages.lessons.prefill import story
from pages.lessons.prefill.figures.prompt_cost import prompt_cost
from pages.lessons.prefill.figures.rows_compared import Table, rows_compared
from pages.lessons.prefill.figures.triangles import triangles
from pages.lessons.prefill.figures.two_masks import Side, two_masks
from pages.lessons.prefill.questions import MASK_ROWS, leak_question, mask_question, rows_hardly_changed, rows_that_stay
from pages.lessons.prefill.story import difference, in_chunks
from pages.parts.drawing.palette import LIGHT
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.amounts import milliseconds
from pages.parts.visit import scenario_query

page = partial(visited, "prefill")


def run(s):
    return prefill(s.model(), s.prompt_ids)


def mask_table(s, causal):
    """The contexts, NaN where a head finds nothing: none is no 0."""
    there = run(replace(s, causal=causal))
    return np.where(there.layers[0].empty.T, np.nan, contexts([there]))


def answered(at):
    """The page once the question on products is answered: whether results agree is told from then on."""
    commit(at, "products", "the same number")
    return text(at)


def test_one_at_a_time_takes_four_passes_and_agrees_to_the_last_digit():
    at = page(slide=1)
    assert not says(seen(at), "10 products")
    shown = answered(at)
    gap = difference(TEXT, in_chunks(TEXT, 1), (run(TEXT),))
    assert gap < 1e-13
    assert says(shown, "results are the same") and ("last bit" in shown) == (gap == 0)


def test_the_long_prompt_by_formula():
    at = page(p="100000")
    for number in ("**99,999**", "**20 GB**", "100 passes", "200 MB"):
        assert number in text(at)
    told = [alt for _, alt in figures(at) if says(alt, "prompt", "100,000")]
    assert says(told[0], "at once", "1 pass") and not says(told[0], "at once", "5,000,050,000")
    commit(at, "products", "fewer")
    assert any(says(alt, "at once", "1 pass", "5,000,050,000") for _, alt in figures(at))


def test_the_long_prompt_opens_at_the_readers_own():
    at = page(tokens="a,b,c,d,e", values="1,2,3,4,5", rules="all", slide=2)
    assert any(says(alt, "prompt", "5 tokens") for _, alt in figures(at))


def test_what_the_mask_does_waits_for_the_answer():
    """All but two rows were told before, and then all waited in one place: which of them stays as it is is what is asked."""
    at = page(slide=4)
    for words in ({"<b>?</b>": 1, "<b>new</b>": 0, "stays": 0}, {"<b>?</b>": 0, "<b>new</b>": 3, "stays": 1}):
        (figure,) = [figure for figure, alt in figures(at) if "mask off" in alt]
        written = figure["data"][-1]["text"]
        assert {word: list(written).count(word) for word in words} == words
        if words["<b>?</b>"]:
            assert "12.5" not in str(written).replace("'12.5'", "", 1)  # once, with the mask
            commit(at, "mask", "none")


def test_the_question_on_products_before_and_after():
    at = page()
    assert not says(text(at), "10", "one pass")
    at = page(slide=1)
    told = commit(at, "products", "fewer")
    assert (
        not right(told) and computed(told) == "the same number" and seen(at).count("10 products") == 4
    )  # of each way, and in the headline
    assert says(told, "4 steps", "1")
    alone = commit(page(tokens="Now", values="3", slide=1), "products", "the same number")
    assert right(alone) and says(alone, "same pass") and not says(told, "same pass")
    assert right(commit(page(slide=1), "products", "the same number"))


def test_with_the_mask_off_one_pass_computes_more_that_counts():
    told = commit(page(mask="off", slide=1), "products", "more")
    assert right(told, "more") and says(told, "16", "one pass", "10")


def test_the_question_on_the_mask():
    assert right(commit(page(slide=4), "mask", "only the last"), "only the last")
    off = mask_table(TEXT, False)
    np.testing.assert_allclose(off[0], [12.5, 10, 10, 9], atol=1e-5)  # "Today" sees the whole prompt
    np.testing.assert_array_equal(off[3], mask_table(TEXT, True)[3])


@settings(max_examples=3)
@given(scenarios(n_tokens=st.integers(2, 8)))
def test_both_keys_follow_the_scenario(s):
    at = page(scenario_query.to_query(s), slide=4)
    _, within = rows_hardly_changed(replace(s, causal=True), replace(s, causal=False))
    same = (gaps(mask_table(s, True), mask_table(s, False)) <= max(within, LITTLE * np.abs(s.values).max())).all(axis=1).tolist()
    assert same[-1]
    expected = "every row" if all(same) else "only the last" if sum(same) == 1 else "the last and some others"
    assert right(commit(at, "mask", expected), expected)
    assert right(commit(on(at, 1), "products", "the same number"), "the same number")


@pytest.mark.parametrize(
    ("same", "expected"), [([1, 1], 3), ([0, 1], 1), ([1, 0, 1], 2), ([1, 0], 0), ([0, 0], 4), ([0, 1, 0], 4), ([1], 3)]
)
def test_which_rows_stay_in_words(same, expected):
    assert rows_that_stay(np.array(same, bool)) == MASK_ROWS[expected]


def test_a_later_value_reaches_no_earlier_row():
    shown = text(page(slide=3))
    assert says(shown, "no", "“is”", "both rows") and not says(shown, "without the mask")
    assert says(text(page(token="4", value="-3.5", slide=3)), "no", "“so”", "own")


def test_without_the_mask_it_reaches_them_all():
    assert says(text(page(view="off", slide=3)), "2 rows", "“is”", "without the mask")


def test_the_mask_switch_waits_for_the_question_that_it_would_answer():
    """The answer is then in the figure: the mask is off. On one page it waits for the next step's question as well."""
    at = page()

    def switch():
        return [b for b in at.segmented_control if b.key == "extra_view"]

    assert not switch()
    assert right(commit(at, "leak", "every row"), "every row")
    assert says(text(at), "2 rows", "“is”", "without the mask") and switch()[0].value == "off"
    at = page(answers="shown", slide=3)
    switch()[0].set_value("off").run()
    assert says(text(at), "2 rows", "“is”", "without the mask")


@given(scenarios())
def test_which_rows_notice_a_value_with_the_mask_the_other_way_is_computed(s):
    question = leak_question(s)
    if not question:
        assert len(s.tokens) == 1
        return
    assert question.answer in question.options
    if not s.causal and s.empty_row != "fill" and len(s.tokens) > 2:
        assert question.answer == "none" or question.answer.startswith("only from")


def test_a_row_that_by_hand_does_not_look_at_a_token_does_not_notice_it():
    """“Every row”, of the article with one rule changed, two of whose rows look at no token that was changed: they moved by 1.1·10⁻⁵."""
    s = replace(TEXT, values=(10, 20, 1, 30), rules=(*TEXT.rules[:3], Rule("window", 2)))
    assert leak_question(s).answer == "only from “is” on"
    one = Scenario(("Anna", "feeds", "cats"), (12, 3, -4), ("previous",), w_vocab=((0.1, 0.2, 0.3),))
    assert mask_question(one).answer == "every row"  # “the last and some others”: “feeds” moved by 1.8·10⁻⁶
    assert leak_question(TEXT).answer == "every row" and mask_question(TEXT).answer == "only the last"


def test_another_chunk_is_another_picture_where_it_takes_as_many_passes():
    """Two passes of 2, or one of 3 and one of 1: only the heading differed."""
    drawn = [triangles(Sheet(), [("chunks", in_chunks(TEXT, n))], TEXT.tokens, [""]).to_plotly_json() for n in (2, 3)]
    assert drawn[0]["layout"]["shapes"] != drawn[1]["layout"]["shapes"]


def test_the_leaking_policy_is_named():
    """The negative control: an empty row filled with −10⁹ knows the future although the mask is on."""
    at = page(empty="fill", slide=3)
    assert says(text(at), "1 row", "“is”", "empty row")
    shown = answered(on(at, 1))
    assert says(shown, "not agree") and says(shown, "not agree", "empty row", "−10⁹")


def test_the_key_that_knows_the_future_is_caught():
    shown = answered(page(scenario_query.to_query(CODE), slide=1))
    assert says(shown, "not agree", "9.6667") and says(shown, "key", "head 2")
    assert difference(CODE, in_chunks(CODE, 1), (run(CODE),)) == pytest.approx(4, abs=1e-5)
    assert difference(CODE, in_chunks(CODE, 2), (run(CODE),)) == pytest.approx(20 - 31 / 3, abs=1e-4)  # "weather" still says so


def test_with_the_mask_off_the_order_matters():
    shown = answered(page(mask="off", slide=1))
    assert says(shown, "not agree", "mask is off")


EXTREME = {
    "16 × 8": BIG, "one token": {"tokens": "one", "values": "3", "rules": "even"}, "zeros": {"values": "0,0,0,0"},
    "no head sees": {"rules": "none"}, "NaN": {"empty": "nan"},
    "hostile words": {"tokens": "<b>,$x$", "values": "1,2", "rules": "last"},
    "hostile extras": {"p": "-5", "chunk": "99", "head": "77", "token": "abc", "value": "1e99", "view": "zzz"},
    "any length": {"p": "12345"},
}  # fmt: skip


@pytest.mark.parametrize(("name", "slide"), [(name, at % 4 + 1) for at, name in enumerate(EXTREME)])
def test_any_link_shows_all_steps_and_each_step_is_presented_with_two(name, slide):
    page(EXTREME[name])
    assert f"{slide} / 4" in text(page(EXTREME[name], present="on", slide=str(slide)))


@given(scenarios(n_tokens=st.integers(1, 8)))
def test_the_triangles_have_a_cell_for_each_product_and_a_place_for_each_pass_and_validate(s):
    whole, single, n = run(s), in_chunks(s, 1), len(s.tokens)
    figure = triangles(Sheet(), [("a", single), ("b", (whole,))], s.tokens, ["", ""])
    valid(figure.to_plotly_json())
    found = [shape.path.count("Z") for shape in figure.layout.shapes if shape.fillcolor == LIGHT.prefill]
    assert found == [sum(p.counts.scores for p in single), whole.counts.scores]
    grounds = [shape.path.count("Z") for shape in figure.layout.shapes if shape.fillcolor == LIGHT.hole]
    assert grounds == [n, 1]
    assert [f.name for f in figure.frames] == [f"after {t} of {n} steps" for t in range(n + 1)]
    assert len({len(f.layout.shapes) for f in figure.frames}) == 1  # frames merge: one with fewer would leave some lying
    covered = [f.layout.shapes[-1].x1 - f.layout.shapes[-1].x0 for f in figure.frames]
    assert all(a > b for a, b in pairwise(covered)) and covered[-1] == 0  # every frame uncovers something


def test_the_triangles_frames_are_small_at_the_extreme():
    s = Scenario(tokens=[f"w{i}" for i in range(16)], values=[1.0] * 16)
    figure = triangles(Sheet(), [("a", in_chunks(s, 1)), ("b", in_chunks(s, 2)), ("c", (run(s),))], s.tokens, ["", "", ""])
    assert len(figure.to_json()) < 250_000


@pytest.mark.parametrize("n", [1, 2, 4, 61, 100_000])
def test_the_cost_figure_shows_the_counts_and_validates(n):
    whole = prompt_work(n, n)
    figure = prompt_cost(Sheet(n % 2 == 0), n, whole)
    valid(figure.to_plotly_json())
    words = " ".join(figure.data[-1].text)
    for number in (whole.scores, whole.scores_dense, 4 * whole.scores_dense, 16 * whole.scores_dense):
        assert f"{number:,}" in words


def test_a_later_token_is_looked_at_from_its_own_row_on():
    """ "is" is the third of four: its cell stands out in two rows, which are new."""
    ((figure, _),) = [shown for shown in figures(page(slide=3)) if "“is” = 1 " in shown[1]]
    words, fills = figure["data"][-1]["text"], [shape.get("fillcolor") for shape in figure["layout"]["shapes"]]
    (of_it,) = [shape["path"].count("Z") for shape in figure["layout"]["shapes"] if shape.get("fillcolor") == LIGHT.prefill]
    assert of_it == 2 and [list(words).count(word) for word in ("stays", "<b>new</b>")] == [2, 2]
    assert LIGHT.decode not in fills  # nothing is decoded


def compared(s, **mask):
    """The contexts of a scenario with the mask and without, as they are drawn."""
    with_it, without = (run(replace(s, causal=causal)).layers[0] for causal in (True, False))
    both = [contexts([run(replace(s, causal=causal))]) for causal in (True, False)]
    sees = [layer.mask[0] for layer in (with_it, without)]
    tables = [
        Table(numbers, layer.empty.T, title, look, sees[0] != sees[1])
        for numbers, layer, title, look in zip(both, (with_it, without), ("on", "off"), sees, strict=True)
    ]
    changed = gaps(*both) > ROUNDING
    return changed, rows_compared(
        Sheet(**mask), tables, (changed, np.zeros(len(s.tokens), bool)), s.tokens, [str(k) for k in range(len(s.rules))]
    )


def test_rows_compared_marks_what_changed_and_only_that():
    _, figure = compared(TEXT)
    valid(figure.to_plotly_json())
    words = list(figure.data[-1].text)
    assert words.count("stays") == 1 and words.count("<b>new</b>") == 3
    assert words.count("<b>12.5</b>") == 3 and words.count("<b>9</b>") == 3 and words.count("none →") == 1


@given(scenarios(), st.booleans())
def test_a_number_that_is_another_stands_in_bold_whatever_room_it_has(s, phone):
    changed, figure = compared(s, phone=phone)
    valid(figure.to_plotly_json())
    written = [word for word in figure.data[-1].text if word not in ("<b>new</b>",)]
    heads = {"<b>may look at</b>", "<b>contexts</b>"}
    names = {f"<b>{word}</b>" for word in s.tokens}
    bold = [word for word in written if word.startswith("<b>") and word not in heads | names]
    assert len(bold) <= changed.sum()


def test_of_one_token_it_is_asked_whether_its_row_stays_and_not_which():
    question = mask_question(Scenario(("so",), (5,), ("all",), w_vocab=((0.1, 0.2, 0.3),)))
    assert question.options == ("yes", "no") and question.answer == "yes" and "only token" in question.asked


def test_before_the_answer_no_number_of_products_is_told_and_what_it_is_about_is_not_drawn():
    """“10 products, the same results” twice beside a third, drawn whole, told “the same number”: no count stands there until then."""
    at = page(chunk="2", slide="1", steps="")

    def drawn():
        ((figure, alt),) = figures(at)
        return [word for word in figure["data"][-1]["text"] if says(word, "product") or "?" in word], alt

    assert drawn()[0] == ["<b>?</b>"]
    assert says(drawn()[1], "to be found") and "same" not in drawn()[1] + text(at).split("Predict")[0]
    commit(at, "products", "fewer")
    assert drawn()[0] == ["10 products"] * 3 + ["<b>The same 10 products, in 4 passes or 1</b>"] and says(
        text(at), "results are the same"
    )


def test_in_the_story_the_time_of_one_pass_is_asked_and_then_played():
    """“10 products” stood twice beside the question, and why a pass of four rows takes no longer was not said."""
    at = page(route="story", steps="", slide="1")
    ((figure, alt),) = figures(at)
    assert not figure.get("frames") and says(alt, "to be found") and list(figure["data"][-1]["text"]).count("<b>?</b>") == 1
    told = commit(at, "time", "about 1/4 as long")
    assert right(told, "about 1/4 as long")
    ((figure, _),) = figures(at)
    assert len(figure["frames"]) == 5 and figure["layout"]["meta"]["start"] == 4
    real, chip = story.REAL, story.DEVICE
    fetch, rows = (milliseconds(x) for x in (tpot_s(real, 0, chip), compute_s(4 * decode_flops(real, 0), chip)))
    assert says(text(at), real.name, fetch, rows)
    two = page(route="story", steps="", slide="1", tokens="a,b", values="1,2")
    assert right(commit(two, "time", "about half as long"), "about half as long")
    assert says(text(page(route="story", steps="", slide="1", tokens="a", values="1")), "One token is one pass")


def test_in_a_trained_model_too_what_stands_before_a_change_keeps_its_keys_and_values():
    n_layer, at, moved = story._measured()
    model = bundled()
    one, other = (prefill(model, model.tokenizer.encode(story.TEXT.format(word))) for word in story.CHANGE)
    same = np.equal(one.token_ids, other.token_ids)
    assert n_layer == len(one.layers) and same[:at].all() and not same[at]
    for a, b in zip(one.layers, other.layers, strict=True):
        for name in "kv":
            np.testing.assert_array_equal(getattr(a, name)[:, :at], getattr(b, name)[:, :at])
    assert not moved[:at].any() and moved[at:].all()
    page_ = page(route="story", steps="", slide="3")
    assert not any("trained model" in m.help for m in page_.markdown)
    commit(page_, "leak", "every row")
    assert any(says(m.help, str(n_layer), str(at), "keys") for m in page_.markdown)


def test_in_the_story_the_mask_is_on_and_off_side_by_side_and_only_what_is_asked_waits():
    at = page(route="story", steps="", slide="3")

    def written():
        ((figure, _),) = figures(at)
        return [untagged(word) for word in figure["data"][-1]["text"]]

    assert [written().count(word) for word in ("stays", "new", "?")] == [2, 2, 1]
    assert right(commit(at, "leak", "every row"), "every row") and says(text(at), "With the mask", "“is”", "can be kept")
    assert [written().count(word) for word in ("stays", "new", "?")] == [2, 6, 0]
    at.segmented_control(key="extra_token").set_value(2).run()  # at once, and it asks nothing anew
    assert [written().count(word) for word in ("stays", "new", "?")] == [1, 7, 0]
    off = page(route="story", steps="", slide="3", mask="off")
    ((_, alt),) = figures(off)
    assert says(alt, "with the mask is still to be found", "without the mask these rows are new")


@given(scenarios(), st.integers(0, 15), st.booleans())
def test_a_row_is_new_where_its_contexts_are(s, token, causal):
    token %= len(s.tokens)
    s = replace(s, values=tuple(range(1, len(s.values) + 1)))
    sees, moved, _ = story.looks_and_changes(s, causal, token, 100.0)
    before = replace(s, causal=causal)
    apart = gaps(*(contexts([run(x)]) for x in (before, set_value(before, token, 100.0))))
    # What softmax leaks is none.
    np.testing.assert_array_equal(moved, (apart > max(ROUNDING, 2e-6 * (100 - s.values[token]))).any(axis=1))
    assert not moved[~sees[:, token]].any()


@given(scenarios(), st.booleans(), st.integers(0, 15), st.booleans())
def test_a_side_that_is_asked_for_says_of_no_row_what_becomes_of_it(s, phone, token, known):
    token %= len(s.tokens)
    sides = [
        Side(name, *story.looks_and_changes(s, causal, token, 100.0)) for name, causal in (("with", True), ("without", False))
    ]
    sides[1] = sides[1] if known else sides[1]._replace(moved=None)
    words = valid(two_masks(Sheet(phone=phone), tuple(sides), s.tokens, token).to_plotly_json()).data[-1].text
    told = [side for side in sides if side.moved is not None]
    hardly = sum(int(side.hardly.sum()) for side in told if side.hardly is not None)
    new, n = sum(int(side.moved.sum()) for side in told) - hardly, len(s.tokens) * len(told)
    counts = [new, hardly, n - new - hardly, len(sides) - len(told)]
    assert [words.count(word) for word in ("<b>new</b>", "hardly", "stays", "<b>?</b>")] == counts


@pytest.mark.parametrize(
    "query", [{}, {"mask": "off"}, {"rules": "last,even,self,first"}, {"empty": "fill"}, {"tokens": "so", "values": "5"}]
)
def test_the_story_says_that_rows_came_out_the_same_only_where_two_ways_have(query):
    """“Rows that were computed again came out **the same**. Was that luck?”, two steps after “they differ by up to 9.25”."""
    link = {"route": "story", "answers": "shown"} | query
    ways, ahead = (text(page({**link, "slide": str(step)})) for step in (1, 3))
    assert (
        ("do **not** agree" in ways) == ("came out **others**" in ahead) == (query not in ({}, {"tokens": "so", "values": "5"}))
    )
    assert ("came out **the same**" in ahead) == ("came out **others**" not in ahead)


def test_a_slide_names_the_token_whose_value_changes_until_its_buttons_are_brought():
    """“Change the value of  from 1 to 100”: whose?"""
    link = {"route": "story", "answers": "shown", "slide": "3"}
    assert "**The value of “is”** goes from **1**" in text(page(link | {"present": "on"}))
    assert "**The value of" not in text(page(link))
