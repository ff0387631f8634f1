"""The server: plotly.js as it is installed, each static file compressed once and correctly; the same as an ordinary script."""

import asyncio
import gzip
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from urllib.error import HTTPError

import plotly
import pytest
import streamlit
from lessons import ROOT, application

sys.path.insert(0, str(ROOT))
PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
PLOTLY_PATH = f"/plotly-{version('plotly')}.min.js"
STATIC = Path(streamlit.__file__).parent / "static"


@pytest.fixture(scope="module")
def address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.headless=true", f"--server.port={port}"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
            break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(10)


def get(url, **headers):
    """Status, headers with lower-case names, body."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
    except HTTPError as error:
        with error:
            return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


def test_plotly_js_is_the_installed_packages_own_to_the_byte(address):
    status, headers, body = get(address + PLOTLY_PATH)
    assert status == 200 and body == PLOTLY_JS.read_bytes()
    assert "javascript" in headers["content-type"] and "immutable" in headers["cache-control"]
    status, headers, body = get(address + PLOTLY_PATH, Accept_Encoding="gzip")
    assert headers["content-encoding"] == "gzip" and gzip.decompress(body) == PLOTLY_JS.read_bytes()
    assert len(body) < 0.4 * PLOTLY_JS.stat().st_size


def test_the_page_asks_for_that_very_file():
    """The component's address is relative, because hosts serve the application under a prefix."""
    at = application().run()
    sources = re.findall(r'"source": ?"([^"]+)"', "".join(e.proto.json for e in at.get("bidi_component")))
    assert sources and set(sources) == {f".{PLOTLY_PATH}"}


def test_every_script_and_style_sheet_of_streamlit_arrives_whole_and_small(address):
    files = [f for kind in ("*.js", "*.css") for f in (STATIC / "static").rglob(kind)]
    files = sorted(files, key=lambda f: f.stat().st_size)[-8:]
    assert len(files) == 8
    for file in files:
        url = f"{address}/static/{file.relative_to(STATIC / 'static').as_posix()}"
        plain, packed, again = get(url), get(url, Accept_Encoding="gzip, br"), get(url, Accept_Encoding="gzip, br")
        assert plain[2] == gzip.decompress(packed[2]) == file.read_bytes()
        assert packed[1]["content-encoding"] == "gzip" and "content-encoding" not in plain[1]
        assert packed[1]["content-length"] == str(len(packed[2])) and packed[1]["vary"] == "Accept-Encoding"
        assert packed[1]["content-type"] == plain[1]["content-type"]
        assert packed[2] == again[2] and len(packed[2]) < 0.8 * len(plain[2])


def test_a_page_is_served_for_every_path_that_is_no_file_and_is_not_taken_for_a_script(address):
    for path in ("/", "/attention?tokens=a,b", "/nothing.js"):
        status, headers, body = get(address + path, Accept_Encoding="gzip")
        assert status == 200 and headers["content-type"].startswith("text/html")
        assert b"<title>" in (gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body)


def middleware(answers):
    """CompressOnce around an application that gives `answers` and counts what it is asked."""
    import streamlit_app

    asked = []

    async def app(scope, receive, send):
        asked.append(scope)
        for message in answers(scope):
            await send(message)

    return streamlit_app.CompressOnce(app), asked


def ask(app, path="/a.js", method="GET", kind="http", **headers):
    sent = []

    async def send(message):
        sent.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": path, "headers": pairs}
    with ThreadPoolExecutor(1) as other:  # Playwright's event loop, once started, stays in this thread
        other.submit(asyncio.run, app(scope, None, send)).result()
    return sent


def script(scope, status=200, kind=b"text/javascript"):
    yield {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", kind), (b"content-length", b"6"), (b"etag", b"e")],
    }
    yield {"type": "http.response.body", "body": b"abc", "more_body": True}
    yield {"type": "http.response.body", "body": b"def"}


def test_a_file_is_read_and_compressed_once_for_all_visitors():
    app, asked = middleware(script)
    for _ in range(3):
        start, body = ask(app, accept_encoding="gzip")
        assert gzip.decompress(body["body"]) == b"abcdef"
        headers = dict(start["headers"])
        assert headers[b"content-length"] == b"%d" % len(body["body"]) and b"etag" not in headers
    assert len(asked) == 1
    assert all(name != b"accept-encoding" for name, _ in asked[0]["headers"])


@pytest.mark.parametrize(
    "how",
    [
        {"accept_encoding": "br"}, {}, {"accept_encoding": "gzip", "range": "bytes=0-1"},
        {"accept_encoding": "gzip", "if_none_match": "e"}, {"accept_encoding": "gzip", "method": "HEAD"},
        {"accept_encoding": "gzip", "path": "/a.png"},
        {"accept_encoding": "gzip", "path": "/_stcore/stream", "kind": "websocket"},
    ],
)  # fmt: skip
def test_everything_else_passes_through_untouched(how):
    app, asked = middleware(script)
    assert ask(app, **how) == list(script(None))
    ask(app, **how)
    assert len(asked) == 2


@pytest.mark.parametrize("answer", [lambda s: script(s, status=404), lambda s: script(s, kind=b"text/html")])
def test_errors_and_pages_are_never_kept(answer):
    app, asked = middleware(answer)
    for n in (1, 2):
        assert ask(app, accept_encoding="gzip") == list(answer(None))
        assert len(asked) == n


def test_what_is_kept_is_bounded():
    app, _ = middleware(script)
    for i in range(2 * app.MOST_FILES):
        ask(app, path=f"/{i}.js", accept_encoding="gzip")
    assert len(app.kept) == app.MOST_FILES


def test_as_an_ordinary_script_it_shows_the_first_lesson():
    at = application().run()
    assert not at.exception and len(at.title) == 1


def test_no_lesson_makes_the_server_import_pandas():
    """It is 70 MB, and visitors who come while it is half imported see an error: 16 of 20 at once on a fresh server."""
    visit_all = """
import sys
from lessons import LESSONS, application
at = application().run()
for lesson in LESSONS:
    at.switch_page(f"pages/{lesson}.py").run()
    assert not at.exception
    assert "pandas" not in sys.modules, lesson
"""
    command = [sys.executable, "-c", visit_all]
    run = subprocess.run(command, cwd=ROOT / "tests", env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
