"""Tiles in a real browser: a unit of the map is as long across as down."""

from reading import until

UNITS = """() => {
  const { width, height, xaxis, yaxis, meta } = document.querySelector('.tbt-plot .main-svg').closest('.tbt-plot')._fullLayout;
  return [width / xaxis.range[1] / 1040, height / (yaxis.range[0] - yaxis.range[1])];
}"""


def squares(page):
    """Drawn as wide and as high as its box, a tile was 1.9 times as wide as high."""
    across, down = page.evaluate(UNITS)
    return abs(across / down - 1) < 0.01


def test_a_tile_is_a_square(visit):
    page = visit("/tiles?slide=2")
    until(page, lambda: squares(page), True)
