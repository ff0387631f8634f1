"""The server. `streamlit run streamlit_app.py` finds `app` below and serves it; the lessons begin in pages/parts/frame.py.

It adds three things to Streamlit's own server: plotly.js out of the installed plotly package (no copy, no CDN, the version that
Python builds figures for), compression of each static file once instead of once a visitor, and a warm-up, so that a class that
opens the application at the same moment does not race on first imports.
A host that runs this file as an ordinary script shows the same lessons; figures then come from Streamlit's own chart element.
"""

import asyncio
import gzip
import importlib
import runpy
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import FileResponse
from starlette.routing import Route
from streamlit.runtime.scriptrunner import get_script_run_ctx

ROOT = Path(__file__).resolve().parent
FRAME = ROOT / "pages" / "parts" / "frame.py"
PLOTLY_JS = Path(find_spec("plotly").origin).parent / "package_data" / "plotly.min.js"
LONG = {"Cache-Control": "public, max-age=31536000, immutable"}  # the version is part of the name

if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))


class CompressOnce:
    """Keep the gzipped body of every script and style sheet that was asked for: a third of the bytes, at no cost a visitor."""

    MOST_FILES = 600  # Streamlit ships about 400; whatever is asked for beyond that passes through

    def __init__(self, app):
        self.app, self.kept = app, {}

    async def __call__(self, scope, receive, send):
        asked = dict(scope.get("headers", ()))
        plain = scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith((".js", ".css"))
        if plain or b"gzip" not in asked.get(b"accept-encoding", b"") or b"range" in asked or b"if-none-match" in asked:
            return await self.app(scope, receive, send)
        path = scope["path"]
        if path not in self.kept:
            messages = []

            async def collect(message):
                messages.append(message)

            bare = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]  # or it comes compressed already
            await self.app({**scope, "headers": bare}, receive, collect)
            start, body = messages[0], b"".join(m.get("body", b"") for m in messages[1:])
            headers = {k: v for k, v in start["headers"] if k not in (b"content-length", b"etag")}
            if start["status"] != 200 or b"html" in headers.get(b"content-type", b"") or len(self.kept) >= self.MOST_FILES:
                for message in messages:
                    await send(message)
                return None
            packed = await asyncio.to_thread(gzip.compress, body, 6)
            headers |= {b"content-encoding": b"gzip", b"content-length": b"%d" % len(packed), b"vary": b"Accept-Encoding"}
            self.kept[path] = ({**start, "headers": list(headers.items())}, packed)
        start, packed = self.kept[path]
        await send(start)
        await send({"type": "http.response.body", "body": packed})


@asynccontextmanager
async def warm_up(app):
    """Import what the first visitor would otherwise wait for, before anybody is let in."""
    for file in sorted(FRAME.parent.glob("*.py")):
        if file != FRAME:
            importlib.import_module(f"pages.parts.{file.stem}")
    yield


async def plotly_js(request):
    return FileResponse(PLOTLY_JS, media_type="text/javascript", headers=LONG)


app = st.App(
    FRAME,
    routes=[Route(f"/plotly-{version('plotly')}.min.js", plotly_js)],
    middleware=[Middleware(CompressOnce)],
    lifespan=warm_up,
)

if get_script_run_ctx(suppress_warning=True):
    runpy.run_path(str(FRAME))
