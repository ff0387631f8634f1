"""The cache lesson: what is kept, two runs that agree, and controls that fail by the amounts the article gives."""

import json
import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import SCENARIOS, alts, commit, computed, figures, names_of, on, press, ran, right, says, text, visited
from hypothesis import given
from hypothesis import strategies as st
from scenarios import BIG, CODE, TEXT, scenarios
from valid_figures import valid

from engine import generate
from engine.compare import PARTS, last_row_gaps, position_gaps
from engine.experiments.broken_caches import breaking_head, stale_key
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.experiments.rows import rows_so_far
from engine.toy.edits import set_rule
from engine.toy.presets import ALL_SWIM, TO_REMEMBER
from pages.lessons.cache import broken_caches, stale_keys, steps, story, two_runs
from pages.lessons.cache.broken_caches import KV_ROWS, depth_passes
from pages.lessons.cache.figures.cache_grid import CacheStep, cache_grid
from pages.lessons.cache.figures.gap_grid import Gaps, gap_grid
from pages.lessons.cache.figures.run_strips import RunStrip, run_strips
from pages.lessons.cache.figures.shifted_rows import Slip, shifted_rows
from pages.lessons.cache.figures.stale_key import stale_key as stale_key_figure
from pages.lessons.cache.figures.what_to_keep import Made, what_to_keep
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.palette import LIGHT
from pages.parts.drawing.sheet import Sheet
from pages.parts.visit import scenario_query

page = partial(visited, "cache")


def test_the_questions_keys_are_the_articles():
    at = page(slide=1)
    assert right(commit(at, "kept", "k and v"), "k and v")
    assert right(commit(on(at, 2), "rows_0", 6.0), "6")
    at = page(slide=7)
    assert says(text(at), "6 with the cache", "7 recomputed")
    assert right(commit(at, "stale", "4 so"), "4 so")
    assert any(says(m.help or "", "position 4", "5", "9", "destination is read-only") for m in at.markdown)
    at = page(slide=4)
    wrong = commit(at, "depth", "layer 1’s")
    assert not right(wrong) and computed(wrong) == "layer 2’s"
    assert says(text(at), "old key") and any(says(m.help or "", "0.347", "10⁻¹⁶") for m in at.markdown)


def test_what_the_article_prints_is_said_of_its_own_text_alone():
    """ "The article prints both results" stood beside any scenario's numbers; and its listing, patched, no longer gives the 6."""

    def helped(at):
        commit(at, "stale", "4 so")
        return "\n".join(m.help or "" for m in at.markdown)

    own, other = (helped(page(scenario_query.to_query(s), slide=7)) for s in (TEXT, replace(TEXT, values=(3, 5, 7, 11))))
    assert says(own, "article", "6", "7") and says(own, "listing", "7")
    assert "article" not in other and "listing" not in other
    warm = page(answer="1", slide=7)  # another word than the article's
    assert not says(helped(warm), "article", "6", "7")


def test_nothing_gives_the_answers_away_before_and_the_figures_wait():
    at = page()
    shown = text(at)
    assert "read-only" not in shown and "P + G" not in shown and "65 numbers" not in shown
    assert "0.347" not in shown and not says(shown, "5", "9")  # the gap without the mask; where the patch leaves a row
    keep, build, _, depth, _, stale = figures(at)
    assert "kept:" not in str(keep[0]) and "used once" not in str(keep[0]) and "computed with it" not in str(build[0])
    assert all("cache holds" not in alt for _, alt in (keep, build))
    assert (
        list(depth[0]["data"][-1]["text"]).count("<b>the same or not?</b>") == 2
        and "found" in depth[1]
        and "out of date" not in stale[1]
    )  # old keys and values, two layers
    commit(at, "kept", "k and v")
    commit(at, "depth", "layer 2’s")
    commit(at, "stale", "4 so")
    keep, build, _, depth, _, stale = figures(at)
    assert "kept" in str(keep[0]) and "used once" in str(keep[0]) and "computed with it" in str(build[0])
    assert all("cache holds" in alt for _, alt in (keep, build))
    assert (
        any("0.347" in (m.help or "") for m in at.markdown)
        and "<b>the same or not?</b>" not in depth[0]["data"][-1]["text"]
        and "0.347" in depth[1]
        and "out of date" in stale[1]
    )


