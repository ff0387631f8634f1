"""The second turn of a chat: what of it is in the cache already, what a clock time in front takes away, and what it costs."""

from engine.caches import PrefixCache, chat_turns
from engine.caches.prefix_runs import second_turn
from pages.lessons.second_turn import chat, cost, notebook, turn
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does the next message of a chat cost?",
    (turn.turn, cost.costs),
    title="The second turn of a chat",
    icon="forum",
    on_the_map="What does the next message cost?",
    given=chat.given,
    source=(PrefixCache.prefill, PrefixCache.remember, second_turn, chat_turns.chat_turns, chat_turns.cost),
    toy=False,
    notebook=notebook.cells,
)
