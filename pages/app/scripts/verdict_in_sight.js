// On a phone, what is said of an answer comes into sight above the bar at the foot, together with the figure before it, in which the
// answer is seen, too: the sentence after it as well where there is room, else the first lines of what is said. In one motion, and only
// if it is not there already. Whoever then touches the page is left alone.
const LOOK_MS = 150;
const MOST_MS = 8000;
const LEFT_OUT = [0.1, 0.4]; // of the figure, its upper part: hardly missed, and at most
const FIRST_LINES = 84; // pixels of what is said: what is right, and how the reason begins

function answersOf(box) {
  return box.querySelector('[class*="st-key-answer_"]');
}

// The question's own class, by which it is found again: React may put another element in its place.
function keyOf(box) {
  return [...box.classList].find((name) => name.startsWith("st-key-predict_"));
}

function bar() {
  const found = document.querySelector(".st-key-way_bar");
  return found && getComputedStyle(found).position === "fixed" ? found : null;
}

function show(box) {
  const above = document.querySelector(".st-key-place_on_phone") ?? document.querySelector(".stMainBlockContainer h1");
  const top = above?.getBoundingClientRect().bottom ?? 0;
  const foot = bar().getBoundingClientRect().top;
  const after = [...document.querySelectorAll('[class*="st-key-takeaway"]')].find(
    (said) => said.offsetHeight && said.getBoundingClientRect().top >= box.getBoundingClientRect().bottom,
  );
  const [from, answer] = [box.getBoundingClientRect().top, answersOf(box).getBoundingClientRect()];
  const verdict = answer.bottom;
  const begins = Math.min(verdict, answer.top + FIRST_LINES);
  const said = after?.getBoundingClientRect().bottom ?? verdict;
  const figures = [...document.querySelectorAll(".tbt-figure")].map((each) => each.getBoundingClientRect());
  const figure = figures.findLast(({ height, bottom }) => height && bottom <= from); // the answer is seen in it, too
  const room = foot - top - 12;
  const ways = (figure ? LEFT_OUT : [0]).flatMap((part) =>
    [said, verdict, begins].map((end) => ({ end, seen: figure ? figure.top + part * figure.height : from })),
  );
  const { end, seen } = ways.find((way) => way.end - way.seen <= room) ?? { end: verdict, seen: from };
  const by = Math.max(end, Math.min(verdict, seen + room)) + 12 - foot; // and as much of what is said as there is room for
  if (by <= 0) return;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector(".stMain")?.scrollBy({ top: by, behavior: still ? "instant" : "smooth" });
}

export default function ({ parentElement: mine }) {
  const call = newCall(mine);
  let timer = 0;
  const pressed = ({ target, isTrusted }) => {
    clearInterval(timer);
    if (!isTrusted || !bar() || !target.closest?.('[class*="st-key-predict_"], .tbt-figure')) return;
    const open = [...document.querySelectorAll('[class*="st-key-predict_"]')].filter((box) => !answersOf(box)).map(keyOf);
    const until = performance.now() + MOST_MS;
    timer = setInterval(() => {
      if (performance.now() > until || !bar()) return clearInterval(timer);
      const box = open.map((key) => key && document.querySelector(`.${CSS.escape(key)}`)).find((found) => found && answersOf(found));
      if (!box || running()) return undefined;
      clearInterval(timer);
      return setTimeout(() => box.isConnected && bar() && show(box), LOOK_MS); // figures above it have their height by then
    }, LOOK_MS);
  };
  for (const event of ["wheel", "touchmove"]) window.addEventListener(event, () => clearInterval(timer), { passive: true, signal: call.signal });
  const typed = (event) => event.key === "Enter" && pressed(event);
  window.addEventListener("click", pressed, { capture: true, signal: call.signal });
  window.addEventListener("keydown", typed, { capture: true, signal: call.signal });
  call.signal.addEventListener("abort", () => clearInterval(timer));
  return () => call.abort();
}
