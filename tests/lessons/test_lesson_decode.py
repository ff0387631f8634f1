"""The decode lesson: one row a step, its numbers those of the article, its questions those of the scenario on screen."""

import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from app_pages import SCENARIOS, commit, computed, figures, moved, on, press, ran, right, says, selected, text, visited
from hypothesis import given
from hypothesis import strategies as st
from said import untagged
from scenarios import BIG, CODE, TEXT, scenarios
from valid_figures import valid

from engine import prefill, probabilities
from engine.experiments.chosen_answer import answer
from engine.experiments.rows import rows_so_far
from engine.toy.by_hand import pass_by_hand
from engine.toy.presets import ALL_SWIM
from engine.toy.rules import MAX_TOKENS
from pages.lessons.decode import questions
from pages.lessons.decode import story as story_of_decode
from pages.lessons.decode.figures.growing_map import growing_map
from pages.lessons.decode.figures.split_point import split_point
from pages.parts.controls import answer_position as answer_controls
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.grid import Grid, mosaic
from pages.parts.drawing.next_word import NextWord
from pages.parts.drawing.palette import DARK, LIGHT
from pages.parts.drawing.sheet import Sheet, ems
from pages.parts.visit import scenario_query
from pages.parts.vote import in_a_room

NICE = 0
SAME = r"(0|\d·10⁻¹[³⁴⁵⁶⁷])"  # to the last bit, or to what another order of a sum leaves
page = partial(visited, "decode")


def told(at):
    """The words on the page and what stands behind them."""
    return "\n".join([text(at), *(element.proto.help for element in at.markdown)])


def test_prefill_then_each_step_says_its_contexts_and_the_next_word():
    at = page(slide=1)
    assert says(told(at), "12.5, 5, 10", "9", "nice", "logit 15.3")
    next(b for b in at.button if b.key == "step_next").click()
    at.run()
    assert says(told(at), "12.5, 7, 10", "8.6", "nice", "logit 16.22", "4", "stay")


def test_presented_one_pair_of_buttons_goes_through_the_steps_and_then_to_the_next_slide():
    at = page(present="on", step="2")
    assert [b.label for b in at.button].count("Next") == [b.label for b in at.button].count("Back") == 1
    assert not [b for b in at.button if b.key == "step_next"]
    press(at, "slide_next")
    assert says(text(at), "Step 3", "decode") and "1 / 2" in text(at)
    press(at, "slide_next")
    assert "2 / 2" in text(at)


def test_presented_back_leads_back_from_a_step_beyond_those_that_the_keys_go_through():
    at = page(present="on", step="9")
    press(at, "slide_back")
    assert says(text(at), "Step 8", "decode") and "1 / 2" in text(at)


def test_a_seed_of_another_lesson_is_the_one_that_is_shown_and_drawn_with():
    at = page(choose="sample", seed="500", temperature="5", slide=1)
    (seed,) = (slider.value for slider in at.slider if slider.key == "extra_seed")
    assert seed == 500


def test_the_questions_keys_are_the_articles():
    assert right(commit(page(slide=1), "new_rows_0", "1 row"), "1 row")
    wrong = commit(page(slide=2), "old_rows", "another one, or several")
    assert not right(wrong) and computed(wrong) == "none"


def test_an_answer_stays_where_it_was_asked_until_the_row_is_brought():
    at = page(slide=1)
    commit(at, "new_rows_0", "5 rows")
    assert says(text(at), "Step 0", "prefill") and says(told(at), "12.5, 5, 10")
    press(at, "step_next")
    assert says(text(at), "Step 1", "decode") and says(told(at), "12.5, 7, 10", "8.6")
    assert "4 read, 1 new" in str(figures(at)[0][0])


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(0, 3))
def test_one_row_is_computed_whatever_the_scenario_and_the_choices_differ(scenario, step):
    run = answer(scenario.model(), scenario.prompt_ids, step + 2, chosen_ids=(NICE,) * (step + 2))
    words = (*scenario.tokens, *[scenario.words[NICE]] * (step + 1))
    position = SimpleNamespace(run=run, words=words, at=step, ended=False)
    asked = questions.new_rows_question(scenario, position, step)
    n = len(scenario.tokens) + step
    assert asked.answer == "1 row" and asked.options == (
        ("1 row", f"{n} rows", f"{n + 1} rows") if n > 1 else ("1 row", "2 rows")
    )
    met = questions.keys_met_question(scenario, position, step)
    assert met.answer == f"{n + 1} keys" and met.answer in met.options and set(met.slips) < set(met.options)


