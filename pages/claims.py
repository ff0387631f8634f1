"""Lesson 12. Claims court: what is said about prefill, decode and the cache, put to the vote and then to the experiment."""

from engine.claims import Finding, find
from pages.parts import claims_view, scenario
from pages.parts.lesson import lesson

s = scenario.current()


def court() -> None:
    claims_view.opening()
    claims_view.docket()
    claims_view.case(s)


def verdicts() -> None:
    claims_view.verdicts()


lesson("True, true with a caveat, or wrong?", court, verdicts, source=(find, Finding))
