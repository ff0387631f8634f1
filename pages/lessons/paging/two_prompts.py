"""The reader's own two prompts behind one prefix cache of a trained model: where they part, what is shared, what runs again."""

from dataclasses import dataclass, field

import streamlit as st

from engine.caches.prefix_runs import PrefixRun, n_common, prefix_runs
from engine.caches.prefixes import shared_tokens
from engine.toy.scenario import Scenario
from pages.lessons.paging.figures.shared_beginning import Lane, has_room, shared_beginning
from pages.lessons.paging.figures.token_strips import token_strips
from pages.parts.controls.shared_parameters import BLOCK
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.question.question import Question
from pages.parts.sharing.shared_work import ThisRun
from pages.parts.text.format import plural, quantity
from pages.parts.trained import compared_runs, model, prompt
from pages.parts.trained.model import MOST_CHARS, Trained
from pages.parts.trained.prompt import Prompt
from pages.parts.visit.parameters import Text

SECOND = Text("second", most_chars=MOST_CHARS)
DEFAULT_FIRST = "It is winter in Oslo. Today's weather is so"
DEFAULT_SECOND = "It is winter in Oslo. The soup is so"
COMMON = 3000  # tokens of a long beginning, in the example of the help
KINDS = {"prefill": "runs", "kept": "taken from the cache", "again": "the same token, but runs again"}


@dataclass(frozen=True, eq=False)
class Two:
    """Two prompts of one model; the first is there before the second comes, and then it comes once more."""

    trained: Trained
    first: Prompt
    second: Prompt
    block_size: int
    runs: tuple[PrefixRun, ...] | None
    work: ThisRun = field(default_factory=ThisRun)


def two() -> Two:
    """The link's prompts, run as far as this run of the page may."""
    trained, size = model.current(), BLOCK.value()
    first, second = (prompt.read(trained, text) for text in texts(trained))
    work, asked = ThisRun(), (first.ids, second.ids, first.ids)
    job = trained.job(
        "two prompts", asked, size, steps=lambda: prefix_runs(trained.model.variant(keep=False), asked, size), n_steps=6,
        n_bytes=5000 + 48 * trained.model.n_vocab,
    )  # fmt: skip
    return Two(trained, first, second, size, work.result(job, "The two prompts"), work)


