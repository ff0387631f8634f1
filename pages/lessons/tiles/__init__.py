"""Tiles: attention a block at a time, with a running maximum and sum, and never its matrix."""

from engine.caches import map_tiles, tiled_attention, tiles
from pages.lessons.tiles import maps, notebook, steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "How is attention run without its matrix?",
    (steps.one_row, maps.whole_map, maps.long_text),
    title="Tiles",
    icon="grid_view",
    given=steps.given,
    source=(tiles, map_tiles, tiled_attention),
    notebook=notebook.cells,
)
