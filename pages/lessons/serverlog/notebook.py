"""The lesson on server logs as a notebook: what the log prints beside what it must be, and the least that its times can be."""

from engine.cost import MODELS
from engine.serving.expected import Check
from engine.serving.held_tokens import OF_ANOTHER_DEVICE
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import ServerLog
from engine.serving.log_times import Time, times
from engine.serving.starts import of_its_start
from engine.serving.stated_setup import OF_A_PART, stated_setup
from pages.lessons.serverlog import steps
from pages.lessons.serverlog.compared import Compared
from pages.parts.hardware import notebook
from pages.parts.teaching.notebook import Cell, checked, code, prose

IMPORTS = """
from engine.cost import DEVICES, MODELS, Device, ModelShape
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import Figure, ServerLog, Word
from engine.serving.log_times import times
from engine.serving.stated_setup import stated_setup
"""


def cells(question: str) -> list[Cell]:
    log, c = steps.given()
    if log is None:
        return [prose(f"# {question}\n\nNo log has been read.")]
    log, k = of_its_start(log), c.known
    sums = [check for check in cache_checks(log, k.shape, k.n_devices, k.kv_bits, k.weight_bits) if check.expected is not None]
    found = [] if c.missing or k.shape.doubt else times(log, k.shape, c.device, **c.options)
    if not sums and not found:
        nothing = "Nothing is read in this log of which a sum could be made with what is known of its server."
        return [prose(f"# {question}\n\n{nothing}")]
    begin = [*notebook.begin(question, IMPORTS), _log(log, c)]
    return [*begin, *(_sums(sums) if sums else []), *(_times(c, found) if found else [])]


def _log(log: ServerLog, c: Compared) -> Cell:
    """What was read in the log, and what it is held against."""
    k = c.known
    lines = {n: line for n, line in log.lines.items() if OF_A_PART.search(line) or OF_ANOTHER_DEVICE.search(line)}
    figures, words = ("".join(f"    {one!r},\n" for one in part) for part in (log.figures, log.words))
    own = k.shape is None or (k.shape == stated_setup(log).shape and k.shape not in MODELS.values())
    return code(
        f"figures = [  # a number: its name, value, half a unit of its last digit, who printed it, on which line, how\n{figures}]\n"
        f"words = [\n{words}]\nlog = ServerLog(tuple(figures), tuple(words), {lines!r}, {log.n_lines}, "
        f"besides={log.besides!r}, loads={log.loads}, together={log.together}{', of_several=True' * log.of_several})\n"
        f"shape = {'stated_setup(log).shape' if own else notebook.model_in_code(k.shape)}  # None: nobody said\n"
        f"n_devices, kv_bits, weight_bits = {k.n_devices}, {k.kv_bits}, {k.weight_bits}"
    )


def _sums(sums: list[Check]) -> list[Cell]:
    """Each sum, in the order of the page."""
    return [
        prose("## Does it add up?\n\nWhat the log prints, and what the model's shape and the log's other lines make it."),
        code(
            "sums = [c for c in cache_checks(log, shape, n_devices, kv_bits, weight_bits) if c.expected is not None]\n"
            'for c in sums:\n    print(f"{c.what}: printed {c.printed:g}, expected {c.expected:g} = {c.how}")'
        ),
        checked("np.array([c.expected for c in sums], float)", [float(c.expected) for c in sums], "what is expected"),
    ]


def _times(c: Compared, measured: list[Time]) -> list[Cell]:
    """Measured times beside their bounds."""
    return [
        prose("## How near its bound?\n\nThe least that a pass can take: what takes longer, arithmetic or reading, and nothing else."),
        code(
            f"device = {notebook.device_in_code(c.device)}\n{notebook.options(c.known.n_devices)}\n"
            "found = times(log, shape, device, **setup)\n"
            'for t in found:\n    print(f"{t.what}: {t.n_new} new behind {t.n_past}, {t.n_together} at once")'
        ),
        checked(
            "[[t.least_s, t.measured_s / t.least_s] for t in found]", [[t.least_s, t.measured_s / t.least_s] for t in measured],
            "s at least, and how many times as much was measured", 0,
        ),
    ]  # fmt: skip
