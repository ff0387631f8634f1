"""What the log is held against: its own words, and the reader's where it has none. Nothing of it is assumed.

The reader's words are the lesson's own (log_model, log_device, log_devices, log_bits, log_kv_bits in the link), because those of
the other lessons have defaults, and a default is an assumption. They belong to one log: another log begins without them.
"""

import re
from dataclasses import dataclass

import streamlit as st

from engine.cost import MODELS, Device
from engine.serving.expected import Known, known
from engine.serving.listed_names import last_part, same_name
from engine.serving.log_lines import ServerLog
from engine.serving.stated_setup import StatedSetup, stated_setup
from pages.lessons.serverlog.examples import Example
from pages.parts.hardware import own_device, setup
from pages.parts.hardware.weight_formats import BITS, WEIGHT_FORMATS, bits_of, bits_offered
from pages.parts.text.format import md, number, plural, quantity
from pages.parts.visit.parameters import Choice

MODEL, DEVICE, N_DEVICES = Choice("log_model"), Choice("log_device"), Choice("log_devices")
WEIGHT_BITS, KV_BITS = Choice("log_bits"), Choice("log_kv_bits")
CHOICES = (MODEL, DEVICE, N_DEVICES, WEIGHT_BITS, KV_BITS)
ASK = "Choose"  # what a menu shows of something that nobody has said
AGAINST = "What it is held against"  # the menus


@dataclass(frozen=True)
class Menu:
    """own: what is known without a choice, "" where it has to be asked; width: of its column beside the others."""

    choice: Choice
    label: str
    options: dict[str, str]
    own: str
    width: float


@dataclass(frozen=True)
class Compared:
    """stated: the log's own words. known: these and the reader's. device: where the times were measured, None while nobody says."""

    stated: StatedSetup
    known: Known
    device: Device | None

    @property
    def missing(self) -> str:
        """What a bound of its times needs besides; "" where all of it is known."""
        found = self.known.missing("shape", "n_devices", "weight_bits", "kv_bits")
        return ", ".join(part for part in (found, "" if self.device else "the device") if part)

    @property
    def device_name(self) -> str:
        """The device, once it is known, within a sentence."""
        return own_device.in_a_sentence(self.device)

    @property
    def options(self) -> dict[str, float]:
        """What engine.cost calls `setup`."""
        k = self.known
        return {"weight_bits": k.weight_bits, "kv_bits": k.kv_bits, "n_devices": k.n_devices}


def forget() -> None:
    """Another log begins with nothing chosen."""
    for choice in CHOICES:
        choice.set_text("")


def compared(log: ServerLog, example: Example | None) -> Compared:
    """The log's own words, then the reader's, then those of the thread that an example is from."""
    said = stated_setup(log)
    model = MODEL.value(setup.models(), "")
    shape = setup.models()[model] if model else None
    if shape is None and said.shape is None and example and example.model:
        shape = MODELS[example.model]
    bits = WEIGHT_BITS.value(_weight_bits(shape or said.shape), "")
    weight_bits = bits_of(bits, shape or said.shape) if bits else None
    thread = (1, 16, 16) if example and example.model else (None, None, None)
    chosen = (_whole(N_DEVICES.value(setup.DEVICE_COUNTS, "")), _whole(KV_BITS.value(BITS, "")), weight_bits)
    n_devices, kv_bits, weight_bits = (own or other for own, other in zip(chosen, thread, strict=True))
    device = DEVICE.value(setup.devices(), "") or said.device or (example.device if example else "")
    return Compared(said, known(log, shape, n_devices, kv_bits, weight_bits), setup.devices().get(device))


def by_its_thread(log: ServerLog, example: Example) -> Compared:
    """An example as its thread describes it: on one device, in 16 bits. What the reader chose is about another log."""
    return Compared(stated_setup(log), known(log, MODELS[example.model], 1, 16, 16), setup.devices()[example.device])


def menus_of_sums(log: ServerLog, c: Compared, example: Example | None) -> list[Menu]:
    """The menu of models, and one for each number that the log does not say and that one of its sums needs."""
    stored = [f for name in ("kv_bytes", "k_bytes", "needed_bytes") for f in log.all(name) if f.program != "llama.cpp"]
    weights, cache = bool(log.all("weight_bytes")), bool(stored)  # llama.cpp prints the types of its cache beside it
    shared = cache or any(figure.program != "llama.cpp" for figure in log.all("weight_bytes"))
    needed = {N_DEVICES: shared, WEIGHT_BITS: weights, KV_BITS: cache}
    return [menu for menu in _menus(c, example) if needed.get(menu.choice, True)]


