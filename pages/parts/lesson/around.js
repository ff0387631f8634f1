// Asks for what stands around the steps when nothing has moved for a while. A step that was drawn again by itself says so
// (address.js); a later move begins the wait anew, and whatever draws this part too ends it.
const WAIT_MS = 400;

export default function ({ parentElement: box, setTriggerValue }) {
  const end = () => {
    clearTimeout(box.timer);
    window.removeEventListener("tbt-moved", box.wait);
  };
  end();
  delete document.documentElement.dataset.moved;
  box.wait = () => {
    clearTimeout(box.timer);
    document.documentElement.dataset.moved = "on";
    box.timer = setTimeout(() => setTriggerValue("due", true), WAIT_MS);
  };
  window.addEventListener("tbt-moved", box.wait);
  return end;
}
