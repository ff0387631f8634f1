"""Take it home: the lesson on paper, its figures and tables as files, the scenario to keep and to bring back, a notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.parts.teaching import routes
from pages.parts.teaching.notebook import Cell, as_ipynb
from pages.parts.visit import answers, locks, scenario, scenario_file, where
from pages.parts.visit.display import HANDOUT
from pages.parts.visit.telling import said_by

_FILES = st.components.v2.component(
    "take_home", html='<div class="files" data-drawn="1"></div>', js=Path(__file__).with_name("take_home.js").read_text("utf-8"),
    css="""
    .files { display: flex; flex-direction: column; gap: 0.4rem; color: var(--st-text-color); }
    .files div { display: flex; gap: 0.5rem; align-items: center; }
    .files span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .files button { font: inherit; padding: 0.15rem 0.7rem; cursor: pointer; border-radius: 6px; color: var(--st-text-color);
      border: 1px solid var(--st-border-color); background: var(--st-background-color); }
    """,
)  # fmt: skip
_BRING = st.components.v2.component(
    "bring_back",
    html="""<label for="pasted"></label>
    <textarea id="pasted" rows="3" data-drawn="1"></textarea>
    <div class="line"><input type="file" accept=".json">
    <button type="button">Use it</button></div>""",
    js=Path(__file__).with_name("bring_back.js").read_text("utf-8"),
    css="""
    label, textarea, input { color: var(--st-text-color); font: inherit; }
    textarea { width: 100%; box-sizing: border-box; background: var(--st-secondary-background-color); border-radius: 6px;
      border: 1px solid var(--st-border-color); }
    label { display: block; margin-top: 0.6rem; }
    .line { display: flex; gap: 0.5rem; align-items: center; }
    input { min-width: 0; flex: 1; }
    button { font: inherit; padding: 0.15rem 0.9rem; cursor: pointer; border-radius: 6px; border: 0;
      background: var(--st-primary-color); color: var(--st-background-color); }
    """,
)


@dataclass(frozen=True)
class Kept:
    """What of a lesson is kept as a file and brought back.

    label, what, file: of the button, in a sentence, and of what it saves. text: makes the file's text. bring: takes a text back,
    and tells what is wrong with it. most_chars: of that text. locks: the controls that must be free for it.
    """

    label: str
    what: str
    file: str
    text: Callable[[], str]
    bring: Callable[[object], None]
    most_chars: int
    locks: tuple[str, ...]


SCENARIO = Kept(
    "Scenario", "a scenario", "scenario.json", lambda: scenario_file.to_json(scenario.current()),
    lambda text: scenario.edit(lambda _: scenario_file.from_json(text)), scenario_file.MOST_CHARS, (locks.EDITOR,),
)  # fmt: skip


def button(question: str, notebook: Callable[[str], list[Cell]] | None, kept: Kept | None) -> None:
    """The box at the foot of a lesson; what is in it is made when it is opened."""
    with st.popover(
        "Save", icon=":material/download:", key="take_home", type="tertiary", on_change="rerun", width="content"
    ) as box:
        if box.open:
            _contents(question, notebook, kept)


def _contents(question: str, notebook: Callable[[str], list[Cell]] | None, kept: Kept | None) -> None:
    name = where.now().lesson or "lesson"
    with st.container(horizontal=True):
        st.button("Handout", key="handout_questions", icon=":material/print:", on_click=HANDOUT.set_text, args=("questions",))
        if routes.chosen() != routes.SELF:
            label = f"Handout of the route ({routes.NAMES[routes.chosen()]})"
            st.button(label, key="handout_route", icon=":material/print:", on_click=HANDOUT.set_text, args=("route",))
        if notebook and not answers.locked():
            st.download_button(
                "Notebook", as_ipynb(notebook(question)), f"{name}.ipynb", "application/x-ipynb+json", key="save_notebook",
                icon=":material/menu_book:", on_click="ignore", help="Rebuilds these numbers and checks them",
            )  # fmt: skip
        if kept:
            st.download_button(
                kept.label, kept.text(), kept.file, "application/json", key=f"save_{kept.label.lower()}",
                icon=":material/data_object:", on_click="ignore",
            )  # fmt: skip
    _FILES(key="files", data={"name": name})
    if kept and not any(map(locks.locked, kept.locks)):
        data = {"most": kept.most_chars, "label": f"Paste {kept.what} here, or drop the file", "file": f"The file of {kept.what}"}
        _BRING(key="bring_back", data=data, on_brought_change=lambda: kept.bring(said_by("bring_back", "brought")))
