// Asks for what stands around the steps when nothing has moved for a while. A step that was drawn again by itself says so
// (address.js); a later move begins the wait anew, and whatever draws this part too ends it. What is asked carries the controls as
// the browser knows them: sent between a press of Next and its answer, it would set them back. So it is not asked while the server
// runs, nor soon after a press or a click, which is about to start a run. It is asked again where nothing comes: of two requests that
// reach the server together, one of them a timer's, one may be lost.
const WAIT_MS = 400;
const UNANSWERED_MS = 3000;
const PRESSED_MS = 1500;
const PRESSES = ["pointerdown", "keydown"];

export default function ({ parentElement: box, setTriggerValue }) {
  const call = newCall(box);
  let timer = null;
  const ask = () => {
    if (running()) return begin(WAIT_MS);
    setTriggerValue("due", true);
    begin(UNANSWERED_MS);
  };
  const begin = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  };
  delete document.documentElement.dataset.moved;
  const moved = () => {
    document.documentElement.dataset.moved = "on";
    begin(WAIT_MS);
  };
  const pressed = ({ key }) => {
    if (document.documentElement.dataset.moved && key !== "Tab") begin(PRESSED_MS);
  };
  window.addEventListener("tbt-moved", moved, { signal: call.signal });
  window.addEventListener("tbt-follow", () => begin(0), { signal: call.signal }); // a press waits for it
  for (const press of PRESSES) window.addEventListener(press, pressed, { capture: true, signal: call.signal });
  call.signal.onabort = () => clearTimeout(timer);
  return () => call.abort();
}
