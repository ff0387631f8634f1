"""The prompt of a trained model: typed, taken from a preset, or put together from the vocabulary; what was unknown is marked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import streamlit as st

from engine.trained.induction import list_ids
from engine.trained.tokenizer import WordTokenizer
from engine.trained.transformer import Transformer
from pages.parts.controls.shared_parameters import CELL
from pages.parts.sharing.results import RESULTS
from pages.parts.text.format import join, md
from pages.parts.trained import model
from pages.parts.trained.model import MOST_BYTES, MOST_CHARS, Trained, most_tokens, plainly
from pages.parts.visit import control_locks
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Text, set_widget

PRESETS = {
    "Today’s weather": "Today's weather is so",
    "The soup": "The soup is so",
    "Winter in Oslo": "It is winter in Oslo. Today's weather is so",
    "Kite and boat": "Anna has a red kite. Ben has a blue boat. Anna has a",
    "A list said twice": "Tom lamp Rome pizza cold Tom lamp Rome pizza",
}
DEFAULT = next(iter(PRESETS.values()))
OPENING = "The weather in Oslo is so"  # of the first screen, and of the story that it leads to
MOST_PROMPT = 200  # tokens of a prompt that are drawn


@dataclass(frozen=True)
class Prompt:
    """What was typed, as the model gets it. words: what to write for each id; unknown: typed pieces that are no token of their
    own; left_out: how many tokens did not fit."""

    ids: tuple[int, ...]
    words: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    left_out: int = 0

    def cut(self, most: int) -> "Prompt":
        """So many of its tokens at most, the first ones."""
        more = max(0, len(self.ids) - most)
        return replace(self, ids=self.ids[:most], words=self.words[:most], left_out=self.left_out + more)


def most_prompt(model: Transformer) -> int:
    """The longest prompt: its maps are drawn and kept, and there is to be room for an answer."""
    maps = int((MOST_BYTES / (5 * model.n_layer * model.n_head)) ** 0.5)  # float32 weights and a mask, each row by row
    return max(1, min(MOST_PROMPT, maps, most_tokens(model) * 3 // 4))


def read(trained: Trained, text: str) -> Prompt:
    """`text` as ids and labels, bounded. A folder without a tokenizer takes ids, as numbers with spaces between them."""
    model, tokenizer = trained.model, trained.model.tokenizer
    text, most = text[:MOST_CHARS], most_prompt(model)
    if isinstance(tokenizer, WordTokenizer):
        return _of_words(tokenizer, text, most)
    if tokenizer is None:
        known = [(p, p.isascii() and p.isdigit() and len(p) <= 8 and int(p) < model.n_vocab) for p in text.split()]
        ids = [int(p) for p, is_id in known if is_id] or [model.config.bos_id]
        bad = tuple(p for p, is_id in known if not is_id)
        return Prompt(tuple(ids), tuple(f"#{i}" for i in ids), bad).cut(most)
    # A text is read once: a tokenizer that fails on it may take its time to do so.
    found, problem = RESULTS.get(
        ("prompt", *trained.key, text), lambda: _by_tokenizer(trained, text, most), lambda found: 2000 + 200 * most
    )
    if problem:
        st.warning(md(problem[:300]))
    return found


def _of_words(tokenizer: WordTokenizer, text: str, most: int) -> Prompt:
    """The bundled model's prompt; a piece that it does not know is shown as it was typed, with a question mark."""
    pairs = tokenizer.pairs(text)
    ids = [tokenizer.bos_id, *(i for _, i in pairs)]
    known = tokenizer.tokens(ids)[1:]
    words = [known_word if tokenizer.knows(piece) else f"{piece}?" for (piece, _), known_word in zip(pairs, known, strict=True)]
    words = [tokenizer.words[tokenizer.bos_id], *words]
    unknown = tuple(piece for piece, _ in pairs if not tokenizer.knows(piece))
    return Prompt(tuple(ids), tuple(words), unknown).cut(most)


def _by_tokenizer(trained: Trained, text: str, most: int) -> tuple[Prompt, str]:
    """A prompt by the folder's own tokenizer, and what was wrong with it, or ""."""
    model, tokenizer = trained.model, trained.model.tokenizer
    try:
        found = [int(i) for i in tokenizer.encode(text)]
        ids = [i for i in found if 0 <= i < model.n_vocab] or [model.config.bos_id]
        more = "The tokenizer knows more tokens than the model has; those are left out."
        left_out = more if max(found, default=0) >= model.n_vocab else ""
        return Prompt(tuple(ids[:most]), tuple(tokenizer.tokens(ids[:most])), (), max(0, len(ids) - most)), left_out
    except (ImportError, ValueError, OSError) as problem:
        return Prompt((model.config.bos_id,), ("#0",)), plainly(problem)


