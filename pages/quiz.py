"""Check yourself: questions drawn by a seed, the same for everybody who has the link, each answer computed."""

from pages.lessons.quiz import notes, steps
from pages.lessons.quiz.drawn import quiz
from pages.parts.lesson.lesson import lesson

steps.check_link()
lesson(
    "Can you work it out yourself?",
    steps.questions,
    steps.result,
    given=steps.given,
    source=(quiz,),
    toy=False,
    teaching=notes.NOTES,
)
