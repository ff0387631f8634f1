"""The lesson on many requests: its pictures hold what the runs hold, its sentences are true, its counts are the engine's."""

import json
import re
from dataclasses import replace
from itertools import pairwise, product
from math import ceil

import numpy as np
import pytest
from app_pages import computed, figures, of_visit, right, says
from hardware_pages import OF_HARDWARE, alternatives, checked, commit, page, text
from hypothesis import example, given
from hypothesis import strategies as st
from said import plain, untagged

from engine import bundled, generate
from engine.cost import DEVICES, MODELS, memory_use
from engine.serving import Knee, goodput, held, simulate
from engine.serving.scheduler.blocks import Blocks, blocks_of
from pages.lessons.many import load as loads
from pages.lessons.many import timeline
from pages.lessons.many.beside import beside_said, pause_question
from pages.lessons.many.devices import count_question, devices_said, highest, lasts_s, search, too_few_said
from pages.lessons.many.figures.gantt import FRAMES, PHONE, PHONE_TINT, TINT, WIDE, beginnings_lanes, moments
from pages.lessons.many.figures.in_time import Divided, in_time, knee_said
from pages.lessons.many.figures.memory_filled import BEYOND, memory_filled
from pages.lessons.many.figures.request_rows import Row, rows_of
from pages.lessons.many.figures.spreads import spreads
from pages.lessons.many.figures.words_by_step import words_by_step
from pages.lessons.many.full import Tight, full_said, lanes_of, thrown_out, together_of, together_question
from pages.lessons.many.load import FEW, MANY, MOST, POLICIES, Load
from pages.lessons.many.timeline import timeline_said
from pages.lessons.many.words import ASKED, answers_by_policy
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.palette import DARK, LIGHT, contrast, faded, rgb
from pages.parts.drawing.sheet import Sheet, ems
from pages.parts.hardware import short_config
from pages.parts.hardware.setup import Setup
from pages.parts.question.question import answer_text
from pages.parts.text.amounts import amount, seconds
from pages.parts.visit import parameters
from pages.parts.visit.display import Screen

KINDS = {"prompts", "again", "tokens", "stretched", "kept"}
NONE_IN_TIME = Knee(0.0, ((0.0037, 0.0),), 0.0)


def load(policy="continuous", model="Llama-3.1-8B", device="A100-80", n_devices=1, **more):
    shape = MODELS[model]
    s = Setup(shape, DEVICES[device], n_devices, 512, 1, shape.stored_bits or 16, 16, usable=0.9)
    return Load(s, policy, **dict(per_minute=1920, n_prompt=512, n_answer=128, budget=2048) | more)


LOADS = [
    load(),
    load(per_minute=60_000, n_prompt=8192, n_answer=1024, budget=256, model="Llama-2-13B", device="A100-40"),  # memory runs out
    load(per_minute=1, n_prompt=16, n_answer=1, model="GPT-2 small"),
    load(per_minute=600, n_prompt=2048, n_answer=300, budget=512, model="Gemma-3-27B", device="H200"),
    load(per_minute=60, n_prompt=8192, n_answer=1024, model="DeepSeek-V3", device="H200", n_devices=16),
    load(per_minute=60_000, n_prompt=1024, n_answer=1024, model="GPT-2 small", device="L4"),  # longer than it reads
    # Alike under all four, and few tokens a second.
    load(per_minute=7, n_prompt=64, n_answer=1, model="GPT-2 small", device="B200"),
]


@pytest.fixture(scope="module", params=[(policy, k) for k in range(len(LOADS)) for policy in POLICIES], ids=str)
def any_run(request):
    policy, k = request.param
    one = replace(LOADS[k], policy=policy)
    return one, simulate(one.requests(FEW), one.server, policy)


def test_the_first_step_says_what_the_run_says():
    at = page("many", slide=1)
    run = simulate(load().requests(FEW), load().server, "continuous")
    assert says(text(at), seconds(np.median(run.ttft_s)), seconds(run.ttft_s.max()))
    assert says(alternatives(at)[0], seconds(run.longest_gap_s.max()), "prefill ran meanwhile")
    cut = page("many", policy="chunked", token_budget="256", slide=1)
    assert says(
        alternatives(cut)[0],
        seconds(simulate(load(budget=256).requests(FEW), load(budget=256).server, "chunked").longest_gap_s.max()),
    )


@pytest.mark.parametrize(("usable", "reserved"), [(0.9, 10), (0.5, 0), (1.0, 3.5)])
def test_a_cache_has_the_room_that_the_desk_gives_it(usable, reserved):
    """Nine tenths of the memory less nothing, whatever share of it and whatever a program keeps were typed on the desk."""
    two = load(n_devices=2)
    mine = replace(two, s=replace(two.s, usable=usable, reserved_bytes=int(reserved * 1e9)))
    uses = (memory_use(one.s.shape, 1, one.s.device, **one.s.memory).room_bytes for one in (mine, two))
    assert mine.server.cache_room - two.server.cache_room == next(uses) - next(uses) != 0
    for bad in ({"usable": 0}, {"usable": float("nan")}, {"reserved_bytes": -1}):
        with pytest.raises(ValueError, match="expected"):
            replace(two.server, **bad)


