// What a component tells the server runs the page again. Told before the browser has the first run's controls, the second would take
// their place, and a slider whose value was sent with the first only would stand at its lowest, and send that.
const WAIT_MS = 60;

function drawn() {
  return !running() && !document.querySelector('[data-testid="stSkeleton"]');
}

// Calls `then` when the page's controls are drawn, seen twice, unless the timer of `waiting` is cleared before.
function whenDrawn(waiting, then, before = false) {
  const now = drawn();
  if (before && now) then();
  else waiting.timer = setTimeout(() => whenDrawn(waiting, then, now), WAIT_MS);
}
