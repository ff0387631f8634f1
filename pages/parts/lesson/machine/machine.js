// Plays the machine: the prompt's rows are computed together, then a row a word. In each pass a row's query, key and value are made,
// its query meets every key that is kept, and its word travels back to the row that waits beneath. All of it came with the page
// (drawing/machine.py); nothing is asked of the server while it plays. A frame shows what the passes up to it have made: frame 0 is
// the prompt alone, frame 1 prefill, each further one a decode step.
const FIRST_MS = 700, PREFILL_MS = 2200, DECODE_MS = 2200, TRAVEL_MS = 700, WORD_MS = 900, SETTLE_MS = 500;
const FEW = 10, READ = 1.6; // rows whose numbers are written; times as long they stand, to be read
const SVG = "http://www.w3.org/2000/svg";
const COLUMNS = [
  ["token", "token", ""],
  ["query", "query", "asks"],
  ["key", "key", "is found by"],
  ["value", "value", "gives"],
  ["scores", "scores", "how well they fit"],
  ["mask", "mask", "nothing later"],
  ["weights", "weights", "shares to take"],
  ["context", "context", ""],
];
const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function make(name, className, text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text; // typed words are text, whatever they contain
  return element;
}

function mixed(size, colour, ground = "var(--hole)") {
  return `color-mix(in srgb, ${colour} ${Math.round(100 * size)}%, ${ground})`;
}

function stripes(colours) {
  // One element for many cells: a gradient with hard stops.
  const width = 100 / colours.length;
  return `linear-gradient(to right, ${colours.map((colour, k) => `${colour} ${k * width}% ${(k + 1) * width}%`).join(",")})`;
}

function strip(name, sizes) {
  const element = make("span", `tbt-${name} tbt-strip`);
  element.style.setProperty("--cells-drawn", stripes(sizes.map((size) => mixed(size, `var(--${name})`))));
  return element;
}

function ink(share) {
  // Of the number in a cell of so much of a phase's colour: that of the ground where it reads better, in the dark sooner.
  return share < 0.6 ? "" : share < 0.75 ? "light-dark(var(--ink), var(--surface))" : "var(--surface)";
}

function grid(name, colours, said, numbers, inks) {
  // Cells of one row, as many as it has keys; the number in each where there is one to read. inks: of the numbers, where these differ.
  const element = make("span", `tbt-${name} tbt-grid`);
  element.style.setProperty("--cells", colours.length);
  element.style.setProperty("--cells-drawn", stripes(colours));
  element.style.width = `calc(100% * ${colours.length} / var(--wide))`;
  (numbers ?? []).forEach((number, j) => {
    element.append(make("i", "", number));
    element.lastChild.style.color = inks?.[j] ?? "";
  });
  element.onmousemove = (event) => (element.title = said(Math.floor((event.offsetX / element.offsetWidth) * colours.length)));
  return element;
}

function scoreColour(score) {
  return mixed(Math.abs(score), score < 0 ? "var(--score-low)" : "var(--score-high)", "var(--score-zero)");
}

function row(drawing, i) {
  const [said, scores, weights] = [drawing.said[i], drawing.scores[i], drawing.rows[i]];
  const pair = (name, numbers) => (j) => `“${drawing.words[i]}” to “${drawing.words[j]}”: ${name} ${numbers?.[j] ?? "hidden by the mask"}`;
  const whole = make("div", `tbt-row ${i < drawing.n_prompt ? "tbt-read" : "tbt-written"}`);
  const colours = scores.map(scoreColour);
  const seen = drawing.seen[i];
  const hidden = colours.map((colour, j) => (j < seen ? colour : "var(--hidden)"));
  const shares = scores.map((_, j) => (j < weights.length ? mixed(weights[j], "var(--hue)", "var(--none)") : "var(--hidden)"));
  const value = strip("value", drawing.values[i]);
  const context = strip("context", drawing.contexts[i]);
  if (said) value.replaceChildren(make("b", "", said.value));
  if (said) context.replaceChildren(make("b", "", said.context));
  const token = make("span", "tbt-token");
  token.append(make("span", "tbt-label", drawing.words[i]));
  whole.append(token, strip("query", drawing.queries[i]), strip("key", drawing.keys[i]), value,
    grid("scores", colours, pair("score", said?.scores ?? scores), said?.scores),
    grid("mask", hidden, pair("score", (said?.scores ?? scores).slice(0, seen)), said?.scores.slice(0, seen)),
    grid("weights", shares, pair("weight", weights), said?.weights, weights.map(ink)), context);
  return whole;
}

