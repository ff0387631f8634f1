// Says whether the screen is as narrow as a phone's, and again when it is turned. A wide one says nothing: that is what is assumed.
// What is said runs the page again. Said before the browser has the first run's controls, the second would take their place, and a
// slider whose value was sent with the first only would stand at its lowest, and send that. So it is said when all are drawn.
const WAIT_MS = 60;

function drawn() {
  const running = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
  return !running && !document.querySelector('[data-testid="stSkeleton"]');
}

export default function ({ parentElement: box, setStateValue }) {
  const narrow = window.matchMedia("(max-width: 640px)");
  const tell = () => setStateValue("narrow", narrow.matches);
  const done = () => box.querySelector("span")?.setAttribute("data-drawn", "1");
  const first = (before) => {
    const now = drawn();
    if (!(before && now)) {
      box.timer = setTimeout(() => first(now), WAIT_MS);
      return;
    }
    if (narrow.matches) tell();
    done();
  };
  clearTimeout(box.timer);
  if (narrow.matches) first(false);
  else done();
  narrow.addEventListener("change", tell);
  return () => {
    clearTimeout(box.timer);
    narrow.removeEventListener("change", tell);
  };
}
