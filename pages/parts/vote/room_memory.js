// What a browser keeps of a class vote. Of a teacher the room and its secret: in this tab, so that a reload or another server process
// gives the room back, and for the browser, so that another tab of his may take it back. Of a phone a random number, so that a reload
// does not count twice. None of it is in the address bar.
const ROOM = "token-by-token room";
const PHONE = "token-by-token phone";
const WENT = "token-by-token went";

// The browser's room is that of the tab which has opened or taken back one last; one that has ended is forgotten.
function keep(room, gone) {
  const [own, before] = [read("localStorage", ROOM), read("sessionStorage", ROOM)];
  if (gone && own === gone) write("localStorage", ROOM, "");
  if (room === null || room === before) return;
  write("sessionStorage", ROOM, room);
  if (room || own === before) write("localStorage", ROOM, room);
}

function phone() {
  const kept = read("localStorage", PHONE);
  if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  const drawn = randomDigits();
  write("localStorage", PHONE, drawn);
  return drawn;
}

// Another machine has the room: the page is loaded anew, once for each time that it is asked for, and not again where that led here.
function go(box, visit, [query, n]) {
  if (!query || box.dataset.went === `${visit} ${n}`) return;
  box.dataset.went = `${visit} ${n}`;
  const back = read("sessionStorage", WENT) === query;
  write("sessionStorage", WENT, back ? "" : query);
  if (!back) window.location.assign(`?${query}`);
}

export default function ({ data, parentElement: box, setStateValue }) {
  keep(data.room, data.gone);
  go(box, data.visit, data.to_load);
  const call = newCall(box), waiting = {};
  const report = () => {
    const [room, own] = [read("sessionStorage", ROOM), read("localStorage", ROOM)];
    const told = { room: data.room === null && room, own: own !== (data.room ?? room) && own, phone: data.phone && phone() };
    const news = Object.entries(told).filter(([name, text]) => text && box.dataset[name] !== `${data.visit} ${text}`);
    const tell = () => {
      for (const [name, text] of news) {
        box.dataset[name] = `${data.visit} ${text}`; // another visit is a server that knows nothing yet
        setStateValue(name, text);
      }
      box.querySelector("i")?.setAttribute("data-drawn", "1");
    };
    clearTimeout(waiting.timer);
    if (news.length) whenDrawn(waiting, tell);
    else tell();
  };
  // The notes hear of the room that the lesson beside them has opened.
  window.addEventListener("storage", ({ key }) => key === ROOM && report(), { signal: call.signal });
  report();
  call.signal.onabort = () => clearTimeout(waiting.timer);
  return () => call.abort();
}
