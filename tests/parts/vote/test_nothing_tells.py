"""Nothing that a phone is sent tells the answer before the reveal: of every question of every lesson, two ways.

Once with the same scenario and another answer: what is sent must be the same. And over scenarios whose answers differ: no number and
no text that is sent may be the answer in all of them, whether it stands in a sentence, a slider's range, a figure or its text
alternative. (What a reader works out from several of them is his own.)
"""

import json
import re
from functools import cache
from unittest.mock import patch

import pytest
from app_pages import LESSONS, SCENARIOS, TOY_LESSONS, alone, of_visit, scenario_query
from google.protobuf.json_format import MessageToDict
from short_form import unfolded

from pages.parts.question.question import Predictions, Question
from pages.parts.visit.answer_lock import Opened
from pages.parts.vote import in_a_room, phone
from pages.parts.vote.rooms import OPEN

MEASURED = "race_times"
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*")
TOY = [
    scenario_query.to_query(SCENARIOS[name])
    for name in ("two tokens", "negative", "mask off", "as large as may be", "empty row nan")
]
TOY += [{}, scenario_query.to_query(SCENARIOS["sixteen tokens, eight heads"]), {"empty": "nan", "rules": "all,all,all,all"}]
PROMPTS = [{"prompt": text} for text in ("The capital of France is", "one two three one two three one two", "Once upon a time")]
# Links whose answers differ, of lessons that are about more than the scenario.
LINKS = {
    "counting": [*TOY, {"p": "16", "g": "4"}, {"g": "2"}],
    "memory": [{}, {"context": "131072", "kv_bits": "8"}, {"context": "1000"}],
    "roofline": [{}, {"batch": "4"}, {"batch": "32", "g": "500"}, {"batch": "256"}, {"batch": "7", "kv_bits": "8"}],
    "paging": [{}, *PROMPTS, {"block": "8"}, {"block": "16"}, {"page": "128"}, {"pool_block": "2"}, {"pool_block": "8"}],
    "second_turn": [{}, {"block": "1"}, {"price_read": "0.5", "price_write": "3"}, {"price_read": "1", "price_write": "2"}],
    "tiles": [*TOY, *({"tile_side": side} for side in ("10", "17", "26"))],
    "less": [*TOY, *PROMPTS, {"kept_newest": "8"}],
    "inside": [{}, *PROMPTS],
    "claims": [{"statement": str(k)} for k in range(20)],
    "quiz": [{"quiz_seed": str(k)} for k in range(8)],
}
# Words of places where a number is the answer by chance, or is what a reader counts in plain sight.
COINCIDENCES = {
    ("cache", "rows_0"): "of its # numbers",  # of a key, which the toy gives as many as the prompt has tokens and two more
    ("cache", "stale"): "prefill|The prompt has",  # the tokens of the prompt
}


def on_a_phone(lesson, query):
    """What a phone is sent of a lesson whose every question is being asked, element by element; and the questions by key."""
    at = alone(lesson)
    at.query_params.update(query)
    of_visit(at, Predictions).on_page, of_visit(at, Opened).withheld = [], True
    with (
        patch.object(in_a_room, "joined", lambda: "AAAAAA"), patch.object(in_a_room, "stage", lambda _: OPEN),
        patch.object(in_a_room, "visitor", lambda: "1" * 32), patch.object(phone, "answer_in_the_room", lambda _: None),
    ):  # fmt: skip
        at.run()
    assert not at.exception, at.exception[0].value
    return list(elements(at)), {question.key: question for question in of_visit(at, Predictions).on_page}


def links(lesson):
    """A lesson that is not about the scenario is the same behind every link of TOY."""
    return LINKS.get(lesson) or (TOY if lesson in TOY_LESSONS else TOY[:1])


def timeless(page):
    """Without what was measured, which is never the same."""
    return [(name, content) for name, content in page if MEASURED not in name]


@pytest.fixture(scope="module", params=LESSONS)
def lesson(request):
    """Each lesson, with all its tests one after the other: its pages are made once."""
    return request.param


@cache
def runs(lesson):
    """The same behind each of the lesson's links."""
    return [on_a_phone(lesson, query) for query in links(lesson)]


@cache
def what_is_read(lesson, read):
    """The numbers, or the texts, that are sent behind each of the lesson's links."""
    return [read(page) for page, _ in runs(lesson)]


