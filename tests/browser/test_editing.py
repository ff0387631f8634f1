"""The scenario is edited by a visitor's means: the editor in the side bar up to 16 tokens and 8 heads, and a cell selected."""

from driving import settled
from reading import click, open_menu, takeaway, texts, turn_to, until
from said import in_order
from sweep import PHONE

ALL_HEADS, WRITTEN_OUT = 2, 3  # steps of the attention lesson
SIDEBAR = "[data-testid=stSidebar]"


def in_sight(page):
    """The share of the attention map's height that the window shows."""
    box = page.locator(".tbt-plot").bounding_box()
    height = page.evaluate("innerHeight")
    return max(0, min(box["y"] + box["height"], height) - max(box["y"], 0)) / box["height"]


def test_a_cell_is_selected_an_edit_refused_and_the_scenario_edited_to_its_largest(visit):
    page = visit(f"?cell=1.4.4&slide={ALL_HEADS}")
    selected_with_the_arrow_keys_and_said_aloud(page)
    turn_to(page, ALL_HEADS)
    selected_with_the_pointer_and_written_out(page)
    turn_to(page, ALL_HEADS)
    open_menu(page)
    page.locator(SIDEBAR).get_by_text("Words and values", exact=True).click()
    refused_and_why(page)
    edited_to_sixteen_tokens_and_eight_heads(page)


def edited_to_sixteen_tokens_and_eight_heads(page):
    editor = page.locator(SIDEBAR)
    prompt = editor.get_by_role("textbox", name="Prompt")
    prompt.fill(" ".join(f"w{i}" for i in range(1, 17)))
    prompt.press("Enter")
    until(page, lambda: page.url, "w15,w16")
    settled(page)  # the side bar has grown, and nothing moves under the pointer
    editor.get_by_text("Heads", exact=True).click()
    settled(page)  # the box comes into sight as it unfolds: a press meanwhile met what had come under the pointer
    for n in range(5, 9):
        editor.locator(".st-key-do_Add-a-head button:visible").click()
        until(page, lambda n=n: page.url.count("previous") == n - 4, True)
        settled(page)
    head = editor.get_by_role("combobox", name="Looks at")
    head.click()
    page.get_by_role("option", name="every token").click()
    until(page, lambda: page.url, "rules=all,self,first,all,previous,previous,previous,previous")
    settled(page)
    page.locator(".st-key-attention_values button").first.click()
    page.get_by_role("combobox", name="Value of").click()
    until(page, page.get_by_role("option").count, 16)  # one slider, for the token that is chosen
    for _ in ("the list", "the box"):
        page.keyboard.press("Escape")
    until(page, lambda: takeaway(page), "head 1 even → all")
    assert "next word" in texts(page) and in_order("16 tokens", "8 heads").search(
        page.locator(".tbt-figure").get_attribute("aria-label")
    )
    assert in_sight(page) > 0.6
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert editor.locator(".st-key-do_Add-a-head button:visible").is_disabled()


