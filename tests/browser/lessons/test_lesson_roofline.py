"""The lesson on time in a real browser: a point tells under the pointer what it is, and a click on it throws nothing."""

from driving import settled


def test_a_point_tells_under_the_pointer_and_a_click_on_it_throws_nothing(visit):
    """A script error fails the test."""
    page = visit("/roofline")
    dot = page.locator(".st-key-roofline .scatterlayer .trace").nth(1).locator(".points path").first
    box = dot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".st-key-roofline .hoverlayer text").first.wait_for()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    settled(page)
