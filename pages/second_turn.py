"""The second turn of a chat: what of it is in the cache already, what a clock time in front takes away, and what it costs."""

from engine.caches import PrefixCache
from engine.caches.chat_turns import chat_turns, cost
from engine.caches.second_run import second_turn
from pages.lessons.second_turn import chat, notebook, notes
from pages.lessons.second_turn import cost as bill
from pages.lessons.second_turn.turn import turn
from pages.parts.lesson.lesson import lesson

lesson(
    "What does the next message of a chat cost?",
    turn,
    bill.costs,
    given=chat.given,
    source=(PrefixCache.prefill, PrefixCache.remember, second_turn, chat_turns, cost),
    toy=False,
    notebook=notebook.cells,
    teaching=notes.NOTES,
)
