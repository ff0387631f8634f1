// The words and numbers of a figure, over its cells and beneath its outlines: elements of ours in Plotly's drawing, kept from
// figure to figure, of which only what differs is changed. Plotly takes 45–58 ms to draw 250 of them again, this 3. They stand
// where Plotly's text traces stand, and know the same tags.
const SVG = "http://www.w3.org/2000/svg";
const STYLES = { b: "font-weight:bold", i: "font-style:italic", s: "text-decoration:line-through", u: "text-decoration:underline",
  sub: "font-size:70%", sup: "font-size:70%" };
const RAISED = { sub: ["0.3em", "-0.21em"], sup: ["-0.6em", "0.42em"] }; // of the piece itself, and back after it
const LINE = 1.3; // distance of two lines, in type sizes
const COLOR = /^span\s+style=['"]color:\s*(#[0-9a-f]{6});?['"]$/i;
const LETTERS = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#x27;": "'" };

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function letters(text) {
  return text.replace(/&(lt|gt|amp|quot|#x27);/g, (escaped) => LETTERS[escaped]);
}

function tagged(parent, line) {
  // One line with tags, as tspans inside each other. A tag that is not known shows nothing, as in Plotly.
  let inside = [[parent, ""]];
  for (const part of line.split(/(<[^<>]*>)/)) {
    const tag = part.startsWith("<") && part.endsWith(">") ? part.slice(1, -1).trim() : null;
    if (tag === null) inside[0][0].append(letters(part));
    else if (tag.startsWith("/")) {
      const name = tag.slice(1).trim();
      if (name === inside[0][1].split(" ")[0]) inside = inside.slice(1);
      else continue;
      if (name in RAISED) element("tspan", { dy: RAISED[name][1] }, inside[0][0]).append("\u200B");
    } else if (tag in STYLES || COLOR.test(tag)) {
      const style = STYLES[tag] ?? `fill:${tag.match(COLOR)[1]}`;
      inside = [[element("tspan", { style, ...(tag in RAISED && { dy: RAISED[tag][0] }) }, inside[0][0]), tag], ...inside];
    }
  }
}

function fill(node, text, x) {
  if (!/[<&]/.test(text)) {
    node.textContent = text;
    return 1;
  }
  node.textContent = "";
  const lines = text.split(/<br\s*\/?>/i);
  let open = []; // a tag may hold several lines
  lines.forEach((line, k) => {
    const parent = lines.length === 1 ? node : element("tspan", { x, dy: k ? `${LINE}em` : "0" }, node);
    tagged(parent, open.join("") + line);
    for (const [tag] of line.matchAll(/<[^<>]*>/g)) open = tag.startsWith("</") ? open.slice(0, -1) : [...open, tag];
  });
  return lines.length;
}

function change(node, name, value) {
  if (node[name] === value) return false;
  node[name] = value;
  return true;
}

const TALL = 1.75; // times as high as it was sent a figure is that has the sizes of meta.larger: pages/parts/drawing/legible.py

// Type sizes of a figure that is drawn higher than it was sent, or a little lower. Read, it grows as both sides do: what is laid out
// for so many pixels across is then seen larger, and nothing comes nearer to anything else.
function sizes({ height, meta: { sent = height, larger = [], wide } }, across) {
  const [times, most] = [height / sent, new Map(larger.map(([size, anchor, tall]) => [`${size} ${anchor}`, tall]))];
  const way = Math.min(1, (times - 1) / (TALL - 1)); // from the sizes that were sent to the larger ones
  const zoom = wide ? Math.max(1, Math.min(times, across / wide)) : 1;
  return (size, anchor) => zoom * (times < 1 ? size * times : size + way * ((most.get(`${size} ${anchor}`) ?? size) - size));
}

function place(node, { x, y, text, size, color, anchor }) {
  const [across, side] = [`${(100 * x).toFixed(4)}%`, anchor.split(" ")[1]];
  const moved = change(node, "tbtAcross", across);
  if (moved) node.setAttribute("x", across);
  if (change(node, "tbtText", text) || (moved && node.tbtLines > 1)) node.tbtLines = fill(node, text, across);
  // Plotly's own places: the letters' middle at y, above it or below it.
  const lines = (node.tbtLines - 1) * LINE + 1;
  const down = size * (0.75 - lines / 2 + { top: -1, middle: 0, bottom: 1 }[anchor.split(" ")[0]] * lines / 2);
  if (change(node, "tbtDown", y + down)) node.setAttribute("y", (y + down).toFixed(3));
  if (change(node, "tbtSize", size)) {
    node.setAttribute("font-size", `${size}px`);
    node.tbtRoom = ""; // keepWithin measures it anew
  }
  if (change(node, "tbtColor", color)) node.setAttribute("fill", color);
  if (change(node, "tbtSide", side)) node.setAttribute("text-anchor", { left: "end", right: "start" }[side] ?? "middle");
}

const WIDEST = 0.9; // of a letter, in type sizes; most are half as wide
const TURNS = 3; // where letters are whole pixels wide, a smaller size may be as wide as the one before

// Words that would go beyond the drawing are written smaller: how wide letters are, only the browser knows, and the same words are
// a few percent wider in one than in another, and in a narrow figure there is less room for them.
function keepWithin(nodes, words, sized, edge, wide) {
  const far = [...nodes].flatMap((node, k) => {
    const [sent, , anchor] = words.looks[k], size = sized(sent, anchor), x = (words.x[k] / edge) * wide, side = anchor.split(" ")[1];
    const room = side === "left" ? x : side === "right" ? wide - x : 2 * Math.min(x, wide - x);
    const here = words.text[k].length * size * WIDEST > room && room > 0 ? `${words.text[k]} ${size} ${room}` : "";
    return change(node, "tbtRoom", here) ? [{ node, size, room, here }] : [];
  });
  for (const { node, size } of far) node.setAttribute("font-size", `${size}px`);
  let over = far.filter(({ here }) => here);
  for (let turn = 0; over.length && turn < TURNS; turn++) {
    const widths = over.map(({ node }) => node.getBBox().width); // after all is written: the browser lays text out once
    over = over.filter((each, k) => {
      if (widths[k] <= each.room) return false;
      each.size *= (0.98 * each.room) / widths[k];
      each.node.setAttribute("font-size", `${each.size}px`);
      return true;
    });
  }
}

// Draw the words of a figure into the drawing that Plotly has made in `plot`.
export function write(plot, { words, layout }) {
  const paper = plot.querySelector(".main-svg");
  plot.tbtWords ??= document.createElementNS(SVG, "g");
  if (plot.tbtWords.parentNode !== paper) paper.append(plot.tbtWords);
  plot.tbtWords.setAttribute("class", "tbt-text-layer");
  plot.tbtWords.setAttribute("font-family", layout.font.family);
  const [[bottom, top], [, edge]] = [layout.yaxis.range, layout.xaxis.range];
  const zoom = layout.height / (bottom - top);
  const sized = sizes(layout, paper.width.baseVal.value);
  words.text.forEach((text, k) => {
    const [[sent, color, anchor], x, y] = [words.looks[k], words.x[k], words.y[k]];
    const seen = x > -1e-6 && x < edge + 1e-6 && y > top - 1e-3 && y < bottom + 1e-3; // Plotly draws nothing that begins beyond its axes
    const node = plot.tbtWords.children[k] ?? element("text", {}, plot.tbtWords);
    place(node, { x: x / edge, y: (y - top) * zoom, text: seen ? text : "", size: sized(sent, anchor), color, anchor });
  });
  while (plot.tbtWords.children.length > words.text.length) plot.tbtWords.lastChild.remove();
  keepWithin(plot.tbtWords.children, words, sized, edge, paper.width.baseVal.value);
}
