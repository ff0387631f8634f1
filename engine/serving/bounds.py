"""A measured time beside the least that it can be on a device, as this project's cost model counts it."""

from dataclasses import dataclass

from engine.cost import Device, ModelShape, tpot_s, ttft_s


@dataclass(frozen=True)
class Time:
    """A measured time beside the least that it can be: for n_together sequences at once, each behind n_past tokens."""

    what: str
    measured_s: float
    least_s: float
    how: str
    n_new: int
    n_past: int
    n_together: int = 1
    n_devices: int = 1  # that work at what was timed
    queued: bool = False  # whether a wait in a queue is in the measured time, as it never is in the bound

    @property
    def below(self) -> bool:
        """Whether it is less than it can be, so that something in the assumptions is wrong."""
        return self.measured_s < self.least_s


@dataclass(frozen=True)
class Bounds:
    """The least times of one model. setup: of the devices that share each layer, as engine.cost counts copies of the cache among
    these; n_groups: of them, which are at work at once."""

    shape: ModelShape
    device: Device
    setup: dict
    n_groups: float = 1.0

    @property
    def n_devices(self) -> int:
        """All that are at work at once."""
        return round(self.setup.get("n_devices", 1) * self.n_groups)

    def prefill(self, what: str, measured_s: float, n_new: int, how: str, queued: bool = False, together: int = 1) -> Time:
        """A prompt in one pass, or so many of that length."""
        least = ttft_s(self.shape, n_new, self.device, together, **self.setup)
        return Time(what, measured_s, least / self.n_groups, how, n_new, 0, together, self.n_devices, queued)

    def step(self, what: str, measured_s: float, n_past: int, together: int, how: str, once: bool = False) -> Time:
        """A decode step of so many sequences: no less than that of one alone. once: where all of them share the tokens behind which
        they are, which are then read once (ggml-org/llama.cpp pull 4280)."""
        own = 1 if once else n_past
        least = max(tpot_s(self.shape, past, self.device, batch, **self.setup) for past, batch in ((n_past, 1), (own, together)))
        return Time(what, measured_s, least / self.n_groups, how, 1, n_past, together, self.n_devices)
