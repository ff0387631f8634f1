"""Pages and shared beginnings: one pool of blocks for many sequences, its empty room, and prompts that begin alike."""

from engine.caches import PagedCache, PagePool, PrefixCache
from engine.caches.prefixes import block_hashes
from pages.lessons.paging import appends, blocks, notebook, two_prompts, waste
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "How do servers keep many caches at once?",
    (blocks.blocks, waste.waste, two_prompts.prompts, appends.appends),
    title="Pages and shared beginnings",
    icon="auto_stories",
    given=blocks.given,
    source=(PagePool, PagedCache, block_hashes, PrefixCache),
    notebook=notebook.cells,
)
