"""A server and a Chromium to drive, and how a test waits for a lesson, for the browser tests and the benchmarks."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Frame, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
# The shell has no windows to draw: the same tests take a sixth less.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
DEFAULT = re.search(r'^DEFAULT = "(\w+)"', (ROOT / "pages/app/frame.py").read_text("utf-8"), re.M)[1]
# Every lesson and its path; the default page is served at the root and nowhere else.
LESSONS = {p.stem: "/" if p.stem == DEFAULT else f"/{p.stem}" for p in sorted((ROOT / "pages").glob("*.py"))}
ATTENTION = LESSONS["attention"]
# The address bar is the last thing that the frame puts on the page. Elements arrive in any order, so nothing new may come either;
# and what a move leaves to be drawn a little later must have come, and the scripts of the elements.
SETTLED = """() => {
  const app = document.querySelector('[data-testid="stApp"]'), last = document.querySelector(".st-key-address_bar");
  const done = app?.dataset.testScriptState === "notRunning" && last?.style.display === "none"
    && !document.documentElement.dataset.moved && !document.querySelector('[data-testid="stSkeleton"], .tbt-figure[data-waiting]')
    && [...document.querySelectorAll(".stBidiComponent")].every((box) =>
      box.closest("[class*=st-key-address_], .st-key-around, .st-key-reconnect, .st-key-escape, .st-key-answered_menu")
      || box.querySelector("[data-drawn]")
      || [...box.querySelectorAll("*")].some((inner) => inner.shadowRoot?.querySelector("[data-drawn]")));
  const size = done ? document.querySelectorAll("*").length : 0;
  window.sizes = [...(window.sizes ?? []).slice(-2), size];
  return window.sizes.length === 3 && window.sizes.every((s) => s && s === size);
}"""


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """A headless Chromium: the one named in CHROMIUM, one on the path, or playwright's own; None when there is none."""
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
        if found is None and not own.exists():
            yield None
            return
        browser = playwright.chromium.launch(executable_path=found or own, args=FLAGS)
        yield browser
        browser.close()


def settled(page: Page | Frame, timeout_s: float = 60) -> None:
    """Wait until the lesson stands on the page: the script has run and every figure is drawn."""
    page.evaluate("window.sizes = []")
    page.wait_for_function(SETTLED, timeout=1000 * timeout_s, polling=80)


@contextmanager
def serve(script: Path = ROOT / "streamlit_app.py") -> Iterator[str]:
    """The address of a freshly started server that runs `script`, with the project's own configuration."""
    with process(script) as (address, _):
        yield address


@contextmanager
def process(script: Path, *options: str, port: int = 0, wait_s: float = 120, cwd: Path = ROOT) -> Iterator[tuple[str, int]]:
    """The address and process id of a freshly started server, on any free port unless one is named; options: of Streamlit's."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port), "--server.headless", "true"]
    command += options
    server = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
