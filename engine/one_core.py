"""A small model's passes stay on one core: its products are too short to be shared, and a busy machine makes sharing dear.

OpenBLAS spreads a product over the cores from some twenty rows on. Where the other core is busy, the product waits for it:
passes of a millisecond were seen to take fifty. On a server with a class at it, that is the usual case.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from engine.threads import one_core_a_product
from engine.transformer import Transformer

SMALL = 256  # d_model up to which one core is as fast as two


def on_one_core(model: Transformer) -> AbstractContextManager:
    """Inside it a small model's products use one core each; for a larger model it does nothing."""
    return one_core_a_product(model.d_model <= SMALL)
