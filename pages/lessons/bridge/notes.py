"""What to ask in the bridge, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Side by side": Note(
        5,
        "What of the toy is the same in a real model, and what is larger only?",
        {
            "Real models do something else": "the same equation, more of everything",
        },
    ),
    "What it means": Note(
        4,
        "How many times as many rows without a cache?",
        {
            "As many times as there are words": "every pass is longer than the one before",
        },
    ),
}
