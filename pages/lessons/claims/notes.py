"""What to ask in the claims court, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "The court": Note(
        10,
        "Read the claim aloud, vote by hands, then let the experiment decide.",
        {
            "true": "most claims in print are true with a caveat: ask for the case in which they fail",
        },
    ),
    "The verdicts": Note(
        3,
        "Which verdict surprised you, and which experiment would change it?",
    ),
}
