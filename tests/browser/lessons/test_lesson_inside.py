"""The trained model in a real browser: by keyboard alone from a typed prompt to the reveal, heads picked in the figure, axe."""

from pathlib import Path

from driving import open_context, serve, settled
from reading import figures_as_text, says, tab_to, turn_to, until
from said import in_order

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_by_keyboard_alone_a_prompt_is_typed_and_its_next_word_predicted(visit):
    page = visit("/inside")
    tab_to(page, ".st-key-typed input")
    page.keyboard.press("Control+a")
    page.keyboard.type("The soup is so")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('prompt=The+soup+is+so')")
    turn_to(page, 2)
    says(page, "predict_next_word", "The soup is so")
    tab_to(page, ".st-key-guess_next_word input")
    labels = page.locator(".st-key-guess_next_word label p").all_inner_texts()[1:]
    for _ in range(labels.index("hot")):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-predict_next_word [data-testid='stFormSubmitButton'] button")
    page.keyboard.press("Enter")
    says(page, "answer_next_word", "Right", "hot")
    says(page, "takeaway_next", "“hot”", "17.4%")


def test_the_slider_of_the_training_shows_the_induction_head_appear(visit):
    page = visit("/inside?prompt=Tom+lamp+Rome+pizza+cold+Tom+lamp+Rome+pizza&trained_head=3.3")
    says(page, "takeaway_inside", "induction", "0.99")
    tab_to(page, ".st-key-extra_checkpoint [role=slider], .st-key-extra_checkpoint input[type=range]")
    page.keyboard.press("ArrowLeft")
    says(page, "takeaway_inside", "induction", "0.80")
    page.keyboard.press("ArrowLeft")
    says(page, "takeaway_inside", "induction", "0.15")
    page.wait_for_function("location.search.includes('checkpoint=before')")


def test_a_head_is_picked_with_the_pointer_and_with_the_arrow_keys(visit):
    page = visit("/inside")
    maps = page.locator(".tbt-figure").first
    box = maps.bounding_box()
    page.mouse.click(box["x"] + 0.66 * box["width"], box["y"] + 0.85 * box["height"])
    says(page, "takeaway_inside", "Head 3.3")
    maps.focus()
    page.keyboard.press("ArrowLeft")
    says(page, "takeaway_inside", "Head 3.2")
    page.keyboard.press("ArrowUp")
    says(page, "takeaway_inside", "Head 2.2")
    page.wait_for_function("location.search.includes('trained_head=2.2')")
    enlarged = page.locator(".tbt-figure").nth(1)
    enlarged.focus()
    page.keyboard.press("ArrowUp")
    says(page, "takeaway_inside", "“is”")


def test_a_head_is_removed_with_its_switch(visit):
    page = visit("/inside?trained_head=3.3")
    page.locator("[class*=st-key-remove_3] label").first.click()
    until(page, lambda: bool(in_order("removed", "3.3").search(figures_as_text(page)[0])), True)


def test_a_folder_that_the_operator_offers_is_chosen_from_the_list(browser, monkeypatch):
    monkeypatch.setenv("TOKEN_BY_TOKEN_CHECKPOINTS", str(FIXTURES))
    with serve() as address:
        context = open_context(browser)
        page = context.new_page()
        page.goto(f"{address}/inside")
        settled(page)
        page.locator(".st-key-trained_source input").click()
        page.get_by_role("option", name="llama_gqa_tied").click()
        page.locator(".stMain", has_text=in_order("llama_gqa_tied", "2 layers", "4 query heads", "2 key/value heads")).wait_for()
        page.wait_for_function("location.search.includes('source=llama_gqa_tied')")
        page.goto(f"{address}/generate?source=..%2Ffixtures%2Fgpt2")
        page.get_by_test_id("stAlert").filter(has_text=in_order("fixtures/gpt2", "not")).first.wait_for()
        context.close()
