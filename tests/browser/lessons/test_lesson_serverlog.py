"""A server's log in the browser: pasted, read, a token worked out by keyboard, and the bars say what the page says."""

from driving import settled
from reading import says, turn_to


def test_a_log_is_pasted_read_and_worked_out(visit):
    page = visit("/serverlog")
    page.get_by_role("button", name="Paste your own log").click()
    page.get_by_role("textbox", name="Your log").fill("Available KV cache memory: 5.38 GiB\nGPU KV cache size: 78,384 tokens")
    page.get_by_role("button", name="Read it").click()
    page.get_by_text("78,384 tokens").first.wait_for()
    settled(page)
    page.keyboard.press("Escape")
    settled(page)
    turn_to(page, 2)
    page.locator(".st-key-predict_log_token input").fill("72")
    page.keyboard.press("Enter")
    says(page, "answer_log_token", "check_circle")
    page.wait_for_function("[...document.querySelectorAll('[data-drawn]')].some((e) => e.textContent.includes('73,698'))")
