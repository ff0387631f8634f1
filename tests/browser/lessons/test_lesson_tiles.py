"""Tiles in a real browser: areas are bytes where a square is one."""

from reading import until

UNITS = """() => {
  const { width, height, xaxis, yaxis, meta } = document.querySelector('.tbt-plot .main-svg').closest('.tbt-plot')._fullLayout;
  return [width / xaxis.range[1] / 1040, height / (yaxis.range[0] - yaxis.range[1])];
}"""


def squares(page):
    """Drawn as wide and as high as its box, a square was 1.9 times as wide as high."""
    across, down = page.evaluate(UNITS)
    return abs(across / down - 1) < 0.01


def test_bytes_are_squares(visit):
    page = visit("/tiles?slide=3")
    until(page, lambda: squares(page), True)
