"""Many requests at once: who computes when under four policies, what that does to waiting, and how many devices a load needs."""

from engine.serving import beginnings, goodput, knee_so_far, printed, simulate
from engine.serving.scheduler.policies import chunked, continuous, static
from pages.lessons.many import beside, devices, full, load, notebook, timeline, words
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What if many ask at once?",
    (timeline.timeline, beside.beside, devices.devices, full.full, words.words),
    title="Many requests",
    icon="groups",
    on_the_map="Why does my chat pause while others ask?",
    toy=False,
    given=load.given,
    source=(simulate, static, continuous, chunked, printed, beginnings, goodput, knee_so_far),
    notebook=notebook.cells,
)
