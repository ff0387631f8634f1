"""The lesson from contexts to a word: contributions, ablation, flips, temperature, draws and the average that is none."""

import re
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import pytest
from app_pages import alts, commit, computed, figures, of_visit, on, right, says, seen, text, visited
from hypothesis import given, settings
from hypothesis import strategies as st
from scenarios import SIXTEEN, TEXT, scenarios
from valid_figures import valid

from engine import Scenario, prefill, probabilities
from engine.experiments.draws import draw_many
from engine.sampling import likeliest
from engine.toy.flips import entry_needed
from engine.toy.presets import ALL_SWIM
from engine.toy.projection import contributions, same_mean
from pages.lessons.logits import story
from pages.lessons.logits.challenge import cell_question
from pages.lessons.logits.drawing_words import NOT_THE_SAME_LEVEL, OTHER_WORD, SAME_LEVEL, SAME_LOGITS, SAME_WORD
from pages.lessons.logits.figures.flip_lines import flip_lines, nearest_flip
from pages.lessons.logits.figures.two_temperatures import PHONE, PHONE_ROOM, ROOM, TOP, WIDE, Waits, two_temperatures
from pages.lessons.logits.figures.vote_bars import Votes
from pages.lessons.logits.figures.word_chances import word_chances
from pages.lessons.logits.figures.word_map import Sums, word_map
from pages.lessons.logits.nearest_flip import flip_table, level_names
from pages.lessons.logits.steps import contexts_written, last_contexts, silent_head
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.format import number
from pages.parts.visit import scenario_query
from pages.parts.visit.display import Screen
from pages.parts.visit.scenario import Kept

LARGE = SIXTEEN | {"words": ",".join(f"v{i}" for i in range(12))}
page = partial(visited, "logits")


def widget(at, key):
    return next(w for w in (*at.number_input, *at.radio, *at.slider, *at.button_group) if w.key == key)


def run(s):
    return prefill(s.model(), s.prompt_ids)


def test_untouched_it_says_who_wins_and_sets_the_challenge():
    at = page(slide=1)
    told = seen(at)
    assert says(told, "nice", "wins", "15.3") and says(told, "delicious", "7.15")
    (challenge,) = [m for m in at.markdown if "Challenge" in m.value]
    assert "0.672" not in text(at) and says(challenge.help, "delicious", "above", "0.672")  # told when it is asked for
    (elsewhere,) = [m for m in page(word="1", slide=1).markdown if "Challenge" in m.value]
    assert says(elsewhere.value, "delicious", "7.15", "column") and not elsewhere.help


def test_the_challenge_is_met_by_the_number_it_names():
    at = page(slide=1)
    widget(at, "w_entry_0_2").set_value(0.68).run()
    assert not at.exception
    assert says(text(at), "delicious", "wins", "15.4") and says(text(at), "typed", "learned")
    assert says(text(at), "W", "reset")
    sent = scenario_query.to_query(of_visit(at, Kept).scenario)  # the link restores what the teacher sees
    assert "w" in sent and says(text(page(sent, slide=1)), "delicious", "wins", "15.4")
    assert "**Reset**" not in text(page(sent, present="on"))  # a slide has no such button
    short = page(slide=1)
    widget(short, "w_entry_0_2").set_value(0.66).run()
    assert says(seen(short), "nice", "wins")


def test_in_whose_row_w_need_change_least_is_asked_and_shown():
    verdict = commit(page(slide=1), "w_row", "3 first")
    assert not right(verdict) and computed(verdict) == "1 even" and says(verdict, "12.5", "7.15", "0.572")
    assert not [q for q in ("w_row",) if f"predict_{q}" in str(page(off="2", slide=1))]


@given(scenarios(n_tokens=st.integers(1, 8)))
def test_the_row_of_w_that_is_asked_for_is_the_one_that_need_change_least(s):
    context, logits = last_contexts(run(s)), run(s).logits[-1]
    question, word = cell_question(s, context, logits), len(s.words) - 1
    if question is None:
        return
    needed = [entry_needed(logits, float(x), s.w_vocab[h][word], word) for h, x in enumerate(context)]
    far = [np.inf if x is None else abs(x - s.w_vocab[h][word]) for h, x in enumerate(needed)]
    assert question.options.index(question.answer) == int(np.argmin(far))


