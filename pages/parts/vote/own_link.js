// Copies the teacher's own link without showing it: the class sees this screen.
async function copied(link) {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: link, style: "position: fixed; opacity: 0" });
    document.activeElement.after(field); // within the dialog, which keeps the focus; no clipboard on a page that came by http
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

export default function ({ parentElement, data }) {
  const [button, status] = [parentElement.querySelector("button"), parentElement.querySelector("p")];
  button.onclick = async () => {
    status.textContent = (await copied(data.link)) ? "Copied. Keep it where the class does not see it." : "This browser copies nothing.";
  };
}
