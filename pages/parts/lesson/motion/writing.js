// Plays an answer being written: the prompt's rows enter together, then a row a word, and each word's key and value slide into the
// cache. All of it came with the page (writing.py); nothing is asked of the server while it plays. A frame shows what the passes up
// to it have made: frame 0 is the prompt alone, frame 1 prefill, each further one a decode step.
const FIRST_MS = 700, PREFILL_MS = 1700, DECODE_MS = 1000;
const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function make(name, className, text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text; // typed words are text, whatever they contain
  return element;
}

function strip(sizes, colour) {
  // One element for a vector: a gradient with hard stops, as strong as each number is large.
  const width = 100 / sizes.length;
  const stops = sizes.map((size, k) =>
    `color-mix(in srgb, var(--${colour}) ${Math.round(100 * size)}%, var(--hole)) ${k * width}% ${(k + 1) * width}%`);
  const element = make("span", "tbt-strip");
  element.style.background = `linear-gradient(to right, ${stops.join(",")})`;
  return element;
}

function row(drawing, i) {
  const whole = make("div", `tbt-row ${i < drawing.n_prompt ? "tbt-read" : "tbt-written"}`);
  whole.style.setProperty("--cells", drawing.rows[i].length);
  const cells = make("span", "tbt-cells");
  for (const [j, weight] of drawing.rows[i].entries()) {
    const cell = make("i", "");
    cell.style.setProperty("--share", `${100 * weight}%`);
    cell.title = `“${drawing.words[i]}” to “${drawing.words[j]}”: ${weight}`;
    cells.append(cell);
  }
  const note = make("span", "tbt-note");
  note.append(make("b", "", "decode"), " 1 row a pass →");
  const cached = make("span", "tbt-cached");
  cached.append(strip(drawing.keys[i], "key"), strip(drawing.values[i], "value"));
  whole.append(make("span", "tbt-label", drawing.words[i]), cells, note, cached);
  return whole;
}

function headings(drawing) {
  const heads = make("div", "tbt-heads");
  const looks = make("span", "tbt-looks", "each word looks back ");
  looks.append(make("small", "", `weights of ${drawing.head}`));
  looks.title = `Of the ${drawing.n_heads} heads of its layer the one whose rows look at the most different words further back.`;
  heads.append(looks, make("span", "tbt-kept", "KV cache: kept, not computed again"));
  return heads;
}

function build(root, drawing) {
  const [map, text] = [root.querySelector(".tbt-map"), root.querySelector(".tbt-text")];
  root.style.setProperty("--n", drawing.rows.length);
  root.style.setProperty("--p", drawing.n_prompt);
  const prefill = make("div", "tbt-prefill-note");
  prefill.append(make("b", "", "prefill"), make("span", "", drawing.labels[1].replace("prefill: ", "")));
  root.rows = drawing.rows.map((_, i) => row(drawing, i));
  const block = make("div", "tbt-rows");
  const letters = make("div", "tbt-letters");
  letters.append(make("b", "tbt-k", "K"), make("b", "tbt-v", "V"));
  block.append(...root.rows, prefill, letters);
  map.replaceChildren(headings(drawing), block);
  root.pieces = drawing.words.map((word, i) =>
    make("span", i < drawing.n_prompt ? "" : "tbt-new", drawing.marked && !i ? "" : drawing.spaces[i] + word));
  text.replaceChildren(...root.pieces, make("span", "tbt-caret"));
  root.querySelector(".tbt-stage").setAttribute("aria-label", drawing.alt);
}

function candidates(root, found) {
  // The chances after the pass on screen: which word comes next is drawn from them.
  const lines = (found ?? []).map(([word, said, chance, drawn]) => {
    const line = make("div", drawn ? "tbt-chance tbt-drawn" : "tbt-chance");
    const bar = make("i", "");
    bar.style.setProperty("--share", `${100 * chance}%`);
    line.append(make("span", "", word), make("span", "tbt-percent", said), bar);
    return line;
  });
  root.querySelector(".tbt-next").replaceChildren(make("div", "tbt-heading", root.drawing.next), ...lines);
}

function labelled(root, last) {
  // Beside low rows there is room for every second or third word, and always for the newest.
  const every = Math.ceil(13 / Math.max(1, root.rows[0].getBoundingClientRect().height));
  root.rows.forEach((element, i) => {
    element.classList.toggle("tbt-quiet", i !== last && (i % every > 0 || (i > last - every && i <= last)));
  });
}

function show(root, frame) {
  const { drawing } = root;
  const n = frame === 0 ? 0 : drawing.n_prompt + frame - 1; // rows that have been computed
  const last = frame > 1 ? n - 1 : -1;
  root.rows.forEach((element, i) => {
    element.classList.toggle("tbt-there", i < n);
    element.classList.toggle("tbt-now", i === last);
  });
  root.pieces.forEach((piece, i) => {
    piece.hidden = i >= Math.max(n, drawing.n_prompt);
    piece.classList.toggle("tbt-now", i === last);
  });
  const text = root.querySelector(".tbt-text"); // a long one shows its end
  text.scrollTo(text.scrollWidth, text.scrollHeight);
  root.classList.toggle("tbt-prefilled", frame > 0);
  root.style.setProperty("--shown", n);
  labelled(root, last);
  candidates(root, drawing.chances[frame - 1]);
  const [slider, output] = [root.querySelector("input"), root.querySelector("output")];
  slider.value = frame;
  slider.setAttribute("aria-valuetext", drawing.labels[frame]);
  output.textContent = drawing.labels[frame];
  root.dataset.frame = String(frame);
}

function pause(root) {
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
  const next = () => {
    if (!root.isConnected) return;
    const now = Number(root.dataset.frame) + 1;
    show(root, now);
    if (now >= end) pause(root);
    else root.timer = setTimeout(next, now === 1 ? PREFILL_MS : DECODE_MS);
  };
  clearTimeout(root.timer);
  root.timer = setTimeout(next, FIRST_MS);
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".tbt-writing");
  if (root.sent === data.drawing) return; // a rerun about something else does not begin again
  root.sent = data.drawing;
  root.drawing = JSON.parse(data.drawing);
  const [button, slider] = [root.querySelector("button"), root.querySelector("input")];
  slider.max = root.drawing.labels.length - 1;
  button.onclick = () => (root.dataset.playing === "true" ? pause(root) : play(root));
  slider.oninput = () => {
    pause(root);
    show(root, Number(slider.value));
  };
  slider.onkeydown = (event) => {
    if (event.key.startsWith("Arrow")) event.stopPropagation(); // the lesson does not also turn its step
  };
  build(root, root.drawing);
  const end = Number(slider.max);
  show(root, data.ended ? end : still() ? Math.min(3, end) : 0);
  if (data.ended || still()) pause(root);
  else play(root);
  root.dataset.drawn = "1";
}
