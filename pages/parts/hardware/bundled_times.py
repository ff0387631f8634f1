"""The bundled trained model as the hardware lessons use it: its shape, and its times on this machine, measured once each."""

from engine.config_json.block_style import Style
from engine.cost import ModelShape
from engine.timing.one_answer import TimedAnswer, time_answer
from engine.trained.bundled import bundled
from engine.trained.transformer import Transformer
from pages.parts.sharing.fair_lock import FairLock
from pages.parts.sharing.results import ResultStore

MOST_PROMPT, MOST_GENERATED = 32, 16  # a twentieth of a second of measuring on a laptop
TEXT = "Today 's weather is so"
TRIES = 3  # of a measurement that others disturbed
BITS = 32  # of a weight and of a cached number, as NumPy computes
_ONE_AT_A_TIME = FairLock()
_TIMES = ResultStore(100_000)  # beside the other results, which visitors may replace: a time that was shown stays; 30 pairs


def model() -> Transformer:
    """The trained model that comes with the program, without the maps that a lesson on time does not show."""
    return bundled().variant(keep=False)


def shape() -> ModelShape:
    """Its shape, for the formulas that serve the large models."""
    c = model().config
    return ModelShape(
        "The trained model", c.n_layer, c.d_model, c.n_head, c.n_kv_head, c.d_head, c.d_ff, c.n_vocab, c.n_ctx,
        style=Style(tied=c.tied), source="trained by this project on its own stories",
    )  # fmt: skip


def times(n_prompt: int, n_generated: int) -> TimedAnswer:
    """Measured times for at most so many tokens: each is rounded down to a power of two, so that a process measures few pairs."""
    pair = _power(min(n_prompt, MOST_PROMPT)), _power(min(n_generated, MOST_GENERATED))
    return _TIMES.get(pair, lambda: _measured(*pair), lambda _: 1000)


def _measured(n_prompt: int, n_generated: int) -> TimedAnswer:
    trained = model()
    ids = list(trained.tokenizer.encode(TEXT))
    with _ONE_AT_A_TIME:
        for _ in range(TRIES):
            timed = time_answer(trained, (ids * n_prompt)[:n_prompt], n_generated)
            if timed.clear or n_generated == 1:  # one token is the same pass both ways
                break
    return timed


def _power(n: int) -> int:
    """The largest power of two that is not above n."""
    return 1 << (n.bit_length() - 1)
