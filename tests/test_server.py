"""The server, asked as browsers and strangers ask: scripts whole and small, bounded messages, nothing kept of who has left."""

import asyncio
import gzip
import http.client
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from urllib.error import HTTPError

import plotly
import pytest
import streamlit
from app_pages import ROOT, application
from driving import process
from streamlit.proto.BackMsg_pb2 import BackMsg
from threads import within
from visitors import Visitor, connected, memory_mb, open_files
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pages.parts.vote.rooms.rooms_file import FILE, digest

MOST_OPEN = 10_240  # file descriptors, as streamlit_app.py asks for
PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
PLOTLY_PATH = f"/plotly-{version('plotly')}.min.js"
STATIC = Path(streamlit.__file__).parent / "static"


@pytest.fixture(scope="module")
def address():
    with process(ROOT / "streamlit_app.py") as (address, _):
        yield address


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
    at.switch_page("pages/overview.py").run()
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


@pytest.fixture
def fresh():
    """A server that nobody has visited: its address and process id."""
    with process(ROOT / "streamlit_app.py") as started:
        yield started


def largest_scripts(n=8):
    """Addresses of Streamlit's largest scripts, with what is on disk."""
    files = sorted((STATIC / "static").rglob("*.js"), key=lambda f: f.stat().st_size)[-n:]
    return {f"/static/{f.relative_to(STATIC / 'static').as_posix()}": f.read_bytes() for f in files}


def test_visitors_who_leave_during_their_first_load_spoil_nothing_for_the_next(fresh):
    """A script cut short was kept and served to everybody, as immutable: a white page, even after the server had restarted."""
    address, _ = fresh
    host, port = address.removeprefix("http://").split(":")
    for path, body in largest_scripts().items():
        for _ in range(3):
            with socket.create_connection((host, int(port))) as gone:
                gone.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        status, headers, packed = get(address + path, Accept_Encoding="gzip")
        assert status == 200 and headers["content-encoding"] == "gzip" and gzip.decompress(packed) == body


def test_a_class_of_thirty_cold_browsers_gets_everything_whole(fresh):
    """All scripts at the same moment, six connections a browser as browsers have, then the page itself."""
    address, pid = fresh
    scripts = largest_scripts(12)

    def load(path):
        status, headers, packed = get(address + path, Accept_Encoding="gzip, deflate, br")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        return gzip.decompress(packed) == scripts[path]

    async def open_tabs():
        async def tab():
            visitor = Visitor()
            async with connected(address) as line:
                await visitor.run(line)
            return visitor

        return await asyncio.gather(*(tab() for _ in range(30)))

    with ThreadPoolExecutor(60) as browsers:
        assert all(browsers.map(load, [path for path in scripts for _ in range(30)]))
        tabs = browsers.submit(asyncio.run, open_tabs()).result()
    assert [tab.errors for tab in tabs] == [[]] * 30 and all(tab.page for tab in tabs)
    assert memory_mb(pid) < 200


@pytest.mark.parametrize("spelled", ["/static//js/{}", "/static/./js/{}", "/static/js/{}/", "/static/js/../js/{}", "//static/{}"])
def test_another_spelling_of_an_address_is_not_another_compressed_file(address, spelled):
    """Six hundred spellings of one address filled what was kept, and from then on nothing was compressed."""
    status, headers, _ = raw_get(address, spelled.format(Path(next(iter(largest_scripts(1)))).name))
    assert status in (200, 301, 400, 404) and "content-encoding" not in headers


def test_an_escaped_address_is_the_same_file(address):
    path, body = next(iter(largest_scripts(1).items()))
    same = raw_get(address, path.replace("j", "%6A"))
    assert same[1]["etag"] == raw_get(address, path)[1]["etag"] and gzip.decompress(same[2]) == body


