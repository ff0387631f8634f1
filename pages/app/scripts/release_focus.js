// A slider or a row of buttons that was moved with the pointer gives the focus back once it is let go: the arrow keys then turn to
// the next step, as its button says. Reached with the keyboard it keeps them, and frame.css takes their signs off the two buttons.
const KEEPS_ARROWS = 'input[type="range"], [role="slider"], [role="radio"]';
const KINDS = ["mouse", "touch", "pen"];

function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

export default function ({ parentElement: box }) {
  const call = newCall(box);
  // A screen reader presses without a pointer, and goes on from where it is.
  const giveBack = ({ pointerType }) => {
    if (KINDS.includes(pointerType)) setTimeout(() => focused()?.matches(KEEPS_ARROWS) && focused().blur()); // after it was taken
  };
  const look = () => document.documentElement.toggleAttribute("data-arrows-taken", Boolean(focused()?.matches(KEEPS_ARROWS)));
  const heard = { pointerup: giveBack, pointercancel: giveBack, focusin: look, focusout: look };
  for (const [event, does] of Object.entries(heard)) window.addEventListener(event, does, { capture: true, signal: call.signal });
  return () => call.abort();
}
