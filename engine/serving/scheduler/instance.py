"""One copy of the model: its clock, its waiting queue, what it runs, and the blocks that these hold.

Requests are known by their place in the order of arrival. Who came first joins first, and who came last is sent back first when
memory runs out; so whoever waits came after all who run, and nobody is passed over. A sequence that is sent back loses its
blocks and computes all its tokens again, those that it has already made included ("preemption by recompute").
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from engine.serving.scheduler.blocks import BLOCK, Blocks, blocks_of
from engine.serving.scheduler.setup import Setup

KEPT_FREE = 0.01  # of the blocks, when somebody joins others, or the next token would send him back (vLLM's watermark)
Part = tuple[int, int, int]  # who, cached tokens, new tokens of his prompt


@dataclass(frozen=True, eq=False)
class Jobs:
    """What there is to do: ready_s, n_prompt, n_answer (n,). block_keys: names of shareable
    beginnings. with_cache: whether keys, values and the first token come along, made at made_s by another instance."""

    ready_s: np.ndarray
    n_prompt: np.ndarray
    n_answer: np.ndarray
    block_keys: tuple[tuple[Hashable, ...], ...]
    made_s: np.ndarray | None = None

    @property
    def with_cache(self) -> bool:
        return self.made_s is not None

    def of(self, ids: np.ndarray) -> "Jobs":
        """Those of these places, in this order."""
        keys = tuple(self.block_keys[i] for i in ids.tolist())
        made = None if self.made_s is None else self.made_s[ids]
        return Jobs(self.ready_s[ids], self.n_prompt[ids], self.n_answer[ids], keys, made)


class Instance:
    """jobs: in the order in which they are ready. now: seconds. decoding: who gets a token at each step, (n,); prefilling: who has
    computed his prompt in part; both in order of arrival.

    By request: n_cached tokens, n_made tokens of the answer, n_own blocks and the blocks shared by name.
    """

    def __init__(self, setup: Setup, jobs: Jobs):
        n = len(jobs.ready_s)
        self.setup, self.jobs, self.blocks, self.now = setup, jobs, Blocks(setup.n_blocks), 0.0
        self.decoding, self.prefilling = np.empty(0, np.int64), []
        self.n_cached, self.n_own = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.n_made = np.full(n, int(jobs.with_cache), np.int64)
        self.shared: list[tuple[Hashable, ...]] = [()] * n
        self.first_s = np.full(n, np.nan) if jobs.made_s is None else jobs.made_s.copy()
        self.last_s, self.longest_gap_s = self.first_s.copy(), np.zeros(n)
        self.n_preempted, self.n_hit, self.n_finished = np.zeros(n, np.int64), np.zeros(n, np.int64), 0
        self._ready = jobs.ready_s.tolist()
        self._next, self._sent_back = 0, []  # who has not been here yet, and who waits again: the first of them last
        self.lost: list[int] = []  # whoever has been sent back, each time

    @property
    def n_running(self) -> int:
        return len(self.decoding) + len(self.prefilling)

    @property
    def done(self) -> np.ndarray:
        """Of those who decode, who has his answer: (n,)."""
        return self.n_made[self.decoding] == self.jobs.n_answer[self.decoding]

    @property
    def n_joined(self) -> int:
        """Who has left the queue, and has not been sent back to it."""
        return self._next - len(self._sent_back)

    @property
    def sent_back(self) -> tuple[int, ...]:
        """Who waits again, the first to join first."""
        return tuple(reversed(self._sent_back))

    @property
    def head(self) -> int | None:
        """Who waits first, None where nobody does."""
        if self._sent_back:
            return self._sent_back[-1]
        return self._next if self.next_ready_s <= self.now else None

    @property
    def next_ready_s(self) -> float:
        """When the next one comes who has not been here yet."""
        return self._ready[self._next] if self._next < len(self._ready) else np.inf

    def wait(self) -> None:
        """With nobody to serve, until somebody comes."""
        if not self.n_running and self.head is None:
            self.now = self.next_ready_s

    # --- who joins

    def admit(self, budget: int, whole: bool, n_promised: int = 0) -> list[Part]:
        """Let those who wait join in order, while places, blocks for all their known tokens and the step's budget last.

        n_promised: free blocks that the step's decoding needs.
        whole: a prompt is computed in one pass, and one longer than the budget in a pass of its own; else as much as is left.
        """
        parts = []
        while (i := self.head) is not None and self.n_running < self.setup.max_batch and (budget > 0 or self._comes_cached(i)):
            n_known = int(self.jobs.n_prompt[i] + self.n_made[i]) - self._comes_cached(i)
            keys = self._hits(i, n_known)
            n_new = n_known - len(keys) * BLOCK
            if (whole and parts and n_new > budget) or not self._hold(i, blocks_of(n_known) - len(keys), keys, n_promised):
                break
            self._leave_queue()
            if self._comes_cached(i):
                self.n_cached[i] = n_known
                self.decoding = np.append(self.decoding, i)
                continue
            self.n_hit[i] += len(keys) * BLOCK
            self.n_cached[i] = len(keys) * BLOCK
            self.prefilling.append(i)
            parts.append((i, len(keys) * BLOCK, n_new if whole else min(n_new, budget)))
            budget -= parts[-1][2]
        return parts

    def admit_batch(self) -> None:
        """Let as many join at once as there are places, and room until the longest answer among them is done."""
        batch = self.prefilling
        while (i := self.head) is not None and len(batch) < self.setup.max_batch:
            together = np.array([*batch, i])
            n_own = -(-(self.jobs.n_prompt[together] + self.jobs.n_answer[together].max() - 1) // BLOCK)
            if n_own.sum() > self.blocks.n_free:
                break
            self.n_own[together] = n_own
            batch.append(i)
            self._leave_queue()
        self.blocks.take(int(self.n_own[batch].sum()))

    def _comes_cached(self, i: int) -> bool:
        """Whether his keys and values come along; once sent back, he has none."""
        return self.jobs.with_cache and not self.n_preempted[i]

    def _hits(self, i: int, n_known: int) -> tuple[Hashable, ...]:
        """Blocks of his beginning that are here; the last token is always computed, for its logits are kept nowhere."""
        if not (self.setup.prefix_caching and self.jobs.block_keys[i]):
            return ()
        return self.blocks.hits(self.jobs.block_keys[i][: (n_known - 1) // BLOCK])

    def _hold(self, i: int, n_own: int, keys: tuple[Hashable, ...], n_promised: int) -> bool:
        """Take the blocks if they are free; whether they were."""
        kept = n_promised + (int(KEPT_FREE * self.blocks.n_blocks) if self.n_running else 0)
        if self.blocks.to_take(n_own, keys) > self.blocks.n_free - kept:
            return False
        self.blocks.take(n_own, keys)
        self.n_own[i], self.shared[i] = n_own, keys
        return True

    def _leave_queue(self) -> None:
        if self._sent_back:
            self._sent_back.pop()
        else:
            self._next += 1

    # --- who leaves

    def make_room(self) -> int:
        """Send back who came last until those who decode can have blocks for their next tokens; returns how many these are."""
        while (n_needed := int((self.n_cached[self.decoding] % BLOCK == 0).sum())) > self.blocks.n_free:
            if self.prefilling and self.prefilling[-1] > max(self.decoding[-1:], default=-1):
                i = self.prefilling.pop()
            else:
                i, self.decoding = int(self.decoding[-1]), self.decoding[:-1]
            self._release(i)
            self.n_cached[i] = 0
            self.n_preempted[i] += 1
            self._sent_back.append(i)
            self.lost.append(i)
        return n_needed

    def let_go(self, done: np.ndarray) -> None:
        """Those of who decode for whom `done` is true have their answers: their blocks are given back."""
        for i in self.decoding[done].tolist():
            self._release(i)
            self.n_finished += 1
        self.decoding = self.decoding[~done]

    def _release(self, i: int) -> None:
        self.blocks.release(int(self.n_own[i]), self.shared[i])
        self.n_own[i], self.shared[i] = 0, ()

    # --- tokens

    def computed(self, part: Part) -> bool:
        """A part of a prompt is in the cache; whether all of it is, and so a token comes."""
        i, n_past, n_new = part
        self.n_cached[i] = n_past + n_new
        if n_past + n_new < self.jobs.n_prompt[i] + self.n_made[i]:
            return False
        self.prefilling.remove(i)
        at = self.decoding.searchsorted(i)  # before whoever came later with his cache
        self.decoding = np.concatenate([self.decoding[:at], [i], self.decoding[at:]])
        if self.setup.prefix_caching and self.jobs.block_keys[i]:
            named = self.blocks.name(self.jobs.block_keys[i][len(self.shared[i]) : self.n_cached[i] // BLOCK])
            self.shared[i] += named
            self.n_own[i] -= len(named)
        return True

    def grow(self, ids: np.ndarray, n_steps: int) -> None:
        """So many rows of each go into the cache, and blocks are taken for them."""
        after = self.n_cached[ids] + n_steps
        n_more = -(-after // BLOCK) - -(-self.n_cached[ids] // BLOCK)
        self.blocks.take(int(n_more.sum()))
        self.n_own[ids] += n_more
        self.n_cached[ids] = after

    def give_tokens(self, ids: np.ndarray, ends_s: np.ndarray) -> None:
        """Each gets a token at each of these times, (n_steps,); the longest time between two is kept."""
        gaps = ends_s[0] - self.last_s[ids]  # nan before a first token, which fmax leaves aside
        if len(ends_s) > 1:
            gaps = np.fmax(gaps, (ends_s[1:] - ends_s[:-1]).max())
        self.longest_gap_s[ids] = np.fmax(self.longest_gap_s[ids], gaps)
        self.n_made[ids] += len(ends_s)
        self.last_s[ids] = ends_s[-1]