def test_a_committed_count_of_rows_is_pointed_at_in_the_step_that_has_them():
    at = page()
    commit(at, "rows_0", 7.0)
    assert says(text(at), "Step 0") and "✓" not in str(figures(at)[1][0])
    for _ in range(2):
        press(at, "step_next")
    assert says(text(at), "Step 2", "decode") and all(said in str(figures(at)[1][0]) for said in ("<b>6</b>", "✓"))
    assert [w.key for w in at.number_input if "rows" in w.key] == []
    press(at, "step_next")
    assert says(text(at), "Step 3", "decode") and "✓" not in str(figures(at)[1][0])
    assert [w.key for w in at.number_input if "rows" in w.key] == []  # it has been answered


@pytest.mark.parametrize(
    ("scenario", "cached", "recomputed"),
    [
        (replace(TEXT, values=(3, 5, 7, 11), word_values=(2, 8, 3)), "6.5", "2"),  # so 11 and nice 2 both say "the last"
        (
            replace(TEXT, tokens=("a", "b"), values=(4, -6), rules=("all", "previous"), w_vocab=((1, 0, 0), (0, 1, 0))),
            "1", "8",  # −6 and warm 8
        ),
        (replace(TEXT, causal=False, values=(1, 2, 3, 9)), "8", "7"),
    ],
)  # fmt: skip
def test_the_keys_are_computed_anew_for_another_scenario(scenario, cached, recomputed):
    n = len(scenario.tokens)
    at = page(scenario_query.to_query(scenario), slide=7)
    assert says(text(at), f"{cached} with the cache", f"{recomputed} recomputed", "out of date")
    assert right(commit(at, "stale", f"{n} {scenario.tokens[-1]}"), f"{n} {scenario.tokens[-1]}")
    assert right(commit(on(at, 4), "depth", "layer 2’s"), "layer 2’s")
    assert right(commit(on(at, 2), "rows_0", n + 2.0), f"{n + 2}")


def test_the_rows_are_counted_and_so_are_their_numbers():
    shown = text(page(step="1", slide=2))
    assert says(shown, "1 row", "4 are read") and says(shown, "65 numbers", "64", "1", "shared", "325")
    layouts = [m.help for m in page(step="1", slide=2).markdown if "65 numbers" in m.value]
    assert len(layouts) == 1 and says(layouts[0], "65", "257", "260")
    assert says(text(page(scenario_query.to_query(CODE), step="1", slide=2)), "260 numbers", "64", "1", "each of 4 heads")


def test_two_runs_agree_to_rounding_and_part_with_the_stale_key():
    at = page(step="2", slide=3)
    assert says(text(at), "7 passes")
    ((figure, alt),) = [f for f in figures(at) if "Two runs" in f[1]]
    assert says(alt, "10 rows", "49 rows") and "the same" in str(figure)  # 4 + 6, and 4 + 5 + … + 10
    commit(at, "wrong_key", two_runs.SAME)
    assert says(text(visited("cache", slide=3, answers="shown")), "the same words")
    assert says(two_runs._compared(TEXT, np.full((6, 7), 1e-15)), "rounding alone") and "bit" in two_runs._compared(
        TEXT, np.zeros((6, 7))
    )
    at = page(compare="stale", slide=3)  # the parameter's earlier name
    assert right(commit(at, "wrong_key", two_runs.SAME), two_runs.SAME)
    shown = text(at)
    assert says(shown, "head 2", "keys", "0.5", "words", "stay")  # a context off by 1, times W’s 0.5


@pytest.mark.parametrize("against", ["own", "stale"])
@pytest.mark.parametrize("scenario", ["two tokens", "mask off", "empty row nan", "sixteen tokens, eight heads"])
def test_while_it_is_asked_whether_the_words_are_the_same_nothing_on_the_page_says_that_some_are(scenario, against):
    """The headline was "10 rows in place of 49, and the same words", beside the question whether they are the same."""
    at = page(scenario_query.to_query(SCENARIOS[scenario]), slide=3, against=against)
    asked = any("wrong_key" in str(b.key) for b in at.button)
    told = text(at) + str(figures(at))
    assert asked != any(option in told for option in (two_runs.SAME, two_runs.OTHERS, "happen to stay"))


