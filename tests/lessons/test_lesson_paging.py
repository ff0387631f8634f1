"""Pages and shared beginnings: the pool's events in words, lengths that people type, two prompts counted and proven equal."""

from functools import partial
from itertools import pairwise

import app_pages
import numpy as np
import pytest
from app_pages import FIXTURES, alts, commit, computed, figures, press, right, says, seen, selected, text, visited
from appending import simulate
from hypothesis import given
from hypothesis import strategies as st
from scenarios import BIG, scenarios
from valid_figures import valid

from engine import bundled, prefill
from engine.caches.pool_story import pool_story
from engine.toy.scenario import Scenario
from engine.work.append_strategies import STRATEGIES
from pages.lessons.paging import appends, blocks, two_prompts, waste
from pages.lessons.paging.figures import append_strips
from pages.lessons.paging.figures.pool import pool
from pages.lessons.paging.figures.pool_answers import Answers
from pages.lessons.paging.figures.pool_lanes import bands, blocks_side_by_side
from pages.parts.drawing.sheet import Sheet
from pages.parts.trained import compared_runs, model

page = partial(visited, "paging")
linked = partial(app_pages.linked, "paging")
ARTICLE = Scenario.article()


# The pool


def test_the_stepper_goes_through_a_real_pool_and_says_what_happens():
    at = page(slide=1)
    assert says(alts(at)[0], "A holds", "0, 1", "B holds", "0, 2")  # sharing is seen before anything is pressed
    for _ in range(4):
        press(at, "event_back")
    assert not says(alts(at)[0], "holds") and says(text(at), "Nobody")
    for _ in range(4):
        press(at, "event_next")
    assert says(text(at), "B", "“warm”", "block 1", "copy", "block 2")
    assert says(alts(at)[0], "A holds", "0, 1", "B holds", "0, 2") and says(text(at), "last bit")
    press(at, "event_next")
    assert selected(at)["event"] == "5"


@pytest.mark.parametrize("size", [2, 3, 4, 8])
@pytest.mark.parametrize("n", [1, 3, 4, 16])
def test_every_event_has_its_sentence_whatever_the_prompt(n, size):
    """What is said of a copy, of what is free again and of a new block is so, whether a prompt fills its blocks or not."""
    s = Scenario([f"w{i}" for i in range(n)], range(n))
    frames = pool_story(s.model(), s.prompt_ids, s.prompt_ids[::-1], size)
    assert len(frames) == blocks.N_FRAMES
    for before, frame in pairwise(frames):
        said = blocks.event_said(s, frame, size)
        assert ("**copy**" in said) == (frame.copied is not None)
        if frame.event == "decode" and not frame.copied:
            grown = len(frame.tables[frame.who]) > len(before.tables[frame.who])
            assert ("new block" in said) == grown
        if frame.event == "release":
            assert says(said, "free", *map(str, frame.freed)) == bool(frame.freed)
    drawn = pool(Sheet(), frames[-1], s.id_words, Answers("4 answers, 3 words each", 8, 5, 1, 8.0)).to_plotly_json()["data"][-1]
    assert min(drawn["textfont"]["size"]) >= 12 and any(text.startswith(f"<b>{frames[-1].n_held} ") for text in drawn["text"])


@pytest.mark.parametrize("phone", [False, True])
def test_what_two_hold_stands_once_and_a_copy_beneath_what_it_is_a_copy_of(phone):
    """Blocks stood in a table by their numbers, with free ones between, and only a list beside it said whose they are."""
    s = Scenario.article()
    copied = next(f for f in pool_story(s.model(), s.prompt_ids, s.prompt_ids[::-1], 4) if f.copied)
    figure = pool(Sheet(phone=phone), copied, s.id_words, Answers("4 answers, 3 words each", 8))
    words = figure.data[-1]
    at = {text: (x, -abs(y)) for text, x, y in zip(words.text, words.x, words.y, strict=True)}
    assert list(words.text).count("weather") == 1 and list(words.text).count("nice") == 2
    assert {"<b>block 0, held by A and B</b>", "block 1", "block 2, copy of 1"} <= set(at)
    (a, b), (ours, theirs) = (at["<b>A</b>"], at["<b>B</b>"]), (at["block 1"], at["block 2, copy of 1"])
    assert ours[1] > a[1] > theirs[1] > b[1] or ours[1] < a[1] < theirs[1] < b[1]
    assert phone or (at["weather"][0] < ours[0] and figure.layout.height <= 390)
    assert not phone or figure.layout.height <= 400


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(2, 8), st.booleans())
def test_every_held_block_is_drawn_once_for_all_who_hold_it_side_by_side(s, size, phone):
    for frame in pool_story(s.model(), s.prompt_ids, s.prompt_ids[::-1], size):
        across = blocks_side_by_side(max(map(len, frame.tables.values()), default=1), size, phone)
        held = [held for band in bands(frame.tables, across) for held in band.held]
        assert sorted(h.block for h in held) == np.flatnonzero(frame.holders).tolist()
        assert all(len(h.names) == frame.holders[h.block] for h in held)


