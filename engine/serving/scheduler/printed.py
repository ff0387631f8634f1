"""What vLLM prints of a server while it runs, read off a run: who runs and waits, preemptions, how full the cache is, prefix hits.

Its line ends "Running: 6 reqs, Waiting: 3 reqs, Preemptions: 2, GPU KV cache usage: 96.9%, Prefix cache hit rate: 31.0%"; /metrics has
the same as num_requests_running, num_requests_waiting, num_preemptions, kv_cache_usage_perc, prefix_cache_hits and
prefix_cache_queries. Blocks that nobody holds are free to it, named or not. Who comes back after a preemption is not counted among
the hits (vLLM pull request 25787). Its own line counts the preemptions since the last one; here they are counted from the beginning.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.serving.scheduler.run import Run


@dataclass(frozen=True, eq=False)
class Printed:
    """At each moment, (n,): sequences that run and that wait; preemptions so far; usage and hit_rate from 0 to 1."""

    running: np.ndarray
    waiting: np.ndarray
    preemptions: np.ndarray
    usage: np.ndarray
    hit_rate: np.ndarray

    def line(self, k: int) -> str:
        """Of moment k, as it stands in the log."""
        preempted = f"Preemptions: {self.preemptions[k]:.0f}, " if self.preemptions[k] else ""
        return (
            f"Running: {self.running[k]:.0f} reqs, Waiting: {self.waiting[k]:.0f} reqs, {preempted}"
            f"GPU KV cache usage: {100 * self.usage[k]:.1f}%, Prefix cache hit rate: {100 * self.hit_rate[k]:.1f}%"
        )


def printed(run: Run, moments: np.ndarray, room_bytes: int) -> Printed:
    """At each of these seconds, (n,). room_bytes: of the caches of all instances together. Prompts are looked up where they join."""
    lost = [stretch.starts_s[0] for stretches in run.stretches for stretch in stretches for _ in stretch.lost]
    joins = sorted(_first_joins(run))
    at = np.searchsorted([join[0] for join in joins], moments, side="right")
    asked, found = (np.cumsum([0, *(join[k] for join in joins)])[at] for k in (1, 2))
    return Printed(
        run.steps.at("sequences", moments),
        run.steps.at("waiting", moments),
        np.searchsorted(np.sort(lost), moments, side="right"),
        run.steps.at("kv_bytes", moments) / room_bytes,
        found / np.maximum(asked, 1),
    )


def _first_joins(run: Run) -> Iterator[tuple[float, int, int]]:
    """When each request joined first, the tokens of its prompt, and how many of them were found."""
    seen = set()
    for ids, stretches in zip(run.ids, run.stretches, strict=True):
        for stretch in stretches:
            for i, n_past, _ in stretch.prompts:
                if ids[i] not in seen:
                    seen.add(ids[i])
                    yield float(stretch.starts_s[0]), run.requests[ids[i]].n_prompt, n_past


def beginnings(run: Run, instance: int = 0) -> dict[Hashable, list[tuple[float, int]]]:
    """Blocks of each shared beginning that are in an instance's memory, held or not: {its first name: [(from this second, so many)]}.

    The blocks of a beginning go from its end, so these are always its first ones. A static batch shares none.
    """
    requests = [run.requests[i] for i in run.ids[instance]]
    first_of = {key: request.block_keys[0] for request in requests for key in request.block_keys}
    found, n_made = {key: [] for key in first_of.values()}, [0] * len(requests)
    for stretch in run.stretches[instance] if run.policy != "static" else ():
        for key, n_gone in Counter(first_of[key] for key in stretch.dropped).items():
            found[key].append((float(stretch.starts_s[0]), found[key][-1][1] - n_gone))
        end = float(stretch.starts_s[-1] + stretch.durations_s[-1])
        for i in stretch.decoding.tolist():
            n_made[i] += stretch.n_steps
        for i, n_past, n_new in stretch.prompts:
            keys, whole = requests[i].block_keys, n_past + n_new == requests[i].n_prompt + n_made[i]
            n_made[i] += whole
            if keys and whole and (not found[keys[0]] or found[keys[0]][-1][1] < len(keys)):
                found[keys[0]].append((end, len(keys)))
    return {key: changes for key, changes in found.items() if changes}


def computed_again(run: Run) -> int:
    """Tokens of prompts and answers whose keys and values were computed once more, after their request had lost them."""
    n_again, most = 0, [0] * len(run.requests)
    for ids, stretches in zip(run.ids, run.stretches, strict=True):
        n_cached = [run.requests[i].n_prompt * bool(most[i]) for i in ids]  # they come along from the machine of the prompts
        for stretch in stretches:
            for i in stretch.decoding.tolist():
                n_cached[i] += stretch.n_steps
                most[ids[i]] = max(most[ids[i]], n_cached[i])
            for i, n_past, n_new in stretch.prompts:
                n_cached[i] = n_past + n_new
                n_again += max(0, min(n_cached[i], most[ids[i]]) - n_past)
                most[ids[i]] = max(most[ids[i]], n_cached[i])
    return n_again
