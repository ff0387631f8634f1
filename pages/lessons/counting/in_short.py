"""The story in six sentences, asked first: what attention is for, why two phases, what is kept, why it stays true, what it costs,
what it does not save.

Numbers are those of the scenario and of P and G; bytes are those of a real model. A number that a question of this lesson asks
for waits until it has been predicted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import streamlit as st

from engine.cost import decimal_bytes
from engine.counts import cached_counts
from engine.toy.leaks import stays_true
from engine.toy.scenario import Scenario
from pages.lessons.counting import questions
from pages.lessons.counting.costs import BITS, CHAT, REAL
from pages.lessons.counting.figures.six_parts import ORDER, six_parts
from pages.lessons.counting.questions import waits
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import G, P
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.question.question import right_so_far
from pages.parts.teaching import routes
from pages.parts.teaching.told_last import tell_last
from pages.parts.text.amounts import count
from pages.parts.text.format import join, plural
from pages.parts.visit import all_lessons, location
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import answers_shown, presenting, with_notes
from pages.parts.visit.parameters import Whole
from pages.parts.visit.scenario import on_paper
from pages.parts.visit.session import of_this_visit

PARTS = (
    "the prompt’s last context", "the tokens of each pass", "keys and values", "who looks at whom", "the layers’ caches",
    "the newest query and all keys",
)  # fmt: skip
SHOWN_IN = {  # what each of the lessons where they can be touched is about
    "attention": "how a row takes in values", "prefill": "the prompt in one pass", "cache": "what a cache keeps, and how it breaks",
    "memory": "how large it gets",
}  # fmt: skip
RESTS_ON = {4: ("What it costs", "Size a real cache")}  # sentences of what nothing else shows, the steps that do
LEFT_OUT = " *(not in this class)*"  # of a sentence that rests on a step that its route leaves out
TRIED_IN = {"claims": "claims to judge", "quiz": "a quiz"}
TOLD = Whole("told", low=0, high=6, default=0)  # how many of them the arrow key has told on a slide, in the machine's order
CSS = Path(__file__).with_name("in_short.css")


@dataclass
class Told:
    """sentences: which of them this visit has pressed, from 0."""

    sentences: set[int] = field(default_factory=set)


told = of_this_visit(Told)


@step(
    "In six sentences",
    minutes=5,
    click="Let them answer a question, then press it (on a slide the key →): its part of the machine lights up.",
    ask="Before any is pressed: who can answer one of the six in a sentence of their own?",
    wrong={
        "It keeps the attention": "scores and weights are thrown away after each pass; keys and values are kept",
        "It makes the answer linear": "rows grow in step with the tokens, products with their square",
        "It makes the prompt faster": "prefill still computes every row of it, once",
    },
)
def six(s: Scenario, p: int, g: int) -> None:
    """The six questions beneath the machine; what is pressed is told, and its part of the machine lights up."""
    st.html(CSS)
    all_told = answers_shown() and not on_paper()  # where answers come last
    said = sentences(s, p, g)
    tells = (
        "shares of values", f"1 pass, then {count(g - 1)}" if g > 1 else "1 pass", "key and value",
        _who_sees_whom(s), f"{decimal_bytes(REAL.kv_bytes_per_token(BITS))} a token", "every kept key",
    )  # fmt: skip
    if presenting() or with_notes():
        location.set_stepper(TOLD.set, TOLD.value(), TOLD.high + 1, TOLD.name)
    known_here = told().sentences | set(ORDER[: TOLD.value()])
    lit = [all_told or (k in known_here and not on_paper()) for k in range(len(tells))]
    shown = [tell if known else ask for ask, tell, known in zip(said, tells, lit, strict=True)]
    press = "." if on_paper() else ", then press it: its part lights up."
    asks = f" Answer each question in a sentence of your own{press}" * (not all_told)
    parts = f"Six parts of one machine{'.' if asks else ', and what each does in a sentence.'}"
    if presenting() and not all(lit):
        lead("Six parts of one machine: answer each in a sentence of your own, then press →.")
    else:
        lead(f"{_guessed()}{parts}{asks}{_lengths(p, g)}")
    missed = _left_out()
    named = [f"{number}, {PARTS[k]}: {shown[k]}" for number, k in enumerate(ORDER, 1)]
    alt = f"The machine with six numbered parts, those that have been told in colour. {'; '.join(named)}."
    plot(six_parts(sheet(), shown, lit, s.causal, (p, g), _weights(s)), alt, "six_parts", on_press=told().sentences.add)
    with st.container(key="in_short_said"):
        told_of = list(said.items())
        for number, k in enumerate(ORDER, 1):
            _sentence(k, number, *told_of[k], lit[k], k in missed)
    if on_paper() or with_notes():
        answers = [f"{number}. {said[told_of[k][0]]}{LEFT_OUT * (k in missed)}" for number, k in enumerate(ORDER, 1)]
        tell_last("In six sentences", answers)
    if not _in_the_story():
        _lead_to("To see it again:", SHOWN_IN)
    elif all(lit) and not all_told:
        _lead_to("**That is the whole story.** To try what you know:", TRIED_IN)


def _lead_to(why: str, lessons: Mapping[str, str]) -> None:
    """Links to lessons, each with what it is about, for who reads alone."""
    pages = all_lessons.of_visit().pages
    if pages and not (presenting() or narrowed() or on_paper()):
        with st.container(horizontal=True, vertical_alignment="center", key="shown_in"):
            st.markdown(why, width="content")
            for name, about in lessons.items():
                st.page_link(pages[name], label=about, width="content")


def _who_sees_whom(s: Scenario) -> str:
    """Why what is kept stays true, in the words that a figure has room for; what stands in its way here where something does."""
    if not s.causal:
        return "the mask is off"
    if any(rule.breaks_cache for rule in s.rules):
        return "here it does not"
    return "never ahead" if stays_true(s) else "some look ahead"


def _in_the_story() -> bool:
    """Whether it is read as the end of the story, whose one way on is Next."""
    return routes.chosen() == routes.STORY and not (presenting() or narrowed() or on_paper())


def _guessed() -> str:
    """How many of the reader's guesses on the way were right, where some were."""
    right, of = right_so_far()
    if of < 2 or not right or not _in_the_story():
        return ""
    return f"**{right} of your {of} guesses** {plural(right, 'was', 'were')} right. "


