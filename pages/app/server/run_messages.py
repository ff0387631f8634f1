"""How the messages of a run reach the loop that sends them: together, and all of them. Three of the reaches of streamlit_internals.py."""

from collections import deque
from functools import partial
from weakref import WeakKeyDictionary, WeakSet

Reach = tuple[object, str, object]  # whose name, which name, and what stands there instead
TOGETHER_S = 0.005  # as long as that loop rests between two looks
_WAITING: WeakKeyDictionary[object, deque] = WeakKeyDictionary()  # of each session, what its runs have told


def messages_together() -> Reach:
    """The messages of a run reach the loop that sends them together: when the run ends, or after TOGETHER_S.

    Streamlit wakes that loop for each of them, thirty times a move, and each time the two threads wait for one another; and whoever
    sends them is told of each.
    """
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner import ScriptRunnerEvent

    goes_on = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
    asked = WeakSet()  # sessions that will be looked at soon
    handle = AppSession._handle_scriptrunner_event_on_event_loop

    def told(session, sender, event, *args, **kwargs) -> None:
        _WAITING.setdefault(session, deque()).append((handle, sender, event, args, kwargs))
        if event not in goes_on:
            session._call_soon_on_event_loop(partial(take, session))
        elif session not in asked:  # a thread that finds it there has its own waiting before it is taken out
            asked.add(session)
            session._call_soon_on_event_loop(partial(session._event_loop.call_later, TOGETHER_S, take, session))

    def take(session) -> None:
        asked.discard(session)
        _take_waiting(session)

    return AppSession, "_on_scriptrunner_event", told


def messages_before_the_next_runner() -> Reach:
    """What a run has told and is still waiting is taken before another thread runs the session, where `messages_together` holds it.

    Streamlit takes nothing of a thread that is no longer the session's own. So a request that met the end of a run took its last
    elements with it: the page did not show what a press had led to, one in some hundreds while a timer asked on.
    """
    from streamlit.runtime.app_session import AppSession

    create = AppSession._create_scriptrunner

    def created(session, request) -> None:
        _take_waiting(session)
        create(session, request)

    return AppSession, "_create_scriptrunner", created


def messages_whole_before_a_fragment() -> Reach:
    """What a run has told is sent whole, though one of its fragments runs anew before it is sent.

    Streamlit then drops that fragment's part of it, but not its end, at which the browser takes off the page what the run has not drawn
    and moves up what stands behind it; the fragment was drawn in the place of that. So a button that was pressed just when the page came
    could leave a step without the way on. It drops that part because what is told of a place replaces what waits for it: that ends here.
    """
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

    drop = ForwardMsgQueue.clear

    def clear(queue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None) -> None:
        if retain_lifecycle_msgs and fragment_ids_this_run is not None:
            queue._delta_index_map = {}
        else:
            drop(queue, retain_lifecycle_msgs, fragment_ids_this_run)

    tried, message = ForwardMsgQueue(), ForwardMsg()
    message.metadata.delta_path[:] = [0, 1]
    message.delta.fragment_id = "tried"
    message.delta.new_element.markdown.body = "tried"
    for _ in range(2):
        tried.enqueue(message)
        clear(tried, True, ["tried"])
    if (waiting := tried.flush()) != [message, message]:
        raise ValueError(f"expected two messages that wait, got {waiting}")
    return ForwardMsgQueue, "clear", clear


def _take_waiting(session) -> None:
    """Hand on all that the session's runs have told, on its loop; whoever sends it is told once."""
    waiting = _WAITING.get(session)
    if not waiting:
        return
    tell, session._message_enqueued_callback = getattr(session, "_message_enqueued_callback", None), None
    try:
        while waiting:
            handle, sender, event, args, kwargs = waiting.popleft()
            handle(session, sender, event, *args, **kwargs)
    finally:
        session._message_enqueued_callback = tell
        if tell:
            tell()
