"""The first screen shows what the engine computes, for any prompt; links of before and links meant to do harm find their page."""

import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from app_pages import alone, application, of_visit, ran, says, selected
from app_pages import text as said_on
from said import plain

from engine import KVCache, bundled, decode_step, prefill, probabilities
from engine.trained.bundled import FOLDER
from pages.app.route_steps import ROUTES
from pages.lessons.overview import LESSON as OVERVIEW
from pages.lessons.start.answer import MOST_TOKENS, N_WORDS, TEMPERATURE, drawing_of_answer, read, unknown_words
from pages.lessons.start.steps import OPENING, TO_TRY
from pages.parts.drawing.machine import N_CHANCES
from pages.parts.teaching.routes import STORY
from pages.parts.text.format import percent
from pages.parts.trained.prompt import PRESETS
from pages.parts.visit.scenario import Kept

PROMPTS = [
    OPENING,
    "Anna has a red kite . Ben has a blue boat . Anna has a",
    "",
    ". . ?",
    "zebra quagga",
    "so " * 300,
    "<b>x</b> &",
]


def opened(query=(), page=None):
    at = alone("start") if page is None else page
    at.query_params.update(dict(query))
    return ran(at)


def drawing(at):
    """What was sent to the browser to play."""
    (sent,) = [e.proto for e in at.get("bidi_component") if "machine" in e.proto.component_name]
    return json.loads(json.loads(sent.json)["drawing"])


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("text", PROMPTS)
def test_every_number_is_the_engines(text, seed):
    """Prefill and then one decode step a word, behind a cache of the test's own, along the words that were drawn."""
    prompt, model = read(text), bundled()
    shown = json.loads(drawing_of_answer(prompt, seed))
    n_prompt, n = shown["n_prompt"], len(shown["words"])
    assert n_prompt == len(prompt.ids) <= MOST_TOKENS and n == n_prompt + N_WORDS
    layer, head = (int(part.split()[1]) - 1 for part in shown["head"].split(", "))
    assert layer == model.n_layer - 1
    cache, vocabulary = KVCache.for_model(model, n), model.tokenizer.words
    run = prefill(model, prompt.ids, cache)
    rows = [row[: i + 1] for i, row in enumerate(run.layers[layer].weights[head])]
    scores, queries, contexts = ([*getattr(run.layers[layer], name)[head]] for name in ("scores", "q", "context"))
    for k, found in enumerate(shown["chances"]):
        probs = probabilities(run.logits[-1], TEMPERATURE)
        (drawn,) = [vocabulary.index(word) for word, _, _, chosen in found if chosen]
        assert [chance for _, _, chance, _ in found] == pytest.approx([probs[vocabulary.index(w)] for w, *_ in found], abs=1e-4)
        assert all(said == percent(float(probs[vocabulary.index(w)])) for w, said, *_ in found) and len(found) <= N_CHANCES
        assert found[0][0] == vocabulary[int(probs.argmax())] or len(found) == 1
        if k == N_WORDS:
            break
        assert shown["words"][n_prompt + k] == vocabulary[drawn]
        run = decode_step(model, drawn, cache)
        rows.append(run.layers[layer].weights[head, 0])
        for column, name in ((scores, "scores"), (queries, "q"), (contexts, "context")):
            column.append(getattr(run.layers[layer], name)[head, 0])
        assert shown["passes"][k + 1] == [1, n_prompt + k + 1, n_prompt + k + 1]
    for drawn_row, row in zip(shown["rows"], rows, strict=True):
        np.testing.assert_allclose(drawn_row, row, atol=6e-4)
    group = head // (model.n_head // model.n_kv_head)
    largest = max(np.abs(row).max() for row in scores)
    for drawn_row, row in zip(shown["scores"], scores, strict=True):
        np.testing.assert_allclose(drawn_row, row / largest, atol=6e-3)
    assert shown["passes"][0] == [n_prompt, n_prompt * (n_prompt + 1) // 2, n_prompt]
    drawn = [("keys", cache.k[layer, group]), ("values", cache.v[layer, group]), ("queries", queries), ("contexts", contexts)]
    for strips, made in ((shown[name], made) for name, made in drawn):
        sizes = np.abs(made)
        np.testing.assert_allclose(strips, sizes / sizes.max(), atol=6e-3)


def test_chances_are_said_to_be_those_at_a_temperature():
    """46.1 % for a word of which another lesson says 40.2."""
    assert f"temperature {TEMPERATURE}" in drawing(opened())["next"]


def test_the_head_on_show_is_the_one_that_is_said():
    """Of the last layer, the head whose rows look most at the most different words that are not the one before."""
    prompt, model = read(OPENING), bundled()
    shown = json.loads(drawing_of_answer(prompt, 0))
    ids = [*prompt.ids, *(model.tokenizer.words.index(word) for word in shown["words"][len(prompt.ids) :])]
    weights = prefill(model, ids).layers[-1].weights
    looks = [{int(row.argmax()) for i, row in enumerate(head) if i - row.argmax() >= 2} for head in weights]
    assert shown["head"] == f"layer {model.n_layer}, head {max(range(model.n_head), key=lambda h: len(looks[h])) + 1}"


def test_the_text_reads_as_it_is_written():
    shown = json.loads(drawing_of_answer(read("Today's weather isn't so"), 0))
    text = "".join(space + word for space, word in list(zip(shown["spaces"], shown["words"], strict=True))[1:])
    assert text.startswith("Today's weather isn't so ") and " ." not in text


def test_another_ending_is_another_seed_and_the_link_keeps_it():
    at = opened()
    first = drawing(at)
    at.button(key="start_another").click()
    again = drawing(ran(at))
    assert again["words"] != first["words"] and again["words"][: again["n_prompt"]] == first["words"][: first["n_prompt"]]
    assert drawing(opened({"seed": "1"})) == again
    endings = {tuple(json.loads(drawing_of_answer(read(OPENING), seed))["words"]) for seed in range(8)}
    assert len(endings) == 8


def test_a_typed_prompt_is_read_and_the_last_seed_is_followed_by_the_first():
    at = opened({"seed": "999"})
    at.text_input(key="start_typed").set_value("The soup is so")
    assert drawing(ran(at))["words"][1:5] == ["The", "soup", "is", "so"]
    at.button(key="start_another").click()
    ran(at)
    assert drawing(at) == drawing(opened({"prompt": "The soup is so"}))
    at.text_input(key="start_typed").set_value("  ")
    assert drawing(ran(at)) == drawing(opened())


def test_an_unknown_word_and_a_long_prompt_are_said():
    at = opened({"prompt": "The zebra is " + "so " * 30})
    assert "zebra?" in drawing(at)["words"]
    said = said_on(at)
    assert "“zebra”" in said and says(said, f"{MOST_TOKENS} tokens", "14 more")


def test_a_question_put_to_it_is_told_what_it_is_and_no_word_is_guessed():
    """Somebody who knows ChatGPT asked for a capital, was offered “wolf” and “orange”, and thought it broken."""
    at = opened({"prompt": "What is the capital of France?"})
    (said,) = (w.value for w in at.warning)
    assert says(said, "“capital”, “of” and “France”", "394 tokens", "no assistant")
    assert re.findall("“(.+?)”", plain(said)) == ["capital", "of", "France"]
    assert not at.caption  # it is said once
    assert says(unknown_words(read(" ".join(f"a{k % 9 + 1}" for k in range(18)))), "“a1”, “a2”, “a3”, “a4”", "5 more")


def test_what_the_model_is_stands_beside_the_prompts_to_try():
    listed = json.loads((FOLDER / "vocabulary.json").read_text("utf-8"))["words"]
    assert listed[:2] == ["<bos>", "<unk>"] and len(listed) == 394
    at = opened()
    (said,) = (c.value for c in at.caption)
    assert says(said, "394 tokens", "assistant") and says(said, "one more", "“begin”")
    assert drawing(at)["words"][0] == "begin"
    assert drawing(at)["n_prompt"] == 1 + len(OPENING.split())


@pytest.mark.parametrize("name", TO_TRY)
def test_a_prompt_to_try_is_taken_as_if_it_were_typed_and_goes_on_well(name):
    at = opened()
    at.pills(key="start_preset").set_value(name)
    ran(at)
    assert at.text_input(key="start_typed").value == PRESETS[name] == selected(at)["prompt"]
    assert drawing(at) == drawing(opened({"prompt": PRESETS[name]})) and at.pills(key="start_preset").value == name
    taken = read(PRESETS[name])
    assert not taken.unknown and not taken.left_out
    assert drawing(at)["words"][len(taken.ids)] in (
        "nice",
        "tasty",
        "icy",
        "red",
    )  # as it is written: weather, food, winter, a kite


def test_a_prompt_to_try_stays_chosen_when_it_is_pressed_again_and_not_when_another_is_typed():
    at = opened({"prompt": PRESETS[TO_TRY[1]]})
    at.pills(key="start_preset").set_value(None)
    ran(at)
    assert at.pills(key="start_preset").value == TO_TRY[1] and drawing(at)["words"][2] == "soup"
    at.text_input(key="start_typed").set_value("The bread is so")
    assert ran(at).pills(key="start_preset").value is None and "bread" in drawing(at)["words"]


@pytest.mark.parametrize("nonsense", ["-1", "1e9", "NaN", "<script>p()</script>", "٣", "x" * 1600, "\x00", "0" * 200])
def test_no_link_makes_it_fail(nonsense):
    shown = drawing(opened({"prompt": nonsense, "seed": nonsense}))
    assert max(map(len, shown["words"])) <= 20 and len(json.dumps(shown)) < 60_000


def test_the_alternative_says_what_is_drawn():
    shown = drawing(opened())
    assert says(shown["alt"], "“The weather in Oslo is so”", "one pass", "7 rows")
    assert says(shown["alt"], *(f"“{word}” looks" for word in shown["words"][7:]))
    assert says(shown["labels"][1], "prefill", "7 tokens") and len(shown["labels"]) == 2 + N_WORDS == 1 + len(shown["chances"])


def test_the_root_is_the_first_screen_and_its_doors_are_there():
    at = opened(page=application())
    assert at.title[0].value == "Token by Token" and drawing(at)
    links = [(e.proto.page, e.proto.query_string) for e in at.get("page_link")]
    (lesson, asked) = links.pop(1)
    assert links == [("why", "route=story"), ("memory", "")] and lesson == "overview" and asked.endswith("&route=45&prepared=on")
    assert dict(parse_qsl(asked))["words"] == "nice,that,we,all,swim,."  # a class's toy writes a sentence
    n_lessons = len({stop.lesson for stop in ROUTES[STORY]})
    assert says(at.get("page_link")[0].proto.label, str(len(ROUTES[STORY])), "steps", str(n_lessons))


@pytest.mark.parametrize("query", [{"tokens": "a,b", "values": "1,2"}, {"g": "8"}, {"present": "on"}, {"slide": "2"}, {"x": "y"}])
def test_a_link_to_the_root_with_more_than_a_prompt_opens_the_overview(query):
    """The overview stood at the root: what teachers shared then opens what it opened."""
    at = opened(query, page=application())
    assert at.title[0].value == OVERVIEW.question
    assert {name: text for name, text in selected(at).items() if text} == query
    assert of_visit(at, Kept).scenario.tokens == (("a", "b") if "tokens" in query else ("Today", "weather", "is", "so"))
