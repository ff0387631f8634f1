"""What a machine's memory holds while it runs, request by request, read off a run: as vLLM has it of all together in kv_cache_usage_perc.

Law: the blocks that requests hold for themselves and those of the beginnings that they share are the blocks that the run held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.serving.scheduler.run import Run
from engine.serving.scheduler.steps import Ends


@dataclass(frozen=True)
class Held:
    """One stretch of steps with the same members, of one machine. Requests by their place in the run's list.

    starts_s, ends_s. own: blocks that each holds for itself, in the order in which they came; shared: of beginnings, once for all who
    begin so. computed: whose prompt is computed, and again: of them who had lost his place. waiting: who has none at its end, the
    next to join first; was_in: of them who had one. lost: whoever has just lost his, who may be back already.
    """

    starts_s: float
    ends_s: float
    own: dict[int, Ends]
    shared: Ends
    computed: tuple[int, ...]
    again: tuple[int, ...]
    waiting: tuple[int, ...]
    was_in: tuple[int, ...]
    lost: tuple[int, ...]


def held(run: Run) -> Iterator[Held]:
    """Stretch after stretch of the last machine, which makes answers; of a run of so few requests that these are noted (MOST_NOTED)."""
    ids = run.ids[-1].tolist()
    waiting = run.steps.waiting[run.steps.instance == len(run.ids) - 1]
    lost_once, n_steps = set(), 0
    for stretch in run.stretches[-1]:
        n_steps += stretch.n_steps
        lost_once |= set(stretch.lost)
        yet_to_come = range(stretch.joined + len(stretch.sent_back), len(ids))
        queue = [*stretch.sent_back, *yet_to_come][: int(waiting[n_steps - 1])]
        computed = [i for i, _, _ in stretch.prompts]
        yield Held(
            float(stretch.starts_s[0]),
            float(stretch.starts_s[-1] + stretch.durations_s[-1]),
            {ids[i]: stretch.own[i] for i in sorted(stretch.own)},
            tuple(int(stretch.held_blocks[k]) - sum(ends[k] for ends in stretch.own.values()) for k in (0, -1)),
            tuple(ids[i] for i in computed),
            tuple(ids[i] for i in computed if i in lost_once),
            tuple(ids[i] for i in queue),
            tuple(ids[i] for i in queue if i in lost_once),
            tuple(ids[i] for i in stretch.lost),
        )
