"""What a transformer does to each token on its own: linear maps, norms and activations. Only attention lets tokens meet.

Every array is (…, width), one row a token. float32 in, float32 out: a single NumPy float64 scalar in a formula would promote
everything after it and make decode tens of times slower, so constants here are Python floats, which promote nothing.
"""

import math
from dataclasses import dataclass

import numpy as np

GELU_SLOPE = math.sqrt(2 / math.pi)
BLOCK_ELEMENTS = 1 << 16  # an activation works on blocks of this many elements, which stay in a core's own cache


@dataclass(frozen=True, eq=False)
class Linear:
    """A learned linear map. w: (d_out, d_in), so that one output is a product of two contiguous rows; b: (d_out,) or None."""

    w: np.ndarray
    b: np.ndarray | None = None

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """x wᵀ + b: (n, d_in) -> (n, d_out)."""
        y = x @ self.w.T
        if self.b is not None:
            y += self.b
        return y


@dataclass(frozen=True, eq=False)
class Norm:
    """Brings a row to unit size, then multiplies by learned gains. With a bias it is LayerNorm, which first takes the mean off;
    without one it is RMSNorm. gain, bias: (d_model,)."""

    gain: np.ndarray
    bias: np.ndarray | None
    eps: float

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """(…, width) -> (…, width). The variance divides by the width, not by width − 1."""
        if self.bias is not None:
            x = x - np.add.reduce(x, axis=-1, keepdims=True) / x.shape[-1]
        y = x / np.sqrt(mean_square(x) + self.eps)
        y *= self.gain
        if self.bias is not None:
            y += self.bias
        return y


def mean_square(x: np.ndarray) -> np.ndarray:
    """The mean of a row's squares, without an array of the squares: (…, width) -> (…, 1)."""
    return np.vecdot(x, x)[..., None] / x.shape[-1]


def gelu(x: np.ndarray) -> np.ndarray:
    """GELU by its tanh formula, in place: x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))). GPT-2 was trained with it, not with erf.

    x·x·x and not x**3, which goes through a general power in float32 and takes ninety times as long.
    """
    u = x * x
    u *= x
    u *= 0.044715
    u += x
    u *= GELU_SLOPE
    np.tanh(u, out=u)
    u += 1
    u *= 0.5
    x *= u
    return x


def silu_gate(x: np.ndarray) -> np.ndarray:
    """SwiGLU's product (Shazeer 2020), in place: of a row (gate, up) it makes gate / (1 + e^−gate) · up, half as wide.

    e^−gate may overflow to ∞ for a very negative gate; the quotient is then the −0 it should be.
    """
    gate, up = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    with np.errstate(over="ignore"):
        u = np.exp(-gate)
    u += 1
    gate /= u
    gate *= up
    return gate


def in_blocks(activation, x: np.ndarray) -> np.ndarray:
    """`activation`, which works in place, over blocks of rows that fit a core's cache; the same result as in one go."""
    rows = max(1, BLOCK_ELEMENTS // x.shape[-1])
    if len(x) <= rows:
        return activation(x)
    for start in range(0, len(x), rows):
        y = activation(x[start : start + rows])
    return x[:, : y.shape[-1]]
