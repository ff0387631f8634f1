"""The server. `streamlit run streamlit_app.py` finds `app` below and serves it; the lessons begin in pages/app/router.py.

It adds to Streamlit's own server: plotly.js out of the installed plotly package (no copy, no CDN, the version that Python builds
figures for) and the scripts that draw with it (pages/parts/drawing/browser), compressed (pages/app/server/static_files.py), moves
that cost less (streamlit_internals.py), as many open files as a class needs, a sentence of ours where a page fails, and a warm-up, so
that a class that opens the application at the same moment does not race on first imports.
A host that runs this file as an ordinary script shows the same lessons; figures then come from Streamlit's own chart element.
"""

import importlib
import runpy
import sys
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

ROOT = Path(__file__).resolve().parent
ROUTER = ROOT / "pages" / "app" / "router.py"
PLOTLY_JS = Path(find_spec("plotly").origin).parent / "package_data" / "plotly.min.js"
STATIC = Path(st.__file__).parent / "static"
MOST_OPEN = 10_240  # file descriptors: 2,500 tabs, and as many as macOS allows any process
FAILED = (
    "This page stopped at an error in the application. Reload it. If it stops again, take away what follows the “?” in the "
    "address bar and press Enter: the lesson then starts from the beginning. Details are in the server's log only."
)

if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from pages.app.server.static_files import CompressedFiles, scripts_in
from pages.app.server.streamlit_internals import reached
from pages.parts.drawing import scripts

FILES = {
    **scripts_in(STATIC / "static", "/static"),
    **scripts_in(scripts.FOLDER, scripts.ADDRESS),
    scripts.PLOTLY_ADDRESS: PLOTLY_JS,
}


@asynccontextmanager
async def make_ready(app):
    """Import and make what the first visitor would otherwise wait for, before anybody is let in."""
    for file in sorted(ROUTER.parents[1].glob("*/**/*.py")):  # every folder of pages/; the pages themselves run when imported
        if file != ROUTER and file.name != "__init__.py":  # a lesson's own comes with its first file
            importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    from pages.app.warm import warm_up

    warm_up()
    allow_open_files()
    with reached():
        yield


def allow_open_files():
    """Raise what this process may hold open to what the system lets it: a tab takes four file descriptors, and Streamlit gives
    three of them back a minute after it was closed. A class of 200 that reloads has more than the 1,024 that many systems begin with.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_OPEN if hard == resource.RLIM_INFINITY else min(hard, MOST_OPEN)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def say_what_to_do(error):
    """Show a visitor what he can do when a page fails: tracebacks name the operator's folders. Streamlit has logged it."""
    st.error(FAILED, icon=":material/error:")
    return True


app = st.App(ROUTER, middleware=[Middleware(CompressedFiles, files=FILES)], on_script_error=say_what_to_do, lifespan=make_ready)

if __name__ == "__main__":  # not where the server imports it
    runpy.run_path(str(ROUTER))
