"""The clock's lesson: the same answer twice, timed and compared; a stop that stops; races shared between visitors."""

import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import commit, computed, figures, of_visit, on, press, right, says, text, visited
from hypothesis import given
from hypothesis import strategies as st
from valid_figures import valid

from engine import bundled, generate
from engine.timing.both_ways import BothWays, TimedStep
from pages.lessons.generate import compared, kept, run, steps
from pages.lessons.generate.figures.agreeing_digits import agreeing_digits, digits_alike, shown_best
from pages.lessons.generate.figures.cache_fill import Cached, cache_fill
from pages.lessons.generate.figures.layer_gaps import HeldCache, layer_gaps
from pages.lessons.generate.figures.race_times import longest_of, race_times
from pages.lessons.generate.run import Watched
from pages.parts.drawing.answers import Asked
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.amounts import milliseconds

ROUNDED = "no, but the same within rounding"
SECONDS = st.floats(1e-6, 100)
page = partial(visited, "generate")


def test_the_whole_answer_is_there_on_arrival_and_the_button_writes_it_again():
    at = page(slide=1)
    assert says(text(at), "40 of 40") and not of_visit(at, Watched).running
    press(at, "generate_go")
    assert of_visit(at, Watched).running and of_visit(at, Watched).shown == 2
    press(at, "generate_rewind")
    assert says(text(at), "Today's weather is so nice", "1 of 40") and says(text(at), "prefill", "6 tokens", "one pass")


def test_a_longer_answer_goes_on_where_the_shorter_one_ended(no_results):
    """Each length had a run of its own: a finger on the slider began one at every stop."""
    short, long = page(prompt="The dog sleeps", g="9", slide=1), page(prompt="The dog sleeps", g="12", slide=1)
    assert of_visit(short, Watched).job is of_visit(long, Watched).job and of_visit(short, Watched).job.n_done == 12
    short.run()
    assert says(text(short), "9 of 9") and says(text(long), "12 of 12")


def test_where_the_server_is_busy_a_run_that_was_kept_is_shown_and_said_to_be_one_until_somebody_measures(
    monkeypatch, no_results
):
    """A scatter of passes that had waited, with 29 of 80 cut off, was the picture on a busy server."""
    assert kept.kept().token_ids == generate(bundled(), list(kept.kept().prompt_ids), kept.N_WORDS).token_ids
    monkeypatch.setattr(steps, "was_disturbed", lambda timed: True)
    at = page(slide=1)
    assert says(text(at), "A run that was kept", kept.kept().measured, "own") and any(
        "busy" in (m.help or "") for m in at.markdown
    )
    drawn = str(figures(at)[0][0])
    assert all(milliseconds(sum(times)) in drawn for times in zip(*kept.kept().times, strict=True))
    few = [m.help for m in page(slide=1, g="3").markdown if "busy" in (m.help or "")]
    assert few and all(re.search(r"without, (\d[\d.]* times as long|no clear difference)\.", said) for said in few)
    other, anew = page(prompt="The dog sleeps", slide=1), page(slide=1)
    press(at, "generate_go")
    press(anew, "generate_anew")
    assert not any("A run that was kept" in text(shown) for shown in (at, other, anew))


def test_paper_speaks_of_no_button(monkeypatch, no_results):
    """“*Generate* shows this server’s own”, on a handout."""
    timed = {
        "few": steps_of([[(334e-6, 304e-6)] * 5]), "busy": steps_of([[(0.0044, 0.0019)] * 5] * 6),
        "clear": steps_of([[(1e-4, 3e-4)] * 5] * 9),
    }  # fmt: skip
    buttons = re.compile(r"Generate|Anew|measure again")
    for paper in (False, True):
        monkeypatch.setattr(steps, "on_paper", lambda paper=paper: paper)
        for name, taken in timed.items():
            said = steps._clock(SimpleNamespace(timed=taken, prompt=SimpleNamespace(ids=(1, 2)), n_words=40))
            assert bool(buttons.search(said)) == (not paper) and ("busy" in said) == (name == "busy")
    monkeypatch.undo()
    monkeypatch.setattr(steps, "was_disturbed", lambda timed: True)
    kept_ones = [m.value for m in page(handout="answers").markdown if "A run that was kept" in m.value]
    assert kept_ones and not any(map(buttons.search, kept_ones)) and buttons.search(text(page(slide=1)))