function headings(drawing, few) {
  // A lesson's few rows have larger cells in place of the scores before the mask.
  return COLUMNS.map(([column, name, says]) => {
    const heading = make("span", `tbt-${column}`);
    // On the first screen, whose tokens begin with a mark, which head it is stands behind the heading.
    const beneath = { context: drawing.marked ? "their sum" : drawing.head, mask: drawing.mask }[column] ?? says;
    heading.append(make("b", "", few && column === "mask" ? "scores" : name), make("small", "", beneath));
    if (column === "context") heading.title = `${drawing.head}. Of the ${drawing.n_heads} heads of its layer the one whose rows look at the most different words further back.`;
    return heading;
  });
}

function waiting() {
  // The row that comes next: its token is the word that came out.
  const row = make("div", "tbt-row tbt-waiting");
  row.append(make("span", "tbt-token"), make("span", "tbt-query"), make("span", "tbt-key tbt-place"), make("span", "tbt-value tbt-place"));
  row.firstChild.append(make("span", "tbt-label"));
  return row;
}

function build(root, drawing, beside) {
  root.few = drawing.said.length > 0 && drawing.rows.length <= FEW;
  root.classList.toggle("tbt-few", root.few);
  root.querySelector(".tbt-heads").replaceChildren(...headings(drawing, root.few));
  root.rows = drawing.rows.map((_, i) => row(drawing, i));
  root.waits = waiting();
  root.querySelector(".tbt-rows").replaceChildren(...root.rows, root.waits);
  // The first screen has a place beside its prompt where the answer goes on; elsewhere prompt and answer are a line of their own.
  root.text = beside ?? root.querySelector(".tbt-text");
  root.querySelector(".tbt-text").hidden = Boolean(beside);
  root.pieces = drawing.words.map((word, i) =>
    make("span", i < drawing.n_prompt ? "" : "tbt-new", (drawing.marked && !i) || (beside && i < drawing.n_prompt) ? "" : drawing.spaces[i] + word));
  root.text.replaceChildren(...root.pieces, make("span", "tbt-caret"));
  const passes = drawing.passes.map((_, k) => make("i", k ? "tbt-step" : "tbt-all"));
  root.querySelector(".tbt-passes").replaceChildren(...passes, make("b", "tbt-now-at"));
  root.querySelector(".tbt-stage").setAttribute("aria-label", drawing.alt);
  const headline = root.querySelector(".tbt-headline");
  [headline.textContent, headline.hidden] = [drawing.says ?? "", !drawing.says];
}

function candidates(root, frame) {
  // The chances after the pass on screen: which word comes next is drawn from them.
  const heading = make("div", "tbt-heading");
  heading.append(make("b", "", "next word"), make("small", "", root.drawing.next));
  const lines = (root.drawing.chances[frame - 1] ?? []).map(([word, said, chance, drawn]) => {
    const line = make("div", drawn ? "tbt-chance tbt-drawn" : "tbt-chance");
    const bar = make("i", "");
    bar.style.setProperty("--share", `${100 * chance}%`);
    line.append(make("span", "", word), make("span", "tbt-percent", said), bar);
    return line;
  });
  // On the first screen the one that was drawn lies in line with its row, the others above it.
  if (root.first) lines.sort((one, other) => one.classList.contains("tbt-drawn") - other.classList.contains("tbt-drawn"));
  const list = root.querySelector(".tbt-next");
  list.replaceChildren(heading, ...lines);
  if (!root.few || !frame) return;
  // In the row that it comes of.
  const [answering, word] = [root.rows[root.drawing.n_prompt + frame - 2], list.querySelector(".tbt-drawn")];
  list.style.setProperty("--down", `${answering.offsetTop + (answering.offsetHeight - (word?.offsetHeight ?? 0)) / 2 - heading.offsetHeight}px`);
}

