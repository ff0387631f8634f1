"""A class vote in a real browser: a teacher's screen and five phones, from the code on the screen to the reveal."""

from driving import settled
from reading import code_on, until

PHONE = {"width": 390, "height": 844}


def say(page, k):
    """Choose the k-th option and commit it."""
    page.locator(".st-key-guess_values label:has(input[type=radio])").nth(k).click()
    page.locator("[data-testid=stFormSubmitButton] button").click()
    page.get_by_text("Your answer is in").wait_for()


def answered(page):
    return page.locator(".st-key-predict_values").inner_text()


def test_five_phones_and_their_teacher(visit):
    desk = visit("/attention")
    desk.locator(".st-key-share button").click()
    desk.locator(".st-key-vote_open button").click()
    desk.locator(".tbt-room-code").wait_for()
    code = desk.locator(".tbt-room-code").inner_text()
    until(desk, lambda: code_on(desk).endswith(f"/?room={code}"), True)
    assert code not in desk.url and len(code) == 6
    desk.keyboard.press("Escape")
    phones = [visit(f"/?room={code}", viewport=PHONE, user_agent=f"phone {k}") for k in range(5)]
    for k, page in enumerate(phones):
        until(page, lambda page=page: "/attention?" in page.url and "only=on" in page.url, True)
        form = page.locator(".st-key-predict_values [data-testid=stForm]")  # far below the figure, and brought into sight
        until(page, lambda form=form: 0 < form.bounding_box()["y"] < PHONE["height"], True)
        say(page, k % 2)
    until(desk, lambda: answered(desk), "5 have answered")
    phones[0].reload()
    settled(phones[0])
    phones[0].get_by_text("Your answer is in: none").wait_for()
    say(phones[0], 1)
    desk.reload()
    settled(desk)
    until(desk, lambda: answered(desk), "5 have answered")
    assert not any("Weights come from" in page.content() for page in (desk, *phones))
    desk.locator(".st-key-show_values button").click()
    desk.locator("[role=progressbar]").first.wait_for()
    until(desk, lambda: "2 × none" in answered(desk) and "3 × one" in answered(desk), True)
    desk.locator(".st-key-reveal_values button").click()
    until(desk, lambda: answered(desk), "2 of 5 right")
    for k, page in enumerate(phones):
        until(page, lambda page=page: answered(page), "as you predicted" if k in (2, 4) else "You predicted one")
    desk.locator(".st-key-slide_next button").click()
    for page in phones:
        until(page, lambda page=page: "slide=2" in page.url, True)
    phones[0].locator(".st-key-room_leave button").click()
    until(phones[0], lambda: "room=" in phones[0].url, False)


def test_an_unknown_room_is_said_and_the_lesson_is_an_ordinary_one(visit):
    page = visit("/attention?room=AAAAAA&only=on")
    page.get_by_text("There is no such room, or it has ended.").wait_for()
    assert page.locator(".st-key-room_bar").count() == 0 and "room=" not in page.url
