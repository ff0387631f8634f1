"""At which rates this setup's numbers are multiplied, and where the roof bends for them, in words: each rate with whose products it is.

A file whose parts have different bits has several: no number in it has their mean.
"""

from engine.cost.roofline_points import Roof, roofs
from pages.lessons.roofline.figures.roofline import numbers_of, ridge_said
from pages.parts.hardware import this_machine
from pages.parts.hardware.setup import Setup
from pages.parts.text.amounts import flops_per_s
from pages.parts.text.format import join


def roofs_of(s: Setup) -> tuple[Roof, ...]:
    """The roofs under which this model's passes work on this device."""
    return roofs(s.shape, s.device, s.weight_bits, s.kv_bits)


def peaks(s: Setup) -> str:
    """ "312 TFLOP/s on 16-bit numbers", of all devices; where parts have rates of their own each with its part. A machine that was
    measured multiplied float32, whatever is stored."""
    found = roofs_of(s)
    if s.device.name == this_machine.NAME:
        return f"{flops_per_s(s.n_devices * s.device.flops_per_s)} on float32 numbers"
    whose = [f" ({join(one.whose)})" if len(found) > 1 else "" for one in found]
    said = (f"{flops_per_s(s.n_devices * one.flops_per_s)} on {numbers_of(one)}" for one in found)
    return join([one + part for one, part in zip(said, whose, strict=True)])


def in_words(s: Setup, unit: str = "") -> str:
    """Where the roof bends: "153", and for which products where there are several ridges."""
    found, per_s = roofs_of(s), s.device.bytes_per_s
    ridges = [ridge_said(one.flops_per_s / per_s) + unit * (one is found[0]) for one in found]
    if len(found) == 1:
        return ridges[0]
    return ", ".join(f"{ridge} for {_products(one)}" for ridge, one in zip(ridges, found, strict=True))


def _products(roof: Roof) -> str:
    """ "products with experts and attention", "attention", "all else"."""
    made = [whose if whose in ("attention", "all else") else f"products with {whose}" for whose in roof.whose]
    return " and ".join(made)
