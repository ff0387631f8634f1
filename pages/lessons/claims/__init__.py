"""Claims court: what is said about prefill, decode and the cache, put to the vote and then to the experiment."""

from engine.claims import Finding, find
from pages.lessons.claims import steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "True, true with a caveat, or wrong?",
    (steps.court,),
    title="Claims court",
    icon="gavel",
    given=steps.given,
    about=steps.about,
    source=(find, Finding),
)
