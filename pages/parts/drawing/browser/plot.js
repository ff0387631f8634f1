// Draws one figure in place: what differs is changed and the picture is never cleared. Plotly draws cells, areas and outlines;
// words and numbers are a layer of our own (text_layer.js). A cell is selected with the pointer or with the arrow keys, and said
// aloud for those who do not see it. layout.meta says what can be selected (grid) and how narrow the figure may get before it
// scrolls (min_width). A figure with frames gets a Play button and a slider; its frames play in the browser, without asking the
// server.
import { offer } from "./answers.js";
import { asHigh, lower, makeRoom, release } from "./figure_height.js";
import { complete, shared, unfolded } from "./short_form.js";
import { write } from "./text_layer.js";

const INSIDE = `
<div class="tbt-plot" aria-hidden="true"></div>
<div class="tbt-reel" hidden>
  <button type="button">Play</button>
  <input type="range" min="0" value="0" step="1" aria-label="Frame of the animation">
  <output></output>
</div>
<p class="tbt-status" role="status"></p>`;
const NOTHING = { type: "scatter", mode: "markers", x: [null], y: [null], hoverinfo: "skip" }; // Plotly wants one trace at least
const CONFIG = { displayModeBar: false, doubleClick: false };

const libraries = new Map();

function library(source) {
  // Relative to the page, because hosts serve the application under a prefix. One load for all figures.
  if (window.Plotly) return Promise.resolve(window.Plotly);
  if (!libraries.has(source)) {
    libraries.set(source, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(source, document.baseURI).href;
      script.onload = () => (window.Plotly ? resolve(window.Plotly) : reject(new Error("no Plotly in the script")));
      script.onerror = () => reject(new Error("the script could not be loaded"));
      document.head.append(script);
    }));
  }
  return libraries.get(source);
}

let styled = null; // the style sheet, loaded once

function style() {
  styled ??= new Promise((resolve) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: new URL("./plot.css", import.meta.url).href, onload: resolve, onerror: resolve });
    document.head.append(link);
  });
  return styled;
}

function parts(parentElement) {
  const frame = parentElement.querySelector(".tbt-figure");
  if (!frame.firstChild) frame.innerHTML = INSIDE;
  return { frame, plot: frame.querySelector(".tbt-plot"), status: frame.querySelector(".tbt-status") };
}

function handed({ data, layout, config }) {
  // Plotly writes what it works out into what it is given: into copies, whose arrays are still the same ones.
  const axes = { xaxis: { ...layout.xaxis }, yaxis: { ...layout.yaxis } };
  return { data: data.map((trace) => ({ ...trace })), layout: { ...layout, ...axes }, config };
}

function inOrder(plot) {
  // Plotly appends a shape that it draws anew: a stretch that has changed would lie over a mark that has not.
  const index = (group) => Number(group.dataset.index);
  for (const layer of plot.querySelectorAll(".shapelayer")) {
    const groups = [...layer.children];
    if (groups.some((group, k) => k && index(group) < index(groups[k - 1]))) {
      layer.append(...groups.sort((a, b) => index(a) - index(b)));
    }
  }
}

// As wide as its room has become, at once: Plotly's own way waits a tenth of a second, in which a phone shows what was sent for it as
// wide as the computer's figure before it.
async function widen(Plotly, plot) {
  const drawn = plot.querySelector(".main-svg")?.width.baseVal.value;
  if (drawn && plot.clientWidth && Math.abs(drawn - plot.clientWidth) >= 1) await Plotly.relayout(plot, { autosize: true });
}

async function paint(Plotly, plot, figure) {
  // Plotly.react does what the differences ask for, and tells them by identity: a shape alone is drawn alone, without the cells.
  const { meta, ...layout } = figure.layout; // Plotly would draw everything again because another cell is selected
  const painted = shared(plot.tbtPainted, { data: figure.data.length ? figure.data : [NOTHING], layout, config: CONFIG });
  const drawing = painted === plot.tbtPainted ? null : Plotly.react(plot, handed(painted));
  plot.tbtPainted = painted;
  inOrder(plot);
  if (plot.querySelector(".main-svg")) write(plot, figure); // in the same picture on the screen
  await drawing;
  // Cells are a picture, which a busy machine would otherwise decode a frame or two after it has taken the old one away.
  plot.querySelectorAll(".heatmaplayer image:not([decoding])").forEach((image) => image.setAttribute("decoding", "sync"));
  inOrder(plot);
  write(plot, figure);
}

