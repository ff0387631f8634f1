"""Other ways to keep keys and values, under the protocol `engine.cache.Cache`: any of them serves any model here.

Exact: pages, prefixes that are shared, attention by tiles. Less is kept, and the answer may change: windows and sinks,
heavy hitters, fewer bits; `cache_error` says what they changed.
"""

from engine.caches.errors import CacheError, LastPass, cache_error, last_pass, pass_error, relative_error
from engine.caches.heavy_hitters import HeavyHitterCache
from engine.caches.pages import PagedCache, PagePool
from engine.caches.prefixes import PrefixCache, PrefixPrefill
from engine.caches.quantised import Quantised, quantise
from engine.caches.quantised_cache import QuantisedCache
from engine.caches.tiles import Tile, map_tiles, tiled_attention, tiles
from engine.caches.window import WindowCache

__all__ = [
    "CacheError", "HeavyHitterCache", "LastPass", "PagePool", "PagedCache", "PrefixCache", "PrefixPrefill",
    "Quantised", "QuantisedCache", "Tile", "WindowCache", "cache_error", "last_pass", "map_tiles", "pass_error", "quantise",
    "relative_error", "tiled_attention", "tiles",
]  # fmt: skip
