"""What calculators get wrong about a cache, computed beside what is right, so that the factor is in sight.

Each occurs in published figures and calculators: query heads counted where key/value heads are meant (eight times too much for a
Llama 70B), GiB printed as GB (the Hugging Face blog on Llama 3.1), a head width derived as d_model / n_head where the file gives
another (Qwen3, Gemma), layers with a window counted as if they saw everything.
"""

from dataclasses import dataclass, replace

from engine.cost.shapes.checked import bytes_of
from engine.cost.shapes.model_shape import ModelShape


@dataclass(frozen=True)
class Mistake:
    """One wrong way. what: the mistake. how: the wrong number in the place of the right one. Bytes: what comes of each, the wrong
    one a fraction where it is one.
    """

    what: str
    how: str
    wrong_bytes: float
    right_bytes: int

    @property
    def factor(self) -> float:
        """How many times too large the wrong result is; below 1 where it is too small."""
        return self.wrong_bytes / self.right_bytes


def mistakes(shape: ModelShape, n_tokens: int, batch: int = 1, bits: float = 16) -> tuple[Mistake, ...]:
    """The mistakes that change something for this model, each alone. n_tokens and batch at least 1."""
    right = shape.kv_bytes(n_tokens, batch, bits)
    d_derived = shape.d_model // shape.n_head
    full = replace(shape, windows=())
    cases = [
        Mistake("decimal and binary units mixed up", "GiB printed as GB", right * 10**9 / 2**30, right),
        Mistake("one row instead of a key and a value", "1 instead of 2", right // 2, right),
    ]
    if shape.latent:
        expanded = bytes_of(n_tokens * batch * shape.n_layer * shape.n_head * (shape.d_head + shape.d_v), bits)
        cases[1] = Mistake("a factor 2 where key and value share one latent", "2 instead of 1", 2 * right, right)
        cases.append(Mistake("all heads’ keys and values instead of the latent", f"{shape.n_head} heads", expanded, right))
    else:
        whole = replace(shape, n_kv_head=shape.n_head).kv_bytes(n_tokens, batch, bits)
        derived = replace(shape, d_head=d_derived, d_v=d_derived).kv_bytes(n_tokens, batch, bits) if d_derived else right
        cases += [
            Mistake(
                "query heads where key/value heads are meant", f"{shape.n_head} heads instead of {shape.n_kv_head}", whole, right
            ),
            Mistake("head width derived as d_model / n_head", f"{d_derived} instead of {shape.d_head}", derived, right),
        ]
    cases.append(Mistake("windows ignored", "every layer sees every token", full.kv_bytes(n_tokens, batch, bits), right))
    return tuple(m for m in cases if m.wrong_bytes != m.right_bytes)
