"""Words to ids and back, and the optional library for real checkpoints."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tokenizer import FileTokenizer, WordTokenizer

WORDS = [
    "<bos>",
    "<unk>",
    "Today",
    "'s",
    "n't",
    "'re",
    "They",
    "weather",
    "is",
    "are",
    "so",
    "nice",
    "It",
    ".",
    ",",
    "?",
    "rose",
    "do",
]


@pytest.fixture
def tokenizer():
    return WordTokenizer(WORDS)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Today's weather is so", ["Today", "'s", "weather", "is", "so"]),
        ("Today 's weather is so", ["Today", "'s", "weather", "is", "so"]),
        ("Today’s weather", ["Today", "'s", "weather"]),
        ("It isn't so nice.", ["It", "is", "n't", "so", "nice", "."]),
        ("They're so, so nice?", ["They", "'re", "so", ",", "so", "nice", "?"]),
        ("is n't", ["is", "n't"]),
        ("  \n\t ", []),
        ("rose's", ["rose", "'s"]),
        ("n't", ["n't"]),
    ],
)
def test_a_text_comes_apart_as_in_the_grammar(tokenizer, text, pieces):
    assert tokenizer.split(text) == pieces
    assert tokenizer.encode(text) == [0, *(WORDS.index(piece) for piece in pieces)]
    assert tokenizer.unknown(text) == []


def test_decode_joins_what_split_took_apart(tokenizer):
    for text in ("Today's weather isn't so nice.", "They're so, so nice?", "It is nice. They aren't."):
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_unknown_words_are_marked_and_named(tokenizer):
    ids = tokenizer.encode("Today's pizza is so so, Zoe!")
    assert tokenizer.tokens(ids) == ("<bos>", "Today", "'s", "<unk>", "is", "so", "so", ",", "<unk>", "<unk>")
    assert tokenizer.unknown("Today's pizza is so so, Zoe!") == ["pizza", "Zoe", "!"]


def test_capitals_are_forgiven(tokenizer):
    assert tokenizer.encode("today WEATHER it NICE") == tokenizer.encode("Today weather It nice")
    assert tokenizer.unknown("TODAY") == []


def test_nobody_types_a_second_beginning_by_accident(tokenizer):
    """<bos> is a mark: typed, it is the mark; decoded, it is silent."""
    assert tokenizer.encode("<bos> nice") == [0, 0, 11]
    assert tokenizer.decode([0, 0, 11]) == "nice"


@given(st.text(max_size=60))
def test_any_text_becomes_ids_of_the_list(text):
    tokenizer = WordTokenizer(WORDS)
    ids = tokenizer.encode(text)
    assert ids[0] == 0
    assert all(0 <= i < len(WORDS) for i in ids)
    assert len(ids) == 1 + len(tokenizer.split(text))
    assert [i for i in ids[1:]].count(1) == len(tokenizer.unknown(text)) + tokenizer.split(text).count("<unk>")


@given(st.lists(st.integers(2, len(WORDS) - 1), max_size=20))
def test_ids_survive_text(ids):
    """Every list of words is read back as it was written, contractions and punctuation included."""
    tokenizer = WordTokenizer(WORDS)
    assert tokenizer.encode(" ".join(tokenizer.tokens(ids))) == [0, *ids]


@pytest.mark.parametrize("words", [["<bos>"], ["<bos>", "<unk>", "a", "a"]])
def test_a_list_with_repeats_or_without_marks_is_refused(words):
    with pytest.raises(ValueError, match="words: expected at least 2 different words"):
        WordTokenizer(words)


@pytest.mark.parametrize("token_id", [-1, len(WORDS)])
def test_an_id_without_a_word_is_refused(tokenizer, token_id):
    with pytest.raises(ValueError, match=f"ids from 0 to {len(WORDS) - 1}, got {token_id}"):
        tokenizer.decode([token_id])
    with pytest.raises(ValueError, match="ids from 0 to"):
        tokenizer.tokens([token_id])


# The optional library


def test_without_the_library_the_first_text_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    (tmp_path / "tokenizer.json").write_text("{}")
    tokenizer = FileTokenizer(tmp_path / "tokenizer.json")
    with pytest.raises(ImportError, match="pip install tokenizers"):
        tokenizer.encode("a")


def test_with_the_library_a_checkpoints_own_file_is_used(tmp_path):
    pytest.importorskip("tokenizers", reason="the tokenizers library is optional")
    model = {"type": "WordLevel", "vocab": {"<s>": 0, "a": 1, "b": 2, "?": 3}, "unk_token": "?"}
    mark = {"id": "<s>", "type_id": 0}
    rule = {"type": "TemplateProcessing", "single": [{"SpecialToken": mark}, {"Sequence": {"id": "A", "type_id": 0}}], "pair": [],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}}  # fmt: skip
    special = {
        "id": 0,
        "content": "<s>",
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }
    content = {
        "version": "1.0",
        "added_tokens": [special],
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": rule,
        "model": model,
    }
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    tokenizer = FileTokenizer(tmp_path / "tokenizer.json")
    assert tokenizer.encode("b a x") == [0, 2, 1, 3]
    assert tokenizer.decode([0, 2, 1]) == "b a"
    assert tokenizer.tokens([0, 2, 9]) == ("<s>", "b", "[9]")


def test_a_broken_tokenizer_file_is_refused(tmp_path):
    pytest.importorskip("tokenizers", reason="the tokenizers library is optional")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ValueError, match=r"tokenizer\.json: expected a tokenizer"):
        FileTokenizer(tmp_path / "tokenizer.json").encode("a")