def test_the_question_about_rows_stays_in_sight_until_its_rows_are_there():
    at = visited("cache", route="story", steps="", slide="2")
    commit(at, "rows_0", 7.0)
    for k in range(3):
        assert says(text(at), f"Step {k}") and says(text(at), "4 + 3 − 1") and text(at).count("has no row yet") == 1
        press(at, "step_next")
    assert says(text(at), "Step 3") and "4 + 3" not in text(at)


def test_a_word_that_is_always_the_same_stands_once():
    """“nice” stood in every column, at what goes in and at what comes out: twenty times."""
    (figure,) = [figure for figure, alt in figures(page(slide=3)) if "Two runs" in alt]
    said = [text for text in figure["data"][-1]["text"] if "nice" in text]
    assert said and all("each time" in text for text in said)
    one, other = (RunStrip(name, 2, [2, 1, 1], list("aab")) for name in ("with the cache", "all anew"))
    texts = run_strips(Sheet(), (one, other), ["prompt", "a", "b"], {"difference": np.zeros(3)}).data[-1].text
    assert not any("each time" in text for text in texts) and {"<b>a</b>", "<b>b</b>"} <= set(texts)


def test_where_a_stale_key_can_change_a_word_it_is_in_the_head_where_it_does():
    """The words stayed the same in both runs, so that the strongest counter-example looked harmless."""
    s = replace(TO_REMEMBER, causal=True)
    first = replace(set_rule(s, breaking_head(s), "last"), empty_row="soft")
    assert not stale_keys.changes_a_word(first, 6, (1,))
    broken = stale_keys.with_stale_key(s, 6, (1,))
    assert [rule.kind for rule in broken.rules].count("last") == 1 and stale_keys.changes_a_word(broken, 6, (1,))
    at = page({**scenario_query.to_query(s), "against": "stale"}, slide=3)
    assert right(commit(at, "wrong_key", two_runs.OTHERS), two_runs.OTHERS)
    shown = text(at)
    (_, alt) = next(f for f in figures(at) if "Two runs" in f[1])
    with_cache, anew = (re.search(rf"{name}: .+? next words (.+?)\.", alt)[1] for name in ("With the cache", "All anew"))
    assert with_cache != anew and says(shown, "false", "keys") and re.search(r"\*\*\d words?\*\* of 7", shown)


def test_in_the_story_each_run_goes_on_from_its_own_words_and_a_key_that_goes_false_makes_it_stammer():
    """“fed to both” stood above two runs that had said other words."""
    link = {**scenario_query.to_query(ALL_SWIM), "route": "story", "steps": "", "slide": "3"}
    at = visited("cache", **link)
    ((figure, alt),) = figures(at)
    right_words = "nice that we all swim . we"
    assert alt.count(right_words) == 2 and "? ? ?" in alt and alt.count("10 rows") == 2 and "49 rows" in alt
    assert "nice nice" not in str(figure) + alt + text(at)
    assert right(commit(at, "first_wrong", "word 2"), "word 2")
    ((figure, alt),) = figures(at)
    wrong = alt.split(story.NAMES[-1])[1]
    assert "nice nice nice that" in wrong and right_words not in wrong and says(text(at), "6 words", "of 7", "key")
    own = story.three_runs_of(ALL_SWIM)
    assert own.anew == own.cached and own.wrong == [False] + [True] * 6
    assert story.three_runs_of(CODE) is None  # whose own key goes out of date
    same = story.three_runs_of(TEXT)
    question = story.first_wrong_question(TEXT, same)
    assert not any(same.wrong) and question.answer == story.NONE and "happen to stay" in story._outcome(same)


