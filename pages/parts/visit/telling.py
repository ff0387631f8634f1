"""What a component needs that tells the server something: when it may, and somebody who is called back."""

from __future__ import annotations

from pathlib import Path

WHEN_DRAWN = Path(__file__).with_name("when_drawn.js").read_text("utf-8")  # put before a component's own script


def nothing() -> None:
    """What a component tells is passed on only where somebody is called back."""
