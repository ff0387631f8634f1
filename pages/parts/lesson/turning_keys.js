// The keys of a presentation, and of the notes beside it. A clicker sends PageDown and PageUp, or Space: they turn to the next step
// and back, wherever the focus is, but in a field that is typed into, and under anything that is open over the page. Space is left to
// a control that it presses. Escape leaves the presentation.
const OPEN = '[role="listbox"], [role="dialog"], [data-testid="stPopoverBody"]';
const TYPED = 'textarea, select, [contenteditable="true"], input:not([type="range"], [type="checkbox"], [type="radio"])';
const PRESSED = 'button, a[href], summary, input, [role="button"], [role="slider"], [role="switch"], [role="tab"], [role="option"]';
// The step's own stepper first, as with the arrow keys.
const TURNED = { 1: ["notes_stepper_Right", "slide_next"], "-1": ["notes_stepper_Left", "slide_back"] };
const WAYS = ".st-key-slide_back, .st-key-slide_next";

function turnsBy({ key, shiftKey, ctrlKey, altKey, metaKey, isComposing, target }) {
  if (ctrlKey || altKey || metaKey || isComposing || target.closest?.(TYPED)) return 0;
  if (key === "PageDown" || key === "PageUp") return key === "PageDown" ? 1 : -1;
  if (key !== " ") return 0;
  const back = shiftKey && target.closest?.(WAYS); // the focus stays on Next when it was pressed: Shift and Space still go back
  return target.closest?.(PRESSED) && !back ? 0 : shiftKey ? -1 : 1;
}

export default function ({ data, parentElement: box, setTriggerValue }) {
  const call = newCall(box);
  const press = (event) => {
    if (document.querySelector(OPEN)) return;
    if (event.key === "Escape" && data.leaves) setTriggerValue("pressed", true);
    const by = turnsBy(event);
    if (!by) return;
    event.preventDefault(); // the page does not scroll, a slider does not jump
    event.stopPropagation();
    const [way] = TURNED[by].map((key) => document.querySelector(`.st-key-${key} button:enabled`)).filter(Boolean);
    // As the mouse presses it: the focus stays where it is.
    if (!event.repeat) way?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  };
  window.addEventListener("keydown", press, { capture: true, signal: call.signal }); // before whatever is open has closed
  return () => call.abort();
}
