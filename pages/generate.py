"""Generate, with the clock running: one answer behind a cache and without, timed, compared, and its cache as it fills."""

from engine import KVCache, decode_step, recompute
from engine.race import Race
from pages.parts import compared_view, generate_controls, generate_view
from pages.parts.lesson import lead, lesson
from pages.parts.look import presenting

run = generate_view.current()


def clock() -> None:
    if not presenting():
        lead(
            "One trained model writes one answer twice: with a cache, and from all tokens again for every word. A clock runs.",
            "prefill", "decode", "KV cache", "TTFT", "TPOT",
        )  # fmt: skip
    generate_controls.controls(run)
    generate_view.live(run)


def ask_same() -> None:
    compared_view.ask_same(run)


def same() -> None:
    compared_view.same(run)


def filling() -> None:
    generate_view.filling(run)


def ask_layers() -> None:
    compared_view.ask_layers(run)


def layers() -> None:
    compared_view.layers(run)


lesson(
    "What does the cache save, on the clock?",
    clock,
    ask_same,
    same,
    filling,
    ask_layers,
    layers,
    source=(Race, KVCache, decode_step, recompute),
    toy=False,
)
