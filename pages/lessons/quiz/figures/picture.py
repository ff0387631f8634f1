"""A question of the quiz as a picture: what it gives, and beside it what is to be found, a question mark until it is known."""

from pages.lessons.quiz.figures.amounts import Bars, Product, Tiles, draw_bars, draw_product, draw_tiles
from pages.lessons.quiz.figures.tokens import Pairs, Strip, Words, draw_context, draw_pairs, draw_strip, draw_words
from pages.parts.drawing.answers import number_to_find
from pages.parts.drawing.sheet import Sheet, SheetFigure

Given = Words | Pairs | Strip | Bars | Tiles | Product
HEIGHT = 190.0  # pixels of the picture
ON_PHONE = 150.0  # pixels of what is given, on a phone
SOUGHT = 50.0  # pixels of what is to be found, on a phone beneath what is given
COLUMNS = 180.0  # pixels of values with their context, on a phone
ENDS, BEGINS = 0.8, 0.83  # shares of the width: where what is given ends, and what is to be found begins
DRAW = {Strip: draw_strip, Bars: draw_bars, Tiles: draw_tiles, Product: draw_product}


def picture(sheet: Sheet, given: Given, answer: str = "") -> SheetFigure:
    """answer: "" while it is open."""
    phone = sheet.on_phone()
    height = ON_PHONE if phone else HEIGHT
    if isinstance(given, Words) and given.asks == "context":
        height = COLUMNS if phone else HEIGHT
        end, begin = (0.76, 0.8) if phone else (ENDS, BEGINS + 0.01)
        draw_words(sheet, given, (0.0, 0.0, end, height), answer)
        draw_context(sheet, given, (begin, 0.0, 0.99, height), answer)
        return sheet.figure(height)
    box = (0.0, 0.0, 1.0 if phone else ENDS, height)
    if isinstance(given, Pairs):
        draw_pairs(sheet, given, box, bool(answer))
    elif isinstance(given, Words):
        draw_words(sheet, given, box)
    else:
        DRAW[type(given)](sheet, given, box)
    left, top, bottom = (0.0, height + 8, height + SOUGHT) if phone else (BEGINS, 0.0, height)
    number_to_find(sheet, (left, top, 1.0, bottom), given.asks, answer)
    return sheet.figure(bottom)
