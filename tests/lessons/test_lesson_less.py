"""Keep less: the article's two windows, the words and errors are the engine's, and what people typed breaks nothing."""

import re
import shutil
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import FIXTURES, commit, computed, figures, options_of, right, says, text, visited
from scenarios import BIG, TEXT
from valid_figures import valid

from engine import bundled
from engine.caches import WindowCache, cache_error
from engine.experiments.kept_less import measured
from pages.lessons.less.figures.bit_errors import bit_errors
from pages.lessons.less.figures.kept_pair import Kept, kept_pair
from pages.lessons.less.figures.kept_rows import KeptRow, kept_rows
from pages.lessons.less.figures.sinks import KeptText, sinks
from pages.lessons.less.probe import KIVI, STREAMING_LLM
from pages.lessons.less.rounded_key import one_token
from pages.lessons.less.trained import _takeaway
from pages.lessons.less.variants import BITS, HEAVY, SINKS, WINDOW, variants
from pages.lessons.less.view import USUAL
from pages.parts.drawing.palette import palette
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.digits import gap_text
from pages.parts.trained import model as checkpoint

page = partial(visited, "less")


def written(at, nth):
    """What is written on the page's nth figure."""
    return figures(at)[nth][0]["data"][-1]["text"]


def test_the_toys_windows_are_the_articles():
    """Window 2: 5, 7, none, 6 and still "nice"; with one sink 5, 7, 10, 7.333 and "warm". By hand in test_window."""
    found = variants(TEXT.model(), (*TEXT.prompt_ids, 0), 2, 1, "tensor")
    words = {key: TEXT.words[one.token_id] for key, one in found.items()}
    assert words == {"": "nice", WINDOW: "nice", SINKS: "warm", HEAVY: "warm", BITS: "nice"}
    at = page(slide=1)
    assert "<b>5</b>" in written(at, 0) and "<b>12.5</b>" in written(at, 0) and "another word" not in written(at, 0)
    assert right(commit(at, "sink_word", "warm"), "warm")
    assert written(at, 0).count("<b>warm</b>") == written(at, 0).count("another word") == 1
    before, after = (found[key].error.contexts for key in (WINDOW, SINKS))
    assert after < before and says(text(at), gap_text(before), gap_text(after), "another")


@pytest.mark.parametrize(
    ("words", "rules", "values", "w"),
    [("here,today", "previous:2", "3,1,1", "0.1,0.3"), ("here,now", "all,odd", "2,3,1,1", "0.2,0.1;0.2,0.3")],
)
def test_words_of_which_one_is_the_whole_caches_are_no_other_word(words, rules, values, w):
    """“today”, beneath it “here = today” and “another word”."""
    tokens = ",".join(("Ann", "has", "two", "red")[: values.count(",") + 1])
    link = {"tokens": tokens, "values": values, "rules": rules, "words": words, "word_values": "3,2", "w": w, "answers": "shown"}
    shown = [written(page(slide=1, kept_what=kept, **link), 0) for kept in ("window", "sinks", "heavy")]
    assert any(" = " in said for one in shown for said in one) and not any("another word" in one for one in shown)


def test_what_is_gone_is_a_hole_and_what_is_kept_has_its_weight():
    for kept, there in (("window", [np.nan] * 3 + [0, 0]), ("sinks", [1, np.nan, np.nan, 0, 0])):
        (figure, alt), *_ = figures(page(newest="2", first="1", head="3", kept_what=kept, slide=1))
        whole, values, less, fewer = [np.array(t["z"], float)[0] for t in figure["data"] if t["type"] == "heatmap"]
        np.testing.assert_array_equal(np.isnan(fewer), np.isnan(less))  # a value is gone where its weight is
        keys = [shape["path"].count("Z") for shape in figure["layout"]["shapes"] if shape.get("fillcolor") == palette(False).key]
        # And so is its key.
        assert (np.isnan(whole) | np.isnan(values)).sum() == 0 and {5, int((~np.isnan(less)).sum())} <= set(keys)
        assert (
            np.isnan(whole).sum() == 0 and "nice" in alt and ("<s>Today</s>" in figure["data"][-1]["text"]) == (kept == "window")
        )
        np.testing.assert_allclose(
            less if kept == "sinks" else np.isnan(less), there if kept == "sinks" else np.isnan(there), atol=1e-6
        )


