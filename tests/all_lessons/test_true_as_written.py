"""Sentences that a link made false as they were written: sums whose parts add up to another number, words that rounding chose, keys
that say no place, numbers that are marked where they do not stand. Each is read over scenarios or machines of every kind.
"""

import json
import re
from dataclasses import replace
from itertools import product
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from app_pages import all_answered, alone, alts, commit, computed, figures, of_visit, ran, show, text, visited
from hypothesis import example, given
from hypothesis import strategies as st
from said import plain, words_in
from scenarios import KINDS, TEXT, run, scenarios

from engine import Scenario, generate, prefill
from engine.claims import CLAIMS, find, usual
from engine.cost import DEVICES, MODELS, weight_read_bytes
from engine.cost.times import pass_parts
from engine.sampling import greedy, likeliest, probabilities
from engine.serving.log_lines import read_log
from engine.toy.by_hand import rows_by_hand
from engine.toy.edits import set_value
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.one_cell import derive
from engine.toy.presets import PRESETS
from pages.app.course import LESSONS
from pages.lessons.attention import notebook as attention_notebook
from pages.lessons.attention import sentences as attention_sentences
from pages.lessons.attention import softer
from pages.lessons.attention import story as attention_story
from pages.lessons.attention.cell_in_steps import cell_steps
from pages.lessons.cache import story as cache_story
from pages.lessons.cache.stale_keys import stale_keys
from pages.lessons.logits import story as logits_story
from pages.lessons.logits import temperature
from pages.lessons.logits.challenge import cell_question, challenge
from pages.lessons.prefill import notebook as prefill_notebook
from pages.lessons.prefill import story as prefill_story
from pages.lessons.prefill.questions import leak_question, mask_question
from pages.lessons.quiz import beliefs, words_and_steps
from pages.lessons.roofline import notebook as roofline_notebook
from pages.lessons.rules import questions as rules_questions
from pages.lessons.rules import sentences as rules_sentences
from pages.lessons.rules import story as rules_story
from pages.lessons.rules.questions import context_question
from pages.lessons.serverlog.figures.log_and_memory import Printed, marked
from pages.lessons.serverlog.steps import BEYOND
from pages.lessons.serverlog.understood import _marked
from pages.parts.controls import toy
from pages.parts.controls.toy_notebook import answer_cells
from pages.parts.hardware import short_config
from pages.parts.hardware.setup import Setup
from pages.parts.lesson.terms import TERMS
from pages.parts.question import question as questions
from pages.parts.question.question import Predictions, Question, verdict_on
from pages.parts.teaching import routes
from pages.parts.text.digits import as_number, context_text, logits_side_by_side, summed
from pages.parts.text.format import md
from pages.parts.visit import scenario, scenario_query
from pages.parts.visit.display import Screen

ANY = st.builds(lambda s, causal: replace(s, causal=causal), scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 7)), st.booleans())
STORY = {"route": "story"}
WIND = Scenario(
    ("wind", "rain", "sun"), (-0.25, 0.75, -1.5), ("none", "first", "window:4"), ("cold", "hot"), (-4, 4), ((1, 0), (0, 1), (-0.5, 0.5)),
    sharpness=2, empty_row="softmax1",
)  # fmt: skip
CAT = Scenario(
    ("a", "cat", "sat", "on", "the", "mat"), (-1, 2, -3, 4, -5, 6), ("previous:3", "at:5", "odd"), ("and", "then", "."), (1, -1, 0),
    ((-1, 0, 1), (0, -1, 1), (1, 1, -2)), empty_row="nan",
)  # fmt: skip
LEVEL = Scenario(
    values=(1000,) * 4, rules=("odd", "even"), words=("big", "large", "vast"), word_values=(1000,) * 3, w_vocab=((1, 1, 0), (0, 0, 1)),
    sharpness=0.35,
)  # fmt: skip
LAST = Scenario(
    ("up", "down", "up"),
    (4, 4, -8),
    ("last", "last"),
    ("left", "right"),
    (4, -8),
    ((1, 1), (-1, -1)),
    causal=False,
    empty_row="fill",
)

NUMBER = r"\(?−?\d[\d,]*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?\)?"
EQUATION = re.compile(rf"(?<![+−×·] )(?<![\w.,·/^√(−])({NUMBER}(?: [+−×·] {NUMBER})+) = ({NUMBER})(?! ?[+−×·/\w%])")


def worked_out(written):
    """What is written, as numbers with signs between them, worked out."""
    terms = re.split(r" ([+−]) ", written)
    signs = [1, *(1 if sign == "+" else -1 for sign in terms[1::2])]
    return sum(
        sign * float(np.prod([as_number(x.strip("()")) for x in re.split(" [×·] ", term)]))
        for sign, term in zip(signs, terms[::2], strict=True)
    )


def false_equations(said):
    """Every “a + b = c” of a text whose left side is another number than its right one, to the last digit of that."""
    found = []
    for left, right in EQUATION.findall(plain(said)):
        digits, _, power = right.strip("()").partition("·10")
        unit = 10.0 ** -len(digits.partition(".")[2]) if not power else 0.1 * abs(as_number(right))
        if abs(worked_out(left) - as_number(right.strip("()"))) > 0.501 * unit:
            found.append(f"{left} = {right}")
    return found