def test_heads_are_switched_off_by_the_control_and_by_the_link():
    assert says(text(page(off="2", slide=1)), "without", "head 2", "12.8", "12.2", "7.15", "nice")
    at = page(slide=1)
    widget(at, "logits_heads_off").set_value([3]).run()
    assert says(text(at), "without", "head 4", "13.5", "11.5", "7.25")
    assert says(text(page(off="1.2.3.4", slide=1)), "every head")


def silent_map(at):
    """What is written in the figure of the silent head."""
    return next(figure for figure, alt in figures(at) if alt.startswith("Logits of all heads"))["data"][-1]["text"]


def test_the_question_on_head_1():
    at = page(slide=2)
    assert "6.9" not in text(at)
    assert not any(says(alt, "without", "head 1") for alt in alts(at))
    struck, sums = ["12.5", "0.8", "0.6", "0.1", "10", "7.5", "1.25"], ["5.3", "6.7", "6.9"]
    drawn = silent_map(at)
    assert (
        {f"<s>{x}</s>" for x in struck} <= set(drawn) and drawn.count("<b>?</b>") == 3 and {"15.3", "14.2", "8.15"} <= set(drawn)
    )
    assert not {f"<b>{x}</b>" for x in sums} & set(drawn)
    told = commit(at, "silence", "nice")
    drawn = silent_map(at)
    assert {f"<b>{x}</b>" for x in sums} | {"15.3", "14.2", "8.15"} <= set(drawn) and "<b>?</b>" not in drawn
    assert any(says(alt, "without", "head 1") for alt in alts(at))
    assert computed(told) == "delicious" and says(told, "nice", "5.3", "warm", "6.7", "delicious", "6.9")
    assert says(told, "10", "nice", "7.5", "warm", "1.25", "delicious")


def test_a_head_that_is_struck_out_changes_no_others_shade_and_its_bar_tells_nothing_before_the_answer():
    """The shades of what was left grew darker with it, and 6.7 beside 6.9 would have been seen before it was guessed."""
    added = np.array([[10, 7.5, 1.25], [2.5, 2, 1], [1, 2, 5], [1.8, 2.7, 0.9]])
    assert [part[0] for part in Votes(added, added, 0, known=False).parts(0)] == [1, 2, 3, 0]  # at the foot: the rest lie on it
    assert [part[0] for part in Votes(added, added, 0).parts(0)] == [0, 1, 2, 3]  # an outline on top
    assert Votes(added, added, 0).parts(0)[1][1] == pytest.approx(5.3)
    assert [part[0] for part in Votes(-added, added, 0).parts(0)] == [3, 2, 1, 0]  # farthest from 0 there too
    at = page(slide=2)
    commit(at, "silence", "nice")
    drawn = next(figure for figure, alt in figures(at) if alt.startswith("Logits of all heads"))
    assert {round(trace["zmax"], 3) for trace in drawn["data"][1:] if trace["type"] == "heatmap"} == {10.0}


def test_the_number_of_w_that_need_change_least_is_marked_on_a_phone_too():
    at = visited("logits", slide=1)
    of_visit(at, Screen).narrow = True
    commit(at, "w_row", "3 first")
    drawn = next(figure for figure, alt in figures(at) if "Arrow keys" in alt)["data"][-1]["text"]
    assert "<b>✓</b>" in drawn and "?" in drawn


def test_the_question_on_temperature():
    at = page(slide=4)
    assert "0.623" not in text(at) and any(says(alt, "nice", "75.0%", "?") for alt in alts(at))
    told = commit(at, "temperature", 75.0)
    assert any(says(alt, "nice", "75.0%", "62.3%") for alt in alts(at))
    assert computed(told) == "62.3 %"
    assert says(told, "exp(1.1) = 3.00", "exp(0.55) = 1.73")
    assert right(commit(page(slide=4), "temperature", 62.3), "62.3 %")
    near = commit(page(slide=4), "temperature", 60.0)  # within 5: not what was predicted to the digit
    assert right(near, "62.3 %") and says(near, "62.3 %", "60 %") and "2.3" not in near.replace("62.3", "")
    assert right(commit(page(slide=4), "temperature", 58.0)) and not right(commit(page(slide=4), "temperature", 57.0))


def test_the_question_on_the_average():
    at = page(slide=6)
    assert "11.6" not in text(at) + " ".join(alts(at)) and any("wait for the prediction" in alt for alt in alts(at))
    told = commit(at, "mean", SAME_LOGITS)
    assert computed(told) == OTHER_WORD
    said = next(alt for alt in alts(at) if "mean 9.125" in alt)
    assert "9.125, logits 15.3, 14.2, 8.15: “nice”" in said
    assert "9.125, logits 11.6, 12.25, 10.45: “warm”" in said
    assert "9.125, logits 14.6, 13.69, 8.21: “nice”" in said


