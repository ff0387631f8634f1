"""The engine: how a language model turns a prompt into text, in NumPy, small enough to read.

    scenario = Scenario.article()
    model = scenario.model()
    cache = KVCache.for_model(model, n_ctx=64)
    run = prefill(model, scenario.prompt_ids, cache)   # the whole prompt in one pass
    step = decode_step(model, run.logits[-1].argmax(), cache)   # one token, one new row

A trained transformer runs under the same calls:

    model = bundled()                                  # or load(folder) for a checkpoint of your own
    run = prefill(model, model.tokenizer.encode("Today's weather is so"))

and behind any cache that keeps the protocol engine.cache.Cache, such as those of engine.caches:

    generate(model, prompt_ids, 20, cache=PagedCache.for_model(model, n_ctx=64, block_size=4))

What it costs, from a model's shape and a device's three numbers, says engine.cost:

    cost.sizing(cost.MODELS["Llama-3.1-8B"], cost.DEVICES["A100-80"], cost.Demand(n_ctx=100_000))

Dimensions, used as names everywhere:
    n_layer     blocks                              d_head    width of a query or a key
    n_head      query heads                         d_v       width of a value
    n_kv_head   key/value heads (1: multi-query)    n_vocab   words that have a logit
    n_past      tokens already cached               n_ctx     longest sequence
    n_new       tokens in this pass                 n         n_past + n_new
Arrays are head-first and have no batch axis. Positions count from 0 here and from 1 on the pages and in the rules.
"""

from engine import cost
from engine.attention import Attention, attention, causal_mask, softmax
from engine.cache import KVCache
from engine.counts import Counts
from engine.decode import Generation, decode_step, generate, recompute
from engine.model import ForwardPass, Model
from engine.prefill import chunked_prefill, prefill
from engine.sampling import probabilities, sample
from engine.toy.rules import Rule
from engine.toy.scenario import Scenario
from engine.trained.bundled import bundled, checkpoints
from engine.trained.induction import HeadScores, head_scores
from engine.trained.loading import load
from engine.trained.transformer import Transformer

__all__ = [
    "Attention", "Counts", "ForwardPass", "Generation", "HeadScores", "KVCache", "Model", "Rule", "Scenario", "Transformer",
    "attention", "bundled", "causal_mask", "checkpoints", "chunked_prefill", "cost", "decode_step", "generate", "head_scores", "load",
    "prefill", "probabilities", "recompute", "sample", "softmax",
]  # fmt: skip
