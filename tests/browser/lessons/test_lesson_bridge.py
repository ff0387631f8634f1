"""The bridge in a real browser: by keyboard alone from the table to the reveal, with watts typed on the way."""

from reading import says, tab_to, texts, turn_to
from said import in_order


def test_by_keyboard_alone_watts_are_typed_and_the_count_is_predicted(visit):
    page = visit("/bridge?p=1000&g=1000")
    assert "1,999" in texts(page)
    turn_to(page, 2)
    tab_to(page, ".stMain [data-testid=stExpander] summary")
    page.keyboard.press("Enter")
    tab_to(page, ".st-key-extra_watts input")
    page.keyboard.type("400")
    page.keyboard.press("Enter")
    page.locator(".stMarkdown table", has_text="400 W").wait_for()
    page.wait_for_function("location.search.includes('watts=400')")
    tab_to(page, ".st-key-guess_kv_rows_factor input")
    page.keyboard.type("750")
    page.keyboard.press("Enter")
    says(page, "answer_kv_rows_factor", "1,499,500 rows", "1,999")
    page.locator(".stMarkdown table", has_text=in_order("×", "operations", "×", "rows")).wait_for()
