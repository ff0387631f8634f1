"""Which model on which device, for how many tokens and sequences, in how many bits: the state that the hardware lessons share.

It lives in the link (model, config, device, n_devices, context, p, g, batch, bits, kv_bits, usable, reserved), and each value read
from it is checked against what the control offers. `config` is a pasted model in short form. The desk, the first step of the lesson
on memory, shows them all; the other hardware lessons say in one line what was chosen there.
"""

from dataclasses import dataclass

import streamlit as st

from engine.config_json.reader import NO_MTP
from engine.cost import DEVICES, MODELS, Device, ModelShape, decimal_bytes, largest_batch, weight_read_bytes
from engine.cost.tensor_parallel import all_kv_bytes
from engine.cost.times import pass_parts
from pages.parts.controls.shared_parameters import MOST_TOKENS, G, P
from pages.parts.hardware import own_device, pasted_config, this_machine
from pages.parts.hardware.weight_formats import BITS, bits_of, bits_offered, own_bits
from pages.parts.text.format import md, number
from pages.parts.visit.parameters import Choice, Real, Whole

MOST_GENERATED = 4096
TOKENS = tuple(sorted({2**i for i in range(21)} | {100_000}))
BATCHES = tuple(2**i for i in range(13))
DEVICE_COUNTS = ("1", "2", "4", "8", "16", "32")
DEFAULT_MODEL, DEFAULT_DEVICE = pasted_config.DEFAULT, "A100-80"
DEFAULT_CONTEXT = 8192
DEFAULT_PROMPT, DEFAULT_GENERATED = 2048, 200
DEVICE, N_DEVICES = Choice("device"), Choice("n_devices")
CONTEXT = Whole("context", low=1, high=MOST_TOKENS, default=DEFAULT_CONTEXT)
USABLE = Real("usable", low=0.1, high=1.0, default=0.9)  # of the memory: vLLM's gpu_memory_utilization
RESERVED = Real("reserved", high=1024)  # GB that a program keeps for itself on each device
BATCH = Whole("batch", low=1, high=4096, default=1)
WEIGHT_BITS, KV_BITS = Choice("bits"), Choice("kv_bits")


@dataclass(frozen=True)
class Setup:
    """What is running. n_tokens: tokens a sequence has. Bits are those of a stored weight and of a cached number. instead_of: the
    model that was chosen and whose weights are not known, where a lesson needs them; "" for the one that was chosen."""

    shape: ModelShape
    device: Device
    n_devices: int
    n_tokens: int
    batch: int
    weight_bits: float
    kv_bits: int
    reserved_bytes: int = 0
    instead_of: str = ""
    usable: float = 1.0

    @property
    def options(self) -> dict[str, float]:
        """What engine.cost calls `setup`."""
        return {"weight_bits": self.weight_bits, "kv_bits": self.kv_bits, "n_devices": self.n_devices}

    @property
    def memory(self) -> dict[str, float]:
        """The same for what is asked of memory."""
        return self.options | {"reserved_bytes": self.reserved_bytes, "usable": self.usable}

    @property
    def all_reserved(self) -> bool:
        """Whether what a program keeps for itself is all that a device has, so that more devices make no room."""
        return self.reserved_bytes >= self.device.memory_bytes * self.usable

    def weight_bits_of(self, shape: ModelShape) -> float:
        """Bits of another model's weight beside this one: those of its own file where this one has those of its file, else 16."""
        own = self.weight_bits == self.shape.stored_bits and self.weight_bits not in map(int, BITS)
        return (shape.stored_bits or 16) if own else self.weight_bits

    @property
    def copies(self) -> float:
        """How often the devices together keep the cache: 1 but for latents and few key/value heads."""
        one = self.shape.kv_bytes(self.n_tokens)
        return all_kv_bytes(self.shape, self.n_tokens, 1, 16, self.n_devices) / one if one else 1.0

    @property
    def in_copies(self) -> str:
        """ "4 devices read it 4 times"; "" where one copy of the cache is all that is kept."""
        return f"{self.n_devices} devices read it {number(self.copies)} times" if self.copies > 1 else ""

    @property
    def next_token_bytes(self) -> int:
        """Bytes that one more token adds to a sequence: layers whose window is full add none."""
        return self.shape.next_token_bytes(self.n_tokens, self.kv_bits)

    @property
    def most_sequences(self) -> int:
        return largest_batch(self.shape, self.n_tokens, self.device, **self.memory)

    @property
    def ceiling(self) -> float:
        """Tokens a second that rates come near with the batch and none exceeds: what no sequence shares, the arithmetic of its token
        with the parameters and its attention, takes that long."""
        (products, _), attention = pass_parts(self.shape, 1, self.device, self.n_tokens, 1, **self.options)
        return 1 / (products + max(attention))

    @property
    def kept(self) -> str:
        """What is kept of a sequence: "cache", "cache and state", and "state" where no layer keeps keys and values."""
        keys = "cache" * bool(self.shape.kv_bytes(self.n_tokens + 1))
        return " and ".join(filter(None, (keys, "state" * bool(self.shape.state_bytes()))))

    @property
    def read_bytes(self) -> int:
        """Bytes of all sequences' caches that a decode step reads, one copy of each."""
        return self.shape.kv_read_bytes(self.n_tokens, self.batch, self.kv_bits)

    @property
    def stored_and_read(self) -> tuple[str, str]:
        """Weights as stored, and what a decode step reads of them: of experts those that it visits, of tables its rows.

        The same text twice where it reads them all.
        """
        read = weight_read_bytes(self.shape, self.batch, self.weight_bits)
        return decimal_bytes(self.shape.weight_bytes(self.weight_bits)), decimal_bytes(read)

    @property
    def assumed(self) -> str:
        """What times and bytes take for granted: another model than the chosen one, heads that a file does not name, the bits of an
        index; and that layers for several tokens at once are unused. "" where it is nothing."""
        said = ""
        if self.instead_of:
            said = f" This is {md(self.shape.name)}: how many parameters “{md(self.instead_of)}” has is not known."
        if self.shape.kv_doubt:
            said += f" *Assumed*, so the bytes are not certain: {md(self.shape.kv_doubt)}."
        if self.shape.d_index and self.kv_bits > 8:
            said += f" *Assumed*: the index has {self.kv_bits} bits, as the cache; DeepSeek’s own program gives it 8."
        if NO_MTP in self.shape.assumed:
            layers = f"the layers of {md(self.shape.name)} that predict several tokens at once (MTP)"
            said += f" *Assumed* to be unused, in bytes, FLOPs and times: {layers}."
        return said

    @property
    def devices(self) -> str:
        """The devices in words, within a sentence: "A100-80", "8 × TPU v5e", "your device"."""
        name = own_device.in_a_sentence(self.device)
        return f"{self.n_devices} × {name}" if self.n_devices > 1 else name


