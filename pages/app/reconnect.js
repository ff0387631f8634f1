// After a lost connection the server may know nothing of this visit any more, and the first click would carry the query that
// Streamlit remembers, which is the link once opened: it does not see what address.js writes. So as soon as the connection stands
// again, before anybody can click, the server is told what the address bar says, and which visit that was; one that is still there
// ignores it. Streamlit tells a page that embeds it about the connection, and posts the same to its own window.
function isReconnected({ source, data }) {
  return source === window && data?.stCommVersion === 1 && data.type === "WEBSOCKET_CONNECTED";
}

export default function ({ data, parentElement: box, setTriggerValue }) {
  box.dataset.visit = data.visit;
  const tell = () => setTriggerValue("back", { ...data, query: window.location.search });
  const call = newCall(box);
  window.addEventListener("message", (event) => isReconnected(event) && tell(), { signal: call.signal });
  return () => call.abort();
}
