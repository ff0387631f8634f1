"""A run of the usual answer that was measured once and kept, for servers that are busy: each pass as fast as the fastest of many turns.

A machine that does other things lets a pass wait, and never makes it faster than it is: the fastest of many turns is what it takes where
nothing is in its way. `measure` writes kept.json anew.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from engine.timing.both_ways import BothWays, TimedStep, compared_answers, compared_words, too_few
from engine.trained.bundled import bundled

FILE = Path(__file__).with_name("kept.json")
PROMPT, N_WORDS, RUNS = "Today's weather is so", 40, 60
LONG, MOST_LONG = 1.8, 0.02  # times a usual pass; share of all passes that are longer, on a machine that does little else


@dataclass(frozen=True)
class Kept:
    """measured: the day, as it is said; cores: of that machine; n_turns: of each pass at least; prompt_ids, token_ids: of the text;
    times: seconds of each pass behind the cache and from scratch."""

    measured: str
    cores: int
    n_turns: int
    prompt_ids: tuple[int, ...]
    token_ids: tuple[int, ...]
    times: tuple[tuple[float, float], ...]

    def of(self, prompt_ids: Sequence[int], timed: Sequence[TimedStep]) -> list[TimedStep] | None:
        """These steps with the times that were kept; None where they are of another text, or longer."""
        ids = tuple(step.token_id for step in timed)
        if tuple(prompt_ids) != self.prompt_ids or ids != self.token_ids[: len(ids)]:
            return None
        return [replace(step, turns=(both,)) for step, both in zip(timed, self.times, strict=False)]


def was_disturbed(timed: Sequence[TimedStep]) -> bool:
    """Whether a run was measured while the machine did much else: the clock cannot tell the two ways apart, or many passes waited."""
    both = compared_words(timed)
    if both is None:
        return False
    most, passes = LONG * max(both.first_s, both.second_s), [s for step in timed for s in (step.cached_s, step.recomputed_s)]
    return not (compared_answers(timed).clear or too_few(timed)) or sum(s > most for s in passes) > MOST_LONG * len(passes)


@lru_cache(maxsize=1)
def kept() -> Kept:
    """What is in kept.json, whose times are in microseconds."""
    read = json.loads(FILE.read_text("utf-8"))
    day = date.fromisoformat(read["measured"])
    times = tuple((1e-6 * cached, 1e-6 * whole) for cached, whole in read["times"])
    said = f"{day.day} {day:%B %Y}"
    return Kept(said, read["cores"], read["turns"], tuple(read["prompt_ids"]), tuple(read["token_ids"]), times)


def measure() -> None:
    """Measure the usual answer RUNS times, and write down the fastest turn of each pass."""
    model = bundled()
    ids = model.tokenizer.encode(PROMPT)
    found: list[list[TimedStep]] = []
    for _ in range(RUNS):
        both = BothWays(model, ids, N_WORDS)
        while not both.done:
            both.step()
        found.append(both.timed)
    turns = [[turn for step in steps for turn in step.turns] for steps in zip(*found, strict=True)]
    times = [[round(1e6 * min(turn[way] for turn in of_a_pass)) for way in (0, 1)] for of_a_pass in turns]
    written = {
        "measured": date.today().isoformat(), "cores": os.cpu_count(), "turns": min(map(len, turns)), "prompt_ids": list(ids),
        "token_ids": [step.token_id for step in found[0]], "times": times,
    }  # fmt: skip
    FILE.write_text(json.dumps(written) + "\n", "utf-8")
