"""Two server processes behind nginx, as README.md says to host it for a course; one of them is killed."""

import os
import signal
from contextlib import ExitStack

import pytest
from behind_nginx import NGINX, nginx
from driving import ROOT, process, settled
from reading import until

IS = ".st-key-value_2 input[type=range]"


def names_a_process(context, address, letter):
    """From now on whoever connects says so in his cookie."""
    context.add_cookies([{"name": "tbt_process", "value": letter, "url": address}])


def visitor(context, address, letter):
    """A tab of a visitor of a process, and a value that has been moved in it."""
    names_a_process(context, address, letter)
    page = context.new_page()
    page.goto(f"{address}/attention")
    settled(page)
    page.locator(IS).focus()
    page.keyboard.press("End")
    until(page, lambda: page.url, "values=10,20,100,5")
    settled(page)
    return page


def visit_of(page):
    return page.locator(".st-key-reconnect [data-visit]").get_attribute("data-visit")


@pytest.mark.skipif(
    NGINX is None and os.environ.get("CI") != "true", reason="no nginx here: install it, or name it in NGINX_PROGRAM"
)  # with CI=true nothing may be left out
def test_a_killed_processs_visitors_go_on_with_the_other_and_nobody_else_notices(context_of, tmp_path):
    with ExitStack() as stack:
        servers = [stack.enter_context(process(ROOT / "streamlit_app.py")) for _ in "ab"]
        address = stack.enter_context(nginx(tmp_path, [url.rpartition(":")[2] for url, _ in servers]))
        context = context_of()
        ours, theirs = (visitor(context, address, letter) for letter in "ab")
        before = visit_of(ours), visit_of(theirs)
        names_a_process(context, address, "a")
        os.kill(servers[0][1], signal.SIGKILL)
        ours.locator(f".st-key-reconnect [data-visit]:not([data-visit='{before[0]}'])").wait_for(state="attached", timeout=60_000)
        settled(ours)
        assert ours.locator(IS).input_value() == "100" and "values=10,20,100,5" in ours.url
        for page in (ours, theirs):
            page.locator(IS).focus()
            page.keyboard.press("Home")
            until(page, lambda page=page: page.url, "values=10,20,-20,5")
        assert visit_of(theirs) == before[1]
        for page in (ours, theirs):
            page.close()
        context.clear_cookies()
