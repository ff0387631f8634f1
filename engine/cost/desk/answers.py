"""What somebody asks who has to serve a model: how many at once, how fast, how much a million tokens cost; all from one call.

    found = sizing(MODELS["DeepSeek-V3"], DEVICES["H200"], Demand(n_ctx=131_072), n_devices=8, weight_bits=8)
    found.n_full, found.ttft, found.tpot, found.prices(28.0)

Times come twice: the bound that nobody beats (engine.cost.times) and the estimate at the rates that programs reach
(engine.cost.desk.estimate). The batch, tokens a second, prices and energy follow from the estimate. Left out: waiting in a queue, and
that a prompt which enters delays the answers beside it (engine.serving.scheduler has both).
"""

import math
from dataclasses import dataclass, field

from engine.cost.desk.estimate import TYPICAL, Efficiency, estimated_s
from engine.cost.devices import Device
from engine.cost.memory import MemoryUse, largest, largest_batch, memory_use
from engine.cost.shapes.checked import check_count
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import energy_j, pass_s, price_per_million_tokens

USABLE = 0.9  # of the memory: vLLM's gpu_memory_utilization


@dataclass(frozen=True)
class Demand:
    """What is to be served. n_ctx: the longest sequence to make room for. cached_share: of a prompt's tokens, found in a cache.
    ttft_limit_s, tpot_limit_s: what is promised (SLO). batch: sequences at once, 0 for as many as memory and the limits allow.

    ValueError for counts below 1, shares outside 0 to 1 and limits that are not positive.
    """

    n_ctx: int = 8192
    n_prompt: int = 2048
    n_generated: int = 200
    cached_share: float = 0.0
    ttft_limit_s: float = math.inf
    tpot_limit_s: float = math.inf
    batch: int = 0

    def __post_init__(self):
        for name in ("n_ctx", "n_prompt", "n_generated"):
            check_count(name, getattr(self, name))
        check_count("batch", self.batch, least=0)
        if not 0 <= self.cached_share <= 1:
            raise ValueError(f"cached_share: expected a share from 0 to 1, got {self.cached_share}")
        for name in ("ttft_limit_s", "tpot_limit_s"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: expected a positive number of seconds, got {getattr(self, name)}")

    @property
    def n_cached(self) -> int:
        """Prompt tokens that need not be computed; the last one always is, since its logits choose the first word."""
        return min(int(self.n_prompt * self.cached_share + 1e-9), self.n_prompt - 1)  # 58% of 50 are 29, and 28.999999999999996

    @property
    def n_tokens(self) -> int:
        """Of a sequence at its end; the last token is never fed back."""
        return self.n_prompt + self.n_generated - 1

    @property
    def n_middle(self) -> int:
        """Tokens behind the mean decode step, the one in the middle of the answer."""
        return self.n_prompt + max(self.n_generated - 2, 0) // 2


@dataclass(frozen=True)
class Times:
    """Seconds. bound_s: no engine is faster. estimate_s: at the rates that programs reach."""

    bound_s: float
    estimate_s: float


@dataclass(frozen=True)
class Prices:
    """Of 10⁶ tokens, in the currency of the price: prompt tokens computed, prompt tokens found in a cache (0 where none is), generated
    ones, all."""

    input: float
    cached: float
    output: float
    blended: float


@dataclass(frozen=True)
class Sizing:
    """What `sizing` finds. n_full, n_typed: sequences that fit at n_ctx tokens, and at prompt and answer. batch: how many run, 0
    where none can. stops: what one more would meet, "memory", "ttft" or "tpot"; "" where no more were asked for. ttft: of one prompt
    alone. tpot: a step of `batch` sequences in the middle of their answers. input_s, cached_s: of one such prompt token, estimated."""

    demand: Demand
    use: MemoryUse
    n_full: int
    n_typed: int
    batch: int
    stops: str
    ttft: Times
    tpot: Times
    input_s: float = field(repr=False)
    cached_s: float = field(repr=False)

    @property
    def tokens_per_s(self) -> float:
        """Generated, of all sequences together, while all of them decode."""
        return self.batch / self.tpot.estimate_s

    @property
    def answer_s(self) -> float:
        """Seconds of the devices for one answer: its prompt, and its share of each step."""
        return self.ttft.estimate_s + (self.demand.n_generated - 1) * self.tpot.estimate_s / max(self.batch, 1)

    @property
    def answers_per_s(self) -> float:
        """That the devices complete within the limits, kept busy: goodput, with no queue."""
        return 1 / self.answer_s if self.batch else 0.0

    def prices(self, per_hour: float) -> Prices | None:
        """At so much an hour for all devices, kept busy; None where nothing can be served."""
        if not self.batch:
            return None
        blended_s = self.answer_s / (self.demand.n_prompt + self.demand.n_generated)
        n = self.demand.n_generated  # of which the prompt's pass gives the first
        each = self.input_s, self.cached_s, (n - 1) / n / self.tokens_per_s, blended_s
        return Prices(*(price_per_million_tokens(per_hour, 1 / seconds) if seconds else 0.0 for seconds in each))

    def energy_j(self, watts: float) -> float:
        """Joules of one answer, at so many watts of all devices."""
        return energy_j(watts, self.answer_s)


def sizing(
    shape: ModelShape, device: Device, demand: Demand, efficiency: Efficiency = TYPICAL, usable: float = USABLE,
    reserved_bytes: int = 0, **setup,
) -> Sizing:  # fmt: skip
    """All answers for one model on one kind of device. `setup`: weight_bits, kv_bits, n_devices as in times.pass_s."""
    memory = dict(usable=usable, reserved_bytes=reserved_bytes, **setup)
    n_typed = largest_batch(shape, demand.n_tokens, device, **memory)

    def both(n_new: int, n_past: int, batch: int = 1) -> Times:
        bound = pass_s(shape, n_new, device, n_past, batch, **setup)
        return Times(bound, estimated_s(shape, n_new, device, n_past, batch, efficiency, **setup))

    def keeps(batch: int) -> bool:
        if demand.n_generated == 1:  # the prompt's own pass gives it: there is no step to wait for
            return True
        return estimated_s(shape, 1, device, demand.n_middle, batch, efficiency, **setup) <= demand.tpot_limit_s

    ttft = both(demand.n_prompt - demand.n_cached, demand.n_cached)
    most = largest(keeps, n_typed)
    batch, stops = most, "memory" if most == n_typed else "tpot"
    if ttft.estimate_s > demand.ttft_limit_s:
        batch, stops = 0, "ttft"
    elif 0 < demand.batch <= most:
        batch, stops = demand.batch, ""
    n_fresh, whole = demand.n_prompt - demand.n_cached, ttft.estimate_s
    without = both(n_fresh, 0).estimate_s if demand.n_cached else whole
    use, n_full = memory_use(shape, demand.n_ctx, device, 1, **memory), largest_batch(shape, demand.n_ctx, device, **memory)
    tpot, cached_s = both(1, demand.n_middle, max(batch, 1)), max(whole - without, 0.0) / max(demand.n_cached, 1)
    return Sizing(demand, use, n_full, n_typed, batch, stops, ttft, tpot, min(without, whole) / n_fresh, cached_s)
