// What a browser keeps of a class vote: of a teacher the room and its secret, in this tab alone, so that a reload or another server
// process gives the room back; of a phone a random number, so that a reload does not count twice. Neither is in the address bar.
const ROOM = "token-by-token room";
const PHONE = "token-by-token phone";
const inMemory = {}; // where a browser allows no storage

function read(storage, name) {
  try {
    return window[storage].getItem(name) ?? inMemory[name] ?? "";
  } catch {
    return inMemory[name] ?? "";
  }
}

function write(storage, name, text) {
  inMemory[name] = text;
  try {
    if (text) window[storage].setItem(name, text);
    else window[storage].removeItem(name);
  } catch {
    // kept until the tab is closed
  }
}

function phone() {
  const kept = read("localStorage", PHONE);
  if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  const drawn = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  write("localStorage", PHONE, drawn);
  return drawn;
}

export default function ({ data, parentElement: box, setStateValue }) {
  if (data.room !== null) write("sessionStorage", ROOM, data.room);
  const told = { room: data.room === null && read("sessionStorage", ROOM), phone: data.phone && phone() };
  const news = Object.entries(told).filter(([name, text]) => text && box.dataset[name] !== `${data.visit} ${text}`);
  const tell = () => {
    for (const [name, text] of news) {
      box.dataset[name] = `${data.visit} ${text}`; // another visit is a server that knows nothing yet
      setStateValue(name, text);
    }
    box.querySelector("i")?.setAttribute("data-drawn", "1");
  };
  clearTimeout(box.timer);
  if (news.length) whenDrawn(box, tell);
  else tell();
  return () => clearTimeout(box.timer);
}
