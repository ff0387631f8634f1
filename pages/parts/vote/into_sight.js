// Brings the box that is meant into sight, once for each `what`. Figures above it are drawn when they like and push it down again: it has
// come when it is in sight twice in a row. Whoever has touched the page since goes where he likes.
const LOOK_MS = 300;
let touched = -Infinity;
for (const touch of ["pointerdown", "keydown", "wheel"]) window.addEventListener(touch, () => (touched = performance.now()), true);

function look(box, selector) {
  if (touched > box.since || box.inSight >= 2) return box.call.abort();
  const meant = running() ? null : document.querySelector(selector);
  if (!meant) return undefined;
  const { top, bottom } = meant.getBoundingClientRect();
  const foot = parseFloat(getComputedStyle(document.querySelector(".stMain")).scrollPaddingBlockEnd) || 0; // what lies over the foot
  if (top >= 0 && bottom <= window.innerHeight - foot) return (box.inSight += 1);
  box.inSight = 0;
  return meant.scrollIntoView({ block: "end" });
}

export default function ({ data, parentElement: box }) {
  const call = newCall(box);
  if (!data.what) return undefined;
  if (box.what !== data.what) Object.assign(box, { what: data.what, inSight: 0, since: performance.now() });
  const timer = setInterval(() => look(box, data.selector), LOOK_MS);
  call.signal.onabort = () => clearInterval(timer);
  return () => call.abort();
}
