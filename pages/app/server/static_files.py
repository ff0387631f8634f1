"""Scripts and style sheets, compressed: a third of the bytes, for one compression of each file however many visitors ask for it.

Which files there are is known when the server starts: a list of addresses, each with the file that stands for it. A file is
compressed from disk when it is first asked for, never out of what an answer happened to send, and kept: 8.4 MB of memory if somebody
has asked for all of them. Parts of a file (Range), its head alone, and those who do not accept gzip, get it as it is on disk. Any
other address, another spelling of a listed one too, reaches the application behind, untouched and unbuffered.
"""

import asyncio
import gzip
import hashlib
import logging
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.staticfiles import StaticFiles

KINDS = (".js", ".css")
# For a year, as Streamlit sends its own scripts: their names change with their content.
HEADERS = {"cache-control": "public, immutable, max-age=31536000", "vary": "Accept-Encoding"}
CHUNK_BYTES = 64 * 1024
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))", re.IGNORECASE)  # in Accept-Encoding, and not forbidden there


class Packed(NamedTuple):
    """A compressed file, and the headers it is sent with."""

    body: bytes
    headers: Mapping[str, str]


def scripts_in(folder: Path, address: str) -> dict[str, Path]:
    """Every script and style sheet beneath `folder`, by the address it is served at."""
    return {f"{address}/{f.relative_to(folder).as_posix()}": f for kind in KINDS for f in sorted(folder.rglob(f"*{kind}"))}


class CompressedFiles:
    """ASGI middleware. files: address -> file; the addresses stand below the path that a host serves the application under."""

    def __init__(self, app, files: Mapping[str, Path]):
        base = st.get_option("server.baseUrlPath").strip("/")
        self.app, self.files = app, {(f"/{base}" if base else "") + address: file for address, file in files.items()}
        self._as_it_is = StaticFiles(check_dir=False)
        self._packed: dict[Path, asyncio.Task[Packed | None]] = {}
        self._one_at_a_time = asyncio.Lock()  # the other core is for those who are already here

    async def __call__(self, scope, receive, send) -> None:
        file = self._asked_for(scope)
        answer = self.app if file is None else await self._answer(file, scope)
        await answer(scope, receive, send)

    def _asked_for(self, scope) -> Path | None:
        """The listed file of a request, or None. The path has no escapes any more; any other spelling is another path."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        return self.files.get(scope["path"].removeprefix(scope.get("root_path", "")))

    async def _answer(self, file: Path, scope) -> Response:
        asked, packed = Headers(scope=scope), None
        accepts = GZIP.search(", ".join(asked.getlist("accept-encoding")))
        if accepts and scope["method"] == "GET" and "range" not in asked:
            packed = await self._pack_once(file)
        if packed is None:
            answer = self._as_it_is.file_response(file, file.stat(), scope)
            answer.headers.update(HEADERS)
            return answer
        known = {tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")}
        if known & {packed.headers["etag"], "*"}:
            return Response(status_code=304, headers={**HEADERS, "etag": packed.headers["etag"]})
        return StreamingResponse(in_chunks(packed.body), headers=packed.headers)

    async def _pack_once(self, file: Path) -> Packed | None:
        """All who ask at the same moment wait for one compression, which goes on when one of them leaves."""
        if file not in self._packed:
            self._packed[file] = asyncio.create_task(self._pack(file))
        return await asyncio.shield(self._packed[file])

    async def _pack(self, file: Path) -> Packed | None:
        """Compress a file. None where that fails: it is sent as it is, the log says so, and whoever asks next has it tried again."""
        async with self._one_at_a_time:
            try:
                body = await asyncio.to_thread(lambda: gzip.compress(file.read_bytes(), 6, mtime=0))
            except Exception:
                logging.getLogger(__name__).exception("%s is sent uncompressed", file.name)
                del self._packed[file]
                return None
        headers = {
            **HEADERS,
            "content-type": FileResponse(file).headers["content-type"],
            "content-encoding": "gzip",
            "content-length": str(len(body)),
            "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        }
        return Packed(body, headers)


async def in_chunks(body: bytes) -> AsyncIterator[bytes]:
    """A piece at a time, as the visitor takes them: who reads slowly costs one piece of memory."""
    for start in range(0, len(body), CHUNK_BYTES):
        yield body[start : start + CHUNK_BYTES]