def test_where_a_program_keeps_all_for_itself_more_devices_are_no_advice():
    assert "all that A100-80 has" in (said := text_of_info(reserved="500", n_devices="4")) and "make room" not in said
    assert "no room for a cache" in (said := text_of_info(reserved="70")) and "make room" in said


def text_of_info(**link):
    return " ".join(info.value for info in page("many", **link).info)


def test_a_model_for_a_single_token_is_no_want_of_memory():
    """“There is memory for a single token. More devices or fewer bits make room”, of a model that was trained for one."""
    config = dict(
        model_type="llama", num_hidden_layers=1, hidden_size=64, num_attention_heads=1, num_key_value_heads=1, intermediate_size=1,
        vocab_size=2, max_position_embeddings=1,
    )  # fmt: skip
    said = text_of_info(model="pasted", config=short_config.pack(json.dumps(config), 64_000))
    assert "a single token" in said and "memory" not in said and "make room" not in said


def test_where_not_even_one_request_has_room_nobody_is_said_to_have_it():
    """“0: who is beyond that waits, or somebody is thrown out”, where all are cut."""
    for n_prompt, none in ((4096, True), (512, False)):
        question = together_question(Tight(load(n_prompt=n_prompt, n_answer=9), 2048, 0))
        assert ("Not even one" in question.why) == none == (question.answer == 0)


def test_what_the_model_cannot_read_is_cut_though_the_cache_has_room():
    """“1 fits” beside four that lie there together, of 4,000 + 500 tokens where GPT-2 small reads 1,024."""
    for policy, n_prompt, n_answer, room in [
        *product(POLICIES, (4000, 1000), (500, 20), (1024, 8192)),
        ("continuous", 1, 1024, 8192),
    ]:
        one = load(policy, model="GPT-2 small", n_prompt=n_prompt, n_answer=n_answer)
        question, is_cut = together_question(tight := Tight(one, room, 256)), n_prompt + n_answer - 1 > 1024
        asked = [int(n.replace(",", "")) for n in re.search(r"requests of ([\d,]+) \+ ([\d,]+) tokens", question.asked).groups()]
        assert sum(asked) - 1 == min(1024, n_prompt + n_answer - 1) and ("The model reads 1,024 tokens" in question.why) == is_cut
        assert together_of(tight, True).says[0] == f"{asked[0]:,} + {asked[1]:,} each" and question.answer >= 1
        longest = blocks_of(max(request.n_prompt + request.n_answer - 1 for request in tight.requests))
        if is_cut:  # all that come are as long, or shorter
            assert longest == blocks_of(sum(asked) - 1)
        n_held = max(len(one.own) for one in held(tight.run()))
        assert n_held <= question.answer or not is_cut or longest * len(tight.requests) > tight.server.n_blocks


def test_a_prompt_of_one_token_is_not_to_be_shortened():
    """“Faster ones or a shorter prompt may”, of a prompt of one token; what makes a wait long where somebody is thrown out."""
    for n_prompt in (1, 2):
        assert ("shorter prompt" in too_few_said(load(n_prompt=n_prompt), NONE_IN_TIME, 500, 25)) == (n_prompt > 1)
    # Every step takes longer than 1 ms.
    assert "shorter prompt" not in too_few_said(load(n_prompt=2000), NONE_IN_TIME, 500, 1)
    runs = {name: simulate(LOADS[0].requests(MANY), replace(LOADS[0].server, n_instances=2), name) for name in POLICIES}
    thrown = any(run.n_preempted[run.longest_gap_s.argmax()] for run in runs.values())
    assert ("thrown out" in pause_question(LOADS[0], runs).why) >= thrown


def test_rows_are_the_run(any_run):
    """Every span lies between arrival and end, no two of a row at once; prompts before tokens; who waits waits until his prompt."""
    one, run = any_run
    for k, row in enumerate(rows_of(run)):
        request, finished = run.requests[k], run.finished_s[k]
        assert row.waits[0] == (request.arrival_s, row.prompts[0][0]) and row.waits[0][1] >= request.arrival_s
        assert len(row.waits) == 1 + run.n_preempted[k]
        busy = sorted(span for name in KINDS for span in getattr(row, name))
        assert all(a < b for a, b in busy) and all(b <= c + 1e-9 for (_, b), (c, _) in pairwise(busy))
        tokens = [*row.tokens, *row.stretched]
        assert bool(tokens) == (request.n_answer > 1) and max((b for _, b in tokens), default=finished) == pytest.approx(finished)
        if not row.again:
            first = request.arrival_s + run.ttft_s[k]
            assert row.prompts[-1][1] == pytest.approx(first)
        assert bool(row.again) == bool(run.n_preempted[k]) or not row.again
        assert not row.kept or (one.policy == "static" and row.kept[0][0] >= finished - 1e-9)