function follow(Plotly, frame, plot) {
  // Plotly looks at the window alone, and only when its size changes. A figure's room changes also with the side bar, with a figure
  // that may get narrower than the one before it, and with the words around it.
  const observer = new ResizeObserver(async () => {
    if (!plot.isConnected) return observer.disconnect();
    const drawn = plot.querySelector(".main-svg")?.width.baseVal.value;
    if (!drawn || !plot.clientWidth) return;
    const wider = Math.abs(drawn - plot.clientWidth) >= 1;
    if (wider) release(plot);
    else lower(plot);
    if (!wider && asHigh(plot, frame.shown) === frame.shown) return;
    const [asked, waits] = [frame.asked, "waiting" in frame.dataset];
    frame.dataset.waiting = "";
    await widen(Plotly, plot);
    await fit(Plotly, frame, plot);
    write(plot, frame.shown);
    if (frame.asked === asked && !waits) delete frame.dataset.waiting; // else whoever draws what was sent does so
  });
  observer.observe(plot);
  observer.observe(frame.closest(".stMainBlockContainer > *") ?? plot);
}

async function fit(Plotly, frame, plot) {
  // Where its box has another height than it was drawn for, what is on the screen is drawn again.
  const figure = asHigh(plot, frame.shown);
  if (figure === frame.shown) return;
  [frame.figure, frame.shown] = [asHigh(plot, frame.figure), figure];
  await paint(Plotly, plot, figure);
  offer(plot, figure.layout, (part) => frame.press(part));
}

function isGap(columns, column) {
  return columns[column] === ""; // nothing but space between two heads; a column that the mask hides has a name
}

function moved(figure, [curve, row, column], key) {
  // The neighbouring cell, across heads and stages; the same cell at the border.
  const { curves, columns } = figure.layout.meta.grid;
  const cells = figure.data[curves[0]].z;
  const width = cells[0].length;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const step = key === "ArrowRight" ? 1 : -1;
    let next = column + step;
    if (next >= 0 && next < width && isGap(columns, next)) next += step;
    return [curve, row, next < 0 || next >= width ? column : next];
  }
  let at = curves.indexOf(curve) * cells.length + row + (key === "ArrowDown" ? 1 : -1);
  at = Math.min(Math.max(at, 0), curves.length * cells.length - 1);
  return [curves[Math.floor(at / cells.length)], at % cells.length, column];
}

function withoutNumber(hover) {
  // What is said of a cell that has no number; hover: the sentence of a map that has sentences.
  const hidden = "hidden by the mask";
  if (!hover) return `${hidden}, or not a number`;
  return hover.endsWith(hidden) ? hidden : "not a number";
}

function spoken(figure, [curve, row, column]) {
  const { stages, rows, columns, curves } = figure.layout.meta.grid;
  const value = figure.data[curve].z[row][column];
  const text = Number.isNaN(value) ? withoutNumber(figure.data[curve].customdata?.[row][column]) : Number(value.toPrecision(4));
  return `${stages[curves.indexOf(curve)]}, row ${rows[row]}, ${columns[column]}: ${text}`;
}

