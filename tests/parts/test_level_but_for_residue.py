"""Two words that are level by hand, and that softmax parts by what it leaks: no threshold, winner or digit may come of that.

Found by a reader who held three scenarios of his own against the pages.
"""

from dataclasses import replace

import numpy as np
from said import plain

from engine.cache import KVCache
from engine.claims import Finding
from engine.claims.attention import attention_finds_the_word
from engine.decode import generate
from engine.prefill import prefill
from engine.toy.edits import set_value
from engine.toy.leaks import kept_row_changes, old_row_gaps
from engine.toy.scenario import Scenario
from pages.lessons.decode.questions import rows_hardly_changed
from pages.lessons.decode.steps import _rows_above
from pages.lessons.less.steps import _error
from pages.lessons.logits.challenge import cell_question
from pages.lessons.logits.nearest_flip import _flip_sentence, _flips_in_words, flip_table, lines_by_hand
from pages.lessons.logits.temperature import temperature_question
from pages.lessons.prefill.future import _by_little
from pages.lessons.prefill.questions import rows_hardly_changed as rows_hardly_changed_in_prefill
from pages.parts.controls.toy import prefill_of
from pages.parts.text.claims.wording import logit_bars

SIX_AND_SIX = Scenario(
    ("Lena", "paints", "her", "small", "room"), (10, 4, 2, 8, 20), ("first", "self"), ("green", "blue", "again"), (5, 12, 3),
    ((0.4, 0.2, 0.1), (0.1, 0.2, 0.05)),
)  # fmt: skip
HUMID = Scenario(
    ("Today", "weather", "is", "so"), (15, 8, 1, 12), ("odd", "previous:2", "even", "all"), ("nice", "grey", "humid"), (7, -3, 9),
    ((0.3, 0.2, 0.4), (0.5, 0.1, 0.3), (0.2, 0.6, 0.1), (0.1, 0.3, 0.5)), empty_row="fill",
)  # fmt: skip


def run(s):
    return prefill(s.model(), s.prompt_ids, KVCache.for_model(s.model(), 32))


def test_no_value_flips_two_level_words_but_those_that_a_head_looks_at():
    """“paints”: below −40 “blue”; “her”: below −42 “blue”; “Lena”: below 9.999998 “blue”. No head of “room” looks at the first two."""
    one = prefill_of(SIX_AND_SIX)
    said = plain(_flips_in_words(SIX_AND_SIX, one, flip_table(SIX_AND_SIX, one)))
    assert "“green” and “blue” are level now" in said
    for word in ("paints", "her", "small"):
        assert f"“{word}”: no value" in said
    assert "“Lena”: below 10 “blue”, below −30 “again”" in said and "“room”: above 20 “blue”" in said
    assert "Below 10 for “Lena”" in plain(_flip_sentence(SIX_AND_SIX, one, flip_table(SIX_AND_SIX, one)))


def test_a_flip_of_two_level_words_lies_at_the_present_value():
    """“Above 12.000001 for so”, which is 12."""
    said = plain(_flips_in_words(HUMID, run(HUMID), flip_table(HUMID, run(HUMID))))
    assert "“Today”: above 15 “humid”" in said and "“so”: below 12 “humid”" in said
    logits, _ = lines_by_hand(HUMID, run(HUMID))
    np.testing.assert_allclose(logits, (9.3, 11.1, 11.1), atol=1e-9)


RAINY = Scenario(
    ("Lisbon", "had", "grey", "rainy", "days", "lately"), (21, -3, -14, -8, 2.5, 6), ("window:3", "previous", "even"),
    ("though", "but", "again"), (1.5, -6, 4), ((0.2, -0.3, 0.1), (0.3, 0.1, 0.2), (-0.1, 0.4, 0.2)), 5, False, "soft",
)  # fmt: skip


VIENNA = Scenario(
    ("Vienna", "felt", "damp", "grey", "today"), (17, -6, 3.5, 12, -10), ("even", "previous:2", "all"),
    ("somehow", "though", "again"), (-4, 8, 2.5), ((0.3, -0.2, 0.1), (0.1, 0.4, -0.3), (-0.2, 0.1, 0.4)), 3, False, "fill",
)  # fmt: skip
WORDS = tuple(generate(VIENNA.model(), VIENNA.prompt_ids, 5).token_ids)


