"""Requests in, times out: the instances of a setup, what each of them is given, and their runs put together.

Several instances take requests in turn, so each is a run of its own. When prompts and answers are computed on different
instances, the first ones' results are the second ones' arrivals: nothing comes back, and the two are runs one after the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.serving.scheduler.instance import Instance, Jobs
from engine.serving.scheduler.policies import POLICIES
from engine.serving.scheduler.requests import Request, check_requests
from engine.serving.scheduler.run import Run, put_together, steps_of
from engine.serving.scheduler.setup import Setup
from engine.serving.scheduler.steps import Stretch, serve


@dataclass(frozen=True, eq=False)
class _Served:
    """Requests of one stage (their places in the list), the instances that served them, and these instances' stretches."""

    ids: list[np.ndarray]
    instances: list[Instance]
    stretches: list[list[Stretch]]

    def by_request(self, name: str, n: int) -> np.ndarray:
        """What the instances say of each request, 0 for those who were not here: (n,)."""
        values = np.zeros(n)
        for ids, instance in zip(self.ids, self.instances, strict=True):
            values[ids] = getattr(instance, name)
        return values


def simulate(
    requests: Sequence[Request], setup: Setup, policy: str = "chunked", between: Callable[[], None] | None = None
) -> Run:
    """Run the requests under one of the four policies of engine.serving.scheduler.policies; every step takes a roofline's time.

    A bound, as every roofline: left out are the scheduler's own time, sampling, the network, and launching kernels. ValueError
    for an unknown policy, too many requests or tokens, and a request that the memory could not hold even alone. between: called
    after every few steps, by whoever has other work as well.
    """
    if policy not in POLICIES:
        raise ValueError(f"policy: expected one of {', '.join(POLICIES)}, got {policy!r}")
    check_requests(requests)
    jobs = Jobs(
        np.array([request.arrival_s for request in requests], float),
        np.array([request.n_prompt for request in requests]),
        np.array([request.n_answer for request in requests]),
        tuple(() if policy == "static" else request.block_keys for request in requests),
    )
    _check_room(jobs, setup)
    if policy != "disaggregated":
        return _run(tuple(requests), policy, [_stage(jobs, setup, policy, setup.n_instances, between)], setup)
    first = _stage(replace(jobs, n_answer=np.ones_like(jobs.n_answer)), setup, policy, setup.n_prefill, between)
    made = first.by_request("last_s", len(requests))
    moved = made + [setup.transfer_s(n) for n in jobs.n_prompt.tolist()]
    second = _stage(
        replace(jobs, ready_s=moved, block_keys=((),) * len(requests), made_s=made), setup, policy, setup.n_decode, between
    )
    return _run(tuple(requests), policy, [first, second], setup)


def _check_room(jobs: Jobs, setup: Setup) -> None:
    """Alone each request must fit, and be no longer than the model can read."""
    n_tokens = int((jobs.n_prompt + jobs.n_answer - 1).max())
    if n_tokens > setup.most_tokens:
        why = "the model can read" if setup.most_tokens == setup.shape.n_ctx else "there is memory for"
        raise ValueError(f"expected prompt and answer within the {setup.most_tokens:,} tokens that {why}, got {n_tokens:,}")


def _stage(jobs: Jobs, setup: Setup, policy: str, n_instances: int, between: Callable[[], None] | None) -> _Served:
    """Serve all that are not done when they come; they take the instances in turn."""
    order = np.argsort(jobs.ready_s, kind="stable")
    if jobs.with_cache:
        order = order[jobs.n_answer[order] > 1]
    ids = [order[k::n_instances] for k in range(min(n_instances, len(order)))]
    instances = [Instance(setup, jobs.of(mine)) for mine in ids]
    return _Served(ids, instances, [serve(instance, POLICIES[policy], between) for instance in instances])


def _run(requests: tuple[Request, ...], policy: str, stages: list[_Served], setup: Setup) -> Run:
    """The stages' instances as one run, with requests by their place in the list. What a stage had no part in is 0."""
    n, every = len(requests), [part for stage in stages for part in zip(stage.ids, stage.instances, stage.stretches, strict=True)]
    first = stages[0].by_request("first_s", n)
    finished = np.max([stage.by_request("last_s", n) for stage in stages], axis=0)
    arrivals, n_answer = (np.array([getattr(request, name) for request in requests]) for name in ("arrival_s", "n_answer"))
    n_gaps = np.where(n_answer > 1, n_answer - 1, np.nan)
    sums = {name: sum(stage.by_request(name, n) for stage in stages) for name in ("longest_gap_s", "n_preempted", "n_hit")}
    steps = [steps_of(stretches, instance.jobs.ready_s, setup.block_bytes, k) for k, (_, instance, stretches) in enumerate(every)]
    return Run(
        requests=requests,
        policy=policy,
        ttft_s=first - arrivals,
        tpot_s=(finished - first) / n_gaps,
        finished_s=finished,
        longest_gap_s=sums["longest_gap_s"],
        n_preempted=sums["n_preempted"].astype(int),
        n_hit=sums["n_hit"].astype(int),
        steps=put_together(steps),
        ids=tuple(ids for ids, _, _ in every),
        stretches=tuple(tuple(stretches) for _, _, stretches in every),
    )
