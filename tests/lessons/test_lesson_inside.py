"""The trained model's lesson: what it shows is what the engine computes, its keys are recomputed, and no link can break it."""

import json
import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from app_pages import WHOLE, all_answered, alone, alts, commit, figures, options_of, right, says, selected, text, visited
from said import plain
from valid_figures import valid

from engine import bundled, head_scores
from engine.trained.logit_lens import look_inside
from pages.lessons.inside.figures.head_maps import MOST_CELLS, head_maps, pooled
from pages.lessons.inside.figures.layer_guesses import ANSWERS, ORANGE_BAND, layer_guesses, layers_shown, stacked
from pages.lessons.inside.figures.one_head import one_head
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet
from pages.parts.lesson.terms import TERMS
from pages.parts.text.format import percent
from pages.parts.trained import model as checkpoint
from pages.parts.trained import prompt as prompts

FIXTURES = Path(__file__).parents[1] / "fixtures"
LIST = "Tom lamp Rome pizza cold Tom lamp Rome pizza"
page = partial(visited, "inside")


def drawn(at):
    """The page's figures by what they are: the heads, the enlarged one, …"""
    return [figure for figure, _ in figures(at)]


def test_the_maps_are_the_models_weights_and_the_labels_its_scores():
    at = page(prompt=LIST, trained_head="3.3", slide=1)
    model = bundled()
    weights = look_inside(model, model.tokenizer.encode(LIST)).weights
    maps, enlarged = drawn(at)[:2]
    z = np.array(enlarged["data"][0]["z"], float)
    np.testing.assert_allclose(np.nan_to_num(z), weights[2, 2], atol=1e-4)
    assert np.isnan(z).sum() == 10 * 9 // 2
    small = np.array(maps["data"][0]["z"], float)
    np.testing.assert_allclose(np.nan_to_num(small[22:32, 22:32]), weights[2, 2], atol=1e-3)
    scores = head_scores(model)
    written = maps["data"][-1]["text"]
    for layer, head in np.ndindex(3, 4):
        name = f"{layer + 1}.{head + 1} {scores.label(layer, head).partition(' ')[0]}".strip()
        assert {name, f"<b>{name}</b>"} & set(written)  # a map without a word beneath it was one that was forgotten
    hover = maps["data"][1]["customdata"][2][2]
    assert says(hover, f"induction {scores.induction[2, 2]:.2f}") and says(hover, f"previous {scores.previous[2, 2]:.2f}")
    assert says(text(at), "induction", f"{scores.induction[2, 2]:.2f}")
    assert says(text(at), "“pizza”", "“cold”", "weight 1")


def test_a_row_is_said_to_look_at_no_word_after_it():
    """““<bos>” looks at “<bos>” 1.00, “Today” 0.00, “'s” 0.00”: two of them it may not see."""
    words = ["<bos>", "Today", "'s", "weather", "is", "so"]
    for query in range(len(words)):
        (said,) = [alt for alt in alts(page(trained_head="2.3", cell=f"{query + 1}.1", slide=1)) if " looks at " in alt]
        looked = re.findall(r"“([^”]*)” \d\.\d\d", said[said.index(" looks at ") :])
        assert len(looked) == min(3, query + 1) and {*looked} <= {*words[: query + 1]}


def test_a_head_that_gives_nearly_all_of_its_weight_is_not_said_to_give_all():
    """“On random lists 100% to the token just before”, of a score of 0.998."""
    scores = head_scores(bundled())
    layer, head = np.argwhere((scores.previous >= 0.995) & (scores.previous < 1))[0] + 1
    assert any(
        "on random lists >99% to the token just before" in alt for alt in alts(page(trained_head=f"{layer}.{head}", slide=1))
    )


