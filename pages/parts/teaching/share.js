// Copies the link as soon as it is shown, which a browser allows while the press of the button is fresh; where it does not, or the
// page did not come by https, the button beside it does. A new choice makes a new link, which is copied again.
async function copied(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select(); // no clipboard on a page that came by http: the older way
    return document.execCommand("copy");
  }
}

export default function ({ parentElement, data }) {
  const [input, button] = [parentElement.querySelector("input"), parentElement.querySelector("button")];
  const status = parentElement.querySelector("p");
  const copy = async () => {
    status.textContent = (await copied(input)) ? "Link copied." : "Select the link and copy it.";
  };
  button.onclick = copy;
  if (input.value === data.link) return;
  input.value = data.link;
  status.textContent = "";
  if (data.copy && navigator.userActivation?.isActive) copy();
}
