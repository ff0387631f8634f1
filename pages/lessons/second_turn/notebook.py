"""The lesson on the second turn as a notebook: which blocks of a chat are found again, and what its input costs."""

from engine.caches.prefix_runs import n_common
from pages.lessons.second_turn import chat, cost
from pages.lessons.second_turn.chat import MOST_TIME, Chat
from pages.parts.teaching.notebook import Cell, built_again, checked, code, prose
from pages.parts.trained import model
from pages.parts.trained.notebook import PREFIX_CACHE

BILL = '''
def bill(way):
    """Tokens of each turn: read from the cache, written into it, fresh; a row a turn."""
    rows = []
    for turn in range(1, turns + 1):
        tokens = system + turn * message + (turn - 1) * answer  # the whole chat so far comes in again
        before = tokens - message - answer if turn > 1 else 0  # what came in at the turn before
        read = before // page * page if way == "kept" else 0
        written = tokens // page * page - read if way != "nothing kept" else 0
        rows.append([read, written, tokens - read - written])
    return np.array(rows)


totals = [float((bill(way) * prices).sum()) / 1e6 for way in ("kept", "changed first", "nothing kept")]
'''


def cells(question: str) -> list[Cell]:
    (c,) = chat.given()
    return [built_again(question), code("import numpy as np"), *_turn_cells(c), *_bill()]


def _turn_cells(c: Chat) -> list[Cell]:
    """The second turn as it is, and with a clock time in front; nothing where the model has no room, or has not run yet."""
    if not c.message.ids or 2 * MOST_TIME + len(c.first.ids) > model.most_tokens(c.trained.model):
        return []
    plain = chat.run_way(c, c.first.ids, c.first.ids, c.message.ids).result
    if plain is None:
        return []
    front, again = (chat.stamped(c, time) for time in c.times)
    stamped = n_common(front, again) // c.block_size * c.block_size
    return [
        prose(
            "## The second turn\n\nToken numbers as the trained model reads them. A block is known by a hash of its tokens and "
            "of the block before it. Of an answer the last word was never fed back: it is kept nowhere."
        ),
        code(
            f"page = {c.block_size}  # tokens of a block\nfirst = {list(c.first.ids)!r}\nanswer = {list(plain.answer_ids)!r}\n"
            f"following = {list(c.message.ids)!r}\nearlier, later = {list(front)!r}, {list(again)!r}  # with a clock time in front\n"
            f"{PREFIX_CACHE}\n\n"
            "from_cache = []\nfor begins, repeated in ((first, first), (earlier, later)):\n    kept.clear()\n"
            "    keep([*begins, *answer][:-1])\n    from_cache.append(found([*repeated, *answer, *following]))"
        ),
        checked("from_cache", [plain.turn.hit_tokens, stamped], "tokens from the cache: as it is, with the time in front"),
    ]


def _bill() -> list[Cell]:
    """The input of a longer chat at the prices on screen."""
    b = cost.bill()
    sizes = cost.TURNS.value(), cost.SYSTEM.value(), cost.MESSAGE.value(), cost.ANSWER.value()
    rows = [[t.read, t.written, t.fresh] for t in b.turns["kept"]]
    return [
        prose("## What the input costs\n\nIn three ways: the beginning kept, something changed first, nothing kept."),
        code(
            f"turns, system, message, answer = {sizes!r}  # how many; tokens of instructions, of a message, of an answer\nprices "
            f"= np.array({list(b.prices)!r})  # of a million tokens: read, written, fresh\npage = {cost.STORED}\n{BILL}"
        ),
        checked('bill("kept")', rows, "tokens read, written and fresh at each turn"),
        checked("totals", [b.total(way) for way in b.turns], "the input of all turns, three ways"),
    ]
