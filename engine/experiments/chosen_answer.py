"""An answer whose words are drawn, chosen, or both, as far as it goes: what a stepper goes through, one decode step at a time.

And the same tokens run twice, behind a cache and from scratch, so that the two can be compared at every step.
"""

from collections.abc import Sequence

from engine.cache import KVCache
from engine.decode import Generation, NoNextToken, generate, passes
from engine.model import ForwardPass, Model


def answer(
    model: Model, prompt_ids: Sequence[int], n_words: int, chosen_ids: Sequence[int] = (), temperature: float = 0.0, seed: int = 0
) -> Generation:
    """`generate`, but an answer that cannot go on is returned as far as it went: up to the pass whose logits are not numbers.

    The passes are always all that were run, so the last of them may have no word of its own.
    """
    try:
        return generate(model, prompt_ids, n_words, temperature=temperature, seed=seed, chosen_ids=chosen_ids)
    except NoNextToken as end:
        return end.answer


def cached_and_recomputed(
    model: Model, prompt_ids: Sequence[int], answer_ids: Sequence[int]
) -> list[tuple[ForwardPass, ForwardPass]]:
    """The prompt and then each id of `answer_ids`, run twice: (behind a cache, the whole sequence again) for every step."""
    cached = passes(model, prompt_ids, KVCache.for_model(model, len(prompt_ids) + len(answer_ids)))
    whole = passes(model, prompt_ids)
    return [(cached.send(token_id), whole.send(token_id)) for token_id in (None, *answer_ids)]