def models(weighed: bool = False) -> dict[str, ModelShape]:
    """The models that can be chosen, the pasted one last; weighed: only those whose number of parameters is known."""
    own = pasted_config.shape()
    return MODELS | ({pasted_config.NAME: own} if own and not (weighed and own.doubt) else {})


def devices() -> dict[str, Device]:
    """The devices that can be chosen; last the one whose numbers were typed, and this machine once somebody had it measured."""
    return DEVICES | {one.name: one for one in (own_device.typed(), this_machine.measured()) if one}


def setup(n_tokens: int | None = None, weighed: bool = False) -> Setup:
    """The state of the link, each part bounded. n_tokens: for lessons whose sequence has another length than `context`; weighed:
    for those that say nothing of a model whose weights are not known."""
    shapes, there = models(weighed), devices()
    chosen = pasted_config.MODEL.value(models(), DEFAULT_MODEL)
    shape = shapes[pasted_config.MODEL.value(shapes, DEFAULT_MODEL)]
    bits = WEIGHT_BITS.value(bits_offered(shape), own_bits(shape))
    device, n_devices = there[DEVICE.value(there, DEFAULT_DEVICE)], int(N_DEVICES.value(DEVICE_COUNTS, "1"))
    n_tokens, batch = CONTEXT.value() if n_tokens is None else n_tokens, BATCH.value()
    bits, kv_bits = bits_of(bits, shape), int(KV_BITS.value(BITS, "16"))
    reserved, asked = round(RESERVED.value() * 1e9), "" if chosen in shapes else models()[chosen].name
    return Setup(shape, device, n_devices, n_tokens, batch, bits, kv_bits, reserved, asked, USABLE.value())


def prompt_and_answer() -> tuple[int, int]:
    """P and G: tokens in the prompt, tokens generated."""
    return P.value(default=DEFAULT_PROMPT), G.value(high=MOST_GENERATED, default=DEFAULT_GENERATED)


def model_and_device(weighed: bool = False) -> None:
    """Model, device and how many of them, side by side. weighed: as in setup."""
    shapes = models(weighed)
    columns = st.columns([2, 1.6, 1, 1.5, 1.5], vertical_alignment="bottom")
    with columns[0]:
        pasted_config.MODEL.menu("Model", {key: shape.name for key, shape in shapes.items()}, DEFAULT_MODEL)
    with columns[1]:
        DEVICE.menu("Device", {name: name for name in devices()}, DEFAULT_DEVICE)
    with columns[2]:
        ideal = (
            "Tensor parallelism: work and memory divided evenly, with no time to talk, an ideal. Key/value heads fewer than "
            "devices, and latents, are kept on each and counted as often; small matrices and norms that are copied too are not"
        )
        N_DEVICES.menu("Tensor parallel", {n: n for n in DEVICE_COUNTS}, "1", help=ideal)
    with columns[3]:
        shape = shapes[pasted_config.MODEL.value(shapes, DEFAULT_MODEL)]
        WEIGHT_BITS.menu("Bits a parameter", bits_offered(shape), own_bits(shape))
    with columns[4]:
        KV_BITS.menu("KV cache dtype: bits", BITS, "16")


def prompt_and_batch() -> None:
    """How long the prompt is and how many sequences there are, side by side."""
    left, right = st.columns(2)
    with left:
        P.stops("Tokens in the prompt (P)", TOKENS, DEFAULT_PROMPT, keep_default=True)
    with right:
        BATCH.stops("Sequences at once (batch)", BATCHES)


def answer_slider() -> None:
    """How many tokens are generated."""
    G.stops("Tokens generated (G)", TOKENS, DEFAULT_GENERATED, MOST_GENERATED)
