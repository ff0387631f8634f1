"""Multi-head latent attention, small and exact: one short latent and one rotary key a token instead of keys and values a head.

DeepSeek-V2 (2024) keeps for each token c = W_down x, a few hundred numbers, and a rotary key shared by all heads. Keys and
values are what matrices make of c, so either they are made again from it, or the matrices move to the other side:

    q · (W_k c) = (W_kᵀ q) · c          weights @ (W_v c) = W_v (weights @ c)

The right sides never form a key or a value: attention runs on the latents as if they were one key and one value for all heads.
The rotary part must stay apart, because a rotation between q and W_k would depend on both positions and could not be absorbed.
"""

from dataclasses import dataclass

import numpy as np

from engine.attention import Attention, attention, causal_mask


@dataclass(frozen=True, eq=False)
class LatentAttention:
    """One layer's matrices: queries (n_head, d_model, d_nope), (n_head, d_model, d_rope); down to the latent (d_model, d_latent)
    and to the rotary key (d_model, d_rope); up to keys and values (n_head, d_latent, d_nope), (n_head, d_latent, d_v).
    """

    q_nope: np.ndarray
    q_rope: np.ndarray
    down: np.ndarray
    k_rope: np.ndarray
    up_k: np.ndarray
    up_v: np.ndarray

    @classmethod
    def random(
        cls, n_head: int = 4, d_model: int = 32, d_latent: int = 12, d_nope: int = 8, d_rope: int = 4, d_v: int = 8, seed: int = 0
    ) -> "LatentAttention":
        """Matrices drawn with `seed`, scaled so that scores stay near 1."""
        rng = np.random.default_rng(seed)
        down = [(n_head, d_model, d_nope), (n_head, d_model, d_rope), (d_model, d_latent), (d_model, d_rope)]
        up = [(n_head, d_latent, d_nope), (n_head, d_latent, d_v)]
        return cls(*(rng.normal(size=shape) / shape[-2] ** 0.5 for shape in down + up))

    @property
    def floats_per_token(self) -> int:
        """What a token leaves in the cache: the latent and one rotary key, no factor of 2 and no heads."""
        return self.down.shape[1] + self.k_rope.shape[1]

    def compress(self, x: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the cache keeps of tokens x (n, d_model): latents (n, d_latent) and turned rotary keys (n, d_rope)."""
        return x @ self.down, rotated(x @ self.k_rope, positions)

    def expanded(self, x: np.ndarray, positions: np.ndarray, latents: np.ndarray, rotary: np.ndarray) -> Attention:
        """Queries of x over cached tokens, unabsorbed: keys and values of every head are made from the latents."""
        n_head, n = len(self.up_k), len(latents)
        q = np.concatenate(self._queries(x, positions), axis=-1)
        k = np.concatenate([latents @ self.up_k, np.broadcast_to(rotary, (n_head, *rotary.shape))], axis=-1)
        return attention(q, k, latents @ self.up_v, causal_mask(len(x), n - len(x)))

    def absorbed(self, x: np.ndarray, positions: np.ndarray, latents: np.ndarray, rotary: np.ndarray) -> Attention:
        """The same on the latents themselves: one key and one value for all heads, no key or value of a head is formed.

        Law: scores, weights and contexts are those of `expanded`.
        """
        q_nope, q_rope = self._queries(x, positions)
        q = np.concatenate([q_nope @ self.up_k.swapaxes(1, 2), q_rope], axis=-1)
        # attention divides by the width of what it is given; the scale belongs to the keys that were absorbed.
        q *= (q.shape[-1] / (q_nope.shape[-1] + q_rope.shape[-1])) ** 0.5
        k = np.concatenate([latents, rotary], axis=-1)[None]
        seen = attention(q, k, latents[None], causal_mask(len(x), len(latents) - len(x)))
        return Attention(seen.q, seen.k, seen.v, seen.scores, seen.mask, seen.weights, seen.context @ self.up_v)

    def _queries(self, x: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n_head, n_new, d_nope) and, turned, (n_head, n_new, d_rope)."""
        return x @ self.q_nope, rotated(x @ self.q_rope, positions)


def rotated(x: np.ndarray, positions: np.ndarray, theta: float = 10000.0) -> np.ndarray:
    """Rotary positions on neighbouring pairs, as complex numbers: entry pair i turns by position · θ^(−2i / d). (…, n, d)"""
    d = x.shape[-1]
    angles = np.multiply.outer(positions, theta ** (-np.arange(0, d, 2) / d))  # (n, d / 2)
    pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)
