"""A lesson on paper, as Chromium prints it: figures whole within the sheet, room to write, no menu, answers last or none."""

import io

import pypdf
import pytest
from driving import settled
from reading import commit_any

POINTS = {"A4": (595, 842), "Letter": (612, 792)}
MARGIN = 12 / 25.4 * 72  # of frame.css, in points
MENU = ("Claims court", "Why decode waits for memory", "Reset", "Commit", "Present", "Share")
BEYOND = """() => {  // the texts that begin left of the sheet or end right of it
  const words = document.createTreeWalker(document.querySelector(".stMain"), NodeFilter.SHOW_TEXT), out = [];
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width } = range.getBoundingClientRect();
    if (node.textContent.trim() && width && (left < -1 || right > window.innerWidth + 1)) out.push([node.textContent, left, right]);
  }
  return out;
}"""


def printed(page, paper):
    """What is written on each of the sheets that come out of the printer; a PDF's letters stand one by one, so without spaces."""
    sheets = pypdf.PdfReader(io.BytesIO(page.pdf(format=paper, prefer_css_page_size=False))).pages
    for sheet in sheets:
        assert [float(side) for side in sheet.mediabox[2:]] == pytest.approx(POINTS[paper], abs=1.5)
    return ["".join(sheet.extract_text().split()) for sheet in sheets]


def beyond(page, paper):
    """The words that do not stand between the margins of a sheet."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int((POINTS[paper][0] - 2 * MARGIN) / 72 * 96), "height": 1000})
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    return page.evaluate(BEYOND)


def together(*words):
    return ["".join(word.split()) for word in words]


@pytest.mark.parametrize("paper", POINTS)
def test_a_handout_is_whole_on_paper_and_its_answers_come_last(visit, paper):
    page = visit("/attention?handout=answers", color_scheme="dark")
    assert page.locator(".st-key-handout :is(.stSlider, .stSelectbox, form):visible").count() == 0
    sheets = printed(page, paper)
    whole, why = "".join(sheets), "Weightscomefromqueriesandkeys"
    assert all(word not in whole for word in together(*MENU))
    assert all(f"Question{n}." in whole for n in (1, 2, 3)) and "Name:" in sheets[0]
    assert sheets[-1].startswith("Answers") and why in sheets[-1] and why not in "".join(sheets[:-1])
    heads = [sheet for sheet in sheets if "1even" in sheet]  # the map of every head: whole on one sheet, the fourth head too
    assert len(heads) == 1 and all(part in heads[0] for part in ("4all", "softmaxofeachrow", "nextwordafter"))
    assert len(sheets) <= 8
    assert beyond(page, paper) == []


@pytest.mark.parametrize("way", ["route&route=45", "questions"])
def test_back_from_paper_nothing_has_moved(visit, way):
    page = visit(f"/attention?handout={way}")
    page.locator(".st-key-handout_leave button").click()
    page.locator(".st-key-way").wait_for()
    settled(page)
    assert set(page.url.partition("?")[2].split("&")) <= {"route=45", ""}
    moved, fresh = (each.locator(".stMain input[type=range]") for each in (page, visit("/attention")))
    values = "sliders => sliders.map((slider) => slider.value)"
    assert moved.evaluate_all(values) == fresh.evaluate_all(values) != []


def test_without_answers_none_is_on_paper_though_it_was_given_before(visit):
    page = visit("/attention?slide=4")
    commit_any(page, "answer_softer")
    page.goto(page.url.split("?")[0] + "?handout=questions")
    page.locator(".st-key-handout").wait_for()
    page.wait_for_timeout(3000)
    whole = "".join(printed(page, "A4"))
    assert "Question3." in whole and "predicted" not in whole and "Softmaxnevergives" not in whole


def test_any_step_printed_as_it_stands_leaves_the_menu_out_and_the_figure_whole(visit):
    page = visit("?slide=2", viewport={"width": 1920, "height": 1080})
    (sheet,) = printed(page, "A4")
    assert all(part in sheet for part in ("1even", "4all", "softmaxofeachrow", "nextwordafter"))
    assert all(word not in sheet for word in together(*MENU[:2]))
    assert beyond(page, "A4") == []
