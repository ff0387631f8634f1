"""The second turn of a chat: what runs, what a clock time takes away, and bills at the visitor's prices."""

import re
from functools import partial
from itertools import product

import app_pages
import pytest
from app_pages import alts, commit, computed, figures, right, says, selected, text, visited

from engine import bundled
from engine.caches.chat_turns import WAYS, chat_turns, cost
from engine.trained.transformer import Transformer
from pages.lessons.second_turn import chat
from pages.lessons.second_turn import cost as bill
from pages.lessons.second_turn.figures.turn_costs import turn_costs
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.sheet import Sheet, ems
from pages.parts.trained import model

page = partial(visited, "second_turn")
linked = partial(app_pages.linked, "second_turn")


def written(at):
    """The words in the page's first figure."""
    return figures(at)[0][0]["data"][-1]["text"]


def test_only_what_is_new_and_what_filled_no_block_runs():
    """16 tokens of the prompt, four words of the answer, three of them fed back: 19 in the cache, 16 in full blocks of four."""
    at = page(slide=1)
    assert len(bundled().tokenizer.encode(chat.FIRST_MESSAGE)) == 16 and says(alts(at)[0], "16 of 24 tokens", "cache", "8 run")
    assert says(text(at), "8 of 24 tokens", "4", "new", "4")
    assert any("rounding" in (m.help or "") for m in at.markdown)
    first, second = ("First turn", 16, "prompt", 4, "answer"), ("Second turn", 16, "from the cache", 4, "said, but run", 4, "new")
    assert [re.sub("</?b>", "", word) for word in written(at)[:12]] == [str(word) for word in (*first, *second)]
    assert says(alts(linked(g="5", slide=1))[0], "20 of 25 tokens", "cache", "5 run")
    # The answer's last word was not fed back.
    assert says(alts(linked(block="1", slide=1))[0], "19 of 24 tokens", "cache", "5 run")
    assert says(text(linked(block="16", prompt="Anna has", g="1", slide=1)), "no block", "all 8 tokens")


def test_a_clock_time_first_loses_all_and_last_loses_nothing():
    at = page(slide=1)
    assert "seven" not in alts(at)[0] and "clock" not in alts(at)[0]
    said = commit(at, "clock_first", 0)
    assert right(said, "0 tokens") and says(said, "only", "first token")
    assert says(alts(at)[0], "clock", "first", "0 of 25 tokens", "cache", "25 run")
    assert {"<b>19</b>", "said, but run"} <= set(written(at))  # all that was said, but for the mark; the new time is none of it
    assert says(alts(at)[0], "clock", "last", "20 of 26 tokens", "cache", "6 run")
    wrong = commit(linked(block="1", slide=1), "clock_first", 16)
    assert not right(wrong) and computed(wrong) == "1 token"  # the mark of the beginning


def test_where_no_block_is_found_the_place_of_the_time_is_told_to_make_no_difference():
    """“With the time first 16, with the time last 17. What changes belongs at the end.”"""
    for link, none in ((dict(block="16", prompt=".", next="."), True), (dict(block="4"), False)):
        at = linked(**link, slide=1)
        commit(at, "clock_first", 0)
        said = text(at)
        assert ("No block is found either way" in said, "belongs at the end" in said) == (none, not none)


def test_a_message_too_long_for_a_second_turn_is_a_sentence(monkeypatch):
    assert len(text(linked(prompt="so " * 400, g="12", next="is " * 400, slide=1))) > 50
    monkeypatch.setattr(Transformer, "n_ctx", 12, raising=False)
    monkeypatch.setattr(model, "most_tokens", lambda _: 12)
    assert says(text(page(slide=1)), "no room")


def test_bills_are_those_of_the_typed_prices():
    at = page(turns="2", system="900", message="100", reply="300", price_read="0.5", price_write="2", price_fresh="1")
    totals = [cost(chat_turns(2, 900, 100, 300, bill.STORED, way), 0.5, 2, 1) for way in WAYS]
    each = [f"{w} {bill.money(c)}" for w, c in zip(WAYS, totals, strict=True)]
    assert says(alts(at)[1], "2 turns", *each)
    next(w for w in at.number_input if w.key == "extra_price_read").set_value(0.0).run()
    assert selected(at)["price_read"] == "0"
    next(w for w in at.number_input if w.key == "extra_price_read").set_value(None).run()
    assert selected(at)["price_read"] == ""


