"""Every preset of ours shows what its description promises."""

import pytest
from scenarios import contexts, winner

from engine import generate
from engine.toy import edits, presets
from engine.toy.presets import PRESETS


def test_tick_tock_alternates_however_long_the_answer_is():
    s = presets.TICK_TOCK
    made = [s.words[i] for i in generate(s.model(), s.prompt_ids, 12).token_ids]
    assert made == ["tick", "tock"] * 6


def test_the_storys_answer_is_a_sentence_of_different_words_and_all_else_of_it_is_the_articles():
    s, article = presets.ALL_SWIM, presets.Scenario.article()
    for use_cache in (True, False):
        made = [s.words[i] for i in generate(s.model(), s.prompt_ids, 12, use_cache=use_cache).token_ids]
        assert made == ["nice", "that", *["we", "all", "swim", "."] * 3][:12]
    assert (s.values, s.rules, s.sharpness) == (article.values, article.rules, article.sharpness)


def test_the_order_of_the_same_words_decides_the_next_one():
    s = presets.DOG_BITES_MAN
    swapped = edits.swap_tokens(s, s.tokens.index("Dog"), s.tokens.index("man"))
    assert sorted(swapped.tokens) == sorted(s.tokens) and (winner(s), winner(swapped)) == ("barks", "sues")
    assert contexts(s)[1, -1] == pytest.approx(contexts(swapped)[1, -1])


@pytest.mark.parametrize("value", [-1000, 0, 19, 1000])
def test_a_share_of_another_value_never_turns_a_context_round_by_multiplying(value):
    s = presets.NOT_BAD
    changed = edits.set_value(s, s.tokens.index("not"), value)
    assert contexts(changed)[1, -1] == pytest.approx((value + s.values[-1]) / 2, abs=1e-3)  # a sum of shares, linear in each
    assert contexts(s)[1, -1] < 0


def test_what_no_head_sees_does_not_count():
    s = presets.TO_REMEMBER
    assert winner(s) == "42" and winner(edits.set_rule(s, 1, "window:3")) == "lost"
    assert contexts(s)[:, -1] == pytest.approx([1, 42, sum(s.values) / len(s.values)], abs=1e-3)


def test_descriptions_give_the_numbers_of_their_scenarios_and_are_one_to_three_sentences():
    for name, (s, said) in PRESETS.items():
        assert said.endswith(".") and len(said) < 300, name
        assert name.startswith("Article") or winner(s) in said, name