function counted(root, frame) {
  const [rows, products, kept] = root.drawing.passes[frame - 1] ?? [0, 0, 0];
  const some = (n, one, rest) => [n, `${one}${n === 1 ? "" : "s"} ${rest}`];
  const met = root.drawing.marked ? [] : [some(products, "product", "a head")]; // a newcomer to the first screen knows no head
  const said = [some(rows, "row", "computed"), ...met, some(kept, "row", "kept")];
  root.querySelector(".tbt-counts").replaceChildren(...said.map(([count, of]) => {
    const piece = make("span", "");
    piece.append(make("b", "", count.toLocaleString("en")), ` ${of}`);
    return piece;
  }));
  root.querySelector(".tbt-cache span").textContent = frame > 1 ? `${kept - rows} read, ${rows} new` : frame ? `${kept} kept` : "empty";
}

function numbered(root) {
  // The numbers in cells are as large as their longest fits, and are left to pointing where that would be too small to read.
  const wide = root.querySelector(".tbt-heads .tbt-weights").offsetWidth / root.drawing.rows.length;
  const ems = (said) => 0.54 * said.replace(".", "").length + (said.includes(".") ? 0.27 : 0);
  const longest = Math.max(1, ...root.drawing.said.flatMap(({ scores, weights }) => [...scores, ...weights].map(ems)));
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const size = Math.min(1.5 * rem, (wide - 3) / longest);
  root.classList.toggle("tbt-with-numbers", root.few && size >= 0.8125 * rem);
  root.style.setProperty("--number", `${size}px`);
}

function labelled(root, last) {
  // Beside low rows there is room for every second or third word without its frame, and always for the newest.
  const every = Math.ceil(11.5 / Math.max(1, root.rows[0].getBoundingClientRect().height));
  root.classList.toggle("tbt-low", every > 1);
  root.rows.forEach((element, i) => {
    element.classList.toggle("tbt-quiet", i !== last && (i % every > 0 || (i > last - every && i <= last)));
  });
}

function drawn(parent, name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
}

function box(element) {
  return { left: element.offsetLeft, right: element.offsetLeft + element.offsetWidth, middle: element.offsetLeft + element.offsetWidth / 2,
    top: element.offsetTop, bottom: element.offsetTop + element.offsetHeight, height: element.offsetHeight };
}

function at(list, word, whole) {
  // Of the drawn word in its list: whole, it is a token; else a line and its bar.
  return { right: list.left + word.right, top: list.top + word.top, bottom: list.top + word.bottom, y: list.top + (whole ? (word.top + word.bottom) / 2 : word.top + 11) };
}

function places(root, frame) {
  // Where the lines go, measured: columns from the headings, rows from the rows.
  const columns = {};
  for (const heading of root.querySelector(".tbt-heads").children) columns[heading.className.slice(4)] = box(heading);
  const n = frame === 0 ? 0 : root.drawing.n_prompt + frame - 1;
  const [rows, next, inRow] = [root.rows.map(box), root.querySelector(".tbt-next"), root.first || root.few];
  const drawnWord = next.querySelector(".tbt-drawn");
  const waits = box(root.waits);
  const list = box(next);
  const word = drawnWord && at(list, box(drawnWord), inRow);
  const beneath = root.few ? root.rows[0].offsetTop + root.rows[0].offsetHeight * (rows.length + 1) : Math.max(waits.bottom, 0); // few rows: of all to come
  const bottom = beneath + 15;
  const loop = Math.max(bottom + (root.first ? 24 : 17), drawnWord && !inRow ? list.bottom + 8 : 0);
  return { columns, rows, n, answering: rows[n - 1], next: list, word, waits, beneath, bottom, loop, out: inRow && word ? word.bottom : list.bottom };
}

