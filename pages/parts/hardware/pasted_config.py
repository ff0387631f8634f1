"""A model that the visitor brings: the text of a Hugging Face config.json, read, checked, and kept for this visit only.

It is a stranger's text. It is bounded before it is parsed, a file that cannot be used leaves the last good model in place, and
what was understood and what was assumed is said beside it.
"""

from __future__ import annotations

import json

import streamlit as st

from engine.config_json.fields import whole
from engine.cost import ModelShape
from pages.parts.text.format import md
from pages.parts.visit.parameters import Choice

MAX_CHARS = 64_000
NAME = "pasted"  # what the link calls it; the name shown is the file's
MODEL = Choice("model")


def shape() -> ModelShape | None:
    """The last good model of this visit."""
    return st.session_state.get("pasted_shape")


def text() -> str:
    """The config.json that it was read from; "" when there is none."""
    return st.session_state.get("pasted_text", "")


def read(text: str) -> ModelShape:
    """The shape that a config.json describes. ValueError in one sentence for anything else."""
    if len(text) > MAX_CHARS:
        raise ValueError(f"Expected at most {MAX_CHARS:,} characters, got {len(text):,}")
    whole("config.json", text)
    if not text.strip():
        raise ValueError("Expected the text of a config.json, got nothing")
    try:
        config = json.loads(text)
    except json.JSONDecodeError as problem:
        raise ValueError(f"Expected JSON; line {problem.lineno}, column {problem.colno}: {problem.msg}") from None
    except (ValueError, RecursionError):
        raise ValueError("Expected the JSON of a config.json, got numbers too long or lists too deep to read") from None
    if not isinstance(config, dict):
        raise ValueError("Expected a JSON object {…}, as a config.json is, got something else")
    return ModelShape.from_config(config, name="" if config.get("_name_or_path") else "Your model")


def box() -> None:
    """The text area, its button, and what came of the last text."""
    with st.form("form_config", border=False):
        st.text_area(
            "config.json of any decoder-only model", key="config_text", height=170, max_chars=MAX_CHARS,
            placeholder='{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, …}',
            help="On huggingface.co: the model’s page, “Files and versions”, config.json. It stays in this visit.",
        )  # fmt: skip
        st.form_submit_button("Use this model", on_click=_use)
    problem = st.session_state.get("pasted_problem", "")
    if problem:
        kept = f" {md(shape().name)} is still there." if shape() else ""
        st.warning(f"{md(problem)}.{kept}", icon=":material/data_object:")
    if shape() and shape().doubt:
        st.warning(
            f"Its number of parameters is not known: {md(shape().doubt)}. The cache is counted from the file; weights, FLOPs and "
            "times are rough estimates.",
            icon=":material/help:",
        )
    if shape():
        notes = [f"- {md(note)}" for note in shape().understood] + [f"- **Assumed.** {md(note)}" for note in shape().assumed]
        st.markdown("\n".join([f"**{md(shape().name)}** is now the model of these lessons.", "", *notes]))


def take(text: str) -> bool:
    """Make the model that `text` describes this visit's; one that cannot be used is reported, and the last one stays."""
    state = st.session_state
    try:
        state["pasted_shape"] = read(text)
    except ValueError as problem:
        said = str(problem).rstrip(".")
        names_a_key = said.split(" ")[0].endswith(":")  # and a key is written as the file writes it
        state["pasted_problem"] = said if names_a_key else said[:1].upper() + said[1:]
        return False
    state["pasted_text"], state["pasted_problem"] = text, ""
    return True


def _use() -> None:
    if take(st.session_state["config_text"]):
        MODEL.set_text(NAME)
        st.rerun()  # the whole page: its frame gives the browser the text to bring back after a lost connection
