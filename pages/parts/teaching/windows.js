// A lesson and the teacher's notes in another window of the same browser follow each other. The two are paired by a random id: the
// notes draw it when they open, the lesson that shows the same step takes it over, and a reload keeps it. A pair has one of each, of
// several lessons the one that was used last, so no third tab steers the two. A window says where it has gone,
// not where it has merely followed. Where the lesson has a room, the browser keeps which pair it is: the tab that takes the room back
// takes the lesson's place in the pair too, and the notes go where it is.
const KEPT = "token-by-token pair";
const OF_ROOM = "token-by-token room pair"; // its code, a space, the id
const ALONE = ["handout", "only", "room"]; // sheets, embedded steps and phones are nobody's other window
const [TELLINGS, TELL_AGAIN_MS] = [20, 1700]; // a vote's panel asks once a second; half a minute in all, for a server that a class keeps busy
const LATE = 1e15; // the rank of who comes to a pair that may be complete

function ofRoom(room, pair) {
  if (pair) write("localStorage", OF_ROOM, `${room} ${pair}`);
  const [of, id] = read("localStorage", OF_ROOM).split(" ");
  return of === room && id ? id : "";
}

const same = (a, b) => a.path === b.path && a.search === b.search;

class OneWindow {
  constructor() {
    [this.me, this.pair, this.rank, this.used] = [randomDigits(), read("sessionStorage", KEPT), LATE, 0];
    [this.place, this.followed, this.number, this.notes] = [null, 0, 0, false];
    [this.room, this.took, this.anew] = ["", "", false];
    this.channel = new BroadcastChannel("token-by-token");
    this.channel.onmessage = ({ data }) => this.place && this[`hear_${data.kind}`]?.(data);
    for (const use of ["pointerdown", "keydown"]) window.addEventListener(use, () => (this.used = Date.now()), true);
    window.addEventListener("tbt-place", () => this.stand(window.tbtPlace));
  }

  say(kind, more) {
    this.channel.postMessage({ kind, me: this.me, pair: this.pair, notes: this.notes, rank: this.rank, ...this.place, ...more });
  }

  // What is on screen now; heard: the last message that the server has followed.
  stand({ path, query, heard, embedded }) {
    if (embedded || ALONE.some((name) => query[name])) return (this.place = null);
    const shown = Object.entries(query).filter(([name]) => !this.own.includes(name));
    const [before, place] = [this.place, { path, search: new URLSearchParams(shown.sort()).toString() }];
    const follows = heard > this.followed;
    [this.place, this.notes, this.followed] = [place, Boolean(query.notes), Math.max(heard, this.followed)];
    if (before === null) this.begin();
    else if (this.pair && !follows && (this.anew || !same(before, place))) {
      clearTimeout(this.again); // gone on by itself, it follows no earlier move
      this.say("moves");
    }
    this.anew = false;
  }

  begin() {
    if (this.notes && !this.pair) this.keep(randomDigits());
    if (this.pair) this.say("joins");
    if (this.notes || !this.pair) this.say("seeks");
    else this.say("moves"); // a lesson that was opened anew in its tab
  }

  keep(pair) {
    write("sessionStorage", KEPT, (this.pair = pair));
    if (this.room && !this.notes) ofRoom(this.room, pair);
  }

  // This window is the teacher's of a room. took: a name of the act by which it took the room back, "" for none.
  teaches(room, took) {
    this.room = room;
    const pair = took && took !== this.took ? ofRoom(room) : "";
    this.took = took;
    if (pair) {
      [this.rank, this.anew] = [0, true];
      this.keep(pair);
      this.say("takes");
    } else if (room && this.pair) this.keep(this.pair);
  }

  join(pair, rank) {
    if (pair === this.pair) return;
    this.keep(pair);
    this.rank = rank;
    this.say("joins");
  }

  hear_seeks({ me, pair, notes, ...place }) {
    if (notes === this.notes || !same(place, this.place)) return;
    if (this.notes) this.say("offers", { to: me });
    else this.join(pair, Date.now() - this.used);
  }

  hear_offers({ to, pair }) {
    if (to === this.me && !this.pair) this.join(pair, LATE);
  }

  hear_joins({ me, pair, notes, rank }) {
    const first = this.rank < rank || (this.rank === rank && this.me < me);
    if (pair === this.pair && notes === this.notes && first) this.say("is_taken", { to: me });
  }

  hear_takes({ pair, notes }) {
    if (pair === this.pair && notes === this.notes) this.keep("");
  }

  hear_is_taken({ to }) {
    if (to === this.me) this.keep("");
  }

  hear_moves({ pair, notes, path, search }) {
    if (!this.pair || pair !== this.pair || notes === this.notes) return;
    this.number = Math.max(this.number + 1, Date.now());
    this.tellUntilFollowed({ number: this.number, path, search }, TELLINGS);
  }

  // What is told at the very moment when a part of the page asks to be drawn again is lost: Streamlit sends both as the part's own.
  tellUntilFollowed(heard, times) {
    clearTimeout(this.again);
    if (heard.number <= this.followed || !times) return;
    this.tell(heard);
    this.again = setTimeout(() => this.tellUntilFollowed(heard, times - 1), TELL_AGAIN_MS);
  }
}

export default function ({ data, setTriggerValue }) {
  const one = (window.tbtWindow ??= new OneWindow()); // one for the tab, though this script may be loaded again
  one.own = data.own.split(",");
  one.tell = (heard) => setTriggerValue("moved", heard);
  one.teaches(data.room, data.took);
  if (window.tbtPlace && !one.place) one.stand(window.tbtPlace);
}
