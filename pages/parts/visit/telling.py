"""What a component needs that tells the server something: when it may, and somebody who is called back."""

from __future__ import annotations

import re
from pathlib import Path

_WITH_COMMENTS = Path(__file__).with_name("when_drawn.js").read_text("utf-8")
WHEN_DRAWN = re.sub(
    r"^//.*\n", "", _WITH_COMMENTS, flags=re.MULTILINE
)  # put before a component's own script, which is sent often


def nothing() -> None:
    """What a component tells is passed on only where somebody is called back."""
