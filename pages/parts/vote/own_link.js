// Copies the teacher's own link without showing it: the class sees this screen.
export default function ({ parentElement, data }) {
  const [button, status] = [parentElement.querySelector("button"), parentElement.querySelector("p")];
  button.onclick = async () => {
    status.textContent = (await copied(data.link, button)) ? "Copied. Keep it where the class does not see it." : "This browser copies nothing.";
  };
}
