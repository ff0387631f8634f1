"""The lesson from contexts to a word in a real browser: a cell of W is selected and changed by keyboard alone."""

from driving import settled
from reading import says, tab_to, turn_to
from said import in_order


def select(page, key, head, word):
    tab_to(page, ".st-key-word_map .tbt-figure")
    page.keyboard.press(key)
    page.locator(f".st-key-w_entry_{head}_{word}").wait_for()
    settled(page)


def test_a_cell_of_w_is_changed_and_stays_selected_while_a_slider_moves_the_flips(visit):
    page = visit("/logits")
    says(page, "takeaway_word", "Challenge", "delicious", "7.15")
    select(page, "ArrowDown", 1, 2)
    page.locator(".st-key-takeaway_word [data-testid=stTooltipIcon] button, .st-key-takeaway_word .stTooltipIcon").first.hover()
    page.get_by_text(in_order("delicious", "above", "1.63")).first.wait_for()
    select(page, "ArrowUp", 0, 2)
    changes_the_cell(page)
    selects_another_with_the_pointer(page)
    turn_to(page, 3)
    moves_the_flips(page)


def changes_the_cell(page):
    for _ in range(12):  # on to the number, beneath the figure
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.st-key-w_entry_0_2 input')"):
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("0.7")
    page.keyboard.press("Enter")
    says(page, "takeaway_word", "delicious", "wins", "15.65")
    page.wait_for_function("location.search.includes('w=')")


def selects_another_with_the_pointer(page):
    box = page.locator(".st-key-word_map .js-plotly-plot").bounding_box()
    # The first column, the first row, beneath the headline.
    page.mouse.click(box["x"] + 0.27 * box["width"], box["y"] + 58 + 23 + 46)
    page.locator(".st-key-w_entry_0_0", has_text=in_order("W", "head 1", "“nice”")).wait_for()
    settled(page)


def moves_the_flips(page):
    """The cell stays selected."""
    flip = page.locator(".st-key-flip_lines svg text")
    flip.filter(has_text="> 5.93").first.wait_for()
    page.locator(".st-key-value_0 input[type=range]").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    flip.filter(has_text="> 7.93").first.wait_for()
    page.wait_for_function("location.search.includes('values=12,') && location.search.includes('head=1&word=1')")