def boxes(sheet, color):
    """What is filled with a colour, (x0, y0, x1, y1) each, in the order in which it was drawn."""
    filled = "".join(shape["path"] for shape in sheet.shapes if shape.get("fillcolor") == color)
    corners = re.findall(r"M([\d.]+),([\d.]+)L[\d.]+,[\d.]+L([\d.]+),([\d.]+)", filled)
    return [tuple(map(float, box)) for box in corners]


def test_the_grey_is_as_long_as_what_stands_at_it(any_run):
    """“59.9 ms” over a grey of 139: of three steps, whose longest it was; and “7.37 ms” over two pixels of an axis of 35."""
    one, first = any_run
    for run, phone in product((first, *(Tight(one, *room).run() for room in TIGHT[1:3])), (False, True)):
        if not (pause := float(run.longest_gap_s.max())):
            continue
        timeline.figure(one, run, sheet := Sheet(phone=phone))
        found = boxes(sheet, faded(sheet.colors, sheet.colors.muted, PHONE_TINT if phone else TINT))
        x0, _, x1, _ = found[1 if phone else 0]  # there the swatch of who waits comes first
        at, (begin, end) = PHONE if phone else WIDE, moments(run)[[0, -1]]
        scale = (at.right - at.left) / (end - begin)
        came = at.left + (run.token_times_s(int(run.longest_gap_s.argmax())) - begin) * scale
        assert np.abs(came - x0).min() < 2e-5 and x1 - x0 == pytest.approx(max(pause * scale, 2 / sheet.wide), abs=3e-5)


@pytest.mark.parametrize("more", [{}, {"per_minute": 60_000, "n_prompt": 2048, "n_answer": 1}], ids=str)
@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_decodes_before_his_prompt_is_computed_nor_when_he_is_done(policy, more):
    """Who had a place in a static batch was orange until his prompt was computed, and while others' were, where he was done."""
    for room in (*TIGHT, (8192, 0), (16384, 0)):
        tight = Tight(load(policy, **more), *room)
        run = tight.run()
        memory_filled(sheet := Sheet(), run, together_of(tight, False))
        decode, prefill = (boxes(sheet, color) for color in (LIGHT.decode, LIGHT.prefill))
        lanes = {round(sum(box[1::2]), 1) for box in prefill}
        assert len(lanes) == len(run.requests)
        for lane in lanes:
            began, first = (
                min((box[0] for box in found if round(sum(box[1::2]), 1) == lane), default=1) for found in (decode, prefill)
            )
            assert first <= began
        if policy == "static":
            for row, finished in zip(rows_of(run), run.finished_s, strict=True):
                assert not row.kept or (row.kept[0][0] == finished and len(row.kept) == 1)


def test_the_queue_and_the_memory_are_those_of_the_steps(any_run):
    _, run = any_run
    held = run.steps.at("kv_bytes", np.linspace(0, run.finished_s.max(), 400))
    of = [run.steps.kv_bytes[run.steps.instance == k].max() for k in range(len(run.ids))]
    busy = run.steps.duration_s.sum() / len(of) > 0.5 * run.finished_s.max()
    assert 0 <= held.max() <= sum(of) and (held.max() >= 0.5 * max(of) or not busy)


def test_the_figures_hold_any_run(any_run):
    one, run = any_run
    zoom = 1.15 if one.policy in ("static", "chunked") else 1.0  # each load as it is read and as it is presented
    valid, words = checked(timeline.figure(one, run, Sheet(zoom=zoom)))
    assert len(valid.frames) == FRAMES == valid.layout.meta["start"] + 1
    assert len(valid.frames[-1].layout.shapes) == len(valid.layout.shapes) == len(valid.frames[0].layout.shapes) - 1
    assert len([w for w in words if re.fullmatch(r"(<b>)?request \d+(</b>)?", w)]) == FEW
    worst = run.longest_gap_s.max()
    assert any(f"{seconds(worst)} without a token" in w for w in words) == bool(worst)
    waits = {name: (run.ttft_s, run.longest_gap_s) for name in POLICIES}
    _, words = checked(spreads(Sheet(zoom=zoom), waits, one.policy))
    longest = [f"<b>≤ {seconds(float(both.max()))}</b>" for both in (run.ttft_s, run.longest_gap_s) if both.max() > 0]
    assert [w for w in words if w in longest] == longest * len(POLICIES)  # row by row
    assert f"<b>{one.policy}</b>" in words
    on_a_phone = timeline.figure(one, run, Sheet(phone=True)), spreads(Sheet(phone=True), waits, one.policy)
    for figure in on_a_phone:
        assert figure.layout.meta["min_width"] == 0  # as wide as a phone: nothing runs out at its right
    turn = LOADS.index(replace(one, policy="continuous")) % len(POLICIES)
    if one.policy == list(POLICIES)[turn]:  # each load once, each policy once or twice
        for figure in on_a_phone:
            checked(figure)
        checked(spreads(Sheet(zoom=zoom), {name: (ttft, np.full(FEW, np.nan)) for name, (ttft, _) in waits.items()}, "static"))


