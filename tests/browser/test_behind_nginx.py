"""Two server processes behind nginx, as README.md says to host it for a course; one of them is killed."""

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from contextlib import ExitStack, contextmanager, suppress

import pytest
from driving import ROOT, free_port, process, settled
from reading import until

NGINX = os.environ.get("NGINX_PROGRAM") or shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
IS = ".st-key-value_2 input[type=range]"
WRAPPED = """
daemon off; pid {here}/pid; error_log {here}/errors; worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off; default_type application/octet-stream;
    client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/f; uwsgi_temp_path {here}/u;
    scgi_temp_path {here}/s;
    include {here}/course.conf;
}}
"""


@contextmanager
def nginx(folder, ports):
    """The address of an nginx with the configuration of README.md, but for the ports."""
    (text,) = re.findall(r"^```nginx\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)
    port = free_port()
    for named, used in zip(("127.0.0.1:8501", "127.0.0.1:8502", "listen 80;"), (*ports, port), strict=True):
        assert named in text
        text = text.replace(named, re.sub(r"(8501|8502|80)(?=;|$)", str(used), named))
    (folder / "course.conf").write_text(text)
    (folder / "nginx.conf").write_text(WRAPPED.format(here=folder))
    folder.chmod(0o777)  # started by root, it works as nobody
    server = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 30
    try:
        while True:
            with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                assert answer.read() == b"ok" and any("tbt_process=" in c for c in answer.headers.get_all("set-cookie"))
                break
            assert server.poll() is None and time.monotonic() < deadline, (folder / "errors").read_text()
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def visitor(browser, address, letter):
    """A tab whose cookie names a process, and a value that has been moved in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_cookies([{"name": "tbt_process", "value": letter, "url": address}])
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


@pytest.mark.skipif(NGINX is None, reason="no nginx here: install it, or name it in NGINX_PROGRAM")
def test_a_killed_processs_visitors_go_on_with_the_other_and_nobody_else_notices(browser, tmp_path):
    with ExitStack() as stack:
        servers = [stack.enter_context(process(ROOT / "streamlit_app.py")) for _ in "ab"]
        address = stack.enter_context(nginx(tmp_path, [url.rpartition(":")[2] for url, _ in servers]))
        ours, theirs = (visitor(browser, address, letter) for letter in "ab")
        before = visit_of(ours), visit_of(theirs)
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
            page.context.close()