async function afterWhatIsInSight(frame) {
  // A figure further down the page waits until the visible ones have been painted; they are what the reader looks at.
  const { top, bottom } = frame.getBoundingClientRect();
  if (!frame.dataset.drawn || (top < window.innerHeight && bottom > 0)) return;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

function listen(frame, plot, status) {
  frame.addEventListener("keydown", (event) => {
    const { figure, select } = frame;
    if (event.target.matches("input, button")) return; // the reel's own slider
    if (!figure?.layout.meta.grid || !event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey) return;
    const grid = figure.layout.meta.grid;
    if (grid.columns.length === 1 && /Left|Right/.test(event.key)) return; // nothing lies beside it: these turn to another step
    event.preventDefault();
    event.stopPropagation(); // the arrow keys of a presentation or a stepper do not also move on
    frame.cursor = moved(figure, frame.cursor ?? grid.selected ?? [grid.curves[0], 0, 0], event.key);
    frame.pressed = Date.now();
    status.textContent = spoken(figure, frame.cursor);
    select(frame.cursor);
  });
  plot.on("plotly_click", ({ points }) => {
    const [point] = points;
    if (!frame.figure.layout.meta.grid?.curves.includes(point.curveNumber)) return;
    const [row, column] = point.pointNumber; // a pair in heatmaps, a plain number elsewhere
    frame.cursor = [point.curveNumber, row, column];
    status.textContent = spoken(frame.figure, frame.cursor);
    frame.select(frame.cursor);
  });
}

function atFrame({ data, layout, words }, frame) {
  // The figure with what a frame says differently.
  const changed = Object.fromEntries((frame.data ?? []).map((part, k) => [frame.traces?.[k] ?? k, part]));
  return { words, data: data.map((trace, k) => ({ ...trace, ...changed[k] })), layout: { ...layout, ...frame.layout } };
}

function reel(Plotly, frame, plot, status) {
  // Play button and slider for the frames of the figure on screen; made once, fed by whatever figure is current.
  const bar = frame.querySelector(".tbt-reel");
  const [play, slider, label] = [bar.querySelector("button"), bar.querySelector("input"), bar.querySelector("output")];
  let timer = null;
  const at = () => Number(slider.value);
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  const show = (index, drawn = false) => {
    const frames = frame.figure.frames;
    slider.value = index;
    label.textContent = frames[index].name;
    slider.setAttribute("aria-valuetext", frames[index].name);
    frame.dataset.frame = String(index);
    frame.shown = atFrame(frame.figure, frames[index]);
    if (!drawn) paint(Plotly, plot, frame.shown);
  };
  play.onclick = () => {
    if (timer) return stop();
    if (at() === frame.figure.frames.length - 1) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (at() < frame.figure.frames.length - 1) show(at() + 1);
      if (at() < frame.figure.frames.length - 1) return;
      stop();
      status.textContent = label.textContent;
    }, frame.figure.layout.meta.step_ms ?? 900);
  };
  slider.oninput = () => {
    stop();
    show(at());
    status.textContent = label.textContent;
  };
  // The arrow keys of a presentation or a stepper do not also move on.
  slider.addEventListener("keydown", (event) => { // a handler that returned false would cancel Tab and hold the focus here
    if (event.key.startsWith("Arrow")) event.stopPropagation();
  });
  let last = null; // the last frame of the figure before: who stood at the end stays at the end of the next one
  frame.rewind = () => {
    stop();
    const end = frame.figure.frames.length - 1;
    const here = last === null ? frame.figure.layout.meta.start ?? 0 : at() === last ? end : Math.min(at(), end);
    slider.max = last = end;
    show(here, here === frame.figure.layout.meta.start); // the figure itself shows that one: drawing it again would cost as much
  };
}

export async function show({ parentElement, data, failed, setTriggerValue }) {
  const { frame, plot, status } = parts(parentElement);
  frame.asked = data;
  frame.dataset.waiting = ""; // until the newest that was sent is on the screen
  frame.setAttribute("aria-label", data.alt);
  frame.tabIndex = 0;
  let Plotly, figure;
  try {
    figure = await unfolded(data.figure);
    if (frame.asked === data) makeRoom(plot, figure.layout);
    [Plotly] = await Promise.all([library(data.source), style()]);
  } catch (error) {
    failed(error);
    return;
  }
  if (frame.asked !== data) return; // a newer one has arrived meanwhile
  frame.figure = frame.shown = figure = asHigh(plot, figure);
  frame.complete = () => complete(frame.shown); // of a figure with frames the one on screen
  frame.select = (cell) => setTriggerValue("cell", cell);
  frame.press = (part) => setTriggerValue("answer", part);
  // While keys are being pressed the answers that come in are older than the cursor.
  if (Date.now() - (frame.pressed ?? 0) > 400) frame.cursor = null;
  await afterWhatIsInSight(frame);
  if (frame.asked !== data) return;
  await widen(Plotly, plot);
  await paint(Plotly, plot, figure);
  offer(plot, figure.layout, (part) => frame.press(part));
  frame.querySelector(".tbt-reel").hidden = figure.frames.length === 0;
  if (figure.frames.length) {
    if (!frame.rewind) reel(Plotly, frame, plot, status);
    frame.rewind();
  }
  if (!frame.listening) {
    listen(frame, plot, status);
    follow(Plotly, frame, plot);
  }
  frame.listening = true;
  await fit(Plotly, frame, plot);
  frame.dataset.drawn = String(Number(frame.dataset.drawn ?? 0) + 1);
  if (frame.asked === data) delete frame.dataset.waiting;
}