def menus_of_times(c: Compared, example: Example | None) -> list[Menu]:
    """The same for a bound, which needs all of them, and the device."""
    own = example.device if example else ""
    device = Menu(DEVICE, "Device", {name: name for name in setup.devices()}, own, 1.6)
    return _menus(c, example) + [device] * (not c.stated.device)


def _menus(c: Compared, example: Example | None) -> list[Menu]:
    thread = bool(example and example.model)  # whose example runs on one device, in 16 bits
    numbers = (
        (Menu(N_DEVICES, "How many devices", {n: n for n in setup.DEVICE_COUNTS}, "1" * thread, 1.3), c.stated.n_devices),
        (Menu(WEIGHT_BITS, "Bits a parameter", _weight_bits(c.known.shape), "16" * thread, 1.4), c.stated.weight_bits),
        (Menu(KV_BITS, "Bits a cached number", BITS, "16" * thread, 1.5), c.stated.kv_bits),
    )
    models = {key: shape.name for key, shape in setup.models().items()}
    return [Menu(MODEL, "Model", models, _named(c, example), 2.0)] + [menu for menu, said in numbers if not said]


def draw(menus: list[Menu]) -> None:
    """The menus side by side, folded away while none asks; each begins with what is known without a choice, or asks."""
    if not menus:
        return
    open_ = any(not menu.own and not menu.choice.text() for menu in menus)
    with st.expander(AGAINST, icon=":material/tune:", expanded=open_):
        columns = st.columns([menu.width for menu in menus], vertical_alignment="bottom")
        for column, menu in zip(columns, menus, strict=True):
            with column:
                menu.choice.menu(menu.label, {"": menu.own or ASK} | menu.options, "")
        if any(menu.choice is MODEL and not menu.own for menu in menus) and not MODEL.text():
            st.caption("A model that is not in the list: paste its config.json in the lesson “How big is the cache?”.")


def in_words(c: Compared) -> str:
    """What the log says of its server, as a sentence; "" where it says nothing."""
    said, parts = c.stated, []
    if said.model:
        known_as = f" (the shape of {md(said.shape.name)})" if said.shape and not same_name(said.model, said.shape.name) else ""
        parts.append(f"its model **{md(last_part(said.model))}**{known_as}")
    elif said.served:
        parts.append(f"**{md(said.served)}** as what it serves")
    named = _device(said)
    if named or said.n_devices:
        devices = named or plural(said.n_devices, "device")
        stages = f" in each of **{said.n_stages} stages**" * bool(said.n_devices and (said.n_stages or 1) > 1)
        if said.n_devices and said.n_copies is not None:
            stages += f" in each of **{said.n_copies} copies**" if said.n_copies else " in each copy of the model"
        n = f"{said.n_devices}{' ×' * bool(named)} " if said.n_devices else ""
        parts.append(f"**{n}{md(devices)}**{stages}")
    of_file = None if said.counted_bits else said.weight_bits
    for bits, what in ((of_file, "a parameter"), (said.kv_bits, "a cached number")):
        if bits:
            parts.append(f"**{number(bits, 2)} bits** {what}")
    if said.n_ctx:
        parts.append(f"sequences of up to **{quantity(said.n_ctx, 'token')}**")
    whose = f"Of its several starts {said.which_start}" if said.which_start else "It"
    found = [f"{whose} names {', '.join(parts)}."] * bool(parts)
    if said.counted_bits:
        found.append(f"Its file’s bytes and parameters make **{number(said.weight_bits, 2)} bits** a parameter.")
    return " ".join(found)


def _device(said: StatedSetup) -> str:
    """The device as it is listed, and as the log has it where that is another word: GB10 is the chip of a DGX Spark."""
    printed = said.printed_device
    other = printed and said.device and not {*said.device.casefold().split()} & {*re.split(r"[ -]", printed.casefold())}
    other = other and said.device.split("-")[0].casefold() not in printed.casefold()
    return f"{printed}, as in {said.device}" if other else said.device or printed


def _named(c: Compared, example: Example | None) -> str:
    """What the menu of models shows while nobody chose: the model that the log or its thread names."""
    if c.stated.shape:
        return f"{c.stated.shape.name}, from the log"
    return example.model if example else ""


def _weight_bits(shape) -> dict[str, str]:
    """What may be chosen for a weight; of no model, what any file may have."""
    return bits_offered(shape) if shape else WEIGHT_FORMATS


def _whole(text: str) -> int | None:
    return int(text) if text else None
