"""The bundled model says what its grammar taught it, with heads as sharp as the lessons say, from files that are as they were."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import engine
from engine import KVCache, decode_step, generate, prefill
from engine.attention import softmax
from engine.trained.bundled import CHECKPOINTS, FOLDER, bundled, checkpoints
from engine.trained.induction import first_score, head_scores, induction_score, previous_score, probe

ENGINE = Path(engine.__file__).parent
TASTES = ("delicious", "tasty", "salty", "spicy", "fresh", "hot")
SEASONS = {
    "winter": ("cold", "snowy", "icy", "grey"),
    "spring": ("mild", "fresh", "rainy", "breezy"),
    "summer": ("hot", "sunny", "bright", "dry"),
    "autumn": ("windy", "foggy", "wet", "grey"),
}


@pytest.fixture(scope="module")
def model():
    return bundled()


def next_word(model, text: str) -> dict[str, float]:
    """The chance of each word to come next."""
    logits = model.forward(model.tokenizer.encode(text)).logits[-1]
    return dict(zip(model.tokenizer.words, softmax(logits.astype(np.float64)).tolist(), strict=True))


# The files


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_the_shipped_files_give_the_logits_of_transformers(name):
    """Written by tests/fixtures/make_fixtures.py: transformers' own Llama, given the shipped file, computed these."""
    with np.load(Path(__file__).parents[2] / "fixtures" / "bundled.npz") as stored:
        token_ids, expected = stored["token_ids"], stored[name]
    logits = bundled(name).forward(token_ids).logits
    assert logits.dtype == np.float32
    assert abs(logits - expected).max() <= 5e-6 * abs(expected).max() + 5e-6


def test_the_files_are_small_and_their_vocabulary_is_the_grammars(model):
    sizes = {file.name: file.stat().st_size for file in FOLDER.iterdir()}
    assert sum(sizes.values()) <= 1_500_000
    assert sorted(sizes) == sorted([*(f"{name}.safetensors" for name in CHECKPOINTS), "config.json", "vocabulary.json"])
    spec = importlib.util.spec_from_file_location("grammar", ENGINE.parent / "tests" / "fixtures" / "training" / "grammar.py")
    grammar = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(grammar)
    assert list(model.tokenizer.words) == grammar.vocabulary()
    assert 300 <= model.n_vocab <= 500


def test_a_checkpoint_is_read_once_and_an_unknown_one_is_refused():
    assert bundled() is bundled("final") is not bundled("before")
    with pytest.raises(ValueError, match=r"checkpoint: expected one of untrained, before, after, final, got '\.\./final'"):
        bundled("../final")


def test_the_checkpoints_come_in_the_order_of_the_training():
    found = checkpoints()
    assert tuple(c.name for c in found) == CHECKPOINTS
    assert [c.step for c in found] == sorted({c.step for c in found})
    assert found[0].step == 0
    losses = [c.loss for c in found]
    assert losses == sorted(losses, reverse=True)
    # Untrained, every word is as likely as any other: the loss is the logarithm of their number.
    assert losses[0] == pytest.approx(np.log(bundled().n_vocab), abs=0.05)


# What it says


@pytest.mark.parametrize("text", ["Today's weather is so", "Today weather is so", "Today’s Weather is so"])
def test_the_weather_is_nice_or_warm_and_never_delicious(model, text):
    probs = next_word(model, text)
    assert probs["nice"] + probs["warm"] >= 0.6
    assert max(probs, key=probs.get) == "nice"
    assert probs["delicious"] <= 1e-3


def test_the_soup_has_a_taste(model):
    probs = next_word(model, "The soup is so")
    assert sum(probs[word] for word in TASTES) >= 0.95
    assert probs["delicious"] >= 0.1
    assert probs["nice"] + probs["warm"] <= 0.01


@pytest.mark.parametrize("between", ["", " Anna lives in Rome."])
@pytest.mark.parametrize("season", SEASONS)
def test_a_season_named_earlier_changes_the_weather(model, season, between):
    probs = next_word(model, f"It is {season} in Oslo.{between} Today's weather is so")
    assert sum(probs[word] for word in SEASONS[season]) >= 0.8
    assert probs["nice"] + probs["warm"] <= 0.1


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Anna has a red kite. Ben has a blue boat. Anna has a", "red"),
        ("Anna has a red kite. Ben has a blue boat. Ben has a", "blue"),
        ("Anna has a red kite. Ben has a blue boat. Anna has a red", "kite"),
        ("Tom lives in Rome. Eva lives in Oslo. Tom lives in", "Rome"),
        ("Tom lives in Rome. Eva lives in Oslo. Eva lives in", "Oslo"),
        ("Tom lives in Rome. Eva lives in Oslo. Where does Tom live? In", "Rome"),
    ],
)
def test_a_fact_is_recalled_from_the_context(model, text, answer):
    assert next_word(model, text)[answer] >= 0.9


def test_a_list_said_once_is_continued(model):
    assert next_word(model, "Tom lamp Rome pizza cold Tom lamp Rome pizza")["cold"] >= 0.9
    hits = []
    for token_ids in probe(model.n_vocab, 10, 20, seed=5):
        logits = model.forward(token_ids).logits
        hits.append(logits[11:20].argmax(axis=1) == token_ids[12:21])
    assert np.mean(hits) >= 0.9


