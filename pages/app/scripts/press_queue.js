// Presses that lead on or back are heeded one by one, however quickly they come. Streamlit takes those that arrive before the page for
// a single one, and one that arrives while the page comes leads from where the page was before. So each waits until the one before it
// is on the page. One that changed nothing, because a vote holds it or a route ends there, takes those behind it along: they were meant
// for what it would have led to; but not one that came when the page had said so.
const WAYS = '.st-key-slide_next, .st-key-slide_back, [class*="st-key-stepper_"], .st-key-notes_stepper';
const ARROWS = { ArrowLeft: /_(left|Left|back)$/, ArrowRight: /_(right|Right|next)$/ };
const NOT_THE_PAGES = 'input, textarea, select, [contenteditable="true"], [role="slider"], [role="radio"], [role="option"]';
// Looks, because a busy browser is late with them and with all else: until what was pressed is there, until it is known that it changed
// nothing, and that nobody heard it.
const [LOOK_MS, THERE, SAME, NOTHING, MOST] = [25, 3, 8, 28, 20];

// The name that a button has on the page, whichever element it is.
function keyOf(button) {
  return button.closest('.stElementContainer[class*="st-key-"]').className.match(/st-key-\S+/)[0];
}

// The one button that an arrow key presses. Where a step has moved, what stands around it follows a little later (lesson/after_moves.js):
// meanwhile a key may be nobody's, or that of two.
function buttonOf(key) {
  const ways = [...document.querySelectorAll(WAYS)].flatMap((box) => [...box.querySelectorAll("button:enabled")]);
  const taken = ways.filter((way) => way.querySelector('[data-has-shortcut="true"]') && ARROWS[key].test(keyOf(way)));
  return taken.length === 1 ? taken[0] : null;
}

// A figure's cells, beside each other, have the arrow keys while it has the focus (plot.js).
const ofCells = (target) => target.closest?.(".tbt-figure")?.figure?.layout.meta.grid?.columns.length > 1;

const told = () => document.querySelector(".st-key-vote_held") !== null;
const late = () => "moved" in document.documentElement.dataset;

class Presses {
  constructor() {
    [this.now, this.waiting, this.again] = [null, [], false];
    window.addEventListener("click", (event) => this.hear(event, event.target.closest?.("button:enabled")?.closest(WAYS)), true);
    window.addEventListener("keydown", (event) => this.hear(event, this.leads(event)), true);
  }

  leads({ key, ctrlKey, altKey, metaKey, shiftKey, target }) {
    return ARROWS[key] && !(ctrlKey || altKey || metaKey || shiftKey || target.closest?.(NOT_THE_PAGES) || ofCells(target));
  }

  hear(event, leads) {
    if (!leads || this.again) return;
    if (event.type === "keydown" && this.now === null && !late() && !buttonOf(event.key)) return; // nobody's: the route ends here
    const waits = this.now !== null || (event.type === "keydown" && late() && !buttonOf(event.key));
    if (this.now === null) this.begin(!waits);
    if (!waits) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const detail = event.type === "click" ? event.detail : 1; // pressed by key, the focus goes with the button (address.js)
    if (!event.repeat && this.waiting.length < MOST) this.waiting.push({ button: this.button(event), meant: told(), detail });
  }

  // What was pressed is another element on the next step, and has the same key.
  button({ type, key, target }) {
    const name = type === "click" && keyOf(target);
    return name ? () => document.querySelector(`.${name} button:enabled`) : () => buttonOf(key);
  }

  // leads: whether something was pressed now, and not only awaited.
  begin(leads) {
    const place = leads && JSON.stringify(window.tbtPlace);
    this.now = { place, ran: false, looks: 0, follows: false };
    this.timer ??= setInterval(() => this.look(), LOOK_MS);
  }

  look() {
    const now = this.now;
    now.ran ||= running();
    now.looks = running() ? 0 : now.looks + 1; // one run may follow another at once
    const led = now.place !== JSON.stringify(window.tbtPlace);
    const known = now.ran || !now.place;
    if (now.looks < (led ? THERE : known ? SAME : NOTHING)) return; // a quick run may lie between two looks
    if (!led) this.waiting = this.waiting.filter(({ meant }) => meant);
    const button = this.waiting[0]?.button();
    if (button) {
      const { detail } = this.waiting.shift();
      this.begin(true);
      this.again = true;
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail })); // as the mouse presses it, or Enter
      this.again = false;
    } else if (this.waiting.length && now.looks < 2 * NOTHING) {
      if (late() && !now.follows) window.dispatchEvent(new Event("tbt-follow"));
      now.follows = true;
    } else this.end();
  }

  end() {
    clearInterval(this.timer);
    [this.now, this.timer, this.waiting] = [null, null, []];
  }
}

export default function () {
  window.tbtPresses ??= new Presses(); // one for the tab, though this script may be loaded again
}
