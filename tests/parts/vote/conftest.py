"""Rooms of a test's own."""

from types import SimpleNamespace

import pytest

from pages.parts.vote import in_a_room
from pages.parts.vote.rooms.rooms_file import digest


@pytest.fixture
def own_rooms(tmp_path, monkeypatch):
    """The rooms that lessons use, empty."""
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path / "rooms"))
    yield in_a_room.rooms()
    in_a_room.rooms().file.disconnect()
    in_a_room._rooms.cache_clear()


@pytest.fixture
def browsers(own_rooms, monkeypatch):
    """Browsers that keep what they are told, a phone's number by the visit; a test may put other words into them."""
    told = SimpleNamespace(room=None, own=None, phone=None)

    def component(key, data, **_):
        return SimpleNamespace(
            room=told.room, own=told.own, phone=told.phone or (digest(data["visit"]) if data["phone"] else None)
        )

    monkeypatch.setattr(in_a_room, "_ROOM_MEMORY", component)
    return told
