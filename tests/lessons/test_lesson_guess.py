"""The lesson on guessing ahead: its words are the model's, its counts the engine's, and its sentences true on any model."""

import re
from dataclasses import replace
from itertools import cycle

import pytest
from app_pages import right, says, selected
from hardware_pages import OF_HARDWARE, alternatives, checked, commit, page, text
from said import plain

from engine import bundled, generate
from engine.cost import DEVICES, MODELS
from engine.speculative import expected_tokens
from pages.lessons.guess.figures.faster_or_slower import Pass, faster_or_slower
from pages.lessons.guess.figures.staircase import PassWords, staircase
from pages.lessons.guess.pays import NEITHER, SLOWER, factors, faster_question, judged, pays_said
from pages.lessons.guess.state import DRAFTS, N_WORDS, SENTENCES, State, written
from pages.lessons.guess.steps import guesses_said, pass_words, places_said
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.sheet import Sheet
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.text.format import number, percent, quantity

# Each sentence with each draft, and each number of guesses with either: what is said of a run is put together pass by pass.
TWO_BY_TWO = [(s, d, (1, 4, 8)[(i + j) % 3]) for i, s in enumerate(SENTENCES) for j, d in enumerate(DRAFTS)]


def state(model="Llama-3.1-8B", device="A100-80", n_tokens=8192, batch=1, sentence="kite", draft="lookup", n_guess=4, kept=0.7):
    return State(Setup(MODELS[model], DEVICES[device], 1, n_tokens, batch, 16, 16), sentence, draft, n_guess, kept)


def a_pass(now):
    """What the figure draws of a pass."""
    return Pass(now.n_guess + 1, now.kept, expected_tokens(now.kept, now.n_guess))


def lengths(now):
    """Times as long as without guesses, by batch."""
    return {batch: a_pass(now).words / factor for batch, factor in factors(now).items()}


@pytest.mark.parametrize(("sentence", "draft", "n_guess"), TWO_BY_TWO)
def test_the_words_are_the_models_and_each_stands_once(sentence, draft, n_guess):
    now, model = state(sentence=sentence, draft=draft, n_guess=n_guess), bundled()
    found = written(now)
    ids = generate(model, model.tokenizer.encode(SENTENCES[sentence]), N_WORDS).token_ids
    rows = pass_words(found)
    assert [word for row in rows for word in (*row.kept, row.own)] == [model.tokenizer.decode([i]) for i in ids]
    assert len(rows) == found.n_passes and max(len(row.kept) + len(row.refused) for row in rows) <= n_guess
    for zoom in (1.0, 1.15):
        _, words = checked(staircase(Sheet(zoom=zoom), rows))
        assert len([w for w in words if w.startswith("pass ")]) == found.n_passes - 1
    said = guesses_said(now, found)
    assert says(said, str(N_WORDS), str(sum(len(row.refused) for row in rows)))
    kept = [sum(len(row.kept) > place for row in rows[1:]) / (len(rows) - 1) for place in range(len(found.accepted))]
    # of passes: “guesses stayed 75.0%, 0 rows were taken back” counted a pass without a guess as one that did not stay
    assert not kept or f"Passes behind prefill that kept a guess, by place: {' / '.join(map(percent, kept))}," in places_said(
        found
    )
    assert ("never faster" in said) == (draft != "lookup") and ("1 ×" in said) == (draft != "lookup")


def test_strange_words_stay_within_the_picture():
    rows = [PassWords((), "W" * 30, ()), *[PassWords(("<b>", "m" * 20), "i", ("W" * 24, "$x$") * 2)] * 6]
    checked(staircase(Sheet(), rows))
    assert checked(staircase(Sheet(phone=True), rows))[0].layout.meta["min_width"] == 0


def test_what_is_continued_stands_in_the_row_of_prefill():
    """It was to be seen in a menu alone."""
    rows = [PassWords((), "warm", ()), PassWords(("and",), "sunny", ())]
    for prompt in (*SENTENCES.values(), "W" * 200):
        for sheet in (Sheet(), Sheet(zoom=1.15), Sheet(phone=True)):
            _, words = checked(staircase(sheet, rows, prompt))
            assert len([word for word in words if word.startswith("behind “")]) == (not sheet.phone or len(prompt) < 20)


def test_the_page_says_what_the_run_says():
    at = page("guess", sentence="oslo", slide=1)
    assert says(text(at), "20 passes") and says(alternatives(at)[0], "20 words", "11 passes", "Paris")


def test_another_number_of_guesses_is_another_run():
    at = page("guess", slide=1)
    before = alternatives(at)[0]
    at.slider(key="extra_guesses").set_value(3).run()
    assert selected(at)["guesses"] == "3" and alternatives(at)[0] != before


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        (dict(), "faster"), (dict(batch=2048, n_tokens=1), "slower"), (dict(kept=0.0), "hardly different"),
        (dict(kept=0.3, model="Mixtral-8x7B", device="H200"), "slower"),
    ],
)  # fmt: skip
def test_faster_or_slower_is_computed(more, answer):
    assert faster_question(state(**more)).answer == answer


def test_the_curve_waits_for_the_answer():
    at = page("guess")
    assert "at best" not in text(at)
    answered = commit(at, "faster", "faster")
    assert right(answered) and says(answered, "5 rows", "2.77")
    assert says(alternatives(at)[1], "2.77", "4,096") or "at best" in text(at)


