"""The verdict that each statement of the court must come to."""

from engine.claims import VERDICTS

TRUE, CAVEAT, WRONG = VERDICTS
EXPECTED = {
    "values": WRONG, "every_other": WRONG, "newest_needs_no_mask": CAVEAT, "logits_are_chances": WRONG, "average": WRONG,
    "only_the_query": WRONG, "queries_are_dropped": TRUE, "decode_makes_the_first": WRONG, "attention_finds_the_word": WRONG,
    "old_rows_stay": CAVEAT, "same_result": CAVEAT, "contexts_are_reused": CAVEAT, "weights_are_spared": WRONG,
    "keys_and_values_linear": TRUE, "square_without": CAVEAT, "linear_with": CAVEAT, "steady_pace": CAVEAT,
    "keys_never_change": CAVEAT, "gqa_is_a_strategy": WRONG, "a_latent_saves": CAVEAT,
}  # fmt: skip
