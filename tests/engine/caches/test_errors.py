"""The last pass behind a cache says where the keys stood that it read; its error is the one that cache_error gives."""

import numpy as np
from scenarios import FAR_APART, TEXT

from engine import KVCache, bundled, prefill
from engine.caches import HeavyHitterCache, QuantisedCache, WindowCache, cache_error, last_pass, pass_error, relative_error

IDS = (*TEXT.prompt_ids, 0)


def test_places_are_those_of_the_rows_that_were_read():
    model = TEXT.model()
    plain = KVCache.for_model(model, 8)
    prefill(model, IDS, plain)
    caches = {
        (0, 1, 2, 3, 4): KVCache.for_model(model, 8),
        (3, 4): WindowCache.for_model(model, 8, 2),
        (0, 3, 4): WindowCache.for_model(model, 8, 2, 1),
    }
    for places, cache in caches.items():
        last = last_pass(model, IDS[:-1], IDS[-1:], cache)
        assert last.places[0].tolist() == [list(places)] and last.nbytes == (len(places) - 1) * 65 * 8
        np.testing.assert_array_equal(last.run.layers[0].v[0, :, 0], plain.v[0, 0, list(places), 0])


def test_each_head_has_its_own_places():
    model = bundled()
    ids = model.tokenizer.encode("Anna has a red kite . Ben has a blue boat . Anna has a")
    plain = KVCache.for_model(model, 64)
    prefill(model, ids, plain)
    last = last_pass(model, ids[:-1], ids[-1:], HeavyHitterCache.for_model(model, 64, 4, 4))
    assert last.places[0].shape == (model.n_kv_head, 9) and (last.places[0][:, -1] == len(ids) - 1).all()
    for head in range(model.n_kv_head):
        np.testing.assert_allclose(last.run.layers[0].k[head], plain.k[0, head][last.places[0][head]], atol=1e-6)


def test_without_an_answer_it_is_the_prompts_own_pass_and_errors_are_the_same_either_way():
    model = TEXT.model()
    assert last_pass(model, IDS, (), KVCache.for_model(model, 8)).places[0].tolist() == [[0, 1, 2, 3, 4]]
    made = [QuantisedCache.for_model(model, 8, 2, "token", "tensor", 4) for _ in range(2)]
    true, other = (last_pass(model, IDS[:-1], IDS[-1:], c).run for c in (KVCache.for_model(model, 8), made[0]))
    error = pass_error(true, other)
    assert error == cache_error(model, IDS[:-1], IDS[-1:], made[1])
    # 10, 20, 1, 5 between 1 and 20 in steps of 19 / 3; the new 7 is still itself.
    rounded = np.array([1 + 19 / 3, 20, 1, 1 + 19 / 3, 7])
    np.testing.assert_allclose(other.layers[0].v[0, :, 0], rounded)
    assert error.values == relative_error(rounded, np.array([10.0, 20, 1, 5, 7]))


def test_a_word_that_cannot_be_drawn_any_more_is_as_far_as_its_logit_says():
    """690.78 nats, of a chance held at 10⁻³⁰⁰, where the logits lie 499,455 and 250,170 apart: 749,625."""
    model, ids = FAR_APART.model(), (*FAR_APART.prompt_ids, 1)
    caches = KVCache.for_model(model, 16), WindowCache.for_model(model, 16, 2)
    true, other = (last_pass(model, ids[:-1], ids[-1:], cache).run for cache in caches)
    first, second = true.logits[-1], other.logits[-1]
    best = first.argmax()
    exact = first[best] - second[best] + second.max() - first.max()  # all chance is on one word before and after
    np.testing.assert_allclose(pass_error(true, other).kl, exact)
    assert exact > 100_000
