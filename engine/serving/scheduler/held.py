"""What a machine's memory holds while it runs, request by request, read off a run: as vLLM has it of all together in kv_cache_usage_perc.

Law: the blocks that requests hold for themselves and those of the beginnings that they share are the blocks that the run held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.serving.scheduler.blocks import blocks_of
from engine.serving.scheduler.run import Run

Ends = tuple[int, int]  # blocks in the first step of a stretch, and in its last


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
    """Stretch after stretch of the last machine, which makes answers."""
    ids = run.ids[-1].tolist()
    asked = [run.requests[i] for i in ids]
    shares = run.policy in ("continuous", "chunked")
    named = [len(request.block_keys) * shares for request in asked]
    known: dict[int, int] = {}  # tokens for which each who is here has blocks
    made, back, came, lost_once = [0] * len(ids), set(), 0, set()
    waiting = run.steps.waiting[run.steps.instance == len(run.ids) - 1]
    first = 0
    for stretch in run.stretches[-1]:
        for i in stretch.lost:
            known.pop(i, None)
            back.add(i)
            lost_once.add(i)
        for i, _, _ in stretch.prompts:
            known.setdefault(i, asked[i].n_prompt + made[i])
            back.discard(i)
        came = max([came, *(i + 1 for i in known)])
        while len(known) < stretch.running:  # whose cache came along, or whose batch has been chosen
            known[came] = asked[came].n_prompt
            came += 1
        decoding = stretch.decoding.tolist()
        for i in decoding:
            made[i] = max(made[i], 1)
        fixed = max((asked[i].n_answer for i in known), default=1) - 1 if run.policy == "static" else None
        own = {i: _own(known[i], asked[i].n_prompt, named[i], stretch.n_steps * (i in decoding), fixed) for i in sorted(known)}
        queue = [*sorted(back), *range(came, len(ids))][: int(waiting[first + stretch.n_steps - 1])]
        computed = tuple(ids[i] for i, _, _ in stretch.prompts)
        yield Held(
            float(stretch.starts_s[0]),
            float(stretch.starts_s[-1] + stretch.durations_s[-1]),
            {ids[i]: ends for i, ends in own.items()},
            tuple(int(stretch.held_blocks[k]) - sum(ends[k] for ends in own.values()) for k in (0, -1)),
            computed,
            tuple(ids[i] for i, _, _ in stretch.prompts if i in lost_once),
            tuple(ids[i] for i in queue),
            tuple(ids[i] for i in queue if i in lost_once),
            tuple(ids[i] for i in stretch.lost),
        )
        first += stretch.n_steps
        for i in decoding:
            known[i] += stretch.n_steps
            made[i] += stretch.n_steps
        for i, n_past, n_new in stretch.prompts:
            made[i] += n_past + n_new == asked[i].n_prompt + made[i]
        done = [i for i in known if made[i] == asked[i].n_answer]
        if run.policy != "static" or len(done) == len(known):
            for i in done:
                del known[i]


def _own(n_known: int, n_prompt: int, n_named: int, n_steps: int, fixed: int | None) -> Ends:
    """Of a request with so many tokens that gets n_steps more; in a static batch, where room is taken at once until the longest answer
    is done, `fixed` more than its prompt."""
    if fixed is not None:
        return (blocks_of(n_prompt + fixed),) * 2
    return blocks_of(n_known + min(n_steps, 1)) - n_named, blocks_of(n_known + n_steps) - n_named
