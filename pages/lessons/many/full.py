"""The fourth step: a cache that is too small for all, and prompts of which several begin alike."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

from engine.serving import Request, Run, beginnings, computed_again, cut, printed, simulate
from engine.serving import Setup as Server
from engine.serving.scheduler.blocks import BLOCK, blocks_of
from pages.lessons.many import load as loads
from pages.lessons.many.figures.gantt import beginnings_lanes, moments
from pages.lessons.many.figures.memory_filled import Together, memory_filled
from pages.lessons.many.load import POLICIES, SEED, Load
from pages.lessons.many.timeline import ASKED_WIDE, BOUND, room_of
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.sharing.results import RESULTS
from pages.parts.text.format import join, md, percent, plural, quantity, unmarked
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Choice, Whole

NAMES = "ABC"  # of the beginnings
N_TIGHT = 12  # requests, whose rows leave room for the beginnings beneath
FULL = Choice("when_full")
ROOM = Whole("cache_tokens", low=64, high=2**20, default=2048)
ALIKE = Whole("alike", low=0, high=4096, default=256)
ROOMS, ALIKES = tuple(2**k for k in range(9, 18)), (0, 64, 128, 256, 512, 1024)
PRINTED = (
    "vLLM writes this line every ten seconds (its preemptions are those since the last line), and has the same numbers at /metrics: "
    "num_requests_running, num_requests_waiting, num_preemptions, kv_cache_usage_perc, prefix_cache_hits, prefix_cache_queries. Here "
    "beginnings alone are shared; vLLM also finds again what is left of a request that was thrown out, and counts none of that as a hit."
)


@dataclass(frozen=True)
class Tight:
    """A load on a server whose cache holds n_room tokens at most, and of whose prompts each begins with one of three texts of n_alike
    tokens, as far as it is long enough."""

    load: Load
    n_room: int
    n_alike: int

    @cached_property
    def server(self) -> Server:
        """With as many blocks as were asked for, where there is memory for them."""
        own = self.load.server
        return replace(own, memory_bytes=min(own.n_blocks, self.n_room // BLOCK) * own.block_bytes)

    @cached_property
    def whose(self) -> tuple[int, ...]:
        """With which text each prompt begins."""
        return tuple(np.random.default_rng(SEED).integers(0, len(NAMES), N_TIGHT).tolist())

    @cached_property
    def requests(self) -> list[Request]:
        n_keys, server = self.n_alike // BLOCK, self.server
        asked = cut(self.load.asked(N_TIGHT), server.most_tokens)
        return [
            replace(request, block_keys=tuple((k, j) for j in range(min(n_keys, request.n_prompt // BLOCK))))
            for request, k in zip(asked, self.whose, strict=True)
        ]

    @property
    def room(self) -> int:
        return room_of(self.server, self.load.policy)

    def run(self) -> Run:
        """Kept for everybody who looks at it."""
        return RESULTS.get(("full", self), lambda: simulate(self.requests, self.server, self.load.policy), loads.n_bytes)


def tight_of(load: Load) -> Tight | None:
    """What the link asks for; None where nothing can be served, or nothing fills up."""
    if load.problem or not load.server.block_bytes:
        return None
    return Tight(replace(load, policy=FULL.value(POLICIES, load.policy)), ROOM.value(), ALIKE.value())


def n_together(tight: Tight) -> int:
    """Requests of mean length that all begin alike and have room in one machine's cache together until their last token."""
    n_shared = _shared_blocks(tight)
    return max(0, tight.server.n_blocks - n_shared) // (_blocks_of_one(tight) - n_shared)


def _blocks_of_one(tight: Tight) -> int:
    return blocks_of(tight.load.mean.n_prompt + tight.load.mean.n_answer - 1)


def _shared_blocks(tight: Tight) -> int:
    """Of a prompt of mean length; the machine of the answers gets each cache whole, and a static batch shares nothing."""
    return min(tight.n_alike, tight.load.mean.n_prompt - 1) // BLOCK if tight.load.policy in ("continuous", "chunked") else 0


