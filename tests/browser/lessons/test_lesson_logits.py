"""The lesson from contexts to a word in a real browser: W edited and the questions answered by keyboard alone."""

from reading import says, tab_to
from said import in_order

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


def test_by_keyboard_alone_a_cell_of_w_is_changed_and_the_questions_answered(visit):
    page = visit("/logits")
    says(page, "takeaway_word", "Challenge", "delicious", "7.15")
    tab_to(page, ".st-key-word_map .tbt-figure")
    page.keyboard.press("ArrowDown")
    page.locator(".st-key-w_entry_1_2").wait_for()
    page.locator(".st-key-takeaway_word [data-testid=stTooltipIcon] button, .st-key-takeaway_word .stTooltipIcon").first.hover()
    page.get_by_text(in_order("delicious", "above", "1.63")).first.wait_for()
    tab_to(page, ".st-key-word_map .tbt-figure")
    page.keyboard.press("ArrowUp")
    page.locator(".st-key-w_entry_0_2").wait_for()
    for _ in range(12):  # back over the heads' switches to the number
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.st-key-w_entry_0_2 input')"):
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("0.7")
    page.keyboard.press("Enter")
    says(page, "takeaway_word", "delicious", "wins", "15.65")
    page.wait_for_function("location.search.includes('w=')")
    says(visit(page.url), "takeaway_word", "delicious", "wins", "15.65")  # the link restores what the teacher sees


def test_the_questions_are_answered_by_keyboard_alone(visit):
    page = visit("/logits?slide=2")
    tab_to(page, ".st-key-guess_silence input")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-predict_silence button")
    page.keyboard.press("Enter")
    says(page, "answer_silence", "nice", "computed", "delicious")
    says(page, "answer_silence", "delicious", "6.9")
    page = visit("/logits?slide=4")
    tab_to(page, ".st-key-guess_temperature input")
    page.keyboard.type("62")
    page.keyboard.press("Enter")
    says(page, "answer_temperature", "62.3 %", "62 %")
    page = visit("/logits?slide=6")
    tab_to(page, ".st-key-guess_mean input")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-predict_mean button")
    page.keyboard.press("Enter")
    says(page, "answer_mean", "computed", "other logits and another word")
    page.locator("table", has_text="14.6, 13.6875, 8.2125").wait_for()


def test_a_cell_is_selected_with_the_pointer_and_stays_so_while_a_slider_moves_the_flips(visit):
    page = visit("/logits?steps=all")
    plot = page.locator(".st-key-word_map .js-plotly-plot")
    box = plot.bounding_box()
    page.mouse.click(box["x"] + 0.27 * box["width"], box["y"] + 58 + 23)  # the first column, the first row
    page.locator(".st-key-w_entry_0_0", has_text=in_order("W", "head 1", "“nice”")).wait_for(timeout=15000)
    page.locator(".st-key-value_0 input[type=range]").focus()
    for _ in range(18):
        page.keyboard.press("ArrowRight")
    says(page, "takeaway_flips", "nice", "warm")
    page.wait_for_function("location.search.includes('values=19,') && location.search.includes('head=1&word=1')")
