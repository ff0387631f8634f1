"""Edits keep together what belongs together: a token and its value, a head and its row of W, a word and its column."""

from dataclasses import fields
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import scenarios

from engine import Scenario, generate, probabilities
from engine.toy import edits
from engine.toy.presets import ALL_SWIM
from engine.toy.scenario import MAX_HEADS, MAX_PROMPT, MAX_WORDS, SMALLEST

ARTICLE = Scenario.article()
ANY = st.integers(0, 100)  # an index, taken modulo what there is


def changed(before, after):
    """The names of the fields that differ."""
    return {f.name for f in fields(Scenario) if getattr(before, f.name) != getattr(after, f.name)}


def pairs(s):
    return list(zip(s.tokens, s.values, strict=True))


def heads(s):
    return list(zip(s.rules, s.w_vocab, strict=True))


def words(s):
    return list(zip(s.words, s.word_values, zip(*s.w_vocab, strict=True), strict=True))


@given(scenarios(n_tokens=st.integers(1, MAX_PROMPT - 1)), ANY)
def test_a_token_added_and_removed_again_leaves_everything_as_it_was(s, at):
    at %= len(s.tokens)
    added = edits.add_token(s, at, "new")
    assert added.tokens[at + 1] == "new" and pairs(added)[: at + 1] + pairs(added)[at + 2 :] == pairs(s)
    assert changed(s, added) == {"tokens", "values"}
    assert edits.remove_token(added, at + 1) == s


@given(scenarios(n_tokens=st.integers(2, MAX_PROMPT)), ANY, ANY)
def test_tokens_swap_places_with_their_values(s, a, b):
    a, b = a % len(s.tokens), b % len(s.tokens)
    swapped = edits.swap_tokens(s, a, b)
    assert (pairs(swapped)[a], pairs(swapped)[b]) == (pairs(s)[b], pairs(s)[a])
    assert sorted(pairs(swapped)) == sorted(pairs(s)) and edits.swap_tokens(swapped, a, b) == s


@given(scenarios(), ANY, st.floats(-1000, 1000).filter(lambda x: abs(x) >= SMALLEST))
def test_one_value_one_word_one_rule_and_one_entry_change_alone(s, at, x):
    token, head, word = at % len(s.tokens), at % len(s.rules), at % len(s.words)
    for after, field, path in (
        (edits.set_value(s, token, x), "values", (token,)),
        (edits.rename_token(s, token, "another"), "tokens", (token,)),
        (edits.set_rule(s, head, "at:64"), "rules", (head,)),
        (edits.set_w(s, head, word, x), "w_vocab", (head, word)),
        (edits.rename_word(s, word, "another"), "words", (word,)),
        (edits.set_word_value(s, word, x), "word_values", (word,)),
    ):
        assert changed(s, after) <= {field}
        old, new = getattr(s, field), getattr(after, field)
        for index in path[:-1]:
            assert [i for i in range(len(old)) if old[i] != new[i]] in ([], [index])
            old, new = old[index], new[index]
        assert [i for i in range(len(old)) if old[i] != new[i]] in ([], [path[-1]])
    assert edits.set_value(s, token, x).values[token] == x and edits.set_w(s, head, word, x).w_vocab[head][word] == x


@given(scenarios(), ANY)
def test_heads_come_and_go_with_their_row_of_w_and_words_with_their_column(s, at):
    if len(s.rules) < MAX_HEADS:
        added = edits.add_head(s, "first")
        assert heads(added)[:-1] == heads(s) and len(set(added.w_vocab[-1])) == 1  # it favours no word
        assert edits.remove_head(added, len(s.rules)) == s
    if len(s.rules) > 1:
        kept = heads(edits.remove_head(s, at % len(s.rules)))
        assert kept == [pair for h, pair in enumerate(heads(s)) if h != at % len(s.rules)]
    if len(s.words) < MAX_WORDS:
        added = edits.add_word(s, "new")
        assert words(added)[:-1] == words(s) and edits.remove_word(added, len(s.words)) == s
    if len(s.words) > 1:
        kept = words(edits.remove_word(s, at % len(s.words)))
        assert kept == [triple for w, triple in enumerate(words(s)) if w != at % len(s.words)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Today weather is so", (10, 20, 1, 5)),
        ("so is weather Today", (5, 1, 20, 10)),  # words take their values along
        ("Today cab is so", (10, 6, 1, 5)),  # c + a + b
        ("Today so", (10, 5)),
        ("Today weather is so zz", (10, 20, 1, 5, 52 - 2 * 21)),
        ("is is is", (1, *((9 + 19) % 21,) * 2)),  # one value is not handed out twice
    ],
)
def test_a_prompt_written_anew_keeps_the_values_of_the_words_that_stay(text, values):
    after = edits.set_prompt(ARTICLE, text.split())
    assert after.tokens == tuple(text.split()) and after.values == values
    assert changed(ARTICLE, after) <= {"tokens", "values"}