def test_the_article_s_question_nice_and_its_chances_only_after_the_vote():
    at = page()
    bars = set(drawn(at)[2]["data"][-1]["text"])
    assert {"<b>?</b>", "<b>Which word leads with 38.9%?</b>", "<b>? 38.9%</b>"} <= bars
    assert not bars & {"<b>nice</b>", "<b>38.9%</b>"}
    assert len(figures(at)) == 4  # the last two wait
    said = commit(at, "next_word", "nice")
    probs = look_inside(bundled(), bundled().tokenizer.encode("Today 's weather is so")).probs
    assert right(said, "nice") and says(said, "nice", f"{probs[bundled().tokenizer.words.index('nice')]:.1%}")
    assert len(figures(at)) == 4
    bars = drawn(at)[2]["data"][-1]["text"]
    assert {"<b>nice</b>", "<b>38.9%</b>"} <= set(bars)
    lens = look_inside(bundled(), bundled().tokenizer.encode("Today 's weather is so")).lens
    way = [f"{chance:.2f}" for chance in lens[:, bundled().tokenizer.words.index("nice")]]
    assert any(says(alt, "nice", "after each layer", ", ".join(way)) for _, alt in figures(at))


@pytest.mark.parametrize(("checkpoint", "prompt"), [("final", "Where does Nina"), ("after", "Where does Nina")])
def test_the_embedding_repeats_the_last_word_where_it_does(checkpoint, prompt):
    """“The embedding alone repeats the last word”, above a first column that says “Ben”."""
    trained = bundled(checkpoint)
    ids = trained.tokenizer.encode(prompt)
    repeats = int(look_inside(trained, ids).lens[0].argmax()) == ids[-1]
    assert repeats == (checkpoint == "final")
    with all_answered():
        assert says(text(page(slide=2, checkpoint=checkpoint, prompt=prompt)), "embedding alone repeats") == repeats


@pytest.mark.parametrize(
    ("prompt", "best"),
    [
        ("It is winter in Oslo . Today 's weather is so", "snowy"),
        ("Anna has a red kite . Ben has a blue boat . Anna has a", "red"),
        (LIST, "cold"),
    ],
)
def test_the_key_is_recomputed_for_another_prompt(prompt, best):
    at = page(prompt=prompt, slide=2)
    options = [b.label for b in options_of(at, "next_word")]
    assert len(options) == 4 and options == sorted(options)
    assert right(commit(at, "next_word", best), best)


def test_removing_the_induction_heads_takes_the_word_away():
    at = page(prompt=LIST, removed="3.3,3.4")
    best = bundled().variant(ablated=[(2, 2), (2, 3)]).forward(bundled().tokenizer.encode(LIST)).logits[-1].argmax()
    commit(at, "next_word", bundled().tokenizer.words[best])
    assert says(text(at), "3.3 and 3.4", "“cold”", "99.6%", "0.2%")
    assert {"3.3 removed", "3.4 removed"} <= {plain(word) for word in drawn(at)[0]["data"][-1]["text"]}
    next(b for b in at.button if b.key == "inside_without_none").click()
    at.run()
    assert selected(at)["removed"] == ""


def test_the_switch_removes_the_selected_head_and_puts_it_back():
    at = page(trained_head="2.3", slide=1)
    at.toggle[0].set_value(True)
    at.run()
    assert selected(at)["removed"] == "2.3"
    at.toggle[0].set_value(False)
    at.run()
    assert selected(at)["removed"] == ""


def test_without_its_previous_token_heads_the_model_has_no_induction_heads():
    at = page(removed="2.1,2.3,2.4", trained_head="3.3", slide=1)
    score = head_scores(bundled().variant(ablated=[(1, 0), (1, 2), (1, 3)])).induction[2, 2]
    assert score < 0.3 and says(text(at), "induction", f"{score:.2f}")


def test_the_induction_head_appears_between_two_moments():
    at = page(slide=3)
    assert right(commit(at, "list", "after (step 800)"), "after (step 800)")
    assert says(text(at), "0.15", "step 600", "0.80", "step 800")
    figure = drawn(at)[-1]
    assert len([t for t in figure["data"] if t["type"] == "heatmap"]) == 4
    assert [t for t in figure["data"][-1]["text"] if t in ("<b>0.05</b>", "<b>0.15</b>", "<b>0.80</b>", "<b>0.99</b>")]
    at = page(checkpoint="before", prompt=LIST, trained_head="3.3", slide=1)
    assert says(text(at), "induction", "0.15")


