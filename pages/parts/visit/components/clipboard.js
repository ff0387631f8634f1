// Whether a text could be copied. A page that came by http has no clipboard: there it goes the older way, by a field beside the button,
// which lies within the dialog that keeps the focus.
async function copied(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, style: "position: fixed; opacity: 0" });
    button.after(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    button.focus();
    return done;
  }
}
