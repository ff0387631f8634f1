"""A lesson on paper, as Chromium prints it: figures whole within the sheet, room to write, no menu, answers last or none."""

import io

import pypdf
import pytest
from reading import commit_any

POINTS = {"A4": (595, 842), "Letter": (612, 792)}
MENU = ("Claims court", "Why decode waits for memory", "Reset", "Commit", "Present", "Share")


def printed(page, paper):
    """The sheets that come out of the printer."""
    return pypdf.PdfReader(io.BytesIO(page.pdf(format=paper, prefer_css_page_size=False))).pages


def beyond(sheet):
    """The words on a sheet that begin left or end right of it, or stand above or below it."""
    width, height = (float(x) for x in sheet.mediabox[2:])
    out = []

    def word(text, cm, tm, font, size):
        x, y = placed(tm, cm)
        if text.strip() and not (0 <= x <= width - 4 and 0 <= y <= height):
            out.append((text, round(x), round(y)))

    sheet.extract_text(visitor_text=word)
    return out


def placed(tm, cm):
    """Where a text begins, in points: its own matrix within that of the page."""
    return tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]


@pytest.mark.parametrize("paper", POINTS)
def test_a_handout_is_whole_on_paper_and_its_answers_come_last(visit, paper):
    page = visit("/attention?handout=answers", color_scheme="dark")
    sheets = printed(page, paper)
    said = [sheet.extract_text() for sheet in sheets]
    whole = "\n".join(said)
    assert all(abs(float(a) - b) < 1.5 for a, b in zip(sheets[0].mediabox[2:], POINTS[paper], strict=True))
    assert [sheet for sheet in sheets if beyond(sheet)] == []
    assert all(word not in whole for word in MENU)
    assert all(f"Question {n}." in whole for n in (1, 2, 3)) and "Name:" in said[0]
    assert "Answers" in said[-1] and "Weights come from queries and keys" in said[-1]
    assert "Weights come from queries and keys" not in "\n".join(said[:-1])
    assert all(head in whole for head in ("1 even", "2 self", "3 first", "4 all"))  # every head of the map, the fourth too
    assert len(sheets) <= 8


def test_without_answers_none_is_on_paper_though_it_was_given_before(visit):
    page = visit("/attention?slide=4")
    commit_any(page, "answer_softer")
    page.goto(page.url.split("?")[0] + "?handout=questions")
    page.locator(".st-key-handout").wait_for()
    page.wait_for_timeout(3000)
    whole = "\n".join(sheet.extract_text() for sheet in printed(page, "A4"))
    assert "Question 3." in whole and "predicted" not in whole and "Softmax never gives" not in whole


def test_any_step_printed_as_it_stands_leaves_the_menu_out_and_the_figure_whole(visit):
    page = visit("?slide=2", viewport={"width": 1920, "height": 1080})
    sheets = printed(page, "A4")
    whole = "\n".join(sheet.extract_text() for sheet in sheets)
    assert [beyond(sheet) for sheet in sheets if beyond(sheet)] == [] and "4 all" in whole
    assert all(word not in whole for word in MENU[:2])
