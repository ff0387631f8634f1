"""Key press → repainted figure, in a real Chromium, as a multiple of a bare slider with st.write in the same run.

    python tests/benchmarks/latency.py [--moves 60] [--pages attention] [--slow]

Two servers are started (the application and bare.py, with the same configuration). Each page is measured in turns with the bare
slider, a few moves each, so that a machine that drifts drifts for both, and no other tab is open. A move is timed inside the
page: from the key event to the second animation frame after the figure says it is drawn (or, for the bare slider, after its text
changed). What exceeds its bar is said and makes the exit status 1. --slow: as on a slow host, both servers on one core beside a
busy loop; the bars are then those of a slow host (Linux).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from browser.driving import ROOT, chromium, process
from playwright.sync_api import Browser, Page

BIG = (
    "tokens=" + ",".join(f"w{i}" for i in range(1, 17)) + "&values=" + ",".join(str(i) for i in range(1, 17))
    + "&rules=even,odd,self,previous,first,all,window:3,none"
)  # fmt: skip
PAGES = {  # name: page, key of the widget that is moved ("": its stepper's buttons), and where the figure is if not on top
    "overview, 8 tokens": ("/overview?g=8", "extra_g"),
    "overview 16, 8 tokens": (f"/overview?{BIG}&g=8", "extra_g"),
    "rules 4 × 4": ("/rules?slide=4&answers=shown", "value_0"),
    "rules 16 × 8": (f"/rules?slide=4&answers=shown&{BIG}", "value_0"),
    "attention 4 × 4": ("/attention", "value_0"),
    "attention 16 × 8": (f"/attention?{BIG}", "value_0"),
    "prefill, length": ("/prefill?slide=2", "extra_p", ".st-key-prompt_cost"),
    "prefill 16 × 8, chunks": (f"/prefill?{BIG}&chunk=8", "extra_chunk", ".st-key-triangles"),
    "logits, value": ("/logits?slide=3", "value_0", ".st-key-flip_lines"),
    "logits 16 × 8, value": (f"/logits?{BIG}&slide=3", "value_0", ".st-key-flip_lines"),
    "logits, temperature": ("/logits?slide=5", "extra_temperature", ".st-key-word_chances"),
    "decode, step": ("/decode?step=6", ""),
    "decode 16 × 8, step 40": (f"/decode?{BIG}&step=40", ""),
    "cache, step": ("/cache?slide=2&step=6", ""),
    "cache 16 × 8, step 40": (f"/cache?{BIG}&slide=2&step=40", ""),
    "counting": ("/counting", "extra_g"),
    "memory, heads": ("/memory?slide=3", "extra_kv_heads", ".st-key-head_groups"),
    "roofline": ("/roofline", "extra_p", ".st-key-roofline"),
    "counting, P = G = 1,000": ("/counting?p=1000&g=1000", "extra_g"),
    "inside, moment of training": ("/inside", "extra_checkpoint"),
    "inside, 96 tokens": ("/inside?prompt=" + "so+" * 95, "extra_checkpoint"),
    "generate, words": ("/generate", "extra_g"),
    "less": ("/less?newest=3", "extra_newest"),
    "less 16 × 8": (f"/less?{BIG}&newest=3", "extra_newest"),
    "less, trained": ("/less?slide=2", "extra_kept_newest"),
    "tiles": ("/tiles?tile=1", ""),
    "tiles, map": ("/tiles?slide=2", "extra_map_tile", ".st-key-tile_map"),
    "paging, block": ("/paging", "extra_pool_block", ".st-key-pool"),
    "paging 16 × 8, block": (f"/paging?{BIG}&event=10", "extra_pool_block", ".st-key-pool"),
    "second turn, block": ("/second_turn", "extra_block", ".st-key-second_turn"),
}
BARS = {"attention": (2.0, 3.2), "decode": (2.5, 3.5)}  # of pages whose name begins like this: on a fast host, on a slow one
BAR = (3.0, 3.0)  # of all others
MOST_SHIFT = 0.02  # of the layout, a move
TURN = 6
TIMER = """
(selector) => {
  window.moves = [];
  window.shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.shift += value; }))
    .observe({ type: "layout-shift" });
  let pressed = 0;
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  const target = document.querySelector(selector);
  const done = () => {
    if (!pressed) return;
    const start = pressed;
    pressed = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => window.moves.push(performance.now() - start)));
  };
  new MutationObserver(done).observe(target, selector.endsWith(".tbt-figure")
    ? { attributes: true, attributeFilter: ["data-drawn"] } : { characterData: true, childList: true, subtree: true });
}
"""


def measure(browser: Browser, app: str, bare: Page, name: str, n_moves: int) -> tuple[list[float], list[float], float]:
    """Milliseconds of every move, of the page and of the bare slider between them; and the page's layout shift a move."""
    path, control, *place = PAGES[name]
    page = opened(browser, app + path, " ".join([*place, ".tbt-figure"]))
    try:
        for each in (page, bare):
            each.evaluate("window.moves = []; window.shift = 0")
        turns = max(2, n_moves // TURN)
        for _ in range(turns):
            for each, key in ((page, control), (bare, "value_0")):
                move(each, key)
        return page.evaluate("moves")[2:], bare.evaluate("moves")[2:], page.evaluate("shift") / (turns * TURN)
    finally:
        page.close()


def opened(browser: Browser, url: str, watched: str) -> Page:
    """A tab that stands, with the timer in it."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(url)
    page.wait_for_selector(watched + "[data-drawn]" * watched.endswith(".tbt-figure"))
    page.wait_for_timeout(1200)
    page.evaluate(TIMER, watched)
    return page


def move(page: Page, control: str) -> None:
    """A turn of key presses, there and back, so that a slider of four positions never stands at its end.

    A stepper's buttons are pressed with Enter: beyond its first places the arrow keys turn to the lesson's next step.
    """
    page.bring_to_front()
    if control:
        slider = page.locator(f".st-key-{control} input[type=range]")
        if not slider.count():  # in the box of the page's settings
            page.get_by_role("button", name=re.compile("More|How many")).click()
        slider.focus()
    for i in range(TURN):
        before = page.evaluate("moves.length")
        if control:
            page.keyboard.press("ArrowRight" if i % 2 else "ArrowLeft")
        else:
            page.locator(f"[class*=st-key-stepper_] [class*={'_next' if i % 2 else '_back'}] button").press("Enter")
        page.wait_for_function(f"moves.length > {before}", timeout=15000)
        page.wait_for_timeout(60)


def on_one_busy_core(stack: ExitStack, pids: list[int]) -> None:
    """From now on these processes share one core with a busy loop, until the stack is left."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    stack.callback(busy.wait)
    stack.callback(busy.kill)
    for pid in (*pids, busy.pid):
        for thread in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(thread), {0})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--pages", default="", help="only those whose name begins like this")
    parser.add_argument("--slow", action="store_true")
    asked, slow = parser.parse_args(), []
    with ExitStack() as stack:
        scripts = (ROOT / "streamlit_app.py", Path(__file__).with_name("bare.py"))
        (app, one), (address, other) = (stack.enter_context(process(script)) for script in scripts)
        if asked.slow:
            on_one_busy_core(stack, [one, other])
        browser = stack.enter_context(chromium())
        bare = opened(browser, address, '[data-testid="stMarkdown"] p')
        for name in (name for name in PAGES if name.startswith(asked.pages)):
            moves, floors, shift = measure(browser, app, bare, name, asked.moves)
            median, floor = statistics.median(moves), statistics.median(floors)
            p95, bar = sorted(moves)[int(0.95 * len(moves))], BARS.get(name.split()[0].strip(","), BAR)[asked.slow]
            slow += [name] * (median > bar * floor or shift > MOST_SHIFT)
            print(
                f"{name:27} {median:6.1f} ms   p95 {p95:6.1f} ms   bare {floor:5.1f} ms   {median / floor:5.2f} × of {bar:g}   "
                f"shift {shift:.3f}",
                flush=True,
            )
    print(f"beyond its bar: {', '.join(slow) or 'nothing'}")
    sys.exit(bool(slow))
