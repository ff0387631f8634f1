// Escape leaves the presentation, unless something is open that it closes: a list of choices, a box over the page.
const OPEN = '[role="listbox"], [role="dialog"], [data-testid="stPopoverBody"]';

export default function ({ setTriggerValue }) {
  const leave = ({ key }) => {
    if (key === "Escape" && !document.querySelector(OPEN)) setTriggerValue("pressed", true);
  };
  window.addEventListener("keydown", leave, true); // before whatever is open has closed
  return () => window.removeEventListener("keydown", leave, true);
}