def test_a_run_is_shaken_where_passes_wait_or_the_clock_cannot_tell():
    calm = steps_of([[(1e-4, 3e-4)] * 3] * 40)
    assert not kept.was_disturbed(calm) and not kept.was_disturbed(calm[:1])
    assert kept.was_disturbed([*calm[:-2], *steps_of([[(1e-2, 3e-4)] * 3] * 2)])
    assert kept.was_disturbed(steps_of([[(3e-4, 3e-4)] * 3] * 40))


def test_words_come_one_at_a_time_and_stop_stops():
    at = page(g="5", slide=1)
    press(at, "generate_go")
    said = bundled().tokenizer.decode(generate(bundled(), bundled().tokenizer.encode("Today 's weather is so"), 5).token_ids)
    seen = [of_visit(at, Watched).shown]
    press(at, "generate_stop")
    at.run()
    seen.append(of_visit(at, Watched).shown)
    assert seen == [2, 2]
    assert says(text(at), "2 of 5")
    press(at, "generate_go")
    for _ in range(5):
        at.run()
    assert of_visit(at, Watched).shown == 5 and not of_visit(at, Watched).running
    assert says(text(at), said, "5 of 5")
    press(at, "generate_rewind")
    assert of_visit(at, Watched).shown == 1


def test_an_answer_that_the_model_ends_is_shown_to_its_end(no_results, monkeypatch):
    """With eos_token_id in a folder's config.json the text went on behind it, and the button would have waited for 40 words."""
    monkeypatch.setattr(BothWays, "ended", property(lambda both: len(both.timed) == 3))
    at = page(g="20", slide=1)
    assert not at.exception and says(text(at), "3 of 3", "ends")


def test_the_figures_wait_for_the_answers_and_seldom_is_not_never():
    at = page()
    assert says(commit(at, "same_bits", "yes, in every bit"), "seldom") and not says(text(at), "never bit")
    waiting = [alt for _, alt in figures(page()) if says(alt, "logits", "after your answer")]
    assert len(waiting) == 2 and "mask" not in waiting[0] and not any(says(alt, "in layer 1") for alt in waiting)


def test_the_keys_are_within_rounding_and_from_layer_2_on():
    at = page()
    assert len(figures(at)) == 4  # one of them waits
    said = commit(at, "same_bits", ROUNDED)
    assert right(said, ROUNDED) and says(said, "100.0%", "equal")
    said = commit(at, "wrong_layers", "from layer 2 on")
    assert right(said, "from layer 2 on") and says(text(at), "no row")
    assert len(figures(at)) == 4


def test_the_comparison_would_show_a_visible_difference(monkeypatch, no_results):
    """The negative control: the same page on a model without the mask."""
    unmasked = bundled().variant(causal=False)
    monkeypatch.setattr(run.model, "bundled", lambda *_: unmasked)
    assert computed(commit(page(slide=2), "same_bits", "no, visibly different")) == "no, visibly different"


def test_with_and_without_the_mask_the_same_words_are_compared():
    """“Over 6 words”, where the answer has one: what “agrees to the last bit” was its first alone."""
    at = page(prompt="Rome", g=1, slide=4)
    commit(at, "wrong_layers", "from layer 2 on")
    helps = " ".join(m.help for m in at.markdown if m.help)
    assert says(helps, "Over 1 word with the mask off", "still the same to the last bit") and "wrong by up to 0;" not in helps


@pytest.mark.parametrize("checkpoint", ["untrained", "before", "after"])
def test_the_keys_are_recomputed_for_every_moment_of_the_training(checkpoint):
    at = page(checkpoint=checkpoint, prompt="The soup is so", slide=2)
    assert right(commit(at, "same_bits", ROUNDED), ROUNDED)
    assert right(commit(on(at, 4), "wrong_layers", "from layer 2 on"), "from layer 2 on")