@pytest.mark.parametrize("phone", [False, True])
def test_while_blocks_are_asked_for_the_tokens_that_they_will_hold_stand_there(phone):
    """There was an empty place; before that eight dashed blocks, which looked like data."""
    s = Scenario.article()
    frame = pool_story(s.model(), s.prompt_ids, s.prompt_ids[::-1], 4)[-1]
    before, after = (
        pool(Sheet(phone=phone), frame, s.id_words, Answers("4 answers", 8, **more))
        for more in ({"tokens": (4, 3)}, {"held": 5, "shared": 1})
    )
    colors = Sheet().colors
    cells = [shape.path.count("M") for shape in before.layout.shapes if shape.fillcolor == colors.decode]
    assert cells[-1] == 4 * 3 and {"<b>?</b>", "blocks, 8 without sharing"} <= set(before.data[-1].text)
    assert {"<b>5</b>", "blocks, 8 without sharing"} <= set(after.data[-1].text) and before.layout.height == after.layout.height


def test_the_key_of_the_answers_is_counted_in_a_pool():
    """The prompt's block once and one for each of four answers; with five tokens each answer has a copy of the second block."""
    at = page(slide=1)
    assert "waits" in alts(at)[0]
    assert right(commit(at, "answers_blocks", 5), "5 blocks")
    drawn = figures(at)[0][0]["data"][-1]["text"]
    assert says(alts(at)[0], "5 of 8") and {"<b>5</b>", "blocks, 8 without sharing", "your guess 5 ✓"} <= set(drawn)
    said = commit(linked(tokens="a,b,c,d,e", values="1,2,3,4,5", slide=1), "answers_blocks", 5)
    assert right(said) and says(said, "copied", "3 times")
    assert says(commit(page(slide=1), "answers_blocks", 8), "4 × 2 = 8", "sharing")  # as if nothing were shared


# Empty room


def test_lengths_are_numbers_in_bounds_or_refused_in_a_sentence():
    assert waste.read_lengths(" 1,2048  7", 2048) == (1, 2048, 7)
    for typed in ("", " ", "0", "2049", "-1", "1e3", "1.5", "٣", "9" * 200, "a b", "1 " * 11, "\x00", "½"):
        with pytest.raises(ValueError, match=r"1 to 10 .*1 to 2,048") as refused:
            waste.read_lengths(typed, 2048)
        assert len(str(refused.value)) < 200


def test_typed_lengths_count_and_wrong_ones_leave_the_last_good_ones():
    at = page(slide=2)
    field = next(w for w in at.text_input if w.key == "paging_lengths")
    field.set_value("512, 512").run()
    assert says(alts(at)[0], "2,048 tokens", "25.0%", "16", "100.0%")
    next(w for w in at.text_input if w.key == "paging_lengths").set_value("512 <b>").run()
    assert says(text(at), "lengths", "“<b>”") and "\\<b\\>" in text(at)
    assert selected(at)["lengths"] == "512 512" and "25.0%" in alts(at)[0]
    assert says(text(linked(lengths="0", slide=2)), "90 310")
    assert "\\[x\\]" in text(linked(lengths="[x](//evil.tld)", slide=2))


def test_the_page_shows_the_papers_numbers_and_the_card_by_hand():
    """12 GiB of OPT-13B, 819,200 bytes a token: 15,728 tokens; 7 whole rooms of 2,048."""
    at = page(slide=2, answers="shown")
    assert says(seen(at), "measured 20.4% to 38.2%", "96.3%", "2023")
    assert 12 * 2**30 // 819_200 == 15_728
    assert says(text(at), "15,728", "OPT-13B", "7 sequences")
    assert says(text(linked(longest="8192", slide=2, answers="shown")), "15,728", "1 sequence") and says(
        text(at), "15,728", "less"
    )
    assert says(text(linked(lengths="2048 2048", slide=2, answers="shown")), "15,728", "as much")
    assert says(text(linked(longest="64", page="1024", lengths="5", slide=2, answers="shown")), "15,728", "more")


