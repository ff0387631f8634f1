"""Which trained model a visit looks at: a moment of the bundled one's training, or a folder that the operator offers.

The operator names a directory in TOKEN_BY_TOKEN_CHECKPOINTS; each folder in it that holds a config.json is offered by its name.
A link carries a name and nothing else, and a name counts only if it is on that list: no path is ever made of what a visitor sent.
"""

import os
import stat
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from engine import bundled, checkpoints, load
from engine.trained.bundled import CHECKPOINTS
from engine.trained.induction import room, scores_so_far
from engine.trained.logit_lens import look_inside
from engine.trained.transformer import SMALL, Transformer
from pages.parts.controls.shared_parameters import CELL
from pages.parts.sharing.fair_lock import FairLock
from pages.parts.sharing.results import RESULTS, ResultStore
from pages.parts.sharing.shared_work import Job
from pages.parts.text.format import md
from pages.parts.visit.parameters import Choice, Text, set_widget

SOURCE, CHECKPOINT = Text("source"), Choice("checkpoint")
PROMPT = Text("prompt", most_chars=1600)
TRAINED_HEAD, REMOVED = Text("trained_head"), Text("removed")
VARIABLE = "TOKEN_BY_TOKEN_CHECKPOINTS"
BUNDLED = "the bundled model"
MOST_FOLDERS, MOST_NAME = 60, 100
MOST_CHARS = PROMPT.most_chars
MOST_WORDS = 64  # words of an answer
MOST_BYTES = 30_000_000  # of one kept result: the maps of a prompt, the cache of an answer
PASS_FLOPS = 1e11  # of one pass over a prompt: a second or three on a small machine
N_LISTS = 16  # of the probe for the heads' scores
# The operator's models are not results: what is bounded is their parameters, most of them pages of mapped files, which the
# system takes back when it needs memory.
_MODELS = ResultStore(1_500_000_000)
_LOCKS: dict[str, FairLock] = {}


@dataclass(frozen=True, eq=False)
class Trained:
    """The model on show. name: BUNDLED or the folder's; moment: of the training; of a folder, when its files were changed."""

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

    @property
    def lock(self) -> FairLock:
        """Held by whoever computes with it."""
        return _LOCKS.setdefault(self.name, FairLock())

    @property
    def small(self) -> bool:
        """Whether a pass takes milliseconds."""
        return self.model.d_model <= SMALL

    def job(self, name: str, *of: Hashable, steps: Callable[[], Iterator], n_steps: int, n_bytes: int) -> Job:
        """Work with it, shared by all who ask for the same: under its name and what else it is `of`, a result of n_bytes."""
        key = (name, *self.key, *of)
        return RESULTS.get(key, lambda: Job(steps(), n_steps, self.lock, self.small), lambda _: n_bytes)


def folders() -> list[str]:
    """Names of the folders that the operator offers; none where the variable is not set."""
    folder = os.environ.get(VARIABLE, "")
    if not folder or not os.path.isdir(folder) or not os.access(folder, os.R_OK | os.X_OK):
        return []
    # os.path: False for what may not be looked at, where Path raises
    names = sorted(n for n in os.listdir(folder) if not n.startswith(".") and os.path.isfile(Path(folder) / n / "config.json"))
    return [name for name in names if len(name) <= MOST_NAME and name.isprintable() and name != BUNDLED][:MOST_FOLDERS]


def current() -> Trained:
    """The model that the link asks for; the bundled one, and a sentence why, where that cannot be opened."""
    name = SOURCE.text()
    if name and name not in folders():
        st.warning(f"“{md(name[:MOST_NAME])}” is not among the checkpoints offered here; this is {BUNDLED}.")
    elif name:
        opened = _opened(name)
        if isinstance(opened, Trained):
            return opened
        st.warning(f"“{md(name)}” cannot be opened: {md(opened[:300])}. This is {BUNDLED}.")
    moment = CHECKPOINT.value(CHECKPOINTS, CHECKPOINTS[-1])
    return Trained(BUNDLED, moment, bundled(moment))


def finished() -> Trained:
    """The bundled model at the end of its training, whatever the link asks for."""
    return Trained(BUNDLED, CHECKPOINTS[-1], bundled())


def _opened(name: str) -> Trained | str:
    """The model of a folder on the list, or why it cannot be used: found out once for all visitors until a file changes."""
    folder = Path(os.environ[VARIABLE]) / name
    try:
        changed = _changed(folder)
    except OSError as problem:
        return plainly(problem)

    def make() -> Trained | str:
        bar = st.progress(0.0, f"Loading {md(name)}")
        try:
            model = load(folder, lambda share: bar.progress(share, f"Loading {md(name)}"))
        except (ValueError, OSError, MemoryError) as problem:
            return plainly(problem)
        finally:
            bar.empty()
        return Trained(name, changed, model)

    return _MODELS.get((name, changed), make, lambda opened: _param_bytes(opened.model) if isinstance(opened, Trained) else 1000)


