"""What a run was like: for each request when its tokens came, and for each step how long it took and what it held."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.serving.scheduler.requests import Request
from engine.serving.scheduler.steps import Stretch


@dataclass(frozen=True, eq=False)
class Steps:
    """All steps of all instances, instance after instance: (n_steps,) each.

    start_s, duration_s. prefill_tokens, decode_tokens: tokens of prompts computed, and tokens given to those who decode.
    sequences: who has a place; padded: of them those who are done, whose places a static batch goes on computing. kv_bytes: blocks
    held, in bytes. waiting: who had come when the step began and had no place. instance: on which one it ran.
    """

    start_s: np.ndarray
    duration_s: np.ndarray
    prefill_tokens: np.ndarray
    decode_tokens: np.ndarray
    sequences: np.ndarray
    padded: np.ndarray
    kv_bytes: np.ndarray
    waiting: np.ndarray
    instance: np.ndarray

    def __len__(self) -> int:
        return len(self.start_s)

    def at(self, name: str, moments: np.ndarray) -> np.ndarray:
        """A number of the steps, of all instances together, at each of these seconds, (n,): 0 where an instance does nothing."""
        total = np.zeros(len(moments))
        for k in range(int(self.instance.max()) + 1):
            of = self.instance == k
            starts, ends = self.start_s[of], (self.start_s + self.duration_s)[of]
            at = np.maximum(np.searchsorted(starts, moments, side="right") - 1, 0)
            total += np.where((moments >= starts[at]) & (moments <= ends[at]), getattr(self, name)[of][at], 0)
        return total


@dataclass(frozen=True, eq=False)
class Run:
    """By request, in the order given, (n,): ttft_s from its arrival; tpot_s, the mean gap after the first token, nan for an
    answer of one; finished_s, the clock's time; longest_gap_s between two of its tokens; n_preempted, how often it was sent back;
    n_hit, tokens of prompts found in shared blocks.

    By instance: ids, the places in `requests` of those it served, in the order in which they came; stretches, its steps, with
    their members by place in `ids`.
    """

    requests: tuple[Request, ...]
    policy: str
    ttft_s: np.ndarray
    tpot_s: np.ndarray
    finished_s: np.ndarray
    longest_gap_s: np.ndarray
    n_preempted: np.ndarray
    n_hit: np.ndarray
    steps: Steps
    ids: tuple[np.ndarray, ...]
    stretches: tuple[tuple[Stretch, ...], ...]

    def token_times_s(self, i: int) -> np.ndarray:
        """When each token of the answer to request i came, by the clock: (n_answer,)."""
        times: list[float] = []
        for ids, stretches in zip(self.ids, self.stretches, strict=True):
            here = np.flatnonzero(ids == i).tolist()
            for stretch in stretches if here else ():
                n_known = self.requests[i].n_prompt + len(times)  # who was sent back computes his own tokens too
                if any(who == here[0] and n_past + n_new == n_known for who, n_past, n_new in stretch.prompts):
                    times.append(float(stretch.starts_s[0] + stretch.durations_s[0]))
                elif here[0] in stretch.decoding:
                    times += (stretch.starts_s + stretch.durations_s).tolist()
        return np.array(times)

    @property
    def used(self) -> float:
        """Tokens of answers for each place and step: 1 where no place ever stood idle or waited."""
        return sum(request.n_answer for request in self.requests) / int(self.steps.sequences.sum())

    @property
    def tokens_per_s(self) -> float:
        """Tokens of answers a second, from the first arrival to the last token."""
        seconds = self.finished_s.max() - min(request.arrival_s for request in self.requests)
        return sum(request.n_answer for request in self.requests) / seconds


def steps_of(stretches: Sequence[Stretch], ready_s: np.ndarray, block_bytes: int, instance: int) -> Steps:
    """Stretches of one instance, whose requests were ready in this order, written out step by step."""
    n = np.array([stretch.n_steps for stretch in stretches])
    durations = np.concatenate([stretch.durations_s for stretch in stretches])
    starts = np.concatenate([stretch.starts_s for stretch in stretches])
    prompts = [sum(n_new for _, _, n_new in stretch.prompts) for stretch in stretches]
    running, padded, joined = (
        np.repeat([getattr(stretch, name) for stretch in stretches], n) for name in ("running", "padded", "joined")
    )
    return Steps(
        starts,
        durations,
        np.repeat(prompts, n),
        np.repeat([len(stretch.decoding) for stretch in stretches], n),
        running,
        padded,
        np.concatenate([stretch.held_blocks for stretch in stretches]) * block_bytes,
        np.searchsorted(ready_s, starts, side="right") - joined,
        np.full(len(starts), instance),
    )


def put_together(parts: Sequence[Steps]) -> Steps:
    """Several instances' steps, one instance after another."""
    return Steps(*(np.concatenate([getattr(part, name) for part in parts]) for name in Steps.__dataclass_fields__))