def test_a_false_equation_is_found():
    assert false_equations("nice: 10 + 2.5 × 2 − 1 = **14**, and 0.5 × (−3) = −1.5.") == []
    assert false_equations("−0.096 + 0 + 0.16 = **0.063**") == ["−0.096 + 0 + 0.16 = 0.063"]
    assert false_equations("3 + 0 − 3 = −1.6·10⁻⁶") == ["3 + 0 − 3 = −1.6·10⁻⁶"]


def sums_written(s, added):
    """The votes for two words, of which the story shows the sums, added up as they are written."""
    pair = logits_story.rivals(added.sum(axis=0))
    totals = logits_side_by_side(added[:, pair].sum(axis=0))
    return [summed(logits_story.as_votes(s, added[:, w]), total) + total for w, total in zip(pair, totals, strict=True)]


@given(ANY)
@example(WIND)  # “−0.096 + 0 + 0.16 = 0.063”
@example(CAT)  # “3 + 0 − 3 = −1.6·10⁻⁶”
def test_votes_that_are_added_up_come_to_their_sum_as_they_are_written(s):
    added = np.nan_to_num(run(s).layers[0].context[:, -1, 0])[:, None] * np.array(s.w_vocab)
    assert not any(map(false_equations, sums_written(s, added)))


@pytest.mark.parametrize("s", [WIND, CAT, LEVEL, LAST, TEXT, replace(TEXT, sharpness=1, values=(0.65, -6, 1 / 3, 1000))])
def test_every_equation_of_the_story_holds_as_it_is_written(s):
    for lesson in ("rules", "attention", "logits", "decode", "counting"):
        with all_answered():
            at = visited(lesson, scenario_query.to_query(s) | STORY)
        assert not false_equations("\n".join((text(at), *alts(at)))), lesson
        for drawn, _ in figures(at) if lesson == "logits" else ():  # “0.32 × 0.5 =”, and “0.17” at the other end of the cell
            words = words_in(drawn)
            for at_, said in enumerate(words[:-1]):
                if said.endswith(" =") and " × " in said:
                    assert not false_equations(f"{said} {words[at_ + 1]}")


@given(st.floats(0.05, 3), st.integers(1, 6), st.booleans())
@example(0.35, 4, True)  # “3 words of 7 wrong (this model, computed anew, says big big big big vast vast big)”
def test_of_words_that_draw_level_greedy_takes_the_first_whatever_rounding_says(sharpness, n, use_cache):
    s = replace(LEVEL, sharpness=sharpness, tokens=("t",) * n, values=(1000,) * n, empty_row="soft")
    made = generate(s.model(), s.prompt_ids, 7, use_cache=use_cache)
    assert all(len(likeliest(one.logits[-1])) == 3 and greedy(one.logits[-1]) == 0 for one in made.passes)
    assert made.token_ids == (0,) * 7


@given(ANY)
@example(CAT)  # “here the likeliest words happen to stay the same”, of “. . and . . . .” beneath “then . and . then then then”
@example(LEVEL)
def test_words_happen_to_stay_only_where_all_three_runs_write_them(s):
    found = cache_story.three_runs_of(s)
    if found is None:
        return
    said = cache_story._outcome(found)
    assert ("happen to stay" in said.lower()) == (found.broken == found.anew)
    assert ("wrong" in said) == (found.broken != found.anew)


@given(ANY)
@example(WIND)  # “no more than an average”, of −0.3189 where the average is −0.3333
def test_a_context_is_called_no_more_than_an_average_only_where_it_is(s):
    with patch.object(toy, "prefill_of", run):
        case, head, row = rules_questions.context_case(s)
        slips = " ".join(rules_questions.context_question(s).slips.values())
    look = rows_by_hand(run(case).layers[0], row)[head]
    assert "no more than" not in slips or look.context <= look.average
    assert "a part of an average" not in slips or look.weights.sum() < 1


@given(ANY)
@example(LAST)  # “each key says its own place”
def test_a_key_says_its_place_only_where_it_does(s):
    head, keys = rules_story.asked_head(s), run(s).layers[0].k
    own = keys[head if len(keys) > 1 else 0]
    places = all(row.argmax() == at and row.sum() == 1 for at, row in enumerate(own))
    asked = rules_story.drawers_question(s).asked
    assert ("its own place" in asked, "whether it is the last" in asked) == (places, not places)
    with patch.object(routes, "chosen", lambda: routes.STORY):
        said = rules_story.searches(s)
    last = {rule.breaks_cache for rule in s.rules}  # “a toy’s keys say places”, beside a head whose keys do not
    assert (rules_story.PLACE in said, rules_story.LAST in said) == (False in last, True in last)


def test_the_quiz_names_a_slip_only_of_answers_that_one_leads_to():
    """“Every wrong one is what a certain slip leads to”, of words that none makes win; “3 contexts did”, by what softmax leaks."""
    drawn = filter(None, (words_and_steps.next_word(Random(seed)) for seed in range(30)))
    assert any(re.fullmatch(r"Its logit is \S+, less than \S+\.", slip) for task in drawn for slip in task.slips.values())
    assert "every wrong one" not in text(visited("quiz"))
    for seed in range(60):
        if task := beliefs.value_is_attention(Random(seed)):
            n, at = len(task.given.words), task.given.asks_at if hasattr(task.given, "asks_at") else None
            moved = int(re.search(r"(\d+) context", task.why)[1])
            assert moved <= n and (moved == 0) == ("even positions" in task.asked and _position(task) % 2 == 1), (task.asked, at)


