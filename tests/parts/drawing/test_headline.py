"""The headline of a figure: as large as its room allows, never wider than it, and never read as markup."""

import pytest

from pages.parts.drawing.headline import BOLD, LARGE, LEAST, PHONE_LARGE, PHONE_LEAST, headline
from pages.parts.drawing.sheet import Sheet, ems


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("words", [1, 4, 9, 80])
def test_it_fits_its_room(phone, words):
    text = " ".join(["passes"] * words)
    sheet = Sheet(phone=phone)
    sheet.on_phone()
    headline(sheet, text, until=0.9)
    ((_, _, written, size, *_),) = sheet.words
    shown = written.removeprefix("<b>").removesuffix("</b>")
    least, large = (PHONE_LEAST, PHONE_LARGE) if phone else (LEAST, LARGE)
    assert least <= size <= large
    assert BOLD * ems(shown) * size <= 0.9 * sheet.wide + 2
    assert (shown == text) == (BOLD * ems(text) * least <= 0.9 * sheet.wide - 4)


def test_a_phone_has_a_shorter_one_and_nothing_is_markup():
    for phone in False, True:
        sheet = Sheet(phone=phone)
        sheet.on_phone()
        headline(sheet, "1 < 2, and long", "1 < 2")
        assert sheet.words[0][2] == ("<b>1 &lt; 2</b>" if phone else "<b>1 &lt; 2, and long</b>")
