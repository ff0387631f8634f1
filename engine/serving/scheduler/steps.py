"""The steps of an instance, one after another, and steps in which nobody joins or leaves taken together.

While all who run only decode, the next step differs from this one by a token more in each cache. So the times of all steps until
somebody is done, comes, or needs a block that is not there are one array operation.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

import numpy as np

from engine.serving.scheduler.blocks import BLOCK, blocks_of
from engine.serving.scheduler.instance import Instance, Part
from engine.serving.scheduler.policies import static

MOST_CELLS = 2**18  # steps · sequences of one stretch: what its arrays may hold
MOST_DECISIONS = 200_000  # stretches of one instance
MOST_NOTED = 64  # requests of an instance whose stretches say what each holds: more are drawn by nobody
Ends = tuple[int, int]  # blocks in the first step of a stretch, and in its last


@dataclass(frozen=True, eq=False)
class Stretch:
    """Steps with the same members. prompts: (who, cached, new) of prompts computed, in one step; decoding: who gets a token.

    starts_s, durations_s, held_blocks: (n_steps,). running: places taken; padded: of them those of who is done, in a static batch;
    joined: how many have left the queue by now. own: blocks that each who has a place holds for himself, where these are noted;
    sent_back: who waits again, the first to join first. lost: who was sent back before it; dropped: names of blocks that nobody held,
    and that went for its room.
    """

    prompts: tuple[Part, ...]
    decoding: np.ndarray
    starts_s: np.ndarray
    durations_s: np.ndarray
    held_blocks: np.ndarray
    running: int
    padded: int
    joined: int
    own: dict[int, Ends] = field(default_factory=dict)
    sent_back: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    dropped: tuple[Hashable, ...] = ()

    @property
    def n_steps(self) -> int:
        return len(self.durations_s)


def serve(
    instance: Instance, policy: Callable[[Instance], tuple[list[Part], bool]], between: Callable[[], None] | None = None
) -> list[Stretch]:
    """Until every answer is done. between: called after each stretch. ValueError where that takes more than MOST_DECISIONS stretches."""
    done, padded = [], policy is static
    while instance.n_finished < len(instance.jobs.ready_s):
        if len(done) == MOST_DECISIONS:
            raise ValueError(f"expected a load of at most {MOST_DECISIONS:,} changes of who runs, got more")
        instance.wait()
        parts, together = policy(instance)
        done.append(_noted(instance, _one_pass(instance, parts, together) if parts else _decode(instance, padded)))
        _let_go(instance, padded)
        if between:
            between()
    return done


def _noted(instance: Instance, stretch: Stretch) -> Stretch:
    """With what it took from others, if anything."""
    lost, dropped = instance.lost, instance.blocks.dropped
    if not (lost or dropped):
        return stretch
    stretch = replace(stretch, lost=tuple(lost), dropped=tuple(dropped))
    lost.clear()
    dropped.clear()
    return stretch


def _one_pass(instance: Instance, parts: list[Part], together: bool) -> Stretch:
    """One step with prompts, or pieces of them, and with the tokens of those who decode where they go together."""
    decoding = instance.decoding if together else instance.decoding[:0]
    running, joined, start = instance.n_running, instance.n_joined, instance.now
    padded = int(instance.done.sum()) if len(instance.decoding) else 0
    seconds = instance.setup.times.mixed_s([part[1:][::-1] for part in parts], instance.n_cached[decoding])
    instance.now += seconds
    if len(decoding):
        instance.grow(decoding, 1)
    held, own, back = instance.blocks.n_held, _own(instance), instance.sent_back
    ended = [part[0] for part in parts if instance.computed(part)]
    if ended:
        instance.first_s[ended] = np.fmin(instance.first_s[ended], instance.now)  # nan before, or earlier
    if len(decoding) or ended:
        instance.give_tokens(np.concatenate([decoding, np.array(ended, np.int64)]), np.array([instance.now]))
    return Stretch(
        tuple(parts), decoding, np.array([start]), np.array([seconds]), np.array([held]), running, padded, joined, own, back
    )


def _decode(instance: Instance, padded: bool) -> Stretch:
    """Steps in which all who run decode, until one is done, one comes who may join, or a block is missing."""
    if not padded and instance.blocks.n_free < len(instance.decoding):
        instance.make_room()
    ids = instance.decoding
    n_past, left, alive = instance.n_cached[ids], instance.jobs.n_answer[ids] - instance.n_made[ids], ids
    if not left.min():
        left, alive = left[left > 0], ids[left > 0]
    n_steps = min(int(left.min()), max(1, MOST_CELLS // len(ids)))
    taken = np.zeros(n_steps, np.int64) if padded else _blocks_taken(n_past, n_steps)
    n_steps = min(n_steps, int(np.searchsorted(taken, instance.blocks.n_free, side="right")))
    seconds = instance.setup.times.decode_s(n_past, n_steps)
    times = np.concatenate([[instance.now], seconds]).cumsum()  # added up one by one, as single steps would be
    ends = times[1:]
    if not padded and instance.head is None and len(ids) < instance.setup.max_batch:
        n_steps = min(n_steps, int(np.searchsorted(ends, instance.next_ready_s)) + 1)
    held = instance.blocks.n_held + taken[:n_steps]
    own = _own(instance, 0 if padded else n_steps)
    stretch = Stretch(
        (), alive, times[:n_steps], seconds[:n_steps], held, len(ids), len(ids) - len(alive), instance.n_joined, own,
        instance.sent_back,
    )  # fmt: skip
    if padded:
        instance.n_cached[ids] += n_steps  # the places of those who are done go on computing
    else:
        instance.grow(ids, n_steps)
    instance.give_tokens(alive, ends[:n_steps])
    instance.now = float(ends[n_steps - 1])
    return stretch


def _own(instance: Instance, n_steps: int = 0) -> dict[int, Ends]:
    """What each who has a place holds for himself, once those who decode have a row more, and once they have n_steps more."""
    if len(instance.n_own) > MOST_NOTED:
        return {}
    own = {i: (int(instance.n_own[i]),) * 2 for i in instance.prefilling}
    for i in instance.decoding.tolist():
        n, n_past = int(instance.n_own[i]), int(instance.n_cached[i])
        own[i] = tuple(n + blocks_of(n_past + k) - blocks_of(n_past) for k in (min(n_steps, 1), n_steps))
    return own


def _blocks_taken(n_past: np.ndarray, n_steps: int) -> np.ndarray:
    """Blocks that n_past cached tokens of each sequence take by the end of step j + 1: (n_steps,). One each time 16 are full."""
    first = np.bincount(-n_past % BLOCK, minlength=BLOCK)  # sequences that take one at step j, and again 16 steps later
    return first[np.arange(n_steps) % BLOCK].cumsum()


def _let_go(instance: Instance, padded: bool) -> None:
    """Who is done leaves; of a static batch nobody before all are."""
    done = instance.done
    if done.any() and (not padded or (done.all() and not instance.prefilling)):
        instance.let_go(done)
