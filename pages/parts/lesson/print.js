// Prints the sheet when all of it is drawn, and says that it waits. Pressed again meanwhile, it prints what there is.
const UNDRAWN = '[data-testid="stSkeleton"], .tbt-figure:is([data-waiting], :not([data-drawn]))';
const drawn = () => !running() && !document.querySelector(UNDRAWN);

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  let timer = null;
  const print = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "Print";
    window.print();
  };
  button.onclick = () => {
    if (timer || drawn()) return print();
    button.textContent = "Waiting for the figures …";
    timer = setInterval(() => drawn() && print(), 200);
  };
}
