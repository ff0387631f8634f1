"""What to ask in the lesson on the trained model, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Where heads look": Note(
        6,
        "Find a head that you can put into words, and one that you cannot.",
        {
            "Every head has a meaning": "a few can be named; most blend",
        },
    ),
    "The next word": Note(
        5,
        "Which word does the model hold for the likeliest?",
    ),
    "How a head came to be": Note(
        6,
        "From which moment of its training on can it continue a list?",
        {
            "untrained (step 0)": "structure is taken for knowledge: the same network with random numbers says nothing",
            "never": "a small model can copy what it has just read",
        },
    ),
}