def test_visitors_with_the_same_input_share_one_race(monkeypatch, no_results):
    made = []

    class Counted(BothWays):
        def __init__(self, *args, **options):
            made.append(args)
            super().__init__(*args, **options)

    monkeypatch.setattr(run, "BothWays", Counted)
    monkeypatch.setattr(compared, "BothWays", Counted)
    for _ in range(3):
        page(prompt="The dog sleeps", g="9")
    assert len(made) == 2  # the answer, and the few words without the mask


def test_measured_anew_is_measured_for_one_visit_and_kept_for_nobody_else(no_results):
    """The count of new measurements, modulo 4, was part of the key that all share: the second visitor who measured anew got
    what the first had measured, the fourth press brought the oldest back, and each press took room in the store."""
    first, second = page(prompt="The dog sleeps", slide=1), page(prompt="The dog sleeps", slide=1)
    shared = of_visit(second, Watched).job
    assert of_visit(first, Watched).job is shared
    kept, seen = len(no_results), [shared]
    for at in (first, first, first, first, second):
        press(at, "generate_anew")
        seen.append(of_visit(at, Watched).job)
    assert len({id(job) for job in seen}) == 6 and len(no_results) == kept
    first.run()
    assert of_visit(first, Watched).job is seen[4]  # until another input is asked for
    assert of_visit(page(prompt="The dog sleeps", slide=1), Watched).job is shared


def test_a_race_that_the_store_has_dropped_goes_on(monkeypatch, no_results):
    monkeypatch.setattr(no_results, "most_bytes", 1)
    at = page(g="8", slide=1)
    press(at, "generate_go")
    both = of_visit(at, Watched).job
    page(prompt="The soup is so", slide=1)
    at.run()
    assert of_visit(at, Watched).job is both and of_visit(at, Watched).shown == 3


