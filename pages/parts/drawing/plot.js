// Draws one Plotly figure in place: Plotly.react changes what differs and never clears the picture. A cell is selected with the
// pointer or with the arrow keys, and said aloud for those who do not see it. Figures come as JSON; layout.meta says what can be
// selected (grid) and how narrow the figure may get before it scrolls (min_width). A figure with frames gets a Play button and a
// slider; its frames play in the browser, without asking the server.
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

function parts(parentElement) {
  const frame = parentElement.querySelector(".tbt-figure");
  return { frame, plot: frame.querySelector(".tbt-plot"), status: frame.querySelector(".tbt-status") };
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

function spoken(figure, [curve, row, column]) {
  const { stages, rows, columns, curves } = figure.layout.meta.grid;
  const value = figure.data[curve].z[row][column];
  const text = value === null ? "hidden by the mask" : Number(value.toPrecision(4));
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
    event.preventDefault();
    event.stopPropagation(); // the arrow keys of a presentation or a stepper do not also move on
    const grid = figure.layout.meta.grid;
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
    if (drawn) return;
    const options = { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: true } };
    // A frame that overtakes another rejects the other's promise, and that is all there is to it.
    Plotly.animate(plot, [frames[index].name], options).catch(() => {});
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

export default async function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const { frame, plot, status } = parts(parentElement);
  const figure = JSON.parse(data.figure);
  frame.figure = figure;
  frame.select = (cell) => setTriggerValue("cell", cell);
  frame.setAttribute("aria-label", data.alt);
  frame.tabIndex = 0;
  plot.style.minWidth = `${figure.layout.meta.min_width}px`;
  plot.style.height = `${figure.layout.height}px`;
  // While keys are being pressed the answers that come in are older than the cursor.
  if (Date.now() - (frame.pressed ?? 0) > 400) frame.cursor = null;
  let Plotly;
  try {
    Plotly = await library(data.source);
  } catch (error) {
    setStateValue("failed", String(error.message));
    return;
  }
  await afterWhatIsInSight(frame);
  if (frame.figure !== figure) return; // a newer one has arrived meanwhile
  const frames = figure.frames ?? [];
  const config = { displayModeBar: false, responsive: true, doubleClick: false };
  await Plotly.react(plot, { data: figure.data, layout: figure.layout, frames, config });
  frame.querySelector(".tbt-reel").hidden = frames.length === 0;
  if (frames.length) {
    if (!frame.rewind) reel(Plotly, frame, plot, status);
    frame.rewind();
  }
  if (!frame.listening) listen(frame, plot, status);
  frame.listening = true;
  frame.dataset.drawn = String(Number(frame.dataset.drawn ?? 0) + 1);
}