def _changed(folder: Path) -> str:
    """When the newest file of a folder was changed. OSError for a link that leads out of it: a downloaded folder may hold one,
    and nothing of its target is for visitors."""
    newest, inside = 0, os.path.realpath(folder)
    for path in folder.iterdir():
        if path.suffix not in (".json", ".safetensors"):
            continue
        if path.is_symlink() and os.path.dirname(os.path.realpath(path)) != inside:
            raise OSError(f"{path.name}: expected a file of this folder, got a link that leads out of it; copy the file there")
        found = path.stat()
        newest = max(newest, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else newest
    return str(newest)


def plainly(problem: Exception) -> str:
    """An error as visitors may read it: files by their names, no path of the operator's machine."""
    if isinstance(problem, MemoryError):
        return "there is not enough memory for it"
    if isinstance(problem, OSError) and problem.filename and problem.strerror:
        return f"{Path(os.fsdecode(problem.filename)).name}: {problem.strerror}"
    return str(problem)


def _param_bytes(model: Transformer) -> int:
    """About the memory of a model's parameters."""
    return 4 * model.config.n_vocab * model.d_model + 48 * model.n_layer * model.d_model**2


def most_tokens(model: Transformer) -> int:
    """The longest prompt and answer: what the model has room for, and what a visit may take of memory and time."""
    cached_bytes = 4 * model.n_layer * model.n_kv_head * (model.d_head + model.d_v)
    pass_flops = 2 * (_param_bytes(model) // 4)
    return min(model.n_ctx, max(4, MOST_BYTES // cached_bytes), max(4, int(PASS_FLOPS // pass_flops)))


def word(trained: Trained, token_id: int) -> str:
    """A token as text."""
    return words(trained, [token_id])[0]


def words(trained: Trained, token_ids: Sequence[int]) -> list[str]:
    """Tokens as text; #id where the folder has no tokenizer, or the library for it is missing."""
    tokenizer = trained.model.tokenizer
    try:
        return [f"#{i}" for i in token_ids] if tokenizer is None else list(tokenizer.tokens([int(i) for i in token_ids]))
    except (ImportError, ValueError, OSError):
        return [f"#{i}" for i in token_ids]


def text(trained: Trained, token_ids: Sequence[int]) -> str:
    tokenizer = trained.model.tokenizer
    try:
        return " ".join(f"#{i}" for i in token_ids) if tokenizer is None else tokenizer.decode([int(i) for i in token_ids])
    except (ImportError, ValueError, OSError):
        return " ".join(f"#{i}" for i in token_ids)


def reading(trained: Trained, ids: Sequence[int]) -> Job:
    """What the prompt makes the model do inside, shared by all who ask for it: a job of one step, whose result is an Inside."""
    model, n = trained.model, len(ids)
    n_bytes = 5 * model.n_layer * model.n_head * n * n + 8 * (model.n_layer + 1) * model.n_vocab
    return trained.job(
        "reading", tuple(ids), steps=lambda: (look_inside(model, ids) for _ in range(1)), n_steps=1, n_bytes=n_bytes
    )


def head_scores(trained: Trained) -> Job | None:
    """The measured scores of every head, of the model as it stands, removed heads included: a job with a step for each list of
    the probe, whose result is a HeadScores. None for a model without room for the probe."""
    model = trained.model
    n_half = room(model, 12)
    if n_half < 2:
        return None
    n_bytes = 2000 + 24 * model.n_layer * model.n_head
    return trained.job("scores", steps=partial(scores_so_far, model, n_half, N_LISTS), n_steps=N_LISTS, n_bytes=n_bytes)


def choose() -> None:
    """A list of the models on offer, where there is more than the bundled one."""
    offered = folders()
    if not offered:
        return
    name = SOURCE.text()
    options = [BUNDLED, *offered]
    at = options.index(name) if name in offered else 0
    set_widget("trained_source", options[at])

    def keep() -> None:
        chosen = st.session_state["trained_source"]
        SOURCE.set_text("" if chosen == BUNDLED else chosen)
        for other in (TRAINED_HEAD, REMOVED, CELL, PROMPT):
            other.set_text("")

    st.selectbox("Model", options, at, key="trained_source", on_change=keep, format_func=str)


def training_slider() -> None:
    """The moments of the bundled model's training."""
    moments = {c.name: f"{c.name}: step {c.step:,}, loss {c.loss:.2f}" for c in checkpoints()}
    CHECKPOINT.stops("Moment of its training", moments, CHECKPOINTS[-1])