def test_where_a_word_has_gone_in_the_figure_tells_its_rows_and_the_keys_of_the_next_are_asked():
    """It told of the word what it then asked of the next."""
    at = page(slide=1)
    assert "? new rows" in str(figures(at)[0][0]) and says(text(at), "How many new", "rows")
    press(at, "step_next")
    assert "1 new row, 4 only read" in str(figures(at)[0][0]) and says(text(at), "How many", "keys", "its query meet")
    assert right(commit(at, "keys_met_1", "6 keys"), "6 keys")


@pytest.mark.parametrize(
    ("w", "head"), [("0,0,0;1,2,3;0,0,0;0,0,0", "2 self"), ("1,2,3;0,0,0;0,0,0;0,0,0", "1 even"), ("5,5,5;" * 4, "1 even")]
)
def test_untouched_the_head_that_is_drawn_is_one_that_votes_for_the_next_word(w, head):
    """Of words of one's own the first head has zeros in W, and a line led from its context to the word."""
    assert f"weights, head {head}" in str(figures(page(slide=1, w=w.strip(";")))[0][0])


PROJECTED = 1230  # pixels of a figure on a projector


@pytest.mark.parametrize("present", ["", "on"])
def test_whose_guess_it_was_stands_behind_what_the_cache_has(present):
    """On a slide the two ran into each other: “1 newyour guess”."""
    at = page(slide=1, step="1", present=present)
    commit(at, "keys_met_1", "1 key")
    ((figure, _),) = figures(at)
    places = {
        untagged(text): (x, size * ems(untagged(text)) / PROJECTED)
        for trace in figure["data"]
        if trace.get("text") and isinstance(trace["textfont"]["size"], list)
        for x, text, size in zip(trace["x"], trace["text"], trace["textfont"]["size"], strict=True)
    }
    (begins, wide), (guess, _) = places["KV cache 4 read, 1 new"], places["your guess"]
    assert 0 < begins + wide + 12 / PROJECTED < guess < 0.4


def test_who_has_answered_is_not_asked_again_at_every_further_step():
    """Each press of the stepper brought the next question; who comes in at a later step is asked there."""

    def asked():
        """The tokens whose rows are asked for."""
        return [n for n in range(5, 12) if re.search(rf"Predict.+goes in as token {n}\.", text(at))]

    at = page(step="2", slide=1)
    assert asked() == [7]
    press(at, "step_next")
    assert asked() == [8]
    commit(at, "keys_met_3", "8 keys")
    assert says(text(at), "Step 3") and asked() == [8]
    press(at, "step_next")
    assert says(text(at), "Step 4") and asked() == [8]
    press(at, "step_next")
    assert says(text(at), "Step 5") and asked() == []
    for _ in range(2):
        press(at, "step_back")
    assert says(text(at), "Step 3") and asked() == [8]  # where it was asked it can be read again


@pytest.mark.parametrize("lesson", ["decode", "cache"])
def test_a_steppers_buttons_are_not_called_what_the_way_on_is(lesson):
    """Two buttons called Next stood on one screen: one adds a row, the other leads to the next lesson."""
    labels = [b.label for b in visited(lesson, steps="all", step="1").button]
    assert "One word more" in labels and "One word less" in labels and not {"Next", "Back"} & set(labels)


def test_one_head_is_drawn_the_one_that_was_chosen():
    story = {**scenario_query.to_query(ALL_SWIM), "route": "story", "slide": "1", "steps": ""}
    at = visited("decode", **story)
    ((figure, _),) = figures(at)
    assert "head 1 even" in str(figure) and "4 all" not in str(figure)
    assert "92.8%" in str(figure) and "logit" not in text(at)
    assert next(b for b in at.button if b.key == "step_next").label == "One word more"  # not what is asked: one row
    for more in (story, {"slide": "1", "steps": ""}):
        ((figure, _),) = figures(visited("decode", **more, head="4"))
        assert "head 4 all" in str(figure) and "1 even" not in str(figure)


