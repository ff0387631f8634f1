"""Whether what a server’s log says of its cache adds up, and how near its times are to their bounds."""

import streamlit as st

from engine.cost import binary_bytes
from engine.serving.expected import Check
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import ServerLog, read_log
from engine.serving.log_times import Time, has_times, times
from engine.serving.starts import ONCE, mixed, of_its_start
from pages.lessons.serverlog import compared, pasted_log
from pages.lessons.serverlog.compared import Compared
from pages.lessons.serverlog.examples import EXAMPLES
from pages.lessons.serverlog.figures.bound_and_measured import Timed, bound_and_measured
from pages.lessons.serverlog.figures.two_numbers import Line, two_numbers
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.foot import all_on_one_page
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import md, number, plural
from pages.parts.vote import in_a_room

A_TOKEN = "a token"
BEYOND = (
    "The bound counts reading parameters and cache once and the arithmetic, attention after the parameters, as a layer needs them, "
    "and nothing else. Beyond it lie the queue, prompts that are computed between steps, launching kernels, and talk between devices."
)


def given() -> tuple[ServerLog | None, Compared | None]:
    """The log, and what it is compared with; None where there is none to read."""
    pasted_log.forget_the_last_ones_setup()
    log = pasted_log.log()
    return log, log and compared.compared(log, pasted_log.example())


@step(
    "Does it add up?",
    minutes=5,
    ask="Go from row to row: out of which other numbers can you work this one out? Do it before you look at “expected”.",
    wrong={
        "Half or twice as much: the server is wrong": (
            "a setting is taken for an error: first look for the bits of a number, and for how many devices share the cache"
        ),
        "Query heads in the sum": "what is kept is counted by what asks: the cache has key and value heads, or a latent",
    },
)
def adds_up(log: ServerLog | None, c: Compared | None) -> None:
    """Every sum that the log allows, printed beside expected."""
    if log is None:
        return _nothing_read("one-card")
    checks = _checks(log, c)
    if not checks:
        why = mixed(of_its_start(log), *ONCE)
        none = f"Of its cache and parameters no two numbers are held against each other here{f': {why}' if why else ''}"
        st.info(f"{none}. Choose another one in the first step, or begin with this one.")
        pasted_log.offer("one-card")
        return
    lead("What the log prints, beside what its other lines and its model’s shape make of it: do the two agree?")
    question = token_question(log, checks)
    waits = question is not None and not question.answered
    lines = [_line(check, waits and check.kind == A_TOKEN) for check in checks]
    alt = " ".join(f"{line.what}: by the log {line.printed}, expected {line.expected}." for line in lines)
    plot(two_numbers(sheet(0.97, high=270, slide_high=390), lines), alt, "log_checks")
    if question is not None:
        predict(question)
    open_ = "The bytes of a cache over the tokens that are printed with it: work it out from this log."
    takeaway("checks", open_ if waits else _verdict(checks), help=_how_near(checks))
    compared.draw(compared.menus_of_sums(log, c, pasted_log.example()))


def _checks(log: ServerLog, c: Compared) -> list[Check]:
    """All sums of the log, with what is known of its server."""
    k = c.known
    return cache_checks(log, k.shape, k.n_devices, k.kv_bits, k.weight_bits)


def _nothing_read(name: str) -> None:
    """What a step says where no log was read."""
    if in_a_room.joined():
        st.info(f"{md(pasted_log.problem())}.", icon=":material/receipt_long:")
        return
    st.info(f"No log has been read. {md(pasted_log.problem())}. The first step has room for one, or begin with this one.")
    pasted_log.offer(name)


def _verdict(checks: list[Check]) -> str:
    """What differs; else what has no verdict, and why; else the sums that agree."""
    wrong, undecided = [check for check in checks if check.differs], [check for check in checks if check.expected is None]
    if wrong:
        return f"**{_capital(md(wrong[0].what))}**: {md(wrong[0].why or 'the log contradicts itself')}."
    if undecided:
        n = len(checks) - len(undecided)
        agree = f" {n} of {len(checks)} {plural(n, 'agrees', 'agree')}." if n else ""
        return f"**{_capital(md(undecided[0].what))}**: no verdict. {_capital(md(undecided[0].why))}.{agree}"
    sums = "; ".join(f"{md(check.what)} = {md(check.how)}" for check in checks[:2])
    return f"**All of it adds up.** {_capital(sums)}."


def _how_near(checks: list[Check]) -> str | None:
    """By how much of what is expected two numbers that agree differ at most."""
    near = "; ".join(f"{md(check.what)}: {amount(100 * check.slack / check.expected)}%" for check in checks if check.expected)
    return f"What agrees differs by at most about so much of what is expected: {near}." if near else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _line(check: Check, hidden: bool) -> Line:
    """A check as the figure draws it; hidden: while its number is asked for."""
    if hidden:
        return Line(check.what, "?", "?", None, False, whole=_together(check), tokens=check.tokens)
    expected = "?" if check.expected is None else _amount(check.kind, check.expected)
    ratio = check.printed / check.expected if check.expected else None
    whole = _together(check) if check.kind == A_TOKEN else ""
    return Line(check.what, _amount(check.kind, check.printed), expected, ratio, check.agrees, check.how, whole, check.tokens)


def _together(check: Check) -> str:
    """What all tokens take: "3.81 GiB for 31,232 tokens"."""
    tokens = f"{check.tokens:,.0f} {plural(check.tokens, 'token')}"
    return f"{_amount('bytes', check.printed * check.tokens)} for {tokens}"