@pytest.mark.parametrize("text", ["nice warm delicious", "delicious cold nice", "mat", "mat moon dog tree"])
def test_candidates_written_anew_keep_the_numbers_of_the_words_that_stay(text):
    after = edits.set_words(ARTICLE, text.split())
    assert after.words == tuple(text.split()) and changed(ARTICLE, after) <= {"words", "word_values", "w_vocab"}
    for k, word in enumerate(after.words):
        column, old = [row[k] for row in after.w_vocab], ARTICLE.words.index(word) if word in ARTICLE.words else None
        if old is None:
            assert after.word_values[k] == edits.new_value(word) and column == [edits.NEW_W] * 4
        else:
            assert after.word_values[k] == ARTICLE.word_values[old] and column == [row[old] for row in ARTICLE.w_vocab]


def test_words_of_ones_own_come_in_the_order_in_which_they_are_typed_and_seldom_for_certain():
    """“Our cat sat on the mat mat mat mat”, 100.0%: the columns of W stayed those of the scenario's own words."""
    prompts = (
        "our cat sat on the",
        "lunch today is so",
        "the dog chased the",
        "it is u",
    )  # the last two are of values that are alike
    words, sure = ("mat", "moon", "dog", "tea", "cold", "ball", "rain"), []
    for prompt, some in product(prompts, (*permutations(words, 3), words[:2], words, words[:1], ("aa", "b", "bb"))):
        s = edits.in_order(edits.set_words(edits.set_prompt(ALL_SWIM, prompt.split()), some))
        out = generate(s.model(), s.prompt_ids, len(some))
        assert out.token_ids == tuple(range(len(some))) and s.tokens == tuple(prompt.split()) and s.words == tuple(some)
        sure.append(probabilities(out.passes[0].logits[-1]).max())
    assert np.mean(np.array(sure) > 0.99) < 0.1 and 0.5 < np.median(sure) < 0.95


@given(scenarios())
def test_words_in_order_are_the_same_words_or_nothing_has_changed(s):
    after = edits.in_order(s)
    assert changed(s, after) <= {"word_values", "w_vocab"} | ({"values"} if s.values[0] == 0 else set())
    assert after == s or generate(after.model(), after.prompt_ids, len(s.words)).token_ids == tuple(range(len(s.words)))


@given(st.text(max_size=40))
def test_a_new_words_value_is_a_whole_number_in_bounds_and_the_same_for_the_same_letters(word):
    value = edits.new_value(word)
    assert value == int(value) and 0 <= value <= edits.MOST_NEW_VALUE
    assert edits.new_value("".join(reversed(word.lower()))) == edits.new_value(word.lower())


@pytest.mark.parametrize(
    ("word", "total"), [("cab", 6), ("CAB", 6), ("Zoë", 26 + 15 + 5), ("w12", 23 + 3), ("№", 14 + 15), ("中", 0x4E2D)]
)
def test_letters_count_their_place_in_the_alphabet(word, total):
    assert edits.letter_sum(word) == total


@pytest.mark.parametrize(
    "edit",
    [
        lambda s: edits.set_prompt(s, []),
        lambda s: edits.set_prompt(s, ["w"] * 17),
        lambda s: edits.rename_token(s, 0, " "),
        lambda s: edits.set_value(s, 0, float("nan")),
        lambda s: edits.set_value(s, 0, 1001),
        lambda s: edits.set_value(s, 0, None),
        lambda s: edits.rename_word(s, 0, "warm"),
        lambda s: edits.add_word(s, "nice"),
        lambda s: edits.set_words(s, []),
        lambda s: edits.set_words(s, ["mat", "mat"]),
        lambda s: edits.set_words(s, [f"w{k}" for k in range(13)]),
        lambda s: edits.remove_token(edits.set_prompt(s, ["w"]), 0),
        lambda s: edits.set_rule(s, 0, "sideways"),
    ],
)
def test_what_cannot_be_is_refused_in_words(edit):
    with pytest.raises(ValueError, match="expected"):
        edit(ARTICLE)
