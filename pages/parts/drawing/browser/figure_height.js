// The height of a figure: it takes what its step's words and controls leave of the screen (figure_height.css, app/presented.css), and is held
// while that step stands. What the words need then, it gives back; what they leave then lies at the foot of the screen.

// The share of its height that a figure gives up beside what needs it, and what tells that this is on the page.
const GIVES = { '[class*="st-key-vote_bars_"], [class*="st-key-reveal_"]': 0.25, '[class*="st-key-again_"]': 0.2 };

// Sent as high as before into the same window, it is another state of the step that stands, and stays as it is.
export function makeRoom(plot, { height, meta }) {
  const room = `${height} in ${innerHeight}, presented: ${document.querySelector(".st-key-presented") !== null}`;
  plot.style.minWidth = `${meta.min_width}px`;
  // On paper: drawn so wide that its words have room, and made as narrow as the sheet.
  [plot.style.width, plot.style.zoom] = meta.printed ? [`${meta.wide}px`, meta.printed / meta.wide] : ["", ""];
  plot.style.setProperty("--sent", `${height}px`);
  if (room !== plot.tbtRoom) release(plot);
  plot.tbtRoom = room;
}

// From the first press on: a takeaway that is a line shorter after a move, and a question that is answered, move nothing.
function hold(plot) {
  const drawn = plot.querySelector(".main-svg")?.height.baseVal.value;
  if (!drawn) return;
  plot.style.height = `${Math.min(drawn, plot.clientHeight)}px`; // its box may have got another height since
  plot.tbtGave = false;
  delete plot.parentElement.dataset.grows;
}

export function release(plot) {
  plot.style.height = plot.style.getPropertyValue("--sent");
  plot.tbtGave = false;
  plot.parentElement.dataset.grows = "";
}

// Where the words need more than there is, a figure that is held gives what it has beyond what it was sent; beside a vote also a quarter
// of that, so that the title stays on the teacher's screen, and beside an answer, which is longer than its options, a little. Until a press
// it is asked anew each time: a step that comes to a busy browser may stand there for a moment with the answer of the one before it.
export function lower(plot) {
  if (plot.tbtGave) release(plot);
  const main = plot.closest('[data-testid="stMain"]');
  const over = main ? main.scrollHeight - main.clientHeight : 0;
  const beside = innerWidth >= 900 && Object.keys(GIVES).find((what) => document.querySelector(what));
  if (over <= 0 || ("grows" in plot.parentElement.dataset && !beside)) return;
  const high = plot.clientHeight - over, least = parseFloat(plot.style.getPropertyValue("--sent")) * (1 - (GIVES[beside] ?? 0));
  if (high < least && !beside) return release(plot);
  plot.style.height = `${Math.max(high, least)}px`;
  plot.tbtGave = "grows" in plot.parentElement.dataset;
  delete plot.parentElement.dataset.grows;
}

// The figure as high as its box has become.
export function asHigh(plot, figure) {
  const high = plot.clientHeight;
  const { height, meta } = figure.layout;
  if (!high || high === height) return squared(plot, figure);
  return squared(plot, { ...figure, layout: { ...figure.layout, height: high, meta: { sent: height, ...meta } } });
}

// Of a figure in which squares are squares, the axes reach as far as they must for that: beyond what is laid out at its right, or
// beneath. meta.square: so many units as it is laid out across and down, and where x ends.
function squared(plot, figure) {
  const { layout } = figure;
  const [[wide, tall, edge], top] = [layout.meta.square ?? [], layout.yaxis.range[1]];
  if (!wide || !plot.clientWidth) return figure;
  const unit = Math.min(plot.clientWidth / (wide * edge), layout.height / (tall - top)); // pixels
  const [right, bottom] = [plot.clientWidth / (unit * wide), layout.height / unit + top];
  if (Math.abs(right - layout.xaxis.range[1]) < 1e-4 && Math.abs(bottom - layout.yaxis.range[0]) < 1e-2) return figure;
  const axes = { xaxis: { ...layout.xaxis, range: [0, right] }, yaxis: { ...layout.yaxis, range: [bottom, top] } };
  return { ...figure, layout: { ...layout, ...axes } };
}

// A window of another size is another room.
const all = (change) => () => document.querySelectorAll(".tbt-plot").forEach(change);
const brings = ({ key, target }) => key === "s" || target.closest?.(".st-key-slide_controls"); // a slide's sliders and menus
for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, (event) => all(brings(event) ? release : hold)(), true);
window.addEventListener("resize", all(release));
