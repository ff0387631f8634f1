"""Scripts that every lesson needs, named to the browser in the answer that brings the page.

Streamlit's page first loads a frame, which opens a connection, learns what the lesson consists of, and only then asks for the
scripts of sliders, choices and figures: some forty small files, which on a slow line arrive two seconds after the text. Named in
the page's Link header to be fetched ahead, they come while the line has nothing else to do: a second sooner on 1.6 Mbit/s. Not as
modules to preload: those are asked for before the page's own scripts, whatever their priority, and the text comes 2.5 s later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from starlette.datastructures import MutableHeaders

# Of Streamlit's elements, those that nearly every lesson shows; a name that an installed version does not have is left out.
ELEMENTS = ("Html", "Selectbox", "Radio", "Slider", "BidiComponent", "NumberInput", "PageLink")


def scripts_of(static: Path, elements: tuple[str, ...] = ELEMENTS) -> list[str]:
    """File names of the elements' scripts and of all that those import, but for what the page itself already names.

    None where an installed version keeps its files elsewhere.
    """
    index, folder = static / "index.html", static / "static" / "js"
    page = index.read_text("utf-8") if index.is_file() else ""
    found, ahead = [], [path.name for name in elements for path in folder.glob(f"{name}.*.js")]
    while ahead:
        name = ahead.pop(0)
        if name not in found and name not in page and (folder / name).is_file():
            found.append(name)
            ahead += re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', (folder / name).read_text("utf-8"))
    return found


class EarlyScripts:
    """ASGI middleware: the page's answer also names these scripts, and `ours`, addresses below the application's own.

    Addresses are sent as relative ones, as those in the page itself.
    """

    def __init__(self, app, static: Path, ours: Iterable[str] = ()):
        self.app = app
        addresses = [*(f"/static/js/{name}" for name in scripts_of(static)), *ours]
        self.link = ", ".join(f"<.{address}>; rel=prefetch; as=script; crossorigin" for address in addresses)

    async def __call__(self, scope, receive, send) -> None:
        async def with_link(message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                if message["status"] == 200 and headers.get("content-type", "").startswith("text/html"):
                    headers["link"] = self.link
            await send(message)

        await self.app(scope, receive, with_link if scope["type"] == "http" else send)
