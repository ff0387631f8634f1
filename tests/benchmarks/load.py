"""What the server must stand, each as a figure beside its bar; what exceeds its bar is said and makes the exit status 1.

    python tests/benchmarks/load.py [class] [writers] [cold] [slow] [tabs] [soak]         all of them without a name
    python tests/benchmarks/load.py class --address http://course.example.org --visitors 100     a server that runs elsewhere

class: visitors who each move a slider every two seconds; p95 at most 150 ms, no error, at most 200 MB.
writers: as many who let the bundled model write, each from a prompt of its own; the same bars.
cold: thirty browsers with nothing in their caches open the first lesson at once, on a server that nobody has visited and on one
    that thirty have; 2 × is the bar.
slow: one browser on a line of 1.6 Mbit/s that answers after 300 ms; the first step's text must be readable after 8 s.
tabs: 200 tabs of a server started under `ulimit -Sn 1024`, all reloaded at once, three times; each is answered, and the server
    ends with no more file descriptors than its tabs and the 128 sessions that Streamlit remembers take, four and three (Linux).
soak: many reruns of all lessons, in visits of a few moves each; memory levels out below 200 MB.
"""

import argparse
import asyncio
import random
import sys
import time
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from browser.driving import LESSONS, ROOT, chromium, process, settled
from visitors import Visitor, Wanderer, Writer, connected, cpu_s, load, memory_mb, open_files, percentile

MOST_MS, MOST_MB = 150, 200
BROWSERS, TABS = 30, 200
REMEMBERED = 128  # sessions of closed tabs, at most
LINE = {"offline": False, "latency": 300, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
# Looked at inside the page, every 50 ms.
NOTE = """
window.noted = {};
const PICTURE = ".tbt-figure[data-drawn], .tbt-machine[data-drawn]";
const look = () => {
  const text = document.querySelector('[data-testid="stMain"]')?.innerText ?? "", now = performance.now() / 1000;
  if (text.length > (noted.longest ?? 0) && !document.querySelector(PICTURE)) {
    noted.longest = text.length;
    noted.last = now;
  }
  if (text.length > 200) noted.text ??= now;
  if (document.querySelector('[data-testid="stMain"] input')) noted.controls ??= now;
  if (document.querySelector(PICTURE)) noted.figure ??= now;
  setTimeout(look, 50);
};
look();
"""


def a_class(visitors: list[Visitor], address: str, seconds: float) -> bool:
    """What visitors wait for a move, here or at an address, and what they cost."""
    here = nullcontext((address, None)) if address else process(ROOT / "streamlit_app.py")
    with here as (server, pid):
        peak_mb = asyncio.run(load(server, pid, visitors, seconds))
        used_s = cpu_s(pid) if pid else 0.0
    moves, first = [ms for v in visitors for ms in v.moves_ms], [v.first_ms for v in visitors]
    errors = [error for v in visitors for error in v.errors]
    median, p95, longest = (percentile(moves, share) for share in (0.5, 0.95, 1))
    print(f"{len(visitors)} visitors, {len(moves)} moves: median {median:.0f} ms, p95 {p95:.0f} ms, longest {longest:.0f} ms")
    print(f"    opening all at once: median {percentile(first, 0.5):.0f} ms, slowest {max(first):.0f} ms")
    said = f"    server {peak_mb:.0f} MB at most, {used_s:.0f} s of processor time; " if pid else "    "
    print(f"{said}{len(errors)} errors {sorted(set(errors))[:3] or ''}")
    return p95 <= MOST_MS and peak_mb <= MOST_MB and not errors


def cold() -> bool:
    """Seconds until thirty browsers show the first lesson, on a fresh server and again on the same one."""
    with process(ROOT / "streamlit_app.py", wait_s=120) as (address, pid), chromium() as browser:
        times, memory = [], []
        for _ in range(2):
            contexts = [browser.new_context(viewport={"width": 1280, "height": 720}) for _ in range(BROWSERS)]
            pages = [context.new_page() for context in contexts]
            start = time.perf_counter()
            for page in pages:
                page.goto(address, wait_until="commit")
            for page in pages:
                page.wait_for_selector(".tbt-machine[data-drawn]", state="attached", timeout=300_000)
            times.append(time.perf_counter() - start)
            memory.append(memory_mb(pid))
            for context in contexts:
                context.close()
    first, again = times
    ratio = first / again
    print(f"cold: {BROWSERS} browsers {first:.1f} s, once more {again:.1f} s: {ratio:.2f} × of 2; server {max(memory):.0f} MB")
    return first <= 2 * again


def slow() -> bool:
    """Seconds until the text, the controls and the figures of two lessons are there."""
    good = True
    with process(ROOT / "streamlit_app.py", wait_s=120) as (address, _), chromium() as browser:
        for path in ("/", "/attention"):
            context = browser.new_context(viewport={"width": 1280, "height": 720})
            page = context.new_page()
            page.add_init_script(NOTE)
            context.new_cdp_session(page).send("Network.emulateNetworkConditions", LINE)
            page.goto(address + path, wait_until="commit", timeout=60_000)
            settled(page, 120)
            noted = page.evaluate("noted")
            context.close()
            print(
                f"slow: {path:10} text after {noted['text']:.1f} s of 8, controls {noted['controls']:.1f} s, "
                f"all but figures {noted['last']:.1f} s, figures {noted['figure']:.1f} s"
            )
            good &= noted["text"] <= 8
    return good


def tabs() -> bool:
    """Descriptors of a server that begins with 1,024, while 200 tabs come, reload and leave."""
    import resource  # there is none on Windows

    async def open_tabs(address):
        lines = [await connected(address) for _ in range(TABS)]
        visitors, few = [Visitor() for _ in lines], asyncio.Semaphore(8)

        async def run(visitor, line):
            async with few:
                await visitor.run(line)

        await asyncio.gather(*map(run, visitors, lines))
        return lines, [error for v in visitors for error in v.errors]

    async def visits(address, pid):
        counts, errors = [open_files(pid)], []
        for _ in range(3):
            lines, wrong = await open_tabs(address)
            errors += wrong
            counts.append(open_files(pid))
            await asyncio.gather(*(line.close() for line in lines))
        await asyncio.sleep(1)
        return [*counts, open_files(pid)], errors

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, limits[1]))
    try:
        with process(ROOT / "streamlit_app.py", wait_s=120) as (address, pid):
            counts, errors = asyncio.run(visits(address, pid))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    print(f"tabs: descriptors {counts[0]} before, {counts[1:-1]} with {TABS} tabs, {counts[-1]} after; {len(errors)} errors")
    return not errors and max(counts) <= counts[0] + 4 * TABS + 3 * REMEMBERED


