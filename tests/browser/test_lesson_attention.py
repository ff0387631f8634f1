"""The presented attention lesson in a real browser: everything in sight however many tokens; one head large, and selectable."""

import pytest
from driving import settled
from reading import says, tab_to

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


@pytest.mark.parametrize("scenario", ["", BIG])
@pytest.mark.parametrize("slide", [1, 2, 3, 4, 5])
def test_presented_everything_of_a_step_is_in_sight(visit, slide, scenario):
    page = visit(f"/attention?present=on&slide={slide}&{scenario}")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 720
    settled(page)


def test_presented_a_cell_is_selected_by_pointer_by_key_and_in_another_head(visit):
    page = visit("/attention?present=on&slide=2")
    says(page, "derivation", "Head 1 even, row “so”, looking at “weather”")
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowLeft")
    says(page, "derivation", "Head 1 even, row “so”, looking at “Today”")
    box = page.locator(".tbt-plot").bounding_box()
    page.mouse.click(box["x"] + 0.998 * box["width"], box["y"] + 0.8 * box["height"])  # the weights’ last column, third row or so
    says(page, "derivation", "looking at “so”")
    page.get_by_role("radio", name="4 all").click()
    says(page, "derivation", "Head 4 all")