def test_the_scale_of_what_is_asked_is_the_one_that_its_answer_has():
    """It went to 1 s while the question was open, and to 10 s behind the answer."""
    waits = {"static": (np.array([0.02, 0.4]), np.array([0.3, 4.0])), "chunked": (np.array([0.02, 0.4]), np.array([0.03, 0.04]))}
    for phone in (False, True):
        ticks = []
        for known in (False, True):
            figure = spreads(Sheet(phone=phone), waits, "static", Asked(tuple(waits), not known, known)).to_plotly_json()
            words = figure["data"][-1]
            ticks.append(
                [(x, w) for x, w in zip(words["x"], words["text"], strict=True) if w in ("10 ms", "100 ms", "1 s", "10 s")]
            )
            assert any("4 s" in w for w in words["text"]) == known
            wait = "40 ms between tokens" if phone else "40 ms between two tokens"  # all wait 0.4 s for the first one
            assert any(wait in w for w in words["text"]) == known
        assert ticks[0] == ticks[1] and "1 s" in dict(map(reversed, ticks[0]))


@pytest.mark.parametrize(
    ("knee", "at", "n"), [(0.0, 3, None), (12.0, 3, 1), (1465.0, 60_000, 41), (9e5, 1, 1), (0.3, 60_000, 200_000)]
)
def test_the_curve_of_the_knee_holds_any_load(knee, at, n):
    tried = sorted([(0.25, 1.0 if knee else 0.0), (max(knee, 0.5), 0.9 if knee else 0.0), (2 * max(knee, 0.5), 0.0)])
    _, words = checked(in_time(Sheet(), tried, knee, 0.9, Divided(at, n)))
    assert any("</b> each" in w for w in words) == bool(n and n > 1) and any("a minute at most" in w for w in words) == bool(knee)
    checked(in_time(Sheet(phone=True), tried, knee, 0.9, Divided(at, n)))
    _, words = checked(in_time(Sheet(), tried, knee, 0.9, Divided(at, None)))
    assert not any("</b> each" in w for w in words)  # hidden until it is asked


def test_sentences_on_a_run_are_true(any_run):
    one, run = any_run
    said = plain(timeline_said(one, run))
    worst = int(np.argmax(run.longest_gap_s))
    assert ("Between two tokens" in said) == bool(run.longest_gap_s.max())
    assert ("Memory ran out" in said) == bool(run.n_preempted.any())
    assert ("cut to that" in said) == any(r.n_prompt + r.n_answer - 1 > one.server.most_tokens for r in one.asked(FEW))
    if "prefill ran meanwhile" in said or "a prompt was in the step" in said:
        row = rows_of(run)[worst]
        busy = sorted([*row.prompts, *row.again, *row.tokens, *row.stretched])
        longest = run.longest_gap_s[worst]
        gaps = [(a, b) for (_, a), (b, _) in pairwise(busy) if b > a + 1e-9]
        stretched = [span for span in row.stretched if span[1] - span[0] >= longest - 1e-9]
        prompts = [span for other in rows_of(run) for span in (*other.prompts, *other.again)]
        within = [any(a < d and c < b for c, d in prompts) for a, b in (*gaps, *stretched)]
        assert within and all(within)


def test_every_run_of_the_first_step_has_a_reason_where_it_says_one():
    """Where it gives the way of the cache as the reason, the machine of the answers had no step as long."""
    one = load("disaggregated")
    run = simulate(one.requests(FEW), one.server, "disaggregated")
    assert "on its way" in timeline_said(one, run)
    decoding = run.steps.duration_s[run.steps.prefill_tokens == 0]
    assert run.longest_gap_s.max() > decoding.max()


TIGHT = [(64, 0), (512, 64), (2048, 256), (4096, 4096), (2**20, 256)]


