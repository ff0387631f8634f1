"""A model that the visitor brings: the text of a Hugging Face config.json, read, checked, and carried by the link in short form.

It is a stranger's text. It is bounded before it is parsed, a file that cannot be used leaves the last good model in place, and
what was understood and what was assumed is said beside it. No address is ever fetched.
"""

import json
import re
from dataclasses import dataclass

import streamlit as st

from engine.config_json.fields import whole_text
from engine.cost import MODELS, ModelShape
from engine.serving.listed_names import FAMILIES
from engine.serving.log_lines import read_log
from engine.serving.printed_shape import config_of
from pages.parts.hardware import short_config
from pages.parts.text.format import md
from pages.parts.visit import control_locks, scenario
from pages.parts.visit.parameters import Choice, Text
from pages.parts.visit.session import of_this_visit

MAX_CHARS = 64_000
DEFAULT = "Llama-3.1-8B"
NAME = "pasted"  # what the link calls it; the name shown is the file's
MODEL = Choice("model")
PACKED = Text("config", most_chars=short_config.MOST_CHARS)  # of the pasted model, so that a link shows the same one elsewhere
LOST = "The model of this link was pasted and is not in it. Paste its config.json in the lesson “How big is the cache?”"


@dataclass
class Pasted:
    """shape: of the last good model, None before there is one; text: that it was read from; packed: the short form that the link had
    or was given. problem: what is wrong with the text that was pasted last, "" where nothing is."""

    shape: ModelShape | None = None
    text: str = ""
    packed: str = ""
    problem: str = ""


pasted = of_this_visit(Pasted)


def shape() -> ModelShape | None:
    """The last good model of this visit, or the link's."""
    _from_link()
    return pasted().shape


def _from_link() -> None:
    """Read the model that a link brings, once; a link that names one and brings none, or one that cannot be read, says so."""
    own, packed = pasted(), PACKED.text()
    if packed == own.packed and (packed or MODEL.text() != NAME or own.shape):
        return
    own.packed = packed
    problem = ""
    if packed:
        try:
            brought = short_config.unpack(packed, MAX_CHARS)
            own.shape, own.text = read(brought), brought
        except ValueError as wrong:
            problem = f"The link’s model was left out: {str(wrong).rstrip('.')}"
            own.shape = None
    elif MODEL.text() == NAME and not own.shape:
        problem = LOST
    if problem:
        said = f"{problem.rstrip('.')}. {DEFAULT} is shown instead."
        scenario.report(said)
        st.warning(md(said), icon=":material/link_off:")  # the header, which shows such problems, has been drawn already
        if MODEL.text() == NAME:
            MODEL.set_text("")
        PACKED.set_text("")
        own.packed = ""


def text() -> str:
    """The config.json that it was read from; "" when there is none."""
    return pasted().text


def read(text: str) -> ModelShape:
    """The shape that a config.json describes. ValueError in one sentence for anything else."""
    if len(text) > MAX_CHARS:
        raise ValueError(f"Expected at most {MAX_CHARS:,} characters, got {len(text):,}")
    whole_text("config.json", text)
    if not text.strip():
        raise ValueError("Expected the text of a config.json, got nothing")
    try:
        config = json.loads(text)
    except json.JSONDecodeError as problem:
        _refuse_name(text.strip())
        raise ValueError(f"Expected JSON; line {problem.lineno}, column {problem.colno}: {problem.msg}") from None
    except (ValueError, RecursionError):
        raise ValueError("Expected the JSON of a config.json, got numbers too long or lists too deep to read") from None
    if not isinstance(config, dict):
        raise ValueError("Expected a JSON object {…}, as a config.json is, got something else")
    return ModelShape.from_config(config, name="" if config.get("_name_or_path") else _own_name(config.get("model_type")))


def _own_name(family) -> str:
    """What a file without a name is called: after its family."""
    named = isinstance(family, str) and re.fullmatch(r"[A-Za-z0-9][\w.-]{0,30}", family, re.ASCII)
    return f"{family} (pasted)" if named else "model (pasted)"


def _as_file(text: str) -> str:
    """What was pasted as a config.json: the lines in which llama.cpp prints a model's shape are turned into one."""
    if len(text) > MAX_CHARS or not re.search(r"(?:print_info|print_meta):", text):
        return text
    log = read_log(text)
    config = config_of(log)
    if config is None:
        raise ValueError(
            f"Expected all of print_info’s lines of a {', '.join(FAMILIES)} model, with arch, n_layer, n_embd, n_head, n_head_kv, "
            "n_embd_head_k, n_ff, n_vocab, n_ctx_train and model params, got lines that make no model with so many parameters"
        )
    return json.dumps(config | {"_name_or_path": log.word("model") or "model of the log"})


