"""A model that the visitor brings: the text of a Hugging Face config.json, read, checked, and kept for this visit only.

It is a stranger's text. It is bounded before it is parsed, a file that cannot be used leaves the last good model in place, and
what was understood and what was assumed is said beside it.
"""

from __future__ import annotations

import json

import streamlit as st

from engine.cost import ModelShape
from pages.parts import scenario
from pages.parts.words import md

MAX_CHARS = 64_000
NAME = "pasted"  # what the link calls it; the name shown is the file's


def shape() -> ModelShape | None:
    """The last good model of this visit."""
    return st.session_state.get("pasted_shape")


def read(text: str) -> ModelShape:
    """The shape that a config.json describes. ValueError in one sentence for anything else."""
    if len(text) > MAX_CHARS:
        raise ValueError(f"Expected at most {MAX_CHARS:,} characters, got {len(text):,}")
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
    if shape():
        notes = [f"- {md(note)}" for note in shape().understood] + [f"- **Assumed.** {md(note)}" for note in shape().assumed]
        st.markdown("\n".join([f"**{md(shape().name)}** is now the model of these lessons.", "", *notes]))


def _use() -> None:
    """Read the text; a good one becomes the model, a bad one is reported."""
    state = st.session_state
    try:
        state["pasted_shape"] = read(state["config_text"])
    except ValueError as problem:
        text = str(problem).rstrip(".")
        state["pasted_problem"] = text[:1].upper() + text[1:]
        return
    state["pasted_problem"] = ""
    scenario.set_extra("model", NAME)
