"""The layer of text and the narrow redraws give the picture that Plotly alone gives of the complete figure."""

import json

import numpy as np
from app_pages import SCENARIOS, alone, show
from driving import settled
from reading import by_the_address, crowded, drawn_texts

from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import LIGHT
from pages.parts.drawing.scripts import ADDRESS, PLOTLY_ADDRESS
from pages.parts.drawing.sheet import Sheet
from pages.parts.drawing.sheet_figure import SheetFigure

# Draws short forms as the page does, complete figures as Plotly does, each into a box of its own, and reads off what is seen.
LAB = """async ({ plotly, script }) => {
  const drawing = await import(new URL(script, document.baseURI).href);
  const room = document.createElement("div");
  room.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 940px; background: white; z-index: 999999";
  document.body.append(room);
  await Promise.all([...document.fonts].map((font) => font.load())); // or the first picture is measured in another type
  const box = () => {
    const made = document.createElement("div");
    made.innerHTML = '<div class="tbt-figure" role="group"></div>';
    room.replaceChildren(made);
    return made;
  };
  const draw = async (parentElement, figure) => {
    const component = { parentElement, data: { figure, alt: "", source: plotly }, setTriggerValue() {} };
    component.failed = (error) => { throw error; };
    await drawing.show(component);
    return parentElement;
  };
  const all = (made, selector) => [...made.querySelectorAll(selector)];
  const seen = (made) => {
    const corner = made.querySelector(".svg-container").getBoundingClientRect();
    const texts = all(made, "text").filter((text) => text.textContent && getComputedStyle(text).display !== "none");
    return {
      texts: texts.flatMap((text) => {
        const [at, look] = [text.getBoundingClientRect(), getComputedStyle(text)];
        const inner = [...text.querySelectorAll("tspan")].filter((part) => !part.children.length);
        const styles = inner.map(getComputedStyle).map((s) => [s.fontWeight, s.fontStyle, s.fill, s.fontSize]);
        return [[text.textContent, at.left - corner.left, at.top - corner.top, at.width, at.height, look.fill, look.fontSize,
          look.fontFamily.replaceAll('"', ""), inner.length ? String(styles.at(0)) : ""]];
      }),
      shapes: all(made, ".shapelayer path").map((path) => [path.getAttribute("d"), path.getAttribute("style")]),
      cells: all(made, ".heatmaplayer image").map((i) => [i.getAttribute("x"), i.getAttribute("y"), i.href.baseVal]),
      dots: all(made, ".scatterlayer .point").map((dot) => [dot.getAttribute("d"), dot.getAttribute("transform")]),
      height: corner.height,
    };
  };
  window.lab = {
    ours: async (...figures) => {
      const made = box();
      for (const figure of figures) await draw(made, figure);
      return seen(made);
    },
    plotlys: async ({ data, layout }) => {
      const made = box();
      await Plotly.newPlot(made, data, layout, { displayModeBar: false });
      return seen(made);
    },
    exported: async (figure) => {
      const made = await draw(box(), figure);
      const whole = made.firstChild.complete();
      return decodeURIComponent(await Plotly.toImage(whole, { format: "svg", width: 940, height: whole.layout.height }));
    },
    said: async (figure) => {
      const made = await draw(box(), figure);
      return made.querySelector(".js-plotly-plot").data.map((trace) => trace.customdata ?? null);
    },
    nodes: async (from, to) => { // which texts stay the same element, and how often Plotly is called
      const [made, { react }] = [await draw(box(), from), Plotly];
      const before = all(made, "text");
      let calls = 0;
      Plotly.react = (...given) => { calls += 1; return react(...given); };
      await draw(made, to);
      Plotly.react = react;
      return [calls, all(made, "text").filter((text) => before.includes(text)).length, before.length];
    },
  };
}"""
EVERY_TAG = (
    "plain", "<b>bold</b>  two spaces", "a <i>b <b>c</b></i>", "x<sub>2</sub> and y<sup>3</sup> after", "<s>gone</s>",
    "one<br>two", "<b>one<br>two</b>", "&lt;b&gt; &amp;amp; “q”",
    "<span style='color:#C24E00'>colour</span> and none", "", "a < b",
)  # fmt: skip


