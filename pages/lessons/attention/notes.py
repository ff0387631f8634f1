"""What to ask in the attention lesson, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "One head": Note(
        7,
        "I make one value larger. Which of the cells on screen will move? Point at them first, then move the slider.",
        {
            "all": (
                "value and weight are taken for one thing: weights come from queries and keys, the value only passes through"
            ),
            "all in its column": "the column of the token is suspected to carry its value; it carries its key",
            "one": "a cell is taken for the token’s own; a score belongs to two tokens",
        },
    ),
    "All heads": Note(
        5,
        "Which two heads would you swap, and what would happen to the next word? Try it.",
        {
            "Heads vote on the word": "each head’s context is one number in a vector; W turns the vector into logits",
        },
    ),
    "One cell": Note(
        6,
        "Go through the written-out cell line by line: which number would change if the token stood elsewhere?",
    ),
    "Softer scores": Note(
        4,
        "The scores get smaller. Does the last row’s context rise, fall or stay?",
        {
            "it stays the same": (
                "softmax is taken for a choice of the largest; with scores closer together the others get their share"
            ),
        },
    ),
    "More questions": Note(
        4,
        "How much weight is left on a token that does not match?",
        {
            "exactly 0": "only the mask gives exactly 0; softmax never does",
            "half of a match’s weight": "the exponential is missed: a difference of scores is a factor of weights",
        },
    ),
}
