"""A config.json in short, for a link: only the fields that bear on what is read from it, packed into letters.

What comes back is read as if it had been pasted, so a link can do nothing that a pasted text cannot. It is bounded before it is
unpacked and while it is: a few hundred letters can stand for gigabytes of zeros.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
import zlib
from collections.abc import Callable

MOST_CHARS = 1500  # of the short form: a parameter of a link holds 1,600
SECONDS = 0.5  # of trying what can be left out; a file of ten thousand fields would take minutes


def pack(config: dict, read: Callable[[dict], object]) -> str:
    """The short form; "" where it would be too long. read: what a config means, with notes; a field without which it means the
    same is left out, as far as that can be found out within SECONDS."""
    kept = _needed(config, read, time.perf_counter() + SECONDS)
    text = json.dumps(kept, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return packed if len(packed) <= MOST_CHARS else ""


def unpack(packed: str, most_chars: int) -> str:
    """The text of the config.json. ValueError where it is none of ours, or longer than most_chars."""
    wrong = ValueError("expected the short form of a config.json as this page writes it, got something else or a part of it")
    if len(packed) > MOST_CHARS or not packed.isascii():
        raise wrong
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True), most_chars)
        text = data.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise wrong from None
    if not unpacker.eof:
        raise wrong
    return text


def _needed(config: dict, read: Callable[[dict], object], end: float) -> dict:
    """The config without the fields that change nothing, those of the parts one level down included. end: when to stop trying."""
    config = _without(config, list(config), read, read(config), end)
    for name, part in config.items():
        if isinstance(part, dict):
            whole = config
            meant = read(whole)
            kept = _without(part, list(part), lambda less, name=name, whole=whole: read(whole | {name: less}), meant, end)
            config = config | {name: kept}
    return config


def _without(config: dict, names: list[str], read: Callable[[dict], object], meant: object, end: float) -> dict:
    """Leave out all of these names at once if that changes nothing, else each half of them by itself."""
    if not names or time.perf_counter() > end:
        return config
    rest = {key: value for key, value in config.items() if key not in names}
    if _same(read, rest, meant):
        return rest
    if len(names) == 1:
        return config
    half = len(names) // 2
    return _without(_without(config, names[:half], read, meant, end), names[half:], read, meant, end)


def _same(read: Callable[[dict], object], config: dict, meant: object) -> bool:
    try:
        return read(config) == meant
    except ValueError:
        return False
