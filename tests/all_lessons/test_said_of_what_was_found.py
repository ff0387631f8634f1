"""What is said of a run, a cause or a difference is what was found, and of what it was found."""

from dataclasses import replace
from functools import lru_cache

from said import plain

from engine import Scenario
from engine.serving import Knee
from engine.toy.edits import set_value
from engine.toy.leaks import leaks
from pages.lessons.decode import questions as decode_questions
from pages.lessons.decode import steps as decode_steps
from pages.lessons.many import devices
from pages.lessons.many import load as loads
from pages.lessons.prefill import questions as prefill_questions
from pages.lessons.prefill.future import who_noticed

PARIS = Scenario(
    ("Paris", "has", "many", "old", "bridges", "and", "parks"), (25, 2, 5, 9, 14, 1, 11), ("odd", "self", "at:3", "previous"),
    ("too", "indeed", "everywhere"), (3, 6, 10), ((0.2, 0.1, 0.1), (0.3, 0.2, 0.1), (0.1, 0.3, 0.2), (0.1, 0.1, 0.3)),
    causal=False, empty_row="fill",
)  # fmt: skip


def test_no_number_of_servers_is_said_to_be_needed_that_no_search_found():
    """“30 are needed”, where 25 that take turns were enough; “keeps both limits up to 66.1”, of which 79% of 2,000 were in time."""
    one = replace(loads.usual(), per_minute=1920)
    knee = Knee(66.1 / 60, ((66.1 / 60, 0.9),))
    said = plain(devices.devices_said(one, knee, 30, False, 120))
    assert "in a run of 120" in said and "may do with fewer" in said and "need" not in said and "up to" not in said
    asked = devices.count_question(one, 30, 500, 25)
    assert "the most that one keeps" in asked.asked and "take turns" not in asked.why
    assert "or fewer" in devices.devices_said(one, knee, 30, True, 120) and "fewer" not in devices.devices_said(
        one, knee, 1, True, 120
    )
    assert devices.n_requests(1.1, 18) == devices.LEAST and devices.n_requests(50.0, 18) == 900


@lru_cache
def grown(s: Scenario, n: int) -> tuple[int, ...]:
    """The ids of a prompt and of what comes after it."""
    return (*s.prompt_ids, *[s.id_words.index(word) for word in s.words[:1]] * n)


def test_filled_rows_are_a_cause_beside_a_mask_that_is_off():
    """“By up to 0.821, because the mask is off”, which they change by with the mask on as well."""
    ids = grown(PARIS, 1)
    assert leaks(PARIS, 7, ids) == ("mask", "fill") and leaks(replace(PARIS, empty_row="none"), 7, ids) == ("mask",)
    said = decode_steps._rows_above(PARIS, 7, ids)
    assert decode_questions.LEAKS["mask"] in said and decode_questions.LEAKS["fill"] in said


def test_rows_that_move_by_a_leak_alone_are_not_counted():
    """“7 of 7 differ”, six of them by 10⁻⁶."""
    ids = grown(PARIS, 1)
    assert "one of them should not" in plain(decode_steps._rows_above(PARIS, 7, ids))
    assert "stay as they are." in decode_steps._rows_above(replace(PARIS, empty_row="none"), 7, ids)


def test_a_row_that_is_filled_under_the_mask_changes_under_it_too():
    """“Without the mask a row sees what comes later”, of what the mask does not help against."""
    token = prefill_questions.token_changed(PARIS)
    after = set_value(PARIS, token, prefill_questions.value_given(PARIS, token))
    for fill, too in (("fill", True), ("soft", False)):
        before, then = (replace(s, empty_row=fill) for s in (PARIS, after))
        moved = prefill_questions.contexts_changed(before, then).any(axis=1)
        assert moved[:token].any() and ("With it **2** would" in who_noticed(before, then, token, moved)) == too