def _position(task):
    """Where the token stands whose value is another, from 1."""
    word, prompt = re.search(r"the value of “(\w+)”", task.asked)[1], re.search(r"Prompt: ([^.]*)\. When", task.asked)[1]
    return [part.split(" = ")[0] for part in re.split(", | and ", prompt)].index(word) + 1


HYBRID = dict(
    model_type="qwen3_next", num_hidden_layers=48, hidden_size=2048, intermediate_size=5120, num_attention_heads=16,
    num_key_value_heads=2, head_dim=256, vocab_size=151936, max_position_embeddings=262144, num_experts=512, num_experts_per_tok=10,
    moe_intermediate_size=512, shared_expert_intermediate_size=512, linear_num_key_heads=16, linear_num_value_heads=32,
    linear_key_head_dim=128, linear_value_head_dim=128, linear_conv_kernel_dim=4, full_attention_interval=4,
)  # fmt: skip
SETUPS = [
    {"model": "SmolLM2-135M", "device": "B200", "p": "8192", "g": "64", "batch": "4096"},  # “7.47 s + 63 × 101 ms = 13.9 s”
    {"model": "gpt-oss-20b", "device": "RTX 4090", "p": "129", "g": "2", "bits": "file"},  # “13.3 ms + 1 × 2.36 ms = 15.6 ms”
    {
        "model": "DeepSeek-V3",
        "device": "H200",
        "n_devices": "16",
        "p": "163840",
        "g": "4096",
        "batch": "256",
        "bits": "8",
        "kv_bits": "8",
    },
    {"model": "Llama-3.1-405B", "device": "Apple M1", "p": "1", "g": "1"},
]


@pytest.mark.parametrize("link", SETUPS)
def test_the_time_of_an_answer_is_what_its_parts_come_to_as_they_are_written(link):
    verdict = commit(visited("roofline", link, slide=3), "end_to_end", 1.0)
    said = re.search(r"([\d.,]+) (\S+) \+ \(([\d,]+) − 1\) × ([\d.,]+) (\S+):", verdict)
    first, n, each, whole = (float(x.replace(",", "")) for x in (said[1], said[3], said[4], computed(verdict).split()[0]))
    assert said[2] == said[5] == computed(verdict).split()[1]
    assert first + (n - 1) * each == pytest.approx(whole, rel=5e-4)  # which has four digits


def test_a_bound_that_adds_attention_to_the_weights_says_so():
    """“Reading weights and cache once and the arithmetic, nothing else”, of 14.4 ms: reading alone takes 11."""
    weights, attention = pass_parts(MODELS["Llama-3.1-8B"], 1, DEVICES["H100 SXM"], 331, 510)
    assert max(weights) + max(attention) > 1.2 * max(map(sum, zip(weights, attention, strict=True)))
    assert "attention after the parameters" in BEYOND


def test_a_bound_is_lower_than_what_it_is_beside():
    """“Their bounds are lower: prefill 15.8 s”, beside a roof that says 15.8 s: what is higher is the sum of the operations."""
    setup = {
        "model": "pasted",
        "config": short_config.pack(json.dumps(HYBRID), 9999),
        "device": "L4",
        "n_devices": "8",
        "p": "262144",
    }
    at = visited("roofline", setup | {"context": "262144", "batch": "4", "kv_bits": "8", "bits": "4"}, slide=1)
    low, high = re.search(r"prefill ([\d.]+) s in place of ([\d.]+) s\.", text(at)).groups()
    assert f"at least {low} s" in str(figures(at)) and float(low) < float(high) and "attention as one" in text(at)


@given(ANY)
def test_a_softer_score_gives_what_does_not_match_more(s):
    softer = replace(s, sharpness=s.sharpness / 4)
    full, soft = (run(x).layers[0] for x in (s, softer))
    for head, row in product(range(len(s.rules)), range(len(s.tokens))):
        fits, seen = full.scores[head, row] > 0, full.mask[head, row]
        if (fits & seen).any() and (~fits & seen).any():
            other = np.flatnonzero(~fits & seen)[0]
            assert soft.weights[head, row, other] >= full.weights[head, row, other]


def test_one_more_in_a_sum_makes_a_word_so_much_likelier_than_another():
    """“One more in the sum makes a word 2.718 times as likely”: of 67.9% it makes 85.2%."""
    votes = np.array([0, -0.75, -1000.0])
    before, after = probabilities(votes), probabilities(np.add(votes, (1, 0, 0)))
    assert after[0] < 1.3 * before[0]
    assert np.isclose(after[0] / after[1], np.e * before[0] / before[1])
    assert "of two words the one with 1 more" in logits_story.SOFTMAX


def test_the_notebooks_say_what_they_rest_on(monkeypatch):
    """“Now takes a visible share”, of 10⁻⁷; “these are the rows above”, of a row that is filled with the average of all."""
    monkeypatch.setattr(scenario, "current", lambda: replace(TEXT, empty_row="fill", sharpness=32))
    said = [
        " ".join(cell for kind, cell in one.cells("?") if kind == "markdown") for one in (attention_notebook, prefill_notebook)
    ]
    assert "visible share" not in said[0] and "filled" in said[1]
    s = scenario.current()
    prefix = prefill(s.model(), s.prompt_ids[:1]).logits[-1]
    assert not np.allclose(prefix, run(s).logits[0])


