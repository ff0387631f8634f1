"""The court on the page: hidden until the vote, decided by the numbers, counted, and opened by a link."""

import re
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import Path

import pytest
from app_pages import commit, computed, figures, press, right, says, selected, show, text, visited
from hypothesis import given
from scenarios import BIG, CODE, TEXT, scenarios
from valid_figures import valid
from verdicts import EXPECTED

from engine.claims import CLAIMS, VERDICTS, find
from pages.lessons.claims import steps
from pages.lessons.claims.figures.exhibits import Exhibit, exhibits
from pages.parts.drawing.palette import palette
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.claims import CLAIMS as WORDS
from pages.parts.visit import scenario_query

PAGE = Path(__file__).parents[2] / "pages" / "claims.py"
NAMES = list(CLAIMS)
page = partial(visited, "claims")


def test_every_experiment_has_its_statement_and_every_statement_a_lesson_that_exists():
    assert set(steps.CLAIMS) == set(CLAIMS)
    lessons = {path.stem for path in PAGE.parent.glob("*.py")}
    assert {claim.lesson for claim in steps.CLAIMS.values()} <= lessons


def drawn(at):
    """How often the picture asks, and everything that it says besides."""
    ((figure, _),) = figures(at)
    words = [unescape(re.sub("</?b>", "", word)) for word in figure["data"][-1]["text"]]
    return words.count("?"), set(words)


@pytest.mark.parametrize("claim", NAMES)
def test_a_statement_is_open_until_the_vote_and_then_its_verdict_is_the_experiments(claim):
    at, n = page(claim=str(NAMES.index(claim)), slide=1), 7 if claim in steps.FIRST else len(NAMES)
    assert steps.CLAIMS[claim].statement in text(at)
    assert "material/cancel" not in text(at) and says(text(at), f"{n}", "open")
    evidence = steps.CLAIMS[claim].lines(find(claim, TEXT))
    assert drawn(at)[0] == len(evidence) and not drawn(at)[1] & {line.text for line in evidence}
    assert steps.CLAIMS[claim].why(find(claim, TEXT)) not in text(at)
    assert right(commit(at, f"claim_{claim}", EXPECTED[claim]), EXPECTED[claim])
    assert steps.CLAIMS[claim].why(find(claim, TEXT)) in text(at) and says(text(at), "1 of 1", f"{n - 1} open")
    assert drawn(at)[0] == 0 and {*(line.text for line in evidence), f"The experiment says: {EXPECTED[claim]}"} <= drawn(at)[1]
    random, published = claim in ("contexts_are_reused", "keys_never_change", "gqa_is_a_strategy"), claim == "a_latent_saves"
    ran_on = ("published shapes",) if published else ("run", "random models") if random else ("run", "scenario")
    assert says(at.caption[0].value, *ran_on)


def test_a_wrong_vote_counts_as_one_and_all_can_be_opened_again():
    at = page(claim=str(NAMES.index("linear_with")), slide=1)
    wrong = commit(at, "claim_linear_with", "true")
    assert not right(wrong) and computed(wrong) == "true, with a caveat"
    assert says(text(at), "×3.986", "O(N²)") and "×1.997" in text(at) and says(text(at), "0 of 1", "6 open")
    press(at, "statement_next")
    assert "| 6 | The cache makes decode O(N) | :material/cancel: true | caveat |" in text(at)
    press(at, "claims_reopen")
    assert says(text(at), "7", "open") and not says(text(at), "of 1") and "material/cancel" not in text(at)


def test_votes_stay_while_the_reader_goes_from_statement_to_statement():
    at = page(slide=1)
    commit(at, "claim_decode_makes_the_first", "wrong")
    press(at, "statement_next")
    assert selected(at)["statement"] == "1" and "**2** / 7" in text(at)
    commit(at, "claim_queries_are_dropped", "wrong")
    assert says(text(at), "1 of 2", "5 open")
    press(at, "mark_6")
    assert steps.CLAIMS["steady_pace"].statement in text(at) and selected(at)["statement"] == "6"


def marks(at):
    """What the marks of the statements are called."""
    return [button.help for button in at.button if str(button.key).startswith("mark_")]


