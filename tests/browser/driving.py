"""A server and a Chromium to drive, and how a test waits for a lesson, for the browser tests and the benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Frame, Page, TimeoutError, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
# The builds of Chromium, whose words differ in width by some hundredths, and the names of each. The shell has no windows to draw:
# the same tests take a sixth less.
NAMES = {
    "shell": ("chromium-headless-shell", "chrome-headless-shell"),
    "whole": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
}
BUILDS = tuple(NAMES)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
# One process for all tabs of a context, in the whole build as long as one of them stands at the site, which keeps what it has compiled
# of Streamlit's scripts and of plotly.js, compiles none of it a second time while it comes, and has room before it collects its
# garbage: without the latter a page and a step cost a fifth more. What is called is made faster late: a page stands for seconds, and
# the making took a fifth of a step and, by the second of two compilers, as much of a page (6.0 CPU s to 4.6, four pages of *Cache*).
KEPT = ["--no-flush-bytecode", "--no-isolate-script-cache-ageing", "--min-semi-space-size=32", "--max-semi-space-size=64",
        "--initial-old-space-size=700", "--interrupt-budget=2000000", "--invocation-count-for-maglev=4000"]  # fmt: skip
PROJECTOR = {"width": 1280, "height": 720}
TOGETHER = ["--process-per-site", "--renderer-process-limit=1", "--disable-features=IsolateOrigins,site-per-process,ScriptStreaming",
            f"--js-flags={','.join(KEPT)}", "--window-size={width},{height}".format(**PROJECTOR)]  # fmt: skip
DEFAULT = "start"
# Every lesson and its path; the default page is served at the root and nowhere else.
LESSONS = {p.stem: "/" if p.stem == DEFAULT else f"/{p.stem}" for p in sorted((ROOT / "pages").glob("*.py"))}
ATTENTION = LESSONS["attention"]
RUNS = Path(__file__).with_name("runs.js").read_text("utf-8")
PAGE_CLOCK = Path(__file__).with_name("page_clock.js").read_text("utf-8")
# No run of the server is asked for or under way, its last one is on the page, what a move leaves to be drawn a little later has
# come, and so have the scripts of the elements and the figures that were sent.
SETTLED = """(asked) => {
  const app = document.querySelector('[data-testid="stApp"]'), bar = document.querySelector(".st-key-address_bar");
  window.tbtAwaited = Object.entries({
    "a run that was asked for": window.tbtRuns?.open,
    "the server": app?.dataset.testScriptState !== "notRunning",
    "the address bar": bar?.style.display !== "none",
    "a press": window.tbtPresses?.waiting.length, // which is heeded once the one before it is on the page
    "what follows a move": document.documentElement.dataset.moved,
    "a figure": document.querySelector('[data-testid="stSkeleton"], .tbt-figure[data-waiting], .tbt-plot:not(:has(.main-svg))'),
    "a component": [...document.querySelectorAll(".stBidiComponent")].find((box) =>
      !box.closest("[class*=st-key-address_], .st-key-after_moves, .st-key-reconnect, .st-key-answered_menu")
      && !box.closest(".st-key-turning_keys, .st-key-windows")
      && !box.querySelector("[data-drawn]")
      && ![...box.querySelectorAll("*")].some((inner) => inner.shadowRoot?.querySelector("[data-drawn]"))),
  }).filter(([, waits]) => waits).map(([what]) => what).join(", ");
  // Seen twice: between two runs that follow each other none is under way. And in between the page had nothing left to do: an element
  // that has come tells its script a task later, and on a busy machine that was after the words beside it had been read.
  if (window.tbtAwaited || window.tbtAsked !== asked) {
    cancelIdleCallback(window.tbtLook);
    Object.assign(window, { tbtAsked: asked, tbtLook: null, tbtIdle: false });
  }
  // A tab behind another one may have no idle moment at all.
  if (!window.tbtAwaited) window.tbtLook ??= requestIdleCallback(() => { window.tbtIdle = true; }, { timeout: 500 });
  return window.tbtIdle;
}"""

# Put into a page that is measured and not looked at: Chromium lays it out, and draws nothing of it. That is a sixth of a step.
UNSEEN = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@media screen { html { opacity: 0 } }");
  document.adoptedStyleSheets.push(sheet);
}"""

