"""The second turn of a chat: what runs, what a clock time takes away, and bills at the visitor's prices."""

from functools import cache, partial

import pytest
from app_pages import commit, figures, show, text, visited

from engine import bundled, generate
from engine.caches.chat_turns import WAYS, chat_turns, cost
from engine.trained.transformer import Transformer
from pages.lessons.second_turn import chat
from pages.lessons.second_turn import cost as bill
from pages.lessons.second_turn.figures.turn_costs import turn_costs
from pages.parts.trained import model

page = partial(visited, "second_turn")


@cache
def visitor():
    return page()


def linked(**query):
    """The page behind another link, for one visitor after the other: a new session takes three times as long."""
    at = show(visitor(), query)
    assert not at.exception, at.exception[0].value
    return at


def alts(at):
    return [alt for _, alt in figures(at)]


def test_only_what_is_new_and_what_filled_no_block_runs():
    """16 tokens of the prompt, four words of the answer, three of them fed back: 19 in the cache, 16 in full blocks of four."""
    at = page()
    tokenizer = bundled().tokenizer
    first = tokenizer.encode(chat.FIRST_MESSAGE)
    answer = tokenizer.tokens(generate(bundled(), first, 4).token_ids)
    assert len(first) == 16 and alts(at)[0].endswith("as it is 16 of 24 tokens come from the cache and 8 run.")
    assert "Only **8** of 24 tokens run: the 4 of the new message and 4 before it" in text(at) and "which is rounding" in text(at)
    assert set(answer) <= set(figures(at)[0][0]["data"][-1]["text"])
    assert "as it is 20 of 25 tokens come from the cache and 5 run" in alts(linked(g="5"))[0]
    assert (
        "19 of 24 tokens come from the cache and 5 run" in alts(linked(block="1"))[0]
    )  # the answer's last word was not fed back
    assert "What came before fills no block, so all 8 tokens run." in text(linked(block="16", prompt="Anna has", g="1"))


def test_a_clock_time_first_loses_all_and_last_loses_nothing():
    at = page()
    assert "seven" not in alts(at)[0] and "clock" not in alts(at)[0]
    said = commit(at, "clock_first", 0)
    assert "**0 tokens**, as you predicted" in said and "Only the first token is the same" in said
    assert "with a clock time first 0 of 25 tokens come from the cache and 25 run" in alts(at)[0]
    assert "with a clock time last 20 of 26 tokens come from the cache and 6 run" in alts(at)[0]
    assert "computed: **1 token**" in commit(linked(block="1"), "clock_first", 16)  # the mark of the beginning


def test_a_message_too_long_for_a_second_turn_is_a_sentence(monkeypatch):
    assert len(text(linked(prompt="so " * 400, g="12", next="is " * 400))) > 50
    monkeypatch.setattr(Transformer, "n_ctx", 12, raising=False)
    monkeypatch.setattr(model, "most_tokens", lambda _: 12)
    assert "no room for a second turn" in text(page())


def test_bills_are_those_of_the_typed_prices():
    at = page(turns="2", system="900", message="100", reply="300", price_read="0.5", price_write="2", price_fresh="1")
    totals = [cost(chat_turns(2, 900, 100, 300, bill.STORED, way), 0.5, 2, 1) for way in WAYS]
    assert (
        alts(at)[1]
        == "Cost of the input of 2 turns: " + ", ".join(f"{w} {bill.money(c)}" for w, c in zip(WAYS, totals, strict=True)) + "."
    )
    next(w for w in at.number_input if w.key == "extra_price_read").set_value(0.0).run()
    assert at.session_state["extras"]["price_read"] == "0"
    next(w for w in at.number_input if w.key == "extra_price_read").set_value(None).run()
    assert at.session_state["extras"]["price_read"] == ""


@pytest.mark.parametrize(
    ("read", "write", "fresh", "answer", "why"),
    [("0.1", "1.25", "1", "after 1 reading", "1.25 + 1 × 0.1 = 1.35; fresh every time: 2 × 1 = 2"),
     ("0.1", "1", "1", "after 1 reading", "costs nothing extra"), ("1", "1.25", "1", "never", "reading saves nothing"),
     ("0.5", "2.25", "1", "after 3 or more", "2.25 + 3 × 0.5 = 3.75"), ("0.1", "0.5", "1", "at once", "even storing is cheaper")],
)  # fmt: skip
def test_when_storing_pays_is_worked_out_from_the_prices(read, write, fresh, answer, why):
    at = linked(price_read=read, price_write=write, price_fresh=fresh)
    said = commit(at, "pays_after", answer)
    assert "as you predicted" in said and why in said


def test_something_changed_first_costs_more_only_where_writing_does():
    assert "**more** than with nothing kept" in text(page())
    assert "as much as with nothing kept" in text(linked(price_write="1"))
    assert "**less** than with nothing kept" in text(linked(price_write="0.5"))


def test_the_bars_stand_on_one_scale_and_add_up():
    turns = {way: chat_turns(3, 1000, 100, 100, 128, way) for way in WAYS}
    figure = turn_costs(turns, (0.1, 1.25, 1.0)).to_plotly_json()
    words = list(figure["data"][-1]["text"])
    assert words.count("turn") == 3 and {"read", "written", "fresh"} <= set(words)
    assert turn_costs(turns, (0, 0, 0))  # nothing costs anything


@pytest.mark.parametrize(
    "extras",
    [{"turns": "60", "system": "200000", "message": "50000", "reply": "50000", "price_read": "1000", "price_fresh": "1e-9"},
     {"turns": "1", "system": "0", "prompt": "zebra", "next": "<b>"}, {"price_read": "nan", "price_write": "-1", "turns": "x"},
     {"next": "<bos>", "g": "999", "block": "16"}, {"present": "on", "slide": "2", "source": "/"}],
)  # fmt: skip
def test_extreme_links_show_a_lesson(extras):
    assert len(text(linked(**extras))) > 20
