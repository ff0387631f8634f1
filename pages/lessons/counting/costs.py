"""What the cache costs: bytes for every token of a real model, multiplied out, and the time to read them at every step."""

from dataclasses import replace

from engine.cost import DEVICES, MODELS, compute_s, decimal_bytes, decode_flops, tpot_s, weight_read_bytes
from engine.cost.multiplication import Factor, kv_factors
from engine.toy.scenario import Scenario
from pages.lessons.counting.figures.one_step_reads import one_step_reads
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware.setup import CONTEXT
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, question_and_takeaway, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.amounts import factor_name, milliseconds
from pages.parts.text.format import number, quantity
from pages.parts.visit.display import presenting

REAL, BITS, DEVICE = MODELS["Llama-3.1-8B"], 16, DEVICES["H100 SXM"]
CHIP = DEVICE.name.split()[0]
CHAT = 8192  # tokens of a long conversation
CHATS = (1, 128, 1024, CHAT, 32_768, 131_072)
LEFT_OUT = 8  # times as long as those that are shown is the longest conversation, until what it keeps has been asked
IN_WORDS = {"KV heads": "key/value heads", "head width": "numbers a head"}  # as a reader knows them by then
GUESSES = (0.01, 0.1, 1, 10)  # of the true size: what there is to choose from


def tokens() -> int:
    """Of the conversation that is shown: those chosen here or in a lesson on hardware."""
    return CONTEXT.value(high=_most_shown(), default=CHAT)


def _most_shown() -> int:
    """Tokens of the longest conversation that is shown: all that the model was trained for, once what they keep has been asked."""
    return REAL.n_ctx if longest_question(CHAT).answered else REAL.n_ctx // LEFT_OUT  # drawn to its end it would answer


@step(
    "What it costs",
    minutes=4,
    ask="Which of the factors does a longer conversation change? Which could the builders of the model have chosen smaller?",
    wrong={
        "The heads are those of the queries": (
            "several query heads share one key and value here: it is the key/value heads that count"
        ),
        "Only the new row is read": "one row is written, but the new query meets every kept key, so all are read at every step",
    },
    in_story={
        "ask": "A longer conversation: which of the two grows, keys and values or the parameters? And how far?",
        "wrong": {},
    },
)
def costs(s: Scenario, p: int, g: int) -> None:
    """The multiplication and the bar of one decode step, for a conversation of the reader's length."""
    story = routes.chosen() == routes.STORY
    lead(
        f"What is kept fills memory: in a real model, {REAL.name}, a token has {REAL.n_kv_head} keys and {REAL.n_kv_head} values of "
        f"{REAL.d_head} numbers in each of {REAL.n_layer} **layers**."
        if story
        else f"A real model, {REAL.name}, runs {REAL.n_layer} **layers** one after another, each with attention of its own. In each "
        f"of them a token has {REAL.n_kv_head} keys and {REAL.n_kv_head} values, one for each **key/value head**.",
        "KV cache",
        "GQA",
    )
    shown = here_on_a_phone()
    most = _most_shown()
    n = CONTEXT.stops("Tokens in the conversation", [c for c in CHATS if c <= most], CHAT, most, keep_default=True)
    question = longest_question(n)
    factors = sorted(_factors(n), key=lambda f: f.what == "tokens")  # what one token takes, then so many of them
    cache, weights = REAL.kv_bytes(n, bits=BITS), weight_read_bytes(REAL, bits=BITS)
    alt = (
        f"KV cache of {REAL.name}: {' times '.join(f'{f.value:,.0f} {factor_name(f)}' for f in factors)} is {cache:,} bytes. "
        f"One decode step reads {decimal_bytes(weights)} of parameters and {decimal_bytes(cache)} of keys and values."
    )
    longest = REAL.kv_bytes(REAL.n_ctx, bits=BITS)
    with shown:
        plot(one_step_reads(sheet(), factors, weights, longest, question.answered, guessed(question)), alt, "one_step_reads")
        tell, said = (question_then_takeaway, _costs_in_short()) if story else (question_and_takeaway, _costs(n))
        tell(question, "costs", said, _by_hand(n, cache + weights, weights), widths=(1.35, 1))


