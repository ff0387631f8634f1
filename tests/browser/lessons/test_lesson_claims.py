"""The court in a real browser: by keyboard alone from the first statement to the evidence and on, and from there to a lesson."""

from driving import settled
from reading import choose, says, tab_to
from said import in_order

from pages.lessons.claims.steps import NAMES


def test_by_keyboard_alone_from_statement_to_verdict_to_the_next_and_to_the_lesson(visit):
    page = visit("/claims")
    choose(page, "claim_decode_makes_the_first", 2)
    says(page, "answer_claim_decode_makes_the_first", "Right", "wrong", "0 decode steps")
    page.locator('.tbt-figure[aria-label*="decode steps for 1 word 0"]').wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    says(page, "predict_claim_queries_are_dropped", "query")
    page.wait_for_function("location.search.includes('statement=1')")
    choose(page, "claim_queries_are_dropped", 2)
    says(page, "answer_claim_queries_are_dropped", "wrong", "computed", "true")
    page.locator("p", has_text=in_order("1 of 2", "5 open")).first.wait_for()
    tab_to(page, '[data-testid="stPageLink"] a[href*="cache"]')
    page.keyboard.press("Enter")
    page.wait_for_function("location.pathname.endsWith('/cache')")
    page.go_back()
    page.locator("p", has_text=in_order("1 of 2", "5 open")).first.wait_for()  # the votes are still cast


def test_presented_the_arrow_keys_go_from_statement_to_statement_and_the_evidence_is_in_sight(visit):
    page = visit("/claims?present=on&claim=17")  # as an earlier link named it
    says(page, "predict_claim_keys_never_change", "never change")
    page.keyboard.press("ArrowRight")
    says(page, "predict_claim_gqa_is_a_strategy", "caching strategies")
    page.wait_for_function("location.search.includes('statement=18')")
    in_sight_together(page, "gqa_is_a_strategy")
    page.keyboard.press("ArrowRight")
    says(page, "predict_claim_a_latent_saves", "93.3 %")
    for name in ("values", "average", "weights_are_spared", "steady_pace"):
        jump_to(page, name)
        in_sight_together(page, name)


def jump_to(page, name):
    """By the marks of the statements, which stand where none has been voted on."""
    at = NAMES.index(name)
    while not page.locator(f".st-key-mark_{at} button").count():
        page.keyboard.press("ArrowLeft")
        settled(page)
    page.locator(f".st-key-mark_{at} button:visible").click()
    page.wait_for_function(f"location.search.includes('statement={at}&') || location.search.endsWith('statement={at}')")
    settled(page)


def in_sight_together(page, name):
    """The statement, the reasons and the evidence."""
    choose(page, f"claim_{name}", 0)
    page.locator(f".st-key-answer_claim_{name}").wait_for()
    page.locator(".tbt-figure[data-drawn]").wait_for()
    settled(page)
    box = page.locator(".tbt-figure").bounding_box()
    assert box["y"] + box["height"] <= 720, name
    page.evaluate("document.activeElement.blur()")