@pytest.mark.parametrize(
    ("read", "write", "fresh", "answer", "why"),
    [("0.1", "1.25", "1", "after 1 reading", ("1.25 + 1 × 0.1 = 1.35", "2 × 1 = 2")),
     ("0.1", "1", "1", "after 1 reading", ("nothing extra",)), ("1", "1.25", "1", "never", ("saves nothing",)),
     ("0.5", "2.25", "1", "after 3 or more", ("2.25 + 3 × 0.5 = 3.75",)), ("0.1", "0.5", "1", "at once", ("cheaper",))],
)  # fmt: skip
def test_when_storing_pays_is_worked_out_from_the_prices(read, write, fresh, answer, why):
    at = linked(price_read=read, price_write=write, price_fresh=fresh, slide=2)
    said = commit(at, "pays_after", answer)
    assert right(said, answer) and says(said, *why)


def test_something_changed_first_costs_more_only_where_writing_does():
    for write, told in (("1.25", "more"), ("1", "as much"), ("0.5", "less")):
        said = str(alts(linked(price_write=write, slide=2)))
        assert [word for word in ("more", "as much", "less") if re.search(f"costs {word} .{{2,4}} nothing kept", said)] == [told]


def test_the_bars_stand_on_one_scale_and_add_up():
    turns = {way: chat_turns(3, 1000, 100, 100, 128, way) for way in WAYS}
    for phone in (False, True):
        words = list(turn_costs(Sheet(phone=phone), turns, (0.1, 1.25, 1.0)).data[-1].text)
        assert {"read 0.1", "written 1.25", "nothing kept: 100%, fresh 1"} <= set(words)  # each where it is
    assert turn_costs(Sheet(), turns, (0, 0, 0))  # nothing costs anything


@pytest.mark.parametrize("phone", [False, True])
def test_a_dashed_line_is_said_to_be_the_fresh_price(phone):
    """Nothing said what it is where reading costs three times as much and writing half, or all the same."""
    said, prices = 0, (0, 0.1, 0.5, 0.9, 1, 1.25, 3, 10)
    sizes = (3, 1000, 100, 300), (12, 1000, 100, 300), (3, 10, 60, 70), (1, 0, 1, 1)  # of the last two much fills no block
    for read, write, fresh, size in product(prices, prices, (0.5, 1), sizes):
        turn_costs(sheet := Sheet(phone=phone), {way: chat_turns(*size, 128, way) for way in WAYS}, (read, write, fresh))
        places = [(covered(sheet, *word[:4], word[5]), word[2]) for word in sheet.words]
        told = [place for place, word in places if "fresh" in word]
        blue = "".join(shape["path"] for shape in sheet.shapes if shape.get("fillcolor") == sheet.colors.prefill)
        ends = [float(x) for x in re.findall(r"M[-\d.]+,[-\d.]+L([\d.]+),", blue)]
        white = [
            word for word in sheet.words if "fresh" in word[2] and word[4] == ink_on(sheet.colors.prefill) != sheet.colors.ink
        ]
        assert all(any(0 <= end - word[0] <= 9 / sheet.wide for end in ends) for word in white)  # in what is written, to its end
        dashed = any((shape.get("line") or {}).get("dash") == "dash" for shape in sheet.shapes)
        assert len(told) == dashed
        said += dashed and size[0] * size[1] > 1000
        for x0, y0, x1, y1 in told:
            assert not [w for (a, b, c, d), w in places if "fresh" not in w and a < x1 and x0 < c and b < y1 and y0 < d]
    assert said > 0.9 * 2 * 2 * len(prices) ** 2  # the rest has a line at none


def covered(sheet, x, y, word, size, anchor):
    """About what a word covers: from the left, from the top, to the right, to the bottom."""
    wide = ems(word) * size / sheet.wide
    left = x - wide * {"left": 1.0, "center": 0.5, "right": 0.0}[anchor.split()[1]]
    return left, y - 0.45 * size, left + wide, y + 0.45 * size


