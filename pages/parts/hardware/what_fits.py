"""What memory has room for, in words: how many sequences of this length, and how long so many sequences may be."""

from engine.cost import longest_context
from pages.parts.hardware.setup import Setup
from pages.parts.text.format import plural, quantity

NONE = "Not even one token fits"


def room(s: Setup) -> str:
    """ "**15** sequences of 8,192 tokens, or for one of 130,000 tokens"; NONE and why where the weights alone are too much."""
    longest = longest_context(s.shape, s.device, batch=s.batch, **s.memory)
    now = f"**{s.most:,}** {plural(s.most, 'sequence')} of {quantity(s.n_tokens, 'token')}"
    if longest == 0:
        none = s.batch == 1 or longest_context(s.shape, s.device, batch=1, **s.memory) == 0
        why = "more devices, or fewer bits a parameter"
        if s.all_reserved:
            why = "what a program keeps for itself is all that a device has"
        return f"{NONE}: {why}" if none else f"{now}, and not for one token of each of {s.batch:,}"
    so_many, each = ("one", "") if s.batch == 1 else (f"{s.batch:,}", " each")
    if longest is None:
        return f"{now}, or for {so_many} of any length{each}, all layers having windows"
    return f"{now}, or for {so_many} of {quantity(longest, 'token')}{each}"