_ASKED = count(1)  # which call of `settled` has seen the page stand


@contextmanager
def chromiums(flags: Sequence[str] = TOGETHER) -> Iterator[Callable[[str], Browser | None]]:
    """A function from the name of a build to a headless browser of it, started when it is asked for; None where there is none.

    "" is any build: the one named in CHROMIUM, one on the path, or playwright's own.
    """
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        started = {}

        def browser(build: str) -> Browser | None:
            found = _program(build) or (str(own) if build != BUILDS[0] and own.exists() else None)
            if found and found not in started:
                started[found] = playwright.chromium.launch(executable_path=found, args=[*FLAGS, *flags])
            return started.get(found)

        yield browser
        for browser in started.values():
            browser.close()


def _program(build: str) -> str | None:
    """Where a build is; one that CHROMIUM names is the only one."""
    if named := os.environ.get("CHROMIUM"):
        return named if build in ("", BUILDS[0]) else None
    return next(filter(None, map(shutil.which, NAMES.get(build) or sum(NAMES.values(), ()))), None)


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """Any headless Chromium, a process for each of its tabs; None when there is none."""
    with chromiums(flags=()) as browsers:
        yield browsers("")


def open_context(browser: Browser, **options) -> BrowserContext:
    """A browser context whose pages tell of their runs, 1280 × 720 unless the options say otherwise.

    A tab of its own keeps its process alive: the next page then finds every script compiled, which halves what a page costs. And it
    finds them in memory, unless a screen is emulated, with which Chromium drops what it holds there: a window of that size needs none.
    """
    own = options.keys() & {"viewport", "no_viewport"}
    context = browser.new_context(**({} if own else {"no_viewport": True}) | options)
    context.add_init_script(RUNS)
    size = context.new_page().evaluate("({ width: innerWidth, height: innerHeight })")
    if own or size == PROJECTOR:
        return context
    context.close()  # a window with a frame
    return open_context(browser, viewport=PROJECTOR, **options)


def unseen(page: Page) -> Page:
    """A page that nobody looks at, whose visitor wants no motion: both are drawn sixty times a second where they are wanted."""
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(UNSEEN)
    return page


def put_forward(page: Page, ms: float) -> None:
    """On a page that was opened with a clock so much time has passed, and whatever was to come meanwhile has come."""
    page.evaluate("(ms) => tbtPutForward(ms)", ms)


def settled(page: Page | Frame, timeout_s: float = 60) -> None:
    """Wait until the lesson stands on the page: the server's last run is shown and every figure is drawn.

    One call, which goes on in the next document where the page is loaded anew meanwhile: a phone that is sent to its room's machine.
    """
    try:
        page.wait_for_function(SETTLED, arg=next(_ASKED), timeout=1000 * timeout_s, polling=30)
    except TimeoutError as error:
        error.add_note(f"{page.url} waits for {page.evaluate('window.tbtAwaited')}")
        raise


@contextmanager
def serve(script: Path = ROOT / "streamlit_app.py") -> Iterator[str]:
    """The address of a freshly started server that runs `script`, with the project's own configuration."""
    with process(script) as (address, _):
        yield address


# A server that makes nothing for its first visitor when it starts, which is half of what a start costs.
AT_ONCE = """import sys, types
sys.modules["pages.app.warm"] = types.SimpleNamespace(warm_up=lambda: None)
from streamlit.web.cli import main
main()"""


@contextmanager
def process(
    script: Path,
    *options: str,
    port: int = 0,
    wait_s: float = 120,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    warm: bool = True,
) -> Iterator[tuple[str, int]]:
    """The address and process id of a freshly started server, on any free port unless one is named; options: of Streamlit's; env:
    variables that it has besides those of this process; warm: whether it makes beforehand what a first visitor would wait for."""
    port = port or free_port()
    command = [sys.executable, *(["-m", "streamlit"] if warm else ["-c", AT_ONCE])]
    command += ["run", str(script), "--server.port", str(port), "--server.headless", "true", *options]
    server = subprocess.Popen(
        command, cwd=cwd, env=os.environ | (env or {}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + wait_s
        while not _healthy(address):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not come up within {wait_s:g} s: {' '.join(command)}")
            time.sleep(0.1)
        yield address, server.pid
    finally:
        server.terminate()
        server.wait(timeout=60)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False
