"""Key press → repainted figure, in a real Chromium, as a multiple of a bare slider with st.write in the same run.

    python tests/benchmarks/latency.py [--moves 60]

Two servers are started (the application and bare.py, with the same configuration); the pages are measured in turns, a few moves
each, so that a machine that drifts drifts for all. A move is timed inside the page: from the key event to the second animation
frame after the figure says it is drawn (or, for the bare slider, after its text changed). Bars: the attention lesson at
4 × 4 at most 3.5 ×, at 16 × 8 at most 10 ×.
"""

import argparse
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browser.driving import ROOT, chromium, serve

BIG = (
    "tokens=" + ",".join(f"w{i}" for i in range(1, 17)) + "&values=" + ",".join(str(i) for i in range(1, 17))
    + "&rules=even,odd,self,previous,first,all,window:3,none"
)  # fmt: skip
PAGES = {  # server, page, what is watched, and the key of the widget that is moved; "": the page's own arrow keys
    "bare slider": ("bare", "/", '[data-testid="stMarkdown"] p', "value_0"),
    "overview, 8 tokens": ("app", "/?g=8", ".tbt-figure", "extra_g"),
    "overview 16, 8 tokens": ("app", f"/?{BIG}&g=8", ".tbt-figure", "extra_g"),
    "rules 4 × 4": ("app", "/rules", ".tbt-figure", "value_0"),
    "rules 16 × 8": ("app", f"/rules?{BIG}", ".tbt-figure", "value_0"),
    "attention 4 × 4": ("app", "/attention", ".tbt-figure", "value_0"),
    "attention 16 × 8": ("app", f"/attention?{BIG}", ".tbt-figure", "value_0"),
    "prefill, length": ("app", "/prefill", ".st-key-prompt_cost .tbt-figure", "extra_p"),
    "prefill 16 × 8, chunks": ("app", f"/prefill?{BIG}&chunk=8", ".st-key-triangles .tbt-figure", "extra_chunk"),
    "logits, value": ("app", "/logits", ".st-key-word_map .tbt-figure", "value_0"),
    "logits 16 × 8, value": ("app", f"/logits?{BIG}", ".st-key-word_map .tbt-figure", "value_0"),
    "logits, temperature": ("app", "/logits", ".st-key-word_chances .tbt-figure", "extra_temperature"),
    "decode, step": ("app", "/decode?step=6", ".tbt-figure", ""),
    "decode 16 × 8, step 40": ("app", f"/decode?{BIG}&step=40", ".tbt-figure", ""),
    "cache, step": ("app", "/cache?step=6", ".tbt-figure", ""),
    "cache 16 × 8, step 40": ("app", f"/cache?{BIG}&step=40", ".tbt-figure", ""),
    "counting": ("app", "/counting", ".tbt-figure", "extra_g"),
    "memory": ("app", "/memory", ".st-key-memory_bar .tbt-figure", "extra_context"),
    "roofline": ("app", "/roofline", ".st-key-roofline .tbt-figure", "extra_p"),
    "bridge": ("app", "/bridge", ".tbt-figure", "extra_p"),
    "counting, P = G = 1,000": ("app", "/counting?p=1000&g=1000", ".tbt-figure", "extra_g"),
    "inside, moment of training": ("app", "/inside", ".tbt-figure", "moment"),
    "inside, 96 tokens": ("app", "/inside?prompt=" + "so+" * 95, ".tbt-figure", "moment"),
    "generate, words": ("app", "/generate", ".tbt-figure", "extra_g"),
}
TIMER = """
(selector) => {
  window.moves = [];
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


def measure(n_moves: int) -> dict[str, list[float]]:
    """Milliseconds of every move, by page."""
    with serve(ROOT / "streamlit_app.py") as app, serve(Path(__file__).with_name("bare.py")) as bare, chromium() as browser:
        pages = {}
        for name, (server, path, selector, control) in PAGES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto((app if server == "app" else bare) + path)
            page.wait_for_selector(".tbt-figure[data-drawn]" if server == "app" else selector)
            page.wait_for_timeout(800)
            page.evaluate(TIMER, selector)
            if control:
                page.locator(f".st-key-{control} input[type=range]").focus()
            pages[name] = page
        for _ in range(n_moves // 6):
            for page in pages.values():
                page.bring_to_front()
                for move in range(6):  # there and back, so that a slider of four positions never stands at its end
                    before = page.evaluate("moves.length")
                    page.keyboard.press("ArrowRight" if move % 2 else "ArrowLeft")
                    page.wait_for_function(f"moves.length > {before}", timeout=15000)
                    page.wait_for_timeout(60)
        return {name: page.evaluate("moves")[3:] for name, page in pages.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=60)
    times = measure(parser.parse_args().moves)
    floor = statistics.median(times["bare slider"])
    for name, moves in times.items():
        median, p95 = statistics.median(moves), sorted(moves)[int(0.95 * len(moves))]
        print(f"{name:18} median {median:6.1f} ms   p95 {p95:6.1f} ms   {median / floor:5.2f} × the bare slider")