def sheet_with_every_tag():
    sheet = Sheet(zoom=1.2)
    for k, text in enumerate(EVERY_TAG):
        sheet.write(0.5, 20 + 30 * k, text, 13, anchor=("middle left", "middle center", "middle right")[k % 3])
    for k, anchor in enumerate(("top center", "bottom right", "top left")):
        sheet.write(0.2, 60 + 60 * k, "two<br>lines", 15, LIGHT.accent, anchor)
    return sheet.figure(380)


def sheet_of_long_words(letters):
    """Words at the left border, at the right one and in the middle, of so many of the widest letters."""
    sheet = Sheet()
    for k, (x, anchor) in enumerate(((0.17, "middle left"), (0.9, "middle right"), (0.9, "middle center"), (0.1, "top center"))):
        sheet.write(x, 20 + 30 * k, "W" * letters, 15, anchor=anchor)
    return sheet.figure(140)


def sheets_that_differ():
    """The same figure with one thing else each time: an outline, a cell, a word, a theme, a size."""
    for cell, word, bars, dark, n in (
        (0.2, "a", 1, False, 2),
        (0.2, "a", 2, False, 2),
        (0.7, "a", 2, False, 2),
        (0.7, "b", 1, False, 2),
        (0.7, "b", 1, False, 2),
        (0.7, "b", 1, True, 2),
        (0.7, "b", 1, False, 3),
    ):
        sheet = Sheet(dark)
        sheet.heatmap(
            Grid(np.linspace(0.1, 0.9, n + 1), np.linspace(10, 90, n + 1)), np.full((n, n), cell), Scale(sheet.colors.weights)
        )
        for k in range(bars):
            sheet.frame(0.1 + 0.4 * k, 10, 0.5 + 0.4 * k, 50, sheet.colors.ink)
        for k in range(n):
            sheet.write(0.3 * k + 0.1, 30, word * (k + 1), 14)
        yield sheet.figure(100)


def _read(text):
    """A piece's letters without the spaces of no width that Plotly puts around raised and lowered ones."""
    return text[0].replace("\u200b", "")


def close(ours, plotlys):
    """The same words in the same places, to a pixel, in the same look; and everything else the same."""
    assert [_read(text) for text in ours["texts"]] == [_read(text) for text in plotlys["texts"]]
    for mine, theirs in zip(ours["texts"], plotlys["texts"], strict=True):
        np.testing.assert_allclose(mine[1:5], theirs[1:5], atol=1.0, err_msg=f"{mine} {theirs}")
        assert mine[5:] == theirs[5:]
    assert {part: ours[part] for part in ("shapes", "cells", "dots", "height")} == {
        part: plotlys[part] for part in ("shapes", "cells", "dots", "height")
    }


def plain(figure):
    return json.loads(json.dumps(figure.to_plotly_json(), default=np.ndarray.tolist), parse_constant=lambda _: None)


def shapes_stay_in_their_order_when_some_of_them_change(page):
    """Plotly appends what it draws anew: after a move the stretches lay over the marks of the tokens that had not been moved."""
    order = "() => [...document.querySelectorAll('.shapelayer > g')].map((group) => Number(group.dataset.index))"
    before = page.evaluate(order)
    assert len(before) > 4 and before == sorted(before)
    stretches = page.evaluate("() => document.querySelector('.shapelayer path').getAttribute('d')")
    page.locator(".stMain input[type=range]").nth(1).focus()
    page.keyboard.press("PageUp")
    page.wait_for_function("(old) => document.querySelector('.shapelayer path').getAttribute('d') !== old", arg=stretches)
    settled(page)
    assert page.evaluate(order) == before


