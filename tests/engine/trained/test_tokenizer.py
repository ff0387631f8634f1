"""Words to ids and back, and the optional library for real checkpoints."""

import gc
import json
import sys

import pytest
from checkpoints import HOSTILE, MARK, READABLE, TEXT, tokenizer_json
from hypothesis import given
from hypothesis import strategies as st

from engine.trained.process import tokenizer_process
from engine.trained.process.child import Child
from engine.trained.tokenizer import FileTokenizer, WordTokenizer

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


@pytest.mark.parametrize("mark", ["<unk>", "<UNK>", "<Unk>"])
def test_a_typed_unknown_mark_beside_an_unknown_word_is_a_pair_of_its_own(tokenizer, mark):
    """The page paired the unknown pieces, one here, with the unknown ids, two here, and stopped at the second."""
    assert tokenizer.pairs(f"zebra {mark} nice") == [("zebra", 1), (mark, 1), ("nice", 11)]
    assert tokenizer.unknown(f"zebra {mark} nice") == ["zebra"]


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


# A checkpoint's own file, in a process of its own


@pytest.fixture
def made(tmp_path):
    """A tokenizer of a file with some changes."""
    pytest.importorskip("tokenizers", reason="the tokenizers library is optional")

    def make(changes=()):
        (tmp_path / "tokenizer.json").write_text(tokenizer_json(changes))
        return FileTokenizer(tmp_path / "tokenizer.json", load_s=20, text_s=1)

    return make


def test_without_the_library_the_first_text_says_what_to_install(tmp_path, monkeypatch):
    script = tmp_path / "without.py"
    script.write_text('print(\'{"missing": "tokenizers"}\')')
    monkeypatch.setattr("engine.trained.tokenizer.SCRIPT", script)
    with pytest.raises(ImportError, match="pip install tokenizers"):
        FileTokenizer(tmp_path / "tokenizer.json").encode("a")


def test_what_a_process_said_before_it_ended_is_read_although_its_input_is_closed(tmp_path):
    script = tmp_path / "ended.py"
    script.write_text('print(\'{"missing": "tokenizers"}\')')
    child = Child(script)
    child._process.wait()
    assert child.answer("a", 20) == {"missing": "tokenizers"}
    assert child.answer("a", 20) is None


def test_the_process_says_that_the_library_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    written = []
    tokenizer_process.answers(['"tokenizer.json"'], written.append)
    assert json.loads(written[0]) == {"missing": "tokenizers"}


def test_with_the_library_a_checkpoints_own_file_is_used(made):
    rule = {"type": "TemplateProcessing", "single": [MARK, TEXT], "pair": [],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}}  # fmt: skip
    special = dict(id=0, content="<s>", single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
    tokenizer = made({"post_processor": rule, "added_tokens": [special]})
    assert tokenizer.encode("b a x") == [0, 2, 1, 3]
    assert tokenizer.decode([0, 2, 1]) == "b a"
    assert tokenizer.tokens([0, 2, 9]) == ("<s>", "b", "[9]")


def test_a_broken_tokenizer_file_is_refused_and_not_tried_again(made, monkeypatch):
    tokenizer = made({"model": {}})
    with pytest.raises(ValueError, match=r"tokenizer\.json: expected a tokenizer"):
        tokenizer.encode("a")
    monkeypatch.setattr("engine.trained.tokenizer.Child", None)
    with pytest.raises(ValueError, match=r"tokenizer\.json: expected a tokenizer"):
        tokenizer.encode("a")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_a_sentence_or_reads_what_was_typed(made, name):
    """The library ran in the server: a panic passed every `except Exception`, 2·10⁸ pads took the memory, and a text that never
    ended took a visitor's thread for good."""
    tokenizer = made(HOSTILE[name])
    if name in READABLE:
        assert tokenizer.encode("x a x") == [3, 1, 3]
        return
    with pytest.raises(ValueError, match=r"tokenizer\.json: expected"):
        tokenizer.encode("x" * 40)


def test_after_a_text_that_never_ended_the_next_is_read(made):
    tokenizer = made(HOSTILE["never ends"])
    with pytest.raises(ValueError, match="within 1 s"):
        tokenizer.encode("x" * 40)
    assert tokenizer.encode("a b") == [1, 2]


def test_the_process_ends_with_its_tokenizer(made):
    tokenizer = made()
    tokenizer.encode("a")
    process = tokenizer._child._process
    del tokenizer
    gc.collect()
    assert process.wait(20) is not None


def test_a_text_that_cannot_be_encoded_is_refused(made):
    with pytest.raises(ValueError, match="expected a text that it can read"):
        made().encode("\ud800")