function lines(root, frame) {
  const svg = root.querySelector(".tbt-lines");
  const cache = root.querySelector(".tbt-cache");
  const { columns, rows, n, answering, next, word, waits, beneath, bottom, loop, out } = places(root, frame);
  svg.replaceChildren();
  const [key, value] = [columns.key, columns.value];
  Object.assign(cache.style, { left: `${key.left - 9}px`, width: `${value.right - key.left + 18}px`, height: `${beneath + 24}px` });
  for (const said of root.querySelectorAll(".tbt-said")) said.hidden = true;
  if (root.first && !columns.context.height) return turned(root, svg, frame, columns, answering, word, waits);
  if (!frame || !(columns.mask.height || root.first)) return;
  const y = (answering.top + answering.bottom) / 2, colour = frame > 1 ? "var(--decode)" : "var(--prefill)";
  const arrow = (x0, x1, height = y, hue = colour) =>
    drawn(svg, "path", { d: `M${x0} ${height}H${x1 - 6}M${x1 - 7} ${height - 4.5}l7 4.5l-7 4.5z`, stroke: hue, fill: hue, "stroke-width": 1.6 });
  arrow(columns.token.right + 3, columns.query.left - 3);
  if (frame > 1 || root.first) {
    const from = columns.query.right + 3, to = key.left - 11, bend = (to - from) / 2;
    rows.slice(0, n).forEach(({ top, bottom: end }, j) => {
      const there = (top + end) / 2, thick = root.first ? 1.3 + 8 * (root.drawing.rows[n - 1][j] ?? 0) : 1.3; // on the first screen, its weight
      drawn(svg, "path", { d: `M${from} ${y}C${from + bend} ${y} ${to - bend} ${there} ${to} ${there}`, fill: "none", stroke: colour, "stroke-width": thick, class: "tbt-thread" });
    });
  } else arrow(columns.query.right + 3, key.left - 11);
  const edge = (column) => column.left + ((column.right - column.left) * root.drawing.scores[n - 1].length) / root.wide;
  const grids = [columns.scores, columns.mask, columns.weights].filter(({ height }) => height);
  arrow(value.right + 11, grids[0].left - 4);
  grids.forEach((column, k) => arrow(edge(column) + 4, (grids[k + 1] ?? columns.context).left - 4));
  const middle = columns.context.middle;
  if (!root.few) { // a lesson's few rows have one line beneath them, the word's
    drawn(svg, "path", { d: `M${value.right + 9} ${bottom}H${middle}V${answering.bottom + 8}`, fill: "none", stroke: "var(--value)", "stroke-width": 1.6 });
    drawn(svg, "path", { d: `M${middle - 5} ${answering.bottom + 9}l5 -7l5 7z`, fill: "var(--value)" });
    written(root, ".tbt-values-said", (grids.at(-1).left + grids[0].right) / 2, bottom);
  }
  if (!word || root.querySelector(".tbt-before")) return;
  const turn = next.left - 14;
  drawn(svg, "path", { d: `M${columns.context.right + 3} ${y}H${turn}V${word.y}H${next.left - 4}`, fill: "none", stroke: colour, "stroke-width": 1.6 });
  drawn(svg, "path", { d: `M${next.left - 8} ${word.y - 4.5}l7 4.5l-7 4.5z`, fill: colour });
  const [right, left] = [next.right - 14, columns.token.middle];
  const stroke = root.first || root.few ? { "stroke-width": 4 } : { "stroke-width": 2, "stroke-dasharray": "6 4" };
  drawn(svg, "path", { d: `M${right} ${out}V${loop - 8}q0 8 -8 8H${left + 8}q-8 0 -8 -8V${waits.bottom + 8}`, fill: "none", stroke: "var(--decode)", ...stroke });
  drawn(svg, "path", { d: root.first ? `M${left - 9} ${waits.bottom + 14}l9 -12l9 12z` : `M${left - 6} ${waits.bottom + 10}l6 -8l6 8z`, fill: "var(--decode)" });
  root.querySelector(".tbt-loop-said").textContent = frame === root.drawing.passes.length ? "would go back in" : "goes back in";
  written(root, ".tbt-loop-said", (grids[0].left + grids[0].right) / 2, loop);
}

