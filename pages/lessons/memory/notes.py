"""What to ask in the lesson on the cache’s size, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "The multiplication": Note(
        6,
        "One long sequence: how many bytes? Multiply it out before you commit.",
        {
            "Half of it": "keys and values are two",
            "Several times as much": "query heads are counted in place of key and value heads",
            "GiB given for GB": "10⁹ and 2³⁰ differ by seven per cent",
        },
    ),
    "Other models": Note(
        4,
        "Which of these keeps the largest cache, and is it the largest model?",
        {
            "The largest model": "the cache grows with layers, key heads and length, not with the weights",
        },
    ),
    "Share heads": Note(
        4,
        "Half as many key heads: what becomes of the cache, and of the weights?",
    ),
    "Mistakes in print": Note(
        4,
        "Each of these numbers was printed somewhere. What was forgotten?",
    ),
    "Your model": Note(
        4,
        "Paste the config.json of a model that you know.",
    ),
}