@given(scenarios())
def test_what_is_wrong_in_the_third_run_is_seen_beside_the_others_or_said(s):
    """“A number to remember”: “42 42 42 lost 42 lost 42” three times, and word 2 was wrong: that head had another rule."""
    found = story.three_runs_of(s)
    if found:
        model = set_rule(s, found.head - 1, "last").model()
        made = generate(model, s.prompt_ids, len(found.anew), use_cache=False)
        assert found.anew == tuple(s.id_words[i] for i in made.token_ids)
        first = story.first_wrong_question(s, found).answer
        assert first == (story.NONE if found.broken == found.anew else f"word {found.wrong.index(True) + 1}")
    zeros = replace(TEXT, values=(0.0,) * len(TEXT.values))
    assert story.three_runs_of(zeros) is None  # whose words draw level


def test_where_no_key_alone_goes_false_the_story_compares_two_runs():
    assert story.three_runs_of(TO_REMEMBER) is None
    at = visited("cache", **scenario_query.to_query(TO_REMEMBER), route="story", slide="3")
    assert not at.exception and says(alts(at)[0], "Two runs") and "first to go wrong" not in text(at)


def test_where_no_word_of_the_third_run_is_wrong_but_words_of_two_runs_are_the_story_shows_these():
    """“The words happen to stay” was all of it where the same key, in another head, makes six words of seven others."""
    numbers = {"values": "800,0,-300,999", "word_values": "2,3,0", "w": "0.1,0.2,0.05;3,1,2;0.2,0.1,0.3;0.01,0.015,0.02"}
    named = {"tokens": "E,equals,m,c", "rules": "at:3,none,previous,self", "words": "squared,cubed,plus", "empty": "softmax1"}
    energy = named | numbers
    assert not any(story.three_runs_of(scenario_query.from_query(energy)[0]).wrong)
    at = visited("cache", **energy, route="story", slide="3")
    assert not at.exception and says(alts(at)[0], "Two runs") and "first to go wrong" not in text(at)
    assert right(commit(at, "wrong_key", two_runs.OTHERS), two_runs.OTHERS)


def test_a_scenario_whose_own_key_goes_out_of_date_asks_nothing_of_a_wrong_one():
    assert "wrong_key" not in str([b.key for b in page(scenario_query.to_query(CODE), slide=3).button])


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(0, 3))
def test_what_comes_out_with_a_wrong_key_is_what_the_two_runs_say(scenario, n_words):
    """In every scenario: the answer is counted word by word."""
    run = answer(scenario.model(), scenario.prompt_ids, n_words + 1, chosen_ids=(0,) * (n_words + 1))
    position = SimpleNamespace(at=n_words, answer_ids=run.token_ids[:n_words], next_id=0, model=scenario.model())
    question, found = two_runs.wrong_key_question(scenario, position), two_runs.two_runs(scenario, position, two_runs.STALE)
    cached, anew = (strip.words for strip in found.strips)
    broken = any(rule.breaks_cache for rule in scenario.rules)
    assert question is None if broken else question.answer == (two_runs.SAME if cached == anew else two_runs.OTHERS)


def test_one_row_off_gives_other_logits():
    at = page(slide=5)
    assert any(says(m.help or "", "0.98", "missing", "1.587", "too many") for m in at.markdown)
    assert "off by up to 1.587" in str(figures(at)[0][0])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"step": "999999999"}, ("Step 59", "decode")), ({"answer": "0.0.99", "step": "5"}, ("Step 5", "decode")),
        ({"choose": "sample", "temperature": "1e300"}, ("prefill", "4 rows")),
        ({"layer": "9", "against": "x"}, ("both runs", "7 passes")),
        ({"tokens": "a", "values": "0", "rules": "even"}, ("prompt", "1 token.")),
        ({"tokens": "a", "values": "5", "rules": "even", "empty": "nan"}, ("prompt", "1 token.")),
        ({"mask": "off", "empty": "fill", "step": "2"}, ("Step 2", "decode")),
        ({"rules": "none,none,none,none", "values": "0,0,0,0", "against": "stale"}, ("false", "keeps")),
        ({**BIG, "step": "47"}, ("62 are read",)), ({"sharpness": "0.5", "values": "-1000,1000,0,5"}, ("prefill", "4 rows")),
        ({"empty": "nan", "step": "2"}, ("Step 2", "decode")), ({**BIG, "against": "stale", "step": "47"}, ("false", "keeps")),
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(query, said):
    assert says(text(page(query)), *said)


