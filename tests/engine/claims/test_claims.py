"""The claims court: every verdict follows from its experiment, with the article's numbers, and would turn if the numbers did."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from scenarios import CODE, TEXT, scenarios
from verdicts import CAVEAT, EXPECTED, TRUE, WRONG

from engine import Counts, prefill
from engine.claims import CLAIMS, FAR, Finding, attention, cache, find, usual, work
from engine.compare import largest_gap


def numbers(claim, s=TEXT):
    return find(claim, s).numbers


def test_the_order_is_the_links_and_new_statements_go_to_the_end():
    assert list(CLAIMS)[: len(EXPECTED)] == list(EXPECTED)


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_verdict_of_the_articles_scenario(claim):
    assert find(claim, TEXT).verdict == find(claim, CODE).verdict == EXPECTED[claim]


@settings(max_examples=60)
@given(scenarios())
def test_the_verdict_does_not_hang_on_the_scenario(s):
    for claim in CLAIMS:
        finding = find(claim, s)
        assert finding.verdict == EXPECTED[claim], claim
        assert finding.scenario in (usual(s), TEXT, None)


def test_the_numbers_of_attention_are_the_articles():
    found = numbers("values")
    assert (found["weights"], found["visible"]) == (0, 40) and found["contexts"] > 0
    assert found["shares"] == pytest.approx((1.5, 9.0, 0.05, 4.75), abs=1e-5)  # "so" says more than "Today"
    assert numbers("every_other") == {"others": 6, "all_others": 12, "itself": 4, "n": 4}
    assert numbers("newest_needs_no_mask") == {"hidden": 0, "gap": 0, "prefill": 6, "steps": 3}
    found = numbers("logits_are_chances")
    assert found["sum"] == pytest.approx(37.65) and found["probs"] == pytest.approx([0.749819, 0.249593, 0.000589], abs=1e-6)
    found = numbers("average")
    assert found["mean"] == pytest.approx(9.125) == found["twin_mean"]
    assert found["logits"] == pytest.approx([15.3, 14.2, 8.15]) and found["averaged"] == pytest.approx([14.6, 13.6875, 8.2125])
    assert largest_gap(np.array(found["twin"]), np.array(found["logits"])) > 1
    assert numbers("decode_makes_the_first") == {"first": 0, "several": 3, "words": 4}
    found = numbers("attention_finds_the_word")
    assert (found["moved"], found["before"], found["after"]) == (0, "nice", "delicious")


def test_the_numbers_of_the_cache_are_the_articles():
    assert numbers("only_the_query") == {"queries": 1, "kv": 1, "read": 6}
    assert 0 <= max(numbers("queries_are_dropped")["gaps"]) < 1e-14 and len(numbers("queries_are_dropped")["gaps"]) == 4
    found = numbers("old_rows_stay")
    assert found["gap"] == 0 and (found["before"], found["after"]) == pytest.approx((5.0, 9.0), abs=1e-5)
    assert found["unmasked"] == pytest.approx(0.4)
    found = numbers("same_result")
    assert (found["cached"], found["whole"], found["mended"]) == pytest.approx((6.0, 7.0, 7.0), abs=1e-5) and found["gap"] < 1e-12
    assert numbers("contexts_are_reused") == pytest.approx({"values": 1.0, "contexts": 0.0}, abs=1e-6)
    found = numbers("keys_never_change")
    assert max(found["masked"]) < 1e-12 and found["bare"][0] < 1e-12 and min(found["bare"][1:]) > 0.01
    found = numbers("gqa_is_a_strategy")
    assert found["shared"] < 1e-12 and found["forced"] > 0.1 and found["scores"] == found["grouped_scores"] == 8 * 12 * 12
    assert found["small"] / found["full"] == found["kv_heads"] / found["heads"] == 2 / 8


def test_the_numbers_of_the_work_are_the_articles():
    assert numbers("weights_are_spared") == {"step": 7, "n": 7, "without": 28, "cached": 28, "deep": 74}
    one = replace(TEXT, tokens=("a",), values=(1,))
    factors = {k: numbers(k, one) for k in ("keys_and_values_linear", "square_without", "linear_with")}
    assert factors["keys_and_values_linear"]["without"] == pytest.approx(3.998, abs=5e-4)
    assert factors["keys_and_values_linear"]["cached"] == pytest.approx(2.0, abs=5e-4)
    assert factors["square_without"]["scores"] == pytest.approx(7.988, abs=5e-4)
    assert factors["linear_with"]["scores"] == pytest.approx(3.998, abs=5e-4)
    found = numbers("steady_pace")
    assert (found["first"], found["first_cached"], found["early"], found["late"]) == (10, 10, 5, 4 + FAR)
    times = [v for k, v in found.items() if k.startswith("ms_")]
    assert times == pytest.approx([8.03, 10.13, 16.06], abs=0.005) and times[2] == pytest.approx(2 * times[0], rel=1e-4)


def world(**counts):
    """An answer whose last pass computed what it is told."""
    run = prefill(TEXT.model(), TEXT.prompt_ids)
    return lambda s: (run, SimpleNamespace(layers=run.layers, counts=Counts(**counts), n_past=6))


OTHER_WORLDS = [  # claim, module, name, what takes its place, and the verdict that must then come out
    ("values", attention, "set_value", lambda s, token, v: replace(s, rules=("previous",) * 4), TRUE),
    ("every_other", attention, "layer_of", lambda s: prefill(replace(s, causal=False).model(), s.prompt_ids).layers[0], TRUE),
    ("newest_needs_no_mask", attention, "short_answer", lambda s: [prefill(s.model(), s.prompt_ids)] * 2, WRONG),
    ("logits_are_chances", attention, "one_pass", lambda s: SimpleNamespace(logits=np.array([[0.5, 0.3, 0.2]])), TRUE),
    ("average", attention, "averaged", lambda context: context, None),
    ("only_the_query", cache, "short_answer", world(query_rows=1), TRUE),
    ("queries_are_dropped", cache, "cache_gap", lambda model, ids: 0.1, WRONG),
    ("decode_makes_the_first", attention, "generate", lambda m, ids, g: SimpleNamespace(passes=(0,) * (g + 1)), TRUE),
    ("attention_finds_the_word", attention, "one_pass", lambda s: prefill(TEXT.model(), TEXT.prompt_ids), TRUE),
    ("old_rows_stay", cache, "_old_rows_gap", lambda s, word: 1.0, WRONG),
    ("same_result", cache, "cache_gap", lambda model, ids: 0.1, WRONG),
    ("contexts_are_reused", cache, "decode_step", lambda m, word, c: prefill(TEXT.model(), (3,)), TRUE),
    ("weights_are_spared", work, "short_answer", world(), TRUE),
    ("keys_and_values_linear", work, "doubling", lambda *a: 4.0, WRONG),
    ("square_without", work, "doubling", lambda *a: 4.0, TRUE),
    ("linear_with", work, "doubling", lambda *a: 2.0, TRUE),
    ("steady_pace", work, "pass_counts", lambda *a: Counts(1, 1, 5, 5), TRUE),
    ("keys_never_change", cache, "cache_gap", lambda model, ids: 0.0, TRUE),
    ("gqa_is_a_strategy", cache, "largest_gap", lambda a, b: 0.0, TRUE),
]


@pytest.mark.parametrize(("claim", "module", "name", "other", "verdict"), OTHER_WORLDS, ids=[w[0] for w in OTHER_WORLDS])
def test_the_verdict_turns_when_the_evidence_does(claim, module, name, other, verdict, monkeypatch):
    monkeypatch.setattr(module, name, other)
    finding = CLAIMS[claim](usual(TEXT))
    assert (finding and finding.verdict) == verdict != EXPECTED[claim]


def test_every_claim_is_tried_in_another_world():
    assert [w[0] for w in OTHER_WORLDS] == list(CLAIMS)


def test_a_scenario_that_cannot_show_the_point_gives_way_to_the_articles():
    alone = replace(TEXT, tokens=("a",), values=(1,), rules=("self",), w_vocab=((1, 0, 0),))
    for claim in ("every_other", "average", "contexts_are_reused"):
        assert find(claim, alone).scenario == TEXT
    assert find("linear_with", alone).scenario == alone
    assert find("values", replace(CODE, causal=False)).scenario == replace(TEXT, causal=True)


def test_the_verdict_is_worked_out_and_an_unknown_claim_refused():
    assert [Finding(h, e, {}, TEXT).verdict for h, e in ((True, True), (True, False), (False, True), (False, False))] == [
        TRUE, CAVEAT, WRONG, WRONG,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="claim: expected one of values, every_other"):
        find("moon", TEXT)
