// What was kept comes back: pasted, dropped on the field, or chosen as a file. Only text of the length that it may have is sent.
export default function ({ parentElement, data, setTriggerValue }) {
  const field = parentElement.querySelector("textarea");
  parentElement.querySelector("label").textContent = data.label;
  parentElement.querySelector("input").ariaLabel = data.file;
  const read = async (file) => {
    if (file) field.value = await file.slice(0, data.most + 1).text(); // one more than may be: the server says that it is too long
  };
  field.ondragover = (event) => event.preventDefault();
  field.ondrop = (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  };
  parentElement.querySelector("input").onchange = (event) => read(event.target.files[0]);
  parentElement.querySelector("button").onclick = () => setTriggerValue("brought", field.value.slice(0, data.most + 1));
}
