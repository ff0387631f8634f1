"""The server, asked as browsers and strangers ask: scripts whole and small, bounded messages, nothing kept of who has left."""

import asyncio
import gzip
import http.client
import random
import re
import shutil
import socket
import sqlite3
import sys
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from urllib.error import HTTPError

import plotly
import pytest
import streamlit
from app_pages import LESSONS, ROOT, application
from driving import process
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from threads import within
from visitors import Visitor, Wanderer, connected, memory_mb, open_files
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pages.parts.vote.rooms.rooms_file import FILE, digest

MOST_OPEN = 10_240  # file descriptors, as streamlit_app.py asks for
PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
PLOTLY_PATH = f"/plotly-{version('plotly')}.min.js"
STATIC = Path(streamlit.__file__).parent / "static"


@contextmanager
def few_files(n):
    """Inside, what is started may open n files, unless it asks for more."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (n, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def rooms(tmp_path_factory):
    """The folder of the module's server in which rooms are kept."""
    return tmp_path_factory.mktemp("rooms")


@pytest.fixture(scope="module")
def server(rooms):
    """A server, which stands behind two proxies of its own and was started with a hundred files: its address and process id."""
    env = {"TOKEN_BY_TOKEN_PROXIES": "127.0.0.2, 198.51.100.0/24", "TOKEN_BY_TOKEN_ROOMS": str(rooms)}
    with ExitStack() as stack:
        with few_files(100) if sys.platform == "linux" else nullcontext():
            started = stack.enter_context(process(ROOT / "streamlit_app.py", env=env))
        yield started


@pytest.fixture
def address(server):
    return server[0]


def get(url, **headers):
    """Status, headers with lower-case names, body."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
    except HTTPError as error:
        with error:
            return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


def largest_scripts(n=8):
    """Addresses of Streamlit's largest scripts, with what is on disk."""
    files = sorted((STATIC / "static").rglob("*.js"), key=lambda f: f.stat().st_size)[-n:]
    return {f"/static/{f.relative_to(STATIC / 'static').as_posix()}": f.read_bytes() for f in files}


@pytest.mark.skipif(sys.platform != "linux", reason="file descriptors are counted where Linux shows them")
def test_a_class_of_thirty_cold_browsers_gets_everything_whole_with_as_many_files_as_the_system_allows(server):
    """All scripts at the same moment, six connections a browser as browsers have, then the page itself. A tab holds four file
    descriptors, three of them until its session is forgotten: a class that reloaded ran out of them."""
    from resource import RLIMIT_NOFILE, getrlimit, prlimit

    address, pid = server
    scripts = largest_scripts(12)

    def load(path):
        status, headers, packed = get(address + path, Accept_Encoding="gzip, deflate, br")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        return path, packed

    async def open_tabs():
        tabs, lines = [Visitor() for _ in range(30)], await asyncio.gather(*(connected(address) for _ in range(30)))
        await asyncio.gather(*(tab.run(line) for tab, line in zip(tabs, lines, strict=True)))
        held = open_files(pid)
        await asyncio.gather(*(line.close() for line in lines))
        return tabs, held

    with ThreadPoolExecutor(60) as browsers:
        came = Counter(browsers.map(load, [path for path in scripts for _ in range(30)]))
        assert {path: (gzip.decompress(packed), n) for (path, packed), n in came.items()} == {
            p: (s, 30) for p, s in scripts.items()
        }
        tabs, held = browsers.submit(asyncio.run, open_tabs()).result()
    assert [tab.errors for tab in tabs] == [[]] * 30 and all(tab.page for tab in tabs)
    assert memory_mb(pid) < 200
    assert held > 100 and prlimit(pid, RLIMIT_NOFILE)[0] == min(MOST_OPEN, getrlimit(RLIMIT_NOFILE)[1])


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