def test_in_the_story_the_row_that_was_asked_about_comes_with_the_answer_and_in_a_class_with_its_teacher():
    story = {**scenario_query.to_query(ALL_SWIM), "route": "story", "slide": "1", "steps": ""}
    at = visited("decode", **story)
    verdict = commit(at, "keys_met_0", "5 keys")
    ((_, alt),) = figures(at)
    assert right(verdict, "5 keys") and "only the last, “nice”, is new" in alt and says(text(at), "One word more", "again")
    press(at, "step_next")
    press(at, "step_next")
    assert verdict in [m.value for m in at.markdown] and "Step 3" in text(at)  # it stays beside the words that follow
    with patch.object(in_a_room, "code", lambda: "A123"), patch.object(story_of_decode, "STEP") as step:
        story_of_decode.row_comes(SimpleNamespace(at=0, most=3))
    assert not step.set.called


def test_the_figures_wait_for_the_predictions_that_they_answer():
    at = page(slide=2)
    ((split, alt),) = figures(at)
    assert "difference of the two ways: ?" in str(split) and "difference" not in alt
    commit(at, "old_rows", "none")
    ((split, alt),) = figures(at)
    assert "difference" in str(split) and "difference" in alt


def test_a_wrong_prediction_is_shown_beside_the_answer():
    wrong = commit(page(slide=1), "new_rows_0", "5 rows")
    assert not right(wrong) and computed(wrong) == "1 row" and says(wrong, "5 rows", "without a cache")


@pytest.mark.parametrize(
    ("scenario", "old_rows"),
    [
        (replace(TEXT, values=(3, 5, 7, 11), word_values=(2, 8, 3)), "none"),
        # head 1 sees all: (4 − 6 + warm 8) / 3 = 2; head 2 the previous, −6: logits 2, −6 and 0
        (
            replace(TEXT, tokens=("a", "b"), values=(4, -6), rules=("all", "previous"), w_vocab=((1, 0, 0), (0, 1, 0))),
            "none",
        ),
        # without the mask every old row sees the newcomer
        (replace(TEXT, causal=False, values=(1, 2, 3, 9)), "another one, or several"),
    ],
)  # fmt: skip
def test_the_keys_are_computed_anew_for_another_scenario(scenario, old_rows):
    at = page(scenario_query.to_query(scenario), slide=2)
    assert right(commit(at, "old_rows", old_rows), old_rows)
    assert right(commit(on(at, 1), "new_rows_0", "1 row"), "1 row")


def test_a_key_that_knows_the_future_moves_an_old_row_and_the_page_says_so():
    shown = text(page(scenario_query.to_query(CODE), step="1", slide=1))
    assert says(shown, "should not", "up to 4", "future") and not says(shown, "should not", "mask is off")


def test_the_mask_off_moves_old_rows_and_the_split_is_no_longer_the_same():
    at = page(mask="off", step="1")
    assert says(text(at), "should not", "up to 0.4", "mask is off") and not says(text(at), "should not", "future")
    verdict = commit(at, "old_rows_1", "another one, or several")
    assert right(verdict, "another one, or several") and says(verdict, "4 of 4", "0.4", "mask is off")
    assert says(text(at), "two", "0.4", "mask is off")


def test_the_split_point_says_that_both_are_the_same_and_that_one_row_needs_no_mask():
    at = page(step="1", slide=2)
    commit(at, "old_rows_1", "none")
    (said,) = (m for m in at.markdown if says(m.value, "prefill over 4", "1 decoded row", "prefill over 5"))
    assert any(
        re.search(f"difference of the two ways: {SAME}<", word)
        for figure, _ in figures(at)
        for word in figure["data"][-1]["text"]
    )
    assert re.search(rf"unmasked\D+{SAME}\D", said.help) and says(said.help, "prefill over 5", "10 of 25")
    at.query_params["split"] = "3"
    assert says(text(ran(at)), "prefill over 2", "3 decoded rows", "prefill over 5")
    assert not re.search(r"prefill\(|Δ", text(at) + str(figures(at)))  # no code and no sign that nobody has explained yet


