"""What to ask in the lesson with the clock, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "The clock": Note(
        6,
        "With the cache and without: after which word will you see a difference?",
        {
            "At once": "at the first word both have done the same: prefill",
        },
    ),
    "The same?": Note(
        4,
        "Are the logits the same, bit for bit?",
        {
            "yes, in every bit": "sums in another order round differently",
            "no, visibly different": "a cache is taken for an approximation; it is none",
        },
    ),
    "The cache fills": Note(
        3,
        "How many bytes does a word add?",
    ),
    "Without the mask": Note(
        4,
        "In which layers does the cache hold what recomputing would not give?",
        {
            "from layer 1 on": "the first layer’s keys come from the token alone",
            "in none": "later layers have read rows that did not see the new token",
        },
    ),
}
