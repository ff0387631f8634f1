"""The court as the lesson shows it: one statement, the reader's vote, then the experiment's numbers and where to touch it."""

import streamlit as st

from engine.claims import CLAIMS as EXPERIMENTS
from engine.claims import VERDICTS, Finding, find, usual
from engine.toy.scenario import Scenario
from pages.lessons.claims.figures.exhibits import exhibits
from pages.parts.controls.large_question import Mark, large_question, marks
from pages.parts.controls.stepper import LabelWithMarks, stepper
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.question.predict import predict
from pages.parts.question.question import Question, committed, reopen
from pages.parts.text.claims import CLAIMS
from pages.parts.text.claims.wording import Claim
from pages.parts.text.format import join
from pages.parts.visit import all_lessons, scenario
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Choice, Whole
from pages.parts.visit.scenario import on_paper

FIRST = (  # why there are two phases, what is computed and kept, whether it stays true, what it saves, what it costs
    "decode_makes_the_first", "queries_are_dropped", "values", "same_result", "only_the_query", "linear_with", "steady_pace",
)  # fmt: skip
NAMES = (*FIRST, *(name for name in EXPERIMENTS if name not in FIRST))  # as they are numbered
STATEMENT = Whole("statement", high=len(NAMES) - 1)  # which of them is before the court, counted from 0
EARLIER = Whole("claim", high=len(NAMES) - 1)  # in links of an earlier version: its place among EXPERIMENTS
REST = Choice("rest")  # whether those after FIRST are offered
SHORT = {VERDICTS[1]: "caveat"}
HIGH, SLIDE = 236, 330  # pixels for the evidence, and presented


def given() -> tuple[Scenario]:
    """The scenario; a statement that an earlier link names is put before the court."""
    s = scenario.current()
    if EARLIER.text():
        STATEMENT.set(NAMES.index(tuple(EXPERIMENTS)[EARLIER.value()]))
        EARLIER.set_text("")
        if STATEMENT.value() >= len(FIRST):
            REST.set_text("on")
    return (s,)


def about() -> str:
    """The lesson in which one can touch what the statement before the court is about."""
    return CLAIMS[NAMES[STATEMENT.value()]].lesson


def offered() -> tuple[str, ...]:
    """The statements that can be reached: the first seven, or all once somebody has asked for the rest."""
    return NAMES if REST.value(("on",), "") or STATEMENT.value() >= len(FIRST) else FIRST


@step(
    "The court",
    minutes=10,
    ask="Read the claim aloud, vote, then let the experiment decide.",
    wrong={"true": "few claims in print hold as they stand: ask for the case in which this one fails"},
)
def court(s: Scenario) -> None:
    """The statement before the court as a card with the reader's vote and what is measured, and beneath it all statements."""
    lead(
        "Vote on each statement; then an experiment runs, on your scenario where that shows it, and its numbers decide.",
        "prefill",
        "decode",
        "KV cache",
    )
    case(s)


def votes() -> dict[str, bool]:
    """The statements voted on, and whether the vote was the experiment's verdict on the scenario of that moment."""
    answers = {name: committed(key(name)) for name in NAMES}
    return {name: vote[0] == vote[1] for name, vote in answers.items() if vote}


def key(name: str) -> str:
    """Of the question that a statement puts."""
    return f"claim_{name}"


def score() -> str:
    """How many were decided as the experiments decide."""
    cast = votes()
    if not cast:
        return f"{len(offered())} statements are open."
    still_open = len([name for name in offered() if name not in cast])
    return f"**{sum(cast.values())} of {len(cast)}** decided rightly, {still_open} open."


def case(s: Scenario) -> None:
    """The statement before the court, the evidence, its numbers once the reader has voted, and beneath it how far the reader has come."""
    name = NAMES[STATEMENT.value()]
    claim, finding = CLAIMS[name], find(name, s)
    asked = f"“{claim.statement}”  \n:small[Experiment: {claim.experiment}]"
    with large_question("court"):
        question = Question(key(name), asked, finding.verdict, claim.why(finding), options=VERDICTS)
        voted = predict(question)
        evidence(s, claim, finding, question, voted)
    progress(voted)


