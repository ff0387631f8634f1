"""What serves: a model on devices, how many sequences and tokens a step may have, and the blocks of cache that there is room for.

A block has room for the keys and values of 16 tokens in all layers, also of layers that look back a window only (vLLM without
its hybrid cache manager). One instance is a copy of the model on n_devices; several instances take requests in turn.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from engine.cost.desk.answers import USABLE
from engine.cost.devices import Device
from engine.cost.memory import activation_bytes
from engine.cost.mixed_passes import PassTimes
from engine.cost.shapes.checked import check_count
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.tensor_parallel import all_kv_bytes
from engine.cost.units import binary_bytes
from engine.serving.scheduler.blocks import BLOCK

MOST_BATCH = 1024  # sequences of a step
MOST_BATCHED = 2**17  # tokens of a step
MOST_INSTANCES = 64
MOST_BLOCKS = 2**40  # where a block takes no bytes


@dataclass(frozen=True)
class Setup:
    """max_batch: sequences at once; max_batched_tokens: new tokens in a step. The defaults were vLLM's (its issue 4603).

    memory_bytes: for the cache of one instance; None: what weights and activations leave of the `usable` share of its devices'
    memory, less what the program keeps for itself on each (`reserved_bytes`), as in engine.cost.memory.
    n_instances: copies of the model. For the policy "disaggregated" they are n_prefill + n_decode instead, and a prompt's cache
    moves from one to the other at link_bytes_per_s. Raises ValueError for numbers out of range, and where nothing fits.
    """

    shape: ModelShape
    device: Device
    n_devices: int = 1
    max_batch: int = 128
    max_batched_tokens: int = 2048
    memory_bytes: int | None = None
    usable: float = USABLE
    reserved_bytes: int = 0
    weight_bits: float = 16
    kv_bits: float = 16
    n_instances: int = 1
    n_prefill: int = 1
    n_decode: int = 1
    link_bytes_per_s: float = 25e9
    prefix_caching: bool = True

    def __post_init__(self):
        check_count("max_batch", self.max_batch, most=MOST_BATCH)
        check_count("max_batched_tokens", self.max_batched_tokens, least=self.max_batch, most=MOST_BATCHED)
        for name in ("n_devices", "n_instances", "n_prefill", "n_decode"):
            check_count(name, getattr(self, name), most=MOST_INSTANCES)
        if not 0 < self.link_bytes_per_s < math.inf:
            raise ValueError(f"link_bytes_per_s: expected a positive number, got {self.link_bytes_per_s}")
        if not 0 < self.usable <= 1:
            raise ValueError(f"usable: expected a share of the memory, more than 0 and at most 1, got {self.usable}")
        check_count("reserved_bytes", self.reserved_bytes, least=0, most=2**60)
        if self.memory_bytes is not None:
            check_count("memory_bytes", self.memory_bytes, most=2**60)
        if self.n_blocks < 1:
            raise ValueError(
                f"expected memory for at least one block of {BLOCK} tokens, {binary_bytes(self.block_bytes)}, beside the weights, "
                f"got {binary_bytes(max(self.cache_room, 0))}"
            )

    @cached_property
    def block_bytes(self) -> int:
        """Of 16 tokens in all layers, on all devices of an instance: what several of them keep twice is counted twice."""
        return all_kv_bytes(self.shape, 1, BLOCK, self.kv_bits, self.n_devices)

    @cached_property
    def cache_room(self) -> int:
        """Bytes for blocks in one instance; negative where the weights alone are too many."""
        if self.memory_bytes is not None:
            return self.memory_bytes
        taken = self.shape.weight_bytes(self.weight_bits) + self.shape.state_bytes(self.max_batch)
        taken += activation_bytes(self.shape, self.max_batched_tokens, self.max_batch) + self.n_devices * self.reserved_bytes
        return int(self.device.memory_bytes * self.n_devices * self.usable) - taken

    @cached_property
    def n_blocks(self) -> int:
        """Blocks of one instance. A model that keeps states of constant size alone needs none, and has as many as it likes."""
        return self.cache_room // self.block_bytes if self.block_bytes else MOST_BLOCKS

    @property
    def most_tokens(self) -> int:
        """Of one prompt and its answer: what the blocks hold, and what the model can read."""
        room = self.n_blocks * BLOCK
        return room if self.shape.n_ctx is None else min(room, self.shape.n_ctx)

    @cached_property
    def times(self) -> PassTimes:
        return PassTimes(self.shape, self.device, self.n_devices, self.weight_bits, self.kv_bits)

    def transfer_s(self, n_tokens: int) -> float:
        """Seconds for moving the cache of so many tokens from one instance to another, copies left behind."""
        return self.shape.kv_bytes(n_tokens, 1, self.kv_bits) / self.link_bytes_per_s
