"""What to ask in the lesson on tiles, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "One row": Note(
        6,
        "Step through the blocks: where does the largest score change, if it does? What is then wrong with the sum before it?",
        {
            "by 1: it stays": (
                "right only where no larger score came: every exponential was taken below the largest score of its time"
            ),
            "By more than 1": "old and new are exchanged: exp(old − new) is never above 1, for the largest score so far never falls",
            "Softmax needs the whole row first": "the largest score and the sum are thought to come first: both can run along",
        },
    ),
    "The whole map": Note(
        5,
        "Point at the tiles that nobody needs. Which ones are needed for a part only?",
        {
            "All of the square": "the mask is put on after the scores are there: a tile that is hidden altogether is left out",
            "Half of the square": (
                "the diagonal is halved with the rest: a tile on it holds keys that may be seen, so it has to be computed"
            ),
        },
    ),
    "100,000 tokens": Note(
        4,
        "Ten times as many tokens: by what factor does each of the three lines grow?",
        {
            "0.0002 GB": "a score for each token is counted: it is one for each pair of tokens",
            "10 GB": "the masked half is left out: an array of all scores has room for it as well",
            "Tiles save the products": "memory and work are mixed up: every score that may be seen is still computed",
        },
    ),
}
