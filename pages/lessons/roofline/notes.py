"""What to ask in the lesson on the roofline, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Under the roof": Note(
        6,
        "Prefill and decode on one machine: which waits for what?",
        {
            "Decode has less to compute, so it is nearer to the peak": "it computes less for each byte that it fetches",
        },
    ),
    "Operations": Note(
        4,
        "Which operation takes the time of a decode step?",
    ),
    "Attention": Note(
        4,
        "Does a larger batch help attention as it helps the weights?",
        {
            "Yes": "every sequence reads a cache of its own",
        },
    ),
    "Batching": Note(
        5,
        "Twice the sequences: how long does the step take?",
        {
            "it about doubles": (
                "the weights are fetched once for all; as long as they are most of the bytes, a second sequence is nearly free"
            ),
            "it hardly changes": "right only while the caches are small beside the weights",
        },
    ),
    "One request": Note(
        4,
        "First token, then the rest: after how many seconds is the answer complete?",
        {
            "All words times the gap, added to the first": "the first word has come already: one gap fewer than words",
        },
    ),
    "Cache or weights?": Note(
        4,
        "From how many tokens on are more bytes read of the cache than of the weights?",
    ),
    "A limit": Note(
        4,
        "Lower the limit step by step: how many sequences are left, and how many tokens a second in all?",
        {
            "Half the time, half the tokens a second": (
                "time and batch are thought to go together: the weights are read in every step, however many share it"
            ),
            "The largest batch is the best": "best for tokens a second in all; each reader waits longer for the next one",
        },
    ),
    "A bound": Note(
        3,
        "Which of these numbers is a bound, and which was measured?",
    ),
}
