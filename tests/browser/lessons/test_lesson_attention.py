"""The attention lesson in a real browser: every step in sight however many tokens; one head large, and selectable."""

import pytest
from reading import says, tab_to, takeaway, until

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


@pytest.mark.parametrize("way", ["", "present=on&"])
def test_a_cell_is_selected_by_pointer_and_by_key_and_the_same_in_another_head(visit, way):
    page = visit(f"/attention?{way}slide=3")
    says(page, "derivation", "Head 1 even", "“so”", "“weather”")
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowLeft")
    says(page, "derivation", "Head 1 even", "“so”", "“Today”")
    box = page.locator(".tbt-plot").bounding_box()
    page.mouse.click(box["x"] + 0.66 * box["width"], box["y"] + 0.75 * box["height"])  # in the weights
    says(page, "derivation", "“so”", "“so”")  # the row, and the token that it looks at
    page = visit(f"/attention?{way}slide=3&cell=4.4.1")
    says(page, "derivation", "Head 4 all")


def test_a_number_in_the_takeaway_and_its_cell_mark_each_other(visit):
    page = visit("?slide=1")
    link = page.locator(".st-key-takeaway_one_head a[href='#cell-one_head-2-3-1']")
    link.hover()
    mark = page.locator(".tbt-mark")
    mark.wait_for()
    cell, number = mark.bounding_box(), page.locator(".tbt-plot svg text", has_text="0.5").first.bounding_box()
    assert cell["x"] < number["x"] < cell["x"] + cell["width"] and cell["y"] < number["y"] < cell["y"] + cell["height"]
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    page.locator(".st-key-takeaway_one_head a.tbt-marked[href='#cell-one_head-2-3-1']").wait_for()
    assert page.locator("a.tbt-marked").count() == 1 and mark.count() == 0
    address = page.url
    link.focus()
    mark.wait_for()
    page.keyboard.press("Enter")
    assert page.url == address and page.locator(".tbt-mark").count() == 1


def test_on_a_phone_the_heads_stand_beneath_each_other_and_nothing_is_scrolled_sideways(visit):
    page = visit("?slide=2", viewport={"width": 390, "height": 844})
    figure = page.locator(".tbt-figure")
    until(page, lambda: figure.evaluate("(box) => box.scrollWidth <= box.clientWidth"), True)
    tops = [page.locator(".tbt-plot svg text", has_text=f"head {h} ").bounding_box()["y"] for h in (1, 2, 3, 4)]
    assert tops == sorted(tops) and figure.bounding_box()["width"] <= 390


@pytest.mark.parametrize("change", ["the window becomes a phone's", "the side bar closes"])
def test_a_figure_that_stands_takes_the_room_that_it_is_given(visit, change):
    page = visit("?slide=2")
    figure = page.locator(".tbt-figure")
    fits = "box => box.scrollWidth <= box.clientWidth && box.querySelector('.main-svg').clientWidth >= box.clientWidth - 1"
    before = figure.evaluate("box => box.clientWidth")
    if change == "the side bar closes":
        page.get_by_test_id("stSidebar").hover()
        page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
        until(page, lambda: figure.evaluate("box => box.clientWidth") > before, True)
    else:
        page.set_viewport_size({"width": 390, "height": 844})
    until(page, lambda: figure.evaluate(fits), True)


def test_on_arrival_the_lesson_says_its_own_takeaway_whatever_was_edited_in_another(visit):
    """A value moved in the lesson before took the takeaway's place: a change that nobody here had made."""
    page = visit("/rules")
    page.locator(".st-key-value_1 input[type=range]").focus()
    page.keyboard.press("End")
    until(page, lambda: page.url, "values=10,100,1,5")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Scores, mask, softmax").click()
    says(page, "takeaway_one_head", "context", "52.5")
    assert "→" not in takeaway(page)
    page.locator(".st-key-value_1 input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    says(page, "takeaway_one_head", "“weather” 100 → 99.5")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Head rules by hand").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Scores, mask, softmax").click()
    says(page, "takeaway_one_head", "context", "52.25")
