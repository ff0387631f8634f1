// The figures and tables on the page as files. Figures are drawn by the Plotly that drew them, on an opaque ground and four times as
// fine for PNG; a table is read as it stands there, numbers without signs that only look well.
const FIGURES = ".tbt-figure .tbt-plot";
const TABLES = '[data-testid="stMain"] [data-testid="stMarkdownContainer"] table';
const MARKS = /^[=+\-@\t\r]/; // a spreadsheet would run a text that begins with one as a formula

function save(name, address) {
  const link = document.createElement("a");
  [link.download, link.href] = [name, address];
  link.click(); // never part of the page: a click elsewhere on it closes the box
}

async function savePlot(plot, name, format) {
  const ground = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
  const { data, layout } = plot.closest(".tbt-figure").complete();
  const size = { width: plot.clientWidth, height: plot.clientHeight };
  const figure = { data, layout: { ...layout, paper_bgcolor: ground } };
  save(`${name}.${format}`, await window.Plotly.toImage(figure, { format, ...size, scale: format === "png" ? 4 : 1 }));
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

export default function ({ parentElement, data }) {
  const box = parentElement.querySelector(".files");
  box.replaceChildren();
  document.querySelectorAll(FIGURES).forEach((plot, k) => {
    const name = `${data.name}-figure-${k + 1}`;
    line(box, `Figure ${k + 1}`, [["SVG", () => savePlot(plot, name, "svg")], ["PNG", () => savePlot(plot, name, "png")]]);
  });
  document.querySelectorAll(TABLES).forEach((table, k) => {
    line(box, `Table ${k + 1}: ${table.rows[0].innerText.replace(/\s+/g, " ")}`, [["CSV", () => saveTable(table, `${data.name}-table-${k + 1}`)]]);
  });
}
