"""The second turn of a chat: prompt, answer and next message, what of it was kept, and what a clock time in front takes away."""

from dataclasses import replace
from functools import partial

import streamlit as st

from engine.caches.prefix_runs import n_common
from pages.lessons.second_turn.chat import ANSWER, NEXT, Chat, Way, has_room, n_marks, stamped, texts, time_ids, ways
from pages.lessons.second_turn.figures.turn_strips import Turn, turn_strips
from pages.parts.controls.shared_parameters import BLOCK, G
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked
from pages.parts.question.question import Question
from pages.parts.sharing.shared_work import ThisRun
from pages.parts.text.format import md, plural, quantity
from pages.parts.trained import compared_runs, model, prompt

KINDS = {"kept": "from the cache", "again": "said, but run", "prefill": "new"}


def _controls(c: Chat) -> None:
    """The first message, the answer's length, the next message, the block size."""
    offered = bool(model.folders())
    columns = iter(st.columns([2.6, 1, 1.4, 1, *([1] * offered)], vertical_alignment="bottom"))
    first, after = texts(c.trained)
    with next(columns):
        prompt.field(c.trained, "First message", model.PROMPT, first, "chat_prompt")
    with next(columns):
        G.slider("Words of the answer", **ANSWER)
    with next(columns):
        prompt.field(c.trained, "Next message", NEXT, after, "chat_next")
    with next(columns):
        BLOCK.slider("Tokens in a block")
    if offered:
        with next(columns):
            model.choose()


@step(
    "The second turn",
    minutes=6,
    ask="Which tokens run at the second turn although they were said before? Why these?",
    wrong={
        "All but the clock time itself": (
            "the cache is taken for a list of words: a block is found only where everything before it is the same too"
        ),
        "At least the answer, for the model wrote it itself": (
            "who wrote a token does not matter: its keys were made with the old time before them"
        ),
        "0 tokens": "right only where not one whole block lies before the change",
    },
)
def turn(c: Chat) -> None:
    """Both turns token by token; with a clock time once the question is answered."""
    lead("The next message comes behind the whole first turn. How much of that is still in the cache?")
    moving, (said, asked), under = st.container(), said_and_asked("turn", (1, 1.15)), st.container()
    with moving:  # first: it runs the turns, which the question looks at
        live(partial(_both_turns, under), c, said=said)
    with asked:
        ask_later(_asked, c)


def _both_turns(under: st.delta_generator.DeltaGenerator, c: Chat) -> str | tuple[str, str]:
    """The controls, in the place `under` the question, both turns as far as they have run, and what that comes to."""
    picture = st.container()
    with under:
        _controls(c)
    for one in (c.first, c.message):
        prompt.marks(c.trained, one)
    if not has_room(c):
        st.warning("This model has no room for a second turn behind this message: a shorter one may do.")
        return ""
    plain = ways(c, stamped_too=False)
    found = plain and ways(c, asked_and_answered("clock_first", clock_question, c, plain["kept"]))
    if found is None:
        c.work.say()
        return ""
    longest = len(found["kept"].turn.ids) + sum(len(time_ids(c, time)) for time in c.times)
    place = sheet(0.95, slide_zoom=0.92, high=294, slide_high=400)
    figure = turn_strips(place, strips(c, found), longest, c.block_size, *_in_a_line(found))
    with picture:
        plot(figure, in_words(found), "second_turn")
    return in_short(c, found), compared_runs.how_alike(c.trained, found["kept"].turn)


def _in_a_line(ways: dict[str, Way]) -> tuple[str, str | None]:
    """How much of the second turn comes from the cache, in few words; with the clock, what that takes away; and what a phone says."""
    if "first" in ways:
        first, last = (ways[way].turn.hit_tokens for way in ("first", "last"))
        return f"From the cache with the clock time first: {first}, last: {last}", None
    turn = ways["kept"].turn
    said = f"{turn.hit_tokens} of {quantity(len(turn.ids), 'token')} from the cache"
    return f"Second turn: {said}", said


def _asked(c: Chat) -> Question | None:
    """The question, once the second turn has run."""
    plain = ways(replace(c, work=ThisRun(0)), stamped_too=False) if has_room(c) else None
    return plain and clock_question(c, plain["kept"])