@given(st.lists(st.integers(1, 131_072), min_size=1, max_size=10), st.sampled_from(waste.PAGE_STOPS))
def test_of_sequences_that_do_not_all_fit_so_many_are_named_as_fit(lengths, size):
    blocks = int(waste.SHOWN_GIB * 2**30 // waste.MODELS[waste.SHOWN_MODEL].kv_bytes_per_token(16)) // size
    taken = sorted(-(-n // size) for n in lengths)
    fit = max(k for k in range(len(taken) + 1) if sum(taken[:k]) <= blocks)
    said = waste.how_many(tuple(lengths), max(64, *lengths), size)
    assert (f"**{fit}** of these {len(lengths)} at once" in said) == (fit < len(lengths))


def test_half_a_block_is_the_key_whatever_the_length():
    assert right(commit(page(slide=2), "mean_waste", 32))
    wrong = commit(linked(page="64", slide=2), "mean_waste", 32)
    assert not right(wrong) and computed(wrong) == "15.5 slots"


# Two prompts


def test_two_prompts_share_their_full_blocks_and_the_rest_runs():
    """By hand: <bos> It is winter | in Oslo . Today: seven tokens alike, one full block of four."""
    at = page(slide=3)
    assert says(alts(at)[0], "first 7", "blocks of 4", "4 tokens", "cache", "7 run")
    assert says(text(at), "1 full block") and says(text(at), "rounding")
    next(w for w in at.text_input if w.key == "two_second").set_value("It is winter in Oslo. Today's soup").run()
    assert says(alts(at)[0], "first 9", "blocks of 4", "8 tokens", "second") and says(text(at), "rounding")
    at = linked(block="7", slide=3)
    assert says(alts(at)[0], "blocks of 7", "7 tokens", "cache", "4 run")
    ids = bundled().tokenizer.encode(two_prompts.DEFAULT_SECOND)
    word = bundled().tokenizer.decode([int(np.argmax(prefill(bundled(), ids).logits[-1]))])
    assert says(text(at), "both", f"“{word}”")


def test_a_full_hit_still_computes_the_last_token():
    at = page(slide=3)
    open_, _ = figures(at)[0]
    assert "<b>?</b>" in open_["data"][-1]["text"] and "11 of 12" not in str(open_)
    said = commit(at, "again_tokens", 0)  # as if a full hit ran nothing
    told, _ = figures(at)[0]
    assert {"1 runs", "your guess: 0"} <= set(told["data"][-1]["text"])
    assert told["layout"]["yaxis"]["range"] == open_["layout"]["yaxis"]["range"]  # nothing moves
    assert says(said, "logits") and says(said, "all 4 tokens")
    assert says(commit(linked(block="5", slide=3), "again_tokens", 2), "last 2 tokens", "not full")
    assert says(commit(linked(block="11", slide=3), "again_tokens", 1), "11 tokens", "last one")
    assert says(commit(linked(block="16", slide=3), "again_tokens", 12), "all", "12 tokens", "not full")
    at = linked(block="1", second=two_prompts.DEFAULT_FIRST, slide=3)
    assert says(text(at), "last token runs") and not says(commit(at, "again_tokens", 1), "all 1")


def test_a_block_that_two_prompts_hold_is_drawn_once_across_their_lanes():
    """The same block stood twice, beneath each other, as if there were two of it; and the second prompt above the first."""
    for phone in (False, True):
        first = two_prompts.Lane("First", "all run", list("abcdef"), ["prefill"] * 6)
        t = two_prompts.Lane("Second", "4 of 6, 2 run", list("abcdxy"), ["kept"] * 4 + ["prefill"] * 2)
        for known in ([], ["kept"] * 5 + ["again"]):
            again = two_prompts.Lane("First once more", "6 tokens", list("abcdef"), known)
            figure = valid(two_prompts.shared_beginning(Sheet(phone=phone), [first, t, again], 4, "so").to_plotly_json())
            words = list(figure.data[-1].text)
            assert [words.count(x) for x in "abcd"] == [1 + (not known)] * 4 and words.count("x") == 1
            assert [words.count(x) for x in "ef"] == [2, 2] and words.count("<b>?</b>") == (not known)
            assert ("one block for 3" in words) == (bool(known) and not phone)


@pytest.mark.parametrize(
    ("second", "said"),
    [("Tom lamp", ("first token", "nothing is shared")), ("zebra <b>", ("“zebra”",)), ("so " * 500, ("more", "not fit"))],
)
def test_any_second_prompt_is_shown(second, said):
    assert says(text(linked(second=second, slide=3)), *said)


def test_a_difference_that_is_no_rounding_would_be_said():
    t = compared_runs.PrefixRun((1, 2), 1, 1, np.array([1.0, 0.0]), np.array([1.0, 5.0]))
    said = compared_runs.how_alike(model.Trained("x", "", bundled()), t)
    assert says(said, "5", "keys") and "rounding" not in said


@pytest.mark.parametrize("name", ["gpt2", "rope_dynamic"])
@pytest.mark.parametrize("lesson", ["paging", "second_turn"])
def test_a_folder_runs_through_the_same_steps(monkeypatch, lesson, name):
    monkeypatch.setenv(model.VARIABLE, str(FIXTURES))
    at = visited(lesson, source=name)
    assert not at.warning and next(w for w in at.selectbox if w.key == "trained_source").value == name
    assert says(seen(at), "all", "tokens", "logits") and "#" in str(figures(at))


@pytest.mark.parametrize(
    "extras",
    [BIG | {"pool_block": "2", "event": "10"}, {"tokens": "a", "values": "1", "event": "9", "page": "1024", "lengths": "1"},
     {"longest": "131072", "lengths": " ".join(["131072"] * 10)}, {"block": "16", "second": "so " * 400, "prompt": "is " * 400},
     {"present": "on", "slide": "3", "source": "/"}],
)  # fmt: skip
def test_extreme_links_show_a_lesson(extras):
    assert len(text(linked(**extras))) > 20


# Appending rows


def test_what_concatenating_copies_is_said_of_p_and_g():
    """By hand: 4 rows at once and 7 one by one; each new array takes along 4, 5, … 10 rows, 49 in all."""
    at = linked(steps="all")
    assert sum(range(4, 11)) == 49 and "49 rows copied, or none" in str(figures(at)[-1])
    assert says(alts(at)[-1], "4 rows", "7 one by one") and says(text(at), "GPT-2 small", "3.61 MB")


def test_an_answer_of_one_word_appends_no_row():
    """“Copies 0 rows to keep 1,000 tokens, which grows with the square of the answer.”"""
    said = text(visited("paging", steps="all", p="1000", g="1"))
    assert (
        says(said, "1,000", "nobody", "any")
        and not says(said, "new array")
        and says(text(visited("paging", steps="all")), "new array")
    )


@pytest.mark.parametrize(("p", "g"), [(1, 1), (4, 8), (7, 300), (300, 7)])
@pytest.mark.parametrize("dark", [False, True])
def test_the_append_strips_are_a_valid_figure(p, g, dark):
    n = p + g - 1
    valid(append_strips.append_strips(Sheet(dark, 1.15), p, n, appends.room(n), 16).to_plotly_json())


@given(st.integers(1, 12), st.integers(0, 30), st.sampled_from(STRATEGIES))
def test_the_append_strips_are_the_simulation(p, more, strategy):
    n = p + more
    room = appends.room(n)
    drawn = [append_strips.arrival(strategy, p, k, room, 4) for k in range(p, n + 1)]
    assert tuple(drawn) == simulate(strategy, p, n, room, 4)[0]
    shown = append_strips.arrivals_drawn(p, n)
    copying = [i for i, a in enumerate(drawn) if strategy == "double" and a.copied]
    assert set(copying) <= set(shown) and shown[0] == 0 and shown[-1] == more


def test_a_thousand_rows_are_a_small_figure_in_which_the_copies_still_show():
    figure = append_strips.append_strips(Sheet(), 4, 1003, 1024, 16)
    assert len(figure.to_json()) < 50_000 and len(figure.sent()) < 20_000
    copied = {append_strips.arrival("double", 4, 4 + i, 1024, 16).copied for i in append_strips.arrivals_drawn(4, 1003)}
    assert {64, 128, 256, 512} <= copied  # the first few fall on one strip


def test_on_a_projector_the_empty_room_comes_to_a_sentence():
    """Beside an answer of four lines stood a note of four."""
    said = [text(page(slide=2, answers="shown", **more)) for more in ({}, {"present": "on"})]
    assert all(says(one, "12 GiB hold") for one in said)
    assert [says(one, "A token takes as much room as before") for one in said] == [True, False]
    assert [says(one, "Smaller blocks waste less") for one in said] == [True, False]
