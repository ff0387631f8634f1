"""The headline of a figure: as large as its room allows, never wider than it, and never read as markup."""

import numpy as np
import pytest

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import BOLD, LARGE, LEAST, PHONE_LARGE, PHONE_LEAST, headed, headline, under_headline
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


def test_all_that_is_on_a_sheet_stands_as_far_beneath_its_headline():
    """Words, cells, dots, areas, lines, frames, slanted words and the parts that can be pressed."""

    def drawn(finish):
        sheet = Sheet()
        sheet.write(0.1, 10, "a word")
        sheet.heatmap(Grid(np.array([0.0, 1.0]), np.array([20.0, 30.0])), np.ones((1, 1)), Scale(("#000000", "#FFFFFF")))
        sheet.dots([0.5], [40.0], 4, "#000000")
        sheet.bar(0.5, 50, 0.6, 60, "#000000")
        sheet.line("M0.50000,70.0V75.5H0.60000V80.0C0.1,70.5 0.2,71.5 0.3,72.5", "#000000")
        sheet.frame(0, 90, 1, 95, "#000000")
        sheet.slanted(0, 99, "up", 13, "#000000")
        sheet.answers.append([0, 0.1, 100, 0.2, 110, "this"])
        return finish(sheet).to_plotly_json()

    plain, lower = drawn(lambda sheet: sheet.figure(200)), drawn(lambda sheet: headed(sheet, "found", 200))
    by = headline(Sheet(), "found")
    before, after = plain["layout"], lower["layout"]
    assert after["height"] == round(200 + by)
    assert lower["data"][-1]["text"][0] == "<b>found</b>" and lower["data"][-1]["y"][1] == 10 + by
    assert [list(a["y"]) for a in lower["data"][:2]] == [[20 + by, 30 + by], [40 + by]]
    line = after["shapes"][1]["path"]
    assert (
        line
        == f"M0.50000,{70 + by:.2f}V{75.5 + by:.2f}H0.60000V{80 + by:.2f}C0.1,{70.5 + by:.2f} 0.2,{71.5 + by:.2f} 0.3,{72.5 + by:.2f}"
    )
    assert after["shapes"][0]["path"].startswith(f"M0.50000,{50 + by:.2f}L0.60000,{50 + by:.2f}L")
    assert (after["shapes"][2]["y0"], after["shapes"][2]["y1"]) == (90 + by, 95 + by)
    assert after["annotations"][0]["y"] == before["annotations"][0]["y"] + by
    assert after["meta"]["answers"] == [[0, 0.1, 100 + by, 0.2, 110 + by, "this"]]


def test_on_a_phone_a_headline_that_would_be_cut_stands_in_two_lines():
    sheet = Sheet(phone=True)
    sheet.on_phone()
    sheet.write(0, 10, "below")
    figure = headed(sheet, "Without the mask the cache is wrong from layer 2 on", 100)
    first, second, below = sorted(zip(figure.data[-1].y, figure.data[-1].text, strict=True), key=lambda word: abs(word[0]))
    assert [first[1], second[1], below[1]] == ["<b>Without the mask the cache</b>", "<b>is wrong from layer 2 on</b>", "below"]
    assert abs(second[0] - first[0]) == pytest.approx(figure.layout.height / 2 - 50, abs=1)


def test_all_that_is_drawn_beneath_one_stands_lower_and_nothing_that_others_are_shown_is_moved():
    """A part that is kept for all visitors is put on many sheets: it was moved down once more for each of them."""

    def drawn(sheet):
        sheet.draw_once(
            "kept for the test of a headline", lambda: sheet.line("M0.1,5.00L1e-05,7C0.2,1.5 0.3,2 0.4,3V9H0.5", "#000000")
        )
        sheet.frame(0, 10, 1, 20, "#000000")
        sheet.dots([0.5], [30.0], 4, "#000000")
        sheet.write(0, 40, "word")
        sheet.answers.append([0, 0, 1, 1, 2, "yes"])
        frame = {"name": "a", "layout": {"shapes": [*sheet.shapes, {"type": "rect", "y0": 1, "y1": 2}]}}
        return sheet.figure(50, frames=[frame])

    plain = drawn(Sheet())
    for _ in range(2):
        lower = drawn(under_headline(Sheet(), "found"))
        by = 1.45 * LARGE
        assert lower.layout.yaxis.range[0] - plain.layout.yaxis.range[0] == pytest.approx(by)
        assert lower.data[-1].text[0] == "<b>found</b>"
        assert lower.data[0].y[0] == pytest.approx(30 + by) and lower.data[-1].y[1] == 40 + by
        assert lower.layout.meta["answers"][0][2] == 1 + by and lower.layout.shapes[1].y0 == 10 + by
        path = lower.layout.shapes[0].path
        assert (
            path == f"M0.1,{5 + by:.2f}L1e-05,{7 + by:.2f}C0.2,{1.5 + by:.2f} 0.3,{2 + by:.2f} 0.4,{3 + by:.2f}V{9 + by:.2f}H0.5"
        )
        assert lower.frames[0].layout.shapes[0].path == path and lower.frames[0].layout.shapes[2].y0 == 1 + by
