"""What to ask in the lesson on counting, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Pass by pass": Note(
        6,
        "How many keys are computed in all with a cache? Add up the passes before you look.",
        {
            "Prompt plus answer": "the last word of the answer never passes through the model",
        },
    ),
    "Two baselines": Note(
        5,
        "Only the newest token asks: how many products does each way take?",
        {
            "Fewer products when only the newest asks": "keys and products are taken for one thing: the keys are computed again",
        },
    ),
    "Twice the answer": Note(
        5,
        "The answer gets twice as long, behind a cache. By what factor do the products grow?",
        {
            "2": "rows grow in step; products meet all rows so far",
            "8": "that is the way without a cache",
        },
    ),
    "The clock": Note(
        4,
        "Counts are exact. Why are times not?",
    ),
    "What it costs": Note(
        4,
        "Which of the factors does a longer conversation change? Which could the builders of the model have chosen smaller?",
        {
            "The heads are those of the queries": "several query heads share one key and value here: it is the key/value heads that count",
            "Only the new row is read": "one row is written, but the new query meets every kept key, so all are read at every step",
        },
    ),
    "More questions": Note(
        4,
        "Rows without a cache, rows when the answer doubles, rows that are copied: three sums.",
    ),
    "In five sentences": Note(
        4,
        "Close the screen: two phases, what is kept, why it stays true, what it costs, what it does not save. A sentence each?",
        {
            "It keeps the attention": "scores and weights are thrown away after each pass; keys and values are kept",
            "It makes the answer linear": "rows grow in step with the tokens, products with their square",
        },
    ),
}
