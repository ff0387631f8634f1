"""Compressed scripts: once each, whole, from disk, only for who accepts them; nothing that visitors do spoils what is kept.

One event loop, requests at the same moment: what a server sees. tests/test_server.py asks a real one.
"""

import asyncio
import gzip
import random
import threading

import pytest
from threads import within

from pages.app.server import static_files
from pages.app.server.static_files import CHUNK_BYTES, GZIP, CompressedFiles, in_chunks, scripts_in

BODIES = {f"/static/js/{n}.js": random.Random(n).randbytes(300) * 400 for n in range(3)}
PATH = "/static/js/0.js"


@pytest.fixture
def compressed(tmp_path, monkeypatch):
    """The middleware around an application that says 404, and how often something was compressed."""
    for address, body in BODIES.items():
        path = tmp_path / address.removeprefix("/static/")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(body)
    times, pack = [], gzip.compress
    monkeypatch.setattr(static_files.gzip, "compress", lambda *args, **kwargs: times.append(args) or pack(*args, **kwargs))
    return CompressedFiles(behind, scripts_in(tmp_path, "/static")), times


async def behind(scope, receive, send):
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b"abc", "more_body": True})
    await send({"type": "http.response.body", "body": b"def"})


async def ask(app, path=PATH, method="GET", kind="http", accept_encoding="gzip", **headers):
    """Status, headers and body of an answer, or whatever messages came."""
    sent = []

    async def send(message):
        sent.append(message)

    pairs = [(b"accept-encoding", accept_encoding.encode())] if accept_encoding else []
    pairs += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": path, "headers": pairs, "asgi": {"spec_version": "2.4"}}
    await app(scope, asyncio.Event().wait, send)
    start = sent[0]
    received = {name.decode(): value.decode() for name, value in start.get("headers", [])}
    return start["status"], received, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True), ("br, gzip, deflate", True), ("GZIP ; Q=0.3", True), ("x-gzip", True),
        ("gzip;q=1.0, identity; q=0.5", True), ("identity;q=0, gzip;q=0.001", True),
        ("", False), ("br", False), ("identity", False), ("gzip;q=0", False), ("gzip; q=0.000", False), ("notgzip", False),
    ],
)  # fmt: skip
def test_who_accepts_gzip(header, accepted):
    assert bool(GZIP.search(header)) is accepted


def test_sixty_who_ask_at_the_same_moment_wait_for_one_compression_of_each_file(compressed):
    """Every one of sixty cold requests compressed the file for itself: 14 s of processor time, 661 MB."""
    app, times = compressed

    async def together():
        return await asyncio.gather(*(ask(app, path) for path in BODIES for _ in range(60)))

    answers = within(together())
    assert len(times) == len(BODIES)
    for (status, headers, body), path in zip(answers, (p for p in BODIES for _ in range(60)), strict=True):
        assert status == 200 and gzip.decompress(body) == BODIES[path]
        assert headers["content-length"] == str(len(body)) and headers["content-encoding"] == "gzip"
    assert len({headers["etag"] for _, headers, _ in answers}) == len(BODIES)


def test_who_leaves_during_the_first_answer_cuts_it_short_for_nobody(compressed, monkeypatch):
    """What a visitor's broken connection had received was kept and served to everybody, for a year."""
    app, times = compressed
    hold, pack = threading.Event(), static_files.gzip.compress
    monkeypatch.setattr(static_files.gzip, "compress", lambda *args, **kwargs: hold.wait(10) and pack(*args, **kwargs))

    async def visits():
        during = [asyncio.create_task(ask(app)) for _ in range(3)]
        await asyncio.sleep(0.05)
        for task in during[:2]:
            task.cancel()
        hold.set()
        whole = await during[2]

        async def gone(message):
            raise OSError("the connection is lost")

        scope = {"type": "http", "method": "GET", "path": PATH, "headers": [(b"accept-encoding", b"gzip")],
                 "asgi": {"spec_version": "2.4"}}  # fmt: skip
        with pytest.raises(Exception):  # noqa: B017  starlette's own, which the server expects
            await app(scope, asyncio.Event().wait, gone)
        return whole, await ask(app)

    for status, _, body in within(visits()):
        assert status == 200 and gzip.decompress(body) == BODIES[PATH]
    assert len(times) == 1


@pytest.mark.parametrize(
    "how",
    [
        *({"path": path} for path in ("/static//js/0.js", "/static/./js/0.js", "/static/js/0.js/", "/static/js/../js/0.js")),
        *({"path": path} for path in ("/static/js/0.JS", "/static/js/9.js", "/", "/0.js")), {"method": "POST"},
    ],
)  # fmt: skip
def test_everything_else_passes_through_untouched(compressed, how):
    """Other spellings of one address were separate keys: six hundred filled the store, and nothing was compressed any more."""
    app, times = compressed
    assert within(ask(app, **how)) == (404, {"content-type": "text/html"}, b"abcdef")
    assert not times and len(app._packed) == 0


