// The short form in which figures are sent, put together again: pages/parts/drawing/sheet_figure.py writes it.
const KINDS = { f4: Float32Array, f8: Float64Array, u1: Uint8Array, u2: Uint16Array };

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function unpacked({ dtype, shape, bdata }) {
  const numbers = new KINDS[dtype](bytes(bdata).buffer);
  if (shape.length === 1) return numbers;
  return Array.from({ length: shape[0] }, (_, row) => numbers.subarray(row * shape[1], (row + 1) * shape[1]));
}

function eachOnce({ values, at }) {
  // Every different value was sent once; `at` says which of them stands where.
  return Array.from(unpacked(at), (k) => values[k]);
}

function fourDigits(x) {
  if (!Number.isFinite(x)) return String(x).toLowerCase();
  const [digits, power] = x.toExponential(3).split("e").map(Number);
  if (power >= -4 && power < 4) return String(Number(x.toPrecision(4)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function said({ digits, named, instead }, z, hidden) {
  if (hidden) return instead;
  if (named) return named[z] ?? "";
  return digits === null ? fourDigits(z) : z.toFixed(digits);
}

function sentences(hover, z, names) {
  const masks = hover.map((piece) => (piece.hidden ? unpacked(piece.hidden) : null));
  const parts = (i, j) => hover.map((piece, k) => {
    if (typeof piece === "string") return piece;
    if ("rows" in piece) return names[piece.rows][i];
    return "columns" in piece ? names[piece.columns][j] : said(piece, z[i][j], masks[k]?.[i][j]);
  });
  return z.map((row, i) => Array.from(row, (_, j) => {
    const sentence = parts(i, j);
    return sentence.includes("") ? "" : sentence.join("");
  }));
}

function trace({ hover, ...parts }, names) {
  for (const [name, part] of Object.entries(parts)) if (part?.dtype) parts[name] = unpacked(part);
  if (hover) parts.customdata = sentences(hover, parts.z, names);
  return parts;
}

function whole({ data, names, words, layout, frames }) {
  const shapes = ({ kept = 0, layout: own }) => [...layout.shapes.slice(0, kept), ...(own?.shapes ?? [])];
  return {
    data: data.map((sent) => trace(sent, names)),
    words: { x: unpacked(words.x), y: unpacked(words.y), text: eachOnce(words.text), looks: eachOnce(words.look) },
    layout,
    frames: frames.map((frame) => ("kept" in frame ? { ...frame, layout: { ...frame.layout, shapes: shapes(frame) } } : frame)),
  };
}

export async function unfolded(sent) {
  const json = new Blob([bytes(sent)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return whole(await new Response(json).json());
}

// As one figure for Plotly alone, its text as a trace: what Plotly.toImage and Plotly.newPlot take.
export function complete({ data, words, layout }) {
  const [size, color, textposition] = [0, 1, 2].map((k) => words.looks.map((look) => look[k]));
  const text = {
    type: "scatter", mode: "text", x: words.x, y: words.y, text: words.text, textposition, hoverinfo: "skip", cliponaxis: false,
    textfont: { size, color, family: layout.font.family },
  };
  return { data: [...data, text], layout };
}

// What is equal to a part of the old value is that part itself, so that one comparison by identity says that nothing changed.
export function shared(old, now) {
  if (Object.is(old, now)) return old;
  if (typeof old !== "object" || typeof now !== "object" || !old || !now || old.constructor !== now.constructor) return now;
  if (ArrayBuffer.isView(now)) return old.length === now.length && now.every((x, k) => Object.is(x, old[k])) ? old : now;
  const keys = Object.keys(now);
  const parts = Array.isArray(now) ? [] : {};
  for (const key of keys) parts[key] = shared(old[key], now[key]);
  const same = keys.length === Object.keys(old).length && keys.every((key) => key in old && Object.is(parts[key], old[key]));
  return same ? old : parts;
}
