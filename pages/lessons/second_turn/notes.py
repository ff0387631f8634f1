"""What to ask in the lesson on the second turn of a chat, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "The second turn": Note(
        6,
        "Which tokens run at the second turn although they were said before? Why these?",
        {
            "All but the clock time itself": (
                "the cache is taken for a list of words: a block is found only where everything before it is the same too"
            ),
            "At least the answer, for the model wrote it itself": (
                "who wrote a token does not matter: its keys were made with the old time before them"
            ),
            "0 tokens": "right only where not one whole block lies before the change",
        },
    ),
    "What it costs": Note(
        5,
        "Which of the three bills is the largest? Find a price that makes it another one.",
        {
            "at once": "right only where writing costs less than fresh input: otherwise somebody must read what was stored",
            "never": "right only where neither writing nor reading costs less than fresh input",
            "More readings than that": (
                "the first turn is forgotten on the other side: without storing, its tokens have their price there too"
            ),
        },
    ),
}
