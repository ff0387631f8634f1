"""An answer that is generated both ways with the clock running: what was asked for, how far it is, and how much of it is shown.

What is computed and what is shown go at different speeds: the small model makes a word in less than a millisecond, and the
page shows four a second. Visitors with the same input share one run of both ways, which is taken further step by step
(shared_work).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.timing.both_ways import BothWays, TimedStep
from pages.parts.controls.shared_parameters import SEED, TEMPERATURE, G
from pages.parts.sharing.results import RESULTS
from pages.parts.sharing.shared_work import Job, ThisRun
from pages.parts.trained import model, prompt
from pages.parts.trained.model import MOST_WORDS, Trained
from pages.parts.trained.prompt import Prompt
from pages.parts.visit.session import of_this_visit

MOST_TEMPERATURE = 2.0
FEW, FEW_OF_A_LARGE_ONE, USUAL_WORDS = 6, 2, 40


@dataclass
class Watched:
    """job: that takes the run further which this visit looks at, None before the first; key: what it was asked for; anew: whether it
    is to be measured once more. n_words: how many it was asked for; shown: how many are on the page, None for all that there are;
    running: whether more are coming; own: whether it has asked for a measurement of its own."""

    job: Job | None = None
    key: tuple = ()
    anew: bool = False
    n_words: int = 0
    shown: int | None = None
    running: bool = False
    own: bool = False


watched = of_this_visit(Watched)


@dataclass(frozen=True, eq=False)
class Run:
    """What this visit generates. job: takes the run further, shared with all who asked for the same; work: what this run of
    the page may compute; shown: how many words are on the page."""

    trained: Trained
    prompt: Prompt
    job: Job
    most_words: int
    work: ThisRun = field(default_factory=ThisRun)

    @property
    def n_words(self) -> int:
        """Words of the answer: as many as were asked for, or fewer where the model ends it."""
        return min(self.most_words, self.job.n_steps)

    @property
    def both(self) -> BothWays:
        """The answer as far as it is."""
        return self.job.of

    @property
    def shown(self) -> int:
        """Words on the page: all that are computed until *Generate* writes them one by one; prefill has always made one."""
        own = watched()
        return min(max(1, self.job.n_done if own.shown is None else own.shown), self.n_words)

    @property
    def measured(self) -> list[TimedStep]:
        """The steps of the answer that are computed, whether the page shows them yet or not: others may have asked for more."""
        return self.both.timed[: self.n_words]

    @property
    def ended(self) -> bool:
        """Whether the answer ends where the model ends it."""
        return self.both.ended and self.n_words == len(self.both.timed)

    @property
    def timed(self) -> list[TimedStep]:
        """The steps on the page."""
        return self.both.timed[: self.shown]


def given() -> tuple[Run]:
    """The run that the link describes; everything in it is bounded. Nothing has been computed for it yet, unless by others."""
    trained = model.current()
    typed = prompt.read(trained, prompt.typed(trained))
    most = most_words(trained, typed)
    n_words = G.value(high=most, default=USUAL_WORDS)
    temperature, seed = TEMPERATURE.value(high=MOST_TEMPERATURE, default=0.0), SEED.value()
    key = (*trained.key, typed.ids, temperature, seed if temperature else 0)
    own, asked = watched(), (trained, typed, most, temperature, seed)
    # One that the store has dropped goes on for who watches it.
    if own.anew or own.job is None or own.key != key or own.job.given_up:
        job = _new_job(*asked) if own.anew else _shared_job(key, *asked)  # measured anew for one visit, it is that visit's alone
        own.job, own.key, own.own, own.anew, own.shown, own.running = job, key, own.anew, False, None, False
    if own.n_words != n_words:  # of the same run, which goes as far as anybody asks
        own.n_words, own.shown, own.running = n_words, None, False
    return (Run(trained, typed, own.job, n_words),)


def most_words(trained: Trained, given: Prompt) -> int:
    """The longest answer that the model has room for, and the page."""
    return min(MOST_WORDS, model.most_tokens(trained.model) - len(given.ids) + 1)


def _shared_job(key: tuple, trained: Trained, given: Prompt, most: int, temperature: float, seed: int) -> Job:
    """The run that is kept for all visitors under `key`; it can be taken as far as the longest answer."""
    n_bytes = run_bytes(trained, len(given.ids) + most)
    return RESULTS.get(("race", *key), lambda: _new_job(trained, given, most, temperature, seed), lambda _: n_bytes)


def run_bytes(trained: Trained, n_tokens: int) -> int:
    """About the memory of a run over so many tokens."""
    m = trained.model
    return (4 * m.n_layer * m.n_kv_head * (m.d_head + m.d_v) + 500) * n_tokens


def _new_job(trained: Trained, given: Prompt, most: int, temperature: float, seed: int) -> Job:
    both = BothWays(trained.model, given.ids, most, temperature, seed)
    return Job(_steps(both), most, trained.lock, trained.small, of=both)


def _steps(both: BothWays) -> Iterator[TimedStep]:
    """Every word, up to the end that the model says."""
    while not both.done:
        yield both.step()


def n_asked(run: Run) -> int:
    """Words that a question is about: as many as nobody has to wait for."""
    return FEW if run.trained.small else FEW_OF_A_LARGE_ONE


def first_few(run: Run) -> list[TimedStep] | None:
    """The steps that a question is about, whether the page shows them yet or not; None, and a message, as long as they are not
    there."""
    n = min(n_asked(run), run.n_words)
    return run.both.timed[:n] if has_words(run, n) else None


def has_words(run: Run, n: int) -> bool:
    """Whether the answer has come to `n` words; a message if not."""
    there = run.work.advance(run.job, n, f"The first {n} words" if n > 1 else "The first word")
    run.work.say()
    return there


def has_something_to_show(run: Run) -> bool:
    """Whether there is something to show: all of a small model's answer, of a large one the first word, or so much of it as there is
    time for; a message about what is missing."""
    whole = run.trained.small and watched().shown is None
    return has_words(run, run.n_words if whole else 1) or bool(run.both.timed)


def is_running(run: Run) -> bool:
    """Whether words are coming."""
    return watched().running and run.shown < run.n_words