def test_a_sheet_says_what_is_unusual_of_its_scenario():
    for s in (LAST, WIND, LEVEL, TEXT):
        (told,) = [
            m.value
            for m in show(alone("rules"), scenario_query.to_query(s) | {"handout": "questions"}).markdown
            if "W, a row" in m.value
        ]
        assert ("The mask is off" in told) == (not s.causal)
        assert ("A match scores" in told) == (s.sharpness != 8) and ("a row that matches nothing: " in told) == (
            s.empty_row not in ("none", "softmax1")
        )
        assert ("Every row has softmax with 1" in told) == (s.empty_row == "softmax1")


@given(ANY)
@example(TEXT)  # “head 2’s keys say “I am the last word”, each when it is made”, of three keys that say −1
def test_a_key_claims_to_be_the_last_only_where_its_word_was_the_last_when_it_was_made(s):
    found = cache_story.three_runs_of(s)
    if found is None:
        return
    (one,) = (x for x in stale_keys(s) if x.rules[found.head - 1].breaks_cache and not any(y.breaks_cache for y in s.rules))
    claims = [bool((key > 0).all()) for key in run(one).layers[0].k[found.head - 1]]
    assert claims == [False] * (len(s.tokens) - 1) + [True]
    assert f"true of “{md(s.tokens[-1])}” when it is read" in cache_story.first_wrong_question(s, found).asked


@given(ANY)
@example(replace(TEXT, sharpness=0.01))  # of head 4, whose four tokens get a quarter each, while of two each gets 0.25
@example(Scenario(tuple("abcdefghijklmnop"), range(16), ("all",), empty_row="softmax1", sharpness=0.01, w_vocab=((1, 1, 1),)))
@example(Scenario(("a", "b"), (1, 2), ("all",), empty_row="softmax1", sharpness=0.05, w_vocab=((1, 1, 1),)))
@example(TEXT)
def test_of_two_that_match_each_gets_half_where_that_is_said(s):
    """“Of two half each”, of 0.33."""
    if len(s.tokens) > 1:
        two = replace(s, rules=("at:1.2",), w_vocab=s.w_vocab[:1])
        halves = np.allclose(run(two).layers[0].weights[0, -1, :2], 0.5, atol=5.1e-5)
        assert ("each gives half" in rules_story.mixes(s, 0)) <= halves
    assert "each gives half" in rules_story.mixes(TEXT, 0)


def test_heads_with_one_rule_do_not_search_each_in_its_own_way():
    alike, apart = (replace(TEXT, rules=rules) for rules in (("even", "even", "self", "all"), TEXT.rules))
    said = [rules_story.whose_drawers_open(s, rows_by_hand(run(s).layers[0], 3)[0], 0, 3) for s in (alike, apart)]
    assert ["its own way" in x for x in said] == [False, True] and all("choose another" in x for x in said)


@pytest.mark.parametrize(("lesson", "words"), [("decode", "goes in as token 3"), ("cache", "comes in, and more words")])
def test_a_word_that_does_not_come_goes_in_only_by_supposition(lesson, words):
    """“Nice goes in as token 3”, beside “no word can be drawn: the answer ends here”."""
    link = {"tokens": "Hm,ha", "values": "0,3", "rules": "even,previous:2", "slide": "1"} | STORY
    for empty in EMPTY_ROW:
        said = plain(text(visited(lesson, link, empty=empty)))
        assert f"“nice” {words}" in said
        assert (f"Suppose “nice” {words}" in said) == (empty == "nan")