@given(scenarios(n_tokens=st.integers(1, 16)), st.data())
def test_without_the_mask_a_new_token_changes_what_layer_2_keeps_and_nothing_of_layer_1(scenario, data):
    """What the lesson asks about the mask has the same answer in every scenario, and the cause that it names is the cause."""
    token = data.draw(st.integers(0, len(scenario.words) - 1))
    off, on = (position_gaps(*broken_caches.depth_passes(scenario, token, causal))[1] for causal in (False, True))
    assert broken_caches.depth_question(scenario, token, off).answer == "layer 2’s"
    assert (off[1, :-1] > 1e-9).all() and on.max() < 1e-9


@given(scenarios(n_tokens=st.integers(1, 16)), st.integers(0, 3), st.data())
def test_what_to_keep_draws_every_query_key_value_and_weight_and_then_only_what_is_kept(scenario, n_words, data):
    run = answer(scenario.model(), scenario.prompt_ids, n_words + 1, chosen_ids=(0,) * (n_words + 1))
    passes, head = run.passes[: n_words + 1], data.draw(st.integers(0, len(scenario.rules) - 1))
    words, rows = (*scenario.tokens, *[scenario.words[0]] * (n_words + 1)), rows_so_far(passes)
    queries = np.concatenate([p.layers[0].q[head] for p in passes])
    made = Made(words, len(scenario.tokens), passes[-1].layers[0], head, "h", queries, rows)
    for answered in (False, True):
        figure = what_to_keep(Sheet(), made, answered, NOT_ASKED)
        maps = [np.array(t.z, float) for t in valid(figure.to_plotly_json()).data if t.type == "heatmap"]
        kept, others = maps[:2], maps[2:]
        assert [len(z) for z in kept] == [len(words) - 1] * 2
        assert ("kept" in str(figure.data[-1].text)) == answered and bool(others) != answered
        if others:
            np.testing.assert_array_equal(np.concatenate(others[1:]), rows.weights[head])


def test_the_step_about_the_mask_is_short():
    """It had 150 words, and what its question rests on was first said in the answer to it."""
    at = page(steps="", slide="4")
    assert says(text(at), "layer 1", "keys and values", "layer 2", "contexts")
    commit(at, "depth", "layer 2’s")
    said = [m.value for m in at.main.markdown if not m.value.startswith("<")]
    assert len(re.findall(r"[\w’·⁻]+", re.sub(r":\w+\[?:material/\w+:|:material/\w+:", "", " ".join(said)))) <= 90


@pytest.mark.parametrize("n_words", [1, 5, 9, 20, 44])
def test_rows_of_the_cache_have_names_as_long_as_there_is_room_for_them(n_words):
    """At nine rows all names but the newest one vanished, with space below; lower rows share one, and none is written over another."""
    n = len(TEXT.tokens) + n_words
    figure = cache_grid(Sheet(), CacheStep(tuple(f"w{i}" for i in range(n)), len(TEXT.tokens), 1))
    words = valid(figure.to_plotly_json()).data[-1]
    named = sorted(abs(y) for y, text in zip(words.y, words.text, strict=True) if re.fullmatch(r"(<b>)?\d+ w\d+(</b>)?", text))
    assert len(named) == n if n <= 12 else len(named) >= 7
    assert np.diff(named).min() >= 13.9


def test_the_gap_grid_writes_every_real_gap_and_calls_the_others_the_same():
    gaps = np.array(
        [[last_row_gaps(c, w)[part] for c, w in cached_and_recomputed(CODE.model(), CODE.prompt_ids, [0])] for part in PARTS]
    )
    words = valid(gap_grid(Sheet(), Gaps(PARTS, ["prefill", "nice"], gaps)).to_plotly_json()).data[-1].text
    assert {"<b>2</b>", "<b>16</b>", "<b>1</b>", "<b>0.5</b>"} <= set(words) and words.count("same") == (gaps <= 1e-9).sum()
    asked = valid(gap_grid(Sheet(), Gaps(PARTS, ["prefill", "nice"], gaps, (1,), waits=True)).to_plotly_json()).data[-1].text
    assert list(asked).count("<b>the same or not?</b>") == 1 and asked.count("same") == (gaps <= 1e-9).sum() - (
        gaps[1, 0] <= 1e-9
    )