def closest(trained: Trained, unknown: Sequence[str]) -> str:
    """A sentence about typed words that the model has no token for."""
    known, pieces = getattr(trained.model.tokenizer, "words", ()), list(dict.fromkeys(unknown))[:5]
    if trained.model.tokenizer is None:
        return f"Not a token id of this model: {join([f'“{md(w[:20])}”' for w in pieces])}." if pieces else ""
    sentences = []
    for piece in pieces:
        near = get_close_matches(piece[:30], known, 1, 0.6)
        sentences.append(f"“{md(piece[:30])}”" + (f" (closest: {md(near[0])})" if near else ""))
    return f"Not among its {len(known)} words, so it reads only “unknown word” there: {join(sentences)}." if sentences else ""


def typed(trained: Trained, usual: str = DEFAULT) -> str:
    """The prompt as text: the link's, else the lesson's usual one; for a folder without a tokenizer a list of ids, said twice."""
    text = model.PROMPT.text()
    return text or default(trained, usual)


def default(trained: Trained, usual: str = DEFAULT) -> str:
    """What stands in the field of a visit that has typed nothing."""
    ids_only = trained.model.tokenizer is None
    return " ".join(map(str, list_ids(trained.model)[:-1])) if ids_only else usual


def field(trained: Trained, label: str, parameter: Text, text: str, key: str) -> None:
    """A field for words that a parameter of the link keeps, of a lesson that has several."""

    def keep() -> None:
        parameter.set_text(" ".join(st.session_state[key].split())[:MOST_CHARS])

    set_widget(key, text)
    ids = " (token ids)" * (trained.model.tokenizer is None)
    st.text_input(label + ids, key=key, max_chars=MOST_CHARS, on_change=keep)


def controls(trained: Trained, *beside: tuple[float, Callable[[], None]], usual: str = DEFAULT) -> None:
    """One row: the field, beside it, folded, prompts to try, words to add and the models on offer, and what else the step has in it.

    beside: (share of the width, of which the field has 3; draws it). usual: the prompt of a lesson that has one of its own.
    """
    tokenizer = trained.model.tokenizer
    more = bool(model.folders()) or (tokenizer is not None and not presenting())  # on a slide a prompt is typed
    columns = iter(st.columns([3, *([0.95] if more else []), *(share for share, _ in beside)], vertical_alignment="bottom"))
    with next(columns):
        set_widget("typed", typed(trained, usual))
        label = "Prompt, as token ids: this folder has no tokenizer.json" if tokenizer is None else "Prompt"
        change = control_locks.control(model.PROMPT.name, "Prompt", on_change=_type, args=(trained, usual))
        st.text_input(label, key="typed", max_chars=MOST_CHARS, **change)
    if more:
        with next(columns), st.popover("Prompts", icon=":material/edit:", key="prompts", width="stretch"):
            _prompts(trained, usual)
    for _, draw in beside:
        with next(columns):
            draw()


def _prompts(trained: Trained, usual: str) -> None:
    """Prompts to try, words to add, the models on offer."""
    tokenizer, name = trained.model.tokenizer, (model.PROMPT.name, "Prompt")
    known = getattr(tokenizer, "words", ())
    if tokenizer is not None and not presenting():
        names = {text: name for name, text in PRESETS.items()}
        preset = names.get(typed(trained, usual))
        set_widget("trained_preset", preset)
        st.pills(
            "Prompts to try",
            list(PRESETS),
            default=preset,
            key="trained_preset",
            **control_locks.control(*name, on_change=_preset, args=(usual,)),
        )
    if known and not presenting():
        change = control_locks.control(*name, on_change=_add, args=(trained, usual))
        st.selectbox("Add a word", known[2:], None, key="added", placeholder=f"{len(known) - 2} words", **change)
    if model.folders():
        model.choose()


def marks(trained: Trained, prompt: Prompt) -> None:
    """What of the prompt is not as it was typed: words that the model does not know, and tokens that do not fit."""
    if prompt.unknown:
        st.warning(closest(trained, prompt.unknown), icon=":material/help:")
    left_out(prompt)


def left_out(prompt: Prompt) -> None:
    """How many tokens did not fit, where some did not."""
    if prompt.left_out:
        st.warning(f"The first {len(prompt.ids)} tokens are shown; {prompt.left_out} more do not fit here.")


def _set_prompt(trained: Trained, text: str, usual: str) -> None:
    model.PROMPT.set_text("" if text == default(trained, usual) else text[:MOST_CHARS])
    CELL.set_text("")


def _type(trained: Trained, usual: str) -> None:
    _set_prompt(trained, " ".join(st.session_state["typed"].split()) or default(trained, usual), usual)


def _add(trained: Trained, usual: str) -> None:
    if st.session_state["added"]:
        _set_prompt(trained, f"{typed(trained, usual)} {st.session_state['added']}", usual)
    st.session_state["added"] = None


def _preset(usual: str) -> None:
    name = st.session_state["trained_preset"]
    if name in PRESETS:
        model.PROMPT.set_text("" if PRESETS[name] == usual else PRESETS[name])
        CELL.set_text("")
