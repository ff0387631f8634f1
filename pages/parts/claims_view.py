"""The court as the lesson shows it: one statement, the reader's vote, then the experiment's numbers and where to touch it."""

from __future__ import annotations

import streamlit as st

from engine.claims import CLAIMS as EXPERIMENTS
from engine.claims import VERDICTS, Finding, find, usual
from engine.toy import Scenario
from pages.parts import scenario, widgets
from pages.parts.claims_on_attention import ATTENTION
from pages.parts.claims_on_the_cache import CACHE
from pages.parts.claims_on_work import WORK
from pages.parts.claims_words import Claim
from pages.parts.figures.exhibits import exhibits
from pages.parts.lesson import lead, stepper
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict

CLAIMS = ATTENTION | CACHE | WORK
NAMES = tuple(EXPERIMENTS)  # in the order of the link
SHORT = {VERDICTS[1]: "caveat"}


def chosen() -> int:
    """Which statement is before the court: the link's, counted from 0."""
    return scenario.whole_extra("claim", 0, 0, len(NAMES) - 1)


def opening() -> None:
    """What this is; presented, the statement needs the room."""
    if not presenting():
        lead(
            "Each statement was made about prefill, decode or the KV cache; the words are ours. Vote first. Then the experiment "
            "runs on your scenario, and its numbers decide.",
            "prefill", "decode", "KV cache",
        )  # fmt: skip


def docket() -> None:
    """The way from one statement to the next, the list to jump in, and the score so far."""
    at = chosen()
    left, middle, right = st.columns([5, 4, 3], vertical_alignment="center")
    with left:
        stepper("claim", len(NAMES), f"**{at + 1}** / {len(NAMES)}")
    widgets.show("docket", at)
    middle.selectbox(
        "Statement", range(len(NAMES)), key="docket", format_func=_entry, label_visibility="collapsed", on_change=_go
    )
    right.markdown(score())


def _go() -> None:
    scenario.set_extra("claim", str(st.session_state["docket"]))


def _entry(at: int) -> str:
    """A statement in the list. Always the same words: a label that changes comes back from the browser as text."""
    return f"{at + 1}. {CLAIMS[NAMES[at]].short}"


def votes() -> dict[str, bool]:
    """The statements voted on, and whether the vote was the experiment's verdict on the scenario of that moment."""
    committed = st.session_state.get("committed", {})
    found = {name: committed[f"claim_{name}"] for name in NAMES if f"claim_{name}" in committed}
    return {name: asked.rsplit("|", 1)[1] == vote for name, (asked, vote) in found.items()}


def score() -> str:
    """How many were decided as the experiments decide."""
    cast = votes()
    if not cast:
        return f"{len(NAMES)} statements are open."
    return f"**{sum(cast.values())} of {len(cast)}** decided rightly, {len(NAMES) - len(cast)} open."


def case(s: Scenario) -> None:
    """The statement before the court: the question, and once the reader has voted the evidence."""
    name = NAMES[chosen()]
    claim, finding = CLAIMS[name], find(name, s)
    question = f"“{claim.statement}”  \nExperiment: {claim.experiment}"
    with st.container(key="court"):
        if predict(f"claim_{name}", question, finding.verdict, claim.why(finding), options=VERDICTS):
            evidence(s, name, claim, finding)


def evidence(s: Scenario, name: str, claim: Claim, finding: Finding) -> None:
    """What was measured, on which scenario, and the lesson in which one can touch it."""
    lines = claim.lines(finding)
    said = "; ".join(f"{line.name} {line.text}" for line in lines)
    plot(exhibits(lines, **look()), f"Evidence. {said}.", f"exhibits_{name}")
    page = st.session_state.get("pages", {}).get(claim.lesson)
    if page and not presenting():
        st.page_link(page, label=f"Touch it in “{page.title}”", icon=":material/touch_app:")
    st.caption(ran_on(s, finding))


def ran_on(s: Scenario, finding: Finding) -> str:
    """Which scenario the experiment used: the reader's, or the article's where the reader's cannot show the point."""
    if finding.scenario is None:
        return "Run just now on random models; a seed fixes their parameters."
    if finding.scenario == usual(s) == s:
        return "Run just now on the scenario in the side bar."
    if finding.scenario == usual(s):
        return "Run just now on the scenario in the side bar, with the mask on, empty rows “none” and keys of positions only."
    return "Your scenario cannot show this one; run just now on the article’s text."


def verdicts() -> None:
    """All statements with the reader's votes, and the verdicts of those that have been voted on."""
    st.markdown(f"#### The verdicts so far\n{score()}")
    half = -(-len(NAMES) // 2)
    for column, part in zip(st.columns(2, gap="medium"), (range(half), range(half, len(NAMES))), strict=True):
        column.markdown("\n".join(["| | Statement | You | Experiment |", "|--:|:--|:--|:--|", *map(_line, part)]))
    committed = st.session_state.get("committed", {})
    st.button(
        "Open all statements again", key="reopen", type="tertiary", icon=":material/restart_alt:", disabled=not votes(),
        on_click=lambda: [committed.pop(f"claim_{name}", None) for name in NAMES],
    )  # fmt: skip


def _line(at: int) -> str:
    """One row of that table; what is open stays hidden."""
    asked, vote = st.session_state.get("committed", {}).get(f"claim_{NAMES[at]}", ("|…", "…"))
    verdict = asked.rsplit("|", 1)[1]
    mark = "" if vote == "…" else ":material/check_circle: " if vote == verdict else ":material/cancel: "
    return f"| {at + 1} | {CLAIMS[NAMES[at]].short} | {mark}{SHORT.get(vote, vote)} | {SHORT.get(verdict, verdict)} |"
