// Parts of a figure that are pressed as an answer: a box over each, in its place however wide the figure is. Who has no pointer
// presses the same answers beneath the figure, so these are not told to a screen reader and are no stops of the Tab key.
const PART = ([k, x0, y0, x1, y1, says], wide, [bottom, above]) => {
  const box = Object.assign(document.createElement("button"), { type: "button", tabIndex: -1, title: says });
  const high = bottom - above;
  const shares = [x0 / wide, (y0 - above) / high, (x1 - x0) / wide, (y1 - y0) / high];
  const [left, top, width, height] = shares.map((share) => `${100 * share}%`);
  Object.assign(box.style, { left, top, width, height });
  box.dataset.part = k;
  return box;
};

export function offer(plot, { meta, xaxis, yaxis }, press) {
  const offered = JSON.stringify(meta.answers ?? []);
  const before = plot.querySelector(".tbt-answers");
  if (before?.dataset.offered === offered) return;
  before?.remove();
  if (!meta.answers?.length) return;
  const layer = Object.assign(document.createElement("div"), { className: "tbt-answers" });
  layer.dataset.offered = offered;
  layer.append(...meta.answers.map((part) => PART(part, xaxis.range[1], yaxis.range)));
  layer.addEventListener("click", (event) => event.target.dataset.part && press(Number(event.target.dataset.part)));
  plot.append(layer);
}