def test_play_waits_anew_when_something_else_is_edited_and_moves_this_visitor_alone():
    """Each edit is a run of the whole page, which took the answer a step on; only the timer's run of its own fragment may."""
    at, other = page(step="1", slide=1), page(step="1", slide=1)
    at.toggle(key="step_play").set_value(True)
    ran(at)
    for _ in range(6):
        ran(at)
    assert says(text(at), "Step 1")
    moved(at, "play")
    assert says(text(at), "Step 2") and says(text(ran(other)), "Step 1")


def test_words_by_hand_and_drawn_words_come_from_the_link():
    at = page(answer="1.2", step="2", slide=1)
    assert says(told(at), "“delicious”", "contexts")
    next(b for b in at.button if b.key == "say_1").click()
    at.run()
    assert selected(at)["answer"] == "1.2.1" and selected(at)["step"] == "3"
    drawn = [text(page(choose="sample", temperature="5", seed=str(seed), step="3", slide=1)) for seed in range(4)]
    assert len(set(drawn)) > 1
    assert drawn[1] == text(page(choose="sample", temperature="5", seed="1", step="3", slide=1))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"step": "999999999"}, ("Step 59", "decode")), ({"step": "-1", "split": "x"}, ("prefill", "4 rows", "one pass")),
        ({"answer": "0.0.99", "step": "5"}, ("Step 5", "decode")), ({"answer": ".." * 99}, ("prefill", "4 rows", "one pass")),
        ({"choose": "sample", "temperature": "1e300", "seed": "-3"}, ("12.5, 5, 10", "9")),
        ({"choose": "no", "split": "999999999"}, ("Predict", "over 4")),
        ({"tokens": "a", "values": "0", "rules": "even"}, ("prefill", "1 row ", "one pass")),
        ({"tokens": "a", "values": "5", "rules": "even", "empty": "nan"}, ("no word",)),
        ({"tokens": "a", "values": "5", "rules": "even", "empty": "nan", "step": "2", "answer": "0.0.0"}, ("Step 2", "decode")),
        ({"mask": "off", "empty": "fill", "step": "2"}, ("mask is off",)),
        ({"empty": "fill", "step": "1"}, ("empty row",)),
        ({"empty": "softmax1", "step": "60"}, ("Step 59", "decode")),
        ({"rules": "none,none,none,none", "values": "0,0,0,0"}, ("contexts", "none, none, none", "none")),
        ({**BIG, "step": "47", "split": "20"}, ("Predict", "over 62")), ({**BIG, "mask": "off"}, ("16 rows",)),
        ({"values": "-1000,1000,0,-0.5", "step": "3"}, ("Step 3", "decode")),
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(query, said):
    assert says(told(page(query)), *said)


def test_the_answer_never_passes_64_tokens():
    at = page(step="63", slide=1)
    assert says(text(at), "Step 59", "decode") and next(b for b in at.button if b.key == "step_next").disabled


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(0, 9), st.booleans())
def test_the_growing_map_draws_the_rows_as_they_were_computed(scenario, n_words, dark):
    run = answer(scenario.model(), scenario.prompt_ids, n_words + 1, chosen_ids=(NICE,) * (n_words + 1))
    rows, n = rows_so_far(run.passes), len(scenario.tokens) + n_words
    words = [*scenario.tokens, *[scenario.words[0]] * n_words]
    head = n_words % len(scenario.rules)
    probs = probabilities(rows.logits) if np.isfinite(rows.logits).all() else None
    next_ = NextWord(words[-1], scenario.words, rows.logits, probs, NICE)
    figure = growing_map(Sheet(dark), run.passes[: n_words + 1], words, (head, "name"), next_)
    data = valid(figure.to_plotly_json()).data
    keys, values, *maps = [np.array(trace.z, float) for trace in data if trace.type == "heatmap"]
    k = np.abs(run.passes[n_words].layers[0].k[0])
    np.testing.assert_allclose(keys, k[:, : keys.shape[1]] / k.max())
    assert values.shape == (n, 1) and not k[:, keys.shape[1] :].any()
    shown, first, prompt = np.where(rows.hidden, np.nan, rows.weights)[head], n - rows.n_new, len(scenario.tokens)
    parts = [part for part in (shown[: min(prompt, first)], shown[prompt:first], shown[first:]) if part.size]
    assert len(maps) == len(parts)
    for z, part in zip(maps, parts, strict=True):  # as many cells, with the same weights; a mosaic keeps their places
        np.testing.assert_array_equal(sorted(z[~np.isnan(z)]), sorted(part[~np.isnan(part)]))
    _begins_where_its_word_is_written(figure, next_)
    assert words[-1] in "".join(data[-1].text) and (f"{first} read, 1 new" if first else f"{n} kept") in "".join(data[-1].text)