def test_what_changes_is_brown_and_lines_as_wide_as_their_changes_lead_to_it_from_the_newest_token():
    """Brown bars stood on strips of keys and values, and nothing said how a new word gets into an old row."""
    gaps = np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [np.inf, 0.5, 0.0]])
    figure = gap_grid(Sheet(), Gaps(["a", "b", "c"], ["x", "y", "n"], gaps, (0, 2)))
    shapes = [s for s in figure.layout.shapes if s["type"] == "path"]
    lines = [s for s in shapes if s["line"]["color"] == LIGHT.wasted]
    wide = [line["line"]["width"] for line in lines]
    np.testing.assert_allclose(np.array(wide[:2]) / wide[0], [1, 0.5])
    newest = figure.data[-1].x[list(figure.data[-1].text).index("<b>n</b>")]
    begins = [float(re.match(r"M([\d.]+)", line["path"])[1]) for line in lines]
    assert np.allclose(begins[:2], newest, atol=0.02) and max(begins[2:]) < newest - 0.2  # into keys and values straight down
    assert {"brown: off by, at most", "<b>NaN</b>", "<b>0.5</b>"} <= set(figure.data[-1].text)


@given(scenarios(n_tokens=st.integers(1, 16)), st.booleans(), st.booleans())
def test_the_gap_grid_takes_any_scenario(scenario, phone, waits):
    found = position_gaps(*depth_passes(scenario, 0, causal=False))
    words = [*scenario.tokens, "x"]
    valid(gap_grid(Sheet(phone=phone), Gaps(found[0][:3], words, found[1][:3], KV_ROWS, waits)).to_plotly_json())


@given(scenarios(n_tokens=st.integers(1, 16)), st.booleans(), st.booleans())
def test_the_stale_key_figure_takes_any_scenario(scenario, phone, answered):
    found, words = stale_key(scenario, 0), [*scenario.tokens, "x"]
    says = valid(stale_key_figure(Sheet(phone=phone), found, words, answered).to_plotly_json()).data[-1].text
    assert {"<b>with the cache</b>", "<b>computed anew</b>"} <= set(says)


def test_on_a_phone_a_kept_rows_name_stands_beneath_it_clear_of_lines_and_guess():
    """Words were cut to make room for names, and the tick lay on a number."""
    gaps, rows = np.zeros((3, 5)), ["layer 1 keys, values", "layer 1 contexts", "layer 2 keys, values"]
    gaps[1:, :4] = [0.7, 0.3, 2.1, 1.7], [0.3, 0.2, 1.4, 0.8]
    asked = Asked(("layer 1’s", "layer 2’s"), False, True, "layer 1’s", "layer 2’s")
    figure = gap_grid(Sheet(phone=True), Gaps(rows, ["Today", "weather", "is", "so", "nice"], gaps, KV_ROWS), asked)
    words = figure.data[-1]
    at = {text: (x, -abs(y)) for text, x, y in zip(words.text, words.x, words.y, strict=True)}
    assert {"weather", "<b>layer 2 keys, values</b>", "your guess", "<b>✓</b>"} <= set(at)
    assert at["<b>layer 2 keys, values</b>"][1] < at["<b>1.4</b>"][1] and at["<b>✓</b>"][0] > 0.6


