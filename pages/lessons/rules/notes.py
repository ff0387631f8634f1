"""What to ask in the lesson on head rules, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "One token looks back": Note(
        6,
        "Choose a token. Whom may each head see from there, and what is their average? Let them work out one head on paper.",
        {
            "Heads see the words after them, too": (
                "the mask hides what comes later; the model could not know it when it writes"
            ),
            "The largest value wins": "a head averages what it sees; it does not choose",
        },
    ),
    "Mixed values": Note(
        4,
        "Which context does the head make? Write it down before anybody says a number.",
        {
            "The sum of the values": "weights sum to one: a context is an average, not a sum",
            "The average of all values": "the rule decides who is seen, the mask hides the future",
        },
    ),
    "Nothing matches": Note(
        5,
        "The rule matches nothing at this position. What should a program do then?",
        {
            "NaN": "right for a program without a guard; this scenario may have one",
            "The average of what it may see": "what softmax does with nothing but non-matches: somebody has to get the weight",
        },
    ),
    "Value and weight": Note(
        4,
        "Which of the two tokens gets the larger share?",
        {
            "The token with the larger value": "a value is content, not importance: the share comes from query and key alone",
        },
    ),
    "Two readings": Note(
        4,
        "The word “last” can mean two things. Where do the two readings differ, and does it matter for the next word?",
    ),
}
