"""A link carries a scenario without loss, whatever the words are; and a wrong link loses its wrong parts and nothing else."""

import re
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import rules

from engine import Scenario
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.presets import PRESETS
from engine.toy.scenario import MAX_HEADS, MAX_LETTERS, MAX_PROMPT, MAX_SHARPNESS, MAX_VALUE, MAX_WORDS
from pages.parts.visit.scenario_query import MAX_CHARS, from_query, to_query

NAMES = ("tokens", "values", "rules", "words", "word_values", "w", "sharpness", "mask", "empty")
# Anything that a person can type; the separators of a link more often than chance would bring them.
LETTERS = st.one_of(st.sampled_from(",\\;:&=%+#?/<>\"' _*`$[]"), st.characters(exclude_categories=["Cs", "Cc"]))
WORDS = st.text(LETTERS, min_size=1, max_size=MAX_LETTERS).filter(lambda w: w.strip() and w.strip().isprintable())
NUMBERS = st.floats(-MAX_VALUE, MAX_VALUE)


@st.composite
def scenarios(draw):
    """Any scenario at all."""
    tokens = draw(st.lists(WORDS, min_size=1, max_size=MAX_PROMPT))
    words = draw(st.lists(WORDS, min_size=1, max_size=MAX_WORDS, unique_by=str.strip))
    heads = draw(st.lists(rules(largest=64), min_size=1, max_size=MAX_HEADS))

    def row(n):
        return draw(st.lists(NUMBERS, min_size=n, max_size=n))

    return Scenario(
        tokens, row(len(tokens)), heads, words, row(len(words)), [row(len(words)) for _ in heads],
        draw(st.floats(0, MAX_SHARPNESS, exclude_min=True)), draw(st.booleans()), draw(st.sampled_from(sorted(EMPTY_ROW))),
    )  # fmt: skip


def through_the_address_bar(query):
    """What Streamlit reads of the link that pages/parts/visit/address.js writes."""
    untouched = ",;:!~*'()"
    shown = "&".join(f"{name}={quote(text, safe=untouched).replace('%20', '+')}" for name, text in query.items())
    return dict(parse_qsl(urlsplit(f"http://host/attention?{shown}").query, keep_blank_values=True))


@given(scenarios())
def test_a_link_brings_back_the_scenario_it_was_made_of(s):
    assert from_query(through_the_address_bar(to_query(s))) == (s, [])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_short_links(name):
    scenario = PRESETS[name][0]
    assert from_query(to_query(scenario)) == (scenario, [])
    assert sum(len(f"&{name}={text}") for name, text in to_query(scenario).items()) < 200  # six words make a sentence


def test_the_article_is_the_empty_link_and_an_edit_reads_as_one_would_write_it():
    assert to_query(Scenario.article()) == {}
    assert from_query({}) == (Scenario.article(), [])
    assert to_query(Scenario(values=(10, 20, 100, 0.5))) == {
        "tokens": "Today,weather,is,so", "values": "10,20,100,0.5", "rules": "even,self,first,all",
    }  # fmt: skip


@given(scenarios(), st.dictionaries(st.sampled_from(NAMES), st.text(max_size=60)))
def test_no_link_raises_and_whatever_comes_of_it_is_a_scenario(s, overwritten):
    scenario, problems = from_query(to_query(s) | overwritten)
    assert Scenario(**vars(scenario)) == scenario
    assert len(problems) <= len(NAMES)
    assert from_query(to_query(scenario)) == (scenario, [])


WRONG = {
    "tokens": ["", " ", ",", "a,,b", "x" * 25, ",".join("a" * 17), ",".join(["w"] * 10**5), "a\nb", "\x00",
               "\ud800", "x" * 10**6],
    "values": ["", "1", "1,2,3,4,5", "1,2,3,x", "NaN,1,1,1", "inf,1,1,1", "1e999,1,1,1", "1001,1,1,1", "1_0,1,1,1",
               "1;2;3;4", ",".join(["1"] * 10**5)],
    "rules": ["", "evn", "even,,all", "window:0", "window:1000000000", "at:", "at:0", "at:1.x", "previous:-1", "self:1",
              ",".join(["all"] * 9), "<script>"],
    "words": ["", "a,a", ",".join(map(str, range(13))), "x" * 25],
    "word_values": ["", "1,2", "1,2,3,4", "a,b,c"],
    "w": ["", "1", "1,2,3", "1,2;3", ";;;", ",".join("1" * 3) + ";" + "1", ";".join(["1,1,1"] * 9)],
    "sharpness": ["", "0", "-8", "33", "NaN", "8,8", "0x8"],
    "mask": ["", "On", "true", "0", "\ud800"],
    "empty": ["", "None", "zero"],
}  # fmt: skip
CASES = [(name, text) for name, texts in WRONG.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), CASES, ids=[f"{name}-{i}" for i, (name, _) in enumerate(CASES)])
def test_a_wrong_parameter_is_named_in_one_sentence_and_the_rest_of_the_link_works(name, text):
    rest = {"values": "1,2,3,4", "rules": "all,even,none,first", "words": "x,y,z", "word_values": "3,2,1", "sharpness": "4",
            "w": "1,2,3;4,5,6;7,8,9;0,1,0", "mask": "off", "empty": "soft"}  # fmt: skip
    rest.pop(name, None)
    scenario, problems = from_query({**rest, name: text})
    assert scenario == from_query(rest)[0]
    assert from_query(rest)[1] == []
    assert len(problems) == 1
    assert re.match(f"The link's “{name}” was left out: (rule .{{1,30}}: )?(expected|takes no) ", problems[0])
    assert problems[0].endswith(".") and len(problems[0].encode("utf-8")) < 250


@given(st.sets(st.sampled_from(CASES), min_size=2, max_size=6))
def test_every_wrong_parameter_is_reported_once(chosen):
    query = dict(chosen)
    _, problems = from_query(query)
    assert [sentence.split("“")[1].split("”")[0] for sentence in problems] == [name for name in NAMES if name in query]


def test_a_parameter_of_any_length_is_refused_before_it_is_split():
    longest = ";".join([",".join(["-999.123456789"] * MAX_WORDS)] * MAX_HEADS)
    assert len(longest) < MAX_CHARS  # no legitimate one is
    for name in NAMES:
        assert f"expected at most {MAX_CHARS} characters, got 100000" in from_query({name: "1," * 50_000})[1][0]


def test_what_the_link_says_nothing_of_is_filled_in():
    scenario, problems = from_query({"tokens": "a,b,c,d,e,f", "rules": "all"})
    assert problems == []
    assert scenario.values == (1, 2, 3, 4, 5, 6)  # as if the prompt had been typed
    assert scenario.w_vocab == Scenario.article().w_vocab[:1]