@pytest.mark.parametrize(
    ("line", "not_in"),
    [
        ("INFO 11-24 10:00:01 non-default args: {'model': 'a/b', 'max_model_len': 32768, 'tensor_parallel_size': 4}", "11-24"),
        ("[2026-11-20 10:00:00] server_args=ServerArgs(model_path='a/b', tp_size=1, context_length=8192)", "2026-11-20"),
        ("[2026-11-20 10:01:00] Decode batch. #running-req: 8, #token: 4000, token usage: 0.01, gen throughput (token/s): 900.5, "
         "#queue-req: 0", "2026-11-20 10:01:00"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("pixels", [500, 1200, 4000])
def test_a_number_is_marked_where_it_stands_and_not_in_a_date(line, not_in, pixels):
    """“Devices 4” in bold in 11-24, “waiting 0” in 2026."""
    log = read_log(line)
    said = " ".join(marked(Printed(1, line, _marked(log, 1), ""), pixels, 15.0))
    assert not_in in said
    assert pixels < 4000 or "<b>" in said


def test_terms_say_what_the_lessons_say():
    """“TTFT: mostly prefill”, of 9.63 s of which 4.5 ms need be; “8 (fp8, q8_0)”, of 8.5 bits."""
    with all_answered():
        said = plain(text(visited("serverlog")))
    assert "its wait in the queue is in it, and in no bound" in said and "mostly prefill" not in TERMS["TTFT"]
    assert "q8_0 is 8.5 bits" in text(visited("memory")).replace("\\", "") and "q8_0 8.5" in TERMS["KV cache dtype"]


def test_the_court_says_whose_scenario_its_experiments_run_on():
    """“Then an experiment runs on your scenario”, of random models and of the article’s text."""
    own = [find(name, LEVEL).scenario == usual(LEVEL) for name in CLAIMS]
    assert any(own) and not all(own) and "runs on your scenario" not in text(visited("claims", scenario_query.to_query(LEVEL)))


def test_a_pass_does_not_fetch_all_of_a_model():
    shape = prefill_story.REAL
    assert (
        weight_read_bytes(shape, bits=16) < MODELS[shape.name].weight_bytes(16) and "all the model" not in prefill_story.FETCHES
    )


def test_hovering_writes_numbers_as_the_page_does():
    """“Weights nan”, “scores -8”."""
    hovers = str(figures(visited("attention", scenario_query.to_query(CAT))))
    assert "nan" not in hovers.replace("“an", "") and "scores -" not in hovers and context_text(-8.0) in hovers


@given(ANY)
@example(
    Scenario(
        tuple("abcde"), (10, 20, 30, 40, 50), ("previous", "at:4", "odd"), empty_row="fill", sharpness=32, w_vocab=((1,) * 3,) * 3
    )
)
def test_a_context_that_stays_is_written_alike_in_both_passes(s):
    """“It stays 40”, beside “context 40; with scores of ±8 … context 39.99999”."""
    with patch.object(scenario, "current", lambda: s):
        at = softer.softer_case(s, run(s))
        stays = softer.softer_question(s, run(s)).answer == softer.STAYS
        written = softer._contexts(at, (run(s), run(softer.softened(s))))
    assert stays == (written[0] == written[1])


TICK = Scenario(
    ("tick", "tock") * 6, (1, -1) * 6, ("window:1", "window:16", "previous:12", "at:1.2", "even"), ("tick", "tock", "bang"), (4, -4, 50),
    ((1, -1, 0), (0.5, 0.5, 0.5), (3, 2, 1), (0, 1, 0.2), (-0.5, 0.5, -0.25)), empty_row="soft",
)  # fmt: skip
AGE = Scenario(
    ("How", "old", "are", "you"), (0.001, 1000, -1000, 999), ("last", "last", "all"), ("ten", "two"), (10, 2),
    ((0.001, -0.001), (0.002, 0.003), (0.01, 0.009)), empty_row="softmax1",
)  # fmt: skip


@given(ANY)
@example(TICK)
def test_no_head_is_the_farthest_from_0_by_what_softmax_leaks(s):
    """“Its context, −1, is the farthest from 0”, of one head of two whose contexts are written −1."""
    last = run(s)
    context = last.layers[0].context[:, -1, 0]
    question = cell_question(s, context, last.logits[-1])
    if question:
        written = [context_text(abs(x)) for x in context]
        assert written.count(written[question.options.index(question.answer)]) == 1


@pytest.mark.parametrize("size", [1e-6, 1e-4, 0.003, 1.0])
def test_votes_and_what_w_must_be_are_written_however_small_they_are(size):
    """“0 + 0 + 6·10⁻⁵ ≈ 0.00012”, of votes of 2 and 4·10⁻⁵; “1.8·10⁻⁴ / 0.0004”; the only word’s “logit 0” of 2·10⁻⁵."""
    s = replace(TEXT, values=(size, -3 * size, size, 4.1 * size), rules=("all", "first", "previous", "self"))
    s = replace(s, w_vocab=((1, 2, 0.5), (3, 4, -1), (5, 6, 0), (1, 1, -7)))
    last = run(s)
    context, w = last.layers[0].context[:, -1, 0], np.array(s.w_vocab)
    added = context[:, None] * w
    for word, said in zip(logits_story.rivals(added.sum(axis=0)), sums_written(s, added), strict=True):
        written = re.split(" [=≈] ", said)[0].replace(" − ", " + −").split(" + ")
        np.testing.assert_allclose([as_number(x) for x in written], added[:, word], rtol=0.06, atol=1e-6 * size)
    why = cell_question(s, context, last.logits[-1]).why
    short, by, enough = map(as_number, re.search(r"most: (\S+) / (\S+) [=≈] (\S+) is", why).groups())
    assert short / by == pytest.approx(enough, rel=0.01)
    alone = replace(s, words=("so",), word_values=(1,), w_vocab=((1,), (0,), (0,), (0,)))
    only, _ = challenge(alone, context, run(alone).logits[-1], 0, 0)
    assert as_number(re.search(r"logit (\S+)\.$", only)[1]) == pytest.approx(context[0], rel=0.06)


@pytest.mark.parametrize("size", [0.01, 0.2, 20.0])
def test_neither_nothing_nor_the_sum_is_near_a_context_of_small_values(size):
    """“Near enough: 0.0125; you predicted 0”, of values of which the largest is 0.02."""
    s = replace(TEXT, values=(size / 2, size, size / 20, size / 4))
    question = context_question(s)
    assert question.is_right(round(question.answer, 4)) and not question.is_right(0.0) and not question.is_right(1.25 * size)


def test_numbers_that_are_written_alike_are_judged_alike(monkeypatch):
    """“16 cannot be meant here: expected a number from 0 to 16” of 16.00001; “Less: 6; you predicted 6” of 6.00001. The story’s end
    called wrong what had been near enough."""
    rows = Question("rows", "", 6.0, "", tolerance=0, high=16)
    assert not rows.refusal(16.00001) and not rows.refusal(-0.00001) and "16.001 " in rows.refusal(16.001)
    assert "check_circle" in verdict_on(rows, 6.00001) and "check_circle" not in verdict_on(rows, 6.001)
    kept = Predictions()
    monkeypatch.setattr(questions, "predictions", lambda: kept)
    monkeypatch.setattr(questions, "answer_is_shown", lambda id: None)
    questions.remember(Question("chance", "", 50.0, "", tolerance=5), 47.0)
    questions.remember(rows, 7.0)
    assert questions.right_so_far() == (1, 2)


def test_what_a_number_of_w_must_be_to_win_is_not_rounded_to_four_times_as_much():
    """“For two to win, above 0.001”, where 0.0005 wins."""
    last = run(AGE)
    _, help = challenge(AGE, last.layers[0].context[:, -1, 0], last.logits[-1], 0, 1)
    enough = float(re.search(r"above \*\*([\d.]+)\*\*", help)[1])
    for entry, wins in ((enough * 1.01, True), (enough * 0.98, False)):
        w = ((0.001, entry), *AGE.w_vocab[1:])
        assert (np.argmax(run(replace(AGE, w_vocab=w)).logits[-1]) == 1) == wins


def test_a_context_of_0_is_not_called_none():
    """“None: 0; you predicted 1”, of a head that finds twelve tokens: a row that finds nothing has the context none."""
    assert "None" not in verdict_on(Question("context", "", 0.0, "", low=-10, high=10), 1)


@pytest.mark.parametrize("s", [TEXT, replace(TEXT, causal=False)])
def test_multiplying_would_take_as_long_only_where_it_is_as_much(s):
    """“Just as long: so it would be if multiplying took the time”, of 16 products instead of 10."""
    assert bool(prefill_story.time_question(s, run(s)).slips) == s.causal


def test_heads_with_one_rule_ask_alike():
    """“Each head asks in its own way”, “every head looks back by a rule of its own”, of four heads that look at even positions."""
    for lesson, at in (("rules", 1), ("attention", 2)):
        page = visited(lesson, rules="even,even,even,even", slide=at)
        assert not re.search("in its own way|rule of its own", text(page) + str(figures(page)))


def test_a_value_moves_contexts_and_not_every_word():
    """“Its context votes for the next word: move a value, and it follows”, with a W of zeros, and an arrow to “mat 95.2%”."""
    for rules, w, votes in (("all,first", "1,2,3;0,0,0", 1), ("all,first", "0,0,0;1,2,3", 0), ("all", "5,5,5", 0)):
        with all_answered():
            at = visited("attention", rules=rules, w=w, slide=1)
        assert ("votes for the next word" in text(at)) == votes == ("no say" not in text(at))
        ((figure, _),) = figures(at)
        assert ("next word" in str(figure)) == votes


@pytest.mark.parametrize("sharpness", [0.01, 0.013, 0.3, 8, 32])
def test_what_is_written_of_a_product_is_the_product(sharpness):
    """“q · k = 64 × 0.001 ≈ 0.08”."""
    s = Scenario(rules=("last",) * 4, sharpness=sharpness)
    score = cell_steps(s, derive(run(s).layers[0], 0, 3, 3), 0, 3, 3)[0]
    entry, product = re.search(r"q · k = 64 × ([\d.]+) [=≈] ([\d.]+)", score).groups()
    assert abs(64 * float(entry) - float(product)) < 0.006


def test_what_rounding_leaves_of_a_sum_that_is_0_is_0():
    """“Its context is 5.55·10⁻²⁰”, of 0.001, 0.002 and −0.003."""
    s = Scenario(("a", "b", "c"), (0.001, 0.002, -0.003), ("all",), w_vocab=((1, 1, 1),), sharpness=0.01)
    assert cell_steps(s, derive(run(s).layers[0], 0, 2, 0), 0, 2, 0)[-1].endswith(" **0**.")
    assert "is 0." in softer.softer_question(s, run(s)).asked


def test_none_is_said_of_the_rows_in_which_it_stands():
    """“No key that this row may see fits its query”, behind a row that takes 0.28 of each of three."""
    s = Scenario(rules=("even",) * 4)
    for said in (attention_sentences.where_nothing_fits(s, run(s)), attention_story._where_nothing_fits(s, run(s), 0)):
        assert "such a row may see" in said


@pytest.mark.parametrize(
    "policy, said", [("none", "take nothing"), ("nan", "no number"), ("fill", "hidden ones too"), ("soft", "")]
)
def test_a_row_whose_weights_are_not_made_of_its_scores_is_told_apart(policy, said):
    """“Weights that add up to 1: of those that fit equally each takes as much”, of NaN, and of a hidden key that fits and takes 1/16."""
    s = Scenario(rules=("last",) * 4, empty_row=policy)
    told = attention_story.made_of_scores(s, run(s), 0)
    assert ("no key that" in told) == bool(said) and said in told
    assert "no key that" not in attention_story.made_of_scores(
        replace(s, rules=("self",) * 4), run(replace(s, rules=("self",) * 4)), 0
    )
    assert "hidden" not in attention_story.made_of_scores(replace(s, causal=False, rules=("none",) * 4), run(s), 0)


@pytest.mark.parametrize("s, kept", [(Scenario(), True), (Scenario(rules=("none",) * 4, empty_row="fill"), False)])
def test_the_mask_lets_rows_be_kept_only_where_they_stay(s, kept):
    """“The mask is what lets them be kept”, of rows that change under the mask too, filled with −10⁹."""
    for question in (leak_question(s), mask_question(s)):
        assert ("be" in question.why and "kept" in question.why) == kept


def test_nothing_is_promised_of_an_answer_of_one_word():
    """“Generate writes the rest”, of one word of one."""
    for g, more in (("1", False), ("2", True)):
        at = alone("generate")
        at.query_params.update({"g": g, "slide": "1"})
        assert ("writes the rest" in text(at.run())) <= more


def test_a_word_that_flips_as_the_error_grows_is_no_surprise():
    """“The sink takes the error from 0.094 to 0.21, and yet now another word wins”."""
    link = {
        "tokens": "go,on,and,on,and,on", "values": "-3,-6,-9,-6,-9,-6", "rules": "window:4,even,odd", "words": "and,on",
        "word_values": "-9,-6", "w": "-0.01,0.01;-0.02,0.5;0.25,-0.3", "empty": "softmax1", "sharpness": "32",
    }  # fmt: skip
    with all_answered():
        assert "to **0.21**, and now another word wins" in text(visited("less", link, slide=1))


def test_a_list_that_is_too_long_is_told_how_long_it_may_be():
    """“Expected at most 16 items”, of candidate words, of which there may be twelve."""
    for name, most in (("tokens", 16), ("rules", 8), ("words", 12)):
        (said,) = scenario_query.from_query({name: ",".join(["even"] * 17)})[1]
        assert f"at most {most} items" in said


def test_the_story_says_nothing_of_a_colour_that_a_link_may_have_changed():
    """“How was “red” found?”, of a kite that is green."""
    said = plain(text(visited("rules", {"kite": "green", "last": "Ben"}, route="story", slide=1)))
    assert "the colour" in said and "red”" not in said


def test_a_word_is_explained_in_the_lesson_that_the_glossary_names():
    """“greedy” in “Decode, one row”, where only a step that went had it."""
    assert any("greedy" in (said.help or "") for said in visited("decode", slide=1).markdown)


def test_a_second_sequence_is_nearly_free_only_where_it_meets_the_same():
    """“The parameters are fetched once for all”, of Mixtral, whose step for two takes 1.7 times as long."""
    (step,) = (step for step in LESSONS["roofline"].steps if step.name == "Batching")
    assert "what both sequences meet" in step.note.wrong["it about doubles"]


def test_a_part_of_a_notebook_is_called_as_its_step():
    """“Cache or weights?”, of a step that says parameters."""
    s = Setup(MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], 1, 1000, 1, 16, 16)
    assert roofline_notebook._even_context(s)[0][1].split("\n")[0][3:] in {step.name for step in LESSONS["roofline"].steps}


def test_a_question_that_stands_alone_on_a_slide_says_which_run_it_is_about():
    """“There the key of “so” says”, where a slide has no sentence before it; and “each key” says so, of one head’s keys."""
    assert "third run" in text(visited("cache", route="story", slide=3, present="on"))
    assert "one head" in text(visited("cache", route="story", slide=3))


def test_a_reason_says_one_thing_after_the_other():
    """“Then “cried” goes in: the kept key still claims to be: now two keys say that they are the last”."""
    for s in (s for s, _ in PRESETS.values()):
        if found := cache_story.three_runs_of(s):
            why = cache_story.first_wrong_question(s, found).why
            assert all(part.count(":") <= 1 for part in why.split(". "))


def test_a_time_stands_beside_the_length_that_it_is_of():
    """“16.08 GB take 4.8 ms”, beside 4.5 ms and 9.6 ms and 16.06 GB of parameters."""
    for link, of in (({}, "at 8,192 tokens 16.08 GB take 4.8 ms"), ({"context": "1"}, "at 1 token ")):
        at = visited("counting", link, route="story", slide=5)
        commit(at, "longest", "17.18 GB")
        assert any(of in (said.help or "") for said in at.markdown)


@pytest.mark.parametrize(
    "s, said",
    [
        (TEXT, "never ahead"),
        (replace(TEXT, causal=False), "the mask is off"),
        (replace(TEXT, rules=("last",) * 4), "here it does not"),
        (replace(TEXT, empty_row="fill"), "some look ahead"),
        (replace(TEXT, rules=("self",) * 4, empty_row="fill"), "never ahead"),
    ],
)
def test_the_machine_says_never_ahead_only_where_no_row_looks_ahead(s, said):
    """“Never ahead” in the picture, and “a row that matches nothing does look ahead” beneath it."""
    at = visited("counting", scenario_query.to_query(s), slide=6, answers="shown")
    assert any(f"who looks at whom: {said}" in alt for alt in alts(at))


def test_a_phones_timeline_is_told_in_words():
    """“Pass 1, prefill, computes Today, weather, is and so together; 1 comes out.”"""
    at = alone("overview")
    at.query_params.update({"steps": "", "slide": "1", **STORY})
    of_visit(at, Screen).narrow = True
    assert "word 1 comes out" in alts(ran(at))[0]


def test_one_word_alone_is_not_asked_whether_another_comes_out():
    """“Move a value: does another word come out?”, of one candidate."""
    for words, asked in ((("a",), False), (("a", "b"), True)):
        s = Scenario(words=words, word_values=(1,) * len(words), w_vocab=((1, 2)[: len(words)],) * 4)
        with all_answered():
            assert ("another word come" in text(visited("logits", scenario_query.to_query(s), route="story", slide=1))) == asked


LEAKS = Scenario(
    ("we", "met", "at", "six", "by", "bus"), (1000, -1000, 1000, -1000, 0, 0), ("previous:1", "previous:2"), w_vocab=((1, 0, 0), (0, 1, 0)),
)  # fmt: skip


@given(ANY, st.integers(0, 6), st.floats(-100, 100))
@example(TEXT, 0, 50.0)  # “The context follows the values: (20 + 5) / 2, 12.5”, of a value that head 1 does not see
@example(LEAKS, 0, -20.0)  # “the context is still −0.00011”, which was 0
def test_a_context_is_said_to_follow_a_value_only_where_it_does(s, token, value):
    token %= len(s.tokens)
    case, head, row = rules_questions.context_case(s)
    after = set_value(case, token, value)
    was, now = (rows_by_hand(run(x).layers[0], row)[head].context for x in (case, after))
    said = rules_sentences.context_follows(s, after, head, row)
    if "stays closed" in said:
        old, new = (
            context_text(look.context, look.largest)
            for look in (rows_by_hand(run(x).layers[0], row)[head] for x in (case, after))
        )
        assert ("is still" in said) == (old == new) and f"**{new}**" in said
        assert abs(now - was) < 0.005 and token not in rows_by_hand(run(after).layers[0], row)[head].seen
    elif "follows" in said and abs(value - case.values[token]) > 1e-3:
        assert now != was or token in rows_by_hand(run(after).layers[0], row)[head].seen


def test_what_came_out_before_is_known_where_a_guard_gives_numbers(monkeypatch):
    """Values that were moved in a scenario of NaN: the takeaway was that of values which nobody had moved."""
    bare = replace(TEXT, rules=("none", "even", "first", "all"), empty_row="nan")
    monkeypatch.setattr(scenario, "kept", lambda: SimpleNamespace(before=bare))
    guarded = replace(bare, empty_row="none")
    after = run(moved := set_value(guarded, 0, -50.0))
    was = logits_story._before_the_move(moved)
    said = logits_story.what_follows(moved, after.layers[0].context[:, -1, 0], after.logits[-1], was)
    assert was.words == likeliest(run(guarded).logits[-1]) and "follow the values" in said


@given(scenarios(n_tokens=st.integers(1, 7)), st.integers(0, 6), st.floats(-100, 100))
# “follow”, of a value that no head sees.
@example(Scenario(("a", "b"), (1, 2), ("first",), ("x", "y"), (1, 1), ((1, 0),)), 1, 50.0)
# “no longer x”, which drew level with z.
@example(Scenario(("a",), (0,), ("all",), ("x", "y", "z"), (1, 1, 1), ((1, 2, 3),)), 0, 50.0)
def test_votes_follow_only_what_is_taken_and_a_word_is_left_behind_only_where_it_came_out(s, token, value):
    after = set_value(s, token % len(s.tokens), value)
    one, two = (run(x) for x in (s, after))
    words, now = likeliest(one.logits[-1]), likeliest(two.logits[-1])
    contexts = [x.layers[0].context[:, -1, 0] for x in (one, two)]
    said = logits_story.what_follows(after, contexts[1], two.logits[-1], logits_story.Before(s, words, contexts[0]))
    if "contexts stay" in said or "contexts hardly move" in said:
        assert ("stay" in said) == bool(np.abs(contexts[1] - contexts[0]).max() < 5e-5)
        assert np.abs(contexts[1] - contexts[0]).max() < 0.005 and words == now and "still" in said
    else:
        assert "follow" in said and (np.abs(contexts[1] - contexts[0]).max() > 0 or after.values == s.values)
    if "no longer" in said:
        assert len(words) == len(now) == 1 and words != now and said.endswith(f"no longer **{s.words[words[0]]}**.")
    assert ("where several words drew level" in said) == (len(now) == 1 < len(words))


def test_large_odds_have_no_digits_that_the_power_beside_them_has_not():
    """“From e¹⁸ = 6.6·10⁷ to e⁹ ≈ 8103.10”, of a gap of 9.000002: e⁹ is 8,103.08."""
    s = Scenario(("a", "b"), (18, 0), ("first", "self"), ("x", "y"), (1, 1), ((1, 0), (0, 1)))
    assert "to e⁹ = 8,103." in temperature.temperature_question(s).why


def test_a_word_that_has_come_out_is_not_said_to_be_missing():
    """“The answer has no word yet”, in the notebook of a page on which “nice” comes out."""
    ((_, said),) = answer_cells(TEXT, ())
    assert "no word yet" not in said and "gone in" in said


def test_a_head_takes_all_of_one_word_only_where_nothing_is_left():
    """“Head 3 takes 100% from blue”, of which the first step says 99.9%."""
    ((figure, alt),) = figures(visited("why", last="Ben", slide=3))
    assert "100%" not in alt and "takes >99% from blue" in alt and ">99%" in str(figure)


def test_a_reader_is_invited_to_move_a_value_that_the_context_is_made_of():
    """“Move a value: the context follows”, of which half are not looked at."""
    with patch.object(routes, "chosen", lambda: routes.STORY):
        assert "**Move a value that is taken**" in rules_story.invited_to_move(rules_questions.context_question(TEXT)).why
