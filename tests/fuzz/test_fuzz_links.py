"""Links over every lesson and every parameter: whatever they say, the lesson stands and says in sentences what it left out."""

from functools import cache

import pytest
from app_pages import LESSONS, alone, declared, show
from hostile import VALUES, bounded, fuzz, live_links, sentences_only
from hypothesis import example, given
from hypothesis import strategies as st

PARAMETERS = ("tokens", "values", "rules", "words", "word_values", "w", "sharpness", "mask", "empty", *declared())
LINKS = st.dictionaries(st.sampled_from(PARAMETERS), VALUES, max_size=9)
LARGEST = {"tokens": ",".join(f"w{i}" for i in range(16)), "values": ",".join(["-1000"] * 16),
           "rules": "all,all,even,odd,first,self,window:3,none"}  # fmt: skip
GREATEST = {"p": "1048576", "g": "4096", "n": "999999999", "context": "1048576", "batch": "4096", "step": "999999999",
            "choose": "sample", "temperature": "5", "answer": "0." * 90 + "0"}  # fmt: skip


@cache
def stranger(lesson):
    """A visitor whom no other test shows anything; his first page has imported, loaded and measured."""
    return alone(lesson).run()


def opened(lesson, query):
    """His page behind another link, within the bounds."""
    at = stranger(lesson)
    with bounded():
        show(at, query)
    return at


@pytest.mark.parametrize("lesson", LESSONS)
@fuzz(2)
@given(query=LINKS)
@example(query={**LARGEST, **GREATEST})
def test_a_link_brings_sentences_and_nothing_else(lesson, query):
    """Addresses in the place of every word and of every parameter are tried in tests/parts/test_words.py."""
    sentences_only(opened(lesson, query))


@pytest.mark.parametrize("prompt", ["zebra <unk>", "<unk> zebra <UNK> zebra’s", "x" * 1600, "a " * 800], ids=range(4))
@pytest.mark.parametrize("lesson", ["start", "inside", "generate"])
def test_a_typed_prompt_brings_sentences_and_nothing_else(lesson, prompt):
    sentences_only(opened(lesson, {"prompt": prompt, "g": "64", "temperature": "2", "seed": "999"}))


@pytest.mark.parametrize("lesson", LESSONS)
@fuzz(2)
@given(query=LINKS, slide=st.integers(0, 12).map(str))
@example(query={"tokens": "https://login.evil.tld/x,:streamlit:,www.evil.tld,so", "values": "1,20,1,5"}, slide="1")
def test_a_presented_link_brings_sentences_and_nothing_else(lesson, query, slide):
    sentences_only(opened(lesson, {**query, "present": "on", "slide": slide}))


def test_the_rule_finds_a_link():
    assert live_links(r"“www\.evil\.tld” was left out") == ["www.evil.tld"]
    assert live_links("the words Today, weather and is") == []
