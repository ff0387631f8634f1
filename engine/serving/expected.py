"""One statement of a server's log beside what it should be, and what has to be known to say so.

A check agrees where printed and expected differ by no more than printing and whole blocks explain; otherwise a known reason is
named if one fits, and if none does that is said. Where something is not known nothing is expected, and `why` says so.
"""

from dataclasses import dataclass, replace

from engine.cost import ModelShape
from engine.serving.log_lines import ServerLog
from engine.serving.stated_setup import stated_setup

ALL_DEVICES = "so it would be if the line counted all devices"
ASK = {
    "shape": "the shape of its model", "n_devices": "how many devices share it",
    "kv_bits": "the bits of a cached number", "weight_bits": "the bits of a parameter",
}  # fmt: skip


@dataclass(frozen=True)
class Check:
    """One statement of the log and what it should be. kind: "tokens", "times" (a factor), "bytes", "a token" or "layers".

    expected: None where nothing can be expected. why: the reason for a difference or for that, "" where the two agree.
    tokens: those that share the bytes, where it is about bytes a token.
    """

    what: str
    kind: str
    printed: float
    expected: float | None
    slack: float
    how: str
    why: str = ""
    tokens: float = 0.0

    @property
    def agrees(self) -> bool:
        """Whether printing and whole blocks explain the difference."""
        return self.expected is not None and abs(self.printed - self.expected) <= self.slack

    @property
    def differs(self) -> bool:
        """Whether something was expected and is not what is printed."""
        return self.expected is not None and not self.agrees


@dataclass(frozen=True)
class Known:
    """What a log is held against: what it says itself, and what the reader says where it does not. None: nobody said."""

    shape: ModelShape | None
    n_devices: int | None
    kv_bits: float | None
    weight_bits: float | None
    from_reader: bool = True  # whether some of it comes from the reader
    named: bool = False  # whether the shape is the log's own, not another that is held against it

    def missing(self, *names: str) -> str:
        """What would have to be known besides, in words; "" where all of it is."""
        return ", ".join(ASK[name] for name in names if getattr(self, name) is None)


def known(
    log: ServerLog, shape: ModelShape | None = None, n_devices: int | None = None, kv_bits: float | None = None,
    weight_bits: float | None = None,
) -> Known:  # fmt: skip
    """The log's own words first; a shape that is given stands, since a log only names it."""
    said = stated_setup(log)
    pairs = ((said.n_devices, n_devices), (said.kv_bits, kv_bits), (said.weight_bits, weight_bits))
    chosen = shape is not None and shape != said.shape  # the page gives the log's own shape back
    from_reader = chosen or any(own is None and given is not None for own, given in pairs)
    return Known(shape or said.shape, *(own or given for own, given in pairs), from_reader, not chosen)


def counted(n: float, one: str, form: str = ",.0f") -> str:
    """A number with its noun: "1 token", "31,232 tokens"."""
    figures = format(n, form)
    return f"{figures} {one if figures == '1' else f'{one}s'}"


def checked(what: str, kind: str, printed: float, expected: float, slack: float, how: str, why: str = "") -> Check:
    """A check whose reason is kept only where one is needed."""
    check = Check(what, kind, printed, expected, slack, how, why)
    return replace(check, why="") if check.agrees else check


def without_verdict(check: Check, why: str) -> Check:
    """The same statement without a verdict."""
    return replace(check, expected=None, slack=0, why=why)


def reason_for(ratio: float, reasons: dict[float, str], near: float) -> str:
    """The reason whose factor the ratio is, within `near`; "" where none is."""
    return next((why for factor, why in reasons.items() if factor != 1 and abs(ratio / factor - 1) <= near), "")


def so_many_bits(bits: float) -> str:
    return f"so it would be with {bits:g} bits a number"


def of_the_reader(k: Known) -> str:
    """That what the reader chose may be the reason; "" where the log said it."""
    return "; the model or the bits chosen may be others than the server’s" * k.from_reader


def unexplained(ratio: float, k: Known) -> str:
    """How far off, and that nobody here knows why; what the reader said may be the reason, what the log said is not."""
    percent = f"{100 * abs(ratio - 1):.2g} % {'more' if ratio > 1 else 'less'} than expected"
    off = f"{ratio:.3g} × what is expected" if abs(ratio - 1) >= 0.1 else percent
    return f"{off}, and no rule here explains it{of_the_reader(k)}"