def _begins_where_its_word_is_written(figure, next_):
    """The way round to the row that waits began in the air beneath the words."""
    shapes = figure.to_plotly_json()["layout"]["shapes"]
    ways = [s["path"] for s in shapes if s["type"] == "path" and re.search(r"V.*V", s["path"]) and s["line"]["width"] == 3]
    if ways and next_.probs is not None:
        box = [s for s in shapes if s["type"] == "rect" and s["line"]["color"] in (LIGHT.decode, DARK.decode)][-1]
        assert float(re.match(r"M[\d.]+,([\d.]+)V", *ways)[1]) == pytest.approx(box["y1"], abs=0.1)


@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 5), st.integers(1, 5))
def test_a_mosaic_keeps_every_block_at_its_place(across, down, rows, columns):
    rng = np.random.default_rng(0)
    pieces = [
        (Grid.of(0.1 + a * 0.2, d * 200, (0.03, 20.0), (rows, columns)), rng.random((rows, columns)))
        for a in range(across)
        for d in range(down)
    ]
    whole, cells = mosaic(pieces)
    assert (~np.isnan(cells)).sum() == sum(z.size for _, z in pieces)
    for grid, z in pieces:
        i, j = np.searchsorted(whole.y, grid.y[0] - 1e-9), np.searchsorted(whole.x, grid.x[0] - 1e-6)
        np.testing.assert_array_equal(cells[i : i + rows, j : j + columns], z)
        np.testing.assert_allclose(whole.x[j : j + columns + 1], grid.x, atol=1e-6)
        np.testing.assert_allclose(whole.y[i : i + rows + 1], grid.y, atol=1e-6)


@given(scenarios(n_tokens=st.integers(2, 16)), st.data())
def test_the_split_point_draws_both_runs(scenario, data):
    n = len(scenario.tokens)
    split = data.draw(st.integers(1, n - 1))
    whole = rows_so_far([prefill(scenario.model(), scenario.prompt_ids)])
    head = data.draw(st.integers(0, len(scenario.rules) - 1))
    figure = split_point(Sheet(), (whole, whole), split, scenario.tokens, (head, str(head)))
    data_ = valid(figure.to_plotly_json()).data
    prefilled, decoded = (np.array(trace.z, float) for trace in data_[:2])
    for z, part in ((prefilled, [whole.weights[head, :split], whole.weights[head]]), (decoded, [whole.weights[head, split:]])):
        flat = np.concatenate([p.ravel() for p in part])
        np.testing.assert_array_equal(sorted(z[~np.isnan(z)]), sorted(flat[~np.isnan(flat)]))


def test_the_greedy_answers_logits_are_the_articles_list():
    run = answer(TEXT.model(), TEXT.prompt_ids, 5)
    logits = np.stack([p.logits[-1] for p in run.passes])
    np.testing.assert_allclose(
        logits, [[15.3, 14.2, 8.15], [16.22, 14.88, 8.51], [14.7, 13.7, 8.3], [14.6619, 13.6429, 8.2810], [13.9, 13.05, 8.175]],
        atol=1e-4,
    )  # fmt: skip
    assert all(TEXT.words[np.argmax(row)] == "nice" for row in logits)