def raw_get(address, path):
    """As `get`, with gzip, for a path that urllib would mend."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
    with closing(connection):
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()


def test_compressed_scripts_are_kept_by_browsers_as_long_as_streamlits_own_files(address):
    font = next((STATIC / "static" / "media").glob("*.woff2")).name
    own = get(f"{address}/static/media/{font}")[1]["cache-control"]
    for path in (*largest_scripts(1), PLOTLY_PATH):
        assert {get(address + path, Accept_Encoding=how)[1]["cache-control"] for how in ("gzip", "identity")} == {own}


@pytest.mark.parametrize("path", [PLOTLY_PATH, *largest_scripts(1)])
def test_parts_heads_and_conditions_of_a_script(address, path):
    whole = get(address + path)[2]
    status, headers, part = get(address + path, Accept_Encoding="gzip", Range="bytes=100-199")
    assert status == 206 and part == whole[100:200] and "content-encoding" not in headers
    for how in ("gzip", "gzip;q=0"):
        _, headers, _ = get(address + path, Accept_Encoding=how)
        assert headers["vary"] == "Accept-Encoding" and ("content-encoding" in headers) == (how == "gzip")
        status, again, body = get(address + path, Accept_Encoding=how, If_None_Match=headers["etag"])
        assert status == 304 and body == b"" and again["etag"] == headers["etag"]
        assert get(address + path, Accept_Encoding=how, If_None_Match='"x"')[0] == 200


def test_the_largest_message_is_bounded_and_the_session_lives_on(fresh):
    """A single widget state of 24 MB was kept for each session: ten tabs took 717 MB."""
    address, pid = fresh

    async def send(n_bytes, session):
        async with connected(address, session) as line:
            message = BackMsg()
            message.rerun_script.widget_states.widgets.add(id="$$ID-x-None", string_value="x" * n_bytes)
            await line.send(message.SerializeToString())
            with pytest.raises(ConnectionClosed) as refused:
                while True:
                    await asyncio.wait_for(line.recv(), 20)
            return refused.value.rcvd.code

    async def visit():
        visitor = Visitor()
        async with connected(address) as line:
            await visitor.run(line)
            await visitor.run(line, 77.0)
        before, session = memory_mb(pid), visitor.session
        codes = {await send(n_bytes, session) for n_bytes in [1_100_000, 9_000_000] * 5}
        grown = memory_mb(pid) - before
        async with connected(address, session) as line:
            await visitor.run(line)  # no widget state is sent: the value is the session's own
        return codes, grown, visitor.session == session, visitor.errors

    with ThreadPoolExecutor(1) as other:
        codes, grown, same, errors = other.submit(asyncio.run, visit()).result()
    assert codes == {1009} and same and not errors
    assert grown < 50


def test_no_file_can_be_left_on_the_server(address):
    """No lesson uploads anything; Streamlit's address for it took 1 MB a file, any number of them, and kept them in memory."""

    async def visit():
        visitor = Visitor()
        async with connected(address) as line:
            await visitor.run(line)
            return [await asyncio.to_thread(put, visitor.session, body) for body in (b"x" * 900_000, iter([b"x" * 50_000] * 4))]

    def put(session, content):
        host = address.removeprefix("http://")
        with closing(http.client.HTTPConnection(host, timeout=20)) as line:
            line.request("GET", "/_stcore/health")
            answer = line.getresponse()
            token = re.search(r"_streamlit_xsrf=([^;]+)", answer.getheader("set-cookie"))[1]
            answer.read()
            head, tail = (b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n', b"\r\n--b--\r\n")
            body = head + content + tail if isinstance(content, bytes) else iter([head, *content, tail])
            names = {
                "Content-Type": "multipart/form-data; boundary=b",
                "X-Xsrftoken": token,
                "Cookie": f"_streamlit_xsrf={token}",
            }
            line.request("PUT", f"/_stcore/upload_file/{session}/one", body, names)
            return line.getresponse().status

    with ThreadPoolExecutor(1) as other:
        assert other.submit(asyncio.run, visit()).result() == [413, 413]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="file descriptors are counted where Linux shows them")
def test_a_class_has_as_many_open_files_as_the_system_allows():
    """A tab holds four file descriptors, three of them until its session is forgotten: a class that reloaded ran out of them."""
    import resource

    async def visits(address, pid):
        lines, visitors = [await connected(address) for _ in range(30)], [Visitor() for _ in range(30)]
        for visitor, line in zip(visitors, lines, strict=True):
            await visitor.run(line)
        held = open_files(pid)
        for line in lines:
            await line.close()
        return held, [error for visitor in visitors for error in visitor.errors]

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))  # what the server is started with
    try:
        with process(ROOT / "streamlit_app.py") as (address, pid):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            with ThreadPoolExecutor(1) as other:
                held, errors = other.submit(asyncio.run, visits(address, pid)).result()
            allowed, _ = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert not errors and held > 100 and allowed == min(MOST_OPEN, hard)


