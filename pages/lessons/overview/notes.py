"""What to ask in the overview, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Two phases": Note(
        5,
        "Vote first, by hands: which word comes next, and how many passes does the answer take?",
        {
            "Each word of the prompt takes a pass of its own": (
                "reading is taken for writing: the prompt is there already, so one pass reads all of it"
            ),
            "The whole answer comes out at once": "each word is chosen from all before it, so there is one pass for each",
        },
    ),
    "How many steps?": Note(
        3,
        "How many decode steps does an answer of that many words take? Count the passes in the figure aloud.",
        {
            "One for each word of the answer": "the first word comes out of prefill; only the others need a step of their own",
            "One for each token of the prompt and the answer": "a prompt’s tokens go through the model together",
        },
    ),
    "All lessons": Note(
        1,
        "Where do we go today, and what do we leave for home?",
    ),
}