def test_words_values_and_w_in_one_table_by_keyboard_on_a_phone(visit):
    page = visit("?slide=1")
    page.set_viewport_size(PHONE)
    settled(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    editor = page.locator(SIDEBAR)
    editor.get_by_text("Words and values", exact=True).click()
    prompt = editor.get_by_role("textbox", name="Prompt")
    settled(page)
    prompt.fill("cab is zz")  # 3 + 1 + 2; the article's 1; 52 less 2 times 21
    prompt.press("Enter")
    until(page, lambda: page.url, "tokens=cab,is,zz&values=6,1,10")
    settled(page)
    value = editor.get_by_label("Value of word 2")
    value.fill("-2,5")
    value.press("Tab")  # leaves the field, which sends it
    until(page, lambda: page.url, "values=6,-2.5,10")
    assert page.evaluate("document.activeElement.title") == "Move “is” up"
    page.keyboard.press("Enter")
    until(page, lambda: page.url, "tokens=is,cab,zz&values=-2.5,6,10")
    until(page, lambda: page.evaluate("document.activeElement.title"), "Move “is” down")  # the focus went with the row
    settled(page)
    editor.get_by_label("W of head 3 for candidate 2").fill("0.9")
    page.keyboard.press("Enter")
    until(page, lambda: page.url, "w=0.8,0.6,0.1;0.5,0.4,0.2;0.1,0.9,0.5;0.2,0.3,0.1")
    settled(page)
    editor.get_by_role("button", name="Add a candidate").click()
    until(page, lambda: page.url, "words=nice,warm,delicious,word1")
    settled(page)
    editor.get_by_role("button", name="Remove “word1”").click()
    until(page, lambda: "word1" in page.url, False)
    settled(page)
    value.fill("many")
    value.press("Enter")
    page.get_by_test_id("stAlert").wait_for(state="attached")
    assert in_order("expected", "number").search(page.get_by_test_id("stAlert").inner_text())
    page.keyboard.press("Tab")
    until(page, value.input_value, "6")
    assert page.locator(".tbt-words").bounding_box()["width"] < 240
    page.keyboard.press("Escape")
    words_of_ones_own_over_the_box_in_which_they_are_chosen(page)


def words_of_ones_own_over_the_box_in_which_they_are_chosen(page):
    """The box unfolds from the foot of a phone, and stood over the dialog; and what a browser still held of it took the press away."""
    page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    page.locator(".st-key-step_menu_1 button").first.click()
    page.get_by_role("combobox", name="Scenario").click()
    page.get_by_role("option", name="Your own words").click()
    goes_in = page.get_by_role("textbox", name="What goes in")
    until(page, goes_in.input_value, "is cab zz")
    settled(page)
    goes_in.fill("Our cat sat")
    page.get_by_role("textbox", name="What may come next").fill("mat, New York")
    click(page.get_by_role("button", name="Use these words"))
    until(page, lambda: page.url, "words=mat,New+York")
    assert "tokens=Our,cat,sat" in page.url
    goes_in.wait_for(state="detached")


def refused_and_why(page):
    """Everything else is left as it was."""
    prompt = page.locator(SIDEBAR).get_by_role("textbox", name="Prompt")
    settled(page)
    prompt.fill(" ".join("abcdefghijklmnopq"))
    prompt.press("Enter")
    alert = page.get_by_test_id("stAlert")
    alert.wait_for()
    assert in_order("not made", "16").search(alert.inner_text())
    assert "15.3" in texts(page)
    assert "tokens" not in page.url


def selected_with_the_pointer_and_written_out(page):
    # The first "0.25" is head 4, row "so", key "Today": a quarter of 10.
    page.locator(".tbt-plot svg text", has_text="0.25").first.hover(force=True)
    page.mouse.down()
    page.mouse.up()
    until(page, lambda: page.url, "cell=4.4.1")
    assert page.get_by_role("status").last.text_content().startswith("weights, row so, 4 all, Today: 0.25")
    turn_to(page, WRITTEN_OUT)
    steps = page.locator(".st-key-derivation")
    until(page, lambda: "".join(texts(page)), "0.25 × 10 = 2.5")
    assert all(part in steps.inner_text() for part in ("4 all", "“so”", "“Today”"))
    assert all(part in "".join(texts(page)) for part in ("64·1 / √64 = +8", "= 0.25"))


def selected_with_the_arrow_keys_and_said_aloud(page):
    page.locator(".tbt-figure").focus()
    steps = page.locator(".st-key-derivation")
    for key, cell, said in (
        ("ArrowUp", "cell=1.3.4", "weights, row is, 1 even, so: hidden by the mask"),
        ("ArrowLeft", "cell=1.3.3", "weights, row is, 1 even, is: 1.125e-7"),
        ("ArrowLeft", "cell=1.3.2", "weights, row is, 1 even, weather: 1"),
        ("ArrowDown", "cell=1.4.2", "weights, row so, 1 even, weather: 0.5"),
    ):
        page.keyboard.press(key)
        until(page, lambda cell=cell: page.url, cell)
        assert page.locator(".tbt-status").text_content() == said
    turn_to(page, WRITTEN_OUT)
    until(page, steps.inner_text, "“weather”")
    assert "0.5 × 20 = 10" in "".join(texts(page))
    turn_to(page, ALL_HEADS)
    page.locator(".tbt-figure").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "cell=1.3.4")
    turn_to(page, WRITTEN_OUT)
    until(page, lambda: "".join(texts(page)), "hidden: −∞")


def test_a_weight_that_is_not_a_number_is_said_to_be_none_whether_it_is_hidden_or_not(visit):
    page = visit(f"?empty=nan&cell=1.1.1&slide={ALL_HEADS}")
    page.locator(".tbt-figure").focus()
    for key, cell, said in (
        ("ArrowRight", "cell=1.1.2", "weights, row Today, 1 even, weather: not a number"),
        ("ArrowDown", "cell=1.2.2", "weights, row weather, 1 even, weather: 1"),
        ("ArrowRight", "cell=1.2.3", "weights, row weather, 1 even, is: hidden by the mask"),
    ):
        page.keyboard.press(key)
        until(page, lambda cell=cell: page.url, cell)
        assert page.locator(".tbt-status").text_content() == said
