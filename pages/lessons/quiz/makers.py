"""Every kind of question that a quiz may draw, with the lesson to read again where it went wrong."""

from pages.lessons.quiz import beliefs, cache_bytes, hardware, kept, toy_masks, toy_rows, words_and_steps, work
from pages.lessons.quiz import beliefs_on_the_cache as on_the_cache
from pages.lessons.quiz.task import Maker
from pages.parts.text.claims import CLAIMS


def belief(claim: str) -> str:
    """It as the claims court calls it, as a sentence."""
    return f"{CLAIMS[claim].short}."


MAKERS = (
    Maker("Context by hand", "rules", toy_rows.context),
    Maker("Rows that find nothing", "rules", toy_masks.rows_that_find_nothing),
    Maker("Matches", "rules", toy_masks.matches),
    Maker("An empty row", "rules", toy_rows.empty_context),
    Maker("A weight", "attention", toy_rows.one_weight),
    Maker("A score", "attention", toy_rows.score),
    Maker("Two weights compared", "attention", toy_rows.ratio),
    Maker("Rows without the mask", "prefill", toy_masks.without_mask),
    Maker("Products of a prefill", "prefill", toy_masks.pairs),
    Maker("Keys in sight", "prefill", toy_masks.keys_seen),
    Maker("The second chunk", "prefill", toy_masks.second_chunk),
    Maker("Twice the prompt", "prefill", toy_masks.twice_the_prompt),
    Maker("The next word", "logits", words_and_steps.next_word),
    Maker("A logit", "logits", words_and_steps.logit),
    Maker("Numbers in W", "logits", words_and_steps.numbers_in_w),
    Maker("A probability", "logits", words_and_steps.chance),
    Maker("Decode steps", "decode", work.decode_steps),
    Maker("Rows of a step", "decode", words_and_steps.computed_rows),
    Maker("The new context", "decode", words_and_steps.new_context),
    Maker("Old rows", "decode", words_and_steps.old_rows),
    Maker("Rows in the cache", "cache", kept.rows_held),
    Maker("Numbers kept", "cache", kept.numbers_kept),
    Maker("A stale key", "cache", kept.stale),
    Maker("A row too many or too few", "cache", kept.shifted_row),
    Maker("A window", "less", kept.windowed),
    Maker("Blocks", "paging", kept.blocks),
    Maker("Rows with a cache", "counting", work.rows_with),
    Maker("Rows without a cache", "counting", work.rows_without),
    Maker("Products with a cache", "counting", work.products_with),
    Maker("Products of a step", "counting", work.products_in_a_step),
    Maker("Twice the answer", "counting", work.twice_the_answer),
    Maker("Bytes a token", "memory", cache_bytes.token_bytes),
    Maker("Size of a cache", "memory", cache_bytes.cache_size),
    Maker("Tokens that fit", "memory", cache_bytes.tokens_that_fit),
    Maker("Shared heads", "memory", cache_bytes.shared_heads),
    Maker("Time of an answer", "roofline", hardware.whole_answer),
    Maker("Time of a step", "roofline", hardware.step_time),
    Maker("Where waiting ends", "roofline", hardware.ridge),
    Maker("What it waits for", "roofline", hardware.waits_for),
    Maker("Values and weights", "attention", beliefs.value_is_attention, "A token’s value is its attention."),
    Maker("Small values", "attention", beliefs.small_values_get_less, belief("values")),
    Maker("Mask after softmax", "attention", beliefs.mask_after_softmax, "The mask may as well come after softmax."),
    Maker("Softmax is soft", "attention", beliefs.softmax_picks_one, "Softmax picks one."),
    Maker("At once or one by one", "prefill", beliefs.parallel_saves_products, "Reading all at once is less arithmetic."),
    Maker("The last row", "prefill", beliefs.without_a_mask_all_rows_change, "Without the mask every row changes."),
    Maker("Who sees whom", "prefill", beliefs.every_token_sees_every_other, belief("every_other")),
    Maker("Logits and chances", "logits", beliefs.logits_are_chances, belief("logits_are_chances")),
    Maker("Heads and their mean", "logits", beliefs.heads_are_averaged, belief("average")),
    Maker("Attention and W", "logits", beliefs.attention_finds_the_word, belief("attention_finds_the_word")),
    Maker("The first token", "decode", on_the_cache.decode_makes_the_first, belief("decode_makes_the_first")),
    Maker("Old rows again", "decode", on_the_cache.old_rows_come_out_anew, "Old rows must be computed again."),
    Maker("A mask in decode", "decode", on_the_cache.the_newest_row_needs_the_mask, "The newest row needs the mask."),
    Maker("What a step computes", "cache", on_the_cache.only_the_query, belief("only_the_query")),
    Maker("Weights and the cache", "cache", on_the_cache.weights_are_cached, belief("weights_are_spared")),
    Maker("Contexts and the cache", "cache", on_the_cache.contexts_are_read, belief("contexts_are_reused")),
    Maker("Keys that may be kept", "cache", on_the_cache.any_key_may_be_cached, "Any key may be cached."),
    Maker("Growth with a cache", "counting", on_the_cache.the_cache_makes_decode_linear, belief("linear_with")),
    Maker("Growth without", "counting", on_the_cache.without_it_a_square, belief("square_without")),
    Maker("Early and late steps", "counting", on_the_cache.the_cache_makes_attention_constant, "The cache makes attention O(1)."),
    Maker("The first token’s work", "counting", on_the_cache.the_cache_speeds_up_the_first, "The cache speeds up the first token."),
    Maker("Shared heads, products", "memory", on_the_cache.sharing_heads_saves_products, belief("gqa_is_a_strategy")),
    Maker("The pace", "roofline", on_the_cache.the_pace_stays, belief("steady_pace")),
)  # fmt: skip
