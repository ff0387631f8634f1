// A link "#cell-figure-curve-row-column" and that cell of the figure with that key mark each other while either is pointed at or has
// the focus. A figure's x runs from 0 to 1 across, its y down from its range's second number, which is 0 or above, to its first (parts/drawing/sheet.py).
const LINKS = '.stMain a[href^="#cell-"]';

function cellOf(link) {
  const [figure, curve, row, column] = link.hash.slice("#cell-".length).split("-");
  const plot = document.querySelector(`.st-key-${figure} .tbt-plot`);
  const trace = plot?.data?.[Number(curve)];
  if (!trace?.x || Number(column) + 1 >= trace.x.length || Number(row) + 1 >= trace.y.length) return null;
  const [bottom, top] = plot.layout.yaxis.range;
  const [wide, tall] = [plot.clientWidth, plot.clientHeight / (bottom - top)];
  const [x0, x1] = [trace.x[column] * wide, trace.x[Number(column) + 1] * wide];
  const [y0, y1] = [(trace.y[row] - top) * tall, (trace.y[Number(row) + 1] - top) * tall];
  return { plot, x0, x1, y0, y1 };
}

function unmark() {
  document.querySelectorAll(".tbt-mark").forEach((mark) => mark.remove());
}

function mark(link) {
  unmark();
  const cell = cellOf(link);
  if (!cell) return;
  const box = document.createElement("div");
  box.className = "tbt-mark";
  cell.plot.style.position = "relative";
  Object.assign(box.style, {
    left: `${cell.x0}px`, top: `${cell.y0}px`, width: `${cell.x1 - cell.x0}px`, height: `${cell.y1 - cell.y0}px`,
  });
  cell.plot.append(box);
}

function pointed({ target, clientX, clientY }) {
  // Of all links those whose cell lies under the pointer.
  const plot = target.closest?.(".tbt-plot");
  for (const link of document.querySelectorAll(LINKS)) {
    const cell = plot && cellOf(link);
    const box = plot?.getBoundingClientRect();
    const [x, y] = plot ? [clientX - box.left, clientY - box.top] : [0, 0];
    const here = cell && cell.plot === plot && x >= cell.x0 && x < cell.x1 && y >= cell.y0 && y < cell.y1;
    link.classList.toggle("tbt-marked", Boolean(here));
  }
}

function over(event) {
  const link = event.target.closest?.(LINKS);
  if (link) mark(link);
  else unmark();
}

function held(event) {
  if (event.target.closest?.(LINKS)) event.preventDefault(); // it leads nowhere: the address stays the scenario's
}

export default function ({ parentElement: box }) {
  const call = newCall(box);
  const listeners = { pointerover: over, focusin: over, focusout: unmark, pointermove: pointed, click: held };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, { signal: call.signal });
  call.signal.onabort = unmark;
  return () => call.abort();
}
