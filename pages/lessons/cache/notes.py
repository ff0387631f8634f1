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
        "From how many layers on is the cached row wrong?",
        {
            "1": "in one layer keys and values depend on their own token only, so they stay true",
            "with none of them": "in the second layer they depend on rows that have seen too little",
        },
    ),
    "One row off": Note(
        4,
        "All keys are moved by one place. What goes wrong first?",
    ),
    "More questions": Note(
        4,
        "A key that says “I am the last”: how large is the gap?",
        {
            "0": "a key may know only the past; this one knew the future of nobody",
        },
    ),
}
