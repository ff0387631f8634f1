"""Words that people typed reach Markdown in a form of which nothing comes, on any lesson, whatever carries them there."""

import re
from collections.abc import Iterator

import pytest
from app_pages import ADDRESSES, LESSONS, alone, show
from hostile import sentences_only
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario
from pages.parts.text.format import JOINER, md
from pages.parts.visit import scenario_query
from pages.parts.visit.parameters import DECLARED

# What Streamlit 1.67 replaces after the Markdown has been read (StreamlitMarkdown.js): GitHub's bare addresses, its own logo,
# and signs for arrows. An address of ours may be a link; those of ADDRESSES may not.
ADDRESS = re.compile(r"(https?://|www(?=\.))[-.\w]+\S*|[-.\w+]+@[-\w]+(\.[-\w]+)+", re.IGNORECASE)
PICTURE = re.compile(r":streamlit:|:material/\w+:|:[\w+-]+:", re.IGNORECASE)
SIGN = re.compile(r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)")
PIECES = ["http", "HTTPS", ":", "/", "//", "www", ".", "@", "a", "-", "<", ">", "=", "~", " ", "streamlit", "material/home", "1"]
MARKDOWN_FIELDS = ("body", "label", "help", "content", "caption")


def read(markdown: str) -> str:
    """The text that is left when Markdown has taken the backslashes away."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=20))
def test_nothing_comes_of_a_word_and_it_looks_the_same(word):
    shown = read(md(word))
    assert not ADDRESS.search(shown) and not PICTURE.search(shown) and not SIGN.search(shown)
    assert shown.replace(JOINER, "") == word.replace(JOINER, "")
    assert re.fullmatch(r"([^!-/:-@\[-`{-~]|\\.)*", md(word), re.DOTALL)


@pytest.mark.parametrize("word", ["nice", "Llama-3.1-8B", "it's 3.5, or 4", "e: 1", "a/b"])
def test_an_ordinary_word_is_left_alone(word):
    assert read(md(word)) == word


def strings(message) -> Iterator[str]:
    """Every Markdown string in an element as it is sent to the browser."""
    for field, value in message.ListFields():
        for part in value if field.is_repeated else [value]:
            if hasattr(part, "ListFields"):
                yield from strings(part)
            elif isinstance(part, str) and (field.name in MARKDOWN_FIELDS or (field.name == "options" and is_radio(message))):
                yield part


def is_radio(message) -> bool:
    """A selectbox shows its options as they are; a radio reads them as Markdown."""
    return message.DESCRIPTOR.name == "Radio"


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_lesson_hands_an_address_to_markdown(lesson):
    """`tokens=https://login.evil.tld/x` was a link in a dozen places, one of them our own warning."""
    address, at = "https://evil.tld", alone(lesson)
    words = scenario_query.to_query(Scenario(ADDRESSES, words=ADDRESSES[:3]))
    extras = dict.fromkeys(DECLARED, address) | {"prompt": " ".join(ADDRESSES), "present": ""}
    for query in (words | extras | {"empty": address, "mask": address}, words | extras, words | extras | {"present": "on"}):
        sentences_only(show(at, query))
        sent = [text for element in at._tree if getattr(element, "proto", None) for text in strings(element.proto)]
        assert sent
        for text in map(read, sent):
            found = [m[0] for m in ADDRESS.finditer(text)]
            assert not any("evil" in address for address in found) and ":streamlit:" not in text, text


def test_a_joiner_never_reaches_the_link():
    s = Scenario(ADDRESSES, words=ADDRESSES[:3])
    assert JOINER not in "".join(scenario_query.to_query(s).values())
