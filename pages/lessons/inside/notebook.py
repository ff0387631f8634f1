"""The lesson on learned heads as a notebook: where each head of the last token looks, and the next word after each layer."""

from engine.sampling import best_first
from pages.lessons.inside import view
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.trained import model, notebook
from pages.parts.trained.notebook import NEAR, SHARE

SHOWN = 5  # likeliest words


def cells(question: str) -> list[Cell]:
    (v,) = view.given()
    if v.intact.own:
        return notebook.not_bundled(question)
    if v.inside is None:
        return [prose(f"# {question}\n\nThe model has not read the prompt yet.")]
    best = best_first(v.inside.probs, SHOWN)
    layer, head = v.selected
    query = len(v.prompt.ids) - 1
    return [
        *notebook.model_cells(v.trained, question),
        prose("## Where heads look\n\nOne pass over the prompt. Every row of weights sums to one, and looks at no later token."),
        code(
            f"prompt = {list(v.prompt.ids)!r}\nwords = {list(v.prompt.words)!r}\nhidden, weights = forward(prompt, "
            "empty_cache())  # (layer, token, width), (layer, head, query, key)\nassert np.allclose(weights.sum(axis=-1), 1)"
        ),
        checked("weights[:, :, -1]", v.inside.weights[:, :, query], "weights of the last token in each head of each layer", NEAR, SHARE),
        code(f"looks_at = weights[{layer}, {head}].argmax(axis=1)  # of the head that is enlarged on the page\n"
             "[(words[query], words[key]) for query, key in enumerate(looks_at)]"),
        prose(
            "## The next word, after each layer\n\nThe last token's state after the embedding and after each layer, read as if the "
            "model ended there. The last row is what it says."
        ),
        code(
            f"likeliest = {best!r}  # {', '.join(map(repr, model.words(v.intact, best)))}\n"
            "chances = softmax(logits_of(hidden[:, -1]))"
        ),
        checked("chances[:, likeliest]", v.inside.lens[:, best], "chances of these words after each layer", 1e-5, SHARE),
    ]  # fmt: skip
