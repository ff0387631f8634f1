// A box that is unfolded near the lower edge comes into sight as it grows: all of it where there is room, else from its heading on.
// Whoever then moves or types anything is left alone.
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];
let growing = null;

function leaveAlone() {
  growing?.disconnect();
  growing = null;
}

function unfold({ target }) {
  const box = target.closest?.("summary")?.closest(".stExpander");
  if (!box) return;
  leaveAlone();
  growing = new ResizeObserver(() => box.scrollIntoView({ block: "nearest" }));
  growing.observe(box);
}

export default function ({ parentElement: box }) {
  const call = newCall(box);
  document.addEventListener("click", unfold, { signal: call.signal });
  for (const name of MOVES) document.addEventListener(name, leaveAlone, { capture: true, signal: call.signal });
  call.signal.onabort = leaveAlone;
  return () => call.abort();
}