def elements(at):
    """(name, content) of every element: its label or component with numbers left out, and which of that name it is."""
    seen = {}
    for element in leaves_of(at._tree):
        content = MessageToDict(element.proto, preserving_proto_field_name=True)
        for part in ("json", "mixed_data"):
            if isinstance(content.get(part), str) and content[part][:1] == "{":
                content[part] = json.loads(content[part])
        if "figure" in (data := content.get("json") or {}):
            data["figure"] = unfolded(data["figure"])
        for changing in ("id", "form_id"):
            content.pop(changing, None)
        if isinstance(data, dict):
            data.pop("run", None)
        told = NUMBER.sub("#", content.get("label") or content.get("component_name") or element.type)
        name = told, NUMBER.sub("#", str(getattr(element, "key", "")))
        seen[name] = seen.get(name, -1) + 1
        yield (*name, seen[name]), content


def leaves_of(block):
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from leaves_of(child)
        else:
            yield child


def parts(content, path=()):
    """Every number and every text in an element, by where it stands."""
    if isinstance(content, dict | list):
        for key, one in content.items() if isinstance(content, dict) else enumerate(content):
            yield from parts(one, (*path, key))
    elif not isinstance(content, bool):
        yield path, content


def numbers(page):
    """Every number that is sent, also those within texts, by where it stands: the text with its numbers left out, and which."""
    found = {}
    for name, content in page:
        for path, part in parts(content):
            if isinstance(part, int | float):
                found[(*name, *path)] = float(part)
            elif isinstance(part, str):
                without = NUMBER.sub("#", part)[:80]
                for k, one in enumerate(NUMBER.findall(part)):
                    found[(*name, *path, without, k)] = float(one.replace(",", ""))
    return found


def texts(page):
    """Every text but those to choose from, by where it stands."""
    return {
        (*name, *path): part for name, content in page for path, part in parts(content)
        if isinstance(part, str) and not name[1].startswith("option_")
    }  # fmt: skip


def told(found, questions):
    """Where the answer stood in every run."""
    places = set.intersection(*map(set, found))
    return [place for place in places if all(is_told(f[place], q) for f, q in zip(found, questions, strict=True))]


def is_told(part, question):
    """Whether a number is the answer, or a text names it and no other option."""
    if not question.options:
        return abs(part - question.answer) <= 1e-3 * max(1, abs(question.answer))
    return [option for option in question.options if option in part] == [question.answer]


def test_nothing_that_is_sent_is_the_answer_whatever_it_is(lesson):
    for key in {key for _, questions in runs(lesson) for key in questions}:
        asked = {k: questions[key] for k, (_, questions) in enumerate(runs(lesson)) if key in questions}
        if len({question.answer for question in asked.values()}) > 1:
            read = what_is_read(lesson, texts if next(iter(asked.values())).options else numbers)
            places = told([read[k] for k in asked], asked.values())
            chance = COINCIDENCES.get((lesson, key), "$^")
            assert [place for place in places if not re.search(chance, str(place))] == [], key


def test_no_answer_is_beyond_what_its_question_can_mean(lesson):
    for _, questions in runs(lesson):
        for key, question in questions.items():
            wrong = 1e13 if not question.options else "what nobody offers"
            assert question.refusal(question.answer) == "" != question.refusal(wrong), key


def test_what_there_is_to_choose_from_does_not_tell(lesson):
    for key in {key for _, questions in runs(lesson) for key in questions}:
        asked = [questions[key] for _, questions in runs(lesson) if key in questions and questions[key].options]
        assert all(question.answer in question.options for question in asked), key
        for option in {option for question in asked for option in question.options if not NUMBER.search(option)}:
            offered = [question for question in asked if option in question.options]
            without = [q for q in asked if q not in offered and set(q.options) & {o for one in offered for o in one.options}]
            assert not without or len(offered) == 1 or any(question.answer != option for question in offered), (key, option)


def test_another_answer_is_sent_no_other_page(lesson, monkeypatch):
    query = links(lesson)[0]
    made, (page, questions) = Question.__init__, runs(lesson)[0]

    def another(self, *args, **kwargs):
        made(self, *args, **kwargs)
        at = self.options.index(self.answer) + 1 if self.options else 0
        answer = self.options[at % len(self.options)] if self.options else 3 * self.answer + 1
        object.__setattr__(self, "answer", answer)
        object.__setattr__(self, "why", "another reason")

    monkeypatch.setattr(Question, "__init__", another)
    others, altered = on_a_phone(lesson, query)
    assert all(altered[key].answer != question.answer for key, question in questions.items())
    assert timeless(others) == timeless(page)
