"""Experiments on attention and on what becomes of it: whom a token sees, what a value does, what the heads' outputs are for."""

from dataclasses import replace

import numpy as np

from engine.attention import attention
from engine.claims.finding import IDS, READABLE, STEPS, Finding, first_word, layer_of, next_logits, short_answer
from engine.compare import ROUNDING, largest_gap
from engine.decode import generate
from engine.experiments.random_model import StackModel
from engine.model import ForwardPass
from engine.sampling import likeliest, probabilities
from engine.toy.edits import set_value
from engine.toy.projection import averaged, same_mean, slopes
from engine.toy.scenario import MAX_VALUE, Scenario
from engine.trained.bundled import bundled

STORY = "Today 's weather is so"
SMALL_WORDS = ("'s", "is", "so")
WINDOW = 4


def values(s: Scenario) -> Finding:
    """Attention looks less at words of little meaning: what they get from each head of a trained model, beside an even share.

    And in the toy, where a value is all that a token means: give each token another, and count the weights that move.
    """
    shares, even = small_word_shares()
    more = int((shares > even).sum())
    numbers = dict(heads=shares.size, more=more, even=even, most=float(shares.max()), least=float(shares.min()))
    return Finding(more == 0, more == 0, {**numbers, **_values_moved(s)}, s)


def small_word_shares(checkpoint: str = "final") -> tuple[np.ndarray, float]:
    """The share of its attention that each head of the trained model gives to SMALL_WORDS of STORY, (n_layer, n_head), and what
    they would get if every word got the same. Means over the rows; the beginning mark is no word and left out."""
    model = bundled(checkpoint)
    ids = model.tokenizer.encode(STORY)
    small = np.isin(ids[1:], [model.tokenizer.encode(word)[-1] for word in SMALL_WORDS])
    weights = np.stack([layer.weights for layer in model.forward(ids).layers])[..., 1:, 1:]  # (n_layer, n_head, n, n)
    shares = (weights * small).sum(axis=-1) / weights.sum(axis=-1)
    return shares.mean(axis=-1), float((np.cumsum(small) / np.arange(1, len(small) + 1)).mean())


def _values_moved(s: Scenario) -> dict:
    """Weights and contexts that move when each token of the toy in turn gets another value, and what each says for the winner."""
    before = layer_of(s)
    weights = contexts = 0
    for token, value in enumerate(s.values):
        after = layer_of(set_value(s, token, value + 50 if value + 50 <= MAX_VALUE else value - 50))
        weights += int((after.weights != before.weights).sum())
        contexts += int((after.context != before.context).sum())
    best = first_word(s)
    shares = (slopes(before, np.array(s.w_vocab))[:, best] * s.values).tolist()
    numbers = dict(edits=len(s.tokens), visible=int(before.mask.sum()), weights=weights, contexts=contexts)
    return {**numbers, "shares": tuple(shares), "word": s.words[best]}


def every_other(s: Scenario) -> Finding | None:
    """In prefill each token attends to every other: count whom the mask lets it see."""
    n, seen = len(s.tokens), layer_of(s).mask[0]
    if n < 2:
        return None
    itself = int(np.trace(seen))
    others = int(seen.sum()) - itself
    return Finding(others == n * (n - 1), True, dict(others=others, all_others=n * (n - 1), itself=itself, n=n), s)


def newest_needs_no_mask(s: Scenario, words: int = STEPS) -> Finding:
    """One new token needs no mask: decode some, and count the keys that the mask hides from them; also where rows look back a
    window only, as in Mistral and Gemma."""
    hidden, gap = _hidden(short_answer(s, words)[1:])
    model = StackModel(1, 16, window=WINDOW)
    beyond, missed = _hidden(generate(model, IDS, STEPS).passes[-1:])
    numbers = dict(hidden=hidden, gap=gap, prefill=int((~layer_of(s).mask[0]).sum()), steps=words - 1)
    numbers |= dict(window=WINDOW, keys=len(IDS) + STEPS - 1, beyond=beyond, missed=missed)
    return Finding(hidden == 0 and gap == 0, beyond == 0, numbers, s)


def _hidden(steps: tuple[ForwardPass, ...]) -> tuple[int, float]:
    """How many keys the mask hides from these passes, for one head, and how far all weights are from plain softmax."""
    hidden, gap = 0, 0.0
    for layer in (step.layers[0] for step in steps):
        hidden += int((~layer.mask[0]).sum())
        bare = attention(layer.q, layer.k, layer.v, np.ones_like(layer.mask))
        gap = max(gap, largest_gap(bare.weights, attention(layer.q, layer.k, layer.v, layer.mask).weights))
    return hidden, gap


def logits_are_chances(s: Scenario) -> Finding | None:
    """The logits are the probabilities of the words: add them up."""
    logits = next_logits(s)
    chances = probabilities(logits)
    if abs(logits.sum() - 1) < READABLE:
        return None  # a sum that happens to be 1 would read as if they were
    same = bool(largest_gap(logits, chances) < ROUNDING)
    numbers = dict(logits=logits.tolist(), sum=float(logits.sum()), probs=chances.tolist(), probs_sum=float(chances.sum()))
    return Finding(same, same, numbers, s)


def average(s: Scenario) -> Finding | None:
    """The heads' outputs are averaged: do so, and compare the logits; and find another prompt with the very same mean."""
    layer, w = layer_of(s), np.array(s.w_vocab)
    context = layer.context[:, -1, 0]
    twin = same_mean(s, layer)
    if largest_gap(averaged(context) @ w, context @ w) < READABLE or twin is None:
        return None
    other = layer_of(twin).context[:, -1, 0]
    numbers = dict(mean=float(context.mean()), twin_mean=float(other.mean()), values=twin.values)
    numbers |= dict(logits=(context @ w).tolist(), averaged=(averaged(context) @ w).tolist(), twin=(other @ w).tolist())
    same = bool(np.allclose(numbers["averaged"], numbers["logits"]))
    return Finding(same, same, numbers, s)


def decode_makes_the_first(s: Scenario, words: int = STEPS) -> Finding:
    """The first new word comes out of decode: count the decode steps that answers of one word and of several take."""
    model = s.model()
    one, several = (len(generate(model, s.prompt_ids, g).passes) - 1 for g in (1, words))
    return Finding(one > 0, True, dict(first=one, several=several, words=words), s)


def attention_finds_the_word(s: Scenario) -> Finding | None:
    """Attention arrives at the fitting word: exchange two columns of W, and leave all attention as it is."""
    logits, w = next_logits(s), np.array(s.w_vocab)
    best, least = int(logits.argmax()), int(logits.argmin())
    w[:, [best, least]] = w[:, [least, best]]
    other = replace(s, w_vocab=tuple(map(tuple, w.tolist())))
    swapped = next_logits(other)
    if best == least or len(likeliest(logits)) > 1:
        return None  # of words that draw level none is the one that attention could have found
    before, after = (layer_of(x).weights for x in (s, other))
    winner = int(swapped.argmax())
    numbers = dict(moved=int((before != after).sum()), weights=before.size, before=s.words[best], after=s.words[winner])
    numbers |= dict(logits=logits.tolist(), swapped=swapped.tolist())
    return Finding(winner == best, True, numbers, s)
