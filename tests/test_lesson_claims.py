"""The court on the page: hidden until the vote, decided by the numbers, counted, and opened by a link."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from lessons import BIG, commit, text, visited
from test_claims import EXPECTED
from test_toy import CODE, TEXT, scenarios

from engine.claims import CLAIMS, VERDICTS, find
from pages.parts import claims_view, link
from pages.parts.figures.exhibits import Exhibit, exhibits

PAGE = Path(__file__).parents[1] / "pages" / "claims.py"
NAMES = list(CLAIMS)
page = partial(visited, "claims")


def test_every_experiment_has_its_statement_and_every_statement_a_lesson_that_exists():
    assert set(claims_view.CLAIMS) == set(CLAIMS)
    lessons = {path.stem for path in PAGE.parent.glob("*.py")}
    assert {claim.lesson for claim in claims_view.CLAIMS.values()} <= lessons


@pytest.mark.parametrize("claim", NAMES)
def test_a_statement_is_open_until_the_vote_and_then_its_verdict_is_the_experiments(claim):
    at = page(claim=str(NAMES.index(claim)))
    assert claims_view.CLAIMS[claim].statement in text(at)
    assert "computed:" not in text(at) and not at.get("bidi_component")[1:] and "19 statements are open" in text(at)
    assert claims_view.CLAIMS[claim].why(find(claim, TEXT)) not in text(at)
    assert f"**{EXPECTED[claim]}**, as you predicted." in commit(at, f"claim_{claim}", EXPECTED[claim])
    assert claims_view.CLAIMS[claim].why(find(claim, TEXT)) in text(at) and "**1 of 1** decided rightly, 18 open" in text(at)
    random = claim in ("keys_never_change", "gqa_is_a_strategy")
    assert at.caption[0].value.startswith(
        "Run just now on random models" if random else "Run just now on the scenario in the side bar."
    )


def test_a_wrong_vote_counts_as_one_and_all_can_be_opened_again():
    at = page(claim=str(NAMES.index("linear_with")))
    assert "You predicted true; computed: **true, with a caveat**" in commit(at, "claim_linear_with", "true")
    assert "**×3.986**, O(N²)" in text(at) and "×1.997" in text(at) and "**0 of 1** decided rightly" in text(at)
    assert "| 16 | The cache makes decode O(N) | :material/cancel: true | caveat |" in text(at)
    next(b for b in at.button if b.key == "reopen").click().run()
    assert "19 statements are open" in text(at) and "computed:" not in text(at)


def test_votes_stay_while_the_reader_goes_from_statement_to_statement():
    at = page()
    commit(at, "claim_values", "wrong")
    next(b for b in at.button if b.key == "claim_next").click().run()
    assert at.session_state["extras"]["claim"] == "1" and "**2** / 19" in text(at)
    commit(at, "claim_every_other", "true")
    assert "**1 of 2** decided rightly, 17 open" in text(at)
    at.selectbox(key="docket").select_index(16).run()
    assert claims_view.CLAIMS["steady_pace"].statement in text(at) and at.session_state["extras"]["claim"] == "16"


@pytest.mark.parametrize("claim", ["-1", "nan", "999", "9" * 12, ""])
def test_any_link_opens_some_statement(claim):
    at = page(claim=claim)
    assert sum(c.statement in text(at) for c in claims_view.CLAIMS.values()) == 1


EXTREMES = [
    link.to_query(replace(CODE, causal=False, empty_row="nan")),
    link.to_query(
        replace(TEXT, tokens=("*a*",), values=(-999,), rules=("none",), words=("<b>",), word_values=(1,), w_vocab=((0,),))
    ),
    BIG,
]  # fmt: skip


@pytest.mark.parametrize("query", EXTREMES)
def test_every_statement_can_be_decided_on_any_scenario(query):
    for claim in NAMES:
        at = page(query, claim=str(NAMES.index(claim)))
        assert "as you predicted" in commit(at, f"claim_{claim}", EXPECTED[claim])
    assert "random models" in at.caption[0].value  # the last statement; the others on the reader’s or the article’s scenario


def test_the_scenario_that_was_used_is_named():
    ran = {s: claims_view.ran_on(s, find("values", s)) for s in (TEXT, CODE)}
    assert "keys of positions only" in ran[CODE] and "only" not in ran[TEXT]
    alone = replace(TEXT, tokens=("a",), values=(1,))
    assert "cannot show this one" in claims_view.ran_on(alone, find("every_other", alone))


@settings(max_examples=40)
@given(scenarios())
def test_reasons_and_evidence_can_be_written_for_any_scenario(s):
    for name, claim in claims_view.CLAIMS.items():
        finding = find(name, s)
        lines = claim.lines(finding)
        assert 2 <= len(lines) <= 6 and 40 < len(claim.why(finding)) < 560
        go.Figure(exhibits(lines, dark=True, zoom=1.15).to_plotly_json())


def test_exhibits_draw_bars_to_one_scale_and_words_as_they_are():
    figure = exhibits([Exhibit("<b>a</b>", "4", 4.0, True), Exhibit("b", "−2", -2.0), Exhibit("c", "none")])
    assert len(figure.layout.shapes) == 2 and "&lt;b&gt;a&lt;/b&gt;" in figure.data[0].text and "<b>4</b>" in figure.data[0].text
    right = [float(shape.path.split("L")[1].split(",")[0]) for shape in figure.layout.shapes]
    assert right[0] == pytest.approx(0.80) and right[1] == pytest.approx(0.65)


def test_the_votes_are_the_three_verdicts():
    assert set(EXPECTED.values()) == set(VERDICTS)  # none of them is a bad guess
