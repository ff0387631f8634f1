// Keeps the address bar equal to the scenario without adding history entries (st.query_params would add one for each edit).
// A step that a move draws again by itself brings its own; what stands around it follows (lesson/after_moves.js).
// A host that shows the app inside a frame (Community Cloud does) is told in Streamlit's own words, so that its bar follows.
const READABLE = { "%2C": ",", "%3B": ";", "%3A": ":", "%2B": "%2B", "%20": "+" };

function text(query) {
  const write = (word) => encodeURIComponent(word).replace(/%(2C|3B|3A|20)/g, (code) => READABLE[code]);
  return Object.entries(query).map(([name, value]) => `${name}=${write(value)}`).join("&");
}

// A figure that is wider than a sheet of A4 or Letter is drawn smaller on it, and whole; a sheet says where one is missing (frame.css).
const PAPER = 700; // pixels between the margins of the narrower one
function forPaper(printing) {
  const missing = document.querySelector('.stMain [data-testid="stSkeleton"], .tbt-figure:not([data-drawn])');
  document.documentElement.toggleAttribute("data-undrawn", missing !== null);
  const plots = [...document.querySelectorAll(".tbt-plot")].filter((plot) => !plot.style.width); // a handout's are as narrow already
  for (const plot of plots) plot.style.zoom = printing ? Math.min(1, PAPER / plot.scrollWidth) : "";
}

// The button that was pressed by key is another element on the next step: the focus goes with it, not to the top of the page.
let pressed = "";
window.addEventListener("click", ({ target, detail }) => {
  pressed = detail === 0 ? target.closest?.('[class*="st-key-slide_"]')?.className.match(/st-key-slide_\w+/)[0] ?? "" : "";
}, true);
function keepFocus() {
  if (pressed && document.activeElement === document.body) document.querySelector(`.${pressed} button:enabled`)?.focus();
}

// Another step begins at its top, wherever the one before it was left; Streamlit keeps the place within a page.
function beginAtTop(before, now) {
  if (before && (before.path !== now.path || before.query.slide !== now.query.slide)) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  }
}

function show({ data, parentElement }) {
  parentElement.closest('[data-testid="stElementContainer"]')?.style.setProperty("display", "none");
  requestAnimationFrame(keepFocus);
  // A press right behind an answer: what both runs have written is drawn together, the step's own bar before that of the page.
  if (data.run < window.tbtRun) return;
  window.tbtRun = data.run;
  if (data.moved) window.dispatchEvent(new Event("tbt-moved"));
  window.onbeforeprint = () => forPaper(true);
  window.onafterprint = () => forPaper(false);
  const here = new URL(window.location.href);
  const query = JSON.parse(data.query);
  const place = { path: here.pathname, query, heard: data.heard, embedded: here.searchParams.has("embed") };
  beginAtTop(window.tbtPlace, place);
  window.tbtPlace = place;
  window.dispatchEvent(new Event("tbt-place")); // for the teacher's other window (teaching/windows.js)
  const kept = [...here.searchParams].filter(([name]) => name === "embed" || name === "embed_options");
  const search = [text(query), new URLSearchParams(kept).toString()].filter(Boolean).join("&");
  const wanted = search ? `?${search}` : "";
  if (here.search === wanted) return;
  window.history.replaceState(window.history.state, "", here.pathname + wanted + here.hash);
  if (window.parent !== window) {
    window.parent.postMessage({ stCommVersion: 1, type: "SET_QUERY_PARAM", queryParams: wanted }, "*");
  }
}

window.tbtAddress = show; // a step's own address bar has this line alone
export default show;
