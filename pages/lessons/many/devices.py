"""The third step: up to which load both promises are kept, and so among how many servers a load must be divided."""

import math
from dataclasses import replace
from math import ceil, floor

import streamlit as st

from engine.cost import pass_s
from engine.serving import Knee, Run, knee_so_far, simulate
from engine.serving.scheduler.goodput import HIGHEST, LOWEST, MOST_TRIED
from pages.lessons.many import load as loads
from pages.lessons.many.figures.in_time import Divided, in_time, knee_said, rate_said
from pages.lessons.many.load import LOCK, MOST, Load
from pages.lessons.many.timeline import ASKED_WIDE, BOUND
from pages.parts.controls.shared_parameters import TPOT_MS, TTFT_MS
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.sharing import turns
from pages.parts.sharing.results import RESULTS
from pages.parts.sharing.shared_work import Job
from pages.parts.text.format import plural, quantity

LEAST = 120  # requests of a run
SHARE = 0.9  # of the requests of a run must be served in time
LIVES = 4  # answers, each as slow as may be, that a run lasts at least
TTFTS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
TPOTS = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 500, 1000)


def search(load: Load, ttft_ms: int, tpot_ms: int) -> Job:
    """The search for the knee, shared by all who ask for the same."""
    limits, load = (ttft_ms / 1e3, tpot_ms / 1e3, SHARE), replace(load, per_minute=1)  # it tries rates of its own

    def make() -> Job:
        lasts, server = lasts_s(load, ttft_ms, tpot_ms), load.server

        def run_at(rate: float) -> Run:
            return simulate(load.requests(n_requests(rate, lasts), rate), server, load.policy, turns.give_way)

        steps = knee_so_far(run_at, *limits, highest=highest(load, ttft_ms, tpot_ms))
        return Job(steps, MOST_TRIED, LOCK, small=False)

    return RESULTS.get(("knee", load, *limits), make, lambda job: 20_000)


def lasts_s(load: Load, ttft_ms: int, tpot_ms: int) -> float:
    """Seconds that requests must come for, until as many leave as come and a queue has had time to grow."""
    return LIVES * (ttft_ms + load.n_answer * tpot_ms) / 1e3


def n_requests(rate: float, lasts: float) -> int:
    """Requests of the run at that many a second, which come for so many seconds unless these are too few or too many."""
    return min(max(LEAST, ceil(rate * lasts)), MOST)


def highest(load: Load, ttft_ms: int, tpot_ms: int) -> float:
    """Requests a second of which MOST last long enough."""
    return min(max(MOST / lasts_s(load, ttft_ms, tpot_ms), 2 * LOWEST), HIGHEST)


def count_question(load: Load, n: int, ttft_ms: int, tpot_ms: int, knee_per_s: float) -> Question:
    """Among how many the load is divided if each gets no more than one was found to keep, knee_per_s: servers that take turns may do with
    fewer."""
    what = "pairs of servers" if load.policy == "disaggregated" else "servers"
    return Question(
        "devices",
        f"{load.per_minute:,} {plural(load.per_minute, 'request')} a minute, *{load.policy}*, {SHARE:.0%} within {ttft_ms:,} ms "
        f"(TTFT) and {tpot_ms:,} ms (TPOT): divided among how many {what}, if none gets more than one keeps (the circle)?",
        n,
        f"The load over the knee: {load.per_minute:,} / {knee_said(60 * knee_per_s, load.per_minute)}, rounded up{_devices(load, n)}.",
        tolerance=0,
        unit="servers" if what == "servers" else "pairs",
        high=10**8,
    )


def _devices(load: Load, n: int) -> str:
    """How many devices that is, where a server has several."""
    each = load.s.n_devices * (2 if load.policy == "disaggregated" else 1)
    return f", {quantity(n * each, 'device')} in all" if each > 1 else ""


@step(
    "How many devices",
    minutes=5,
    ask="Tighten the second limit step by step: when do more servers not help any more?",
    wrong={
        "Twice the requests a second, half of them in time": (
            "well below the knee nearly all are in time; where more come than the server completes a queue grows that never empties, and "
            "soon none is"
        )
    },
)
def devices(load: Load) -> None:
    """The share in time against the load of one server; its knee, and how many servers follow from it."""
    lead("More requests a minute, until too few of them are served in time.")
    shown = st.container()
    left, right = st.columns(2)
    with left:
        ttft_ms = TTFT_MS.stops("First token within so many ms (TTFT)", TTFTS)
    with right:
        tpot_ms = TPOT_MS.stops("The next ones so many ms apart, on average (TPOT)", TPOTS)
    load.setup_line()
    if load.problem:
        st.info(f"Nothing can be served: {load.problem}. The step before has another model, more devices and fewer bits.")
        return
    with shown:
        work, job = loads.work(), search(load, ttft_ms, tpot_ms)
        if work.advance(job, MOST_TRIED, "The search for the knee"):
            show_knee(load, job.result, ttft_ms, tpot_ms)
            return
        if job.result:  # as long as it goes on: neither the knee nor what follows from it
            draw(load, [(60 * rate, share) for rate, share in job.result.tried], 0.0, None)
        work.say()


def warm_up() -> None:
    """The search of whoever opens the step as it is, taken to its end: it is on screen at once."""
    search(loads.usual(), TTFT_MS.default, TPOT_MS.default).advance_to(MOST_TRIED, math.inf)


