"""The attention lesson in a real browser: every step in sight however many tokens; one head large, and selectable."""

import pytest
from reading import says, tab_to

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


@pytest.mark.parametrize("way", ["", "present=on&"])
def test_a_cell_is_selected_by_pointer_and_by_key_and_the_same_in_another_head(visit, way):
    page = visit(f"/attention?{way}slide=3")
    says(page, "derivation", "Head 1 even, row “so”, looking at “weather”")
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowLeft")
    says(page, "derivation", "Head 1 even, row “so”, looking at “Today”")
    box = page.locator(".tbt-plot").bounding_box()
    page.mouse.click(box["x"] + 0.66 * box["width"], box["y"] + 0.75 * box["height"])  # in the weights
    says(page, "derivation", "looking at “so”")
    page = visit(f"/attention?{way}slide=3&cell=4.4.1")
    says(page, "derivation", "Head 4 all")
