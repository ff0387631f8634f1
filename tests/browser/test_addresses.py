"""The address bar holds the lesson: shared links, reload, the back button, a page inside another; and links meant to do harm."""

import re
import threading
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from driving import ATTENTION, settled
from reading import figures_as_text, menu, problems, takeaway, texts, until

from pages.parts.text.format import JOINER

IS = ".st-key-value_2 input[type=range]"
LUNCH = "tokens=Lunch,today,is,so&values=40,20,1,5&rules=even,self,first,all"


def edit(page):
    page.locator(IS).focus()
    page.keyboard.press("End")
    until(page, lambda: page.url, "values=10,20,100,5")
    until(page, lambda: takeaway(page), "warm")


@pytest.mark.parametrize("path", [ATTENTION, "/", "/overview"])
def test_a_shared_link_is_the_first_visit_of_a_fresh_server(visit, fresh_address, path):
    """Streamlit shows such a visitor a menu of its own, without the frame, when the frame's script lies beside pages/."""
    link = f"{LUNCH}&steps=all"
    shared = visit(f"{fresh_address}{path}?{link}")
    known = visit("/overview?steps=all")
    assert menu(shared) == menu(known)
    assert shared.title() == (known.title() if path != ATTENTION else visit().title())
    assert shared.url == f"{fresh_address}{path if path == ATTENTION else '/overview'}?{link}"
    assert problems(shared) == []
    again = visit(f"{path}?{link}")  # a server that has been visited, another machine
    assert figures_as_text(shared) == figures_as_text(again) != figures_as_text(known)
    assert shared.locator("h1").inner_text() == again.locator("h1").inner_text()


def test_reload_keeps_everything(visit):
    page = visit()
    edit(page)
    before, url = texts(page), page.url
    page.reload()
    settled(page)
    assert (texts(page), page.url) == (before, url)


def test_the_address_bar_opens_the_same_for_somebody_else(visit):
    page = visit()
    edit(page)
    assert texts(visit(page.url)) == texts(page)


def test_fifty_moves_are_no_history_and_back_leaves_the_lesson(visit):
    page = visit("about:blank", wait=False)
    page.goto(visit().url)
    settled(page)
    edit(page)
    page.keyboard.press("Home")
    until(page, lambda: page.url, "values=10,20,-20,5")
    page.go_back()
    assert page.url == "about:blank"


def test_back_from_the_next_lesson_brings_the_edited_scenario_back(visit):
    page = visit("?steps=all")
    edit(page)
    settled(page)  # the other steps have followed
    before, address = texts(page), page.url
    page.get_by_role("link", name=re.compile("^(arrow_forward)? ?Next: ")).click()
    page.wait_for_url(lambda url: url != address)
    settled(page)
    until(page, lambda: page.url, "values=10,20,100,5")
    page.go_back()
    settled(page)
    until(page, lambda: page.url, "values=10,20,100,5")
    until(page, lambda: texts(page), before)


def test_controls_show_the_scenario_on_every_page_that_has_them(visit):
    """A widget of another page with the same key is a new one, which begins at its lowest value unless it is told."""
    page = visit("/rules?values=7,20,1,5&rules=odd,self,first,all&steps=all")
    for lesson in ("attention", "logits", "attention", "rules"):
        page.locator(f"[data-testid=stSidebarNavLink][href$='/{lesson}']").click()
        page.wait_for_url(f"**/{lesson}?**")
        settled(page)
        sliders = [page.locator(f".st-key-value_{j} input[type=range]") for j in range(4)]
        until(page, lambda shown=sliders: [s.input_value() for s in shown], ["7", "20", "1", "5"])
        if lesson != "logits":
            until(page, page.locator(".st-key-rule_0 input").input_value, "odd positions")


