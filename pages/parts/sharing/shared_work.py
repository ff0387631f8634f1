"""Work that takes long, done in steps by the visits that look at it, and never much of it in one run of a page.

A job belongs to everybody who asked for the same: any of them takes it a step further, and all see how far it is. One job of a
model runs at a time, first come, first served, so a slow model keeps nobody but its own visitors waiting. A run of the page works
for RERUN_S at most, and a pass beyond it; what is not finished then is said on the page, with a button that stops it, and a
timer goes on with it. A step of a small model takes milliseconds and needs the turn (turns.py); one of a large model
takes seconds outside the interpreter, and the other visitors go on.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.sharing import turns
from pages.parts.sharing.fair_lock import FairLock
from pages.parts.sharing.results import RESULTS
from pages.parts.text.format import md, quantity
from pages.parts.visit.session import of_this_visit

RERUN_S = 2.0
AGAIN_S = 0.5  # until an unfinished job is taken further
QUEUE_S = 30.0  # the longest that one run of the timer stands in the queue


class Job:
    """Steps of shared work. steps: does one at each `next` and gives the result so far, n_steps in all, fewer where the steps end
    before; n_done: steps so far.

    of: what is worked on, if somebody wants to look at it. small: whether a step takes milliseconds. problem: why the work cannot
    be done, in words, or "". again: whether a second try may do better, as after an error that nobody has foreseen; what a model
    cannot do it will never do.
    """

    def __init__(self, steps: Iterator, n_steps: int, lock: FairLock, small: bool, of: object = None):
        self.n_steps, self.of, self.small = n_steps, of, small
        self.n_done, self.result, self.problem, self.again, self.given_up = 0, None, "", False, False
        self._steps, self._lock = steps, lock

    def advance_to(
        self,
        n: int,
        until: float,
        queue_until: float | None = None,
        meanwhile: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> bool:
        """Take the job to `n` steps (all of them at most); False when it is not there at `until`, or cannot be.

        queue_until: when to leave the queue for the model, if not at `until`. meanwhile: called four times a second in the queue,
        and after each step; what it raises ends the work of this run.
        """
        if self.n_done >= min(n, self.n_steps) and not self.problem:
            return True
        with turns.in_turn() if self.small else turns.out_of_turn():
            while self.n_done < min(n, self.n_steps) and not self.problem and clock() < until:
                tell = (lambda _: meanwhile()) if meanwhile else None
                if not self._lock.acquire((queue_until or until) - clock(), tell):
                    return False
                try:
                    self._step(n)
                finally:
                    self._lock.release()
                if meanwhile:
                    meanwhile()
        return self.n_done >= min(n, self.n_steps) and not self.problem

    def _step(self, n: int) -> None:
        """One step, unless somebody else has done it meanwhile."""
        if self.n_done >= min(n, self.n_steps) or self.problem:
            return
        try:
            with np.errstate(all="ignore"):
                self.result = next(self._steps)
        except StopIteration:
            self.n_steps = self.n_done
            self.problem = "" if self.n_done else "it has no steps"
        except ValueError as problem:  # a model may be broken in ways that only a pass shows
            self.problem = str(problem) or "a pass over it fails"
        except MemoryError:
            self.problem, self.again = "there is not enough memory for it", True
        except BaseException as error:  # the steps have ended with it, for everybody who looks at them
            self.problem, self.again = f"the application stopped at an error ({type(error).__name__})", True
            if not isinstance(error, Exception):
                raise
            logging.getLogger(__name__).exception("shared work stopped after %d of %d steps", self.n_done, self.n_steps)
        else:
            self.n_done += 1

    def give_up(self) -> None:
        """Whoever asks for the same from now on begins it anew."""
        self.given_up = True
        RESULTS.forget(self)


@dataclass
class Stopped:
    """job: that this visit has stopped, None where it has stopped none."""

    job: Job | None = None


stopped = of_this_visit(Stopped)


class ThisRun:
    """What one run of a page may compute: for some seconds from its first job on, in all its jobs together; and one message about
    what is not finished then."""

    def __init__(self, seconds: float | None = None):
        self._seconds = RERUN_S if seconds is None else seconds
        self._until: float | None = None
        self._unfinished: tuple[Job, int, str] | None = None
        self._said = False

    @property
    def until(self) -> float:
        """When no further step is begun."""
        if self._until is None:
            self._until = time.perf_counter() + self._seconds
        return self._until

    def advance(self, job: Job, n: int, what: str) -> bool:
        """Take `job` on to its step `n`, as far as there is time; whether it got there. What is not finished is named `what` in the
        message."""
        if job.advance_to(n, 0.0 if job is stopped().job else self.until):
            return True
        self._unfinished = self._unfinished or (job, n, what)
        return False

    def result(self, job: Job, what: str, n: int | None = None) -> Any:
        """What comes of all steps of the job, or of n of them; None as long as that is not there, as `advance` has it."""
        return job.result if self.advance(job, job.n_steps if n is None else n, what) else None

    def say(self) -> None:
        """The message about what is not finished, once; nothing when everything is."""
        if self._unfinished is None or self._said:
            return
        self._said = True
        job, n, what = self._unfinished
        if job.problem and job.again:
            st.warning(f"{what} cannot be computed now: {md(job.problem[:300])}.")
            st.button("Try again", key="job_again", icon=":material/replay:", on_click=job.give_up)
        elif job.problem:
            st.warning(f"{what} cannot be computed: {md(job.problem[:300])}. Another prompt or another model may do.")
        elif job is stopped().job:
            st.info(f"{what}: stopped after {_so_far(job, n)}.")
            st.button("Go on", key="job_go_on", icon=":material/play_arrow:", on_click=_stop, args=(None,))
        else:
            st.fragment(_going_on, run_every=AGAIN_S)(job, n, what, [job])


def _so_far(job: Job, n: int) -> str:
    n = min(n, job.n_steps)
    return f"{min(job.n_done, n)} of {quantity(n, 'step')}"


def _stop(job: Job | None) -> None:
    stopped().job = job


def _going_on(job: Job, n: int, what: str, page_runs: list) -> None:
    """The state of the job; run by its timer, which is every time but the first, it takes the job further."""
    place = st.empty()

    def show() -> None:
        place.progress(min(1.0, job.n_done / min(n, job.n_steps)), f"{what}: {_so_far(job, n)} done. Others may come first.")

    show()
    st.button("Stop", key="job_stop", icon=":material/stop:", on_click=_stop, args=(job,))
    if page_runs:
        page_runs.clear()
        return
    if job is not stopped().job:
        now = time.perf_counter()
        if not job.advance_to(n, now + RERUN_S, now + QUEUE_S, show) and not job.problem:
            return
    st.rerun(scope="app")