@pytest.mark.parametrize("phone", [False, True])
def test_values_stand_to_scale_and_what_a_stale_key_adds_is_filled_once_it_is_known(phone):
    """Two rows of equal slabs with +8 and −8 in them: nothing showed how 5 and 7 come to 6."""
    found, words = stale_key(TEXT, 0), [*TEXT.tokens, "x"]
    waits, told = (stale_key_figure(Sheet(phone=phone), found, words, known).to_plotly_json() for known in (False, True))
    for drawn, full in ((waits, [7, 7]), (told, [5, 7, 7])):
        bars = [s["path"] for s in drawn["layout"]["shapes"] if s.get("fillcolor") == LIGHT.value]
        tall = [np.ptp([float(y) for y in re.findall(r",([\d.]+)", bar)]) for bar in bars]
        np.testing.assert_allclose(np.array(tall) / max(tall), np.array(full) / 7, atol=0.01)
    said = told["data"][-1]["text"], waits["data"][-1]["text"]
    assert "= (5 + 7) / 2" in said[0] and not any("/ 2" in one for one in said[1])  # it would say which key it is
    assert [list(one).count("<b>+8</b>") for one in said] == [3, 2] and [list(one).count("<b>?</b>") for one in said] == [0, 1]
    levels = [s for s in told["layout"]["shapes"] if s["line"].get("width") == 3]
    ends = [set(re.findall(r",([\d.]+)", s["path"])) for s in levels]  # level lines are level
    assert len(levels) == 2 and all(len(end) == 1 for end in ends)


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("n_words", [1, 2, 4])
def test_a_next_word_takes_a_row_with_the_cache_and_all_without(n_words, phone):
    """A staircase of all steps stood beside a small cache; the rows of one step beside the cache's own are what the cache spares."""
    n = len(TEXT.tokens) + n_words - 1
    step = CacheStep(("w",) * n, len(TEXT.tokens), 1 if n_words > 1 else n)
    told, open_ = (valid(cache_grid(Sheet(phone=phone), step, shown).to_plotly_json()) for shown in (True, False))
    assert {"<b>+1</b>", f"<b>+{n + 1}</b>", f"<b>{n}</b>"} <= set(told.data[-1].text)
    assert "<b>+1</b>" not in open_.data[-1].text and f"<b>+{n + 1}</b>" in open_.data[-1].text
    shapes = told.layout.shapes
    colors = LIGHT.wasted, LIGHT.decode, LIGHT.key, LIGHT.value
    boxes = [sum(s.path.count("Z") for s in shapes if s.fillcolor == color) for color in colors]
    assert boxes == [n, 2, n, n]
    assert ("<b>?</b>" in open_.data[-1].text) and "<b>?</b>" not in told.data[-1].text


def test_on_a_phone_the_cache_stands_before_what_moves_it():
    at = page(slide="2", steps="")
    at.session_state["screen"] = {"narrow": True}
    kinds = ["figure" if getattr(getattr(e, "proto", None), "component_name", "") == "figure" else e.type for e in ran(at).main]
    assert kinds.index("figure") < kinds.index("toggle")


@pytest.mark.parametrize("phone", [False, True])
def test_behind_a_row_too_few_or_too_many_a_bar_says_how_far_off_the_logits_are(phone):
    """Logits that are no numbers have none."""
    sheet, words = Sheet(phone=phone), ["x", "y", "z"]
    caches = [Slip("a", words[1:], 0.5, "p"), Slip("b", words, 0.0, "q"), Slip("c", ["x", *words], 2.0, "p")]
    said = valid(shifted_rows(sheet, caches, 1, "logits off by").to_plotly_json()).data[-1].text
    assert {"<b>0.5</b>", "<b>0</b>", "<b>2</b>", "<b>2 ≠ 3</b>", "<b>4 ≠ 3</b>"} <= set(said)
    assert ("c → “p”" if phone else "<b>p</b>") in said
    bars = [
        np.array(re.findall(r"(0\.\d+),", shape["path"]), float)
        for shape in sheet.shapes
        if shape.get("fillcolor") == LIGHT.wasted
    ]
    long = [float(np.ptp(x)) for x in bars if np.ptp(x) > 0.03]
    assert len(long) == 2 and long[1] == pytest.approx(4 * long[0], rel=1e-3)
    lost = [Slip("b", words, np.inf, "NaN"), Slip("c", ["x", *words], np.inf, "NaN")]
    assert "<b>NaN</b>" in valid(shifted_rows(Sheet(phone=phone), lost, 0, "logits off by").to_plotly_json()).data[-1].text


def test_what_is_kept_is_read_off_the_cache_itself():
    assert steps.KEPT[tuple(name for name in ("q", "k", "v") if hasattr(steps.KVCache, name))] == "k and v"


