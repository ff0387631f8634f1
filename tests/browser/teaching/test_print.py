"""A lesson on paper, as Chromium prints it: figures whole within the sheet, room to write, no menu, answers last or none."""

import io
import re

import numpy as np
import pypdf
import pytest
from driving import LESSONS, PROJECTOR, settled
from reading import by_the_address, commit_any, crowded, turn_to

from pages.parts.lesson.handout import EMPTY_LINES

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


# Of each step its name and its questions' numbers; the share of the sheet's width that each question and each takeaway takes, 0 where
# it is not to be seen; and the controls that are.
ON_PAPER = """() => {
  const all = (selector, root = document) => [...root.querySelectorAll(`.st-key-handout ${selector}`)];
  const sheet = document.querySelector(".st-key-handout").clientWidth;
  return {
    steps: all("[class*=st-key-handout_step_]").map((step) =>
      [step.querySelector("h3").innerText, ...all("[class*=st-key-paper_]", step).map((box) => box.querySelector("strong").innerText)]),
    widths: all(":is([class*=st-key-paper_], [class*=st-key-takeaway])").map((box) => box.getBoundingClientRect().width / sheet),
    controls: all(":is(button, input, textarea, [role=slider])").filter((one) => one.checkVisibility()).map((one) => one.outerHTML),
  };
}"""
GROUNDS = """() => ["html", "body", ".stApp", ".stAppViewContainer", ".stMain"].map((part) =>
  getComputedStyle(document.querySelector(part)).backgroundColor)"""
VALUES = "sliders => sliders.map((slider) => slider.value)"
PRINTS = "window.dispatchEvent(new Event('beforeprint'))"
FROM_PAPER = "window.dispatchEvent(new Event('afterprint'))"
NOT_YET = "() => getComputedStyle(document.querySelector('.stMainBlockContainer'), '::before').content"


# How far each figure reaches beyond the sheet at its right, and the size of each of its words on it, in points.
FIGURES = """() => [...document.querySelectorAll('.st-key-handout .tbt-plot')].map((plot) => [
  plot.getBoundingClientRect().right - document.querySelector('.st-key-handout').getBoundingClientRect().right,
  [...plot.querySelectorAll('.tbt-text-layer text')].filter((text) => text.textContent.trim()).map((text) =>
    [Number(text.getAttribute('font-size').replace('px', '')) * Number(plot.style.zoom) * 0.75, text.textContent])])"""
# Of each line to write on, how far it lies beneath the one before it or the top of its question's box, and above the box's foot.
LINES = """() => [...document.querySelectorAll('[class*=st-key-paper_]')].flatMap((box) => {
  const within = box.getBoundingClientRect();
  const lines = [...box.querySelectorAll('.tbt-to-write')].map((line) => line.getBoundingClientRect());
  return lines.map((line, k) => Math.min(line.bottom - (k ? lines[k - 1].bottom : within.top), within.bottom - line.bottom + 27));
})"""
SMALLEST = 6.8  # points: where more has no room, in cells and beneath each other; all else has 8


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
    page.evaluate(PRINTS)
    return page.evaluate(BEYOND)


def on_the_next_sheet(page, lesson, link):
    """By its address in the tab that has printed another, as the menu goes: a third of what a page costs."""
    if page.url == "about:blank":
        page.goto(link)
    else:
        page.emulate_media(media="null")
        page.set_viewport_size(PROJECTOR)
        page.evaluate(FROM_PAPER)
        by_the_address(page, link)
    page.locator(".st-key-handout").wait_for()


@pytest.mark.parametrize("sheet", [*(name for name in LESSONS if name != "start"), "story", "90"])
def test_on_paper_no_figure_is_cut_and_its_words_stand_apart_and_can_be_read(tab, sheet):
    """Figures laid out for 1,040 pixels were drawn on 700: “56ows computed”, “1.07 G”; and of a link from a phone, a phone's."""
    lesson, form = ("start", f"route&route={sheet}") if sheet in ("story", "90") else (sheet, "questions")
    with tab(scenario=f"handout={form}", go=on_the_next_sheet) as open_lesson:
        page = open_lesson(lesson)
        read_off(page)
        page.emulate_media(media="print")
        page.set_viewport_size({"width": int((POINTS["A4"][0] - 2 * MARGIN) / 72 * 96), "height": 1000})
        page.evaluate(PRINTS)
        read_off(page)


def read_off(page):
    """Nothing is cut, stands over something else, reaches beyond the sheet or is too small on it; a question has lines to write on,
    which without a letter in them were not drawn at all."""
    lines = page.evaluate(LINES)
    assert len(lines) == EMPTY_LINES * page.locator("[class*=st-key-paper_]").count() and min(lines, default=27) > 25
    assert crowded(page) == []
    for beyond_it, words in page.evaluate(FIGURES):
        assert beyond_it < 1
        assert min(words, default=[8.0])[0] >= SMALLEST, min(words)
        assert np.median([size for size, _ in words] or [8.0]) >= 8