def _refuse_name(text: str) -> None:
    """ValueError with what to paste, where somebody pasted a model's address or name instead of its file."""
    word = r"[\w.-]{1,96}"
    address = re.fullmatch(rf"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/({word}/{word})(?:/\S{{0,200}})?", text)
    name = address[1] if address else text if re.fullmatch(f"{word}/{word}", text) else ""
    listed = next((model for model in MODELS if text.casefold().split("/")[-1] == model.casefold()), "")
    if name:
        also = f" ({listed} is also in the list of models)" if listed else ""
        raise ValueError(
            f"That is a model’s {'address' if address else 'name'}, and nothing is fetched from here{also}. Open "
            f"huggingface.co/{name}, “Files and versions”, config.json, and paste the text that stands there"
        )
    if re.match(r"<(?:!doctype|html|\?xml)\b", text, re.IGNORECASE):
        raise ValueError(
            "That is a web page, not its file. On huggingface.co press “raw” above config.json, and paste what is shown"
        )
    if re.match(r"https?://\S+$", text):
        raise ValueError("That is an address, and nothing is fetched from here. Open it, and paste the text of its config.json")
    if listed:
        raise ValueError(f"{listed} is in the list of models: choose it there. Here belongs the text of a config.json")
    if re.fullmatch(r"(?=.*[A-Za-z])(?=.*[\d-])[\w.-]{3,96}", text):
        raise ValueError(
            "That looks like a model’s name. On huggingface.co open the model’s page, “Files and versions”, config.json, and "
            "paste the text that stands there"
        )


def box() -> None:
    """The text area, its button, and what came of the last text."""
    told = (
        "On huggingface.co: the model’s page, “Files and versions”, config.json. Mistral’s and Meta’s params.json is read too, and "
        "llama.cpp’s print_info lines. It goes into the link."
    )
    example = (
        '{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, …}\n\n'
        f"At most {MAX_CHARS:,} characters, more are not taken"
    )
    look = control_locks.control("pasted", "A pasted config.json", help=told, placeholder=example, height=170)
    with st.form("form_config", border=False):
        st.text_area("config.json of any decoder-only model", key="config_text", max_chars=MAX_CHARS, **look)
        st.form_submit_button("Use this model", on_click=_use_pasted)
    own = shape()
    if problem := pasted().problem:
        kept = f" {md(own.name)} is still there." if own else ""
        st.warning(f"{md(problem)}.{kept}", icon=":material/data_object:")
    if own:
        _say_what_was_read(own)


def _say_what_was_read(own: ModelShape) -> None:
    """What of the file was understood, what was assumed, and what is not known."""
    if own.doubt:
        st.warning(
            f"Its number of parameters is not known: {md(own.doubt)}. The cache is counted from the file; its parameters, what fits "
            f"beside them and times are not given, and the lessons on time show {DEFAULT} instead.",
            icon=":material/help:",
        )
    if own.kv_doubt:
        st.warning(f"The bytes of its cache are not certain: {md(own.kv_doubt)}.", icon=":material/help:")
    notes = [f"- {md(note)}" for note in own.understood] + [f"- **Assumed.** {md(note)}" for note in own.assumed]
    now = "was read" if own.doubt else "is now the model of these lessons"
    far = "" if PACKED.text() else " It is too long for a link: opened elsewhere, the link will ask for it again."
    st.markdown("\n".join([f"**{md(own.name)}** {now}.{far}", "", *notes]))


def take(text: str) -> bool:
    """Make the model that `text` describes this visit's; one that cannot be used is reported, and the last one stays."""
    own = pasted()
    try:
        text = _as_file(text)
        own.shape = read(text)
    except ValueError as problem:
        said = str(problem).rstrip(".")
        names_a_key = said.split(" ")[0].endswith(":")  # and a key is written as the file writes it
        own.problem = said if names_a_key else said[:1].upper() + said[1:]
        return False
    own.text, own.problem, own.packed = text, "", short_config.pack(text, MAX_CHARS)
    PACKED.set_text(own.packed)
    return True


def _use_pasted() -> None:
    if take(st.session_state.get("config_text", "")):
        MODEL.set_text(NAME)
        st.rerun()  # the whole page: its frame gives the browser the text to bring back after a lost connection