@pytest.mark.parametrize("room", TIGHT, ids=str)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_full_memory_is_told_as_it_is(policy, room):
    tight = Tight(load(policy), *room)
    run, said = tight.run(), plain(full_said(tight, tight.run()))
    n_lost = int(run.n_preempted.sum())
    assert says(said, f"{tight.server.n_blocks * 16:,} tokens", f"{n_lost} preemption" if n_lost else "No preemptions")
    assert ("hit rate" in said) == (room[1] > 0 and policy != "static") and ("computed again" in said) == bool(n_lost)
    assert ("nobody waited" in said) == (run.steps.waiting.max() == 0)
    large, small = thrown_out(run)
    assert ("out" in small) and large.startswith("Nobody") == small.startswith("Nobody") == (n_lost == 0)
    texts = len({r.block_keys[0] for r in run.requests if r.block_keys}) * (policy != "static")
    lanes = lanes_of(tight, run)
    assert len(lanes) == texts
    if lanes:
        for phone in (False, True):
            _, named = checked(beginnings_lanes(Sheet(phone=phone), run, lanes))
            assert sum("text" in word for word in named) == texts
    for phone in (False, True):
        sheet = Sheet(phone=phone)
        _, named = checked(memory_filled(sheet, run, together_of(tight, False)))
        out = {k for k, name in enumerate(rows_of(run)) if name.again}
        assert sum("thrown out" in name for name in named) <= len(out) and ("done, its place kept" in named) <= (
            policy == "static"
        )
        assert ("waits" in named) <= bool(run.steps.waiting.max())  # the headline said that nobody does
        above = [shape["line"] for shape in sheet.shapes if shape["layer"] == "above"]
        falls = [line for line in above if line["color"] == sheet.colors.ink and line["width"] != BEYOND]
        assert len(falls) == (3 if n_lost else 1)  # all lines, all crosses; the line at which memory is full