def test_a_mark_says_how_a_vote_went_and_nothing_of_those_that_are_open():
    at = commit_wrongly = page(claim=str(NAMES.index("linear_with")), slide=1)
    short = [steps.CLAIMS[name].short for name in steps.FIRST]
    assert marks(at) == short
    commit(commit_wrongly, "claim_linear_with", "true")
    assert [mark for mark in marks(at) if mark not in short] == [f"{steps.CLAIMS['linear_with'].short}, wrong"]


def test_seven_statements_are_offered_first_and_the_rest_on_demand():
    at = page(slide=1)
    assert marks(at) == [steps.CLAIMS[name].short for name in steps.FIRST]
    assert {EXPECTED[name] for name in steps.FIRST} == set(VERDICTS)
    press(at, "claims_rest")
    assert len(marks(at)) == 20 and "**8** / 20" in text(at) and says(text(at), "20 statements", "open")
    press(at, "statement_back")
    assert "**7** / 20" in text(at)


@pytest.mark.parametrize("claim", ["-1", "nan", "999", "9" * 12, ""])
def test_any_link_opens_some_statement(claim):
    for query in ({"claim": claim}, {"statement": claim}):
        said = text(page(query))
        assert sum(c.statement in said for c in steps.CLAIMS.values()) == 1


EXTREMES = [
    scenario_query.to_query(replace(CODE, causal=False, empty_row="nan")),
    scenario_query.to_query(
        replace(TEXT, tokens=("*a*",), values=(-999,), rules=("none",), words=("<b>",), word_values=(1,), w_vocab=((0,),))
    ),
    BIG,
]


@pytest.mark.parametrize("query", EXTREMES)
def test_every_statement_can_be_decided_on_any_scenario(query):
    at = page(slide=1)
    for claim in NAMES:
        show(at, query | {"claim": str(NAMES.index(claim))})
        assert right(commit(at, f"claim_{claim}", EXPECTED[claim]), EXPECTED[claim])
    assert "published shapes" in at.caption[0].value  # the last statement, which is about no scenario


def test_the_scenario_that_was_used_is_named():
    ran = {s: steps.ran_on(s, find("values", s)) for s in (TEXT, CODE)}
    assert says(ran[CODE], "positions") and not says(ran[TEXT], "positions")
    alone = replace(TEXT, tokens=("a",), values=(1,))
    assert says(steps.ran_on(alone, find("every_other", alone)), "cannot show")
    assert not says(ran[TEXT], "cannot show")


@given(scenarios())
def test_reasons_and_evidence_can_be_written_for_any_scenario(s):
    for name, claim in steps.CLAIMS.items():
        finding = find(name, s)
        lines = claim.lines(finding)
        assert 2 <= len(lines) <= 6 and 40 < len(claim.why(finding)) < 560
        valid(exhibits(Sheet(True, zoom=1.15), lines, finding.verdict).to_plotly_json())


@pytest.mark.parametrize("verdict", ["", "true"])
def test_numbers_without_a_scale_stand_side_by_side_beneath_their_names(verdict):
    lines = [Exhibit(f"line {k}", f"{k}0", None, k == 2) for k in range(1, 4)]
    (words,) = (trace for trace in exhibits(Sheet(), lines, verdict).to_plotly_json()["data"] if trace["type"] == "scatter")
    at = {text: (x, y) for text, x, y in zip(words["text"], words["x"], words["y"], strict=True) if "line" in text}
    assert len({x for x, _ in at.values()}) == 3 and len({y for _, y in at.values()}) == 1
    assert sum(text == "<b>?</b>" for text in words["text"]) == (0 if verdict else 3) and ("<b>20</b>" in words["text"]) == bool(
        verdict
    )