@settings(max_examples=3)
@given(scenarios(policies=("none", "soft")))
def test_the_keys_follow_the_scenario(s):
    s = replace(s, w_vocab=tuple(tuple(x / 100 for x in row) for row in s.w_vocab), values=tuple(x / 50 for x in s.values))
    at, context, logits = page(scenario_query.to_query(s), slide=4), last_contexts(run(s)), run(s).logits[-1]
    hot = round(100 * float(probabilities(logits, 2.0)[logits.argmax()]), 1)
    assert right(commit(at, "temperature", hot), f"{number(hot)} %")
    _, rest = silent_head(context, np.array(s.w_vocab))
    level = (np.abs(rest - rest.max()) <= 1e-9).sum() > 1
    told = commit(on(at, 2), "silence", "two or more draw level" if level else s.words[rest.argmax()])
    assert right(told)
    on(at, 6)
    twin = same_mean(s, run(s).layers[0])
    if twin is not None:
        other = run(twin).logits[-1]
        same = np.allclose(other, logits, rtol=0, atol=1e-3)
        best, new = likeliest(logits), likeliest(other)
        alike, another = (SAME_WORD, OTHER_WORD) if len(best) == len(new) == 1 else (SAME_LEVEL, NOT_THE_SAME_LEVEL)
        key = SAME_LOGITS if same else alike if best == new else another
        assert right(commit(at, "mean", key), key)


def test_the_flips_of_the_article_are_told():
    told = seen(page(slide=3))
    assert says(told, "below", "−1.29", "“so”", "warm", "nice")
    assert says(told, "0.775", "warm", "0.95", "nice")
    at = page(slide=3)
    widget(at, "value_0").set_value(19.0).run()
    assert says(seen(at), "above", "5.14", "“so”", "nice", "warm")  # 18.8 for “Today” is farther: 0.2 against 0.14


def test_logits_do_not_add_up_to_one_and_the_draw_is_the_links():
    told = seen(page(slide=5))
    assert says(told, "37.65", "probabilities", "1") and says(told, "Seed 0", "nice")
    seed = next(k for k in range(50) if draw_many(probabilities(run(TEXT).logits[-1]), 1, k).token_ids[0] == 1)
    assert says(seen(page(seed=str(seed), slide=5)), f"Seed {seed}", "warm")
    assert says(
        seen(page(seed=str(seed), temperature="0", slide=5)), "nice", "1,000", "100.0%", "“nice”", "its chance to a tenth"
    )


EXTREME = {
    "16 × 8 × 12": LARGE, "empty": {"tokens": "one", "values": "3", "rules": "even"},
    "one word": {"tokens": "one", "values": "3", "rules": "all", "words": "x"}, "zeros": {"values": "0,0,0,0"},
    "extremes": {"values": "-1000,1000,-1000,1000"}, "NaN": {"rules": "none", "empty": "nan"},
    "leaky": {"empty": "fill", "mask": "off"}, "hostile words": {"tokens": "<b>,$x$", "values": "1,2", "words": "**a**,_b_"},
    "hostile extras": {"temperature": "nan", "top_k": "999", "top_p": "7", "min_p": "-3", "seed": "99999999999", "off": "9.9.x",
                       "word": "77"},
    "all filters": {"temperature": "0", "top_k": "1", "top_p": "0", "min_p": "1", "off": "1.2.3.4"},
}  # fmt: skip


@pytest.mark.parametrize(("name", "slide"), [(name, at % 6 + 1) for at, name in enumerate(EXTREME)])
def test_any_link_shows_all_steps_and_each_step_is_presented_with_one(name, slide):
    page(EXTREME[name])
    assert f"{slide} / 6" in text(page(EXTREME[name], present="on", slide=str(slide)))


def test_where_no_other_prompt_has_the_mean_the_question_is_about_logits():
    at = page({"tokens": "one", "values": "3", "rules": "all"}, slide=6)
    assert right(commit(at, "mean", "they do not"), "they do not")


def test_with_logits_that_are_no_numbers_the_questions_say_what_they_ask_instead():
    at = page({"rules": "none,all,first,self", "empty": "nan"})
    assert says(text(at), "guard", "weights 0") and says(text(at), "nothing", "drawn")