def test_a_price_is_a_height_and_tokens_are_a_width():
    """Tokens written at twice the fresh price are twice as high as where nothing is kept, and as wide as they are many."""
    turns = {way: chat_turns(3, 1000, 100, 100, 128, way) for way in WAYS}
    drawn = turn_costs(Sheet(phone=True), turns, (0.5, 2.0, 1.0))
    shapes = drawn.to_plotly_json()["layout"]["shapes"]
    paths = [[tuple(map(float, point.split(","))) for point in re.findall(r"[-\d.]+,[-\d.]+", s.get("path", ""))] for s in shapes]
    boxes = [(path[2][0] - path[0][0], path[2][1] - path[0][1]) for path in paths if len(path) == 4]
    (whole, fresh), (_, written), n = boxes[0], boxes[1], sum(t.n_input for t in turns["kept"])
    assert written == pytest.approx(2 * fresh, abs=0.1) and whole == 1
    assert boxes[1][0] == pytest.approx(sum(t.written for t in turns["kept"]) / n, abs=1e-4)
    assert boxes[2][0] == pytest.approx(sum(t.read for t in turns["kept"]) / n, abs=1e-4)


def test_a_bill_many_times_as_large_is_no_percentage_and_none_is_a_part_of_nothing():
    """“12809790.1% of the 0.000263”; “1.69 of nothing kept”, where fresh input costs nothing."""
    prices = {"price_read": "1000", "price_write": "1000"}
    dear = text(linked(**prices, price_fresh="0.00001", slide=2))
    assert says(dear, "× the", "with nothing kept") and "%" not in dear
    drawn = [str(figures(linked(**more, slide=2))[0][0]["data"][-1]["text"]) for more in (prices | {"price_fresh": "0"}, {})]
    assert ["%" in words for words in drawn] == [False, True]


@pytest.mark.parametrize(
    "extras",
    [{"turns": "60", "system": "200000", "message": "50000", "reply": "50000", "price_read": "1000", "price_fresh": "1e-9"},
     {"turns": "1", "system": "0", "prompt": "zebra", "next": "<b>"}, {"price_read": "nan", "price_write": "-1", "turns": "x"},
     {"next": "<bos>", "g": "999", "block": "16"}, {"present": "on", "slide": "2", "source": "/"}],
)  # fmt: skip
def test_extreme_links_show_a_lesson(extras):
    assert len(text(linked(**extras))) > 20


@pytest.mark.parametrize(
    ("prices", "last"), [((0.1, 1.25, 1.0), 3), ((0.9, 2.0, 1.0), 11), ((1.0, 1.25, 1.0), 3), ((0, 0, 0), 3)]
)
def test_when_storing_has_paid_is_drawn_once_it_is_answered(prices, last):
    turns = {way: chat_turns(2, 100, 10, 10, 128, way) for way in WAYS}
    right = bill.OPTIONS[1]
    before, after = (
        turn_costs(Sheet(), turns, prices, asked) for asked in (NOT_ASKED, Asked(bill.OPTIONS, guess="never", right=right))
    )
    words = {re.sub("</?b>", "", word) for word in after.data[-1].text}
    assert {"read once", f"read {last} times", "✓", right} <= words
    said = before.data[-1].text  # until then no sum tells it
    assert {"<b>?</b>", "storing has paid", "read 3 times"} <= set(said) and "<b>✓</b>" not in said
    assert not [word for word in said if "&lt;" in word or "&gt;" in word]
    assert before.layout.height == after.layout.height


def test_where_reading_costs_more_than_fresh_input_storing_pays_at_once_and_not_for_long():
    """“At once” beside a verdict that calls it wrong."""
    turns = {way: chat_turns(2, 100, 10, 10, 128, way) for way in WAYS}
    drawn = turn_costs(Sheet(), turns, (3.0, 0.5, 1.0), Asked(bill.OPTIONS, guess="at once", right=bill.NOT_FOR_LONG))
    words = {re.sub("</?b>", "", word) for word in drawn.data[-1].text}
    assert "at once, not for long" in words and not {"at once", "✓ your guess"} & words
