"""Rooms of a test's own."""

import pytest

from pages.parts.vote import here


@pytest.fixture
def own_rooms(tmp_path, monkeypatch):
    """The rooms that lessons use, empty."""
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path / "rooms"))
    yield here.rooms()
    here.rooms().file.disconnect()
    here._rooms.cache_clear()
