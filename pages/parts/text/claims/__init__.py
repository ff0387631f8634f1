"""What is said of attention, decode and the cache, each once: a short name, the statement, and what the experiment says of it.

The claims court puts them to the vote; where the quiz asks about one of them with drawn numbers, it takes its words from here.
"""

from pages.parts.text.claims.on_attention import ATTENTION
from pages.parts.text.claims.on_the_cache import CACHE
from pages.parts.text.claims.on_work import WORK

CLAIMS = ATTENTION | CACHE | WORK
