"""What to ask in the lesson on the cache, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "What to keep": Note(
        5,
        "Of query, key and value: what will a later token need of this one?",
        {
            "q, k and v": "a query asks once, for its own row, and is never asked for again",
            "the weights": "weights belong to a row that is finished",
            "only q": "what asks and what is asked are mixed up",
        },
    ),
    "Row by row": Note(
        5,
        "How many rows does the cache hold after that many words?",
        {
            "One more": "the last word of the answer is chosen and never fed back",
        },
    ),
    "Two runs": Note(
        5,
        "With the cache and without: where may the numbers differ?",
        {
            "Everywhere a little": "the same sums in the same order give the same numbers; another order, rounding",
        },
    ),
    "Mask off": Note(
        5,
        "Without the mask a word comes in: which of the old keys and values would be computed differently now?",
        {
            "layer 1’s": "in the first layer keys and values depend on their own token only, so they stay true",
            "none": "in the second layer they depend on contexts, and those take in the new word",
        },
    ),
    "One row off": Note(
        4,
        "A row is missing in the cache, or is there twice: how far off are the logits, and who would notice?",
        {
            "The program stops": "every shape still fits: only a count of the rows says at which position the token stands",
        },
    ),
    "In motion": Note(
        3,
        "Watch one decode step: what is computed in it, and what is only read?",
        {
            "The whole prompt once more": "that is a run without a cache: here old keys and values are read as they are",
            "The answer’s last word is in the cache as well": "it comes out of the step: its key and value are made in the next one",
        },
    ),
    "More questions": Note(
        4,
        "A key says “I am the last token”. A word comes in: for which row is that no longer true?",
        {
            "For none, a cache is exact": "it is where a key says only what its token knew when it came: this one spoke of the future",
            "For the new one": "the newest token is the last one now, so its key is right: the row before it still says the same",
        },
    ),
}