@pytest.mark.parametrize("kept", ["window", "sinks", "heavy", "bits", "nothing"])
def test_each_cache_can_be_chosen_beside_the_whole_one(kept):
    """What a link does not name stands at its usual place."""
    found = variants(TEXT.model(), (*TEXT.prompt_ids, 0), 2, 1, "tensor")
    key = {"window": WINDOW, "sinks": SINKS, "heavy": HEAVY, "bits": BITS}.get(kept, SINKS)
    said = written(page(kept_what=kept, slide=1), 0)
    assert f"<b>{found[key].name}</b>" in said and f"{found[key].last.nbytes:,} bytes" in said


def test_each_cache_of_a_trained_model_says_what_the_engine_says():
    ids = bundled().tokenizer.encode(USUAL)
    found = variants(bundled(), ids, 4, 1)
    assert found[SINKS].error == cache_error(bundled(), ids[:-1], ids[-1:], WindowCache.for_model(bundled(), 64, 4, 1))
    changed = sum(one.error.word_changed for key, one in found.items() if key)
    at = page()
    assert "waits" in figures(at)[1][1]
    assert not {"<b>black</b>", "12.9%"} & set(written(at, 1))  # what is asked
    assert right(commit(at, "words_changed", float(changed)), str(changed))
    assert f"{found[SINKS].last.nbytes:,} bytes" in figures(at)[1][1] and "waits" not in figures(at)[1][1]
    assert {"<b>red</b>", "<b>black</b>", "99.9%", "12.9%"} <= set(written(at, 1))


def test_the_text_is_measured_and_set_beside_what_was_published():
    ids = bundled().tokenizer.encode("Today's weather is so")
    *_, found = measured(bundled(), ids, 120)
    at = page(prompt="Today's weather is so")
    assert {"<b>5,158</b>", "<b>?</b>"} <= set(written(at, 2))  # what is known of a large model is no answer for this one
    said = commit(at, "first_tokens", "the newest only")
    assert right(said, "the newest only") and f"{found.perplexity[4]:.2f}" in said
    assert "5,158 in place of 5.4" in str(written(at, 2)) and f"<b>{found.perplexity[0]:.2f}</b>" in written(at, 2)
    said = commit(at, "bits", "one low and high for each token")
    assert not right(said) and computed(said) == "one low and high for each channel"
    assert says(text(at), "63.53", "2.80") and says(said, f"{found.errors['keys', 'token', 2]:.3f} by token")


def test_two_numbers_that_are_set_side_by_side_are_told_apart():
    """“Brings the chances nearer: KL 0.001 without, 0.001 with”; “keys by channel 0.004; by token 0.004” beside 0.0045 and 0.0038."""
    rng = np.random.default_rng(5)
    for digits in range(9):
        a, b = 10.0 ** -rng.integers(0, 5) * (1 + 10.0**-digits * rng.random(2))
        shown = {
            WINDOW: SimpleNamespace(error=SimpleNamespace(kl=a)),
            SINKS: SimpleNamespace(error=SimpleNamespace(kl=b), one_sink=True),
        }
        said = re.search(r"the chances (nearer|no nearer): KL (\S+) without, \*\*(\S+)\*\* with", _takeaway(shown, False))
        assert (said[1] == "nearer") == (b < a and said[2] != said[3]) and (said[2] == said[3]) <= (abs(a - b) < 2e-9)
    at = page(checkpoint="untrained", kept_bits="8", answers="shown", slide=4)
    (alt,) = (alt for _, alt in figures(at) if "Errors at 8 bits" in alt)
    keys, values = re.search(r"Errors at 8 bits: (keys .*); (values .*)\.$", alt).groups()
    pairs = [re.fullmatch(r"\w+ (\S+) by channel and (\S+) by token", one).groups() for one in (keys, values)]
    assert all(a != b for a, b in pairs) and says(text(at), keys)


def test_published_figures_are_those_of_the_papers():
    """StreamingLLM, arXiv 2309.17453, Table 1 (Llama-2-13B, PG19); KIVI, arXiv 2402.02750, Table 1."""
    assert STREAMING_LLM == {(0, 1024): 5158.0, (4, 1020): 5.40} and list(KIVI.values()) == [66.37, 63.53, 2.80]