def test_who_comes_from_decode_at_a_later_step_is_not_told_what_is_kept():
    """The step in the link, which lesson 6 sets too, showed "kept" and "used once" above the question what is kept."""
    keep, build, *_ = figures(page(step="1"))
    assert "kept" not in str(keep[0]) and "cache holds" not in keep[1] and "cache holds" in build[1]


@pytest.mark.parametrize(
    "name",
    [
        "Article, text",
        "Tick tock",
        "one of each",
        "empty row nan",
        "no head sees anything",
        "mask off",
        "sixteen tokens, eight heads",
    ],
)
def test_the_movement_plays_the_engines_own_rows_and_keys(name):
    """Also where the answer ends early, a row is empty, or the mask is off."""
    s = SCENARIOS[name]
    at = page(scenario_query.to_query(s), steps="", slide="6")
    (sent,) = [e.proto for e in at.get("bidi_component") if "machine" in e.proto.component_name]
    shown = json.loads(json.loads(sent.json)["drawing"])
    made = answer(s.model(), s.prompt_ids, len(shown["words"]) - len(s.tokens) + 1)
    head = int(shown["head"].split()[1]) - 1
    assert (
        len(s.tokens) + len(made.passes) - 1
        == len(shown["words"])
        == len(shown["rows"])
        == len(shown["keys"])
        == len(shown["values"])
    )
    for i, row in enumerate(shown["rows"][len(s.tokens) :]):
        assert row == pytest.approx(np.nan_to_num(made.passes[i + 1].layers[0].weights[head, 0]), abs=6e-4)
    hides = any((~run.layers[0].mask[head]).any() for run in made.passes)
    assert (shown["mask"] == "nothing later") == hides and "by chance" not in shown["next"]  # the toy may take the likeliest
    assert shown["seen"] == [int(row.sum()) for run in made.passes for row in run.layers[0].mask[head]]
    assert [np.argmax(key) for key in shown["keys"]] == list(range(len(shown["keys"])))  # a key is its position's code
    n, said = len(shown["words"]), text(at)
    assert says(said, "prefill", f"{len(s.tokens)}", "key")
    assert says(said, "prefill", f"{len(s.tokens)}", "decode", f"{n}") == (n > len(s.tokens))


def test_keys_and_values_move_into_the_cache_after_the_lesson_has_asked_what_is_kept():
    """The movement stood in lesson 6 and gave the answer to lesson 7's first question away; what stood before it keeps its number."""
    names = names_of("cache")
    assert "In motion" not in names_of("decode")
    assert names.index("What to keep") < names.index("In motion") == len(names) - 2


def test_nothing_typed_is_asked_for_again():
    at = visited("cache", slide="2")
    next(b for b in at.button if b.proto.form_id.startswith("form_")).click()
    assert any(says(warning.value, "Expected a number") for warning in ran(at).warning)


def test_keys_that_wait_are_drawn_with_one_question_a_row_and_tell_nothing_of_what_changes():
    """Empty frames stood over them, larger than all that was known."""
    gaps = np.array([[0.0, 0.0, 0.0], [2.1, 1.0, 0.0], [1.4, 0.2, 0.0]])
    same = np.where([[True], [True], [False]], gaps, 0.0)
    drawn = [
        gap_grid(Sheet(), Gaps(["a", "b", "c"], ["x", "y", "n"], found, (0, 2), waits=True)).to_plotly_json()
        for found in (gaps, same)
    ]
    words = drawn[0]["data"][-1]
    assert list(words["text"]).count("<b>the same or not?</b>") == 2 and not {"<b>1.4</b>", "<b>0.2</b>"} & set(words["text"])
    assert not [s for s in drawn[0]["layout"]["shapes"] if s["type"] == "rect"]
    assert drawn[0]["layout"]["shapes"] == drawn[1]["layout"]["shapes"]


def test_answers_that_are_shown_are_nobodys_guess():
    """“✓ your guess” at the row that was asked for, of a visit that had guessed nothing."""
    drawn = " ".join(str(figure) for figure, _ in figures(visited("cache", {}, slide="2", answers="shown")))
    assert "<b>✓</b>" in drawn and "your guess" not in drawn
