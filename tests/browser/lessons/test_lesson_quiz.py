"""The quiz in a real browser: five questions by keyboard alone to the result; a class that opens one link has the same questions."""

from driving import settled
from reading import choose, click, says, tab_to, until
from said import in_order

from pages.lessons.quiz.drawn import quiz

TOPIC, SEED, N = "counting", 42, 5
LINK = f"/quiz?quiz={TOPIC}&quiz_seed={SEED}&quiz_length={N}"


def answer(page, k, option):
    """Tab to the options of question k, take one by its text, commit."""
    key = f"quiz_{TOPIC}_{SEED}_{k}"
    options = quiz(TOPIC, SEED, N)[k - 1].task.options
    choose(page, key, options.index(option))
    page.locator(f".st-key-answer_{key}").wait_for(timeout=30_000)
    settled(page)
    return key


def test_five_questions_by_keyboard_and_the_result(visit):
    drawn, page = quiz(TOPIC, SEED, N), visit(LINK)
    asked = page.locator(".st-key-card_quiz").inner_text()
    for k, d in enumerate(drawn, 1):
        said = d.task.answer if k % 2 else next(iter(d.task.slips))
        key = answer(page, k, said)
        says(page, f"answer_{key}", *(("check_circle", d.task.answer) if k % 2 else (d.task.slips[said],)))
        page.evaluate("document.activeElement.blur()")
        if k < N:
            page.keyboard.press("ArrowRight")
            page.wait_for_function(f"location.search.includes('quiz_at={k}')")
            settled(page)
    counted = in_order("3 of 5", "right", "0 open")
    until(page, lambda: bool(counted.search(page.get_by_test_id("stMain").inner_text())), True)
    click(page.get_by_text("All questions and answers"))
    page.locator(".st-key-all_of_quiz tbody tr").last.wait_for()
    rows = page.locator(".st-key-all_of_quiz tbody tr").all_inner_texts()
    assert [d.maker.short in row for d, row in zip(drawn, rows, strict=True)] == [True] * N
    tab_to(page, '[data-testid="stPageLink"] a[href*="counting"]')
    page.keyboard.press("Enter")
    page.wait_for_function("location.pathname.endsWith('/counting')")
    another_visitor(visit, asked)


def another_visitor(visit, asked):
    """Of the same link has the same question; a full result stands on one screen and prints itself; another quiz is another link."""
    page = visit(LINK, init="window.print = () => { window.printed = true; }")
    assert page.locator(".st-key-card_quiz").inner_text() == asked and len(asked) > 60
    page.get_by_role("button", name="Which quiz").click()
    page.locator(".st-key-extra_quiz_length button", has_text="20").click()
    page.wait_for_function("location.search.includes('quiz_length=20')")
    settled(page)
    page.locator(".st-key-extra_quiz input").fill("All lessons")
    page.keyboard.press("Enter")
    page.wait_for_function("!location.search.includes('quiz=')")
    settled(page)
    assert page.evaluate("(m => m.scrollHeight - m.clientHeight)(document.querySelector('[data-testid=stMain]'))") <= 0
    assert page.locator("[class*=st-key-mark_]").count() == 20
    page.locator(".st-key-print_result button").click()
    assert page.evaluate("window.printed === true")
    page.get_by_role("button", name="Another quiz").click()
    page.wait_for_function(f"!location.search.includes('quiz_seed={SEED}&') && !location.search.endsWith('quiz_seed={SEED}')")
    settled(page)
    assert f"Quiz {SEED}," not in page.get_by_test_id("stMain").inner_text()