def test_what_each_request_holds_adds_up_to_what_the_run_held(any_run):
    """Who waits and who runs, too; nobody holds a block of a beginning where none is shared."""
    short = replace(any_run[0], policy=any_run[1].policy, n_prompt=128, n_answer=128)
    runs = [any_run[1], *(Tight(replace(any_run[0], policy=any_run[1].policy), *room).run() for room in TIGHT)]
    for run in (*runs, *(Tight(short, *room).run() for room in [(512, 0), (1024, 256)])):
        of = run.steps.instance == len(run.ids) - 1
        first, seen = 0, set()
        for one, stretch in zip(held(run), run.stretches[-1], strict=True):
            assert [sum(ends[k] for ends in one.own.values()) + one.shared[k] for k in (0, 1)] == [
                stretch.held_blocks[k] for k in (0, -1)
            ]
            assert min(one.shared) >= 0 and min(min(ends) for ends in one.own.values()) >= 0
            assert one.shared == (0, 0) or (run.policy in ("continuous", "chunked") and any(r.block_keys for r in run.requests))
            assert len(one.own) == stretch.running and len(one.waiting) == run.steps.waiting[of][first + stretch.n_steps - 1]
            assert not set(one.waiting) & set(one.own)
            assert set(one.was_in) - seen == {k for k in one.lost if k not in one.own}
            came = {int(i): at for at, i in enumerate(run.ids[-1])}
            assert not one.lost or max(came[k] for k in one.own) < min(came[k] for k in one.lost) or set(one.lost) & set(one.own)
            first, seen = first + stretch.n_steps, set(one.was_in)
        done = {int(i) for i in run.ids[-1]}
        assert done == {k for one in held(run) for k in one.own}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "case", [(512, 128, 4096, 256), (16, 1, 64, 16), (100, 1, 512, 4096), (8192, 1024, 64, 0), (2048, 200, 64, 4096)], ids=str
)
def test_so_many_have_room_together(policy, case):
    n_prompt, n_answer, n_room, n_alike = case
    tight = Tight(load(policy, n_prompt=n_prompt, n_answer=n_answer), n_room, n_alike)
    question = together_question(tight)
    for phone, known in product((False, True), repeat=2):
        shown = together_of(tight, known)
        sheet = Sheet(phone=phone)
        named = checked(memory_filled(sheet, tight.run(), shown))[1]
        said = f"{question.answer:,}" if known else "?"
        assert "<b>memory full</b>" in named and any(untagged(word).split(" fit")[0] == said for word in named)
        # “32 blocks”, filled to the top by a request of 40: where none has room it ends beyond all blocks
        assert any(s["line"]["width"] == BEYOND for s in sheet.shapes if s["layer"] == "above") == (question.answer == 0)
    # “−9 requests” where the beginning that all share is longer than the cache
    shared = tuple(range(min(n_alike, n_prompt - 1) // 16)) if policy in ("continuous", "chunked") else ()
    each = blocks_of(n_prompt + n_answer - 1) - len(shared)
    blocks, n = Blocks(tight.server.n_blocks), 0
    while blocks.to_take(each if n else each + len(shared), shared if n else ()) <= blocks.n_free:
        blocks.take(each if n else each + len(shared), shared if n else ())
        n += 1
        blocks.name(shared)
    assert question.answer == n


def test_memory_is_full_on_the_page_and_its_question_is_answered():
    at = page("many", policy="chunked", cache_tokens="2048", alike="128", slide=4)
    tight = Tight(load("chunked"), 2048, 128)
    assert "hit rate" not in text(at)
    answered = commit(at, "together", float(together_question(tight).answer))
    assert right(answered) and says(text(at), str(tight.run().n_preempted.sum()), "preemption") and says(text(at), "hit rate")
    assert not right(commit(page("many", cache_tokens="2048", slide=4), "together", 1.0))


@pytest.mark.parametrize("phone", [False, True])
def test_the_line_at_which_all_blocks_end_goes_through_no_words(phone):
    """It went through “1,024 alike”, of prompts whose beginning alone is twice as long as the cache."""
    n = 0
    for n_prompt, n_room, n_alike in product((300, 1100, 8192), (512, 1024, 2048, 4096), (64, 512, 1024, 4096)):
        tight = Tight(load(n_prompt=n_prompt), n_room, n_alike)
        figure, _ = checked(memory_filled(sheet := Sheet(phone=phone), tight.run(), together_of(tight, False)))
        lines = [s["path"] for s in sheet.shapes if s["layer"] == "above" and s["line"]["width"] == BEYOND]
        words = next(trace for trace in figure.data if trace.text)
        for x, y, word in zip(words.x, words.y, words.text, strict=True):
            if lines and word.endswith(" alike"):
                across, down = map(float, re.match(r"M([\d.]+),([\d.]+)", lines[0]).groups())
                n += 1
                assert abs(x - across) * sheet.wide >= 7 * ems(word) if phone else abs(y - down) >= 9
    assert n


@pytest.mark.parametrize("k", range(len(LOADS)))
def test_the_shortest_longest_wait_is_computed(k):
    runs = {name: simulate(LOADS[k].requests(MANY), replace(LOADS[k].server, n_instances=2), name) for name in POLICIES}
    question = pause_question(LOADS[k], runs)
    worst = {name: run.longest_gap_s.max() for name, run in runs.items()}
    least = [name for name in worst if worst[name] <= 1.001 * min(worst.values())]
    assert question.answer == (least[0] if len(least) == 1 else "several alike") and question.answer in question.options
    said = plain(beside_said(LOADS[k], runs))
    first = {name: np.percentile(run.ttft_s, 90) for name, run in runs.items()}
    rates = {name: run.tokens_per_s for name, run in runs.items()}
    *firsts, most = (_named(part) for part in re.findall(r"under (.+?)(?:;|\.| and [\d,.]+ .?s)", said))
    for values, best, names in ((first, min, firsts[0]), (first, max, firsts[-1]), (rates, max, most)):
        assert names == {name for name in values if values[name] == pytest.approx(best(values.values()), rel=1e-3)}
    assert len(firsts) == 1 + (len(firsts[0]) < len(POLICIES)) and len(set(map(frozenset, firsts))) == len(firsts)
    assert says(said, amount(max(rates.values()))) and amount(max(rates.values())) != "0"


def _named(words):
    """The policies of a list of names."""
    return set(POLICIES) if words == "all four" else set(re.findall(r"\w+", words)) - {"and"}


@pytest.mark.parametrize(("per_minute", "said"), [(1, "1 request a minute, for"), (60, "60 requests a minute, for")])
def test_one_request_a_minute_is_one_and_one_server_is(per_minute, said):
    """“1 requests a minute”; “Right: 1 servers”."""
    one = load(per_minute=per_minute, n_prompt=16, n_answer=2)
    runs = {name: simulate(one.requests(FEW), one.server, name) for name in POLICIES}
    assert said in pause_question(one, runs).asked
    for policy, unit in (("static", "server"), ("disaggregated", "pair")):
        written = [answer_text(count_question(replace(one, policy=policy), n, 500, 25, per_minute / n / 60)) for n in (1, 2)]
        assert written == [f"1 {unit}", f"2 {unit}s"]


def test_a_load_that_is_too_much_for_one_is_not_said_to_be_kept_by_one():
    """“1,497 a minute at most”, “One server kept both limits at 1,497”, and “2 servers for 1,497 a minute”."""
    for knee in (0.2571, 0.9961, 1.0049, 9.996, 12.05, 99.96, 1496.64, 54_545.9):
        for asked in {ceil(knee), ceil(knee) + 1}:
            one, n = load(per_minute=asked), 2
            said = devices_said(one, Knee(knee / 60, ((knee / 60, 0.95),)), n, False, 120)
            _, words = checked(in_time(Sheet(), [(knee, 0.95), (2 * knee, 0.0)], knee, 0.9, Divided(asked, n)))
            (most,) = [word for word in words if "a minute at most" in word]
            for kept in (re.search(r"\*\*([\d,.]+)\*\* requests", said)[1], re.search(r"<b>([\d,.]+)</b>", most)[1]):
                kept = float(kept.replace(",", ""))
                assert kept <= knee < asked and kept > 0.97 * knee
            assert ceil(asked / kept) >= 2


@given(st.integers(1, 2**18).map(lambda k: 60 * k / 2**12), st.integers(1, 6000))  # rates as the search tries them
@example(60 * 1139 / 2**18, 4)
@example(0.25, 4)
def test_what_one_keeps_is_written_so_that_it_divides_the_load_into_as_many(knee, load):
    """“0.26 a minute at most” beside “0.2667 each”: whoever divided 4 by 0.26 had 16, and was wrong."""
    said = float(knee_said(knee, load).replace(",", ""))
    assert said <= knee * (1 + 1e-6) and ceil(load / said - 1e-9) == ceil(load / knee - 1e-9)


def test_who_serves_is_a_pair_where_it_is_one():
    """“Sixteen people ask one server”, “requests a minute for one server”, of two machines; “a step for every word”, of all but one."""
    at = page("many", policy="disaggregated", per_minute="60", p="16", g="2")
    assert (
        "one server" not in text(at)
        and not any("one server" in alt for alt in alternatives(at))
        and "each word after it" in text(at)
    )


def test_the_wait_between_tokens_is_hidden_until_it_isasked():
    at = page("many", slide=2)
    runs = {name: loads.run(load(), name, MANY, 2) for name in POLICIES}
    worst = min(run.longest_gap_s.max() for run in runs.values())
    assert "first tokens come within" not in text(at)
    answered = commit(at, "pause", pause_question(load(), runs).answer)
    assert right(answered) and says(answered, seconds(worst))


def test_the_load_is_divided_so_that_each_part_is_in_time():
    at = page("many", policy="chunked", per_minute="7680", ttft_limit="300", tpot_limit="20", slide=3)
    one = load("chunked", per_minute=7680)
    job = search(one, 300, 20)
    assert job.advance_to(job.n_steps, float("inf"))
    knee = job.result
    n = knee.n_instances(7680 / 60)
    assert 1 < n < 20
    asked = lambda rate: one.requests(min(max(120, int(np.ceil(rate * lasts_s(one, 300, 20)))), MOST), rate)  # noqa: E731
    in_time = goodput(simulate(asked(7680 / 60 / n), one.server, "chunked"), 0.3, 0.02)
    too_few = goodput(simulate(asked(7680 / 60 / (n - 1)), one.server, "chunked"), 0.3, 0.02)
    assert in_time >= 0.85 and too_few < 0.9
    answered = commit(at, "devices", float(n))
    assert right(answered) and computed(answered).startswith(str(n))
    assert not right(
        commit(page("many", policy="chunked", per_minute="7680", ttft_limit="300", tpot_limit="20", slide=3), "devices", 1.0)
    )


def test_a_limit_that_one_request_alone_breaks_is_kept_by_no_number():
    """A prompt of 8,192 tokens takes longer than 10 ms on any of these devices."""
    at = page("many", p="8192", ttft_limit="10", slide=3)
    assert says(text(at), "nobody has the first token", "no number of servers is enough") and "only 0%" not in text(at)
    assert not any("devices" in q.key for q in at.number_input)


def test_a_knee_is_looked_for_only_where_a_run_is_long_enough():
    """120 requests at once are served before any queue can grow: at any rate all were in time."""
    one = load(model="gpt-oss-20b", device="H100 SXM", policy="continuous")
    one = replace(one, s=replace(one.s, weight_bits=16))
    assert highest(one, 500, 25) * lasts_s(one, 500, 25) == pytest.approx(MOST)
    job = search(one, 500, 25)
    assert job.advance_to(job.n_steps, float("inf")) and 20 < job.result.rate_per_s < 100


def test_a_model_that_does_not_fit_is_said_to_be_so():
    at = page("many", model="Llama-3.1-405B")
    assert len(at.info) == 4 and all("no room" in e.value for e in at.info)
    assert len(alternatives(at)) == 1  # the bundled model's own words


@pytest.mark.parametrize(
    "extras", [*OF_HARDWARE, {"policy": "x", "per_minute": "-1", "token_budget": "1e9", "ttft_limit": "nan", "g": "0"}], ids=str
)
def test_any_link_shows_the_lesson(extras):
    page("many", extras)


def test_links_say_the_load():
    at = page("many", policy="static", per_minute="60", p="64", g="16", token_budget="512", slide=1)
    assert "ask one server" in text(at)
    one = load("static", per_minute=60, n_prompt=64, n_answer=16, budget=512)
    run = simulate(one.requests(FEW), one.server, "static")
    assert says(text(at), seconds(np.median(run.ttft_s)), seconds(run.ttft_s.max()))
    assert {"policy", "per_minute", "token_budget", "ttft_limit"} <= set(parameters.DECLARED)
    assert Row._fields[0] == "waits"


@pytest.mark.parametrize("n_places", [2, 3, 4])
@pytest.mark.parametrize("n_piece", [4, 8, 16])
def test_three_schedules_write_the_same_words(n_places, n_piece):
    found, model = answers_by_policy(n_places, n_piece), bundled()
    for one in found.values():
        for (sentence, n), words, row in zip(ASKED, one.words, one.cells, strict=True):
            ids = generate(model, model.tokenizer.encode(sentence), n).token_ids
            assert list(words) == [model.tokenizer.decode([i]) for i in ids]
            shown = [row[step] for step in sorted(row) if row[step]]
            assert [word for _, word in shown if word] == list(words)
            assert sum(n_new for n_new, _ in shown) == len(model.tokenizer.encode(sentence))
        assert one.n_steps == max(max(row) for row in one.cells) + 1
        assert max(sum(step in row for row in one.cells) for step in range(one.n_steps)) <= n_places
    assert any(None in row.values() for row in found["static"].cells)
    assert not any(None in row.values() for name in ("continuous", "chunked") for row in found[name].cells)
    names, runs = [sentence for sentence, _ in ASKED], {name: one.cells for name, one in found.items()}

    def drawn(sheet):
        return words_by_step(sheet, names, found["static"].words, runs, ("alike", "all"))

    for zoom in (1.0, 1.15):
        _, words = checked(drawn(Sheet(zoom=zoom)))
        assert sum("steps" in word for word in words) == 3
    turned, words = checked(drawn(Sheet(phone=True)))
    assert sum("steps" in word for word in words) == 3 and turned.layout.meta["min_width"] == 0


def test_the_step_of_words_says_how_many_steps_each_schedule_takes():
    at = page("many", places="3", piece="16", slide=5)
    found = answers_by_policy(3, 16)
    assert says(text(at), "same", *(str(one.n_steps) for one in found.values()))
    assert says(" ".join(alternatives(at)), "red kite", "snowy")


def test_a_load_that_is_divided_is_a_bar_on_the_scale_of_the_knee_cut_into_what_each_takes():
    """On an axis of powers of ten half of the load was not seen to be half of it."""
    tried = [(100.0, 1.0), (1000.0, 1.0), (1500.0, 0.9), (2000.0, 0.05)]
    for phone in (False, True):
        for n in (None, 2):
            figure, words = checked(in_time(Sheet(phone=phone), tried, 1500.0, 0.9, Divided(1920.0, n)))
            assert ("<b>960</b> each" in words) == (n == 2) and ("server 1" in words) == ("<b>?</b>" in words) == (n is None)
    cut = next(
        shape.path for shape in figure.layout.shapes if str(shape.path).count("M") == 2 and shape.fillcolor == LIGHT.cached
    )
    (a, b), (c, d) = (
        [float(x) for x in re.findall(r"[ML]([\d.]+),", part)[:2]] for part in cut.split("M")[1:] for part in ["M" + part]
    )
    assert b - a == pytest.approx(d - c, abs=0.01) and abs(b - c) < 0.01
    falls = [
        (20.0, 1.0),
        (66.1, 0.9),
        (90.0, 0.1),
        (170.0, 0.0),
    ]  # “66.1 a minute at most” lay over the curve that falls at its right
    figure, _ = checked(in_time(Sheet(), falls, 66.1, 0.9, Divided(170.0, None)))
    (x, side) = next(
        (x, side) for trace in figure.data if trace.text
        for text, x, side in zip(trace.text, trace.x, trace.textposition, strict=True) if text.startswith("<b>66.1</b> a minute")
    )  # fmt: skip
    assert side == "middle left" and x < 0.5


def test_a_phone_shows_all_of_the_memory_at_once_and_who_is_thrown_out():
    """A player stood in place of six of twelve requests, and what waits was dark on black."""
    at = page("many", slide=4)
    of_visit(at, Screen).narrow = True
    at.context = {"theme": "dark"}
    figure, _ = figures(at.run())[0]
    assert "<b>thrown out</b>" in figure["data"][-1]["text"] and not figure.get("frames")
    assert contrast(rgb(faded(DARK, DARK.muted, PHONE_TINT)), rgb(DARK.surface)) > 2.5


def test_the_division_that_gives_those_who_have_room_is_shown():
    """Who answered 8 for 1 was told of 90 and 16 blocks, and of no division."""
    alike = together_question(Tight(load(n_prompt=1200, n_answer=240), 2048, 256))
    assert says(alike.why, "takes 90 blocks", "16 are there once for all") and "(128 − 16) / 74, rounded down" in alike.why
    assert alike.answer == (128 - 16) // 74
    assert "128 / 90, rounded down" in together_question(Tight(load(n_prompt=1200, n_answer=240), 2048, 0)).why
