"""The lessons by name, in the order of the menu. A name is that of a folder in pages/lessons, with its LESSON, and of a page.

A new lesson is one line here.
"""

from importlib import import_module

from pages.parts.lesson.lesson import Lesson, Screen

DEFAULT = "start"  # what the root shows
REFERENCE = ("glossary",)  # pages that no lesson leads to
SECTIONS = {
    "": (DEFAULT,),
    "The story": ("why", "overview", "rules", "attention", "prefill", "logits", "decode", "cache", "counting"),
    "A trained model": ("inside", "generate"),
    "How it is really kept": ("paging", "second_turn", "less", "tiles"),
    "On real hardware": ("memory", "roofline", "many", "guess", "serverlog"),
    "Check yourself": ("claims", "quiz", "glossary"),
}
IN_THE_MENU: dict[str, Lesson | Screen] = {
    name: import_module(f"pages.lessons.{name}").LESSON for names in SECTIONS.values() for name in names
}
LESSONS = {name: lesson for name, lesson in IN_THE_MENU.items() if isinstance(lesson, Lesson)}
