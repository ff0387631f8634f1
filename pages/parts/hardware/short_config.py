"""A config.json in short, for a link: packed into letters, all of it.

To leave out every field that changes nothing of what is read took 40 lines and up to 75 ms, and shortened the longest file of the
tests from 512 letters to 235.

What comes back is read as if it had been pasted, so a link can do nothing that a pasted text cannot. It is bounded before it is
unpacked and while it is: a few hundred letters can stand for gigabytes of zeros.
"""

import base64
import binascii
import json
import zlib

MOST_CHARS = 1500  # of the short form: a parameter of a link holds 1,600


def pack(text: str, most_chars: int) -> str:
    """The short form of a config.json's text, as JSON without spaces; "" where it, or what comes back of it, would be too long."""
    plain = json.dumps(json.loads(text), separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode().rstrip("=")
    return packed if len(packed) <= MOST_CHARS and len(plain) <= most_chars else ""


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