def together_question(tight: Tight) -> Question:
    """How many have room together."""
    mean, n_shared = tight.load.mean, _shared_blocks(tight)
    alike = f", which all begin with the same {n_shared * BLOCK:,}," if n_shared else ""
    once = f", of which {n_shared:,} {plural(n_shared, 'is', 'are')} there once for all" if n_shared else ""
    room, each = tight.server.n_blocks - n_shared, _blocks_of_one(tight) - n_shared
    less = f"({tight.server.n_blocks:,} − {n_shared:,})" if n_shared else f"{room:,}"
    beyond = f" {less} / {each:,}, rounded down."
    if not n_together(tight):
        beyond = " Not even one has room: what is longer than the cache is cut here."
    if mean.n_prompt + mean.n_answer < tight.load.n_prompt + tight.load.n_answer:
        beyond += f" The model reads {tight.load.s.shape.n_ctx:,} tokens: what is longer is cut to that."
    return Question(
        "together",
        f"How many requests of {mean.n_prompt:,} + {mean.n_answer:,} tokens{alike} have room together, to the last token, in one "
        f"machine’s {quantity(tight.server.n_blocks, 'block')} of {BLOCK} tokens?",
        n_together(tight),
        f"Each takes {quantity(_blocks_of_one(tight), 'block')}{once}; its last token is never fed back.{beyond}",
        tolerance=0,
        high=10**6,
    )


@step(
    "When memory is full",
    minutes=5,
    ask="Who is thrown out, and what does it cost him? What would you rather let wait?",
    wrong={
        "Whoever has waited longest is thrown out": "it is who came last: whoever came before him goes on, so nobody is passed over",
        "A full cache is a fault": (
            "blocks that nobody reads are of no use to anybody: full is what a server wants to be, thrown out is what costs"
        ),
    },
)
def full(load: Load) -> None:
    """One machine's memory, with room for few."""
    _full(load)
    load.setup_line()


def _full(load: Load) -> None:
    figures, asked = st.container(), here_on_a_phone()
    columns = st.columns([1.6, 1, 1, 0.55], vertical_alignment="bottom")
    with columns[0]:
        choose = FULL.menu if narrow() else FULL.buttons  # four names are wider than a phone
        choose("Policy, here", {name: name for name in POLICIES}, load.policy)
    with columns[1]:
        ROOM.stops("Tokens that the cache holds", ROOMS)
    with columns[2]:
        alike = f"Each prompt begins with one of {len(NAMES)} texts as long as that, as far as it is long enough."
        ALIKE.stops("Tokens that begin alike", ALIKES, help=alike)
    if load.problem:
        st.info(f"Nothing can be served: {load.problem}. *Side by side* has another model, more devices and fewer bits.")
        return
    tight = tight_of(load)
    if tight is None:
        name = md(load.s.shape.name)
        st.info(f"{name} keeps states of one size, and no keys and values: its memory never fills while it writes.")
        return
    run = tight.run()
    question = together_question(tight)
    with columns[3], st.popover("The log", icon=":material/receipt_long:", width="stretch", key="many_log"):
        _printed(tight, run, question.answered)
    shown = together_of(tight, question.answered)
    on = under_headline(sheet(high=365, slide_high=440), *thrown_out(run))
    fit = f"In {quantity(shown.n_blocks, 'block')}, {', '.join(filter(None, shown.says))}, so many fit: {shown.asked}."
    with figures:
        said = f"{POLICIES[tight.load.policy]}. {unmarked(full_said(tight, run))} {fit}"
        plot(memory_filled(on, run, shown), said, "full")
    with asked:
        said = full_said(tight, run, found=False)
        question_then_takeaway(question, "full", said, help=f"{PRINTED}\n\n{BOUND}", widths=ASKED_WIDE)


