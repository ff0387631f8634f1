// Copies the link as soon as it is shown, which a browser allows while the press of the button is fresh; where it does not, or the
// page did not come by https, the button beside it does. A new choice makes a new link, which is copied again.
export default function ({ parentElement, data }) {
  const [input, button] = [parentElement.querySelector("input"), parentElement.querySelector("button")];
  const status = parentElement.querySelector("p");
  const copy = async (done) => {
    status.textContent = (await copied(input.value, button)) ? done : "Select the link and copy it.";
  };
  button.onclick = () => copy("Link copied.");
  if (input.value === data.link) return;
  input.value = data.link;
  status.textContent = "";
  if (data.copy && navigator.userActivation?.isActive) copy("Already copied: paste it.");
}