def _left_out() -> set[int]:
    """Which of the sentences rest on steps that are not on the route of this class."""
    names = {stop.name for stop in routes.stops_of(routes.chosen())} if routes.chosen() in routes.CLASSES else set()
    return {k for k, shown_in in RESTS_ON.items() if names and not names & set(shown_in)}


def _lengths(p: int, g: int) -> str:
    """Whose lengths the numbers are of, where the story's reader, or his link, has set them."""
    if not (_in_the_story() and (P.text() or G.text())):
        return ""
    return f" The lengths are those of *Pass by pass*: {count(p)} + {count(g)} tokens."


def _sentence(k: int, number: int, question: str, sentence: str, known: bool, missed: bool) -> None:
    """A question, which is pressed for its sentence; both, once it has been. number: that of its part of the machine; missed: whether
    what it rests on was left out."""
    if on_paper():
        st.markdown(f"**{number}. {question}**{LEFT_OUT * missed}")
    elif known:
        st.markdown(f"**{number}. {question}** {sentence}{LEFT_OUT * missed}")
    else:
        st.button(f"{number}. {question}{LEFT_OUT * missed}", key=f"counting_tell_{k}", on_click=told().sentences.add, args=(k,))


def _weights(s: Scenario) -> list[float]:
    """What the prompt’s last row takes of each value, in the head that looks at the most of them."""
    layer = toy.prefill_of(s).layers[0]
    weights = np.where(layer.mask[:, -1], np.nan_to_num(layer.weights[:, -1]), 0)  # (n_head, n)
    return weights[int((weights > 0.005).sum(axis=1).argmax())].tolist()


def sentences(s: Scenario, p: int, g: int) -> dict[str, str]:
    """Of each question what answers it, as Markdown."""
    return {
        "What is attention for?": (
            "The next word often depends on words **further back**: a query meets the keys of all tokens it sees and takes in their values "
            "in **shares**."
        ),
        "Why two phases?": _two_phases(p, g),
        "What is kept?": _kept(s, p, g),
        "Why does what is kept stay true?": _stays_true(s),
        "What does the cache cost?": _costs(),
        "What does the cache not save?": _not_saved(s, p, g),
    }


def _two_phases(p: int, g: int) -> str:
    """One pass over what is known, then one for each word that another one needs."""
    first = f"The prompt is known: its {count(p)} {plural(p, 'row')} go{'es' * (p == 1)} through in **one pass**"
    if g == 1:
        return f"{first}, which gives the answer’s only word; a second one would need it, and a **pass of its own**."
    more = f"**{count(g - 1)} more pass{'es' * (g > 2)}** for {count(g)} words"
    return f"{first}. A word of the answer must exist before the next one: {more}."


def _kept(s: Scenario, p: int, g: int) -> str:
    """Keys and values, of how many tokens."""
    n = cached_counts(p, g).kv_rows
    tokens = f"each of the **{count(n)}** tokens" if n > 1 else "the **1** token"
    return f"The **key and value** of {tokens} read, in every layer: no query, no weight."


def _stays_true(s: Scenario) -> str:
    """The mask; where this scenario has none, or another way for a row to know of later tokens, what comes of that."""
    if heads := [str(h) for h, rule in enumerate(s.rules, 1) if rule.breaks_cache]:
        says = f"the key of head {heads[0]} says" if len(heads) == 1 else f"the keys of heads {join(heads)} say"
        return (
            f"**Here it does not**: {says} “I am the last so far”, which the next token makes false; a cache needs keys and "
            "values that no later token changes."
        )
    if not s.causal:
        return (
            "**The mask is off here**, so rows also see later tokens: one layer, which makes keys and values from each token "
            "alone, does not notice; from the second layer on what was kept would be wrong."
        )
    law = "Under the mask a row **never looks ahead**: no later token changes an old key or value."
    if s.empty_row == "fill":
        return f"{law} With −10⁹ for −∞, as here, a row that matches nothing does look ahead, and deeper layers would notice."
    return law


def _costs() -> str:
    """The multiplication for a real model, and that all is read at every step."""
    token, chat = decimal_bytes(REAL.kv_bytes_per_token(BITS)), decimal_bytes(REAL.kv_bytes(CHAT, bits=BITS))
    return f"Memory: **{token}** a token in {REAL.name}, **{chat}** for {CHAT:,}. Time: **every** step reads it all to compute one row."


def _not_saved(s: Scenario, p: int, g: int) -> str:
    """Products, which grow with the square of the length, and the waiting."""
    n = cached_counts(p, g).scores
    open_still = waits(questions.products(s), s, p, g)
    so_many = "" if open_still or _in_the_story() else f", here **{count(n)}** a head under the mask"
    return (
        f"**Prefill**. A new query still **meets every kept key**{so_many}: twice the length, about four times as many meetings. Each pass "
        "**waits** for the one before."
    )