@given(scenarios())
def test_the_figures_show_the_engines_numbers_and_validate(s):
    now, w = run(s), np.array(s.w_vocab)
    context, logits = last_contexts(now), now.logits[-1]
    added = contributions(context, w)
    figure = word_map(
        Sheet(True),
        Sums(context, w, added, probabilities(logits), (), contexts_written(now)),
        list(map(str, s.rules)),
        s.words,
        (0, 0),
    )
    valid(figure.to_plotly_json())
    np.testing.assert_array_equal(np.array(figure.data[0].z, float), w)
    for w, logit in enumerate(logits):  # a bar's parts, upwards and downwards, come to the word's logit
        ends = [(high, low) for _, high, low in Votes(added, added).parts(w)]
        assert all(high >= low for high, low in ends) and all(a[1] == pytest.approx(b[0], abs=1e-6) for a, b in pairwise(ends))
        assert ends[0][0] + ends[-1][1] == pytest.approx(logit, abs=1e-6) if ends else abs(logit) < 1e-6
    assert figure.layout.meta["grid"]["selected"] == [0, 0, 0]
    lines = flip_table(s, now)
    valid(flip_lines(Sheet(), lines, s.values, s.tokens, level_names(s, run(s), " = "), -20, 100).to_plotly_json())
    nearest = nearest_flip(lines, s.values)
    if nearest is not None:
        all_of = [abs(f.value - v) for line, v in zip(lines, s.values, strict=True) for f in (*line.up, *line.down)]
        assert abs(nearest[1] - s.values[nearest[0]]) == min(all_of)
    probs = probabilities(logits)
    draws = draw_many(probs, 1000, 1)
    figure = word_chances(Sheet(), logits, probs, probs, draws, s.words)
    valid(figure.to_plotly_json())
    words = list(figure.data[-1].text)
    assert all(f"{c:,}" in words for c in draws.counts)


@pytest.mark.parametrize("n", range(1, 17))
def test_no_number_of_a_line_stands_on_one_of_the_next(n):
    s = Scenario([f"w{j}" for j in range(n)], range(n), ("odd", "self", "first", "all"))
    figure = flip_lines(Sheet(), flip_table(s, run(s)), s.values, s.tokens, level_names(s, run(s), " = "), -20, 100)
    height = figure.layout.yaxis.range[0]
    numbers = [
        (x, y, len(text))
        for x, y, text, *_ in figure._sheet[1]
        if y > 20 and "→" not in text and text.strip("<b>/−.0123456789") == ""
    ]
    assert all(y + 6 <= height for _, y, _ in numbers)
    for (x, y, long), (other_x, other_y, other_long) in combinations(numbers, 2):
        assert abs(y - other_y) >= 12 or abs(x - other_x) > 3.2 * (long + other_long) / 950 or y == other_y


def test_the_article_is_read_off_the_map():
    now = run(TEXT)
    context, w = last_contexts(now), np.array(TEXT.w_vocab)
    figure = word_map(
        Sheet(),
        Sums(context, w, contributions(context, w), probabilities(now.logits[-1]), (), contexts_written(now)),
        list("1234"),
        TEXT.words,
    )
    words = list(figure.data[-1].text)
    for number_shown in (
        "<b>12.5</b>",
        "<b>5</b>",
        "<b>10</b>",
        "<b>9</b>",
        "<b>15.3</b>",
        "14.2",
        "8.15",
        "<b>75.0%</b>",
        "25.0%",
    ):
        assert number_shown in words


def test_the_thresholds_are_read_off_the_flip_lines():
    lines = flip_table(TEXT, run(TEXT))
    words = " ".join(
        flip_lines(Sheet(), lines, TEXT.values, TEXT.tokens, level_names(TEXT, run(TEXT), " = "), -20, 100).data[-1].text
    )
    for number_shown in ("18.8", "34.2", "5.33", "−0.17", "45", "−1.29", "−7.1"):
        assert number_shown in words
    shown = flip_lines(Sheet(), lines, TEXT.values, TEXT.tokens, level_names(TEXT, run(TEXT), " = "), -20, 100).data[-1]
    at = dict(zip(shown.text, shown.x, strict=True))
    for boundary in (-0.1667, 16 / 3, -7.1, -9 / 7):  # two of a line stand near each other
        said = next(t for t in at if t.replace("<b>", "").replace("</b>", "") == number(boundary))
        assert at[said] == pytest.approx(0.10 + 0.71 * (boundary + 20) / 120, abs=1e-4)
    assert shown.text.count("warm") == 4  # every stretch has its name
    assert nearest_flip(flip_table(Scenario(rules=("none",) * 4), run(Scenario(rules=("none",) * 4))), TEXT.values) is None


