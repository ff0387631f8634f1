// Asks for its part of the page again and again. What is asked carries the controls as the browser knows them: sent between a press
// and its answer, it would set them back. So it waits while the server runs, after a press or a key, and while nobody can see it.
const PRESSED_MS = 1500;
const PRESSES = ["pointerdown", "keydown"];
let pressed = -Infinity;
for (const press of PRESSES) window.addEventListener(press, () => (pressed = performance.now()), true);

const running = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";

export default function ({ data, parentElement: box, setTriggerValue }) {
  clearInterval(box.timer);
  box.timer = setInterval(() => {
    if (running() || document.hidden || performance.now() - pressed < PRESSED_MS) return;
    setTriggerValue("due", true);
  }, data.every_ms);
  return () => clearInterval(box.timer);
}
