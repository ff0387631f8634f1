"""The lesson on head rules as it is shown: one token asks, what it is given, and the row that matches nothing."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy import edits
from engine.toy.by_hand import rows_by_hand
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.empty_row_policies import empty_case, treatments
from engine.toy.scenario import Scenario
from pages.lessons.rules import sentences, story
from pages.lessons.rules.figures.keys_searched import keys_searched
from pages.lessons.rules.figures.look import CELLS, TO_FIND, HeadLine, Look
from pages.lessons.rules.figures.narrow_row import narrow_row
from pages.lessons.rules.figures.no_match import Tried, no_match
from pages.lessons.rules.figures.one_row import one_row
from pages.lessons.rules.questions import context_case, context_question, empty_outcomes, empty_question, looked_at, open_results
from pages.parts.controls import toy
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.shared_parameters import HEAD, TOKEN
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, question_then_takeaway, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import committed
from pages.parts.teaching import routes
from pages.parts.text.format import join, md
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, rule_label, rule_name
from pages.parts.visit import scenario
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import set_widget

FEW = 8  # tokens that there is room for beside what is asked
BENEATH = 44.0  # pixels that a question takes beneath the line of who asks
NO_QUESTION = NOT_ASKED, None
TAKES = 24.0  # pixels that a figure takes of the room for a question where none is asked


@step(
    "A question and its labels",
    minutes=6,
    click="Go through the heads, then let each token ask (on a slide the key S brings both).",
    ask="Before you choose who asks, and in which head: what will it search for, and which labels fit? Let them say which drawers open.",
    wrong={
        "Heads see the words after them, too": "right only where no mask hides them: when it writes, the model cannot know them",
        "A token looks at all others alike": "right only where its rule fits every key: a query says what it searches, a key fits or not",
    },
    in_story={
        "ask": "The last word asks. What does its query search for, and which labels fit? Let them say which drawers open."
    },
)
def one_token(s: Scenario, run: ForwardPass) -> None:
    """Who asks, in which head, by which rule: one query, and the keys that it meets; in the story one search is predicted first."""
    lead(story.searches(s), "token", "query", "key", "head", "causal")
    if routes.chosen() == routes.STORY:
        _predicted(s, run)
        return
    shown = here_on_a_phone()
    query, head = _who_asks(s)
    with shown:
        draw_one_row(s, run, Look(head, query, less=-TAKES if _in_tabs(s) else 36 - TAKES), "one_row", selectable=True)
        takeaway("look", sentences.whose_keys_fit(s, rows_by_hand(run.layers[0], query)[head], head, query))


def _predicted(s: Scenario, run: ForwardPass) -> None:
    """Which drawers open for the last token, before it is drawn; then every token may ask, in every head."""
    question = story.drawers_question(s)
    if question.answered:
        query, head = _who_asks(s, story.asked_head(s) + 1)
    else:
        query, head = len(s.tokens) - 1, story.asked_head(s)
        with st.container(key="who_waits"):  # as high as the buttons that take its place
            st.markdown(f"**“{md(s.tokens[query])}” asks.**")
    look = Look(head, query, told=question.answered, less=BENEATH if _in_tabs(s) else 36 + BENEATH)
    parts = [story.drawers(s, (j,)) for j in range(len(s.tokens))]
    asks = asked_in(question, parts), pressed(question, parts)
    draw_one_row(s, run, look, "one_row", selectable=question.answered, asks=asks if not question.answered else NO_QUESTION)
    looks = rows_by_hand(run.layers[0], query)[head]
    as_asked = (query, head) == (len(s.tokens) - 1, story.asked_head(s))  # the reply has said it
    said = (story.other_ways(s) if as_asked else "") or story.whose_drawers_open(s, looks, head, query)
    question_then_takeaway(question, "look", said)


def _in_tabs(s: Scenario) -> bool:
    """Whether who asks is chosen by buttons: what is more is chosen in lists, which are higher."""
    return len(s.tokens) <= FEW and len(s.rules) <= toy.FEW_HEADS


def _who_asks(s: Scenario, head_first: int = 1) -> tuple[int, int]:
    """Which token asks and in which head, both from 0, and the head's rule beside it. head_first: the head untouched, from 1."""
    words = [md(word) for word in s.tokens]
    with st.container(horizontal=True, vertical_alignment="center", key="who"):
        if len(s.tokens) <= FEW:
            st.markdown("**Who asks?**", width="content")
        first = len(words) if routes.chosen() == routes.STORY else max(1, len(words) - 1)  # before the mask has a name
        query = TOKEN.buttons("Who asks?", words, first, label_visibility="collapsed") - 1
        if len(s.rules) <= toy.FEW_HEADS:
            st.markdown("**In head**", width="content")
        numbers = [str(h) for h in range(1, len(s.rules) + 1)]
        head = HEAD.buttons("In head", numbers, head_first, label_visibility="collapsed") - 1
        if routes.chosen() != routes.STORY:
            toy.rule_selector(head, "which searches")
    return query, head


