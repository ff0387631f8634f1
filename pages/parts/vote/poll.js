// Asks for its part of the page again and again. What is asked carries the controls as the browser knows them: sent between a press
// and its answer, it would set them back. So it waits while the server runs, after a press or a key, and while nobody can see it.
const PRESSED_MS = 1500;
const PRESSES = ["pointerdown", "keydown"];
let pressed = -Infinity;
for (const press of PRESSES) window.addEventListener(press, () => (pressed = performance.now()), true);

// Whether the server can be heard is said here, by the browser alone: Streamlit says it in the header, which a phone in a vote does not
// show, and a line that is cut without a word is noticed by nobody else. A server that is running has been heard.
const LOST = "No connection: nothing is sent until it is back.";
const SILENT = "No answer from the server yet.";
const SILENT_MS = 4000;
const SAY_MS = 300;
let connected = true;
window.addEventListener("message", ({ source, data }) => {
  if (source !== window || data?.stCommVersion !== 1) return;
  if (data.type === "WEBSOCKET_CONNECTED") connected = true;
  if (data.type === "WEBSOCKET_DISCONNECTED") connected = false;
});
function sayLine(box) {
  if (running() || document.hidden) box.asked = box.asked && performance.now();
  const silent = box.asked && performance.now() - box.asked > SILENT_MS;
  const said = !navigator.onLine || !connected ? LOST : silent ? SILENT : "";
  const line = box.querySelector(".tbt-line");
  if (line && line.textContent !== said) line.textContent = said;
}

export default function ({ data, parentElement: box, setTriggerValue }) {
  const call = newCall(box);
  box.asked = 0; // this is the answer
  const timer = setInterval(() => {
    if (running() || document.hidden || performance.now() - pressed < PRESSED_MS) return;
    box.asked ||= performance.now();
    setTriggerValue("due", true);
  }, data.every_ms);
  const watch = setInterval(() => sayLine(box), SAY_MS);
  call.signal.onabort = () => [timer, watch].forEach(clearInterval);
  return () => call.abort();
}
