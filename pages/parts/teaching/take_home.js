// The page's link, its figures and its tables as files. Figures are drawn by the Plotly that drew them, on an opaque ground and in the page's
// type; a table is read as it stands there, numbers without signs that only look well.
const FIGURES = ".tbt-figure .tbt-plot";
const FINE = 4; // pixels of a PNG for one on the page
const TABLES = '[data-testid="stMain"] [data-testid="stMarkdownContainer"] table';
const MARKS = /^[=+\-@\t\r]/; // a spreadsheet would run a text that begins with one as a formula

function save(name, address) {
  const link = document.createElement("a");
  [link.download, link.href] = [name, address];
  link.click(); // never part of the page: a click elsewhere on it closes the box
}

// A picture in a file knows nothing of the page's type, and any other is wider: the type is written into the file.
let type = null;
function typeOfThePage() {
  type ??= loadedType().catch(() => ""); // then it is another one
  return type;
}

async function loadedType() {
  const rules = [...document.styleSheets].flatMap((sheet) => (sheet.href ? [...sheet.cssRules] : []));
  const face = rules.find(({ style, constructor }) => constructor === CSSFontFaceRule && style.fontStyle !== "italic"
    && style.fontFamily.replaceAll('"', "") === "Source Sans");
  const [, address] = face.style.getPropertyValue("src").match(/url\("?([^")]+)"?\)/);
  const file = await (await fetch(new URL(address, face.parentStyleSheet.href))).blob();
  const content = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    Object.assign(reader, { onload: () => resolve(reader.result), onerror: reject });
    reader.readAsDataURL(file);
  });
  return `<style>@font-face{font-family:"Source Sans";font-weight:100 900;src:url(${content})}</style>`;
}

async function picture(svg, { width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: FINE * width, height: FINE * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

async function savePlot(plot, name, format) {
  const ground = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
  const { data, layout } = plot.closest(".tbt-figure").complete();
  const size = { width: plot.clientWidth, height: layout.height };
  const drawn = await window.Plotly.toImage({ data, layout: { ...layout, paper_bgcolor: ground } }, { format: "svg", ...size });
  const style = await typeOfThePage();
  const svg = decodeURIComponent(drawn.slice(drawn.indexOf(",") + 1)).replace(/^<svg[^>]*>/, (begin) => begin + style);
  const file = format === "png" ? await picture(svg, size) : new Blob([svg], { type: "image/svg+xml" });
  save(`${name}.${format}`, URL.createObjectURL(file));
}

function cellText(cell) {
  const text = cell.textContent.replace(/[\u2060\u200b]/g, "").replace(/[\u00a0\s]+/g, " ").replaceAll("\u2011", "-").trim();
  const number = text.replace("\u2212", "-").replace(/,(?=\d{3})/g, "");
  if (/^-?\d+(\.\d+)?$/.test(number)) return number;
  const safe = MARKS.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function saveTable(table, name) {
  const lines = [...table.rows].map((row) => [...row.cells].map(cellText).join(","));
  save(`${name}.csv`, URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" })));
}

function line(box, words, actions) {
  const row = box.appendChild(document.createElement("div"));
  row.appendChild(document.createElement("span")).textContent = words;
  for (const [label, act] of actions) {
    const button = row.appendChild(document.createElement("button"));
    [button.type, button.textContent, button.ariaLabel, button.onclick] = ["button", label, `${words} as ${label}`, act];
  }
}

function saveLink(name) {
  const address = location.href.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">${name}</a>\n`;
  save(`${name}.html`, URL.createObjectURL(new Blob([page], { type: "text/html" })));
}

export default function ({ parentElement, data }) {
  const box = parentElement.querySelector(".files");
  box.replaceChildren();
  line(box, "All that is set here", [["Link", () => saveLink(data.name)]]);
  document.querySelectorAll(FIGURES).forEach((plot, k) => {
    const name = `${data.name}-figure-${k + 1}`;
    line(box, `Figure ${k + 1}`, [["SVG", () => savePlot(plot, name, "svg")], ["PNG", () => savePlot(plot, name, "png")]]);
  });
  document.querySelectorAll(TABLES).forEach((table, k) => {
    line(box, `Table ${k + 1}: ${table.rows[0].innerText.replace(/\s+/g, " ")}`, [["CSV", () => saveTable(table, `${data.name}-table-${k + 1}`)]]);
  });
}
