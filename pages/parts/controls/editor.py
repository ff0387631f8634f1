"""The scenario editor in the side bar: what is edited rarely, beside the figure and never over it.

Values and rules, which lessons are about, have their controls on the lesson itself.
"""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from engine.toy import edits
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.rules import KINDS, Rule
from engine.toy.scenario import MAX_HEADS, MAX_PROMPT, Scenario
from pages.parts.controls import toy
from pages.parts.controls.toy import apply_widget
from pages.parts.controls.words_table import words_table
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, MOST_TYPED, as_typed, rule_label, typed
from pages.parts.visit import scenario
from pages.parts.visit.parameters import set_widget
from pages.parts.visit.session import of_this_visit

NEW_WORD = "lunch"  # whose value is worked out as an example


@dataclass
class RefusedPrompt:
    """text: of the last one that was typed and refused, which stays in its field until something is edited."""

    text: str = ""


refused_prompt = of_this_visit(RefusedPrompt)


def editor() -> None:
    """All parts of the scenario, each in a box of its own."""
    s = scenario.current()
    st.markdown("**Scenario**")
    for name, icon, part in _PARTS:
        with st.expander(name, icon=f":material/{icon}:", key=f"edit_{part.__name__}", on_change="rerun") as box:
            if box.open:
                part(s)


def is_open() -> bool:
    """Whether a box of it is open, so that it shows the scenario."""
    return any(st.session_state.get(f"edit_{part.__name__}") for *_, part in _PARTS)


def _words(s: Scenario) -> None:
    """The prompt as text, then every word and number of it and of the candidates."""
    set_widget("prompt", (scenario.kept().edit_problem and refused_prompt().text) or as_typed(s.tokens))
    st.text_input("Prompt", key="prompt", on_change=_prompt, help=f"1 to {MAX_PROMPT} words; commas allow spaces in one")
    st.caption(
        f"A new word’s value comes from its letters: a = 1 … z = 26, added up, and what is left after division by "
        f"{edits.MOST_NEW_VALUE + 1}: “{NEW_WORD}” {edits.letter_sum(NEW_WORD)} → {edits.new_value(NEW_WORD):.0f}.",
        help="Case and accents do not count; a digit counts as it is, any other sign with its Unicode number.",
    )
    words_table(s)
    st.caption("W is what one unit of a head’s context adds to the candidate’s logit.")


def _prompt() -> None:
    text = st.session_state["prompt"][:MOST_TYPED]
    scenario.edit(edits.set_prompt, typed(text))
    refused_prompt().text = text * bool(scenario.kept().edit_problem)


def _heads(s: Scenario) -> None:
    """One head at a time: its rule with number or positions; add and remove."""
    h = _chosen("head", [f"{i} {rule_label(r)}" for i, r in enumerate(s.rules, 1)], "Head")
    rule = s.rules[h]
    set_widget("head_kind", rule.kind)
    st.selectbox("Looks at", KINDS, key="head_kind", format_func=_KIND_NAMES.get, on_change=lambda: _set_kind(h))
    if rule.kind in ("previous", "window"):
        set_widget("head_number", rule.number)
        label = "How many tokens back" if rule.kind == "previous" else "How many tokens, itself included"
        st.number_input(label, 1, MAX_PROMPT, key="head_number", on_change=lambda: _set_number(h, rule.kind))
    if rule.kind == "at":
        set_widget("head_positions", list(rule.positions))
        options = sorted({*range(1, len(s.tokens) + 1), *rule.positions})
        st.multiselect("Positions", options, key="head_positions", select_all=False, on_change=lambda: _set_positions(h))
    if rule.breaks_cache:
        st.warning(toy.BREAKS)
    with st.container(horizontal=True, gap="xxsmall"):
        for label, what, change, disabled in (
            ("Add", "Add a head", (edits.add_head,), len(s.rules) == MAX_HEADS),
            ("Remove", "Remove this head", (edits.remove_head, h), len(s.rules) == 1),
        ):
            on_click = partial(scenario.edit, *change)
            st.button(label, key=f"do_{what}", help=what, on_click=on_click, disabled=disabled, wrap=False)


_KIND_NAMES = {kind: rule_label(Rule.parse(kind)) for kind in KINDS if kind not in ("previous", "window", "at")} | {
    "previous": "an earlier token",
    "window": "the last few tokens",
    "at": "chosen positions",
}


def _set_kind(head: int) -> None:
    kind = st.session_state["head_kind"]
    scenario.edit(edits.set_rule, head, "at:1" if kind == "at" else kind)


def _set_number(head: int, kind: str) -> None:
    scenario.edit(edits.set_rule, head, f"{kind}:{st.session_state['head_number']}", what=f"rule {head}")


def _set_positions(head: int) -> None:
    rule = Rule("at", positions=tuple(sorted(st.session_state["head_positions"])))
    scenario.edit(edits.set_rule, head, rule, what=f"rule {head}")


def _softmax(s: Scenario) -> None:
    """Sharpness, mask and what becomes of an empty row."""
    toy.sharpness_slider("sharpness")
    set_widget("causal", s.causal)
    st.toggle("Causal mask", key="causal", on_change=apply_widget("causal", edits.set_option, "causal"))
    set_widget("empty_row", s.empty_row)
    change = {"format_func": EMPTY_ROW_NAMES.get, "on_change": apply_widget("empty_row", edits.set_option, "empty_row")}
    st.selectbox("A row that matches nothing", list(EMPTY_ROW), key="empty_row", **change)


def _chosen(name: str, labels: list[str], label: str) -> int:
    """Which item of a list is being edited; kept within the list as it grows and shrinks."""
    key, state = f"chosen_{name}", st.session_state
    # The browser answers with a label. One that has changed meanwhile comes back as it is, and says nothing of the index.
    if isinstance(state.get(key), int):
        state[f"at_{name}"] = state[key]
    index = min(state.get(f"at_{name}", 0), len(labels) - 1)
    set_widget(key, index)
    return st.selectbox(label, range(len(labels)), key=key, format_func=lambda i: labels[i] if i < len(labels) else "")


_PARTS = (
    ("Words and values", "format_list_numbered", _words),
    ("Heads", "visibility", _heads),
    ("Mask and softmax", "tune", _softmax),
)
