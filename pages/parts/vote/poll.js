// Asks for its part of the page again and again. What is asked carries the controls as the browser knows them: sent between a press
// and its answer, it would set them back. So it waits while the server runs, after a press or a key, and while nobody can see it.
const PRESSED_MS = 1500;
const PRESSES = ["pointerdown", "keydown"];
let pressed = -Infinity;
for (const press of PRESSES) window.addEventListener(press, () => (pressed = performance.now()), true);

const running = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";

// Figures above it are drawn when they like and push it down again: it has come when it is in sight twice in a row. Whoever has
// touched the page goes where he likes.
function bringIntoSight(box, question) {
  if (box.question !== question) Object.assign(box, { question, inSight: 0, since: performance.now() });
  const form = document.querySelector('[class*="st-key-predict_"] [data-testid="stForm"]');
  if (!question || box.inSight >= 2 || pressed > box.since || !form) return;
  const { top, bottom } = form.getBoundingClientRect();
  if (top >= 0 && bottom <= window.innerHeight) box.inSight += 1;
  else {
    box.inSight = 0;
    form.closest('[class*="st-key-predict_"]').scrollIntoView({ block: "center" });
  }
}

export default function ({ data, parentElement: box, setTriggerValue }) {
  clearInterval(box.timer);
  box.timer = setInterval(() => {
    if (!running()) bringIntoSight(box, data.question);
    if (running() || document.hidden || performance.now() - pressed < PRESSED_MS) return;
    setTriggerValue("due", true);
  }, data.every_ms);
  return () => clearInterval(box.timer);
}
