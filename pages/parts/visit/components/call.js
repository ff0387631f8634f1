// Streamlit calls a component again when its data or the theme has changed, without ending the call before; and a call that was
// overtaken while its script was loaded it ends late, when the next one may have begun. So a call ends the one before it in the same
// box, and what ends with its signal is its own.
function newCall(box) {
  box.call?.abort();
  box.call = new AbortController();
  return box.call;
}