def _amount(kind: str, x: float) -> str:
    if kind == "times":
        return f"{number(x, 2)} ×"
    return binary_bytes(x) if kind == "bytes" else f"{x:,.0f}" + " bytes" * (kind == A_TOKEN)


def token_question(log: ServerLog, checks: list[Check]) -> Question | None:
    """Bytes that one token takes, out of two lines of the log; None where it does not print both."""
    check = next((check for check in checks if check.kind == A_TOKEN), None)
    if check is None:
        return None
    kib, said = check.printed / 1024, _together(check)
    verdict = f", which is what its shape asks for ({md(check.how)})" * check.agrees
    if check.differs:
        verdict = f", where {check.expected / 1024:,.1f} are expected ({md(check.how)}): {md(check.why)}"
    return Question(
        "log_token", f"This server prints {said}. How many KiB is that a token?", round(kib, 1),
        f"{said}: {kib:,.1f} KiB each{verdict}.", tolerance=max(0.1, 0.02 * kib), unit="KiB",
        high=max(1e6, check.printed * check.tokens / 1024 + 1),
    )  # fmt: skip


@step(
    "How near its bound?",
    minutes=4,
    ask="How much of each measured time is the least that it can be? Name something that is in the rest.",
    wrong={
        "The server should reach the bound": (
            "a bound is taken for a forecast: nothing can be faster, and queues, kernels’ launches and talk between devices come "
            "on top"
        ),
        "Faster than the bound: a good server": (
            "nobody is faster than the least possible: another model, device or number of bits ran, or several tokens a step"
        ),
        "Mean TTFT is the time of prefill": "the wait in the queue is in it, and under load it may be most of it",
    },
)
def bounds(log: ServerLog | None, c: Compared | None) -> None:
    """Measured times beside the least that they can be."""
    if log is None:
        _nothing_read("bench")
        return
    lead("What was measured, and how much of it is the least that arithmetic and reading can take.")
    shown, menus = here_on_a_phone(), []
    timed = has_times(log)
    if timed:
        above = compared.menus_of_sums(log, c, pasted_log.example()) if all_on_one_page() and _checks(log, c) else []
        there = {menu.choice for menu in above}  # in the step above, on the same page
        menus = [menu for menu in compared.menus_of_times(c, pasted_log.example()) if menu.choice not in there]
    else:
        read, log = log, read_log(EXAMPLES["bench"].text)
        c = compared.by_its_thread(log, EXAMPLES["bench"])
    with shown:
        _least_and_measured(log, c)
        if not timed:
            _another_log(read)
    compared.draw(menus)


def _least_and_measured(log: ServerLog, c: Compared) -> None:
    """The figure and its sentence; else what is missing."""
    if c.missing:
        st.info(f"Needed for a bound: {c.missing}. Choose it under *{compared.AGAINST}*.")
        return
    name = md(c.known.shape.name)
    if c.known.shape.doubt:
        st.info(f"No bound: how many parameters {name} has is not known.")
        return
    found = times(log, c.known.shape, c.device, **c.options)
    if not found:
        st.info(f"No time is held against a bound of {name} in {number(c.known.weight_bits, 2)} bits a parameter.")
        return
    timed = [_timed(time) for time in found]
    alt = " ".join(
        f"{t.what}: measured {seconds(t.measured_s)}, at least {seconds(t.least_s)}{', with a queue' * t.queued}." for t in timed
    )
    plot(bound_and_measured(sheet(0.95, high=356, slide_high=420), timed), alt, "log_times")
    rests_on = "; ".join(f"{md(time.what)}: {md(time.how)}" for time in found)
    takeaway("times", _beside_the_bound(found, c), help=f"{_capital(rests_on)}. {BEYOND}")


def _another_log(read: ServerLog) -> None:
    """That what is shown is another's, because the log at hand has no times; and the way to read that one instead."""
    with st.container(horizontal=True, vertical_alignment="center", key="with_times"):
        why = " Whether its timings are one request’s is not known." * bool(read.together and read.all("prefill_ms"))
        said = f"No times of this log are held against a bound here.{why} Another’s are ({md(EXAMPLES['bench'].source)})."
        st.markdown(f":small[{said}]", width="content")
        pasted_log.offer("bench")


def _beside_the_bound(measured: list[Time], c: Compared) -> str:
    """The time furthest from its bound, and what else is in it; one below its bound says that something assumed is wrong."""
    below = [time for time in measured if time.below]
    most = max(measured, key=lambda time: (not time.queued, time.measured_s / time.least_s))
    n_devices = (below or [most])[0].n_devices
    of = f"{md(c.known.shape.name)} on {f'{n_devices} × ' * (n_devices > 1)}{md(c.device_name)}"
    if below:
        together = f" with {below[0].n_together:,} at once" if below[0].n_together > 1 else ""
        other = (
            "or prompts that begin alike and were computed once (prefix caching)" if not below[0].n_past
            else f"{'fewer at once, ' * bool(together)}or several tokens a step (speculation)"
        )  # fmt: skip
        bits = c.known.weight_bits
        return (
            f"**{_capital(below[0].what)}**: below the bound of {of} in {number(bits, 2)} {plural(bits, 'bit')}{together}, so something "
            f"assumed is wrong. Another model, device, number of devices or of bits, {other}."
        )
    waits = any(time.queued for time in measured)
    queue = " TTFT begins when a request is sent: its wait in the queue is in it, and in no bound." * waits
    return f"**{_capital(most.what)}: {amount(most.measured_s / most.least_s)} × the bound** of {of}.{queue}"


def _timed(time: Time) -> Timed:
    name = time.what + (f", {time.n_together:,} at once" if time.n_together > 1 else "")
    return Timed(name, time.queued, time.least_s, time.measured_s, not time.n_past)