def draw_one_row(
    s: Scenario,
    run: ForwardPass,
    look: Look,
    key: str,
    selectable: bool = False,
    hidden: np.ndarray | None = None,
    asks: tuple[Asked, Callable[[int], None] | None] = NO_QUESTION,
) -> None:
    """The figure. Selecting a row moves the look there. hidden: (n_head, n) contexts that are still to be found, of which none is
    told. asks: a question that is answered by pressing a token's row, and what that does."""
    layer = run.layers[0]
    made = rows_by_hand(layer, look.query)
    to_find = zip(made, np.zeros(len(made), bool) if hidden is None else hidden[:, look.query], strict=True)
    lines = [sentences.line(x, s.empty_row) if not open_ else ("", TO_FIND) for x, open_ in to_find]
    if routes.chosen() == routes.STORY and not look.told:
        lines = [("", result) for _, result in lines]  # how they add up is what is asked

    def select(curve: int, row: int, column: int) -> None:
        if 0 <= row < len(s.tokens):
            TOKEN.set_text(str(row + 1))

    names = [rule_label(rule) for rule in s.rules]
    rows = [HeadLine(look_, name, *line) for look_, name, line in zip(made, names, lines, strict=True)]
    drawn_on, few = sheet(), len(s.tokens) <= FEW and len(s.rules) <= toy.FEW_HEADS  # what is more needs the room
    said = sentences.found(s, look._replace(asked=asks[0]), rows[look.head])
    figure = (keys_searched if not look.values else narrow_row if narrow() else one_row)(
        under_headline(drawn_on, said) if few else drawn_on, layer, look._replace(asked=asks[0]), s.tokens, rows
    )
    plot(figure, sentences.in_words(s, made, look, lines), key, select if selectable else None, asks[1])


@step(
    "Shares of the values",
    minutes=4,
    ask="Which context does the head make? Write it down before anybody says a number.",
    wrong={
        "The average of all values": "right only where the head sees all alike: its rule decides who is seen, the mask hides the future"
    },
)
def mixed(s: Scenario, run: ForwardPass) -> None:
    """The context of the last token in a head that mixes values: "even" at "so"; once answered, the values can be moved."""
    case, head, row = context_case(s)
    question = story.invited_to_move(context_question(s))
    lead(story.mixes(s, head), "value", "weight", "context")
    moved = toy.values_moved(question)
    hidden = None if moved else open_results(s, run, "context")
    if hidden is not None and case != s:  # what is supposed of a head is no context of the scenario
        hidden[head, row] = not question.answered
    told = question.answered or moved or routes.chosen() != routes.STORY
    shown = dict(values=True, told=told, supposed=looked_at(s, case, head))
    look = Look(head, row, less=25, others=told or not narrow(), **shown)
    draw_one_row(case, toy.prefill_of(case), look, "one_row_mixed", hidden=hidden)
    under = st.container()
    if question.answered or moved:
        with under, toy.places_beneath(*CELLS)[1]:
            toy.value_sliders(where="mixed_", least=toy.BENEATH)
    if moved:
        toy.follow_the_values("mixed", sentences.context_follows(scenario.kept().before, case, head, row), question)
    else:
        predict(question)


@step(
    "Nothing matches",
    minutes=5,
    ask="The rule matches nothing at this position. What should a program do then?",
    wrong={
        "NaN": "right for a program without a guard; this scenario may have one",
        "The average of what it may see": "right for softmax alone, which gives the weight to somebody; this scenario may have another way",
    },
)
def finds_nothing(s: Scenario, run: ForwardPass) -> None:
    """The row whose rule matches nothing, "even" at "Today"; once answered, what the five treatments in use make of it."""
    lead("A token may find nothing that its head looks for.", "context")
    case, head, row = empty_case(s)
    question = empty_question(s)
    outcomes = empty_outcomes(s)
    options = [outcome.option for outcome in outcomes]
    tried = Tried(row, case.values, rows_by_hand(toy.prefill_of(case).layers[0], row)[head].visible)
    alt = sentences.supposition(head, looked_at(s, case, head)) + (
        f"“{case.tokens[row]}” asks in head {head + 1}, which looks at {rule_name(case.rules[head])}: no key that it may see matches. "
        f"What may come out: {'; '.join(options)}."
    )
    if question.answered:
        alt += f" Here it is {question.answer}."
    contexts = [outcome.context for outcome in outcomes]
    which = next(x.context for x in outcomes if x.option == question.answer) if question.answered else f"{join(contexts, 'or')}?"
    said = under_headline(sheet(), f"no key matches: context {which}", f"no match: context {which}")
    figure = no_match(said, tried, case.tokens, outcomes, asked_in(question, options), options.index(question.answer))
    plot(figure, alt, "one_row_empty", on_press=pressed(question, options))
    predict(question)
    if question.answered or committed("empty"):  # also while the switch in there has opened the question again
        with st.expander("The five answers in use", icon=":material/alt_route:"):
            five_treatments(s)


def five_treatments(s: Scenario) -> None:
    """The five treatments side by side, and the switch between them."""
    case, head, row = empty_case(s)
    set_widget("rules_policy", s.empty_row)

    def keep() -> None:
        scenario.edit(edits.set_option, "empty_row", st.session_state["rules_policy"], what="policy")

    st.radio(
        "A row that matches nothing gets", list(EMPTY_ROW), key="rules_policy", format_func=EMPTY_ROW_NAMES.get, on_change=keep,
        horizontal=True,
    )  # fmt: skip
    with st.container(key="treatments"):
        st.markdown(sentences.table(s, case, head, row, treatments(case, head, row)))
    st.caption(
        "Bold: a result that changes when a word is added behind the prompt, and breaks the order of time. Trained heads with "
        "nothing to look at often park their weight on the first token, an attention sink."
    )