def test_verbs_and_pronouns_agree(model):
    one, several = next_word(model, "The dog"), next_word(model, "The three dogs")
    assert sum(one[v] for v in ("sleeps", "runs", "plays", "sits", "does")) > 0.5
    assert sum(several[v] for v in ("sleep", "run", "play", "sit")) > 0.4
    assert next_word(model, "Clara buys some bread at the market.")["She"] > 0.5
    assert next_word(model, "Leo buys some bread at the market.")["He"] > 0.5


def test_marks_are_never_said(model):
    for text in ("", "Today's weather is so", "Xyzzy is so"):
        probs = next_word(model, text)
        assert probs["<bos>"] + probs["<unk>"] < 1e-3
    assert model.tokenizer.decode(generate(model, model.tokenizer.encode("Today"), 40, temperature=1.0, seed=3).token_ids)


# Its heads


def test_a_previous_token_head_and_an_induction_head_in_that_order(model):
    scores = head_scores(model)
    assert scores.previous.max() >= 0.8
    assert scores.induction.max() >= 0.8
    layer_of = {
        kind: np.unravel_index(getattr(scores, kind).argmax(), scores.previous.shape)[0] for kind in ("previous", "induction")
    }
    # An induction head reads what a previous-token head of an earlier layer wrote.
    assert layer_of["previous"] < layer_of["induction"]


def test_induction_heads_need_the_previous_token_heads(model):
    """Ablation is a measurement: without the heads that look one back nothing is left for the induction heads to find."""
    scores = head_scores(model)
    previous = [tuple(map(int, place)) for place in np.argwhere(scores.previous > 0.5)]
    induction = [tuple(map(int, place)) for place in np.argwhere(scores.induction > 0.5)]
    text = "Tom lamp Rome pizza cold Tom lamp Rome pizza"
    for gone in (previous, induction):
        assert next_word(model.variant(ablated=gone), text)["cold"] < 0.3
    assert head_scores(model.variant(ablated=previous)).induction.max() < 0.3
    others = [(layer, head) for layer in range(3) for head in range(4) if (layer, head) not in previous + induction]
    assert next_word(model.variant(ablated=others[:1]), text)["cold"] > 0.5


def test_induction_appears_between_two_checkpoints():
    untrained, before, after, final = (head_scores(bundled(name)).induction.max() for name in CHECKPOINTS)
    assert untrained < 0.15
    assert before < 0.35
    assert after >= 0.6
    assert final >= 0.8


def test_scores_of_ideal_maps_are_one_and_of_even_maps_their_share():
    n_half = 6
    n = 2 * n_half + 1
    previous, first, induction = np.eye(n, k=-1), np.zeros((n, n)), np.zeros((n, n))
    first[:, 0] = 1
    for i in range(n_half + 1, n):
        induction[i, i - n_half + 1] = 1
    assert (previous_score(previous), first_score(first), induction_score(induction, n_half)) == (1, 1, 1)
    assert (previous_score(first), first_score(previous), induction_score(previous, n_half)) == (0, 0, 0)
    even = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
    assert induction_score(even, n_half) == pytest.approx(np.mean([1 / (i + 1) for i in range(n_half + 1, n)]))
    # The induction row is the one whose token was seen before, its column the place behind that.
    ids = probe(50, n_half, 1)[0]
    i = n_half + 3
    assert ids[i] == ids[i - n_half]
    assert induction[i].argmax() == i - n_half + 1


def test_scores_need_maps_and_room(model):
    with pytest.raises(ValueError, match="keep=False"):
        head_scores(model.variant(keep=False))
    with pytest.raises(ValueError, match="n_half: expected from 2 to 63, got 64"):
        head_scores(model, n_half=64)


def test_labels_are_measurements(model):
    scores = head_scores(model)
    layer, head = np.unravel_index(scores.induction.argmax(), scores.induction.shape)
    assert scores.label(layer, head) == f"induction {scores.induction.max():.2f}"
    assert scores.label(layer, head, least=1.01) == ""


# In the same engine as the toy


def test_cached_equals_uncached_through_a_whole_generation(model):
    prompt = model.tokenizer.encode("Anna has a red kite. Ben has a blue boat.")
    cached = generate(model, prompt, 60)
    twin = generate(model, prompt, 60, use_cache=False)
    assert cached.token_ids == twin.token_ids
    for a, b in zip(cached.passes, twin.passes, strict=True):
        np.testing.assert_allclose(a.logits[-1], b.logits[-1], rtol=0, atol=1e-4)


def test_without_the_mask_the_cache_of_three_layers_is_wrong(model):
    free = model.variant(causal=False)
    ids = model.tokenizer.encode("Anna has a red kite. Anna has a red")
    cache = KVCache.for_model(free, len(ids))
    prefill(free, ids[:-1], cache)
    assert abs(decode_step(free, ids[-1], cache).logits[-1] - free.forward(ids).logits[-1]).max() > 0.5