def strips(c: Chat, ways: dict[str, Way]) -> list[Turn]:
    """The first turn, then the second in each way."""
    first = ["prefill"] * len(c.first.ids) + ["new"] * len(ways["kept"].result.answer_ids)
    turns = [Turn("", first, {"prefill": "prompt", "new": "answer"})]
    for name, way in ways.items():
        turns.append(Turn(name, kinds(c, name, way), KINDS, where_times_stand(c, name, len(way.turn.ids))))
    if "first" not in ways:
        n = len(ways["kept"].turn.ids) + len(time_ids(c, c.times[1]))
        turns.append(Turn("first", [""] * n, {"": f"of {n} tokens"}, where_times_stand(c, "first", n)))
    return turns


def where_times_stand(c: Chat, name: str, n: int) -> list[tuple[str, range]]:
    """Which of the second turn's n tokens are of a clock time, and how it reads."""
    (earlier, later), (before, after) = c.times, (len(time_ids(c, time)) for time in c.times)
    if name == "kept":
        return []
    if name == "first":
        front = n_marks(c.trained, c.first.ids)
        return [(later, range(front, front + after))]
    return [(earlier, range(len(c.first.ids), len(c.first.ids) + before)), (later, range(n - after, n))]


def kinds(c: Chat, name: str, way: Way) -> list[str]:
    """What becomes of each token of the second turn."""
    turn, said = way.turn, len(way.again) + len(way.result.answer_ids)
    found = ["kept" if i < turn.hit_tokens else "again" if i < said else "prefill" for i in range(len(turn.ids))]
    if name == "first":
        before = stamped(c, c.times[0])
        for i in where_times_stand(c, name, len(found))[0][1]:
            if before[i : i + 1] != turn.ids[i : i + 1]:
                found[i] = "prefill"
    return found


def in_words(ways: dict[str, Way]) -> str:
    """The figure for those who do not see it."""
    named = {"kept": "as it is", "first": "with a clock time first", "last": "with a clock time last"}
    said = [
        f"{named[name]} {run.hit_tokens} of {len(run.ids)} tokens come from the cache and {run.computed_tokens} run"
        for name, run in ((name, way.turn) for name, way in ways.items())
    ]
    return f"The second turn of a chat: {'; '.join(said)}."


def in_short(c: Chat, ways: dict[str, Way]) -> str:
    """What ran; with the clock, what it took away."""
    if "first" in ways:
        if not ways["last"].turn.hit_tokens:
            return "No block is found either way: where the time stands matters once blocks are shorter or the chat is longer."
        return "What changes belongs at the end, and what was sent once is sent again unchanged."
    turn = ways["kept"].turn
    before = turn.computed_tokens - len(c.message.ids)
    rest = f" and {before} before it: the answer’s last word, which was never fed back" * (before > 0)
    rest += f", and {before - 1} whose block was not full" * (before > 1)
    text = (
        f"Only **{turn.computed_tokens}** of {quantity(len(turn.ids), 'token')} {plural(turn.computed_tokens, 'runs', 'run')}: the "
        f"{len(c.message.ids)} of the new message{rest}."
    )
    if not turn.hit_tokens:
        text = f"What was kept fills no block, so all {len(turn.ids)} tokens run."
    return text if compared_runs.only_rounding(turn) else f"{text} {compared_runs.how_alike(c.trained, turn)}"


def clock_question(c: Chat, plain: Way) -> Question:
    """A clock time in front: how many tokens of the second turn come from the cache?"""
    earlier, later = c.times
    front, again = stamped(c, earlier), stamped(c, later)
    common = n_common(front, again)
    hit = common // c.block_size * c.block_size
    n = len(again) + len(plain.result.answer_ids) + len(c.message.ids)
    several = f"Only the first {common} tokens are" if common else "Not even the first token is"
    return Question(
        "clock_first",
        f"Now each request begins with the clock time: “{md(earlier)}” at the first turn, “{md(later)}” at the second. How many "
        f"of the second turn’s {n} tokens come from the cache?",
        hit,
        f"{plural(common, 'Only the first token is', several)} the same, in blocks of {c.block_size}. A block is found only where all "
        "before it is the same too, because deeper layers make keys and values from all tokens before; that most words are equal does "
        "not help.",
        tolerance=0,
        unit="tokens",
        high=n,
    )
