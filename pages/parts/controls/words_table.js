// The table of all words (words_table.py). A field sends what was typed when it is left or Enter is pressed, which is when browsers
// say "change"; Escape puts back what stood there. New data change fields in place: the one that is being typed in is left alone, and the focus goes with a moved row.
function make(name, className = "", text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text; // typed words are text, whatever they contain
  return element;
}

function field(table, address, label, number, longest) {
  const input = make("input");
  input.dataset.at = address.join(" ");
  input.setAttribute("aria-label", label);
  input.maxLength = number ? 24 : longest;
  if (number) input.inputMode = "decimal";
  input.onchange = () => table.send(...address, input.value);
  input.onkeydown = (event) => {
    if (event.key === "Escape") input.value = input.shown;
  };
  return input;
}

function action(table, address, sign, then) {
  const button = make("button", "", sign);
  button.type = "button";
  button.dataset.at = address.join(" ");
  button.onclick = () => {
    table.next = then;
    table.send(...address, "");
  };
  return button;
}

function cell(className, ...children) {
  const td = make("td", className);
  td.append(...children);
  return td;
}

function row(...cells) {
  const tr = make("tr");
  tr.append(...cells);
  return tr;
}

function heading(...texts) {
  return row(...texts.map((text) => {
    const th = make(text ? "th" : "td", "", text);
    if (text) th.scope = "col";
    return th;
  }));
}

function body(...rows) {
  const tbody = make("tbody");
  tbody.append(...rows);
  return tbody;
}

function last(table, kind, n, label) {
  const td = cell("tbt-add", action(table, [kind, n - 1, "add"], label, `${kind} ${n} name`));
  td.colSpan = 3;
  return row(td);
}

function build(table, { tokens, words, longest }) {
  const tokenRows = tokens.map((_, j) => row(
    cell("", field(table, ["token", j, "name"], `Word ${j + 1}`, false, longest)),
    cell("tbt-narrow", field(table, ["token", j, "value"], `Value of word ${j + 1}`, true)),
    cell("tbt-do",
      action(table, ["token", j, "up"], "↑", `token ${j - 1} up`), action(table, ["token", j, "down"], "↓", `token ${j + 1} down`),
      action(table, ["token", j, "remove"], "×", `token ${Math.min(j, tokens.length - 2)} name`)),
  ));
  const wordRows = words.flatMap(([, , column], w) => {
    const entries = make("div");
    entries.append(...column.map((_, h) => {
      const label = make("label", "", `head ${h + 1}`);
      label.append(field(table, ["word", w, `w${h}`], `W of head ${h + 1} for candidate ${w + 1}`, true));
      return label;
    }));
    const below = cell("tbt-w", entries);
    below.colSpan = 3;
    return [row(
      cell("", field(table, ["word", w, "name"], `Candidate ${w + 1}`, false, longest)),
      cell("tbt-narrow", field(table, ["word", w, "value"], `Value of candidate ${w + 1} once it is chosen`, true)),
      cell("tbt-do", action(table, ["word", w, "remove"], "×", `word ${Math.min(w, words.length - 2)} name`)),
    ), row(below)];
  });
  table.replaceChildren(
    body(heading("Prompt", "Value", ""), ...tokenRows, last(table, "token", tokens.length, "Add a word")),
    body(heading("Candidate, W", "Value", ""), ...wordRows, last(table, "word", words.length, "Add a candidate")),
  );
}

function fill(table, { tokens, words, full }) {
  const numbers = { token: tokens, word: words };
  for (const element of table.querySelectorAll("[data-at]")) {
    const [kind, at, what] = element.dataset.at.split(" ");
    const item = numbers[kind][Number(at)];
    if (element.tagName === "INPUT") {
      const text = what === "name" ? item[0] : what === "value" ? item[1] : item[2][Number(what.slice(1))];
      if (element !== document.activeElement || element.value === element.shown || table.sent === element.dataset.at) element.value = text;
      element.shown = text;
      continue;
    }
    const n = numbers[kind].length;
    element.disabled = { up: at === "0", down: Number(at) === n - 1, remove: n === 1, add: full[kind] }[what];
    const does = { up: `Move “${item[0]}” up`, down: `Move “${item[0]}” down`, remove: `Remove “${item[0]}”` }[what];
    if (does) element.setAttribute("aria-label", (element.title = does));
  }
}

function focus(table) {
  // Where the pressed button led; the other way where it has reached the end.
  const wanted = table.next && table.querySelector(`[data-at="${table.next}"]`);
  table.next = null;
  if (!wanted) return;
  const other = wanted.disabled && [...wanted.parentElement.querySelectorAll("button:not(:disabled)")][0];
  (other || wanted).focus();
  if (wanted.select) wanted.select();
}

export default function ({ parentElement, data, setTriggerValue }) {
  const table = parentElement.querySelector(".tbt-words");
  const shown = JSON.parse(data.shown);
  table.send = (kind, at, what, text) => {
    table.sent = [kind, at, what].join(" ");
    setTriggerValue("edit", [kind, at, what, text]);
  };
  table.onkeydown = (event) => event.stopPropagation(); // typed letters and arrows are no shortcuts of the lesson
  const shape = [shown.tokens.length, shown.words.length, shown.words[0][2].length].join(" ");
  const here = table.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  if (table.dataset.shape !== shape) {
    build(table, shown);
    table.dataset.shape = shape;
    table.next ??= here;
  }
  fill(table, shown);
  table.sent = null;
  focus(table);
  table.dataset.drawn = "1";
}
