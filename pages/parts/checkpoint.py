"""Which trained model a visit looks at: a moment of the bundled one's training, or a folder that the operator offers.

The operator names a directory in TOKEN_BY_TOKEN_CHECKPOINTS; each folder in it that holds a config.json is offered by its name.
A link carries a name and nothing else, and a name counts only if it is on that list: no path is ever made of what a visitor sent.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import streamlit as st

from engine import bundled, checkpoints, load
from engine.bundled import CHECKPOINTS
from engine.head_scores import HeadScores
from engine.inside import Inside, look_inside
from engine.repeated import scores
from engine.transformer import Transformer
from pages.parts import scenario
from pages.parts.kept import Kept
from pages.parts.widgets import show
from pages.parts.words import join, md

VARIABLE = "TOKEN_BY_TOKEN_CHECKPOINTS"
BUNDLED = "the bundled model"
MOST_FOLDERS, MOST_NAME = 60, 100
MOST_PROMPT = 200  # tokens of a prompt that are drawn
MOST_CHARS = 1600  # characters of a prompt
MOST_WORDS = 64  # words of an answer
_MODELS = Kept(1_500_000_000)  # bytes of parameters, mapped files among them
_READINGS = Kept(60_000_000)
_SCORES = Kept(2_000_000)


@dataclass(frozen=True, eq=False)
class Trained:
    """The model on show. name: BUNDLED or the folder's; moment: of the training, "" for a folder."""

    name: str
    moment: str
    model: Transformer

    @property
    def own(self) -> bool:
        """Whether it is one of the operator's folders."""
        return self.name != BUNDLED

    @property
    def key(self) -> tuple[str, str, frozenset]:
        """What results of this model are kept under."""
        return self.name, self.moment, self.model.ablated


@dataclass(frozen=True)
class Prompt:
    """What was typed, as the model gets it. words: what to write for each id; unknown: typed pieces that are no token of their
    own; left_out: how many tokens did not fit."""

    ids: tuple[int, ...]
    words: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    left_out: int = 0


def folders() -> list[str]:
    """Names of the folders that the operator offers; none where the variable is not set."""
    place = os.environ.get(VARIABLE, "")
    if not place or not Path(place).is_dir():
        return []
    found = sorted(p.name for p in Path(place).iterdir() if (p / "config.json").is_file() and not p.name.startswith("."))
    return [name for name in found if len(name) <= MOST_NAME and name.isprintable() and name != BUNDLED][:MOST_FOLDERS]


def current() -> Trained:
    """The model that the link asks for; the bundled one, and a sentence why, where that cannot be opened."""
    name = scenario.extra("source")
    if name and name not in folders():
        st.warning(f"“{md(name[:MOST_NAME])}” is not among the checkpoints offered here; this is {BUNDLED}.")
    elif name:
        try:
            return Trained(name, "", _opened(name))
        except (ValueError, OSError) as problem:
            st.warning(f"“{md(name)}” cannot be opened: {md(str(problem)[:300])}. This is {BUNDLED}.")
    moment = scenario.choice_extra("checkpoint", CHECKPOINTS, CHECKPOINTS[-1])
    return Trained(BUNDLED, moment, bundled(moment))


def _opened(name: str) -> Transformer:
    """The model of a folder on the list, loaded once for all visitors."""

    def make() -> Transformer:
        bar = st.progress(0.0, f"Loading {md(name)}")
        model = load(Path(os.environ[VARIABLE]) / name, lambda share: bar.progress(share, f"Loading {md(name)}"))
        bar.empty()
        return model

    return _MODELS.get(name, make, lambda model: 4 * model.config.n_vocab * model.d_model + 48 * model.n_layer * model.d_model**2)


