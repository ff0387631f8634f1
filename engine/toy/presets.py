"""Scenarios that teach something, by name: the article's two, and three of ours."""

from __future__ import annotations

from engine.toy.scenario import Scenario

PRESETS: dict[str, tuple[Scenario, str]] = {
    "Article, text": (
        Scenario.article(),
        "The four tokens, values and rules of the article's text.",
    ),
    "Article, code": (
        Scenario.article_code(),
        "The article's listing: head 2 asks for the last of the prompt, a key that knows the future and breaks the cache.",
    ),
    "Nine tokens": (
        Scenario(
            tokens=("The", "soup", "was", "cold", "but", "the", "weather", "is", "so"),
            values=(1, 12, 1, -6, 1, 1, 20, 1, 5),
            rules=("even", "previous", "first", "window:3"),
        ),
        "A longer prompt: the triangle grows with the square of its length, and an average over more tokens says less of each.",
    ),
    "Two tokens": (
        Scenario(tokens=("so", "warm"), values=(5, 8)),
        "The smallest prompt that needs a mask: of four scores it hides exactly one.",
    ),
    "Delicious wins": (
        Scenario(tokens=("Lunch", "today", "is", "so"), values=(40, 20, 1, 5)),
        "Only the first value differs. Head 3 looks at the first token, and W lets that head speak for “delicious”.",
    ),
}
