"""Read your server's log. What vLLM, llama.cpp and SGLang print of their cache and their times, beside what it must be."""

from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import times
from pages.lessons.serverlog import notebook, steps, understood
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does your server’s log say?",
    (understood.understood, steps.adds_up, steps.bounds),
    title="Read your server’s log",
    icon="receipt_long",
    on_the_map="Does what a server prints add up?",
    given=steps.given,
    source=(read_log, cache_checks, times),
    toy=False,
    notebook=notebook.cells,
)
