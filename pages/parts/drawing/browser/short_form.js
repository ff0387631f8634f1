// The short form in which figures are sent, put together again: pages/parts/drawing/sheet_figure.py writes it.
const KINDS = { f4: Float32Array, f8: Float64Array, u1: Uint8Array, u2: Uint16Array };

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function inflated(base64) {
  // Written to, and not piped out of a Blob: the browser would fetch that from another process of its own, some milliseconds a figure.
  const { readable, writable } = new DecompressionStream("deflate"), writer = writable.getWriter();
  for (const asked of [writer.write(bytes(base64)), writer.close()]) asked.catch(() => {}); // whoever reads is told
  return new Response(readable);
}

async function unpacked({ dtype, shape, bdata, deflated }) {
  const numbers = new KINDS[dtype](bdata === undefined ? await inflated(deflated).arrayBuffer() : bytes(bdata).buffer);
  if (shape.length === 1) return numbers;
  return Array.from({ length: shape[0] }, (_, row) => numbers.subarray(row * shape[1], (row + 1) * shape[1]));
}

async function eachOnce({ values, at }) {
  // Every different value was sent once; `at` says which of them stands where.
  return Array.from(await unpacked(at), (k) => values[k]);
}

async function trace(parts) {
  for (const [name, part] of Object.entries(parts)) if (part?.dtype) parts[name] = await unpacked(part);
  return parts;
}

export async function unfolded(sent) {
  const { data, words, layout, frames } = await inflated(sent).json();
  const [x, y, text, looks] = await Promise.all([unpacked(words.x), unpacked(words.y), eachOnce(words.text), eachOnce(words.look)]);
  const shapes = ({ kept = 0, layout: own }) => [...layout.shapes.slice(0, kept), ...(own?.shapes ?? [])];
  return {
    data: await Promise.all(data.map(trace)),
    words: { x, y, text, looks },
    layout,
    frames: frames.map((frame) => ("kept" in frame ? { ...frame, layout: { ...frame.layout, shapes: shapes(frame) } } : frame)),
  };
}

// As one figure for Plotly alone, its text as a trace, as high as it was sent: what Plotly.toImage and Plotly.newPlot take.
export function complete({ data, words, layout }) {
  const [size, color, textposition] = [0, 1, 2].map((k) => words.looks.map((look) => look[k]));
  const text = {
    type: "scatter", mode: "text", x: words.x, y: words.y, text: words.text, textposition, hoverinfo: "skip", cliponaxis: false,
    textfont: { size, color, family: layout.font.family },
  };
  return { data: [...data, text], layout: { ...layout, height: layout.meta.sent ?? layout.height } };
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
