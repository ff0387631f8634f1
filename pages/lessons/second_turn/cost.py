"""What the input of a chat costs at the visitor's prices: its beginning kept, something changed first, nothing kept."""

from dataclasses import dataclass

import streamlit as st

from engine.caches.chat_turns import Turn, chat_turns, cost, reads_to_pay
from pages.lessons.second_turn.chat import Chat
from pages.lessons.second_turn.figures.turn_costs import part_or_times, turn_costs
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, question_and_takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import money
from pages.parts.text.digits import told_apart
from pages.parts.text.format import plural, quantity
from pages.parts.visit.parameters import Real, Whole

TURNS = Whole("turns", low=1, high=60, default=12)
SYSTEM = Whole("system", low=0, high=200_000, default=4000)
MESSAGE = Whole("message", low=1, high=50_000, default=100)
ANSWER = Whole("reply", low=1, high=50_000, default=300)
# Prices for a million tokens, in whatever money; the first numbers are an example and nobody's.
READ = Real("price_read", high=1000.0, default=0.1)
WRITE = Real("price_write", high=1000.0, default=1.25)
FRESH = Real("price_fresh", high=1000.0, default=1.0)
STOPS = (
    (TURNS, "Turns", (1, 2, 4, 8, 12, 20, 40, 60)),
    (SYSTEM, "Instructions, tokens", (0, 500, 2000, 4000, 10_000, 50_000)),
    (MESSAGE, "A message, tokens", (20, 100, 500, 2000)),
    (ANSWER, "An answer, tokens", (50, 300, 1000, 4000)),
)
STORED = 128  # tokens of a block, as services that sell this count them: the answer hardly depends on it
ALIKE = 1e-9
COUNTED = (
    "The prices to begin with are an example; type your own. Input only: the answers cost the same in all three. "
    f"Counted in blocks of {STORED} tokens; many services keep nothing below a thousand or so. An answer is written with "
    "the turn after it; a server that keeps what it has decoded saves that too. All this as if each turn came in time, "
    "to a machine that still has the blocks: they are dropped after minutes or hours, or when room is needed."
)
OPTIONS = ("at once", "after 1 reading", "after 2", "after 3 or more", "never")
NOT_FOR_LONG = "at once, but each reading loses some of it"


@dataclass(frozen=True)
class Bill:
    """A chat at the visitor's prices. turns: by the way it is sent."""

    turns: dict[str, tuple[Turn, ...]]
    prices: tuple[float, float, float]

    def total(self, way: str) -> float:
        """The input of all turns."""
        return cost(self.turns[way], *self.prices)


def bill() -> Bill:
    sizes = TURNS.value(), SYSTEM.value(), MESSAGE.value(), ANSWER.value()
    turns = {way: chat_turns(*sizes, STORED, way) for way in ("kept", "changed first", "nothing kept")}
    return Bill(turns, (READ.value(), WRITE.value(), FRESH.value()))


@step(
    "What it costs",
    minutes=5,
    ask="Which of the three bills is the largest? Find a price that makes it another one.",
    wrong={
        "at once": "right only where writing costs less than fresh input and reading no more: otherwise somebody must read what was stored",
        "never": "right only where neither writing nor reading costs less than fresh input",
        "More readings than that": (
            "the first turn is forgotten on the other side: without storing, its tokens have their price there too"
        ),
    },
)
def costs(c: Chat) -> None:
    """Sizes and prices, the bill of each turn in three ways, and which is the cheapest."""
    lead("Every turn sends the whole chat once more: is it always cheaper to store its beginning than to keep nothing?")
    picture, asked = st.container(), here_on_a_phone()
    with st.popover("Sizes and prices", icon=":material/tune:", key="second_turn_prices"):
        for parameter, label, choices in STOPS:
            parameter.stops(label, choices)
        for parameter, label in ((READ, "read"), (WRITE, "written"), (FRESH, "fresh")):
            parameter.typed(f"Price of a million tokens {label}")
    b = bill()
    question = pays_question(b)
    told = Asked(OPTIONS, guess=str(question.guess or ""), right=str(question.answer)) if question.answered else NOT_ASKED
    with picture:
        figure = turn_costs(sheet(0.95, slide_zoom=0.9, high=352, slide_high=420), b.turns, b.prices, told, _compared(b))
        plot(figure, in_words(b) + f" Storing has paid: {question.answer}." * question.answered, "turn_costs")
    with asked:
        question_and_takeaway(question, "cost", in_short(b), help=COUNTED, widths=(1, 1.35), takeaway_first=True)


def in_words(b: Bill) -> str:
    """The figure for those who do not see it."""
    said = ", ".join(f"{way} {money(b.total(way))}" for way in b.turns)
    return f"Cost of the input of {quantity(len(b.turns['kept']), 'turn')}: {said}. {_compared(b)}."


def in_short(b: Bill) -> str:
    """The three totals and what makes them."""
    kept, _, nothing = (b.total(way) for way in b.turns)
    turns = b.turns["kept"]
    n, n_input, n_read = len(turns), sum(t.n_input for t in turns), sum(t.read for t in turns)
    than = f", {' '.join(part_or_times(kept, nothing))}the {money(nothing)} with nothing kept" if nothing else ""
    return (
        f"{quantity(n, 'turn')} {plural(n, 'brings', 'bring')} in {quantity(n_input, 'token')}; with the beginning kept "
        f"{n_read:,} are only read: **{money(kept)}**{than}."
    )


def _compared(b: Bill) -> str:
    """The changed beginning against nothing kept, in few words."""
    _, changed, nothing = (b.total(way) for way in b.turns)
    than = "as much as" if abs(changed - nothing) <= ALIKE else "more than" if changed > nothing else "less than"
    return f"A changed beginning costs {than} nothing kept"


def pays_question(b: Bill) -> Question:
    """How often must a stored beginning be read before storing it has paid?"""
    read, write, fresh = b.prices
    n, options = reads_to_pay(*b.prices), OPTIONS
    answer = options[-1] if n is None else options[min(n, 3)]
    if n == 0 and read > fresh:
        answer = NOT_FOR_LONG
        options = (*options, answer)
    if n is None:
        why = f"Read they cost {money(read)}, fresh {money(fresh)}: reading saves nothing, so storing never pays."
    elif answer == NOT_FOR_LONG:
        why = (
            f"Written they cost {money(write)}, fresh {money(fresh)}: storing alone is cheaper. But read they cost {money(read)}, so "
            f"each reading loses {money(read - fresh)}."
        )
    elif n == 0:
        why = f"Written they cost {money(write)}, fresh {money(fresh)}: here even storing is cheaper than not storing."
    else:
        sums, often = (write + n * read, (n + 1) * fresh), "once" if n == 1 else f"{n:,} times"
        stored, again = map(money, sums) if money(sums[0]) != money(sums[1]) else told_apart(*sums)
        why = (
            f"Stored and read {often}: {money(write)} + {n:,} × {money(read)} = {stored}; fresh every time: "
            f"{n + 1:,} × {money(fresh)} = {again}. Stored and never read, they cost more than not stored."
            if write > fresh
            else f"Storing costs nothing extra here, so the first reading already saves {money(fresh - read)}."
        )
    prices = f"{money(read)} read, {money(write)} written, {money(fresh)} fresh"
    return Question("pays_after", f"A million tokens: {prices}. When has storing a beginning paid?", answer, why, options=options)
