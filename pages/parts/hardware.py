"""Which model on which device, for how many tokens and sequences, in how many bits: the state that the hardware lessons share.

It lives in the link (model, device, n_devices, context, p, g, batch, bits, kv_bits), and each value read from it is checked
against what the control offers. A pasted model is not in the link: its text is the visitor's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from engine.cost import DEVICES, MODELS, Device, ModelShape
from pages.parts import machine, pasted, scenario
from pages.parts.widgets import show
from pages.parts.words import md

MOST_TOKENS, MOST_GENERATED, MOST_BATCH = 2**20, 4096, 4096
TOKENS = tuple(sorted({2**i for i in range(21)} | {100_000}))
BATCHES = tuple(2**i for i in range(13))
BITS = {"16": "16", "8": "8", "4": "4"}
DEVICE_COUNTS = ("1", "2", "4", "8", "16", "32")
DEFAULT_MODEL, DEFAULT_DEVICE = "Llama-3.1-8B", "A100-80"
DEFAULT_CONTEXT, DEFAULT_PROMPT, DEFAULT_GENERATED = 8192, 2048, 200


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
    own = pasted.shape()
    return MODELS | ({pasted.NAME: own} if own else {})


def devices() -> dict[str, Device]:
    """The devices that can be chosen, this machine last once somebody had it measured."""
    here = machine.measured()
    return DEVICES | ({here.name: here} if here else {})


def setup(default_context: int = DEFAULT_CONTEXT, n_tokens: int | None = None) -> Setup:
    """The state of the link, each part bounded. n_tokens: for lessons whose sequence has another length than `context`."""
    shapes, there = models(), devices()
    context = scenario.whole_extra("context", default_context, 1, MOST_TOKENS)
    return Setup(
        shapes[scenario.choice_extra("model", tuple(shapes), DEFAULT_MODEL)],
        there[scenario.choice_extra("device", tuple(there), DEFAULT_DEVICE)],
        int(scenario.choice_extra("n_devices", DEVICE_COUNTS, "1")),
        context if n_tokens is None else n_tokens,
        scenario.whole_extra("batch", 1, 1, MOST_BATCH),
        int(scenario.choice_extra("bits", tuple(BITS), "16")),
        int(scenario.choice_extra("kv_bits", tuple(BITS), "16")),
    )


def prompt_and_answer() -> tuple[int, int]:
    """P and G: tokens in the prompt, tokens generated."""
    n_prompt = scenario.whole_extra("p", DEFAULT_PROMPT, 1, MOST_TOKENS)
    return n_prompt, scenario.whole_extra("g", DEFAULT_GENERATED, 1, MOST_GENERATED)


def model_and_device() -> None:
    """Model, device and how many of them, side by side."""
    there = models()
    columns = st.columns([2, 1.6, 1, 1.5, 1.5], vertical_alignment="bottom")
    with columns[0]:
        select("model", "Model", tuple(there), DEFAULT_MODEL, lambda name: there[name].name)
    with columns[1]:
        select("device", "Device", tuple(devices()), DEFAULT_DEVICE)
    with columns[2]:
        select("n_devices", "How many", DEVICE_COUNTS, "1", help="Work and memory divided evenly, with no time to talk: an ideal")
    with columns[3]:
        select("bits", "Bits a weight", tuple(BITS), "16")
    with columns[4]:
        select("kv_bits", "Bits a cached number", tuple(BITS), "16")


def token_slider(name: str, label: str, default: int, most: int = MOST_TOKENS, **kwargs) -> int:
    """A logarithmic slider for a number of tokens, kept in the link under `name`."""
    return _log_slider(name, label, tuple(n for n in TOKENS if n <= most), default, most, **kwargs)


def batch_slider() -> int:
    """A logarithmic slider for the number of sequences that run together."""
    return _log_slider("batch", "Sequences at once (batch)", BATCHES, 1, MOST_BATCH)


def _log_slider(name: str, label: str, stops: tuple[int, ...], default: int, most: int, **kwargs) -> int:
    """Stops evenly apart; what a link or another lesson asks for besides becomes a stop of its own."""
    value = scenario.whole_extra(name, default, 1, most)
    key = f"extra_{name}"
    show(key, value)

    def keep() -> None:
        chosen = st.session_state[key]
        scenario.set_extra(name, "" if chosen == default else str(chosen))

    options = sorted({*stops, default, value})
    st.select_slider(label, options, key=key, on_change=keep, format_func="{:,}".format, **kwargs)
    return value


def select(name: str, label: str, options: tuple[str, ...], default: str, words: Callable[[str], str] = str, **kwargs) -> str:
    """A selectbox for one of a lesson's own parameters, kept in the link."""
    value = scenario.choice_extra(name, options, default)
    key = f"extra_{name}"
    show(key, value)

    def keep() -> None:
        chosen = st.session_state[key]
        scenario.set_extra(name, "" if chosen in (None, default) else chosen)

    st.selectbox(label, options, key=key, on_change=keep, format_func=words, **kwargs)
    return value


def named(s: Setup) -> str:
    """The model's name for Markdown."""
    return md(s.shape.name)


def tokens_and_batch(name: str, label: str, default: int) -> None:
    """How long a sequence is and how many there are, side by side."""
    left, right = st.columns(2)
    with left:
        token_slider(name, label, default)
    with right:
        batch_slider()
