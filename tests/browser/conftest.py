"""One Chromium and one server for all browser tests. A page that asks another host for anything, or whose script fails, fails."""

import os
import re
from contextlib import contextmanager
from pathlib import Path

import pytest
from driving import ATTENTION, BUILDS, LESSONS, PAGE_CLOCK, UNSEEN, chromiums, open_context, serve, settled, unseen
from reading import by_the_menu


def pytest_collection_modifyitems(items):
    here = os.path.join(Path(__file__).parent, "")
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browsers():
    with chromiums() as found:
        yield found


@pytest.fixture(scope="session")
def browser(browsers):
    if found := browsers(""):
        return found
    reason = "no Chromium here: install one, name it in CHROMIUM, or run `playwright install chromium`"
    # README promises the test command on a machine without a browser; where CI=true nothing may be left out.
    pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


@pytest.fixture(scope="session")
def widest(browsers):
    """The build whose words are the widest of those that are here."""
    return next((build for build in reversed(BUILDS) if browsers(build)), "")


@pytest.fixture(scope="session")
def address(browser):
    """A server that has been visited."""
    with serve() as address:
        yield address


@pytest.fixture(scope="session")
def context_of(browsers, browser):
    """Browser contexts by their options. They are kept, and what they have compiled: a page costs one CPU second, not six."""
    kept = {}

    def found(build="", **options):
        name = browsers(build), repr(sorted(options.items()))
        kept[name] = kept.get(name) or open_context(browsers(build), **options)
        return kept[name]

    yield found
    for context in kept.values():
        context.close()


@pytest.fixture
def visit(context_of, address):
    """Opens a lesson as a new visitor and waits until it stands. "?tokens=a,b" is the attention lesson, "/decode" another.

    Visitors are tabs, each with a session of its own; what a browser stores is cleared behind the test. person: whose browser it is,
    with a store of its own: another one compiles every script anew. moves: whether they want motion, which is drawn sixty times a
    second. seen: whether the page is drawn at all, for who looks at its picture.
    """
    pages, wrong = [], []

    def open_page(
        path="?",
        wait=True,
        init="",
        without="",
        clock=False,
        build="",
        person="",
        viewport=None,
        color_scheme=None,
        moves=False,
        seen=False,
    ):
        page = context_of(build, **({"user_agent": person} if person else {})).new_page()
        page.emulate_media(color_scheme=color_scheme, reduced_motion="null" if moves else "reduce")
        if viewport:
            page.set_viewport_size(viewport)
        pages.append(page)
        page.add_init_script(init)
        if clock:  # which `put_forward` puts forward
            page.add_init_script(PAGE_CLOCK)
        if not seen:
            page.add_init_script(UNSEEN)
        if without:  # what matches this cannot be loaded
            page.route(without, lambda route: route.fulfill(status=404))
        _watch(page, wrong)
        path = path.replace("?", ATTENTION + "?", 1) if path.startswith("?") else path
        page.goto(address + path if path.startswith("/") else path)
        if wait:
            settled(page)
        return page

    yield open_page
    for page in pages:
        if page.url.startswith("http") and not page.is_closed():
            page.evaluate("localStorage.clear()")
        page.context.clear_cookies()
        page.context.set_offline(False)  # a test that failed meanwhile must not take the line from those after it
        page.close()
    assert wrong == []


def by_link_and_menu(page, lesson, link):
    """From lesson to lesson as one visitor; the first is a link."""
    if page.url == "about:blank":
        page.goto(link)
    else:
        by_the_menu(page, lesson)


@pytest.fixture(scope="session")
def tab(context_of, address):
    """A tab of a build, and of a scenario where one is named, that goes from lesson to lesson through the menu, or by another way.

    A move costs a fifth of what a page costs. It is handed on as its test leaves it; one whose test fails is closed.
    """
    kept = {}

    @contextmanager
    def lend(build="", scenario="", go=by_link_and_menu):
        page, wrong = kept.pop((build, scenario), (None, []))
        if page is None:
            page = unseen(context_of(build).new_page())
            # Streamlit opens a page's side bar where that of the browser's last one was open when it was left.
            page.add_init_script("localStorage.removeItem('stSidebarCollapsed-')")
            _watch(page, wrong)

        def open_lesson(lesson):
            go(page, lesson, f"{address}{LESSONS[lesson]}?{scenario}")
            settled(page)
            return page

        try:
            yield open_lesson
            assert wrong == []
        except BaseException:
            page.close()
            raise
        kept[build, scenario] = page, wrong

    yield lend
    for page, _ in kept.values():
        page.close()


def _watch(page, wrong):
    """Writes down what no page may do: fail, or ask another host for anything."""
    page.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
    page.on("request", lambda r: wrong.append(f"asked {r.url[:200]}") if r.url[:4] == "http" and _away(r.url) else None)
    page.on("console", lambda m: wrong.append(f"console: {m.text[:300]}") if m.type == "error" and not _probe(m) else None)


def _probe(message):
    """On a deep link Streamlit first looks for its server beneath the lesson's path; and one test takes plotly.js away."""
    # A server of one test's own, which ends before its pages do, and a line that a test has cut.
    ended = any(f"ERR_{why}" in message.text for why in ("CONNECTION_REFUSED", "INTERNET_DISCONNECTED"))
    return ended or ("404" in message.text and re.search("/_stcore/|/plotly-", message.location["url"]))


def _away(url):
    return not url.startswith("http://127.0.0.1:")
