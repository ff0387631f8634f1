"""The trained model in a real browser: heads picked in the figure, the training's slider, and by keyboard alone from a typed prompt
to the reveal."""

from driving import settled
from reading import choose, figures_as_text, says, tab_to, turn_to, until
from said import in_order

REMOVED = in_order("removed", "3.3")


def test_heads_are_picked_a_head_comes_to_be_and_goes_and_the_next_word_of_a_typed_prompt_is_predicted(visit):
    page = visit("/inside?prompt=Tom+lamp+Rome+pizza+cold+Tom+lamp+Rome+pizza")
    box = page.locator(".tbt-figure").first.bounding_box()
    page.mouse.click(box["x"] + 0.66 * box["width"], box["y"] + 0.85 * box["height"])
    says(page, "takeaway_inside", "Head 3.3", "induction", "0.99")
    settled(page)
    appears_in_training(page)
    is_removed_and_put_back(page)
    maps = page.locator(".tbt-figure").first
    maps.focus()
    for key, head in (("ArrowLeft", "3.2"), ("ArrowUp", "2.2")):
        page.keyboard.press(key)
        says(page, "takeaway_inside", f"Head {head}")
    page.wait_for_function("location.search.includes('trained_head=2.2')")
    settled(page)
    types_a_prompt(page)
    turn_to(page, 2)
    predicts_its_next_word(page)


def appears_in_training(page):
    """The slider goes back to where the induction head is not yet there, and to the end again."""
    tab_to(page, ".st-key-extra_checkpoint [role=slider], .st-key-extra_checkpoint input[type=range]")
    for score in ("0.80", "0.15"):
        page.keyboard.press("ArrowLeft")
        says(page, "takeaway_inside", "induction", score)
    page.wait_for_function("location.search.includes('checkpoint=before')")
    for score in ("0.80", "0.99"):
        page.keyboard.press("ArrowRight")
        says(page, "takeaway_inside", "induction", score)
    settled(page)


def is_removed_and_put_back(page):
    page.locator("[class*=st-key-inside_remove_3] label").first.click()
    until(page, lambda: bool(REMOVED.search(figures_as_text(page)[0])), True)
    settled(page)
    page.locator("[class*=st-key-inside_remove_3] label").first.click()
    until(page, lambda: bool(REMOVED.search(figures_as_text(page)[0])), False)
    settled(page)


def types_a_prompt(page):
    """Another weight is picked in the enlarged head."""
    page.evaluate("document.activeElement.blur()")
    tab_to(page, ".st-key-typed input")
    page.keyboard.press("Control+a")
    page.keyboard.type("The soup is so")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('prompt=The+soup+is+so')")
    says(page, "takeaway_inside", "“so”")
    settled(page)
    page.locator(".tbt-figure").nth(1).focus()
    page.keyboard.press("ArrowUp")
    says(page, "takeaway_inside", "“is”")
    settled(page)


def predicts_its_next_word(page):
    says(page, "predict_next_word", "The soup is so")
    choose(page, "next_word", page.locator(".st-key-guess_next_word button").all_inner_texts().index("hot"))
    says(page, "answer_next_word", "Right", "hot", "17.4%")
    says(page, "takeaway_next", "“hot”", "leads")
