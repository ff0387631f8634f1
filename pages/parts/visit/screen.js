// Says whether the screen is as narrow as a phone's, and again when it is turned. A wide one says nothing: that is what is assumed.
export default function ({ parentElement: box, setStateValue }) {
  const narrow = window.matchMedia("(max-width: 640px)");
  const tell = () => setStateValue("narrow", narrow.matches);
  const done = () => box.querySelector("span")?.setAttribute("data-drawn", "1");
  const first = () => {
    if (narrow.matches) tell();
    done();
  };
  clearTimeout(box.timer);
  if (narrow.matches) whenDrawn(box, first);
  else done();
  narrow.addEventListener("change", tell);
  return () => {
    clearTimeout(box.timer);
    narrow.removeEventListener("change", tell);
  };
}
