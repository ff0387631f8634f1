"""Read your server's log. What vLLM, llama.cpp and SGLang print of their cache and their times, beside what it must be."""

from engine.serving.log_checks import cache_checks, times
from engine.serving.log_lines import read_log
from pages.lessons.serverlog import notebook, notes, steps
from pages.parts.lesson.lesson import lesson

lesson(
    "What does your server’s log say?",
    steps.understood,
    steps.adds_up,
    steps.bounds,
    given=steps.given,
    source=(read_log, cache_checks, times),
    toy=False,
    notebook=notebook.cells,
    teaching=notes.NOTES,
)
