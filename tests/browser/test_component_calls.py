"""What a component listens to is as it should be however often Streamlit calls it, and whenever it ends a call that was overtaken."""

import pytest
from driving import ROOT

from pages.parts.visit.components import CALL, RUNNING, STORAGE, WHEN_DRAWN, script

ENDED = [path for path in sorted((ROOT / "pages").rglob("*.js")) if "return () =>" in path.read_text("utf-8")]
DATA = {
    "every_ms": 1000,
    "what": "box",
    "selector": "body",
    "leaves": True,
    "room": None,
    "gone": "",
    "visit": "a",
    "to_load": ["", 0],
}
# Of the window, the document and the clock: what is listened to, and what is waited for.
IN_FORCE = """() => {
  const kept = new Map();
  for (const target of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = target;
    target.addEventListener = (name, does, how) => (kept.set(does, [name, how?.signal]), add.call(target, name, does, how));
    target.removeEventListener = (name, does, how) => (kept.delete(does), remove.call(target, name, does, how));
  }
  for (const [begin, end] of [["setInterval", "clearInterval"], ["setTimeout", "clearTimeout"]]) {
    const [begins, ends] = [window[begin], window[end]];
    window[begin] = (...what) => { const timer = begins(...what); kept.set(timer, [begin]); return timer; };
    window[end] = (timer) => { kept.delete(timer); ends(timer); };
  }
  return () => [...kept.values()].filter(([, signal]) => !signal?.aborted).map(([name]) => name).sort();
}"""
CALLS = f"""async ({{ script, data }}) => {{
  const inForce = ({IN_FORCE})();
  const {{ default: called }} = await import(`data:text/javascript,${{encodeURIComponent(script)}}`);
  const loaded = inForce(), parentElement = document.body;
  const call = () => called({{ data, parentElement, setTriggerValue: () => {{}}, setStateValue: () => {{}} }});
  const first = call(), once = inForce(), second = call(), twice = inForce();
  first();
  const late = inForce();
  second();
  return {{ loaded, once, twice, late, ended: inForce() }};
}}"""


@pytest.mark.parametrize("path", ENDED, ids=lambda path: path.stem)
def test_a_call_that_is_ended_late_takes_nothing_from_the_next(context_of, path):
    """A page that was sent twice while its scripts were loaded heard of no lost connection and of no move any more."""
    page = context_of().new_page()
    own = script(path)
    before = CALL + STORAGE + (WHEN_DRAWN if "whenDrawn(" in own else RUNNING)
    found = page.evaluate(CALLS, {"script": before + own, "data": DATA})
    page.close()
    assert len(found["once"]) > len(found["loaded"])
    assert found["twice"] == found["late"] == found["once"]
    assert found["ended"] == found["loaded"]