function turned(root, svg, frame, columns, answering, word, waits) {
  // A phone's way from the row that answers down to the word, and up into the row that waits.
  if (!word || root.querySelector(".tbt-before")) return;
  const [right, left, colour] = [columns.weights.right - 12, columns.token.middle, frame > 1 ? "var(--decode)" : "var(--prefill)"];
  drawn(svg, "path", { d: `M${right} ${answering.bottom + 3}V${word.y - 8}q0 8 -8 8H${word.right + 6}`, fill: "none", stroke: colour, "stroke-width": 2 });
  drawn(svg, "path", { d: `M${word.right + 13} ${word.y - 6}l-9 6l9 6z`, fill: colour });
  drawn(svg, "path", { d: `M${left} ${word.top}V${waits.bottom + 8}`, stroke: "var(--decode)", "stroke-width": 4 });
  drawn(svg, "path", { d: `M${left - 9} ${waits.bottom + 14}l9 -12l9 12z`, fill: "var(--decode)" });
}

function written(root, name, x, y) {
  const [before, said] = [root.querySelector(name), root.querySelector(name).cloneNode(true)];
  said.hidden = false;
  Object.assign(said.style, { left: `${x}px`, top: `${y}px` });
  before.replaceWith(said); // a new one, or it would not fade in a second time
}

function travel(root, frame) {
  // The word that was drawn goes round to the row that waits.
  const { columns, next, word, waits, loop, out } = places(root, frame);
  const chip = root.querySelector(".tbt-chip");
  if (!word || still() || !(columns.mask.height || root.first)) return;
  chip.textContent = root.drawing.chosen[frame - 1];
  // Along the line that it is drawn on, and never beyond the machine's edge, nor over the chances that it comes from.
  const right = Math.min(next.right - 14, next.right - chip.offsetWidth / 2);
  const around = columns.context.height ? [[right, root.first ? word.y : out + 4], [right, loop], [columns.token.middle, loop]] : [[columns.token.middle, word.y]];
  const stops = [...around, [columns.token.middle, (waits.top + waits.bottom) / 2]];
  const far = stops.map(([x, y], k) => (k ? Math.hypot(x - stops[k - 1][0], y - stops[k - 1][1]) : 0));
  const whole = far.reduce((a, b) => a + b);
  let gone = 0;
  chip.animate(stops.map(([x, y], k) => {
    gone += far[k];
    return { transform: `translate(${x}px, ${y}px) translate(-50%, -50%)`, opacity: 1, offset: gone / whole };
  }), { duration: TRAVEL_MS, easing: "ease-in-out" });
}

function come(root, frame) {
  // The word of a pass comes last: until then the one before it stands there, paler.
  root.querySelector(".tbt-next").classList.remove("tbt-before");
  candidates(root, frame);
  lines(root, frame);
}

function show(root, frame, late = false) {
  const { drawing } = root;
  const n = frame === 0 ? 0 : drawing.n_prompt + frame - 1; // rows that have been computed
  const last = frame > 1 ? n - 1 : -1;
  root.rows.forEach((element, i) => {
    element.classList.toggle("tbt-there", i < n);
    element.classList.toggle("tbt-now", i === last);
    element.classList.toggle("tbt-fresh", frame > 1 ? i === last : i < n);
    element.classList.toggle("tbt-answers", i === n - 1);
    element.classList.toggle("tbt-to-come", i >= Math.max(n, drawing.n_prompt));
  });
  const there = Math.max(n, drawing.n_prompt);
  root.wide = root.first ? there : drawing.rows.length; // the first screen's rows and cells share the room with those that are there alone
  root.style.setProperty("--wide", root.wide);
  root.style.setProperty("--n", root.wide + 1);
  root.waits.style.setProperty("--at", there);
  root.waits.querySelector(".tbt-label").textContent = frame ? `${drawing.chosen[frame - 1] ?? ""}?` : "";
  root.waits.classList.toggle("tbt-there", frame > 0 && frame - 1 < drawing.chosen.length);
  root.pieces.forEach((piece, i) => {
    piece.hidden = i >= Math.max(n, drawing.n_prompt);
    piece.classList.toggle("tbt-now", i === last);
  });
  root.text.scrollTo(root.text.scrollWidth, root.text.scrollHeight); // a long one shows its end
  root.classList.toggle("tbt-decoding", frame > 1);
  root.style.setProperty("--frame", frame);
  root.querySelectorAll(".tbt-passes i").forEach((pass, k) => pass.classList.toggle("tbt-done", k < frame));
  labelled(root, last);
  counted(root, frame);
  clearTimeout(root.word);
  root.querySelector(".tbt-next").classList.toggle("tbt-before", late);
  if (late) root.word = setTimeout(() => come(root, frame), WORD_MS);
  else candidates(root, frame);
  clearTimeout(root.settling);
  if (root.first && !still() && !root.classList.contains("tbt-at-once")) {
    root.querySelector(".tbt-lines").replaceChildren(); // until the rows have their new height
    root.settling = setTimeout(() => lines(root, frame), SETTLE_MS);
  } else lines(root, frame);
  const [slider, output] = [root.querySelector("input"), root.querySelector("output")];
  slider.value = frame;
  slider.setAttribute("aria-valuetext", drawing.labels[frame]);
  output.textContent = drawing.labels[frame];
  root.dataset.frame = String(frame);
}

