"""What the notebooks of the toy's lessons share: the scenario as data, attention in a few lines, and the answer word by word."""

from collections.abc import Sequence

from engine.experiments.chosen_answer import cached_and_recomputed
from engine.model import ForwardPass
from engine.toy.scenario import Scenario
from pages.parts.teaching.notebook import Cell, built_again, checked, code, literal, prose

ATTENTION = '''
def wanted(rule, i, j, was_last):
    """Which keys j the query at row i looks for, positions from 1. was_last: what each key said when its token came in."""
    kind, _, number = rule.partition(":")
    if kind == "previous":
        return j == i - int(number or 1)
    if kind == "window":
        return (i - int(number or 2) < j) & (j <= i)
    if kind == "at":
        return np.isin(j, [int(p) for p in number.split(".")])
    if kind == "last":
        return was_last[j - 1]
    return {"even": j % 2 == 0, "odd": j % 2 == 1, "self": j == i, "first": j == 1, "all": j > 0, "none": j < 0}[kind]


def softmax(x):
    """Exponentials divided by their sum; a row of nothing but minus infinity gets zeros."""
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def weights_of(scores, mask):
    """Softmax over what the mask allows, and what the scenario makes of a row in which nothing matches."""
    if empty_row == "soft":
        return softmax(np.where(mask, scores, -np.inf))
    if empty_row == "softmax1":
        e = np.exp(np.where(mask, scores, -np.inf))
        return e / (1 + e.sum(axis=-1, keepdims=True))
    closed = mask & (mask & (scores > 0)).any(axis=-1, keepdims=True)
    if empty_row == "fill":
        return softmax(np.where(closed, scores, -1e9))
    weights = softmax(np.where(closed, scores, -np.inf))
    return np.where(closed.any(axis=-1, keepdims=True), weights, np.nan) if empty_row == "nan" else weights


def rows(first, values, was_last):
    """Rows first ... n over n keys: scores and weights (head, row, key), contexts (head, row), logits (row, word)."""
    n = len(values)
    i, j = np.arange(first, n + 1)[:, None], np.arange(1, n + 1)[None, :]
    shape = (n - first + 1, n)
    match = np.stack([np.broadcast_to(wanted(rule, i, j, was_last), shape) for rule in rules])
    scores = np.where(match, sharpness, -sharpness)
    mask = np.broadcast_to(j <= i, shape) if causal else np.ones(shape, bool)
    weights = weights_of(scores, mask)
    contexts = weights @ values
    return scores, weights, contexts, contexts.T @ W


def only_last(n):
    """What the keys of one pass say: the last token that "I am the last", the others not."""
    return np.arange(1, n + 1) == n
'''


def scenario_cells(s: Scenario, question: str) -> list[Cell]:
    """The scenario as data and attention as code."""
    return [
        built_again(question),
        code(
            f"import numpy as np\n\ntokens = {list(s.tokens)!r}\nvalues = np.array({literal(s.values)})  # a number for each "
            f"token\nrules = {[str(rule) for rule in s.rules]!r}  # whom each head looks at\nwords = "
            f"{list(s.words)!r}\nword_values = np.array({literal(s.word_values)})  # of a word once it is chosen\nW = "
            f"np.array({literal(s.w_vocab)})  # a row for each head, a column for each word\nsharpness, causal, empty_row = "
            f"{s.sharpness!r}, {s.causal!r}, {s.empty_row!r}"
        ),
        prose("## Attention\n\nA match scores + sharpness, anything else − sharpness; softmax makes weights of the scores."),
        code(ATTENTION),
    ]


def prefill_cells(run: ForwardPass) -> list[Cell]:
    """The prompt in one pass, compared stage by stage."""
    layer = run.layers[0]
    return [
        prose("## The prompt in one pass"),
        code("scores, weights, contexts, logits = rows(1, values, only_last(len(values)))"),
        checked("scores", layer.scores, "scores"),
        checked("weights", layer.weights, "weights after mask and softmax"),
        checked("contexts", layer.context[:, :, 0], "contexts, a row for each head"),
        checked("logits", run.logits, "logits of every row; the last one chooses the next word"),
    ]


def answer_cells(s: Scenario, word_ids: Sequence[int]) -> list[Cell]:
    """Every decode step of an answer, with the keys as the cache keeps them, and the whole sequence computed again."""
    if not word_ids:
        return [prose("No word of the answer has gone in: prefill alone has run, so there is nothing to decode.")]
    steps = cached_and_recomputed(s.model(), s.prompt_ids, word_ids)[1:]
    cached, again = zip(*((behind.logits[-1], whole.logits[-1]) for behind, whole in steps), strict=True)
    return [
        prose("## The answer, one row at a time\n\nA key is written once; what it said then is what the cache says later."),
        code(
            f"answer = {list(word_ids)!r}  # the words on the page, as columns of W\nkept_values, kept_last = values, "
            "only_last(len(values))\ncached, again = [], []\nfor word in answer:\n    kept_values = np.append(kept_values, "
            "word_values[word])\n    kept_last = np.append(kept_last, True)  # a new token is the last one when it comes in\n    "
            "n = len(kept_values)\n    cached.append(rows(n, kept_values, kept_last)[3][-1])\n    again.append(rows(1, "
            "kept_values, only_last(n))[3][-1])"
        ),
        checked("np.array(cached)", cached, "logits of each decode step, behind the cache"),
        checked("np.array(again)", again, "the same with the whole sequence computed again"),
        code('print("largest gap between the two ways:", np.abs(np.array(cached) - np.array(again)).max())'),
    ]