def test_exhibits_draw_bars_to_one_scale_and_words_as_they_are_and_no_number_while_open():
    lines = [Exhibit("<b>a</b>", "4.5", 4.5, True), Exhibit("b", "−2.25", -2.25), Exhibit("c", "none")]
    figure = exhibits(Sheet(), lines, "wrong")
    assert {"<b>&lt;b&gt;a&lt;/b&gt;</b>", "<b>4.5</b>", "−2.25", "none", "<b>The experiment says: wrong</b>"} <= set(
        figure.data[0].text
    )
    first, second = (float(shape.path.split("L")[1].split(",")[0]) for shape in figure.layout.shapes[:2])
    assert first == pytest.approx(2 * second)
    still_open = exhibits(Sheet(), lines)
    assert not {"<b>4.5</b>", "−2.25", "none"} & set(still_open.data[0].text) and "wrong" not in str(still_open.data[0].text)
    assert still_open.layout.height == figure.layout.height
    *tracks, empty = [shape.path for shape in still_open.layout.shapes]
    one, another = ([float(path.split("L")[k].split(",")[0].strip("M")) for k in (0, 1)] for path in tracks)
    assert one == another == [0, 1]  # two tracks as long as there is room
    assert empty == figure.layout.shapes[2].path  # and a field, in which the number will stand


def test_a_bar_that_counts_has_a_part_for_each():
    figure = exhibits(Sheet(), [Exhibit("none of 1", "0", 0.0), Exhibit("of 4", "3", 3.0, True)], "true")
    none, three = (shape.path.count("Z") for shape in figure.layout.shapes[:2])
    assert (none, three) == (1, 3)


@pytest.mark.parametrize("phone", [False, True])
def test_decode_steps_are_drawn_behind_the_prefill_that_comes_before_any(phone):
    """“0” and “3” were two bars of nothing."""
    lines, colors = [Exhibit("none", "0", 0.0, True, True), Exhibit("three", "3", 3.0, False, True)], palette(False)
    parts = {}
    for verdict in ("wrong", ""):
        figure = valid(exhibits(Sheet(phone=phone), lines, verdict).to_plotly_json())
        for color in (colors.prefill, colors.decode):
            parts[verdict, color] = sum(s.path.count("Z") for s in figure.layout.shapes if s.fillcolor == color)
        assert ("<b>0</b>" in figure.data[0].text) == bool(verdict)
        out = [text for text in figure.data[0].text if text.startswith("<b>word ")]
        assert out == [f"<b>word {k}</b>" for k in (1, 1, 2, 3, 4)]  # how many are written is known
    assert parts == {("wrong", colors.prefill): 2, ("wrong", colors.decode): 3, ("", colors.prefill): 2, ("", colors.decode): 0}


def test_the_votes_are_the_three_verdicts():
    assert set(EXPECTED.values()) == set(VERDICTS)  # none of them is a bad guess


def test_sentences_that_were_found_false_do_not_come_back():
    """Each was on a page and holds of some models or runs only: deeper layers do look at old rows, a prefix-LM's cache is valid,
    torch.softmax still gives NaN, GQA's heads share, the listing has been mended, and two runs may agree to the last bit."""
    false = (
        "nobody looks at their weights", "only token and position", "valid exactly when", "never bit for bit",
        "what PyTorch does since", "as in PyTorch since", "the only one that exists", "prints both results",
    )  # fmt: skip
    text = (
        " ".join(
            " ".join(path.read_text("utf-8").replace('"\n', "").split())
            for place in ("pages", "engine")
            for path in (PAGE.parents[1] / place).rglob("*.py")
        )
        .replace('" "', "")
        .replace('" f"', "")
    )
    assert not [sentence for sentence in false if sentence in text]


def test_what_a_step_reads_of_a_model_is_its_parameters():
    """“All 16.06 GB of weights”, in a court that asks whether the cache keeps weights."""
    assert "16.06 GB of parameters" in WORDS["steady_pace"].why(find("steady_pace", TEXT))


def test_until_the_vote_each_line_is_drawn_alike_and_asks_in_its_track():
    """Two blue boxes and two voids; later a dashed copy of each verdict; then bars that faded beside an empty frame."""
    lines = steps.CLAIMS["decode_makes_the_first"].lines(find("decode_makes_the_first", TEXT))
    open_ = exhibits(Sheet(), lines)
    ends = [shape.path.split("L")[1].split(",")[0] for shape in open_.layout.shapes if shape.fillcolor]
    assert ends[: len(ends) // 2] == ends[len(ends) // 2 :]
    asks = [text for text in open_.data[-1].text if "?" in text]
    assert asks == ["<b>?</b>"] * len(lines) + ["<b>The experiment says: ?</b>"]
    assert not set(VERDICTS) & set(open_.data[-1].text)