@pytest.mark.parametrize("name", ["Article, text", "sixteen tokens, eight heads", "empty row nan"])
@pytest.mark.parametrize("drawn", [((), 0.0, 0), ((1, 0, 1), 0.0, 0), ((), 1.5, 7)])
def test_an_answer_made_ahead_begins_as_the_one_that_was_asked_for(no_results, name, drawn):
    s = SCENARIOS[name]
    for n_words in (9, 1, 2, 8, MAX_TOKENS + 1 - len(s.tokens)):
        kept, asked = answer_controls.shared_answer(s, n_words, *drawn), answer(s.model(), s.prompt_ids, n_words, *drawn)
        assert kept.token_ids[:n_words] == asked.token_ids[:n_words]
        for ours, theirs in zip(kept.passes, asked.passes, strict=False):
            np.testing.assert_array_equal(ours.logits, pass_by_hand(theirs, s.w_vocab).logits)
        assert len(kept.passes) >= len(asked.passes)
    assert 0 < no_results.nbytes < 64e6 and len(no_results) <= 3


def test_the_arrow_keys_leave_a_long_answer_after_its_first_steps():
    """→ went through 57 decode steps before it reached the lesson's second step; the stepper's own button still does."""
    keys = {}
    for step in range(5):
        at = visited("decode", step=str(step), steps="one")
        keys[step] = [b.key for b in at.button if b.proto.shortcut.lower().endswith("right")]
    assert [*keys.values()] == [["step_next"]] * 3 + [["slide_next"]] * 2


def test_words_stand_on_one_line_and_contexts_of_both_ways_beside_each_other():
    """A decoded word stood lower than its sisters; equal contexts were half a page apart; each row that waits had a question mark."""
    whole = rows_so_far([prefill(TEXT.model(), TEXT.prompt_ids)])
    moved = replace(whole, context=np.add(whole.context, [0, 0, 5, 0]))
    for second, signs in ((whole, "===="), (moved, "==≠=")):
        drawn = split_point(Sheet(), (whole, second), 3, TEXT.tokens, (3, "all")).data[-1]
        said = list(zip(drawn.text, drawn.x, drawn.y, strict=True))
        assert len({y for text, x, y in said if "so" in text and x > 0.1}) == 1
        assert [text for text in drawn.text if text in "=≠≈"] == list(signs)
    waits = split_point(Sheet(), (whole, whole), 3, TEXT.tokens, (3, "all"), Asked(known=False)).data[-1].text
    assert [text for text in waits if text in "=≠≈"] == ["="] and list(waits).count("<b>?</b>") == 1


@pytest.mark.parametrize("n_words", [0, 2])
def test_on_a_phone_the_word_goes_back_from_its_box(n_words):
    """The way back began in the air above the words."""
    run = answer(TEXT.model(), TEXT.prompt_ids, n_words + 1, chosen_ids=(NICE,) * (n_words + 1))
    rows, words = rows_so_far(run.passes), [*TEXT.tokens, *["nice"] * n_words]
    next_ = NextWord(words[-1], TEXT.words, rows.logits, probabilities(rows.logits), NICE)
    figure = growing_map(Sheet(phone=True), run.passes[: n_words + 1], words, (0, "name"), next_)
    (way,) = [s.path for s in figure.layout.shapes if s.line.width == 3]
    box = [s for s in figure.layout.shapes if s.type == "rect" and s.line.color == LIGHT.decode][-1]
    start, end = map(float, re.fullmatch(r"M[\d.]+,([\d.]+)V([\d.]+)", way).groups())
    assert start == pytest.approx(box.y0, abs=0.1) and end < start


def test_how_many_rows_a_step_takes_is_not_said_beside_the_question():
    """“Prefill made 4 rows in one pass, then one a pass”, beside “How many new rows does that take?”"""
    said = {shown: text(visited("decode", {"slide": "1", "answers": shown})) for shown in ("", "shown")}
    assert all("in one pass" in each for each in said.values())
    assert ["one a pass" in said[shown] for shown in ("", "shown")] == [False, True]