def soak(reruns: int) -> bool:
    """Memory while visitors walk through all lessons and move whatever sliders they find."""
    rng, marks, errors = random.Random(0), [], []

    async def visit(address):
        visitor, done = Wanderer(rng), 0
        async with connected(address) as line:
            for lesson in rng.sample(sorted(LESSONS), 4):
                await visitor.open(line, lesson)
                done += 1
                for _ in range(rng.randint(1, 6)):
                    done += await visitor.move(line)
        errors.extend(visitor.errors)
        return done

    async def walk(address, pid):
        done = 0
        while done < reruns:
            done += sum(await asyncio.gather(*(visit(address) for _ in range(4))))
            if done >= reruns * (len(marks) + 1) / 10:
                marks.append(await asyncio.to_thread(memory_mb, pid))
                print(f"soak: {done} reruns, {marks[-1]:.0f} MB", flush=True)

    with process(ROOT / "streamlit_app.py", wait_s=120) as (address, pid):
        asyncio.run(walk(address, pid))
    late = marks[-1] - marks[len(marks) // 2]
    print(
        f"soak: {max(marks):.0f} MB of 200, {late:+.0f} MB in the last half; {len(errors)} errors {sorted(set(errors))[:3] or ''}"
    )
    return max(marks) <= 200 and not errors


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = {
        "class": lambda: a_class([Visitor() for _ in range(asked.visitors)], asked.address, asked.seconds),
        "writers": lambda: a_class([Writer(random.Random(i)) for i in range(asked.visitors)], asked.address, asked.seconds),
        "cold": cold,
        "slow": slow,
        "tabs": tabs,
        "soak": lambda: soak(asked.reruns),
    }
    parser.add_argument("which", nargs="*", choices=[*measures, []])
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--address", default="", help="of a running server, for class and writers")
    parser.add_argument("--reruns", type=int, default=20_000)
    asked = parser.parse_args()
    beyond = [name for name in asked.which or measures if not measures[name]()]
    print(f"beyond its bar: {', '.join(beyond) or 'nothing'}")
    sys.exit(bool(beyond))
