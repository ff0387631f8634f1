"""The headline of a figure: as large as its room allows, never wider than it, and never read as markup."""

import pytest

from pages.parts.drawing.headline import LARGE, LEAST, PHONE_LARGE, PHONE_LEAST, TALL, headline, under_headline
from pages.parts.drawing.sheet import Sheet, bold_ems
from pages.parts.text.format import in_two


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("words", [1, 4, 9, 80])
def test_it_fits_its_room(phone, words):
    text = " ".join(["Passes"] * words)
    sheet = Sheet(phone=phone)
    sheet.on_phone()
    headline(sheet, text, until=0.9)
    least, large = (PHONE_LEAST, PHONE_LARGE) if phone else (LEAST, LARGE)
    lines = [(written.removeprefix("<b>").removesuffix("</b>"), size) for _, _, written, size, *_ in sheet.words]
    for shown, size in lines:
        assert least <= size <= large and bold_ems(shown) * size <= 0.9 * sheet.wide + 2
    fits = [bold_ems(line) * least <= 0.9 * sheet.wide - 4 for line in (text, in_two(text)[0])]
    assert len(lines) == (2 if phone and not fits[0] else 1)  # on a phone it has a second line before it is cut
    assert (" ".join(shown for shown, _ in lines) == text) == fits[len(lines) - 1]


def test_it_begins_with_a_capital_letter():
    sheet = Sheet()
    headline(sheet, "a request waits")
    assert sheet.words[0][2] == "<b>A request waits</b>"


def test_a_phone_has_a_shorter_one_and_nothing_is_markup():
    for phone in False, True:
        sheet = Sheet(phone=phone)
        sheet.on_phone()
        headline(sheet, "1 < 2, and long", "1 < 2")
        assert sheet.words[0][2] == ("<b>1 &lt; 2</b>" if phone else "<b>1 &lt; 2, and long</b>")


def test_whatever_is_drawn_stays_where_it_is_and_the_picture_begins_above_it():
    def drawn(sheet):
        sheet.draw_once("kept for the test of a headline", lambda: sheet.line("M0.1,5.00L0.2,7.00", "#000000"))
        sheet.frame(0, 10, 1, 20, "#000000")
        sheet.dots([0.5], [30.0], 4, "#000000")
        sheet.write(0, 40, "word")
        sheet.answers.append([0, 0, 1, 1, 2, "yes"])
        return sheet.figure(50, frames=[{"name": "a", "layout": {"shapes": [*sheet.shapes]}}]).to_plotly_json()

    plain = drawn(Sheet())
    for _ in range(2):
        under = drawn(under_headline(Sheet(), "found"))
        above = TALL * LARGE
        assert under["layout"]["yaxis"]["range"] == [50, -above] and plain["layout"]["yaxis"]["range"] == [50, 0]
        assert under["layout"]["height"] == round(50 + above)
        assert under["layout"]["shapes"] == plain["layout"]["shapes"] and under["frames"] == plain["frames"]
        *others, words = under["data"]
        *_, said = plain["data"]
        assert [list(trace["y"]) for trace in others] == [list(trace["y"]) for trace in plain["data"][:-1]]
        assert words["text"] == [*said["text"], "<b>Found</b>"] and words["y"][:-1] == said["y"]
        assert -above < words["y"][-1] < 0
        assert under["layout"]["meta"]["answers"] == plain["layout"]["meta"]["answers"]


def test_without_words_there_is_none():
    assert under_headline(Sheet(), "").figure(50).layout.yaxis.range == (50, 0)


def test_on_a_phone_a_headline_that_would_be_cut_stands_in_two_lines():
    sheet = Sheet(phone=True)
    sheet.on_phone()
    sheet.write(0, 10, "below")
    figure = under_headline(sheet, "Without the mask the cache is wrong from layer 2 on").figure(100)
    first, second, below = sorted(zip(figure.data[-1].y, figure.data[-1].text, strict=True), key=lambda word: word[0])
    assert [first[1], second[1], below[1]] == ["<b>Without the mask the cache</b>", "<b>is wrong from layer 2 on</b>", "below"]
    assert abs(second[0] - first[0]) == pytest.approx(figure.layout.height / 2 - 50, abs=1)
