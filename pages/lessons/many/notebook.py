"""The lesson on many requests as a notebook: the load on screen, served under each policy, and the share of it in time."""

from engine.serving import computed_again, goodput, printed
from engine.serving.scheduler.blocks import BLOCK
from pages.lessons.many import load as loads
from pages.lessons.many.full import N_TIGHT, NAMES, tight_of
from pages.lessons.many.load import FEW, MOST, POLICIES, SEED, Load
from pages.parts.controls.shared_parameters import TPOT_MS, TTFT_MS
from pages.parts.hardware import notebook
from pages.parts.teaching.notebook import Cell, checked, code, prose

IMPORTS = """
from engine.cost import DEVICES, MODELS, Device, ModelShape
import numpy as np

from engine.serving import Request, Setup, computed_again, cut, goodput, poisson, printed, simulate
"""


def cells(question: str) -> list[Cell]:
    (load,) = loads.given()
    if load.problem:
        return [*notebook.begin(question, IMPORTS), *_too_large(load)]
    return [*notebook.begin(question, IMPORTS), *_load(load), *_runs(load), *_full(load)]


def _too_large(load: Load) -> list[Cell]:
    """Why there is nothing to run: the weights, beside all memory."""
    s = load.s
    return [
        prose(f"Nothing can be served: {load.problem}."),
        code(f"shape = {notebook.model_in_code(s.shape)}\ndevice = {notebook.device_in_code(s.device)}"),
        checked(
            f"[shape.weight_bytes({s.weight_bits}), {s.n_devices} * (int(device.memory_bytes * {s.usable}) - {s.reserved_bytes})]",
            [s.shape.weight_bytes(s.weight_bits), s.n_devices * (int(s.device.memory_bytes * s.usable) - s.reserved_bytes)],
            "bytes of parameters, and of memory that a program has for them",
        ),
    ]


def _server(load: Load) -> str:
    s = load.s
    return f"shape, device, max_batched_tokens={load.budget}, " + ", ".join(f"{name}={x}" for name, x in s.memory.items())


def _load(load: Load) -> list[Cell]:
    """The server, and the requests on screen."""
    s = load.s
    return [
        prose("## Who asks, and who serves\n\nRequests come at random, so many a minute; what no cache could hold is cut."),
        code(
            f"shape = {notebook.model_in_code(s.shape)}\ndevice = {notebook.device_in_code(s.device)}\n"
            f"server = Setup({_server(load)})\nasked = poisson({load.per_minute} / 60, {MOST}, ({load.n_prompt}, {load.n_prompt / 2}), "
            f"({load.n_answer}, {load.n_answer / 2}), seed={SEED})\nrequests = cut(asked[:{FEW}], server.most_tokens)"
        ),
        checked("server.most_tokens", load.server.most_tokens, "tokens that one prompt and its answer may have"),
        checked("[r.n_prompt + r.n_answer for r in requests]", [r.n_prompt + r.n_answer for r in load.requests(FEW)], "tokens"),
    ]


def _runs(load: Load) -> list[Cell]:
    """Each policy's waits, and the share that is in time."""
    limits = (TTFT_MS.value() / 1e3, TPOT_MS.value() / 1e3)
    found = [
        prose(
            "## Four policies\n\nThe same requests: seconds until the first token, the longest between two, and the share in time."
        )
    ]
    for policy in POLICIES:
        run = loads.run(load, policy, FEW)
        found += [
            code(f"run = simulate(requests, server, {policy!r})"),
            checked(
                "[run.ttft_s.mean(), run.longest_gap_s.max()]", [run.ttft_s.mean(), run.longest_gap_s.max()], f"{policy}: s", 0
            ),
            checked("len(run.steps)", len(run.steps), f"{policy}: steps", 0),
            checked(f"goodput(run, {limits[0]}, {limits[1]})", goodput(run, *limits), f"{policy}: in time", 0),
        ]
    return found


def _full(load: Load) -> list[Cell]:
    """The same requests in a small cache, some of which begin alike."""
    tight = tight_of(load)
    if tight is None:
        return []
    run, room = tight.run(), tight.room
    return [
        prose("## When memory is full\n\nWho came last is sent back; blocks of a beginning stay until somebody else needs their room."),
        code(
            f"small = Setup({_server(load)}, memory_bytes={tight.server.memory_bytes})\n"
            f"whose = np.random.default_rng({SEED}).integers(0, {len(NAMES)}, {N_TIGHT}).tolist()\n"
            f"keys = [tuple((k, j) for j in range({tight.n_alike // BLOCK})) for k in whose]\n"
            f"few = [\n    Request(r.arrival_s, r.n_prompt, r.n_answer, names[: r.n_prompt // {BLOCK}])\n"
            f"    for r, names in zip(cut(asked[:{N_TIGHT}], small.most_tokens), keys)\n]\n"
            f"run = simulate(few, small, {tight.load.policy!r})"
        ),
        checked("[int(run.n_preempted.sum()), computed_again(run)]", [int(run.n_preempted.sum()), computed_again(run)], "preemptions"),
        checked(
            f"printed(run, run.finished_s.max(keepdims=True), {room}).hit_rate",
            printed(run, run.finished_s.max(keepdims=True), room).hit_rate.tolist(), "of the prompts found", 0,
        ),
    ]  # fmt: skip