@pytest.fixture
def host_page(address):
    """The address of a page on another server that shows the application in a frame and keeps what it is told."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            script = "window.told = []; addEventListener('message', ({ data }) => told.push(data))"
            frame = f"<iframe width=1280 height=700 src='{address}{ATTENTION}?embed=true'></iframe>"
            self.wfile.write(f"<link rel=icon href=data:,><script>{script}</script>{frame}".encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_inside_another_page_the_host_is_told_the_address(visit, host_page):
    """Community Cloud shows the application in a frame; its own address bar follows the messages."""
    page = visit(host_page, wait=False)
    frame = page.frames[1]
    settled(frame)
    frame.locator(IS).focus()
    page.keyboard.press("End")
    told = "() => told.filter(({ type }) => type === 'SET_QUERY_PARAM').map(({ queryParams }) => queryParams)"
    until(page, lambda: "\n".join(page.evaluate(told)), "values=10,20,100,5")
    last = page.evaluate(told)[-1]
    assert last.startswith("?tokens=Today,weather,is,so&") and "embed=true" in last


WORDS = [
    "<img src=x onerror=p()>", "<script>p()</script>", "<svg onload=p()>", "<a href=//x.test>y</a>", "<b>bold</b>",
    "[x](javascript:p())", "![i](//x.test/i.png)", "**bold**", "`code`", "$x^2$", ":red[x]", ":material/home:",
    "&lt;i&gt;", "{{x}}${p()}", "%{z} %{text}", '"><i>',
]  # fmt: skip
# What becomes a link or a picture after Markdown has been read, where a backslash does not help.
ADDRESSES = [
    "https://login.evil.tld/x", "http://evil.tld", "HTTPS://EVIL.TLD", "www.evil.tld", "WWW.evil.tld", "a@evil.tld", "www",
    "x:https://evil.tld", "(www.evil.tld)", "mailto:a@evil.tld", ":streamlit:", ":smile:", "->", "--", "<https://evil.tld>",
]  # fmt: skip
# Links to a figure's cells are the page's own.
INJECTED = "script, img, iframe, object, embed, base, form, link, style, svg image, b, i, u, .katex, a:not([href^='#cell-'])"


def elements(page):
    """How many elements of each kind that an injection could have made."""
    return Counter(page.locator(INJECTED).evaluate_all("(found) => found.map((element) => element.tagName)"))


def as_link(words):
    """Words as a link writes them."""
    return ",".join(quote(w.replace("\\", "\\\\").replace(",", "\\,"), safe="") for w in words)


@pytest.mark.parametrize("words", [WORDS, ADDRESSES], ids=["markup", "addresses"])
def test_words_are_shown_letter_by_letter_and_never_become_elements(visit, words):
    n = len(words)
    shape = "&values=" + ",".join(["1"] * n) + "&rules=even,self,first,all&of=3&steps=all"
    harmless = visit(f"?tokens={as_link(f'w{i}' for i in range(n))}{shape}&words={as_link(['x1', 'x2', 'x3'])}")
    init = "window.ran = 0; window.p = () => { window.ran += 1; }"
    page = visit(f"?tokens={as_link(words)}{shape}&words={as_link(words[:3])}", init=init)
    assert problems(page) == []
    assert elements(page) == elements(harmless)
    assert page.evaluate("window.ran") == 0
    assert words[2] in page.locator(".st-key-value_2").inner_text().replace(JOINER, "")
    page.get_by_role("combobox", name="Value of").first.click()
    assert page.get_by_role("option").all_inner_texts() == [f"{j} {word}" for j, word in enumerate(words, 1)]
    page.keyboard.press("Escape")
    page.locator(IS).focus()
    page.keyboard.press("End")  # the sentence about the edit and the derivation carry the words as well
    until(page, lambda: takeaway(page).replace(JOINER, ""), words[2])
    assert elements(page) == elements(harmless) and page.evaluate("window.ran") == 0


@pytest.mark.parametrize(
    "path", ["/decode?step=1&choose=hand", "/overview", "/rules", "/inside?prompt={0}&source={0}", "/logits"]
)
def test_no_lesson_makes_a_link_of_what_the_address_says(visit, path):
    address = quote("https://evil.tld www.evil.tld a@evil.tld", safe="")
    path = path.format(address)
    words = as_link(["https://evil.tld/x", "www.evil.tld", "a@evil.tld", ":streamlit:"])
    page = visit(f"{path}{'&' if '?' in path else '?'}tokens={words}&words={words}&empty={address}&rules={address}")
    assert any("evil.tld" in sentence.replace(JOINER, "") for sentence in problems(page))
    assert page.locator("a[href*=evil i], a[href^=mailto], img[alt*=logo i]").count() == 0


def test_links_of_100_kb_and_more_do_no_harm_and_the_server_still_serves(visit, address):
    """From 64 kB on it depends on the network's packets whether the server takes the request, answers 400 or hangs up."""
    for size in (100_000, 1_000_000):
        for query in ("tokens=" + "x" * size, "&".join(f"values={i}" for i in range(size // 10))):
            with suppress(URLError, ConnectionError):
                urlopen(f"{address}{ATTENTION}?{query}", timeout=20).close()
    assert {"15.3", "14.2", "8.15"} <= set(texts(visit()))