def test_visitors_who_leave_during_their_first_load_spoil_nothing_for_the_next(address):
    """A script cut short was kept and served to everybody, as immutable: a white page, even after the server had restarted."""
    host, port = address.removeprefix("http://").split(":")
    for path, body in list(largest_scripts(16).items())[:8]:  # the larger ones have been asked for here before
        for _ in range(3):
            with socket.create_connection((host, int(port))) as gone:
                gone.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        status, headers, packed = get(address + path, Accept_Encoding="gzip")
        assert status == 200 and headers["content-encoding"] == "gzip" and gzip.decompress(packed) == body


async def in_haste(address):
    """What a visitor is told who asks for the page again before it has come, several times."""
    visitor = Visitor()
    async with connected(address) as socket:
        await visitor.run(socket)
        for pause_s in (0, 0.002, 0.005, 0.01) * 3:
            for _ in range(2):
                await socket.send(BackMsg(rerun_script=ClientState(page_script_hash=visitor.page)).SerializeToString())
                await asyncio.sleep(pause_s)
            await visitor.answered(socket, BackMsg())
    return visitor.alerts + visitor.errors


def test_visitors_in_haste_get_their_page(address):
    """Of two runs of one visit the first, overtaken while it waited for its turn, ran the page that Streamlit lets be run once: the
    second stopped at that, and said so instead of the page."""

    async def together():
        return await asyncio.gather(*(in_haste(address) for _ in range(4)))

    assert within(together()) == [[]] * 4


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


def test_the_largest_message_is_bounded_and_the_session_lives_on(server):
    """A single widget state of 24 MB was kept for each session: ten tabs took 717 MB."""
    address, pid = server

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


def test_a_server_starts_where_streamlit_keeps_nothing_of_what_it_did_not_promise(tmp_path):
    for name in ("engine", ".streamlit", "pages"):
        (tmp_path / name).symlink_to(ROOT / name)
    script = tmp_path / "streamlit_app.py"
    gone = "import sys\n"
    for package, name in (("streamlit.runtime.state", "safe_session_state"), ("streamlit.components.v2.bidi_component", "main")):
        gone += f"\nimport {package}.{name}\n\ndel {package}.{name}\nsys.modules['{package}.{name}'] = None\n"
    script.write_text(gone + (ROOT / script.name).read_text("utf-8"))

    async def visit(address):
        visitor = Visitor()
        async with connected(address) as line:
            await visitor.run(line)
        return visitor

    with process(script, cwd=tmp_path, warm=False) as (address, _), ThreadPoolExecutor(1) as other:
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
def test_where_a_visit_comes_from_is_told_by_a_proxy_that_is_named_and_by_no_other(address, rooms):
    for peer, forwarded in (("127.0.0.2", "192.0.2.1, 203.0.113.7, 198.51.100.9"), ("127.0.0.3", "203.0.113.8")):
        within(room_opened(address, peer, forwarded))
    with closing(sqlite3.connect(rooms / FILE)) as db:
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
        script.write_text("import runpy\nrunpy.run_path('pages/app/router.py')")

    async def visit(address):
        visitor = Visitor()
        async with connected(address) as line:
            await visitor.run(line)
        return visitor

    with process(script, cwd=tmp_path, warm=False) as (address, _), ThreadPoolExecutor(1) as other:
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


@pytest.mark.skipif(sys.platform != "linux", reason="Linux shows what a process has loaded")
def test_no_lesson_makes_the_server_import_pandas(server):
    """It is 70 MB, and visitors who come while it is half imported see an error: 16 of 20 at once on a fresh server."""
    address, pid = server
    visitor = Wanderer(random.Random(0))

    async def open_all():
        async with connected(address) as line:
            for lesson in LESSONS:
                await visitor.open(line, lesson)

    within(open_all())
    loaded = Path(f"/proc/{pid}/maps").read_text()
    assert not visitor.errors and "/numpy/" in loaded and "/pandas/" not in loaded