def _factors(n: int) -> list[Factor]:
    """What the bytes of a conversation of n tokens are multiplied from, as a reader knows them by then."""
    return [replace(f, what=IN_WORDS.get(f.what, f.what)) for f in kv_factors(REAL, n, bits=BITS) if f.what != "sequences"]


def longest_question(n: int) -> Question:
    """How much the longest conversation keeps: the size and three that are wrong by powers of ten. n: tokens of the one that is shown."""
    parameters, longest = weight_read_bytes(REAL, bits=BITS), REAL.kv_bytes(REAL.n_ctx, bits=BITS)
    product, longer = f"{decimal_bytes(REAL.kv_bytes_per_token(BITS))} × {REAL.n_ctx:,} tokens", number(REAL.n_ctx / n, 2)
    if n < REAL.n_ctx:
        product = f"{longer} times the {quantity(n, 'token')} above: {product}"  # 16 × 1.07 GB is another number
    return Question(
        "longest",
        f"A step reads {decimal_bytes(parameters)} of parameters. How much are the keys and values of the longest conversation, "
        f"{REAL.n_ctx:,} tokens?",
        decimal_bytes(longest),
        f"{product}. That is {number(longest / parameters, 2)} times the parameters"
        f"{': **the cache outgrows the model**' * (longest > parameters)}.",
        options=tuple(decimal_bytes(longest * guess) for guess in GUESSES),
    )


def guessed(question: Question) -> float | None:
    """The bytes that were guessed, once that is answered and if they are others than the true ones: these are drawn anyway."""
    if not question.answered or question.guess in (None, question.answer) or question.guess not in question.options:
        return None
    return REAL.kv_bytes(REAL.n_ctx, bits=BITS) * GUESSES[question.options.index(question.guess)]


def _costs(n: int) -> str:
    """Memory and time, and what either hangs on; on a projector the time alone, as the figure says the rest."""
    empty, full = (milliseconds(tpot_s(REAL, length, DEVICE)) for length in (0, n))
    at, times = f"At {quantity(n, 'token')} a server’s", f"for at least **{full}** a step, with an empty cache for {empty}"
    if presenting():
        return f"{at} chip ({CHIP}) **reads** {times}."
    arithmetic = milliseconds(compute_s(decode_flops(REAL, n), DEVICE))
    return f"{at} graphics chip ({CHIP}) reads {times}; the arithmetic alone takes **{arithmetic}**."


def _costs_in_short() -> str:
    """One message for the story: what it takes to read all that is kept."""
    empty, full = (milliseconds(tpot_s(REAL, length, DEVICE)) for length in (0, REAL.n_ctx))
    return (
        f"Every next word **reads all of it**, beside the parameters: that takes a server’s chip ({CHIP}) at least {empty} in a short "
        f"conversation, and **{full}** at the end of the longest."
    )


def _by_hand(n: int, read: float, weights: float) -> str:
    """Where the bytes and the time come from. read: bytes of a step behind n tokens, weights: those of parameters."""
    total = REAL.n_params * BITS / 8
    return (
        f"{REAL.n_params:,} parameters of {BITS // 8} bytes are {decimal_bytes(total)}; of them a step does not read "
        f"{decimal_bytes(total - weights)}, the table in which each token looks up one row. {DEVICE.name}, a graphics processor for "
        f"servers, reads {decimal_bytes(DEVICE.bytes_per_s)} a second: at {quantity(n, 'token')} {decimal_bytes(read)} "
        f"take {milliseconds(read / DEVICE.bytes_per_s)}. Nothing else is counted, so a real step takes longer."
    )
