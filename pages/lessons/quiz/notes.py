"""How to use a quiz in class, and what a wrong option tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Questions": Note(
        10,
        "Read the question aloud, let everybody commit on their own screen, then ask for the computation, not for the option.",
        {
            "Another option": "each wrong number comes from one slip, which the page names: let whoever chose it find it first",
            "True, to a common belief": "ask for a case that would decide it before you show the count",
        },
    ),
    "Result": Note(3, "Which question would you now ask your neighbour, and which slip did most of you make?"),
}
