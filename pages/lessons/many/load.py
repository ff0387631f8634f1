"""Who asks how often for how much, of which server: the state of the lesson, each part bounded, and the runs that follow from it.

Runs are shared by all who look at the same. Prompts and answers that are longer than the model reads, or than the memory holds,
are cut: the page says so.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.cost import DEVICES, MODELS
from engine.serving import Request, Run, cut, poisson, simulate
from engine.serving import Setup as Server
from pages.parts.controls.shared_parameters import G, P
from pages.parts.hardware import own_device, setup, setup_line
from pages.parts.hardware.setup import Setup
from pages.parts.hardware.weight_formats import bits_of, own_bits
from pages.parts.sharing import turns
from pages.parts.sharing.fair_lock import FairLock
from pages.parts.sharing.results import RESULTS
from pages.parts.sharing.shared_work import ThisRun
from pages.parts.text.format import md, plural
from pages.parts.visit.parameters import Choice, Whole

MOST_PROMPT = 8192
MOST_ANSWER = 1024
DEFAULT_PROMPT = 512
DEFAULT_ANSWER = 128
PROMPTS = tuple(2**k for k in range(4, 14))
ANSWERS = tuple(2**k for k in range(11))
RATES = (1, 2, 6, 12, 30, 60, 120, 240, 480, 720, 960, 1200, 1920, 3840, 7680, 15_360, 30_720, 60_000)
BUDGETS = (256, 512, 1024, 2048, 4096, 8192, 16_384)
POLICIES = {
    "static": "static: a batch, then the next",
    "continuous": "continuous: whoever waits joins",
    "chunked": "chunked: prompts in pieces",
    "disaggregated": "apart: two machines",
}
POLICY = Choice("policy")
RATE = Whole("per_minute", low=1, high=60_000, default=1920)
BUDGET = Whole("token_budget", low=256, high=16_384, default=2048)
FEW = 16  # requests that are drawn one by one
MANY = 200  # requests by which policies are compared
MOST = 2000  # requests of any run
SEED = 4

LOCK = FairLock()  # one long simulation at a time
SHOWN_AFTER_S = 0.4  # what is not done then says how far it is, and can be stopped


@dataclass(frozen=True)
class Load:
    """What is on screen. per_minute: requests; n_prompt, n_answer: tokens on average, with half of that as their spread."""

    s: Setup
    policy: str
    per_minute: int
    n_prompt: int
    n_answer: int
    budget: int

    @property
    def server(self) -> Server:
        """ValueError where the model does not fit."""
        return Server(self.s.shape, self.s.device, max_batched_tokens=self.budget, **self.s.memory)

    @property
    def problem(self) -> str:
        """Why there is nothing to run, "" where there is something."""
        try:
            return "" if self.server.most_tokens > 1 else f"{md(self.s.shape.name)} was trained for a single token"
        except ValueError:
            if self.s.all_reserved:
                return f"what a program keeps for itself is all that {own_device.in_a_sentence(self.s.device)} has"
            return f"{md(self.s.shape.name)} leaves no room for a cache on {self.s.devices}"

    @property
    def way_out(self) -> str:
        """What makes room where there is none, as a sentence; "" where nothing does."""
        makes_none = self.s.all_reserved or self.s.shape.n_ctx == 1
        return "" if makes_none else " More devices or fewer bits make room."

    def requests(self, n: int, per_s: float | None = None) -> list[Request]:
        """n of them at this rate, or at another: the same lengths and the same order, only closer together."""
        return cut(self.asked(n, per_s), self.server.most_tokens)

    def asked(self, n: int, per_s: float | None = None) -> list[Request]:
        """The same before any is cut."""
        rate = self.per_minute / 60 if per_s is None else per_s
        return [Request(r.arrival_s / rate, r.n_prompt, r.n_answer) for r in _one_a_second(self.n_prompt, self.n_answer)[:n]]

    @property
    def mean(self) -> Request:
        """One of mean length, as far as the model reads it."""
        return cut([Request(0.0, self.n_prompt, self.n_answer)], self.s.shape.n_ctx or MOST_PROMPT + MOST_ANSWER)[0]

    def cut(self, n: int, held: int = 0) -> str:
        """What had to be cut of n requests, as a sentence; "" where nothing. held: tokens of a cache that was made smaller."""
        most = min(filter(None, (held, self.server.most_tokens)))
        n_long = sum(r.n_prompt + r.n_answer - 1 > most for r in self.asked(n))
        if not n_long:
            return ""
        read = "the model can read" if most == self.s.shape.n_ctx else "there is memory for"
        why = read if most == self.server.most_tokens else "the cache holds"
        return f" Of {n:,} requests {n_long:,} {plural(n_long, 'is', 'are')} longer than the {most:,} tokens that {why}, and cut to that."

    @property
    def name(self) -> str:
        """ "Llama-3.1-8B on A100-80"."""
        return f"{md(self.s.shape.name)} on {self.s.devices}"

    def setup_line(self) -> None:
        """Draw what runs on what, with the lengths of this load and no batch, which follows from who comes when."""
        setup_line.show(replace(self.s, n_tokens=self.n_prompt), self.n_answer, batch=False)


@lru_cache(8)
def _one_a_second(n_prompt: int, n_answer: int) -> list[Request]:
    """All that ever come, one a second."""
    return poisson(1.0, MOST, *((mean, mean / 2) for mean in (n_prompt, n_answer)), seed=SEED)


def given() -> tuple[Load]:
    n_prompt, n_answer = P.value(high=MOST_PROMPT, default=DEFAULT_PROMPT), G.value(high=MOST_ANSWER, default=DEFAULT_ANSWER)
    s, policy = setup.setup(weighed=True), POLICY.value(POLICIES, "continuous")
    return (Load(s, policy, RATE.value(), n_prompt, n_answer, BUDGET.value()),)


def usual() -> Load:
    """The load of a link that says nothing."""
    shape, device = MODELS[setup.DEFAULT_MODEL], DEVICES[setup.DEFAULT_DEVICE]
    bits, usable = bits_of(own_bits(shape), shape), setup.USABLE.default
    s = Setup(shape, device, 1, setup.DEFAULT_CONTEXT, setup.BATCH.default, bits, 16, usable=usable)
    return Load(s, "continuous", RATE.default, DEFAULT_PROMPT, DEFAULT_ANSWER, BUDGET.default)


def run(load: Load, policy: str, n: int, n_instances: int = 1) -> Run:
    """That load's run, kept for everybody who looks at it."""
    server = replace(load.server, n_instances=n_instances)
    key = ("served", replace(load, policy=policy), n, n_instances)
    return RESULTS.get(key, lambda: simulate(load.requests(n), server, policy, turns.give_way), n_bytes)


def n_bytes(run: Run) -> int:
    """Memory of a run: eleven arrays of its steps, and its stretches."""
    return 100 * len(run.steps) + sum(1000 + 8 * len(stretch.decoding) for stretches in run.stretches for stretch in stretches)


def work() -> ThisRun:
    """What one run of the page may simulate."""
    return ThisRun(SHOWN_AFTER_S)


def controls(places: Sequence[AbstractContextManager]) -> None:
    """How often somebody asks, how long prompts and answers are, and how much a step may take, each at its place."""
    with places[0]:
        RATE.stops("Requests a minute", RATES)
    with places[1]:
        P.stops("Tokens in a prompt, on average", PROMPTS, DEFAULT_PROMPT, MOST_PROMPT, keep_default=True)
    with places[2]:
        G.stops("Tokens in an answer, on average", ANSWERS, DEFAULT_ANSWER, MOST_ANSWER)
    with places[3]:
        why = "New tokens in one step: prompts are packed, or cut to pieces, up to it. vLLM calls it max_num_batched_tokens."
        BUDGET.stops("Tokens a step (budget)", BUDGETS, help=why)
