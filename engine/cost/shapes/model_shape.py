"""The shape of a model: the dozen numbers of a config.json from which bytes, parameters and FLOPs follow.

A shape holds no weights. It answers what a token costs to keep (`kv_bytes`), how many learned numbers there are (`n_params`)
and how many of them one token meets (`n_active_params`). `from_config` reads any decoder-only model's Hugging Face config.json.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from engine.config_json import reader
from engine.config_json.block_style import Experts, Latent, Layer, Style
from engine.config_json.fields import LIMITS
from engine.cost.shapes import blocks, file_bits
from engine.cost.shapes.blocks import norm_params
from engine.cost.shapes.checked import MAX_COUNT, bytes_of, check_count

ATTENDING = ("attention", "borrowed")  # kinds of layers whose queries meet keys


@dataclass(frozen=True)
class ModelShape:
    """Widths and counts of a decoder-only transformer.

    windows: how far back each layer looks, in tokens, 0 for all the way; () means 0 everywhere. d_v: width of a value (d_head
    where left out). n_ctx: the longest text it was trained for, None where nobody said (learned positions need it). experts,
    latent: None for an ordinary MLP and ordinary keys and values. layers: how each layer differs, () where none does. d_embed:
    width of the embedding where it is not d_model. n_extra: learned numbers that its blocks do not explain. doubt: why the
    number of parameters is not known, "" where it is exact, and kv_doubt: why the bytes of its cache are not. family: its
    model_type. quantised: the bits of a quantised weight in its file and which weights these are (engine.config_json.quantised),
    (0, "") for none. understood, assumed: sentences on what was read in a config.json and what was filled in. Raises ValueError
    that names the field, what was expected and got.

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
    n_ctx: int | None = 4096
    d_v: int | None = None
    windows: tuple[int, ...] = ()
    style: Style = field(default_factory=Style)
    experts: Experts | None = None
    latent: Latent | None = None
    layers: tuple[Layer, ...] = ()
    d_embed: int = 0
    n_extra: int = 0
    doubt: str = ""
    kv_doubt: str = ""
    family: str = ""
    quantised: tuple[float, str] = (0.0, "")
    source: str = ""
    understood: tuple[str, ...] = field(default=(), compare=False)
    assumed: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self):
        put = object.__setattr__
        put(self, "d_v", self.d_head if self.d_v is None else self.d_v)
        for name in ("n_layer", "d_model", "n_head", "n_kv_head", "d_head", "d_ff", "n_vocab", "n_ctx", "d_v"):
            if name == "n_ctx" and self.n_ctx is None and self.style.n_position_offset is None:
                continue
            # A file may lack them where nobody needs them: a cache needs no vocabulary, experts no ordinary MLP.
            least = 0 if (name in ("d_ff", "n_vocab") and self.doubt) or (name == "d_ff" and self.experts) else 1
            put(self, name, check_count(name, getattr(self, name), least, LIMITS.get(name, MAX_COUNT)))
        put(self, "layers", tuple(self.layers) or (Layer(),) * self.n_layer)
        windows = tuple(self.windows) or (0,) * self.n_layer
        put(self, "windows", tuple(check_count("windows", window, least=0) for window in windows))
        for name in ("windows", "layers"):
            if len(getattr(self, name)) != self.n_layer:
                raise ValueError(f"{name}: expected one for each of the {self.n_layer} layers, got {len(getattr(self, name))}")
        if self.n_head % self.n_kv_head:
            raise ValueError(f"n_kv_head: expected a divisor of n_head = {self.n_head}, got {self.n_kv_head}")

    @classmethod
    def from_config(cls, config: dict, name: str = "", source: str = "pasted config.json") -> "ModelShape":
        """Read a Hugging Face config.json, given as a dict; see engine.config_json.reader. Raises only ValueError."""
        return cls(**reader.read(config, name), source=source)

    @property
    def kv_row(self) -> int:
        """Numbers that one token keeps in an ordinary layer: n_kv_head · (d_head + d_v), or rank + d_rope for a latent."""
        return self.latent.rank + self.latent.d_rope if self.latent else self.n_kv_head * (self.d_head + self.d_v)

    @cached_property
    def kv_rows(self) -> tuple[int, ...]:
        """Numbers that one token keeps in each layer: 0 where the layer keeps a state or borrows another's keys and values."""
        return tuple(self._row(layer) for layer in self.layers)

    def _row(self, layer: Layer) -> int:
        if layer.kind != "attention":
            return 0
        _, n_kv_head, d_head, d_v = blocks.heads_of(self, layer)
        return layer.n_cache * (self.kv_row if self.latent else n_kv_head * (d_head + d_v)) + layer.d_index

    @cached_property
    def alike(self) -> Counter[tuple[int, int, Layer]]:
        """(window, row, layer) -> how many layers are like that."""
        return Counter(zip(self.windows, self.kv_rows, self.layers, strict=True))

    @cached_property
    def kept(self) -> Counter[tuple[int, int]]:
        """(window, row) -> how many layers keep such rows."""
        return Counter((window, row) for window, row in zip(self.windows, self.kv_rows, strict=True) if row)

    @cached_property
    def read(self) -> Counter[tuple[int, int, int, int]]:
        """(window, row without its index key, index key, tokens chosen by it or 0) -> how many layers read such rows."""
        rows = zip(self.windows, self.kv_rows, self.layers, strict=True)
        return Counter((window, row - layer.d_index, layer.d_index, layer.n_select) for window, row, layer in rows if row)

    @property
    def d_index(self) -> int:
        """Width of the index key that a token keeps in a layer, 0 for most models: layers may share one, none has another."""
        return max(layer.d_index for layer in self.layers)

    @property
    def n_index(self) -> int:
        """Heads that score every past token with the index: FLOPs a byte of a 16-bit index in decode, which is read once."""
        return max(layer.n_index for layer in self.layers)

    @property
    def n_select(self) -> int:
        """Tokens whose keys and values a query reads where an index chooses them, 0 where it reads all."""
        return max(layer.n_select for layer in self.layers)

    @cached_property
    def attending(self) -> Counter[tuple[Layer, int]]:
        """(layer, window) -> how many layers with attention are like that; what they keep besides a cache is left out."""
        pairs = zip(self.layers, self.windows, strict=True)
        plain = {layer: replace(layer, n_state=0, n_tail=0, n_mixer=0) for layer in set(self.layers)}
        return Counter((plain[layer], window) for layer, window in pairs if layer.kind in ATTENDING)

    def kv_bytes(self, n_tokens: int, batch: int = 1, bits: float = 16) -> int:
        """Bytes of the KV cache: Σ over layers min(n_tokens, window) · row · batch · bits / 8.

        Without windows and mixed layers that is 2 · n_layer · n_kv_head · d_head · n_tokens · batch · bytes. Left out: states of
        constant size (state_bytes), the unused end of paged blocks, the slack in which engines let a window turn over.
        """
        n_tokens, batch = check_count("n_tokens", n_tokens, least=0), check_count("batch", batch, least=0)
        held = sum(n * row * (min(n_tokens, window) if window else n_tokens) for (window, row), n in self.kept.items())
        return bytes_of(held * batch, bits)

    def kv_read_bytes(self, n_tokens: int, batch: int = 1, bits: float = 16) -> int:
        """Bytes of the cache that a decode step behind n_tokens reads: kv_bytes, but where an index chooses its keys and the
        rows of the chosen tokens alone.

        DeepSeek-V3.2 behind 131,072: 61 · (131,072 · 128 + 2,048 · (512 + 64)) · 2 bytes instead of 61 · 131,072 · 704 · 2.
        """
        n_tokens, batch = check_count("n_tokens", n_tokens, least=0), check_count("batch", batch, least=0)
        return bytes_of(sum(n * numbers_read(kind, n_tokens) for kind, n in self.read.items()) * batch, bits)

    def kv_bytes_per_token(self, bits: float = 16) -> int:
        """Bytes that one more token adds while it is inside every window: Σ over layers row · bits / 8."""
        return bytes_of(sum(self.kv_rows), bits)

    def next_token_bytes(self, n_tokens: int, bits: float = 16) -> int:
        """Bytes that the next token adds behind n_tokens: layers whose window is full add none."""
        return self.kv_bytes(n_tokens + 1, 1, bits) - self.kv_bytes(n_tokens, 1, bits)

    def state_bytes(self, batch: int = 1) -> int:
        """Bytes of the states that some layers keep instead of keys and values, however long the text; 0 for most models.

        States are kept in 32 bits (as vLLM and transformers do for Qwen3-Next), the last inputs of their convolutions in 16.
        """
        of_one = sum(n * (4 * layer.n_state + 2 * layer.n_tail) for (*_, layer), n in self.alike.items())
        return check_count("batch", batch, least=0) * of_one

    @property
    def embedding_params(self) -> int:
        """The table that turns a token id into a vector: n_vocab · d_model. Looked up, a row a token, not multiplied."""
        return self.n_vocab * (self.d_embed or self.d_model)

    @property
    def lookup_params(self) -> int:
        """Learned numbers of which a pass reads some rows only: the embedding unless it is the head too, learned positions."""
        return (0 if self.style.tied else self.embedding_params) + self._position_params()

    @cached_property
    def n_params(self) -> int:
        """All learned numbers, exactly: norms, biases and learned positions included, a tied head counted once."""
        return int(self._params(lambda experts: experts.n_expert))

    @cached_property
    def n_active_params(self) -> int:
        """Learned numbers that one token meets: n_params without the experts that it does not visit. Embedding counted whole."""
        return int(self._params(lambda experts: experts.n_active))

    def visited_params(self, n_tokens: int) -> float:
        """Learned numbers that a pass over n_tokens meets: expected experts, see blocks.experts_visited; n_params if dense."""
        check_count("n_tokens", n_tokens)
        return self._params(lambda experts: blocks.experts_visited(experts, n_tokens))

    def weight_bytes(self, bits: float = 16) -> int:
        """Bytes of all learned numbers at so many bits each. Left out: the scales of a quantised file."""
        n_experts = self.experts.n_expert if self.experts else 0
        return bytes_of(file_bits.total_bits(self, self.n_params, n_experts, bits), 1)

    def visited_bytes(self, n_tokens: int, bits: float = 16) -> float:
        """Bytes of the learned numbers that a pass over n_tokens meets, see visited_params."""
        n_experts = blocks.experts_visited(self.experts, n_tokens) if self.experts else 0
        return file_bits.total_bits(self, self.visited_params(n_tokens), n_experts, bits) / 8

    @cached_property
    def stored_bits(self) -> float:
        """Bits a weight of its own quantised file, on average; 0 where it has none. Asked for at that mean, each part has its own."""
        return file_bits.mean_bits(self)

    def _params(self, n_visited) -> float:
        style, n_dense = self.style, len(self.experts.dense_layers) if self.experts else self.n_layer
        total = self._layer_params + n_dense * blocks.mlp_params(self.d_model, self.d_ff, style)
        if self.experts:
            moe = blocks.moe_params(self.d_model, self.experts, style, n_visited(self.experts))
            total += (self.n_layer - n_dense) * moe
        return total + self.outer_params + self.n_extra

    @cached_property
    def _layer_params(self) -> int:
        """All layers without their MLPs."""
        return sum(n * blocks.layer_params(self, layer) for layer, n in Counter(self.layers).items())

    def _position_params(self) -> int:
        offset = self.style.n_position_offset
        return 0 if offset is None else (self.n_ctx + offset) * self.d_model

    @cached_property
    def outer_params(self) -> int:
        """Embedding, learned positions, the last norm, and the head unless it is the embedding again."""
        style = self.style
        head = 0 if style.tied else blocks.linear_params(self.d_embed or self.d_model, self.n_vocab)
        last_norm = norm_params(self.d_model, style) * style.last_norm
        return self.embedding_params + self._position_params() + last_norm + head + self.n_vocab * style.head_bias


def numbers_read(kind: tuple[int, int, int, int], n_tokens: int) -> int:
    """Numbers that a decode step behind n_tokens reads in a layer of that kind, see ModelShape.read."""
    window, row, d_index, n_select = kind
    seen = min(n_tokens, window) if window else n_tokens
    return row * (min(seen, n_select) if n_select else seen) + d_index * seen