def test_what_passes_is_not_collected(compressed):
    """A hundred slow readers of uncompressed files took 900 MB: each body was held whole."""
    app, _ = compressed
    seen = []

    async def slowly(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for n in range(3):
            await send({"type": "http.response.body", "body": b"x", "more_body": n < 2})
            assert len(seen) == n + 2

    app.app = slowly

    async def send(message):
        seen.append(message)

    within(app({"type": "http", "method": "GET", "path": "/x.js", "headers": []}, None, send))
    assert len(seen) == 4


def test_a_websocket_is_none_of_its_business(compressed):
    app, _ = compressed
    seen = []

    async def inner(scope, receive, send):
        seen.append((scope, receive, send))

    app.app = inner
    message = ({"type": "websocket", "path": PATH}, object(), object())
    within(app(*message))
    assert seen == [message]


def test_a_file_is_sent_a_piece_at_a_time():
    async def sizes():
        return [len(chunk) async for chunk in in_chunks(bytes(10 * CHUNK_BYTES + 1))]

    assert within(sizes()) == [CHUNK_BYTES] * 10 + [1]


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_whoever_has_the_file_is_told_so(compressed, encoding):
    app, _ = compressed

    async def twice():
        _, first, _ = await ask(app, accept_encoding=encoding)
        tag = first["etag"]
        asked = [f"W/{tag}", f'"other", {tag}', "*", '"other"']
        return first, [await ask(app, accept_encoding=encoding, if_none_match=value) for value in asked]

    first, answers = within(twice())
    assert [status for status, *_ in answers] == [304, 304, 304, 200]
    for _, headers, body in answers[:3]:
        assert body == b"" and "content-length" not in headers
        assert {name: headers[name] for name in ("etag", "vary", "cache-control")} == {
            name: first[name] for name in ("etag", "vary", "cache-control")
        }


def test_the_two_forms_of_a_file_have_two_tags(compressed):
    app, _ = compressed

    async def both():
        return await ask(app), await ask(app, accept_encoding="gzip;q=0")

    (_, packed, small), (_, plain, whole) = within(both())
    assert (
        packed["etag"] != plain["etag"] and "content-encoding" not in plain and whole == BODIES[PATH] and len(small) < len(whole)
    )
    assert packed["vary"] == plain["vary"] == "Accept-Encoding" and packed["content-type"] == plain["content-type"]


def test_the_head_alone(compressed):
    app, _ = compressed

    async def both():
        return await ask(app, method="HEAD"), await ask(app, accept_encoding="")

    (status, headers, body), (_, whole, _) = within(both())
    assert status == 200 and body == b"" and headers == whole


def test_a_part_is_a_part_of_the_file_itself(compressed):
    app, times = compressed
    status, headers, body = within(ask(app, range="bytes=5-9"))
    assert status == 206 and body == BODIES[PATH][5:10] and "content-encoding" not in headers
    assert headers["content-range"] == f"bytes 5-9/{len(BODIES[PATH])}" and not times


def test_where_memory_is_short_a_file_is_sent_as_it_is_and_whoever_asks_next_has_it_compressed(compressed, monkeypatch, caplog):
    """Out of memory once, and every later visitor's script was an error, for as long as the server ran."""
    app, _ = compressed

    def no_memory(*args, **kwargs):
        raise MemoryError

    async def visits():
        with monkeypatch.context() as until_here:
            until_here.setattr(static_files.gzip, "compress", no_memory)
            before = await asyncio.gather(*(ask(app) for _ in range(3)))
        return before, [await ask(app) for _ in range(3)]

    before, after = within(visits())
    for status, headers, body in before:
        assert status == 200 and "content-encoding" not in headers and body == BODIES[PATH]
    assert len(caplog.records) == 1
    for status, headers, body in after:
        assert status == 200 and headers["content-encoding"] == "gzip" and gzip.decompress(body) == BODIES[PATH]


def test_addresses_stand_below_the_path_of_the_host(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_bytes(b"a" * 500)
    files = scripts_in(tmp_path, "/static")

    async def below():
        mounted = {"type": "http", "method": "GET", "path": "/app/static/a.js", "root_path": "/app", "headers": []}
        found = CompressedFiles(behind, files)._asked_for(mounted)
        monkeypatch.setattr(static_files.st, "get_option", lambda name: {"server.baseUrlPath": "/class/"}[name])
        return found, await ask(CompressedFiles(behind, files), "/class/static/a.js")

    mounted, (status, headers, _) = within(below())
    assert mounted == tmp_path / "a.js" and status == 200 and headers["content-encoding"] == "gzip"