def test_unknown_words_are_marked_and_what_does_not_fit_is_said():
    at = page(prompt="Today xyzzy is coldd", slide=1)
    assert says(text(at), "“xyzzy”", "“coldd”", "cold)")
    assert list(drawn(at)[1]["layout"]["meta"]["grid"]["rows"]) == ["<bos>", "Today", "xyzzy?", "is", "coldd?"]
    at = page(prompt="so " * 200, slide=1)
    assert says(text(at), "96 tokens", "105")
    assert len(drawn(at)[1]["layout"]["meta"]["grid"]["rows"]) == 96


@pytest.mark.parametrize("prompt", ["zebra <unk>", "<unk> zebra", "<UNK> is zebra xyzzy", "<unk> <unk>"])
@pytest.mark.parametrize("lesson", ["inside", "generate"])
def test_an_unknown_word_beside_a_typed_unknown_mark(lesson, prompt):
    """The page paired unknown pieces with unknown ids, of which a typed mark is one: StopIteration, and no field to mend it."""
    at = visited(lesson, prompt=prompt)
    assert at.text_input(key="typed").value == prompt
    unknown = [word for word in prompt.split() if word in ("zebra", "xyzzy")]
    assert all(f"“{word}”" in text(at) for word in unknown) and len(figures(at)) >= 2
    found = prompts.read(checkpoint.Trained(checkpoint.BUNDLED, "final", bundled()), prompt)
    assert found.unknown == tuple(unknown) and found.ids == tuple(bundled().tokenizer.encode(prompt))
    assert [w for w in found.words[1:] if w != "is"] == [
        f"{w}?" if w in unknown else "<unk>" for w in prompt.split() if w != "is"
    ]


