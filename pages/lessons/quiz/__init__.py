"""Check yourself: questions drawn by a seed, the same for everybody who has the link, each answer computed."""

from pages.lessons.quiz import steps
from pages.lessons.quiz.drawn import quiz
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "Can you work it out yourself?",
    (steps.questions,),
    title="Quiz",
    icon="quiz",
    check_link=steps.check_link,
    given=steps.given,
    source=(quiz,),
    toy=False,
    about=steps.about,
)
