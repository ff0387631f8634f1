"""The attention lesson in a real browser: a cell is selected by pointer and by key, and every figure takes the room that it is given."""

from driving import settled
from reading import open_menu, says, tab_to, takeaway, turn_to, until
from sweep import PHONE

FITS = "box => box.scrollWidth <= box.clientWidth && box.querySelector('.main-svg').clientWidth >= box.clientWidth - 1"
WIDTH = "box => box.clientWidth"


def test_a_number_and_its_cell_mark_each_other_and_cells_are_selected_by_pointer_and_by_key(visit):
    page = visit("?slide=1")
    marked_both_ways(page)
    turn_to(page, 3)
    selected_by_key_and_by_pointer(page)
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)
    selected_by_key_and_by_pointer(page)
    page.keyboard.press("Escape")
    page.locator(".st-key-step_names").wait_for()
    settled(page)
    turn_to(page, 2)
    takes_its_room(page)


def marked_both_ways(page):
    link, mark = page.locator(".st-key-takeaway_one_head a[href='#cell-one_head-1-3-1']"), page.locator(".tbt-mark")
    link.hover()
    mark.wait_for()
    cell, number = mark.bounding_box(), page.locator(".tbt-plot svg text", has_text="0.5").first.bounding_box()
    assert cell["x"] < number["x"] < cell["x"] + cell["width"] and cell["y"] < number["y"] < cell["y"] + cell["height"]
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    page.locator(".st-key-takeaway_one_head a.tbt-marked[href='#cell-one_head-1-3-1']").wait_for()
    until(page, lambda: (page.locator("a.tbt-marked").count(), mark.count()), (1, 0))
    address = page.url
    link.focus()
    mark.wait_for()
    page.keyboard.press("Enter")
    settled(page)
    assert page.url == address and mark.count() == 1


def selected_by_key_and_by_pointer(page):
    """From the cell of “so” and “so”, or of the article's choice, and back to the first."""
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowLeft")
    says(page, "derivation", "Head 1 even", "“so”", "“Today”")
    settled(page)
    box = page.locator(".tbt-plot").bounding_box()
    page.mouse.click(
        box["x"] + 0.6 * box["width"], page.locator(".tbt-plot svg text", has_text="so").first.bounding_box()["y"] + 5
    )
    says(page, "derivation", "“so”", "“so”")  # the row, and the token that it looks at
    settled(page)
    page.evaluate("document.activeElement.blur()")
    tab_to(page, ".tbt-figure")
    for wanted in ("“is”", "“weather”"):
        page.keyboard.press("ArrowLeft")
        says(page, "derivation", "“so”", wanted)
        settled(page)
    page.evaluate("document.activeElement.blur()")


def takes_its_room(page):
    """When the side bar closes, and when the window becomes a phone's: the heads then stand beneath each other."""
    figure = page.locator(".tbt-figure")
    open_menu(page)
    settled(page)
    before = figure.evaluate(WIDTH)
    page.get_by_test_id("stSidebar").hover()
    page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    until(page, lambda: figure.evaluate(WIDTH) > before and figure.evaluate(FITS), True)
    page.set_viewport_size(PHONE)
    until(page, lambda: figure.evaluate(WIDTH) <= 390 and figure.evaluate(FITS), True)
    settled(page)
    tops = [page.locator(".tbt-plot svg text", has_text=f"head {h} ").bounding_box()["y"] for h in (1, 2, 3, 4)]
    assert tops == sorted(tops) and len(set(tops)) == 4 and figure.bounding_box()["width"] <= 390


def test_on_arrival_the_lesson_says_its_own_takeaway_whatever_was_edited_in_another(visit):
    """A value moved in the lesson before took the takeaway's place: a change that nobody here had made."""
    page = visit("/rules?slide=4&answers=shown")

    def move(key):
        page.locator(".st-key-value_1 input[type=range]").focus()
        page.keyboard.press(key)

    def go(lesson):
        settled(page)
        open_menu(page)
        page.locator(".st-key-side_menu a").filter(has_text=lesson).click()
        until(page, lambda: page.locator(".st-key-side_menu a[aria-current=page] span").text_content(), lesson)
        settled(page)

    move("End")
    until(page, lambda: page.url, "values=10,100,1,5")
    go("Scores, mask, softmax")
    says(page, "takeaway_one_head", "“so” takes", "0.5")
    assert "→" not in takeaway(page)
    move("ArrowLeft")
    says(page, "takeaway_one_head", "“weather” 100 → 99.5")
    go("Head rules by hand")
    go("Scores, mask, softmax")
    says(page, "takeaway_one_head", "“so” takes", "0.5")


SIGNS = """() => [...document.querySelectorAll('.stMain .stMarkdown p > span')].filter((sign) => sign.querySelector('.stTooltipIcon'))
  .map((sign) => sign.getBoundingClientRect().left - sign.parentElement.getBoundingClientRect().left)"""


def test_on_a_phone_no_sign_of_a_help_stands_alone_on_a_line(visit):
    """It did beneath the name of the cell that is derived."""
    beside = visit("/attention?slide=3", viewport=PHONE).evaluate(SIGNS)
    assert len(beside) == 2 and min(beside) > 20
