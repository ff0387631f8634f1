"""The names in a link that say how a lesson is shown, or go with a visit, and not what the lesson is about: whose each is.

All of them go from lesson to lesson, also where each has numbers of its own.

    stays     Reset and a preset leave it, it may be set on paper, and where it has changed the whole page runs
    asked     Share asks for it anew, so that a link brings nothing that its maker only happened to see
    window    the lesson and the teacher's notes, two windows that follow each other, have one each
    class     what the class is used to on the teacher's screen: a tab that takes the room back shows it the same way
    teacher   no phone is sent it
"""

VIEW = {
    "slide": "stays",
    "steps": "stays asked window teacher",
    "present": "stays asked window teacher class",
    "only": "stays asked window teacher",
    "controls": "stays asked window teacher",
    "handout": "stays asked window teacher",
    "notes": "stays asked window teacher",
    "lock": "stays asked window teacher",
    "answers": "stays asked teacher",
    "open": "asked teacher",
    "prepared": "asked window teacher",
    "route": "stays class",
    "own_route": "stays teacher class",
    "room": "teacher",
    "owner": "teacher",
    "prompt": "",
    "seed": "",
}


def that_are(whose: str) -> tuple[str, ...]:
    """The names of which that holds."""
    return tuple(name for name, said in VIEW.items() if whose in said.split())