def test_rows_that_move_by_what_a_softer_softmax_leaks_are_not_counted_as_others():
    """“6 of 6 differ, by up to 0.143”: one does, that of “Lisbon”, behind nothing; five move by 5·10⁻⁵ to 9·10⁻⁴, which prefill calls
    “hardly moved”."""
    assert RAINY.sharpness == 5 and not RAINY.causal and RAINY.empty_row == "soft"
    said = plain(_rows_above(RAINY, 6, (*RAINY.prompt_ids, 0)))
    assert "6 rows above it stay as they are, but one of them should not" in said
    assert "by up to 0.143 (5 others by less than 0.002), because the mask is off" in said
    change = old_row_gaps(RAINY, 6, (*RAINY.prompt_ids, 0))
    hardly, little = rows_hardly_changed(RAINY, change, 1)
    assert hardly.tolist() == [False, *[True] * 5] and little == 0.002 and change[1:].max() < 0.001
    harder = replace(RAINY, sharpness=8)
    assert "others" not in _rows_above(harder, 6, (*RAINY.prompt_ids, 0)) and not rows_hardly_changed(harder, change, 1)[1]


def test_a_row_that_moves_by_more_than_a_leak_can_is_counted():
    """“8 of them should not (another by less than 0.5)” of a row that moves by 0.457, where softmax leaks at most 0.33."""
    assert _rows_above(VIENNA, 9, (*VIENNA.prompt_ids, *WORDS)).count("others") == 0
    change = kept_row_changes(VIENNA, 9, (*VIENNA.prompt_ids, *WORDS)).max(axis=1)
    hardly, little = rows_hardly_changed(VIENNA, change, len(WORDS))
    assert not hardly.any() and not little and 0.45 < change.min() < 0.46
    change[0] = 0.1
    hardly, little = rows_hardly_changed(VIENNA, change, len(WORDS))
    assert hardly.tolist() == [True, *[False] * 8] and 0.33 < little < change[1:].min()


def test_level_logits_are_written_as_by_hand():
    """“5.9999991 − 5.9999991 = 0 becomes 0”; “logit of green 5.9999986”, which is 6 everywhere else."""
    assert "6 − 6 = 0 becomes 0" in plain(temperature_question(SIX_AND_SIX).why)
    assert "11.1 − 11.1 = 0 becomes 0" in plain(temperature_question(HUMID).why)
    shown = [bar.text for bar in logit_bars(Finding(True, True, {}, SIX_AND_SIX), "logit", run(SIX_AND_SIX).logits[-1])]
    assert shown == ["6", "6", "2"]
    half = [bar.text for bar in logit_bars(Finding(True, True, {}, SIX_AND_SIX), "logit", [-4.137499999, -3.0, 1.0])]
    assert half[0] == "−4.138"  # by hand −4.1375


def test_no_claim_names_a_winner_of_two_that_a_leak_parts():
    """“green becomes again”, of two words at 6 after two columns of W were exchanged; “humid becomes nice”, both at 11.1."""
    assert attention_finds_the_word(SIX_AND_SIX) is None and attention_finds_the_word(HUMID) is None
    apart = replace(SIX_AND_SIX, values=(11, 4, 2, 8, 20))
    assert attention_finds_the_word(apart)["after"] == "again"


def test_a_quotient_that_is_exact_is_said_to_be_that():
    """“4 / 20, about 0.2, is enough”."""
    s = replace(SIX_AND_SIX, w_vocab=((0.4, 0.2, 0.1), (0.1, 0.1, 0.05)))  # 6, 4 and 2
    why = plain(cell_question(s, run(s).layers[-1].context[:, -1, 0], run(s).logits[-1]).why)
    assert "4 / 20 = 0.2 is enough to draw level" in why
    third = replace(s, values=(10, 4, 2, 8, 26))
    assert "≈" in plain(cell_question(third, run(third).layers[-1].context[:, -1, 0], run(third).logits[-1]).why)


def test_an_error_that_softmax_leaks_is_0():
    """“Lowers the error of the contexts from 0.894 to 2·10⁻⁷”."""
    assert (_error(2e-7), _error(0.894)) == ("0", "0.894")


def test_an_alternative_says_of_which_rows_little_changed():
    """“Rows that changed: Lisbon, had, grey, rainy”, three of them by less than 0.005, which the sentence beside it says."""
    before = replace(RAINY, causal=False)
    hardly, least = rows_hardly_changed_in_prefill(before, set_value(before, 4, 100))
    said = _by_little(hardly, least, np.array([True, True, True, True, False]))
    assert said.startswith(", ") and "of them by less than" in said
    assert "of them" not in _by_little(hardly, least, np.array([True]))
