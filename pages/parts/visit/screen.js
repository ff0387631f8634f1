// Says whether the screen is as narrow as a phone's, and again when it is turned. A wide one says nothing: that is what is assumed.
export default function ({ setStateValue }) {
  const narrow = window.matchMedia("(max-width: 640px)");
  const tell = () => setStateValue("narrow", narrow.matches);
  if (narrow.matches) tell();
  narrow.addEventListener("change", tell);
  return () => narrow.removeEventListener("change", tell);
}
