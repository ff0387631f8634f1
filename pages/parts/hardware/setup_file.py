"""What runs on what as JSON, to keep and to bring back: model, device, bits, context. What comes back is a stranger's text.

A listed model is kept by its name, a pasted one with the config.json that it was read from. A field that is left out is the
default; one that is wrong leaves all as it was, and the sentence says what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection

from engine.config_json.fields import show
from engine.cost import ModelShape
from engine.toy.scenario import Scenario
from pages.parts.controls.shared_parameters import G
from pages.parts.hardware import pasted_config, setup
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.take_home import Kept
from pages.parts.visit import scenario

CONFIG = "config"  # of a pasted model
MOST_CHARS = pasted_config.MAX_CHARS + 2000
NUMBERS = (setup.CONTEXT, setup.BATCH, G, setup.RESERVED)
KEPT = (pasted_config.MODEL, setup.DEVICE, setup.N_DEVICES, setup.WEIGHT_BITS, setup.KV_BITS, *NUMBERS)


def kept(now: Callable[[], Setup]) -> Kept:
    """What a hardware lesson saves. now: its setup, whose length is the lesson's own."""
    locks = (*(p.name for p in KEPT), "pasted")
    return Kept("Settings", "settings", "settings.json", lambda: to_json(now()), bring, MOST_CHARS, locks)


def to_json(s: Setup) -> str:
    """The setup as text, one field a line."""
    model = pasted_config.MODEL.value(setup.models(), pasted_config.DEFAULT)
    fields = {"model": model} | ({CONFIG: json.loads(pasted_config.text())} if model == pasted_config.NAME else {})
    own = s.shape.stored_bits and s.weight_bits == s.shape.stored_bits
    fields |= {
        "device": s.device.name, "n_devices": s.n_devices, "bits": setup.FILE if own else s.weight_bits, "kv_bits": s.kv_bits,
        "context": s.n_tokens, "batch": s.batch,
    }  # fmt: skip
    fields |= {
        p.name: value
        for p, value in ((G, G.value(high=setup.MOST_GENERATED)), (setup.RESERVED, setup.RESERVED.value()))
        if p.text()
    }
    return "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in fields.items()) + "\n}\n"


def bring(text: object) -> None:
    """Make these settings the visit's; a text that cannot be used is told and changes nothing."""
    scenario.edit(_set_all, text)


def _set_all(toy: Scenario, text: object) -> Scenario:
    """Read everything, and only then change anything. ValueError in a sentence. The toy's scenario stays."""
    found = _fields(text)
    config = json.dumps(found[CONFIG]) if CONFIG in found else ""
    texts = _words(found, pasted_config.read(config) if config else None) | _numbers(found)
    if config:
        pasted_config.take(config)
    for p in KEPT:
        p.set_text(texts.get(p.name, ""))
    return toy


def _words(found: dict, pasted: ModelShape | None) -> dict[str, str]:
    """The fields that are chosen from a list, as a link has them: the default as nothing."""
    models = setup.models() | ({pasted_config.NAME: pasted} if pasted else {})
    model = _one_of("model", found.get("model", pasted_config.NAME if pasted else pasted_config.DEFAULT), models)
    own = setup.own_bits(models[model])
    offered = {
        "device": (setup.devices(), setup.DEFAULT_DEVICE), "n_devices": (setup.DEVICE_COUNTS, "1"),
        "bits": (setup.bits_offered(models[model]), own), "kv_bits": (setup.BITS, "16"),
    }  # fmt: skip
    chosen = {name: _one_of(name, found.get(name, default), options) for name, (options, default) in offered.items()}
    return {"model": model} | {name: "" if said == offered[name][1] else said for name, said in chosen.items()}


def _numbers(found: dict) -> dict[str, str]:
    """The fields that are numbers, each within its control's range."""
    return {
        p.name: _number(p.name, found[p.name], p.low, setup.MOST_GENERATED if p is G else p.high, p is not setup.RESERVED)
        for p in NUMBERS
        if p.name in found
    }


def _fields(text: object) -> dict:
    """The fields of the file, each of them known."""
    if not isinstance(text, str) or len(text) > MOST_CHARS:
        got = f"{len(text):,} characters" if isinstance(text, str) else show(text)
        raise ValueError(f"file: expected settings of at most {MOST_CHARS:,} characters, got {got}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("file: expected JSON as Save writes it in the lessons on real hardware") from None
    known = (*(p.name for p in KEPT), CONFIG)
    if not isinstance(found, dict) or not found:
        raise ValueError(f"file: expected an object with fields such as model and device, got {show(found)}")
    unknown = [name for name in found if name not in known]
    if unknown:
        raise ValueError(f"file: expected the fields {', '.join(known)}, got {show(unknown[0])} besides")
    return found


def _one_of(name: str, value: object, options: Collection[str]) -> str:
    """A word or a number that the control offers."""
    said = str(value) if type(value) in (int, str) else None
    if said not in options:
        raise ValueError(f"{name}: expected one of {', '.join(options)}, got {show(value)}")
    return said


def _number(name: str, value: object, low: float, high: float, whole: bool) -> str:
    """A number within the control's range, as the link writes it."""
    good = type(value) is int or (type(value) is float and not whole)
    if not good or not low <= value <= high:  # NaN is in no range
        raise ValueError(f"{name}: expected {'a whole' if whole else 'a'} number from {low:,} to {high:,}, got {show(value)}")
    return f"{value:g}" if not whole else str(value)