def together_of(tight: Tight, known: bool) -> Together:
    """What the figure shows of the question; known: whether how many have room may be said."""
    n_shared, asked = _shared_blocks(tight), f"{n_together(tight):,}" if known else "?"
    says = f"{tight.load.mean.n_prompt:,} + {tight.load.mean.n_answer:,} each", f"{n_shared * BLOCK:,} alike" if n_shared else ""
    return Together(tight.server.n_blocks, n_shared, _blocks_of_one(tight) - n_shared, asked, says)


def _printed(tight: Tight, run: Run, answered: bool) -> None:
    """The line of vLLM's log at the end, what of the prompts was found, and when each of the beginnings is in memory."""
    shown = printed(run, moments(run, 2), tight.room)
    st.code(shown.line(len(shown.running) - 1), language=None, wrap_lines=True)
    if answered:
        st.markdown(found_said(tight, run))
    if lanes := lanes_of(tight, run):
        plot(beginnings_lanes(sheet(), run, lanes), f"Which beginnings are in memory: {', '.join(lanes)}.", "beginnings")


def lanes_of(tight: Tight, run: Run) -> dict[str, list[tuple[float, float]]]:
    """For each beginning the share of it that is in memory, and from which second on."""
    return {
        f"text {NAMES[key[0]]}": [(at, n / (tight.n_alike // BLOCK)) for at, n in changes]
        for key, changes in sorted(beginnings(run).items())
    }


def thrown_out(run: Run) -> tuple[str, str]:
    """Who lost his place, in large type; the shorter one on a phone."""
    often = {who: n for who, n in enumerate(run.n_preempted.tolist(), 1) if n}
    if not often:
        waiting, nobody = int(run.steps.waiting.max()), "Nobody is thrown out"
        return f"{nobody}, {f'at most {waiting}' if waiting else 'nobody'} {plural(waiting or 1, 'waits', 'wait')}", nobody
    if len(often) > 3:
        times = f"{sum(often.values()):,} times"
        return f"{len(often)} of {len(run.requests)} requests are thrown out, {times} in all", f"Thrown out {times}"
    said = join([f"{who}{' (twice)' if n == 2 else f' ({n} times)' if n > 2 else ''}" for who, n in often.items()])
    return f"Thrown out: {plural(len(often), 'request')} {said}", f"Thrown out: {said}"


def found_said(tight: Tight, run: Run) -> str:
    """How much of the prompts was found, as vLLM has it; "" where nothing is shared."""
    if tight.load.policy == "static" or not any(request.block_keys for request in run.requests):
        return ""
    shown = printed(run, moments(run, 2), tight.room)
    n_gone = sum(len(stretch.dropped) for stretches in run.stretches for stretch in stretches)
    gone = f"; {quantity(n_gone, 'block')} that nobody held went for others’ room" if n_gone else ""
    return f"Of the prompts **{percent(float(shown.hit_rate[-1]))}** was found (prefix cache hit rate){gone}. "


def full_said(tight: Tight, run: Run, found: bool = True) -> str:
    """Who waited, who was thrown out, and what was found, where that is said here; the numbers as vLLM has them."""
    load, n_lost, n_again = tight.load, int(run.n_preempted.sum()), computed_again(run)
    n_room, n_waiting = tight.server.n_blocks * BLOCK, int(run.steps.waiting.max())
    least = f"at most {n_waiting} waited" if n_waiting else "nobody waited"
    less = ", all that there is memory for" * (tight.server.n_blocks < tight.n_room // BLOCK)
    text = f"{load.name}, a cache of {quantity(n_room, 'token')}{less}: {least}. "
    if n_lost:
        share = n_again / int(run.steps.prefill_tokens.sum())
        text += (
            f"**{quantity(n_lost, 'preemption')}**: who had come last lost his place, and {quantity(n_again, 'token')} "
            f"{plural(n_again, 'was', 'were')} computed again, {percent(share)} of what prefill computed. "
        )
    elif load.policy == "static":
        text += "No preemptions: a static batch begins when there is room until its longest answer is done, and shares nothing. "
    else:
        text += "No preemptions: there was a block for every next token. "
    if found:
        text += found_said(tight, run)
    return text.strip() + load.cut(N_TIGHT, tight.server.most_tokens) + load.s.assumed
