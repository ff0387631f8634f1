"""What to ask in the lesson on logits, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "W, cell by cell": Note(
        6,
        "Which single number of W would you change to make another word win?",
        {
            "The largest number of W decides": "a number of W counts as often as its head’s context is large",
        },
    ),
    "One head silent": Note(
        4,
        "Switch this head off: which word wins then?",
        {
            "The same word": "each head is thought to vote for the winner; one may have carried it alone",
        },
    ),
    "Nearest flip": Note(
        4,
        "Which value has to move least for another word to win?",
    ),
    "Temperature": Note(
        5,
        "Temperature 2: what is the chance of the likeliest word now?",
        {
            "Half of what it was": "logits are halved, not chances; the exponential stands between them",
            "The order of the words changes": "dividing all logits by one number keeps their order",
        },
    ),
    "Drawing a word": Note(
        4,
        "Draw a hundred times: how often will the likeliest word come?",
        {
            "Always": "greedy choice is taken for drawing",
        },
    ),
    "No average": Note(
        4,
        "Same average of the heads, other values: is it the same word?",
        {
            "the same logits": "the heads’ outputs are thought to be averaged; they stand side by side and W reads each",
        },
    ),
}
