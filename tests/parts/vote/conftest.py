"""Rooms of a test's own."""

from types import SimpleNamespace

import pytest

from pages.parts.vote import class_vote
from pages.parts.vote.rooms.rooms_file import digest


@pytest.fixture
def own_rooms(tmp_path, monkeypatch):
    """The rooms that lessons use, empty."""
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path / "rooms"))
    yield class_vote.rooms()
    class_vote.rooms().file.disconnect()
    class_vote._rooms.cache_clear()


@pytest.fixture
def browsers(own_rooms, monkeypatch):
    """Browsers that keep what they are told, a phone's number by the visit; a test may put other words into them."""
    told = SimpleNamespace(room=None, own=None, phone=None)

    def component(key, data, **_):
        return SimpleNamespace(
            room=told.room, own=told.own, phone=told.phone or (digest(data["visit"]) if data["phone"] else None)
        )

    monkeypatch.setattr(class_vote, "_ROOM_MEMORY", component)
    return told