@pytest.mark.parametrize(
    "extras",
    [
        {"trained_head": "9.9"}, {"trained_head": "0.0", "cell": "1.9"}, {"removed": "1.1," * 60}, {"checkpoint": "../final"},
        {"checkpoint": "untrained", "prompt": "<b>x</b> $y$ :red[z]"}, {"prompt": "x" * 1600}, {"prompt": "."}, {"source": "x"},
        {"cell": "٣.1", "removed": "3.3,x,1.-1"}, {"present": "on", "slide": "3"}, {"present": "on", "slide": "5"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(extras):
    assert len(text(page(**extras))) > 20


def test_the_toys_presets_are_not_on_this_page():
    assert [w.key for w in page().selectbox] == ["added"]
    assert any(w.key.startswith("preset") for w in alone("attention").run().selectbox)


# Figures


@pytest.mark.parametrize(("n_layer", "n_head", "n"), [(3, 4, 6), (12, 12, 200), (32, 32, 128), (1, 1, 1)])
def test_many_heads_and_long_texts_stay_small(n_layer, n_head, n):
    rng = np.random.default_rng(0)
    weights = np.tril(rng.random((n_layer, n_head, n, n)).astype(np.float32))
    hidden = np.broadcast_to(~np.tri(n, dtype=bool), (n_layer, n, n))
    figure = valid(head_maps(Sheet(), weights, hidden, None, (0, 0), {(0, 0)}).to_plotly_json())
    assert sum(len(row) for row in figure.data[0].z) <= 2 * MOST_CELLS
    enlarged = valid(
        one_head(Sheet(), weights[0, 0], hidden[0], [f"w{i}" for i in range(n)], "head", (n - 1, 0)).to_plotly_json()
    )
    z = np.array(enlarged.data[0].z, float)
    np.testing.assert_allclose(np.nan_to_num(z), weights[0, 0], atol=1e-4)
    assert len(enlarged.data[-1].text) <= 42
    assert len(json.dumps(figure)) < 400_000


def test_pooling_keeps_the_largest_weight_and_the_mask():
    cells = np.where(np.tri(5, dtype=bool), np.arange(25.0).reshape(5, 5), np.nan)
    np.testing.assert_array_equal(pooled(cells, 3), [[6, np.nan, np.nan], [16, 18, np.nan], [21, 23, 24]])
    assert pooled(cells, 5) is cells


def test_the_figures_wait_for_the_answer():
    """The picture stands before the answer; what waits is the words after the last layer, and the chances of the word due."""
    at = page()
    assert len(alts(at)) == 4 and [says(alt, "after your answer") for alt in alts(at)] == [False, False, True, True]
    guesses, moments = ([word for word in figure["data"][-1]["text"]] for figure in drawn(at)[2:])
    assert sum(word.strip("<b>/").startswith("?") for word in guesses) == 2  # in the last column, and where its words will stand
    assert "<b>nice</b>" not in guesses and {"sunny 16%", "<b>nice 12%</b>"} <= set(guesses)
    assert moments.count("<b>?</b>") == 4 and not any("%" in word for word in moments)
    assert len(drawn(at)[3]["data"]) > 4  # a map for each moment


def test_the_prompt_is_written_as_people_write():
    """ "Today 's weather" stood in the field with a space that only the tokenizer's list has."""
    assert page(slide=1).text_input(key="typed").value == "Today's weather is so"


def test_a_head_is_not_said_to_have_keys_of_its_own():
    """Grouped heads share keys and values, and the toy's heads read one cache: "keys of its own" was false of both."""
    assert not re.search(r"keys.{0,20}\bown\b", TERMS["head"]) and "share" in TERMS["head"]


def test_the_guesses_are_the_lens():
    lens = np.array([[0.1, 0.2, 0.7], [0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])
    name = lambda ids: [f"w{i}" for i in ids]  # noqa: E731
    figure = valid(layer_guesses(Sheet(phone=True), lens, name, lens[1]).to_plotly_json())
    assert [figure.data[-1].text.count(said) for said in ("<b>w0</b>", "w1", "w2", "before")] == [3, 4, 3, 1]
    wide = valid(layer_guesses(Sheet(), lens, name, lens[1]).to_plotly_json()).data[-1].text
    assert {"w2 70%", "<b>w0 20%</b>", "w1 50%", "<b>w0 60.0%</b>", "  before 20.0%"} <= set(wide)


@pytest.mark.parametrize("n_layer", [1, 3, 48])
def test_a_word_is_as_high_as_its_chance_in_every_column_and_its_way_waits_for_the_answer(n_layer):
    lens = np.random.default_rng(n_layer).dirichlet(np.ones(9), n_layer + 1)
    name, winner = (lambda ids: [f"w{i}" for i in ids]), int(lens[-1].argmax())
    for layer in layers_shown(n_layer + 1):
        places = stacked(lens[layer], {winner})
        assert winner in places and all(abs(y1 - y0 - lens[layer, i]) < 1e-6 for i, (y0, y1) in places.items())
    known, asked = Sheet(), Sheet()
    layer_guesses(known, lens, name)
    layer_guesses(asked, lens, name, told=False)
    orange = [known.colors.accent, faded(known.colors, known.colors.accent, ORANGE_BAND)]
    counts = [[sum(s.get("fillcolor") == color for s in sheet.shapes) for color in orange] for sheet in (known, asked)]
    n = len(layers_shown(n_layer + 1))
    assert counts == [[n, n - 1], [1, 0]]
    chance = percent(float(lens[-1, winner]))
    said = [text for _, _, text, *_ in asked.words if "%" in text and "." in text]
    assert said == [f"<b>? {chance}</b>", f"<b>Which word leads with {chance}?</b>"]  # how likely, and not which


@pytest.mark.parametrize("phone", [False, True])
def test_words_that_may_be_the_answer_have_a_shade_of_their_own_in_every_column(phone):
    lens = np.array([[0.0, 0.03, 0.97], [0.3, 0.3, 0.4], [0.6, 0.3, 0.1]])
    sheet = Sheet(phone=phone)
    layer_guesses(sheet, lens, lambda ids: [f"w{i}" for i in ids], told=False, answers=(0, 1))
    shades = [faded(sheet.colors, sheet.colors.accent, share) for share in ANSWERS[:2]]
    assert [sum(s.get("fillcolor") == color for s in sheet.shapes) for color in shades] == [1, 2]
    assert ("w1 3%" in [text for _, _, text, *_ in sheet.words]) == (not phone)  # too low for its name, which stands beside it


# Your own checkpoint


@pytest.fixture
def offered(monkeypatch):
    monkeypatch.setenv(checkpoint.VARIABLE, str(FIXTURES))


@pytest.mark.parametrize("name", ["gpt2", "llama_mha", "mistral", "qwen3"])
@pytest.mark.parametrize("lesson", ["inside", "generate"])
def test_a_folder_runs_through_the_same_lessons(offered, lesson, name):
    at = alone(lesson)
    at.query_params.update(WHOLE | {"source": name})
    at.run()
    assert not at.exception and not at.warning
    assert at.selectbox(key="trained_source").value == name
    assert says(at.text_input(key="typed").label, "token ids")
    if lesson == "inside":
        assert [b.label for b in options_of(at, "list_own")] == ["yes", "no"]


def test_a_folder_is_chosen_from_the_list_and_goes_into_the_link(offered):
    at = page(steps="")
    at.selectbox(key="trained_source").set_value("llama_gqa_tied").run()
    assert not at.exception and selected(at)["source"] == "llama_gqa_tied"
    assert says(text(at), "llama_gqa_tied", "2 layers", "4 query heads", "2 key/value heads")


@pytest.mark.parametrize(
    "name",
    ["../fixtures/gpt2", "/etc", "gpt2/", "./gpt2", "gpt2\0", "GPT2", "..", ".", "gpt2/config.json", "bundled.npz",
     "<script>", "%2e%2e"],
)  # fmt: skip
def test_no_path_is_ever_made_of_what_a_link_says(offered, name, monkeypatch):
    def refuse(*_):
        raise AssertionError("nothing may be opened")

    monkeypatch.setattr(checkpoint, "load", refuse)
    for lesson in ("inside", "generate"):
        assert says(text(visited(lesson, source=name)), "not", "offered")


def test_without_the_variable_nothing_is_offered(monkeypatch):
    monkeypatch.delenv(checkpoint.VARIABLE, raising=False)
    assert checkpoint.folders() == []
    assert says(text(page(source="gpt2")), "“gpt2”", "not", "offered")


def test_a_broken_folder_is_said_to_be_broken(tmp_path, monkeypatch):
    for name, config in (("broken", "{"), ("empty", "{}"), (".hidden", "{}")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(config)
    monkeypatch.setenv(checkpoint.VARIABLE, str(tmp_path))
    assert checkpoint.folders() == ["broken", "empty"]
    for name in checkpoint.folders():
        assert says(text(page(source=name, slide=1)), f"“{name}”", "cannot")


def test_a_tokenizer_that_cannot_be_used_is_said_and_the_lesson_goes_on(tmp_path, monkeypatch):
    shutil.copytree(FIXTURES / "gpt2", tmp_path / "gpt2")
    (tmp_path / "gpt2" / "tokenizer.json").write_text("{}")
    monkeypatch.setenv(checkpoint.VARIABLE, str(tmp_path))
    monkeypatch.setattr(checkpoint, "_MODELS", type(checkpoint._MODELS)(1_000_000))
    at = page(source="gpt2")
    assert re.search("needs the tokenizers library|expected a tokenizer", text(at).replace("\\", ""))
    assert len(figures(at)) == 3


def test_a_model_with_hardly_any_room_still_shows(tmp_path, monkeypatch):
    """n_ctx 3: no probe fits, and one token is the longest prompt that leaves room."""
    tiny = replace(bundled(), config=replace(bundled().config, n_ctx=3), tokenizer=None)
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").write_text("{}")
    monkeypatch.setenv(checkpoint.VARIABLE, str(tmp_path))
    monkeypatch.setattr(checkpoint, "load", lambda *_: tiny)
    assert says(text(page(source="tiny", prompt="5 6 7 8")), "no room")
    at = alone("generate")
    at.query_params.update({"source": "tiny", "prompt": "5 6 7 8", "g": "64"})
    at.run()
    assert not at.exception and says(text(at), "2 of 2")
