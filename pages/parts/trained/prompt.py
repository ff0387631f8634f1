"""The prompt of a trained model: typed, taken from a preset, or put together from the vocabulary; what was unknown is marked."""

from __future__ import annotations

import streamlit as st

from engine.trained.induction import list_ids
from pages.parts.controls.shared_parameters import CELL
from pages.parts.trained import model
from pages.parts.trained.model import MOST_CHARS, Prompt, Trained
from pages.parts.visit import locks
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import show

PRESETS = {
    "Today’s weather": "Today's weather is so",
    "The soup": "The soup is so",
    "Winter in Oslo": "It is winter in Oslo. Today's weather is so",
    "Kite and boat": "Anna has a red kite. Ben has a blue boat. Anna has a",
    "A list said twice": "Tom lamp Rome pizza cold Tom lamp Rome pizza",
}
DEFAULT = next(iter(PRESETS.values()))


def typed(trained: Trained) -> str:
    """The prompt as text: the link's, else the first preset; for a folder without a tokenizer a list of ids, said twice."""
    text = model.PROMPT.text()
    return text or default(trained)


def default(trained: Trained) -> str:
    """What stands in the field of a visit that has typed nothing."""
    ids_only = trained.model.tokenizer is None
    return " ".join(map(str, list_ids(trained.model)[:-1])) if ids_only else DEFAULT


def controls(trained: Trained) -> None:
    """The field, the words to add, the models on offer, the presets."""
    tokenizer = trained.model.tokenizer
    known = getattr(tokenizer, "words", ())
    offered = model.folders()
    plain = presenting()
    shares = [3, *([1] if known and not plain else []), *([1.2] if offered else [])]
    columns = iter(st.columns(shares, vertical_alignment="bottom"))
    with next(columns):
        show("typed", typed(trained))
        label = "Prompt, as token ids: this folder has no tokenizer.json" if tokenizer is None else "Prompt"
        st.text_input(label, key="typed", max_chars=MOST_CHARS, on_change=_type, args=(trained,),
                      **locks.control(model.PROMPT.name, "Prompt", {}))  # fmt: skip
    if known and not plain:
        with next(columns):
            st.selectbox("Add a word", known[2:], index=None, key="added", placeholder=f"{len(known) - 2} words", on_change=_add,
                         args=(trained,), **locks.control(model.PROMPT.name, "Prompt", {}))  # fmt: skip
    if offered:
        with next(columns):
            model.choose()
    if tokenizer is not None:
        names = {text: name for name, text in PRESETS.items()}
        show("trained_preset", names.get(typed(trained)))
        st.pills("Prompts to try", list(PRESETS), key="trained_preset", on_change=_preset, label_visibility="collapsed",
                 **locks.control(model.PROMPT.name, "Prompt", {}))  # fmt: skip


def marks(trained: Trained, prompt: Prompt) -> None:
    """What of the prompt is not as it was typed: words that the model does not know, and tokens that do not fit."""
    if prompt.unknown:
        st.warning(model.closest(trained, prompt.unknown), icon=":material/help:")
    if prompt.left_out:
        st.warning(f"The first {len(prompt.ids)} tokens are shown; {prompt.left_out} more do not fit here.")


def _set(trained: Trained, text: str) -> None:
    model.PROMPT.set_text("" if text == default(trained) else text[:MOST_CHARS])
    CELL.set_text("")


def _type(trained: Trained) -> None:
    _set(trained, " ".join(st.session_state["typed"].split()) or default(trained))


def _add(trained: Trained) -> None:
    if st.session_state["added"]:
        _set(trained, f"{typed(trained)} {st.session_state['added']}")
    st.session_state["added"] = None


def _preset() -> None:
    name = st.session_state["trained_preset"]
    if name in PRESETS:
        model.PROMPT.set_text("" if PRESETS[name] == DEFAULT else PRESETS[name])
        CELL.set_text("")