def draw(load: Load, tried: list[tuple[float, float]], knee: float, n: int | None, beyond: bool = False, said: str = "") -> None:
    """The share in time against requests a minute. knee: 0 where it is not known or there is none; n: servers, None while hidden.
    beyond: whether the knee is the highest rate that was tried, and lies there or beyond; said: the headline."""
    one = "one pair of servers" if load.policy == "disaggregated" else "one server"
    alt = f"Share of requests in time against requests a minute for {one}: " + ", ".join(
        f"{_in_time(share)} at {rate_said(rate)}" for rate, share in tried
    )
    if knee:
        most = knee_said(knee, load.per_minute)
        tried_most = f"Enough are at {most} at least, the most that was tried"
        alt += f". {tried_most if beyond else f'The most at which enough are: {most}'}"
    divided = Divided(load.per_minute, n, one, beyond, said)
    plot(in_time(sheet(high=312, slide_high=390), tried, knee, SHARE, divided), alt, "in_time")


def _in_time(share: float) -> str:
    """A share to the tenth of a per cent below: what is too few is not rounded up to enough.

    >>> _in_time(0.8167), _in_time(0.8996), _in_time(0.9)
    ('81.6%', '89.9%', '90%')
    """
    return f"{floor(1000 * share + 1e-9) / 10:g}%"


def show_knee(load: Load, knee: Knee, ttft_ms: int, tpot_ms: int) -> None:
    """The curve, the question and what it comes to."""
    n, beyond = knee.n_instances(load.per_minute / 60), knee.rate_per_s >= highest(load, ttft_ms, tpot_ms)
    known_exactly = n is not None and (n == 1 or not beyond)
    question = count_question(load, n, ttft_ms, tpot_ms, knee.rate_per_s) if known_exactly else None
    open_ = question is not None and not question.answered
    tried = [(60 * rate, share) for rate, share in knee.tried]
    draw(load, tried, 60 * knee.rate_per_s, None if open_ else n, beyond, large(load, n, open_, beyond, knee))
    n_run = n_requests(knee.rate_per_s, lasts_s(load, ttft_ms, tpot_ms))
    said = devices_said(load, knee, n, beyond, n_run) if n else too_few_said(load, knee, ttft_ms, tpot_ms)
    if question is None:
        takeaway("devices", said, help=BOUND)
    else:
        question_then_takeaway(question, "devices", said, help=BOUND, widths=ASKED_WIDE)


def large(load: Load, n: int | None, open_: bool, beyond: bool, knee: Knee | None = None) -> str:
    """The headline: how many servers the load takes; None where one keeps too little even of the fewest requests that were tried.

    >>> large(loads.usual(), 2, False, False), large(loads.usual(), 2, True, False), large(loads.usual(), 1, False, True)
    ('2 servers for 1,920 a minute', '? servers for 1,920 a minute', '1 server for 1,920 a minute')
    """
    one = _who_serves(load)
    if n is None:
        if knee.alone < SHARE:
            return f"Even alone {f'only {_in_time(knee.alone)} are' if knee.alone else 'none is'} in time"
        rate, share = knee.tried[0]
        return f"At {rate_said(60 * rate)} a minute only {_in_time(share)} are in time"
    said = f"? {one}s" if open_ else quantity(n, one)
    return f"{said}{' or fewer' * (beyond and n > 1)} for {load.per_minute:,} a minute"


def devices_said(load: Load, knee: Knee, n: int, beyond: bool, n_run: int) -> str:
    """The knee, the division and what is left out. beyond: whether the knee lies beyond what was tried. n_run: requests of the knee's run.

    What it takes is not said: a longer run may keep less, and servers that take turns get requests more evenly than one gets its share.
    """
    one = "One pair" if load.policy == "disaggregated" else "One server"
    most, fewer = ", the most that was tried" * beyond, f": {n:,} or fewer" * (beyond and n > 1)
    turns_ = ", and servers that take turns may do with fewer" * (n > 1)
    return (
        f"{one} kept both limits at **{knee_said(60 * knee.rate_per_s, load.per_minute)}** requests a minute{most}, in a run of {n_run:,}"
        f"{fewer or _so_many(load, n)}; a longer run may keep less{turns_}.{load.cut(MOST)}{load.s.assumed}"
    )


def _so_many(load: Load, n: int) -> str:
    """How many servers that makes, where one is several devices."""
    devices_ = _devices(load, n)
    return f": {quantity(n, _who_serves(load))}{devices_}" if devices_ else ""


def _who_serves(load: Load) -> str:
    """What the load is divided among."""
    return "pair" if load.policy == "disaggregated" else "server"


def too_few_said(load: Load, knee: Knee, ttft_ms: int, tpot_ms: int) -> str:
    """What one does not keep even of the fewest requests that were tried, or of the same where none meets another."""
    none = knee.alone < SHARE
    rate, share = (0.0, knee.alone) if none else knee.tried[0]
    least_s = pass_s(load.s.shape, 1, load.s.device, **load.s.options)  # of a step behind nothing: a prompt is no part of it
    shorter = " or a shorter prompt" * (load.n_prompt > 1 and least_s <= min(ttft_ms, tpot_ms) / 1e3)
    one = _who_serves(load)
    in_time = f"only **{_in_time(share)}** have" if share else "**nobody** has"
    if none:
        of = f"of {LEAST} requests, each alone on one {one},"
        more = f"**no number of servers is enough** for them; faster ones{shorter} may be"
    else:
        of = f"even of {rate_said(60 * rate)} requests a minute that come to one {one}"
        more = f"alone **{_in_time(knee.alone)}** have; fewer for each, or faster ones{shorter}, may be enough"
    return (
        f"{load.name}: {of} {in_time} the first token within {ttft_ms:,} ms and the others {tpot_ms:,} ms apart on average: "
        f"{more}.{load.cut(MOST)}{load.s.assumed}"
    )
