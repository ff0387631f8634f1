"""What to ask in the lesson on prefill, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Three ways": Note(
        6,
        "One pass or one token at a time: which computes more products that count?",
        {
            "fewer": "speed is taken for less work: the products are the same, they are done side by side",
            "more": "the hidden half of the square is counted; the mask takes it away",
        },
    ),
    "A long prompt": Note(
        5,
        "Twice the prompt: how many times as many products?",
        {
            "Twice as many": "every token meets every one before it, so products grow with the square",
        },
    ),
    "No row sees ahead": Note(
        5,
        "I change the last token. Which rows of the others change?",
        {
            "All of them": "the causal mask is forgotten: a row depends on its own token and earlier ones",
        },
    ),
    "Without the mask": Note(
        5,
        "Switch the mask off: which rows stay exactly as they are?",
        {
            "only the first": "the first row gains the most: it saw itself only, and now sees all",
            "every row": "the mask is taken for decoration; all rows but the last lose it",
            "none": "the last row saw everything already",
        },
    ),
}