def test_our_picture_is_plotlys_drawn_at_once_or_step_by_step_and_exported(visit, monkeypatch):
    figures, sent = [], SheetFigure.sent
    monkeypatch.setattr(SheetFigure, "sent", lambda figure: figures.append(figure) or sent(figure))
    for lesson in ("attention", "overview", "roofline", "logits"):
        show(alone(lesson), SCENARIOS["Article, text"])
    monkeypatch.undo()
    page = visit("/logits?slide=3")
    shapes_stay_in_their_order_when_some_of_them_change(page)
    page.evaluate(LAB, {"plotly": f".{PLOTLY_ADDRESS}", "script": f".{ADDRESS}/plot.js"})
    ours = lambda *drawn: page.evaluate("(figures) => lab.ours(...figures)", [figure.sent() for figure in drawn])  # noqa: E731
    for figure in [sheet_with_every_tag(), *figures]:
        close(ours(figure), page.evaluate("lab.plotlys", plain(figure)))
    hovers = [trace.get("customdata") for trace in plain(figures[1])["data"][:-1]]
    assert page.evaluate("lab.said", figures[1].sent()) == hovers and any(hovers)
    steps = [*sheets_that_differ(), figures[0], sheet_with_every_tag(), figures[1]]
    for k, figure in enumerate(steps):
        assert ours(*steps[: k + 1]) == ours(figure), k
    for mine in ours(sheet_of_long_words(5), sheet_of_long_words(24))["texts"]:
        assert mine[1] >= -1 and mine[1] + mine[3] <= 941 and mine[6] != "15px"  # smaller, and not cut off
    assert ours(sheet_of_long_words(24), sheet_of_long_words(5)) == ours(sheet_of_long_words(5))
    nodes = lambda a, b: page.evaluate("([a, b]) => lab.nodes(a, b)", [steps[a].sent(), steps[b].sent()])  # noqa: E731
    assert nodes(3, 4) == [0, 2, 2] and nodes(0, 1) == [1, 2, 2]  # nothing differs: Plotly is not called; words stay elements
    svg = page.evaluate("lab.exported", steps[-1].sent())
    written = {text for text in plain(steps[-1])["data"][-1]["text"] if text.replace(".", "").replace(" ", "").isalnum()}
    assert "15.3" in written and all(f">{text}<" in svg for text in written)


# In how many pictures on the screen a figure is wider than its room.
TOO_WIDE = """window.tooWide = 0;
(function look() {
  for (const plot of document.querySelectorAll(".tbt-plot")) {
    const drawn = plot.querySelector(".main-svg")?.width.baseVal.value;
    if (drawn && plot.clientWidth && drawn - plot.clientWidth >= 1) window.tooWide++;
  }
  requestAnimationFrame(look);
})()"""


def test_what_is_sent_for_a_phone_is_never_drawn_as_wide_as_the_figure_before_it(visit):
    """It stood at 860 pixels for a tenth of a second, its right half beyond the screen: eight pictures of sixty a second."""
    visit("/attention?slide=1")  # plotly.js is there when the first figure comes, which is the computer's
    page = visit("/attention?slide=1", init=TOO_WIDE, viewport={"width": 390, "height": 844})
    page.wait_for_function("document.querySelector('.main-svg').width.baseVal.value < 390")
    page.wait_for_timeout(300)
    assert page.evaluate("window.tooWide") == 0
    # A headline was 7 pixels wider than a phone where letters are whole pixels wide: made smaller once it was hardly narrower.
    words = "My,grandmother,baked,bread,every,Sunday,morning,before,church"
    by_the_address(page, f"/attention?slide=1&tokens={words}&values=1,18,1,18,1,0,1,0,1&rules=even")
    assert any("0.25·18 + …" in text for text in drawn_texts(page)) and crowded(page) == []
