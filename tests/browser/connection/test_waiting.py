"""What waits for the server waits only while the page says that it runs, and not for ever where the page says nothing any more."""

import pytest
from driving import ROOT

from pages.parts.visit.components import CALL, RUNNING, WHEN_DRAWN

PARTS = ROOT / "pages/parts"
POLL = CALL + RUNNING + (PARTS / "vote/poll.js").read_text("utf-8")
AROUND = CALL + RUNNING + (PARTS / "lesson/after_moves.js").read_text("utf-8")
FIGURE = (
    WHEN_DRAWN + "export default ({ parentElement: box, setTriggerValue }) => whenDrawn(box, () => setTriggerValue('failed', 1));"
)
START = """async (script) => {
  const module = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  window.told = 0;
  const box = document.createElement("div");
  module.default({ data: { every_ms: 2000, question: "" }, parentElement: box, setTriggerValue: () => { told += 1 } });
  window.dispatchEvent(new Event("tbt-moved"));
}"""


@pytest.fixture
def told(context_of):
    """How often a component tells the server something within ten seconds, by the page's own clock."""
    page = context_of(user_agent="whose clock stands still").new_page()  # a clock is all pages' of a context
    page.clock.install(time=0)
    page.clock.pause_at(60_000)  # or the machine's own time went by besides, and on a busy one 400 ms before the first press

    def within_ten_seconds(script, body):
        page.set_content(body)
        page.evaluate(START, script)
        page.clock.run_for(10_000)
        return page.evaluate("told")

    within_ten_seconds.page = page
    yield within_ten_seconds
    page.close()


@pytest.mark.parametrize("script", [POLL, AROUND, FIGURE], ids=["poll", "around", "figure"])
def test_it_waits_while_the_server_runs_and_no_longer_also_where_nothing_says_so(told, script):
    says = '<div data-testid="stApp" data-test-script-state="{}"></div>'.format
    assert [told(script, says(state)) for state in ("running", "rerunRequested", "stopRequested")] == [0, 0, 0]
    assert all(told(script, body) > 0 for body in (says("notRunning"), says("idle"), '<div data-testid="stApp"></div>', ""))


@pytest.mark.parametrize("script", [POLL, AROUND], ids=["poll", "around"])
def test_it_waits_for_the_run_that_a_press_is_about_to_start(told, script):
    """Sent between a press and its answer, it carried the controls as they were and set them back."""
    told.page.set_content("")
    told.page.evaluate(START, script)
    for _ in range(4):
        told.page.keyboard.press("ArrowRight")
        told.page.clock.run_for(1400)
    assert told.page.evaluate("told") == 0
    told.page.clock.run_for(4000)
    assert told.page.evaluate("told") > 0
