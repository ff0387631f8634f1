"""The prefill lesson in a real browser: the frames play without the server, and everything is done by keyboard alone."""

from driving import settled
from reading import says, tab_to, until

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


def covered(page):
    """How many pixels of height the covers on the triangles have: nothing at the end, three whole triangles at the start."""
    return page.evaluate(
        """() => document.querySelector('.st-key-triangles .js-plotly-plot').layout.shapes
             .filter((s) => s.type === 'rect' && s.fillcolor.startsWith('#')).reduce((sum, s) => sum + s.y1 - s.y0, 0)"""
    )


def frame(page):
    return int(page.locator(".st-key-triangles .tbt-figure").get_attribute("data-frame"))


def test_by_keyboard_alone_from_play_to_the_last_reveal(visit):
    page = visit("/prefill")
    assert frame(page) == 4 and covered(page) == 0  # untouched, the triangles are full
    tab_to(page, ".st-key-triangles .tbt-reel button")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.st-key-triangles .tbt-figure').dataset.frame === '0'")
    assert covered(page) > 0  # how much depends on how soon the machine gets here: a frame is 0.9 s
    page.wait_for_function("document.querySelector('.st-key-triangles .tbt-figure').dataset.frame === '4'", timeout=9000)
    page.locator(".st-key-triangles .tbt-reel button", has_text="Play").wait_for()
    assert covered(page) == 0
    tab_to(page, ".st-key-guess_products input")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-predict_products button")
    page.keyboard.press("Enter")
    says(page, "answer_products", "computed", "the same number", "10", "one pass", "10")
    page = visit("/prefill?slide=4")
    tab_to(page, ".st-key-guess_mask input")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    tab_to(page, ".st-key-predict_mask button")
    page.keyboard.press("Enter")
    says(page, "answer_mask", "check_circle", "only the last")
    page.locator(".st-key-mask_off .tbt-figure[aria-label*='row Today is 12.5, 10, 10, 9']").wait_for(timeout=15000)


def test_frames_play_without_a_word_to_the_server(visit):
    page = visit("/prefill")
    reruns = page.evaluate("document.querySelector('.st-key-triangles .tbt-figure').dataset.drawn")
    heights = []
    slider = page.locator(".st-key-triangles .tbt-reel input")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
        until(page, lambda: covered(page) > (heights[-1] if heights else 0), True)
        heights.append(covered(page))
    assert frame(page) == 0 and heights == sorted(heights) and len(set(heights)) == 4
    assert page.evaluate("document.querySelector('.st-key-triangles .tbt-figure').dataset.drawn") == reruns
    assert slider.get_attribute("aria-valuetext") == "after 0 of 4 steps"


def test_the_reels_arrow_keys_do_not_turn_the_page_of_a_presentation(visit):
    page = visit("/prefill?present=on&slide=1")
    page.locator(".st-key-triangles .tbt-reel input").focus()
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert frame(page) == 3 and "slide=" not in page.url
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".st-key-prompt_cost", timeout=15000)  # and outside of it they do


def test_another_chunk_keeps_the_end_at_the_end(visit):
    page = visit("/prefill")
    page.locator(".st-key-extra_chunk input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".st-key-triangles .tbt-figure[aria-label*='3 tokens at a time in 2']").wait_for(timeout=15000)
    page.wait_for_function("location.search.includes('chunk=3')")
    settled(page)
    assert frame(page) == 4 and covered(page) == 0
