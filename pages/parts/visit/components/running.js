// Whether the server computes for this page, as far as the page says so. The attribute is Streamlit's own and no promise: what waits
// for it to end would wait for ever where it is gone.
function running() {
  const state = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
  return ["running", "rerunRequested", "stopRequested"].includes(state);
}