def evidence(s: Scenario, claim: Claim, finding: Finding, question: Question, voted: bool) -> None:
    """What is measured, and once voted what came out, on which scenario, and the lesson in which one can touch it."""
    if on_paper():
        return
    lines = claim.lines(finding)
    said = "; ".join(f"{line.name} {line.text if voted else '?'}" for line in lines)
    drawn = exhibits(sheet(high=HIGH, slide_high=SLIDE), lines, finding.verdict if voted else "")
    alt = f"{'Evidence' if voted else 'What is measured'}. {said}."
    plot(drawn, alt, question.key.replace("claim", "exhibits"))
    if not voted:
        return
    page = all_lessons.of_visit().pages.get(claim.lesson)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="ran_on"):
        st.caption(ran_on(s, finding), width="content")
        if page and not presenting():
            st.page_link(page, label=f"Touch it in “{page.title}”", icon=":material/touch_app:", width="content")


def ran_on(s: Scenario, finding: Finding) -> str:
    """Which scenario the experiment used: the reader's, or the article's where the reader's cannot show the point."""
    if finding.published:
        return "Multiplied out just now from the published shapes of both models."
    if finding.scenario is None:
        return "Run just now on random models; a seed fixes their parameters."
    if finding.scenario == usual(s) == s:
        return "Run just now on your scenario."
    if finding.scenario == usual(s):
        return f"Run just now on your scenario, with {join(_made_usual(s))}."
    return "Your scenario cannot show this one; run just now on the article’s text."


def _made_usual(s: Scenario) -> list[str]:
    """What the experiment changed of the scenario."""
    softmax = " and softmax without 1 in the denominator, in all rows" * (s.empty_row == "softmax1")
    changed = {
        "the mask on": not s.causal,
        f"empty rows “none”{softmax}": s.empty_row != "none",
        "keys of positions only": any(rule.breaks_cache for rule in s.rules),
    }
    return [said for said, other in changed.items() if other]


def progress(voted: bool) -> None:
    """The way from one statement to the next with a mark for each, the score, and folded away all of them with votes and verdicts.
    Presented, the evidence takes the screen."""
    at, n, shown = STATEMENT.value(), len(offered()), not (voted and presenting())
    with st.container(horizontal=True, vertical_alignment="center", key="claims_docket"):
        label = LabelWithMarks(f"**{at + 1}** / {n}", _marks if shown else lambda: None)
        stepper(STATEMENT, n, label, plays=False, asks=not voted)
        if shown:
            st.markdown(f"**{at + 1}** / {n} · {score()}", width="content")
    if shown:
        with st.expander("All statements", icon=":material/table:"):  # its table can be saved, as it could not be in a popover
            verdicts()
            st.button(
                "Open all statements again", key="claims_reopen", type="tertiary", icon=":material/restart_alt:", disabled=not votes(),
                on_click=reopen, args=([key(name) for name in NAMES],),
            )  # fmt: skip


def _marks() -> None:
    """A mark for each statement, and the way to the rest."""
    cast = votes()
    with marks(STATEMENT, STATEMENT.value(), [Mark(CLAIMS[name].short, name in cast, cast.get(name)) for name in offered()]):
        if offered() == FIRST:
            st.button(
                f"{len(NAMES) - len(FIRST)} more", key="claims_rest", icon=":material/add:", on_click=_rest, help="statements"
            )


def verdicts() -> None:
    """All statements with the reader's votes, and the verdicts of those that have been voted on."""
    with st.container(key="all_of_verdicts"):
        rows = map(_line, range(len(offered())))
        st.markdown("\n".join(["| | Statement | You | Experiment |", "|--:|:--|:--|:--|", *rows]))


def _rest() -> None:
    """Offer the rest, and go to the first of them."""
    REST.set_text("on")
    STATEMENT.set(len(FIRST))


def _line(at: int) -> str:
    """One row of that table; what is open stays hidden."""
    verdict, vote = committed(key(NAMES[at])) or ("…", "…")
    mark = "" if vote == "…" else ":material/check_circle: " if vote == verdict else ":material/cancel: "
    name = f"**{CLAIMS[NAMES[at]].short}**" if at == STATEMENT.value() else CLAIMS[NAMES[at]].short
    return f"| {at + 1} | {name} | {mark}{SHORT.get(vote, vote)} | {SHORT.get(verdict, verdict)} |"
