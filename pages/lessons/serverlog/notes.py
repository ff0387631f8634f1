"""What to ask in the lesson on server logs, and what is said there that is not so."""

from pages.parts.teaching.notes import Note

NOTES = {
    "What it says": Note(
        4,
        "Which of these lines are about the cache, and what do they count: bytes, blocks, cells or tokens? Which are about times?",
        {
            "One request may be as long as the cache": (
                "the cache is taken for one sequence’s: all requests at work share it, and none may be longer than the server’s limit"
            ),
            "GiB read as GB": "10⁹ and 2³⁰ differ by seven per cent",
        },
    ),
    "Does it add up?": Note(
        5,
        "Go from row to row: out of which other numbers can you work this one out? Do it before you look at “expected”.",
        {
            "Half or twice as much: the server is wrong": (
                "a setting is taken for an error: first look for the bits of a number, and for how many devices share the cache"
            ),
            "Query heads in the sum": "what is kept is counted by what asks: the cache has key and value heads, or a latent",
        },
    ),
    "How near its bound?": Note(
        4,
        "How many times its bound is each measured time? Name something that is in it and not in the bound.",
        {
            "The server should reach the bound": (
                "a bound is taken for a forecast: nothing can be faster, and queues, kernels’ launches and talk between devices come "
                "on top"
            ),
            "Faster than the bound: a good server": (
                "nobody is faster than the least possible: another model, device or number of bits ran, or several tokens a step"
            ),
            "Mean TTFT is the time of prefill": "the wait in the queue is in it, and under load it may be most of it",
        },
    ),
}
