"""A chat of two turns with a trained model, run as it is and with a clock time before or behind the first message."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.caches.prefix_runs import PrefixRun, SecondTurn, second_turn
from engine.trained.tokenizer import WordTokenizer
from pages.parts.controls.shared_parameters import BLOCK, G
from pages.parts.sharing.shared_work import ThisRun
from pages.parts.trained import model, prompt
from pages.parts.trained.model import MOST_CHARS, Trained
from pages.parts.trained.prompt import Prompt
from pages.parts.visit.parameters import Text

NEXT = Text("next", most_chars=MOST_CHARS)
FIRST_MESSAGE, NEXT_MESSAGE = "Anna has a red kite. Ben has a blue boat. Anna has a", "And Ben has a"
ANSWER = {"high": 12, "default": 4}  # words of it, within which a control is
WORDS_OF_TIME, DIGITS_OF_TIME = ("seven", "eight"), ("07:00", "08:00")
MOST_TIME = 8  # tokens that a clock time may take


@dataclass(frozen=True, eq=False)
class Way:
    """One way to write the chat. again: the first message as the second turn repeats it; result: None as long as it runs."""

    again: tuple[int, ...]
    result: SecondTurn | None

    @property
    def turn(self) -> PrefixRun:
        """The second turn, once it has run."""
        return self.result.turn


@dataclass(frozen=True, eq=False)
class Chat:
    """The chat that the link describes. message: what follows at the second turn, without a mark of the beginning."""

    trained: Trained
    first: Prompt
    message: Prompt
    n_words: int
    block_size: int
    work: ThisRun = field(default_factory=ThisRun)

    @property
    def times(self) -> tuple[str, str]:
        """A clock time at the first turn and at the second, as this model can read it."""
        tokenizer = self.trained.model.tokenizer
        return ("0", "1") if tokenizer is None else WORDS_OF_TIME if isinstance(tokenizer, WordTokenizer) else DIGITS_OF_TIME


def given() -> tuple[Chat]:
    """The chat that the link describes, within what the model has room for."""
    trained = model.current()
    first, message = (prompt.read(trained, text) for text in texts(trained))
    room = model.most_tokens(trained.model)
    n_words = min(G.value(**ANSWER), max(1, (room - len(first.ids)) // 3))
    most = max(0, room - len(first.ids) - n_words - 2 * MOST_TIME)
    marks = n_marks(trained, message.ids)
    ids, words = message.ids[marks:], message.words[marks:]
    cut = Prompt(ids[:most], words[:most], message.unknown, message.left_out + max(0, len(ids) - most))
    return (Chat(trained, first, cut, n_words, BLOCK.value()),)


def n_marks(trained: Trained, ids: Sequence[int]) -> int:
    """How many of the tokens mark a beginning and are no text: one or none."""
    return int(ids[0] == trained.model.config.bos_id and len(ids) > 1)


def texts(trained: Trained) -> tuple[str, str]:
    """The first message and the next one, as text."""
    if trained.model.tokenizer is None:
        usual = prompt.default(trained)
        return model.PROMPT.text() or usual, NEXT.text() or " ".join(usual.split()[-4:])
    return model.PROMPT.text() or FIRST_MESSAGE, NEXT.text() or NEXT_MESSAGE


def time_ids(c: Chat, time: str) -> tuple[int, ...]:
    """A clock time as tokens."""
    ids = prompt.read(c.trained, time).ids
    return ids[n_marks(c.trained, ids) :][:MOST_TIME]


def stamped(c: Chat, time: str) -> tuple[int, ...]:
    """The first message with a clock time before its text."""
    marks = n_marks(c.trained, c.first.ids)
    return (*c.first.ids[:marks], *time_ids(c, time), *c.first.ids[marks:])


def has_room(c: Chat) -> bool:
    """Whether there is a next message, and room for a second turn behind it."""
    return bool(c.message.ids) and 2 * MOST_TIME + len(c.first.ids) <= model.most_tokens(c.trained.model)


def run_way(c: Chat, first: tuple, again: tuple, after: tuple, answer: tuple = ()) -> Way:
    """Both turns in one way, as far as this run of the page may go. All are token ids; answer: said instead of the likeliest."""
    asked = first, c.n_words, again, after, c.block_size, answer
    job = c.trained.job(
        "second turn", *asked, steps=lambda: second_turn(c.trained.model.variant(keep=False), *asked), n_steps=c.n_words + 2,
        n_bytes=5000 + 16 * c.trained.model.n_vocab,
    )  # fmt: skip
    return Way(again, c.work.result(job, "The two turns"))


def ways(c: Chat, stamped_too: bool) -> dict[str, Way] | None:
    """The chat as it is, and, where asked for, with a clock time first and last; None until all is there."""
    plain = run_way(c, c.first.ids, c.first.ids, c.message.ids)
    results = {"kept": plain}
    if stamped_too and plain.result:
        answer, (earlier, later) = plain.result.answer_ids, c.times
        results["first"] = run_way(c, stamped(c, earlier), stamped(c, later), c.message.ids, answer)
        behind = (*c.first.ids, *time_ids(c, earlier))
        results["last"] = run_way(c, behind, behind, (*c.message.ids, *time_ids(c, later)), answer)
    return None if any(way.result is None for way in results.values()) else results