def together(*words):
    return ["".join(word.split()) for word in words]


def test_a_handout_is_whole_on_paper_and_its_answers_come_last(visit, address):
    page = visit("about:blank", wait=False)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/attention?handout=answers")
    settled(page)
    assert page.locator(".st-key-handout :is(.stSlider, .stSelectbox, form):visible").count() == 0
    for paper in POINTS:
        answers_come_last(printed(page, paper))
    for paper in POINTS:
        assert beyond(page, paper) == []
    assert set(page.evaluate(GROUNDS)) == {"rgb(255, 255, 255)"}  # in the dark theme too


def answers_come_last(sheets):
    whole, why = "".join(sheets), "Weightscomefromqueriesandkeys"
    assert all(word not in whole for word in together(*MENU))
    assert all(f"Question{n}." in whole for n in (1, 2)) and "Name:" in sheets[0]
    assert sheets[-1].startswith("Answers") and why in sheets[-1] and why not in "".join(sheets[:-1])
    every_head = ("1even", "4all", "nextword")  # their map: whole on one sheet, the fourth head too
    assert any(all(part in sheet for part in every_head) for sheet in sheets)
    assert len(sheets) <= 8


def beside_its_figure(page):
    """Every question and its step's name on one sheet, in order, and no control."""
    sheets = printed(page, "A4")
    page.emulate_media(media="print")
    found = page.evaluate(ON_PAPER)
    assert found["controls"] == [] and min(found["widths"]) > 0.95
    for step in found["steps"]:
        assert any(all(part in sheet for part in together(*step)) for sheet in sheets), step
    numbers = [number for _, *asked in found["steps"] for number in asked]
    assert numbers == [f"Question {k}." for k in range(1, len(numbers) + 1)] and len(numbers) >= 4


def test_what_is_not_drawn_yet_is_waited_for_or_said_and_of_a_route_every_question_is_on_paper(visit, address):
    page, held = visit("about:blank", wait=False, init="window.print = () => { window.printed = true; }"), []
    page.route("**/plot.js", lambda request: held.append(request))
    page.goto(f"{address}/overview?handout=route&route=90")
    page.locator(".tbt-figure").first.wait_for(state="attached")
    page.locator(".tbt-print").click()
    page.locator(".tbt-print", has_text="Waiting").wait_for()
    assert not page.evaluate("window.printed")
    page.wait_for_function("() => window.onbeforeprint !== null")  # with the end of the page
    page.emulate_media(media="print")
    page.evaluate(PRINTS)
    assert "print again" in page.evaluate(NOT_YET)
    page.emulate_media(media="screen")
    for request in held:
        request.continue_()
    page.unroute("**/plot.js")
    page.wait_for_function("window.printed")
    page.emulate_media(media="print")
    page.locator(".tbt-print", has_text=re.compile("^Print$")).wait_for(state="attached")
    page.evaluate(PRINTS)
    assert page.evaluate(NOT_YET) == "none"
    page.emulate_media(media="null")  # the printer's on paper again, as without a test
    settled(page)
    beside_its_figure(page)


def test_back_from_paper_nothing_has_moved_and_without_answers_none_is_on_it_though_it_was_given_before(visit):
    page = visit("/attention")
    values = page.locator(".stMain input[type=range]").evaluate_all(VALUES)
    turn_to(page, 2)
    as_it_stands(page)
    turn_to(page, 4)
    commit_any(page, "answer_softer")
    verdict = "".join(page.locator(".st-key-answer_softer").inner_text().split())[-25:]
    for way in ("questions", "route&route=45"):
        page.goto(f"{page.url.split('?')[0]}?handout={way}")
        page.locator(".st-key-handout").wait_for()
        settled(page)
        if way == "questions":
            whole = "".join(printed(page, "A4"))
            assert "Question2." in whole and len(verdict) == 25 and verdict not in whole
        page.locator(".st-key-handout_leave button").click()
        page.locator(".st-key-way").wait_for()
        settled(page)
        assert set(page.url.partition("?")[2].split("&")) <= {"route=45", ""}
        assert page.locator(".stMain input[type=range]").evaluate_all(VALUES) == values != []


def as_it_stands(page):
    """Any step printed leaves the menu out and the figure whole, from a large window too."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    settled(page)
    (sheet,) = printed(page, "A4")
    assert all(part in sheet for part in ("1even", "4all", "nextword"))
    assert all(word not in sheet for word in together(*MENU[:2]))
    assert beyond(page, "A4") == []
    page.emulate_media(media="null")  # the printer's on paper again, as without a test
    page.set_viewport_size(PROJECTOR)
    page.evaluate(FROM_PAPER)
    settled(page)
