"""What to ask in the lesson on decode, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "One row": Note(
        6,
        "A word comes in. Which context will that head give its row? What else has to be computed?",
        {
            "The whole map has to be computed again": (
                "under the mask old rows do not see the new token: they stay, unless a key speaks of the future"
            ),
            "The average without the new token": "a token sees itself",
        },
    ),
    "Two ways": Note(
        5,
        "We compute everything again with the new token in. Which of the old rows come out different?",
        {
            "more than that": "the new token is thought to be seen by earlier ones",
            "only the last of them": "true for the key that says “I am the last”, and only for that",
        },
    ),
    "The loop": Note(
        5,
        "The word is fed back in. Which word comes next, and will it ever stop?",
        {
            "Another word, for this one has been said": (
                "a model is thought to mind repeating itself: the word that wins is worked out anew, and may well be the same"
            ),
        },
    ),
    "More questions": Note(
        4,
        "The mask is off now. How many of the old rows change when a word comes in?",
        {
            "None": "what makes a cache valid is the mask; without it every row sees the new token",
        },
    ),
}
