// Says whether the screen is as narrow as a phone's, or as low as that of one that is turned, and how many pixels higher than a
// projector's it is, in steps; and again when it is turned or the window gets another size, but while something is typed: a phone's
// keys make its window low. Of a projector's, which is assumed, nothing is said. A window counts as higher only
// as far as it is wider than 1,000 as well: what grows higher on a large screen grows wider too.
const STEP = 60, PROJECTOR = 720, WIDE = 1000;

export default function ({ parentElement: box, setStateValue }) {
  const narrow = window.matchMedia("(max-width: 640px)"), low = window.matchMedia("(max-height: 500px)");
  const more = () => Math.min(window.innerHeight - PROJECTOR, window.innerWidth - WIDE);
  const higher = () => (narrow.matches ? 0 : Math.max(0, Math.floor(more() / STEP) * STEP));
  // On every page anew, which the server takes for a visitor of whom nothing is known; what was never told need not be taken back.
  const tell = (name, value) => {
    box.told ??= {};
    if (value || box.told[name]) setStateValue(name, value);
    box.told[name] = value;
  };
  const tellAll = () => {
    tell("narrow", narrow.matches);
    tell("low", low.matches);
    tell("spare", higher());
    box.querySelector("span")?.setAttribute("data-drawn", "1");
  };
  const told = (name) => Boolean(box.told?.[name]);
  const known = () => narrow.matches === told("narrow") && low.matches === told("low") && higher() === (box.told?.spare ?? 0);
  const call = newCall(box), waiting = {};
  const look = () => {
    clearTimeout(waiting.timer);
    if (known() && !narrow.matches && !low.matches && !higher()) return tellAll();
    box.querySelector("span")?.removeAttribute("data-drawn"); // until it has been told
    whenDrawn(waiting, tellAll); // never while a run is under way: two that are asked for at once are one
  };
  const resized = () => known() || document.activeElement?.matches("input, textarea") || look();
  look();
  window.addEventListener("resize", resized, { signal: call.signal });
  call.signal.onabort = () => clearTimeout(waiting.timer);
  return () => call.abort();
}