@pytest.mark.parametrize("module", ["runtime.state.safe_session_state", "components.v2.bidi_component.main"])
def test_a_server_starts_where_streamlit_keeps_nothing_of_what_it_did_not_promise(tmp_path, module):
    for name in ("engine", ".streamlit", "pages"):
        (tmp_path / name).symlink_to(ROOT / name)
    script = tmp_path / "streamlit_app.py"
    package, _, name = f"streamlit.{module}".rpartition(".")
    gone = f"import sys\n\nimport {package}.{name}\n\ndel {package}.{name}\nsys.modules['{package}.{name}'] = None\n"
    script.write_text(gone + (ROOT / script.name).read_text("utf-8"))

    async def visit(address):
        visitor = Visitor()
        async with connected(address) as line:
            await visitor.run(line)
        return visitor

    with process(script, cwd=tmp_path) as (address, _), ThreadPoolExecutor(1) as other:
        visitor = other.submit(asyncio.run, visit(address)).result()
    assert not visitor.errors and not visitor.alerts


async def room_opened(address, peer, forwarded):
    """Open a room over a connection from an address of this machine, with what its browser or a proxy says of another."""
    teacher = Visitor()
    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    said = {"X-Forwarded-For": forwarded}
    async with connect(url, max_size=None, subprotocols=["streamlit"], additional_headers=said, local_addr=(peer, 0)) as socket:
        await teacher.run(socket)
        await teacher.press(socket, "share")
        await teacher.press(socket, "vote_open")


@pytest.mark.skipif(sys.platform != "linux", reason="has but one address of its own")
def test_where_a_visit_comes_from_is_told_by_a_proxy_that_is_named_and_by_no_other(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKEN_BY_TOKEN_PROXIES", "127.0.0.2, 198.51.100.0/24")
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path))
    with process(ROOT / "streamlit_app.py") as (address, _):
        for peer, forwarded in (("127.0.0.2", "192.0.2.1, 203.0.113.7, 198.51.100.9"), ("127.0.0.3", "203.0.113.8")):
            within(room_opened(address, peer, forwarded))
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        places = {place for (place,) in db.execute("SELECT place FROM rooms")}
    assert places == {digest("203.0.113.7")[:4], digest("127.0.0.3")[:4]}


@pytest.mark.parametrize("how", ["application", "ordinary script"])
def test_where_a_page_fails_visitors_are_told_what_to_do_and_no_path(tmp_path, how):
    """They saw the whole traceback, with the operator's folders in it."""
    for name in ("engine", ".streamlit"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "pages", tmp_path / "pages")
    (tmp_path / "pages" / "attention.py").write_text("raise RuntimeError(f'secret in {__file__}')")
    script = tmp_path / "streamlit_app.py"
    shutil.copy(ROOT / script.name, script)
    if how == "ordinary script":
        script = tmp_path / "other.py"
        script.write_text("import runpy\nrunpy.run_path('pages/app/frame.py')")

    async def visit(address):
        visitor = Visitor()
        async with connected(address) as line:
            await visitor.run(line)
        return visitor

    with process(script, cwd=tmp_path) as (address, _), ThreadPoolExecutor(1) as other:
        visitor = other.submit(asyncio.run, visit(address)).result()
    said = "\n".join([*visitor.errors, *visitor.alerts])
    assert "secret" not in said and str(tmp_path) not in said and "RuntimeError" not in said
    if how == "application":
        assert "Reload it" in said and "address bar" in said and not visitor.errors
    else:
        assert "redacted" in said


def test_as_an_ordinary_script_it_shows_the_first_lesson():
    at = application().run()
    assert not at.exception and len(at.title) == 1


def test_no_lesson_makes_the_server_import_pandas():
    """It is 70 MB, and visitors who come while it is half imported see an error: 16 of 20 at once on a fresh server."""
    visit_all = """
import sys
from app_pages import LESSONS, application
at = application().run()
for lesson in LESSONS:
    at.switch_page(f"pages/{lesson}.py").run()
    assert not at.exception
    assert "pandas" not in sys.modules, lesson
"""
    command = [sys.executable, "-c", visit_all]
    run = subprocess.run(command, cwd=ROOT / "tests", env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