def texts(trained: Trained) -> tuple[str, str]:
    """Both prompts as text."""
    if trained.model.tokenizer is None:
        usual = prompt.default(trained)
        ids = usual.split()
        return model.PROMPT.text() or usual, SECOND.text() or " ".join([*ids[: len(ids) // 2], *reversed(ids[len(ids) // 2 :])])
    return model.PROMPT.text() or DEFAULT_FIRST, SECOND.text() or DEFAULT_SECOND


def _controls(trained: Trained) -> None:
    """Two fields, the block size, the models on offer."""
    offered = bool(model.folders())
    columns = iter(st.columns([2.2, 2.2, 1.2, *([1.1] * offered)], vertical_alignment="bottom"))
    for label, parameter, text in zip(("First prompt", "Second prompt"), (model.PROMPT, SECOND), texts(trained), strict=True):
        with next(columns):
            prompt.field(trained, label, parameter, text, f"two_{parameter.name}")
    with next(columns):
        BLOCK.slider("Tokens in a block")
    if offered:
        with next(columns):
            model.choose()


@step(
    "Two prompts",
    minutes=5,
    ask="Where do the two prompts part? Does a token run again although both have it at the same place?",
    wrong={
        "0 tokens": (
            "keys and values are taken for all that is needed: the next word comes from the logits of the last token, and "
            "logits are kept nowhere"
        ),
        "All of them": (
            "right only where they share no full block; else a cache is thought to end with its request: full blocks stay, and "
            "their hashes find them again"
        ),
        "Equal words behind the difference are shared too": (
            "a block is taken for its own words: its hash covers all before it, for deeper layers make its keys from that too"
        ),
    },
)
def prompts(s: Scenario) -> None:
    """Both prompts token by token, what of the second ran, and whether it came out alike."""
    lead("Where two prompts begin alike, whole blocks of that beginning need not be computed again.", "prefix cache")
    t = two()
    figure = st.container()
    _controls(t.trained)
    for one in (t.first, t.second):
        prompt.marks(t.trained, one)
    if t.runs is None:
        t.work.say()
        return
    with figure:
        _compared(t)


def _compared(t: Two) -> None:
    """The prompts as strips, once it is answered the first again, and the question."""
    question = again_question(t)
    ran, n = t.runs[2].computed_tokens if question.answered else "?", len(t.first.ids)
    says = f"The first prompt once more: {ran} of {quantity(n, 'token')} computed", f"First once more: {ran} of {n} computed"
    place, drawn = sheet(0.97, slide_zoom=1.0, high=260, slide_high=400), lanes(t, question)
    if has_room(drawn, place.phone):
        figure = shared_beginning(place, drawn, t.block_size, *says)
    else:
        figure = token_strips(place, drawn[: 2 + question.answered], t.block_size, KINDS, *says)
    plot(figure, in_words(t), "two_prompts")
    question_and_takeaway(
        question,
        "two",
        in_short(t),
        help="A block’s hash covers its own tokens and the hash of the block before it: the same words behind other words "
        "are another block. Only full blocks are kept, for an unfinished one would still change; so large blocks share less: "
        f"of {COMMON:,} tokens in common {_share(128)}, {_share(4096)}. Servers that share token by token (a radix tree) are "
        "the case of one token in a block.",
        widths=(1, 1.15),
        takeaway_first=True,
    )


def _share(size: int) -> str:
    """How many tokens of a long common beginning blocks of a size share."""
    return f"blocks of {size:,} share {shared_tokens(COMMON, size):,}" if size <= COMMON else f"blocks of {size:,} none"


def lanes(t: Two, question: Question) -> list[Lane]:
    """The first prompt, the second, and the first once more, beside what was predicted of it."""
    n, second, again, common = len(t.first.ids), t.runs[1], t.runs[2], n_common(t.first.ids, t.second.ids)
    kinds = ["kept" if i < second.hit_tokens else "again" if i < common else "prefill" for i in range(len(t.second.ids))]
    guess = f", your guess: {question.guess:g}" if isinstance(question.guess, (int, float)) else ""
    known = ["kept" if i < again.hit_tokens else "again" for i in range(n)] if question.answered else []
    return [
        Lane("First", plural(n, "its token runs", f"all {n} tokens run"), t.first.words, ["prefill"] * n),
        Lane("Second", _run(second), t.second.words, kinds),
        Lane("First once more", f"{_run(again)}{guess}" if question.answered else "run", t.first.words, known),
    ]


def in_words(t: Two) -> str:
    """The figure for those who do not see it."""
    second, common = t.runs[1], n_common(t.first.ids, t.second.ids)
    alike = plural(common, "the first is", f"the first {common} are" if common else "not even the first is")
    return (
        f"The first prompt has {quantity(len(t.first.ids), 'token')}, the second {len(t.second.ids)}; {alike} the same. In blocks of "
        f"{t.block_size}, {quantity(second.hit_tokens, 'token')} of the second {plural(second.hit_tokens, 'comes', 'come')} from the "
        f"cache and {_run(second)}."
    )


def _run(one: PrefixRun) -> str:
    """How many tokens of a prompt run."""
    return f"{one.computed_tokens} {plural(one.computed_tokens, 'runs', 'run')}"


def in_short(t: Two) -> str:
    """Where they part, what that makes shared, and the proof."""
    second, common = t.runs[1], n_common(t.first.ids, t.second.ids)
    shared = shared_tokens(common, t.block_size)
    n, tokens = shared // t.block_size, f"**{common}** tokens are" if common > 1 else "token alone is"
    said = f"The first {tokens} the same: {quantity(n, 'full block')}, found by {plural(n, 'its hash', 'their hashes')}."
    if not n:
        said = f"The first {tokens} the same, too few to fill a block" if common else "They differ from the first token on"
        said += ": nothing is shared."
    if second.hit_tokens < shared:
        said += " The second prompt is there whole, and its last token runs all the same: the logits are kept nowhere."
    return f"{said} {compared_runs.how_alike(t.trained, second)}"


def _whole_block(size: int) -> str:
    """What vLLM does there: kv_cache_manager.py, get_computed_blocks."""
    tokens = "both" if size == 2 else f"all {size}"
    return f" (vLLM goes by whole blocks and runs {tokens} tokens of the last one)" if size > 1 else ""


def not_full(n: int, rest: int) -> str:
    """What is found of a prompt of n tokens, whose last block is not full and has `rest` of them.

    >>> [not_full(*x).split(" in a block")[0] for x in ((1, 1), (2, 2), (3, 3))]
    ['Its only token stands', 'Both its tokens stand', 'All its 3 tokens stand']
    >>> [not_full(*x).split(" in a block")[0] for x in ((5, 1), (6, 2))]
    ['Its 4 tokens in full blocks are found; the last one stands', 'Its 4 tokens in full blocks are found; the last 2 tokens stand']
    """
    full = n - rest
    if full:
        found = f"Its {quantity(full, 'token')} in full blocks {plural(full, 'is', 'are')} found; the last "
        found += plural(rest, "one stands", f"{rest} tokens stand")
    else:
        found = {1: "Its only token stands", 2: "Both its tokens stand"}.get(n, f"All its {n} tokens stand")
    return f"{found} in a block that was not full, and such a block is not kept."


def again_question(t: Two) -> Question:
    """The first prompt once more: how many of its tokens run?"""
    n, again = len(t.first.ids), t.runs[2]
    rest = n % t.block_size
    found = "All its blocks are found, but the next word is chosen from the logits of the last token, and logits are kept "
    found += f"nowhere: that token runs again{_whole_block(t.block_size)}."
    return Question(
        "again_tokens",
        f"The **first** prompt comes once more, {quantity(n, 'token')} long. How many tokens of it run?",
        again.computed_tokens,
        not_full(n, rest) if rest else found,
        tolerance=0,
        unit="tokens",
        high=n,
        slips={0.0: "Then nothing would give the logits that the next word is chosen from."},
    )
