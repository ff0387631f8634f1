"""What the first screen shows being written: the bundled model's answer to a prompt and a seed, made once for all."""

import json

from engine import KVCache, bundled, generate
from pages.parts.drawing.machine import machine, shortened
from pages.parts.sharing.results import RESULTS
from pages.parts.text.format import join, md
from pages.parts.trained import prompt
from pages.parts.trained.model import finished
from pages.parts.trained.prompt import Prompt

MOST_TOKENS = 20  # of a prompt on this screen; the lesson on the trained model's heads draws longer ones
N_WORDS = 7  # of an answer
MOST_NAMED = 4  # unknown words that are named
BEGINNING = "begin"  # as the story’s first step calls it; to the model it is <bos>
TEMPERATURE = 0.8  # at which the endings differ and still make sentences


def read(text: str) -> Prompt:
    """The prompt as the model gets it, cut to what this screen has room for."""
    return prompt.read(finished(), text).cut(MOST_TOKENS)


def what_it_is() -> str:
    """What the bundled model can do, in a sentence, and what it reads before the first word."""
    return (
        f"A small model that knows {bundled().n_vocab} tokens: it continues sentences like these and is no assistant.\n\n"
        f"Before your words it reads one more, “{BEGINNING}”."
    )


def unknown_words(prompt: Prompt) -> str:
    """What it makes of words that it does not know, and what to type instead."""
    different = list(dict.fromkeys(prompt.unknown))
    named = [f"“{md(shortened(word))}”" for word in different[:MOST_NAMED]]
    if more := len(different) - len(named):
        named.append(f"{more} more")
    return (
        f"It does not know {join(named)}: it knows {bundled().n_vocab} tokens, continues sentences and is no "
        "assistant. Try a prompt above."
    )


def drawing_of_answer(prompt: Prompt, seed: int) -> str:
    """The drawing of the answer as JSON; see parts/drawing/machine.py."""
    return RESULTS.get(("start", prompt.ids, prompt.words, seed), lambda: _drawing_of_answer(prompt, seed), len)


def _drawing_of_answer(prompt: Prompt, seed: int) -> str:
    small = bundled()
    cache = KVCache.for_model(small, len(prompt.ids) + N_WORDS)
    made = generate(small, prompt.ids, N_WORDS + 1, temperature=TEMPERATURE, seed=seed, cache=cache)
    words = [BEGINNING, *prompt.words[1:], *small.tokenizer.tokens(made.token_ids[:-1])]
    drawn = machine(
        made, words, small.tokenizer.words, TEMPERATURE, marked=True, chances_of=f"by chance, temperature {TEMPERATURE}"
    )
    return json.dumps(drawn, allow_nan=False)