def test_the_scenario_is_chosen_by_name_also_after_an_edit():
    """The box has a key for each name, so that a late browser's old name is no choice; choosing must still work from each."""
    at = page()
    at.selectbox[0].set_value("Tick tock").run()
    assert at.selectbox[0].value == "Tick tock" and says(seen(at), "tick", "wins", "2")
    widget(at, "value_0").set_value(50.0).run()
    assert at.selectbox[0].value == "Edited"
    at.selectbox[0].set_value("Article, text").run()
    assert at.selectbox[0].value == "Article, text" and says(seen(at), "nice", "wins", "15.3")
    at.selectbox[0].set_value("Tick tock").run()
    assert at.selectbox[0].value == "Tick tock"


def test_an_emptied_number_is_no_edit():
    at = page(slide=1)
    widget(at, "w_entry_0_2").set_value(None).run()
    assert not at.exception
    assert widget(at, "w_entry_0_2").value == 0.1 and says(seen(at), "nice", "wins", "15.3")


def test_the_value_that_the_story_names_brings_another_word():
    """“Move a value: does another word come out?” was tried with one that changes nothing."""
    at = visited("logits", **scenario_query.to_query(ALL_SWIM), route="story", slide="1", steps="")
    assert "all the way" not in text(at)
    commit(at, "votes", "26 times")
    assert says(text(at), "“so”", "to the left", "another word")
    moved = replace(ALL_SWIM, values=(*ALL_SWIM.values[:-1], -20.0))
    assert likeliest(prefill(moved.model(), moved.prompt_ids).logits[-1]) != likeliest(
        prefill(ALL_SWIM.model(), ALL_SWIM.prompt_ids).logits[-1]
    )
    assert story.MOVE in story._invitation(replace(ALL_SWIM, w_vocab=((0.0,) * 6,) * 4))  # where no value decides


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("n", [1, 2, 12])
def test_the_chances_of_two_temperatures_are_two_columns_of_one_height_and_no_two_words_touch(n, phone):
    """Six bars beside six others only showed their numbers; parts of a tenth of a percent have words as high as the others."""
    logits = np.linspace(20, -3, n)
    chances = probabilities(logits), probabilities(logits, 2.0)
    words = [f"w{k}" for k in range(n)]
    at, high = (PHONE, PHONE_ROOM) if phone else (WIDE, ROOM)
    told = two_temperatures(Sheet(phone=phone), logits, chances, 2.0, words, Waits(False, 50.0))
    corners = [
        [float(n) for n in re.findall(r"-?[\d.]+", s.path)] for s in told.layout.shapes if s.fillcolor and "V" not in s.path
    ]
    cold, hot = ([y1 - y0 for x, y0, _, _, _, y1, *_ in corners if x == left] for left in (at.cold[0], at.hot[0]))
    for parts, chance in ((cold, chances[0]), (hot, chances[1])):
        np.testing.assert_allclose(parts, high * chance, atol=1.1)
    named = [y for y, text in zip(told.data[-1].y, told.data[-1].text, strict=True) if re.search(r"^(<b>)?w\d", text)]
    assert (np.diff(named) > 20).all() and max(named) < told.layout.height - 10 and len(named) == n
    waits = two_temperatures(Sheet(phone=phone), logits, chances, 2.0, words, Waits(True))
    assert list(waits.data[-1].text).count("<b>?</b>") == 1
    assert n == 1 or f"{chances[1][0]:.1%}" not in waits.data[-1].text
    ends = f",{TOP + high * chances[0][0]:.2f}H"
    # Where its part ended before, to move from.
    assert [s for s in waits.layout.shapes if s.line.dash == "dot" and ends in s.path]
    assert not [s for s in waits.layout.shapes if s.fillcolor and str(at.hot[0]) in s.path]


def test_a_slide_begins_with_what_is_asked_and_not_with_the_guard():
    """“A guard gives an empty row the weights 0.” was all that stood above the figure."""
    link = {"route": "story", "slide": "1", "present": "on", "rules": "none,even,self,first", "empty": "nan"}
    (lead,) = [heading.value for heading in page(link).subheader]
    assert lead.startswith("How do the contexts of “so” become") and "guard" in text(page(link | {"present": ""}))
