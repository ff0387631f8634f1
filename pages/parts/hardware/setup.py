"""Which model on which device, for how many tokens and sequences, in how many bits: the state that the hardware lessons share.

It lives in the link (model, device, n_devices, context, p, g, batch, bits, kv_bits), and each value read from it is checked
against what the control offers. A pasted model is not in the link: its text is the visitor's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from engine.cost import DEVICES, MODELS, Device, ModelShape
from pages.parts.controls.shared_parameters import MOST_TOKENS, G, P
from pages.parts.hardware import pasted_config, this_machine
from pages.parts.visit.parameters import Choice, Whole

MOST_GENERATED = 4096
TOKENS = tuple(sorted({2**i for i in range(21)} | {100_000}))
BATCHES = tuple(2**i for i in range(13))
BITS = {"16": "16", "8": "8", "4": "4"}
DEVICE_COUNTS = ("1", "2", "4", "8", "16", "32")
DEFAULT_MODEL, DEFAULT_DEVICE = "Llama-3.1-8B", "A100-80"
DEFAULT_PROMPT, DEFAULT_GENERATED = 2048, 200
DEVICE, N_DEVICES = Choice("device"), Choice("n_devices")
CONTEXT = Whole("context", low=1, high=MOST_TOKENS, default=8192)
BATCH = Whole("batch", low=1, high=4096, default=1)
WEIGHT_BITS, KV_BITS = Choice("bits"), Choice("kv_bits")


@dataclass(frozen=True)
class Setup:
    """What is running. n_tokens: tokens a sequence has. Bits are those of a stored weight and of a cached number."""

    shape: ModelShape
    device: Device
    n_devices: int
    n_tokens: int
    batch: int
    weight_bits: int
    kv_bits: int

    @property
    def options(self) -> dict[str, int]:
        """What engine.cost calls `setup`."""
        return {"weight_bits": self.weight_bits, "kv_bits": self.kv_bits, "n_devices": self.n_devices}

    @property
    def on(self) -> str:
        """The devices in words: "A100-80", "8 × TPU v5e"."""
        return f"{self.n_devices} × {self.device.name}" if self.n_devices > 1 else self.device.name


def models() -> dict[str, ModelShape]:
    """The models that can be chosen, the pasted one last."""
    own = pasted_config.shape()
    return MODELS | ({pasted_config.NAME: own} if own else {})


def devices() -> dict[str, Device]:
    """The devices that can be chosen, this machine last once somebody had it measured."""
    here = this_machine.measured()
    return DEVICES | ({here.name: here} if here else {})


def setup(n_tokens: int | None = None) -> Setup:
    """The state of the link, each part bounded. n_tokens: for lessons whose sequence has another length than `context`."""
    shapes, there = models(), devices()
    return Setup(
        shapes[pasted_config.MODEL.value(shapes, DEFAULT_MODEL)],
        there[DEVICE.value(there, DEFAULT_DEVICE)],
        int(N_DEVICES.value(DEVICE_COUNTS, "1")),
        CONTEXT.value() if n_tokens is None else n_tokens,
        BATCH.value(),
        int(WEIGHT_BITS.value(BITS, "16")),
        int(KV_BITS.value(BITS, "16")),
    )


def prompt_and_answer() -> tuple[int, int]:
    """P and G: tokens in the prompt, tokens generated."""
    return P.value(default=DEFAULT_PROMPT), G.value(high=MOST_GENERATED, default=DEFAULT_GENERATED)


def model_and_device() -> None:
    """Model, device and how many of them, side by side."""
    columns = st.columns([2, 1.6, 1, 1.5, 1.5], vertical_alignment="bottom")
    with columns[0]:
        pasted_config.MODEL.menu("Model", {key: shape.name for key, shape in models().items()}, DEFAULT_MODEL)
    with columns[1]:
        DEVICE.menu("Device", {name: name for name in devices()}, DEFAULT_DEVICE)
    with columns[2]:
        ideal = "Work and memory divided evenly, with no time to talk: an ideal"
        N_DEVICES.menu("How many", {n: n for n in DEVICE_COUNTS}, "1", help=ideal)
    with columns[3]:
        WEIGHT_BITS.menu("Bits a weight", BITS, "16")
    with columns[4]:
        KV_BITS.menu("Bits a cached number", BITS, "16")


def context_and_batch() -> None:
    """How long a sequence is and how many there are, side by side."""
    with _beside_batch():
        CONTEXT.stops("Tokens in a sequence (context)", TOKENS)


def prompt_and_batch() -> None:
    """How long the prompt is and how many sequences there are, side by side."""
    with _beside_batch():
        P.stops("Tokens in the prompt (P)", TOKENS, DEFAULT_PROMPT)


def answer_slider() -> None:
    """How many tokens are generated."""
    G.stops("Tokens generated (G)", TOKENS, DEFAULT_GENERATED, MOST_GENERATED)


def batch_slider() -> int:
    """How many sequences run together."""
    return BATCH.stops("Sequences at once (batch)", BATCHES)


def _beside_batch():
    """The left of two columns; the right one holds the batch."""
    left, right = st.columns(2)
    with right:
        batch_slider()
    return left
