"""The shape of a model: the dozen numbers of a config.json from which bytes, parameters and FLOPs follow.

A shape holds no weights. It answers what a token costs to keep (`kv_bytes`), how many learned numbers there are (`n_params`)
and how many of them one token meets (`n_active_params`). `from_config` reads any decoder-only model's Hugging Face config.json.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from numbers import Integral

from engine.cost import blocks, hf_config
from engine.cost.blocks import Experts, Latent, Style, norm_params
from engine.cost.hf_fields import LIMITS, show

MAX_BITS, MAX_COUNT = 64, 2**40


@dataclass(frozen=True)
class ModelShape:
    """Widths and counts of a decoder-only transformer.

    windows: how far back each layer looks, in tokens, 0 for all the way; () means 0 everywhere. d_v: width of a value (d_head
    where left out). experts, latent: None for an ordinary MLP and ordinary keys and values. understood, assumed: sentences on
    what was read in a config.json and what was filled in. Raises ValueError that names the field, what was expected and got.

    >>> ModelShape("8B", n_layer=32, d_model=4096, n_head=32, n_kv_head=8, d_head=128, d_ff=14336, n_vocab=128256).kv_bytes(1)
    131072
    """

    name: str
    n_layer: int
    d_model: int
    n_head: int
    n_kv_head: int
    d_head: int
    d_ff: int
    n_vocab: int
    n_ctx: int = 4096
    d_v: int | None = None
    windows: tuple[int, ...] = ()
    style: Style = field(default_factory=Style)
    experts: Experts | None = None
    latent: Latent | None = None
    source: str = ""
    understood: tuple[str, ...] = field(default=(), compare=False)
    assumed: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self):
        put = object.__setattr__
        put(self, "d_v", self.d_head if self.d_v is None else self.d_v)
        for name in ("n_layer", "d_model", "n_head", "n_kv_head", "d_head", "d_ff", "n_vocab", "n_ctx", "d_v"):
            put(self, name, check_count(name, getattr(self, name), most=LIMITS.get(name, MAX_COUNT)))
        windows = tuple(self.windows) or (0,) * self.n_layer
        put(self, "windows", tuple(check_count("windows", window, least=0) for window in windows))
        if len(self.windows) != self.n_layer:
            raise ValueError(f"windows: expected one for each of the {self.n_layer} layers, got {len(self.windows)}")
        if self.n_head % self.n_kv_head:
            raise ValueError(f"n_kv_head: expected a divisor of n_head = {self.n_head}, got {self.n_kv_head}")

    @classmethod
    def from_config(cls, config: dict, name: str = "", source: str = "pasted config.json") -> ModelShape:
        """Read a Hugging Face config.json, given as a dict; see engine.cost.hf_config for what is understood. Only ValueError."""
        return cls(**hf_config.read(config, name), source=source)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was understood in the config.json, then what was assumed."""
        return self.understood + self.assumed

    @property
    def kv_row(self) -> int:
        """Numbers that one token keeps in one layer: n_kv_head · (d_head + d_v), or rank + d_rope for a latent (no factor 2)."""
        return self.latent.rank + self.latent.d_rope if self.latent else self.n_kv_head * (self.d_head + self.d_v)

    def kv_bytes(self, n_tokens: int, batch: int = 1, bits: float = 16) -> int:
        """Bytes of the KV cache: Σ over layers min(n_tokens, window) · kv_row · batch · bits / 8.

        Without windows that is 2 · n_layer · n_kv_head · d_head · n_tokens · batch · bytes. Left out: the unused end of paged
        blocks, the slack in which engines let a window turn over (fit.llama_cpp_kv_bytes).
        """
        n_tokens, batch = check_count("n_tokens", n_tokens, least=0), check_count("batch", batch, least=0)
        rows = sum(n * (min(n_tokens, window) if window else n_tokens) for window, n in Counter(self.windows).items())
        return bytes_of(rows * self.kv_row * batch, bits)

    def kv_bytes_per_token(self, bits: float = 16) -> int:
        """Bytes that one more token adds while it is inside every window: n_layer · kv_row · bits / 8."""
        return bytes_of(self.n_layer * self.kv_row, bits)

    @property
    def embedding_params(self) -> int:
        """The table that turns a token id into a vector: n_vocab · d_model. Looked up, a row a token, not multiplied."""
        return self.n_vocab * self.d_model

    @property
    def n_params(self) -> int:
        """All learned numbers, exactly: norms, biases and learned positions included, a tied head counted once."""
        return int(self._params(lambda experts: experts.n_expert))

    @property
    def n_active_params(self) -> int:
        """Learned numbers that one token meets: n_params without the experts that it does not visit. Embedding counted whole."""
        return int(self._params(lambda experts: experts.n_active))

    def visited_params(self, n_tokens: int) -> float:
        """Learned numbers that a pass over n_tokens meets: expected experts, see blocks.experts_visited; n_params if dense."""
        check_count("n_tokens", n_tokens)
        return self._params(lambda experts: blocks.experts_visited(experts, n_tokens))

    def weight_bytes(self, bits: float = 16) -> int:
        """Bytes of all learned numbers at so many bits each. Left out: the scales of a quantised file."""
        return bytes_of(self.n_params, bits)

    def _params(self, n_visited) -> float:
        style, n_dense = self.style, len(self.experts.dense_layers) if self.experts else self.n_layer
        total = self.n_layer * (blocks.attention_params(self) + style.n_block_norms * norm_params(self.d_model, style))
        total += n_dense * blocks.mlp_params(self.d_model, self.d_ff, style)
        if self.experts:
            moe = blocks.moe_params(self.d_model, self.experts, style, n_visited(self.experts))
            total += (self.n_layer - n_dense) * moe
        return total + self._outer_params()

    def _outer_params(self) -> int:
        """Embedding, learned positions, the last norm, and the head unless it is the embedding again."""
        style = self.style
        positions = 0 if style.n_position_offset is None else (self.n_ctx + style.n_position_offset) * self.d_model
        head = 0 if style.tied else blocks.linear_params(self.d_model, self.n_vocab)
        last_norm = norm_params(self.d_model, style)
        return self.embedding_params + positions + last_norm + head + self.n_vocab * style.head_bias


def bytes_of(n_values: int, bits: float) -> int:
    """Whole bytes for n_values numbers of so many bits each, the last one rounded up.

    Bits may be fractional, since quantised formats store a scale beside a block of numbers: 8.5 in llama.cpp's q8_0, 4.5 in
    q4_0, 4.25 in mxfp4.
    """
    check_bits("bits", bits)
    return int(-(-n_values * bits // 8))


def check_bits(name: str, bits: float) -> None:
    """ValueError unless `bits` is a number above 0 and at most 64."""
    if isinstance(bits, bool) or not isinstance(bits, (int, float)) or not 0 < bits <= MAX_BITS:
        raise ValueError(f"{name}: expected a number of bits, more than 0 and at most {MAX_BITS}, got {show(bits)}")


def check_count(name: str, value: int, least: int = 1, most: int = MAX_COUNT) -> int:
    """The value as a Python integer, which cannot overflow; ValueError unless it is a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= value <= most:
        raise ValueError(f"{name}: expected a whole number from {least} to {most}, got {show(value)}")
    return int(value)
