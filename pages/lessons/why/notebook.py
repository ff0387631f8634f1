"""The lesson on looking back as a notebook: the story read once, where its last word looks, and what the model says next."""

from engine import bundled
from engine.sampling import best_first
from pages.lessons.why import steps
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.trained import notebook
from pages.parts.trained.model import finished
from pages.parts.trained.notebook import NEAR, SHARE

SHOWN = 4  # likeliest words


def cells(question: str) -> list[Cell]:
    """The pass over the story, the weights of the head that is drawn, and the chances of the next word."""
    (found,) = steps.given()
    best = best_first(found.probs, SHOWN)
    likeliest = ", ".join(repr(bundled().tokenizer.words[i]) for i in best)
    layer = found.n_layer - 1
    return [
        *notebook.model_cells(finished(), question),
        prose("## Where the last word looks\n\nOne pass over the story; the last row of one head in the last layer."),
        code(
            f"prompt = {list(found.token_ids)!r}\nwords = {list(found.words)!r}\n"
            "hidden, weights = forward(prompt, empty_cache())  # (layer, token, width), (layer, head, query, key)"
        ),
        checked(f"weights[{layer}, {found.head}, -1]", found.looks, "how much the last word takes from each word", NEAR, SHARE),
        code(f"words[weights[{layer}, {found.head}, -1].argmax()]  # the word that it takes most from"),
        prose("## What it says next\n\nChange the colour in `prompt` and run both again: the word that comes next follows."),
        code(f"likeliest = {best!r}  # {likeliest}\nchances = softmax(logits_of(hidden[-1, -1]))"),
        checked("chances[likeliest]", found.probs[best], "chances of these words", 1e-5, SHARE),
    ]
