"""What to ask in the lesson on keeping less, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "On the toy": Note(
        6,
        "Does a head look at the first tokens? Keep them beside the newest ones: which word comes out now?",
        {
            "The word of everything kept, for more is seen again": (
                "keeping more is taken for being nearer, and nearer for being right: neither follows"
            ),
            "The window’s word, for the first tokens are old": (
                "age is taken for weight: a head whose rule the first tokens match gives them weight however far back they are"
            ),
        },
    ),
    "On a trained model": Note(
        5,
        "What this head looks at most: which of the caches still show it? Then count the words that change.",
        {
            "All four, for each has lost something": (
                "a small error is taken for another word: the word changes only where another one overtakes the likeliest"
            ),
            "Not the one with 2 bits, for nothing is missing there": (
                "every row is there, but its numbers are those of the nearest level, and scores and contexts are made of them"
            ),
        },
    ),
    "The first tokens": Note(
        5,
        "Read off the map: how much weight does any head leave on the first token? What would dropping it take away?",
        {
            "the first and the newest": (
                "what was published of large models is taken for a law: it holds where heads leave much weight on the first "
                "token, and the map says whether these do"
            ),
            "Nearer tokens always matter more": "nearness is taken for importance: what a head looks at is measured, and may lie far back",
        },
    ),
    "Fewer bits": Note(
        5,
        "Find the channel of keys that stands out most. If it shares a low and a high with the others, what becomes of the small ones?",
        {
            "a token in each head shares them": (
                "the numbers of one token are thought to be of one size: a channel that stands out widens their range, and the "
                "small ones fall on few levels"
            ),
            "hardly different: within 5%": (
                "the same number of bits is taken for the same error: the step between two levels is the group’s range, divided"
            ),
        },
    ),
    "Only the summary": Note(
        5,
        "Count: how many sums do the contexts give, and how many values are unknown?",
        {
            "yes, all of them": (
                "a context is taken for a copy of what it was made from: it is one sum, and only as many independent sums as "
                "there are values can be undone"
            ),
            "No, for a sum never gives its parts back": (
                "one sum does not: as many independent ones as there are parts give back each of them"
            ),
        },
    ),
}