@pytest.mark.parametrize(
    "query",
    [
        {**BIG, "newest": "17", "first": "4", "head": "8", "kept_newest": "64", "kept_first": "9", "trained_head": "9.9"},
        {"tokens": "a", "values": "5", "rules": "even", "empty": "nan", "prompt": "so " * 250, "kept_newest": "2", "kept_bits": "3"},
        {"empty": "nan", "rules": "none,none,none,none", "mask": "off", "newest": "999999999", "prompt": "<b>x</b> $y$"},
        {"rules": "last,last,last,last", "values": "-1000,1000,0,5", "checkpoint": "untrained", "seed": "99"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(query):
    at = page(query)
    assert len(figures(at)) == 4
    commit(at, "sink_word", options_of(at, "sink_word")[0].label)


def test_the_model_of_a_folder_is_measured_too(tmp_path, monkeypatch):
    shutil.copytree(FIXTURES / "llama_gqa_tied", tmp_path / "small")
    monkeypatch.setenv(checkpoint.VARIABLE, str(tmp_path))
    at = page(source="small", prompt="3 4 5 6 7 3 4")
    assert len(figures(at)) == 4 and says(text(at), "tokens", "small", "wrote")
    assert says(page(source="small", prompt="3").info[0].value, "cache", "needs")


@pytest.mark.parametrize("most", [2.0, 5158.0])
def test_a_perplexity_that_waits_is_a_question_mark_and_a_large_one_has_no_decimals(most):
    rows = [KeptText("everything", 0, 9, 9, most), KeptText("a", 0, 4, 9, None)]
    words = sinks(Sheet(), rows, [KeptText("b", 4, 5, 99, 5.4)], "published").to_plotly_json()["data"][-1]["text"]
    assert {f"<b>{most:,.0f}</b>", "<b>?</b>"} <= set(words)


@pytest.mark.parametrize("phone", [False, True])
def test_perplexities_of_both_models_are_on_one_scale_that_is_named(phone):
    """5,158 and 4.04 were bars of the same length, and 5.4 none at all; four first tokens were wider than 1,024 newest."""
    rows = [KeptText("everything", 0, 120, 120, 3.26), KeptText("a", 0, 16, 120, 4.04)]
    published = [KeptText("b", 0, 1024, 65_000, 5158.0), KeptText("c", 4, 1020, 65_000, 5.4)]
    figure = sinks(Sheet(dark=True, phone=phone), rows, published, "published").to_plotly_json()
    assert any("log scale" in word for word in figure["data"][-1]["text"])
    boxes = [
        (s["fillcolor"], [float(x) for x in re.findall(r"-?[\d.]+", s["path"])])
        for s in figure["layout"]["shapes"]
        if "fillcolor" in s
    ]
    colors = palette(True)
    pale = [box[2] - box[0] for color, box in boxes if color == colors.bar]
    more = [box[2] - box[0] for color, box in boxes if color == colors.wasted]
    decade = pale[2] / np.log10(3.26)  # what was published stands first
    assert [pale[3] + more[1], pale[0] + more[0], pale[1]] == pytest.approx(decade * np.log10([4.04, 5158, 5.4]), abs=1e-4)
    if phone:  # bars of 20 pixels could not be told apart
        assert decade * 340 > 80
    newest, first = (box[k] - box[k - 2] for box in [box for color, box in boxes if color == colors.key][1:2] for k in (2, 10))
    assert first <= newest


@pytest.mark.parametrize("bits", [2, 8])
@pytest.mark.parametrize("phone", [False, True])
def test_a_key_goes_to_the_levels_that_it_shares(bits, phone):
    (*_, found) = measured(bundled(), bundled().tokenizer.encode("The dog sleeps"), 40, 0)
    key, panels = one_token(found, bits)
    group = found.group[:, key.channels]
    token, of = int((group == key.numbers).all(axis=1).argmax()), (len(group), len(key.channels))
    assert {edge(found.group[token]) for edge in (np.min, np.max)} <= set(key.numbers)  # the ends of the shared levels are seen
    assert len(set(key.channels)) == 8 and key.of == found.group.shape[1]
    for panel, axis, held in zip(panels, (0, 1), (group, found.group), strict=True):
        ends = [np.broadcast_to(edge(held, axis=axis, keepdims=True), of)[token] for edge in (np.min, np.max)]
        np.testing.assert_array_equal([panel.low, panel.high], ends)
        nearest = np.abs(np.linspace(*ends, 2**bits) - key.numbers).min(axis=0)
        np.testing.assert_allclose(np.abs(panel.rounded - key.numbers), nearest, atol=1e-5)
    assert [panel.error for panel in panels] == [found.errors["keys", grouping, bits] for grouping in ("channel", "token")]
    brown = palette(False).wasted
    drawn, waiting = (
        valid(bit_errors(Sheet(phone=phone), key, panels, 2**bits, "", known).to_plotly_json()) for known in (True, False)
    )
    assert [sum(s.fillcolor == brown for s in figure.layout.shapes) for figure in (drawn, waiting)] == [
        3,
        1,
    ]  # the errors, without end
    assert drawn.layout.height == waiting.layout.height
    errors = {f"<b>{panel.error:.2g}</b>" for panel in panels}
    assert errors <= set(drawn.data[-1].text) and not errors & set(waiting.data[-1].text) and "<b>?</b>" in waiting.data[-1].text


def test_the_token_drawn_is_one_whose_errors_compare_as_those_of_all():
    (*_, found) = measured(bundled(), bundled().tokenizer.encode("The dog sleeps"), 40, 0)
    key, (channel, token) = one_token(found, 2)
    here = np.linalg.norm(token.rounded - key.numbers) / np.linalg.norm(channel.rounded - key.numbers)
    assert here == pytest.approx(token.error / channel.error, rel=0.1)


def test_a_value_has_one_shade_in_both_caches():
    """Without the largest value the others were as dark as it had been."""
    whole, less = (
        Kept("name", np.array(weights), "1", 1.0, "word", changed=False, values=values, context="1")
        for weights, values in (([0.5, 0.5], [10.0, 20.0]), ([1.0, np.nan], [10.0, np.nan]))
    )
    values = kept_pair(Sheet(), [whole, less], ["a", "b"], "h").data[1:4:2]
    assert [np.array(drawn.z, float)[0, 0] for drawn in values] == [0.5, 0.5]


@pytest.mark.parametrize("n", [2, 17, 200])
@pytest.mark.parametrize("phone", [False, True])
def test_a_pair_is_drawn_at_any_length(n, phone):
    weights = np.where(np.arange(n) % 3 == 0, np.nan, 1 / n)
    kept = Kept("name", weights, "1", 1.0, "word", changed=True, values=[7.0] * n, context="1.5")
    row = KeptRow("name", ("all", "2"), weights, (0.5, 0.2), 0)
    alone = valid(kept_rows(Sheet(phone=phone), [row] * 5, [f"w{i}" for i in range(n)], "h", ("this", "that")).to_plotly_json())
    np.testing.assert_array_equal(np.array(alone.data[4].z, float).ravel(), weights)
    figure = valid(kept_pair(Sheet(phone=phone), [kept, kept], [f"w{i}" for i in range(n)], "h").to_plotly_json())
    assert ("<b>another: word</b>" if phone else "another word") in figure.data[-1].text
    drawn = np.array(figure.data[0].z, float)[0]
    np.testing.assert_array_equal(drawn, weights)


@pytest.mark.parametrize("phone", [False, True])
def test_one_question_mark_stands_where_the_words_of_the_smaller_caches_will(phone):
    """Each of the four had its own, and on a phone no token but two was named."""
    weights, names = np.where(np.arange(16) % 3, 1 / 16, np.nan), [f"w{i}" for i in range(16)]
    rows = [KeptRow("name", ("all", ""), weights, (0.5, 0.2) if known else None, 0) for known in (True, *[False] * 4)]
    waiting = kept_rows(Sheet(phone=phone), rows, names, "h", ("this", "that")).to_plotly_json()
    said = [word for word in waiting["data"][-1]["text"] if "?" in word and "kept" not in word]
    assert said == ["<b>?</b>"] and {*names[:-1]} - {*waiting["data"][-1]["text"]} == {"w1"}  # in bold: most is looked at it
    known = [KeptRow("name", ("all", ""), weights, (0.5, 0.2), k % 2) for k in range(5)]
    assert kept_rows(Sheet(phone=phone), known, names, "h", ("this", "that")).layout["height"] == waiting["layout"]["height"]


def test_what_somebody_typed_is_not_said_to_have_been_written_by_the_model():
    """“120 tokens that the bundled model wrote: “<unk> has a red ball …””, which the visitor wrote."""
    prompt = "Anna has a red kite. Ben has a"
    ids = bundled().tokenizer.encode(prompt)
    (*_, found) = measured(bundled(), ids, 40, 0)
    assert list(found.token_ids[: len(ids)]) == list(ids)
    said = text(page(prompt=prompt))
    assert "the prompt and what the bundled model wrote after it: “Anna has a red kite" in said and "tokens that" not in said