def prompt(trained: Trained, text: str) -> Prompt:
    """`text` as ids and labels, bounded. A folder without a tokenizer takes ids, as numbers with spaces between them."""
    model, tokenizer = trained.model, trained.model.tokenizer
    text, most = text[:MOST_CHARS], max(1, min(MOST_PROMPT, model.n_ctx * 3 // 4))
    if tokenizer is None:
        pieces = text.split()
        good = [int(p) for p in pieces if p.isascii() and p.isdigit() and len(p) <= 8 and int(p) < model.n_vocab]
        bad = tuple(p for p in pieces if not (p.isascii() and p.isdigit() and len(p) <= 8 and int(p) < model.n_vocab))
        ids = good or [model.config.bos_id]
        return Prompt(tuple(ids[:most]), tuple(f"#{i}" for i in ids[:most]), bad, max(0, len(ids) - most))
    try:
        ids = [int(i) for i in tokenizer.encode(text)] or [model.config.bos_id]
        words = list(tokenizer.tokens(ids))
    except (ImportError, ValueError) as problem:
        st.warning(f"{md(str(problem)[:300])}")
        return Prompt((model.config.bos_id,), ("#0",))
    if max(ids) >= model.n_vocab:
        st.warning("The tokenizer knows more tokens than the model has; those are left out.")
        ids = [i for i in ids if i < model.n_vocab] or [model.config.bos_id]
        words = list(tokenizer.tokens(ids))
    unknown = ()
    if hasattr(tokenizer, "unknown"):
        unknown = tuple(tokenizer.unknown(text))
        typed = iter(unknown)
        words = [f"{next(typed)}?" if i == tokenizer.unk_id and unknown else w for i, w in zip(ids, words, strict=True)]
    return Prompt(tuple(ids[:most]), tuple(words[:most]), unknown, max(0, len(ids) - most))


def word(trained: Trained, token_id: int) -> str:
    """A token as text."""
    return words(trained, [token_id])[0]


def words(trained: Trained, token_ids: Sequence[int]) -> list[str]:
    """Tokens as text; #id where the folder has no tokenizer, or the library for it is missing."""
    tokenizer = trained.model.tokenizer
    try:
        return [f"#{i}" for i in token_ids] if tokenizer is None else list(tokenizer.tokens([int(i) for i in token_ids]))
    except (ImportError, ValueError):
        return [f"#{i}" for i in token_ids]


def text(trained: Trained, token_ids: Sequence[int]) -> str:
    """Tokens as one text."""
    tokenizer = trained.model.tokenizer
    try:
        return " ".join(f"#{i}" for i in token_ids) if tokenizer is None else tokenizer.decode([int(i) for i in token_ids])
    except (ImportError, ValueError):
        return " ".join(f"#{i}" for i in token_ids)


def reading(trained: Trained, ids: Sequence[int]) -> Inside:
    """What the prompt makes the model do inside; kept for equal prompts."""
    key = (*trained.key, tuple(ids))
    return _READINGS.get(key, lambda: look_inside(trained.model, ids), lambda found: found.nbytes)


def head_scores(trained: Trained) -> HeadScores | None:
    """The measured scores of every head, of the model as it stands, removed heads included."""
    m = trained.model
    return _SCORES.get(trained.key, lambda: scores(m), lambda found: 500 + 24 * m.n_layer * m.n_head)


def choose() -> None:
    """A list of the models on offer, where there is more than the bundled one."""
    offered = folders()
    if not offered:
        return
    name = scenario.extra("source")
    show("trained_source", name if name in offered else BUNDLED)

    def keep() -> None:
        chosen = st.session_state["trained_source"]
        scenario.set_extra("source", "" if chosen == BUNDLED else chosen)
        for other in ("trained_head", "removed", "cell", "prompt"):
            scenario.set_extra(other, "")

    st.selectbox("Model", [BUNDLED, *offered], key="trained_source", on_change=keep, format_func=str)


def training_slider() -> None:
    """The moments of the bundled model's training."""
    found = {c.name: f"{c.name}: step {c.step:,}, loss {c.loss:.2f}" for c in checkpoints()}
    value = scenario.choice_extra("checkpoint", CHECKPOINTS, CHECKPOINTS[-1])
    show("moment", value)

    def keep() -> None:
        chosen = st.session_state["moment"]
        scenario.set_extra("checkpoint", "" if chosen == CHECKPOINTS[-1] else chosen)

    st.select_slider("Moment of its training", CHECKPOINTS, key="moment", on_change=keep, format_func=found.get)


def closest(trained: Trained, unknown: Sequence[str]) -> str:
    """A sentence about words that the model has no token for."""
    known = getattr(trained.model.tokenizer, "words", ())
    if trained.model.tokenizer is None:
        return (
            f"Not a token id of this model: {join([f'“{md(w[:20])}”' for w in list(dict.fromkeys(unknown))[:5]])}."
            if unknown
            else ""
        )
    said = []
    for piece in list(dict.fromkeys(unknown))[:5]:
        near = get_close_matches(piece[:30], known, 1, 0.6)
        said.append(f"“{md(piece[:30])}”" + (f" (closest: {md(near[0])})" if near else ""))
    return f"Not among its {len(known)} words, so it reads only “unknown word” there: {join(said)}." if said else ""
