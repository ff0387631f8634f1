"""The fifth step: the bundled model writes its answers by three schedules, step by step, and writes the same."""

from dataclasses import dataclass

import streamlit as st

from engine import bundled
from engine.cost import DEVICES, MODELS
from engine.serving import Request, Run, simulate
from engine.serving import Setup as Server
from engine.serving.scheduler.replay import replay
from pages.lessons.many.figures.words_by_step import Cell, words_by_step
from pages.lessons.many.load import Load
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.sharing.results import RESULTS
from pages.parts.text.format import join, quantity, unmarked
from pages.parts.visit.parameters import Whole

ASKED = (  # sentences to be continued, and by how many words
    ("Anna has a red kite. Ben has a blue boat. Anna has a", 3),
    ("It is winter in Oslo. Today's weather is so", 8),
    ("Tom lamp Rome pizza cold Tom lamp Rome pizza", 5),
    ("The soup is so", 6),
)
POLICIES = ("static", "continuous", "chunked")  # of one machine, whose steps can be counted
PLACES, PIECE = Whole("places", low=2, high=4, default=2), Whole("piece", low=4, high=16, default=8)


@dataclass(frozen=True)
class Written:
    """One policy's run: what each prompt gets at which step, and its words."""

    cells: tuple[dict[int, Cell], ...]
    words: tuple[tuple[str, ...], ...]
    n_steps: int


def answers_by_policy(n_places: int, n_piece: int) -> dict[str, Written]:
    """The answers by each policy, n_places at once and n_piece tokens a step; kept for everybody."""
    key = "schedules in words", n_places, n_piece
    return RESULTS.get(key, lambda: _answers_by_policy(n_places, n_piece), lambda _: 20_000)


def _answers_by_policy(n_places: int, n_piece: int) -> dict[str, Written]:
    tokenizer = bundled().tokenizer
    prompts = [tokenizer.encode(sentence) for sentence, _ in ASKED]
    requests = [Request(0.0, len(ids), n) for ids, (_, n) in zip(prompts, ASKED, strict=True)]
    # Steps are counted here, not seconds: any model and device would do, and there is room enough.
    server = Server(MODELS["Llama-3.1-8B"], DEVICES["A100-80"], max_batch=n_places, max_batched_tokens=n_piece)
    texts = {}
    for policy in POLICIES:
        run = simulate(requests, server, policy)
        words = [[] for _ in requests]
        for one in replay(run, bundled(), prompts):
            words[one.request].append(tokenizer.decode([one.token_id]))
        texts[policy] = Written(_cells(run, words), tuple(map(tuple, words)), len(run.steps))
    return texts


def _cells(run: Run, words: list[list[str]]) -> tuple[dict[int, Cell], ...]:
    """What each request gets at each step: the last piece of a prompt brings the first word."""
    cells: tuple[dict[int, Cell], ...] = tuple({} for _ in run.requests)
    ids, stretches = run.ids[0].tolist(), run.stretches[0]
    n_words, at, batch = [0] * len(ids), 0, set()
    for k, stretch in enumerate(stretches):
        if stretch.prompts and k and not stretches[k - 1].prompts:
            batch = set()
        batch |= {ids[i] for i, _, _ in stretch.prompts}
        members = [ids[i] for i in stretch.decoding.tolist()]
        for _ in range(stretch.n_steps):
            done = [ids[i] for i, n_past, n_new in stretch.prompts if n_past + n_new == run.requests[ids[i]].n_prompt]
            for i, n_new in [*((ids[i], n) for i, _, n in stretch.prompts), *((i, 0) for i in members)]:
                comes = not n_new or i in done
                cells[i][at] = (n_new, words[i][n_words[i]] if comes else "")
                n_words[i] += comes
            if run.policy == "static" and not stretch.prompts:
                for i in batch - set(members):
                    cells[i][at] = None
            at += 1
    return cells


@step(
    "The same words",
    minutes=4,
    ask="Three schedules, twelve answers: which words differ?",
    wrong={
        "Those that are written beside another prompt": (
            "a row sees the tokens of its own sequence and no others, whoever is in the step with it"
        )
    },
)
def words(load: Load) -> None:
    """Four prompts by three schedules, in words."""
    lead("The same prompts under each policy. A policy decides when a row is computed: does it decide which word comes out?")
    place = st.container()
    left, right = st.columns(2)
    with left:
        n_places = PLACES.slider("Answers at once (places)")
    with right:
        n_piece = PIECE.slider("Tokens a step (budget)")
    texts = answers_by_policy(n_places, n_piece)
    ends = [f"… {' '.join(sentence.split()[-4:])}" for sentence, _ in ASKED]
    said = words_said(texts)
    answers = "; ".join(f"{end}: {' '.join(words)}" for end, words in zip(ends, texts[POLICIES[0]].words, strict=True))
    runs = {policy: one.cells for policy, one in texts.items()}
    figure = words_by_step(sheet(high=388), ends, texts[POLICIES[0]].words, runs, _same_words(texts))
    with place:
        plot(figure, f"{unmarked(said)} {answers}", "words_by_step")
    takeaway("words", said)


def _same_words(found: dict[str, Written]) -> tuple[str, str]:
    """Whether all wrote the same."""
    said, n_texts = quantity(sum(map(len, found[POLICIES[0]].words)), "word"), len({one.words for one in found.values()})
    return (f"the same {said}", "under all three") if n_texts == 1 else (said, f"in {n_texts} different ways")


def words_said(found: dict[str, Written]) -> str:
    """Whether all wrote the same, in how many steps each."""
    steps = join([f"{quantity(one.n_steps, 'step')} ({policy})" for policy, one in found.items()])
    return f"**{' '.join(_same_words(found)).capitalize()}**, in {steps}. A schedule decides when a row is computed, never what is in it."