@pytest.mark.parametrize(
    "extras",
    [
        {"g": "0"}, {"g": "999999"}, {"g": "x", "temperature": "NaN"}, {"temperature": "2", "seed": "7"}, {"prompt": "so " * 300},
        {"prompt": "<script>", "g": "1"}, {"checkpoint": "none"}, {"source": "/"}, {"present": "on", "slide": "3"},
        {"present": "on", "slide": "4"}, {"present": "on", "slide": "6"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(extras):
    assert len(text(page(**extras))) > 20


def test_drawn_words_follow_the_seed():
    model, ids = bundled(), bundled().tokenizer.encode("Today 's weather is so")
    at = page(temperature="1", seed="5", g="4", slide=1)
    said = model.tokenizer.decode(generate(model, ids, 4, temperature=1.0, seed=5).token_ids)
    assert says(text(at), said, "4 of 4")


# Figures


TIMED = [
    TimedStep(1, ((0.004, 0.004),), 6, 0.0, 20.0, 1.0),
    TimedStep(2, ((0.001, 0.005),), 7, 2e-6, 20.0, 0.1),
    TimedStep(3, ((0.001, 0.006),), 8, 1e-6, 18.0, 0.2),
]


def written(figure):
    return [word.replace("<b>", "").replace("</b>", "") for word in valid(figure.to_plotly_json()).data[-1].text]


def blocks(figure, color):
    """How wide each block of that colour is."""
    path = "".join(shape["path"] for shape in figure.to_plotly_json()["layout"]["shapes"] if shape.get("fillcolor") == color)
    corners = [[float(x) for x in re.findall(r"[ML]([\d.]+),", block)] for block in path.split("Z")[:-1]]
    return [max(x) - min(x) for x in corners]


@pytest.mark.parametrize("phone", [False, True])
def test_two_runs_begin_together_a_block_a_pass_and_each_ends_with_what_it_took(phone):
    said = written(race_times(Sheet(phone=phone), TIMED, 3))
    assert {"6 ms", "15 ms", "with a cache", "without a cache", "word 1", "word 3", "No clear difference"} <= set(said)
    for timed, n_words in ((TIMED[:1], 1), (TIMED[:1], 40), (steps_of([[(200.0, 100.0)]] * 64), 64)):
        valid(race_times(Sheet(phone=phone), timed, n_words).to_plotly_json())


def test_a_block_is_as_long_as_its_pass_took():
    sheet = Sheet()
    drawn, colors = race_times(sheet, TIMED, 3), sheet.colors
    decode, wasted, prefill = (blocks(drawn, color) for color in (colors.decode, colors.wasted, colors.prefill))
    assert (len(decode), len(wasted), len(prefill)) == (2, 2, 2)
    assert decode[0] == pytest.approx(decode[1]) and wasted[0] / decode[0] == pytest.approx(5, rel=0.05)


def test_a_pass_that_waited_says_how_long_and_then_nothing_is_claimed():
    slow = steps_of([[(0.001, 0.003)] * 3] * 5 + [[(0.001, 0.25)] * 3] + [[(0.001, 0.003)] * 3] * 5)
    said = written(race_times(Sheet(), slow, 11))
    assert {"250 ms", "No clear difference"} <= set(said) and "250 ms" not in written(race_times(Sheet(), slow[:5], 11))


def test_the_track_is_as_long_as_the_whole_answer_will_be():
    growing = steps_of([[(1e-4, (6 + i) * 4e-5)] for i in range(40)])
    assert longest_of(growing, 40) == pytest.approx(sum(step.recomputed_s for step in growing))
    assert longest_of(growing[:10], 40) == pytest.approx(longest_of(growing[:10], 10) + 30 * growing[9].recomputed_s)


def test_the_first_word_is_the_same_pass_in_both():
    alone, later = (written(race_times(Sheet(), timed, 5)) for timed in (TIMED[:1], TIMED))
    assert "Word 1: the same pass both ways" in alone and "Word 1: the same pass both ways" not in later


def steps_of(turns_of_words):
    return [TimedStep(3, tuple(turns), 6 + i, 0.0, 20.0, 1.0) for i, turns in enumerate(turns_of_words)]


def test_the_axis_is_that_of_the_whole_answer_from_the_first_word_on(no_results, monkeypatch):
    """Each longer run of bars got an axis of its own: what had been drawn shrank while it was looked at."""
    drawn = []
    monkeypatch.setattr(steps, "was_disturbed", lambda timed: False)  # a run that was kept has the axis of its own times
    monkeypatch.setattr(
        steps, "race_times", lambda sheet, timed, n, most: drawn.append((len(timed), most)) or race_times(sheet, timed, n, most)
    )
    at = page(g="8", slide=1)
    press(at, "generate_go")
    for _ in range(7):
        at.run()
    assert {n for n, _ in drawn} == set(range(2, 9)) and len({most for _, most in drawn}) == 1


def clock_said(turns_of_words, n_words=40):
    timed = steps_of(turns_of_words)
    return steps._clock(SimpleNamespace(timed=timed, prompt=SimpleNamespace(ids=(1, 2)), n_words=n_words))


def test_a_busy_server_is_named_instead_of_a_cache_that_loses():
    """4.4 ms behind the cache and 1.9 ms without: "0.4 times as long"; and once "0 times"."""
    lost = clock_said([[(0.0044, 0.0019)] * 5] * 6)
    assert says(lost, "busy") and says(lost, "26 ms", "cache", "11 ms") and not re.search(r"\d\W* times", lost)
    assert "busy" in clock_said([[(0.9, 0.001)] * 5] * 6) and "more words" in clock_said([[(1, 1)], [(1, 3)]])
    won = clock_said(
        [[(0.001, 0.001)] * 5] + [[(0.001, 0.0017), (0.3, 0.0018), (0.001, 0.2), (0.001, 0.0017), (0.001, 0.0017)]] * 6
    )
    assert says(won, "1.6 times", "5.3 times as many rows") and says(won, "7 ms", "cache", "11 ms") and "busy" not in won


def test_what_prefill_takes_to_write_the_cache_is_no_busy_server():
    """“This server is busy, measure again”, always, of two words behind a prompt of two tokens, where nothing waited."""
    prefill, words = [(334e-6, 304e-6)] * 5, [[(312e-6, 331e-6)] * 5, [(310e-6, 350e-6)] * 5]
    said = clock_said([prefill, words[0]])
    assert says(
        said, "2 words took 0.65 ms", "0.64 ms without", "no clear difference", "0.03 ms longer", "the word", "0.019 ms less"
    )
    assert "busy" not in said and "more words" in said and not kept.was_disturbed(steps_of([prefill, words[0]]))
    assert says(clock_said([prefill, *words]), "1.03 times") and not kept.was_disturbed(steps_of([prefill, *words]))
    waited = [(20e-3, 304e-6)] * 5
    assert "busy" in clock_said([waited, *words]) and "busy" in clock_said([prefill, words[0][:1] * 2 + [(3e-4, 2e-4)] * 3])
    assert "but for noise" not in clock_said([prefill]) and says(clock_said([prefill]), "TTFT", "writes its rows")


@given(st.lists(st.lists(st.tuples(SECONDS, SECONDS), min_size=1, max_size=5), min_size=1, max_size=12))
def test_no_run_of_the_clock_makes_a_cache_lose(turns_of_words):
    said = clock_said(turns_of_words)
    ratio = re.search(r"\*\*([\d.,]+) times\*\*", said)
    assert ("busy" in said or "more words" in said or "TTFT" in said) == (ratio is None)
    assert ratio is None or float(ratio[1].replace(",", "")) >= 1


def test_times_read_well():
    assert [milliseconds(s) for s in (0.00043, 0.0123, 1.52)] == ["0.43 ms", "12 ms", "1.5 s"]


def test_the_words_are_counted_and_before_that_the_digits_of_the_second_run_are_asked_for():
    timed = [*TIMED, TimedStep(4, ((1, 1),), 9, 0.5, 20.0, 0.0)]
    example, options = replace(TIMED[1], pair=(20.978409, 20.978411)), ("1", "2", "3")
    figure = agreeing_digits(Sheet(), timed, example, "nice")
    said = written(figure)
    assert [text for text in said if text.endswith((" word", " words"))] == [
        "nowhere: equal in every bit, 1 word",
        "2 words",
        "1 word",
    ]
    assert {"Logits apart by at most 0.5", "logit of “nice”"} <= set(said)
    alike = written(agreeing_digits(Sheet(), TIMED, example, "nice"))
    assert {"6 digits alike, the rest is rounding", "no word"} <= set(alike)
    waits = Asked(options, open=True, known=False)
    waiting = agreeing_digits(Sheet(), timed, example, "nice", waits)
    assert waiting.to_plotly_json()["layout"]["height"] == figure.to_plotly_json()["layout"]["height"]
    waiting = written(waiting)
    assert not [text for text in waiting if "0.5" in text or text.endswith((" word", " words"))]
    assert waiting.count("9") == 2 and waiting.count("1") == 0 and waiting.count("?") == 1  # digits of the first logit alone
    answered = agreeing_digits(Sheet(), timed, example, "nice", Asked(options, guess="1", right="2"))
    assert {"✓", "your guess"} <= set(written(answered))
    for pair in ((-0.5, -0.5), (9.99999, 10.00001), (float("nan"), 1.0), (1e9, 1e9 + 64)):
        valid(agreeing_digits(Sheet(phone=True), TIMED, replace(example, pair=pair), "w" * 40).to_plotly_json())


def test_the_logit_that_is_written_parts_where_its_difference_lies():
    """1.9999999 and 2.0000001 part in their first digit, and are the same within rounding."""
    carried, plain = replace(TIMED[1], pair=(1.9999999, 2.0000001)), replace(TIMED[2], pair=(18.25, 18.250001))
    assert shown_best([TIMED[0], carried, plain]) is plain and shown_best([carried]) is carried


def test_two_numbers_part_at_the_first_digit_that_differs():
    assert digits_alike((20.978409, 20.978411)) == ("20.978409", "20.978411", 7)
    assert digits_alike((-0.5, -0.5))[2] == len("-0.5000000") and digits_alike((9.99999, 10.00001))[2] == 0
    same = BothWays(bundled(), [1, 2], 2, repeats=1)
    assert (step := same.step()).pair[0] == step.pair[1] and abs(step.pair[0]) == step.largest  # prefill: the same pass both ways
    assert abs((step := same.step()).pair[0] - step.pair[1]) == pytest.approx(step.gap)


def test_the_layers_that_are_asked_for_wait():
    gaps, waiting = np.array([[0, 0, 0], [0, 0.125, 0], [0.5, 0.25, 0]]), Asked(("1", "2", "3"), open=True, known=False)
    held = HeldCache(["a", "b", "c"], 2, gaps)
    figure = layer_gaps(Sheet(), held, 1e-3, waiting)
    said = written(figure)
    assert said.count("same or not?") == 3 and "12.5%" not in said
    assert not [t for t in figure.to_plotly_json()["data"] if t["type"] == "heatmap"]  # no cell is brown
    answered = layer_gaps(Sheet(), held, 1e-3)
    assert {"same", "12.5%", "50.0%"} <= set(written(answered))
    wrong = [np.array(t["z"], float)[0] for t in answered.to_plotly_json()["data"] if t["type"] == "heatmap"]
    np.testing.assert_array_equal([~np.isnan(z) for z in wrong], gaps[1:] > 1e-3)  # token by token, of the layers where some are
    valid(layer_gaps(Sheet(), HeldCache(["a"], 1, np.full((32, 1), 0.1)), 1e-3).to_plotly_json())


@pytest.mark.parametrize("phone", [False, True])
def test_a_later_token_gets_into_the_next_layer_and_where_none_came_later_no_way_is_drawn(phone):
    def ways(n_prompt, asked):
        sheet = Sheet(phone=phone)
        layer_gaps(sheet, HeldCache(["a", "b", "c"], n_prompt, np.array([[0, 0, 0], [0.5, 0, 0]])), 1e-3, asked)
        colors = sheet.colors
        return [s["path"].count("M") - 1 for s in sheet.shapes if s["line"].get("color") in (colors.muted, colors.wasted)]

    assert ways(2, Asked(("1", "2"), open=True, known=False)) == [2] and ways(2, Asked()) == [1]
    assert ways(3, Asked()) == []


@pytest.mark.parametrize("n", [1, 11, 40])
def test_on_a_phone_the_words_stand_before_the_rows_of_the_cache_and_what_is_wrong_is_brown_token_by_token(n):
    """They were numbers from 1 to 11, and which cells survived said nothing."""
    gaps = np.zeros((3, n))
    gaps[1, ::2], gaps[2] = 0.125, 0.5
    held = HeldCache([f"word{i}" for i in range(n)], 1, gaps)
    figure = layer_gaps(Sheet(phone=True), held, 1e-3, Asked(("a", "b", "c"), False, True, "a", "b"))
    said = written(figure)
    assert {"word0", "same", "12.5%", "50.0%", "your guess", "✓", "layer 2"} <= set(said)
    assert sum(text.startswith("word") for text in said) == (n if n < 14 else 14)
    maps = [np.array(trace["z"], float)[:, 0] for trace in figure.to_plotly_json()["data"] if trace["type"] == "heatmap"]
    assert len(maps) == 2  # what is wrong of two
    np.testing.assert_array_equal(np.isnan(maps[0]), gaps[1] == 0)
    assert not np.isnan(maps[1]).any()
    many = HeldCache(["a"] * 4, 2, np.full((32, 4), 0.1))
    valid(layer_gaps(Sheet(phone=True), many, 1e-3).to_plotly_json())


@pytest.mark.parametrize(("n_layer", "n_kv_head", "n"), [(3, 2, 6), (12, 12, 212), (1, 1, 1)])
def test_the_cache_is_drawn_as_it_is(n_layer, n_kv_head, n):
    words = [f"w{i}" for i in range(n)]
    drawn = cache_fill(Sheet(), Cached(n_layer, n_kv_head, 4, 4), min(n, 4), n + 5, words)
    cells = np.array(valid(drawn.to_plotly_json()).data[0].z, float)
    assert (~np.isnan(cells)).sum() == n_layer * n * (n_kv_head if n_kv_head < 12 else 1)
    said = written(drawn)
    assert f"{4 * n_layer * n_kv_head * 8:,}" in said and [word for word in said if word in words] == [
        *(words[-1:] if n > 4 else []), words[0], *(words[3:4] if n < 20 and n > 3 else [])
    ]  # fmt: skip
