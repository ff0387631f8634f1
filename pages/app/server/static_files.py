"""Scripts and style sheets, compressed: a third of the bytes, for one compression of each file however many visitors ask for it.

Which files there are is known when the server starts: a list of addresses, each with the file that stands for it. A file is
compressed from disk when it is first asked for, never out of what an answer happened to send, into one unnamed temporary file of
the server's own, which the system removes with the process. Parts of a file (Range), and those who do not accept gzip, get it as
it is on disk. Any other address, another spelling of a listed one too, reaches the application behind, untouched and unbuffered.
"""

import asyncio
import gzip
import hashlib
import logging
import math
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.staticfiles import StaticFiles

KINDS = (".js", ".css")
# For a year, as Streamlit sends its own scripts: their names change with their content.
HEADERS = {"cache-control": "public, immutable, max-age=31536000", "vary": "Accept-Encoding"}
CHUNK_BYTES = 64 * 1024
AGAIN_S = 60.0  # after a compression that failed, until the next is tried


@dataclass(frozen=True)
class Packed:
    """Where a compressed file lies in the temporary file, and the headers it is sent with."""

    start: int
    end: int
    headers: Mapping[str, str]


def scripts_in(folder: Path, address: str) -> dict[str, Path]:
    """Every script and style sheet beneath `folder`, by the address it is served at."""
    return {f"{address}/{f.relative_to(folder).as_posix()}": f for kind in KINDS for f in sorted(folder.rglob(f"*{kind}"))}


def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip and does not like the file as it is better (RFC 9110, 12.5.3)."""
    weights = {}
    for part in header.lower().split(","):
        name, *parameters = (text.strip() for text in part.split(";"))
        weights[name] = _weight(parameters)
    gzip_weight = next((weights[name] for name in ("gzip", "x-gzip", "*") if name in weights), 0.0)
    return gzip_weight > 0 and gzip_weight >= weights.get("identity", 0.0)


def _weight(parameters: list[str]) -> float:
    """The q of an encoding: 1 where none is given, 0 where it cannot be read."""
    given = [value.strip() for key, _, value in (p.partition("=") for p in parameters) if key.strip() == "q"]
    try:
        return float(given[0]) if given else 1.0
    except ValueError:
        return 0.0


class CompressedFiles:
    """ASGI middleware. files: address -> file; the addresses stand below the path that a host serves the application under.
    clock: seconds, for tests."""

    def __init__(self, app, files: Mapping[str, Path], clock: Callable[[], float] = time.monotonic):
        base = st.get_option("server.baseUrlPath").strip("/")
        self.app, self.files = app, {(f"/{base}" if base else "") + address: file for address, file in files.items()}
        self._as_it_is = StaticFiles(check_dir=False)
        self._packed: dict[Path, asyncio.Task[Packed | None]] = {}
        self._failed: dict[Path, float] = {}  # when
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()  # the other core is for those who are already here
        # Until close(). Nothing is held back that a full disk would refuse later, when somebody reads.
        self._store = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115

    def close(self) -> None:
        self._store.close()

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "lifespan":  # returns when the server ends
            with closing(self):
                return await self.app(scope, receive, send)
        file = self._asked_for(scope)
        answer = self.app if file is None else await self._answer(file, scope)
        return await answer(scope, receive, send)

    def _asked_for(self, scope) -> Path | None:
        """The listed file of a request, or None. The path has no escapes any more; any other spelling is another path."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        return self.files.get(scope["path"].removeprefix(scope.get("root_path", "")))

    async def _answer(self, file: Path, scope) -> Response:
        asked, packed = Headers(scope=scope), None
        if accepts_gzip(", ".join(asked.getlist("accept-encoding"))) and "range" not in asked:
            packed = await self._pack_once(file)
        if packed is None:
            answer = self._as_it_is.file_response(file, file.stat(), scope)
            answer.headers.update(HEADERS)
            return answer
        known = {tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")}
        if known & {packed.headers["etag"], "*"}:
            return Response(status_code=304, headers={**HEADERS, "etag": packed.headers["etag"]})
        if scope["method"] == "HEAD":
            return Response(headers=packed.headers)
        return StreamingResponse(self._chunks(packed), headers=packed.headers)

    async def _chunks(self, packed: Packed) -> AsyncIterator[bytes]:
        """A piece at a time, as the visitor takes them: who reads slowly costs one piece of memory. The file has one position
        for all: nothing may be awaited between finding a piece and reading it, nor between the end and what is written there."""
        for start in range(packed.start, packed.end, CHUNK_BYTES):
            self._store.seek(start)
            yield self._store.read(min(CHUNK_BYTES, packed.end - start))

    async def _pack_once(self, file: Path) -> Packed | None:
        """All who ask at the same moment wait for one compression, which goes on when one of them leaves."""
        if file not in self._packed or self._failed.get(file, math.inf) + AGAIN_S <= self._clock():
            self._failed.pop(file, None)
            self._packed[file] = asyncio.create_task(self._pack(file))
        return await asyncio.shield(self._packed[file])

    async def _pack(self, file: Path) -> Packed | None:
        """Compress a file into the store. None when that fails: it is sent as it is for a while, and the log says so."""
        async with self._one_at_a_time:
            try:
                body = await asyncio.to_thread(lambda: gzip.compress(file.read_bytes(), 6, mtime=0))
                start = self._store.seek(0, 2)
                if self._store.write(body) < len(body):
                    raise OSError("no space left for it")
            except Exception:
                logging.getLogger(__name__).exception("%s is sent uncompressed for the next %g s", file.name, AGAIN_S)
                self._failed[file] = self._clock()
                return None
        headers = {
            **HEADERS,
            "content-type": FileResponse(file).headers["content-type"],
            "content-encoding": "gzip",
            "content-length": str(len(body)),
            "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        }
        return Packed(start, start + len(body), headers)