function pause(root) {
  root.classList.remove("tbt-at-once");
  clearTimeout(root.timer);
  root.timer = null;
  root.dataset.playing = "false";
  root.querySelector("button").textContent = "Play";
}

function play(root) {
  const end = root.drawing.labels.length - 1;
  const at = Number(root.dataset.frame);
  if (at >= end) show(root, 0);
  root.dataset.playing = "true";
  root.querySelector("button").textContent = "Pause";
  const goes = () => {
    if (!root.isConnected) return;
    travel(root, Number(root.dataset.frame));
    root.timer = setTimeout(next, TRAVEL_MS);
  };
  const next = () => {
    if (!root.isConnected) return;
    root.classList.remove("tbt-at-once");
    const now = Number(root.dataset.frame) + 1;
    show(root, now, true);
    if (now >= end) return pause(root);
    root.timer = setTimeout(goes, (root.few ? READ : 1) * (now === 1 ? PREFILL_MS : DECODE_MS) - TRAVEL_MS);
  };
  clearTimeout(root.timer);
  root.timer = setTimeout(root.first && at && at < end ? goes : next, (root.few || root.first ? 3 : 1) * FIRST_MS);
}

// Calls `then` with the element once it is on the page: what stands beside the machine may come after it.
function whenThere(selector, then) {
  const there = document.querySelector(selector);
  if (there) return then(there);
  const watched = new MutationObserver(() => {
    const come = document.querySelector(selector);
    if (!come) return;
    watched.disconnect();
    then(come);
  });
  watched.observe(document.body, { childList: true, subtree: true });
}

export default function ({ parentElement, data }) {
  if (data.beside) whenThere(".tbt-answer", (beside) => begin(parentElement, data, beside));
  else begin(parentElement, data, null);
}

function begin(parentElement, data, beside) {
  const root = parentElement.querySelector(".tbt-machine");
  if (!root?.isConnected || root.sent === data.drawing) return; // has been left; or a rerun about something else
  root.sent = data.drawing;
  root.drawing = JSON.parse(data.drawing);
  const [button, slider] = [root.querySelector("button"), root.querySelector("input")];
  slider.max = root.drawing.labels.length - 1;
  root.style.setProperty("--frames", slider.max);
  button.onclick = () => (root.dataset.playing === "true" ? pause(root) : play(root));
  slider.oninput = () => {
    pause(root);
    show(root, Number(slider.value));
  };
  slider.onkeydown = (event) => {
    if (event.key.startsWith("Arrow")) event.stopPropagation(); // the lesson does not also turn its step
  };
  root.first = data.beside;
  root.classList.toggle("tbt-first", root.first);
  build(root, root.drawing, beside);
  const end = Number(slider.max);
  // It opens with the prompt computed, all of it at once, so that there is something to see.
  root.classList.add("tbt-at-once");
  show(root, data.ended ? end : Math.min(still() ? 3 : 1, end));
  numbered(root);
  if (data.ended || still()) pause(root);
  else play(root);
  root.sizes ??= new ResizeObserver(() => {
    numbered(root);
    labelled(root, Number(root.dataset.frame) > 1 ? root.drawing.n_prompt + Number(root.dataset.frame) - 2 : -1);
    lines(root, Number(root.dataset.frame));
  });
  root.sizes.observe(root.querySelector(".tbt-block"));
  root.dataset.drawn = "1";
}