@pytest.mark.parametrize("batch", [3, 7, 1024, 4095])
def test_the_batch_that_is_asked_about_is_the_one_that_was_chosen(batch):
    """“Serves 2 sequences” beside a slider at 3."""
    now = state(batch=batch, n_tokens=5, kept=0.99, n_guess=1, model="GPT-2 small", device="Apple M4")
    question, found = faster_question(now), factors(now)
    assert says(question.asked, quantity(batch, "sequence")) and question.answer == judged(found[batch])
    _, words = checked(faster_or_slower(Sheet(), lengths(now), batch, a_pass(now)))
    assert any(f"at batch {batch:,}" in word for word in words)


def test_what_is_hardly_different_is_not_called_slower():
    """“Hardly different” at 1,024 sequences, right, and “slower from batch 32 on” beneath it."""
    now = state(batch=1024, n_tokens=5, kept=0.99, n_guess=1, model="GPT-2 small", device="Apple M4")
    assert faster_question(now).answer == NEITHER and "never slower" in pays_said(now, factors(now))


def test_what_is_slower_by_little_is_not_said_to_be_so_at_no_batch():
    """“Slower at no batch up to 4,096” beneath a figure that says 0.98 at 256, 1,024 and 4,096."""
    now = state("Mixtral-8x7B", "Apple M3 Ultra", n_tokens=1, batch=3, kept=0.99)
    for some in (
        now,
        state("GPT-2 small", "Apple M4", 5, 1024, n_guess=1, kept=0.99),
        state(),
        state(kept=0.0),
        state(kept=0.99),
    ):
        found = factors(some)
        said = plain(pays_said(some, found))
        hardly = [factor for factor in found.values() if judged(factor) == NEITHER and factor < 0.999]
        assert ("slower by more than 3%" in said) == bool(hardly), said
    assert min(factors(now).values()) < 0.985 and "never slower by more than 3%, up to batch 4,096" in plain(
        pays_said(now, factors(now))
    )


@pytest.mark.parametrize("kept", [0.0, 0.7])
def test_once_as_long_is_as_long(kept):
    """“Takes 1 × as long as over one, and writes 1 tokens”."""
    why = faster_question(state(kept=kept)).why
    assert "takes as long as over one" in why and "1 tokens" not in why and ("1 token:" in why) == (not kept)


@pytest.mark.parametrize(("name", "device"), list(zip(MODELS, cycle(["A100-80", "Apple M1", "B200"]))))
def test_where_it_is_said_to_be_slower_it_is(name, device):
    for n_tokens, kept, n_guess in ((1, 0.7, 4), (8192, 0.0, 1), (100_000, 0.9, 8)):
        now = state(name, device, n_tokens, 1, kept=kept, n_guess=n_guess)
        found = factors(now)
        said = plain(pays_said(now, found))
        slow = [batch for batch in BATCHES if faster_question(replace(now, s=replace(now.s, batch=batch))).answer == SLOWER]
        assert ("never slower" in said) == (not slow)
        if match := re.search(r"slower.* from batch ([\d,]+) on", said):
            assert slow == [b for b in BATCHES if b >= int(match[1].replace(",", ""))]


@pytest.mark.parametrize("kept", [0.0, 0.7, 0.99])
@pytest.mark.parametrize(("name", "device"), [("Llama-3.1-8B", "A100-80"), ("GPT-2 small", "Apple M1"), ("DeepSeek-V3", "B200")])
def test_the_figure_holds_any_batch(name, device, kept):
    now = state(name, device, 8192, kept=kept)
    found, of = lengths(now), a_pass(now)
    assert 1 / 1.01 <= min(found.values()) <= max(found.values()) <= 1.01 * of.rows  # the field in which its end waits
    for k in (0, len(BATCHES) // 2, len(BATCHES) - 1):
        checked(faster_or_slower(Sheet(), found, BATCHES[k], of))
    for phone in (False, True):
        for guess in ("faster", "hardly different", "slower"):
            asked = Asked(("faster", "hardly different", "slower"), guess=guess, right=judged(of.words / found[64]))
            _, words = checked(faster_or_slower(Sheet(phone=phone), found, 64, of, asked))
            assert f"<b>{guess}</b>" in words and f"<b>{asked.right}</b>" in words
        asked = Asked(("faster", "hardly different", "slower"), True, known=False)
        drawn = faster_or_slower(Sheet(phone=phone), found, 1, of, asked)
        _, words = checked(drawn)
        assert (
            "5 ×" in words and "<b>?</b>" in words and f"<b>{number(of.words % 1 or 1)}</b>".replace(">1<", ">1 word<") in words
        )
        before, at, behind = (part[1:5] for part in drawn.to_plotly_json()["layout"]["meta"]["answers"])
        begin, end = (1, 3) if phone else (0, 2)
        assert before[end] <= at[begin] < at[end] <= behind[begin] < behind[end]


@pytest.mark.parametrize("n_guess", [1, 4, 8])
@pytest.mark.parametrize("kept", [0.0, 0.01, 0.99])
def test_until_it_is_answered_the_figure_is_the_same_at_any_batch(n_guess, kept):
    """How long the pass is may not be seen, nor where it ends at another batch."""
    now = state(n_guess=n_guess, kept=kept, n_tokens=1)
    asked = Asked(("faster", "hardly different", "slower"), True, known=False)
    for phone in (False, True):
        drawn = [
            faster_or_slower(Sheet(phone=phone), {1: 1.0, 4096: length}, 1, a_pass(now), asked) for length in (1.0, n_guess + 1)
        ]
        assert drawn[0].to_plotly_json() == drawn[1].to_plotly_json()
        checked(drawn[0])


@pytest.mark.parametrize("extras", [*OF_HARDWARE, {"sentence": "x", "draft": "-", "guesses": "0", "kept": "nan"}], ids=str)
def test_any_link_shows_the_lesson(extras):
    page("guess", extras)
