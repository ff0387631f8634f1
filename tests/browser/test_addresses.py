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
from reading import choose_lesson, problems, takeaway, texts, until

from pages.parts.text.format import JOINER

IS = ".st-key-value_2 input[type=range]"


def edit(page, key="End", value="100"):
    """Move the third token's value to one of its ends."""
    page.locator(IS).focus()
    page.keyboard.press(key)
    until(page, lambda: [*re.findall(r"values=([^&]*)", page.url), ",,"][0].split(",")[2], value)
    settled(page)


def test_reload_and_somebody_else_see_the_same_and_back_leaves_the_lesson(visit, address):
    page = visit("about:blank", wait=False)
    page.goto(address + ATTENTION)
    settled(page)
    edit(page)
    assert "warm" in takeaway(page)
    before, url = texts(page), page.url
    assert texts(visit(url)) == before, "somebody else"
    page.reload()
    settled(page)
    assert (texts(page), page.url) == (before, url), "after a reload"
    edit(page, "Home", "-20")
    page.go_back()  # moves are no history
    until(page, lambda: page.url, "about:blank")


def test_controls_show_the_scenario_on_every_page_that_has_them_and_back_brings_it_back(visit):
    """A widget of another page with the same key is a new one, which begins at its lowest value unless it is told."""

    def stands(lesson, is_):
        settled(page)
        sliders = [page.locator(f".st-key-value_{j} input[type=range]") for j in range(4)]
        assert [slider.input_value() for slider in sliders] == ["7", "20", is_, "5"], lesson
        if rule := {"rules": "one_rule_0", "attention": "rule_0"}.get(lesson):
            assert page.locator(f".st-key-{rule} input").input_value() == "odd positions", lesson

    def opens(lesson, is_):
        choose_lesson(page, f"/{lesson}")
        page.wait_for_url(f"**/{lesson}?**")
        stands(lesson, is_)

    page = visit("/rules?values=7,20,1,5&rules=odd,self,first,all&steps=all&answers=shown")
    opens("attention", "1")
    edit(page)
    before = texts(page)
    opens("logits", "100")
    page.go_back()
    page.wait_for_url("**/attention?**")
    stands("attention", "100")
    until(page, lambda: texts(page), before)
    page.get_by_role("link", name=re.compile("^(arrow_forward)? ?Next: ")).click()
    page.wait_for_url(lambda url: "/attention" not in url and "values=7,20,100,5" in url)
    settled(page)
    opens("rules", "100")


def test_what_an_earlier_run_has_written_does_not_set_the_address_back(visit):
    """Two runs of which one follows the other at once are drawn together, and the later one's bar may be drawn first."""
    page = visit("/cache?slide=2&step=1")
    page.evaluate("""() => tbtAddress({
      data: { run: tbtRun - 1, query: '{"slide": "2"}', moved: false, heard: 0 },
      parentElement: document.querySelector(".st-key-address_bar"),
    })""")
    assert "step=1" in page.url and page.evaluate("tbtPlace.query.step") == "1"


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
    "x:https://evil.tld", "(www.evil.tld)", "mailto:a@evil.tld", ":streamlit:", ":smile:", "->", "--", "<https://evil.tld>", "ftp://evil.tld",
]  # fmt: skip
# Links to a figure's cells are the page's own.
INJECTED = "script, img, iframe, object, embed, base, form, link, style, svg image, b, i, u, .katex, a:not([href^='#cell-'])"


def elements(page):
    """How many elements of each kind that an injection could have made."""
    return Counter(page.locator(INJECTED).evaluate_all("(found) => found.map((element) => element.tagName)"))


def as_link(words):
    """Words as a link writes them."""
    return ",".join(quote(w.replace("\\", "\\\\").replace(",", "\\,"), safe="") for w in words)


def test_words_are_shown_letter_by_letter_and_never_become_elements(visit):
    n = len(WORDS)
    shape = "&values=" + ",".join(["1"] * n) + "&rules=even,self,first,all&of=3&steps=all"
    harmless = elements(visit(f"?tokens={as_link(f'w{i}' for i in range(n))}{shape}&words={as_link(['x1', 'x2', 'x3'])}"))
    for words in (WORDS, ADDRESSES):
        init = "window.ran = 0; window.p = () => { window.ran += 1; }"
        page = visit(f"?tokens={as_link(words)}{shape}&words={as_link(words[:3])}", init=init)
        assert problems(page) == []
        assert elements(page) == harmless
        assert words[2] in page.locator(".st-key-value_2").inner_text().replace(JOINER, "")
        page.get_by_role("combobox", name="Value of").first.click()
        page.get_by_role("option").last.wait_for()
        assert page.get_by_role("option").all_inner_texts() == [f"{j} {word}" for j, word in enumerate(words, 1)]
        page.keyboard.press("Escape")
        edit(page)  # the sentence about the edit and the derivation carry the words as well
        assert words[2] in takeaway(page).replace(JOINER, "")
        assert elements(page) == harmless and page.evaluate("window.ran") == 0


def test_links_of_100_kb_and_more_do_no_harm_and_the_server_still_serves(visit, address):
    """From 64 kB on it depends on the network's packets whether the server takes the request, answers 400 or hangs up."""
    for size in (100_000, 1_000_000):
        for query in ("tokens=" + "x" * size, "&".join(f"values={i}" for i in range(size // 10))):
            with suppress(URLError, ConnectionError):
                urlopen(f"{address}{ATTENTION}?{query}", timeout=20).close()
    assert {"12.5", "nice", "75.0%"} <= set(texts(visit()))
