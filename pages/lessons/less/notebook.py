"""The lesson on keeping less as a notebook: the toy's last row behind five caches."""

from pages.lessons.less import steps, variants
from pages.lessons.less.steps import FIRST, NEWEST, Toy
from pages.lessons.less.variants import HEAVY, N_BITS, Variant
from pages.parts.controls.toy_notebook import scenario_cells
from pages.parts.teaching.notebook import Cell, checked, code, literal, prose

LAST_ROW = '''
n = len(all_values)
was_last = np.append(only_last(n - 1), True)  # what each key said when its token came in
scores = rows(n, all_values, was_last)[0][:, -1]  # (head, key)
place = np.arange(1, n + 1)


def behind(kept, values):
    """Contexts and logits of the last row; of each head only the keys in `kept` are there at all."""
    heads = zip(scores, np.broadcast_to(kept, scores.shape))
    contexts = np.array([weights_of(row[there], np.ones(there.sum(), bool)) @ values[there] for row, there in heads])
    return contexts, contexts @ W
'''
ERRORS = '''
def distance(contexts, true):
    """The length of the difference by the length of the true vector; what rounding leaves of values that cancel out is 0."""
    gap, length = np.linalg.norm(contexts - true), np.linalg.norm(true)
    nothing = 1e-12 * abs(all_values).max()
    return gap / length if length > nothing else np.inf if gap > nothing else 0.0


def divergence(logits, true):
    """KL: how far the chances of the next word have moved, in nats."""
    log_p, log_q = (z - z.max() - np.log(np.exp(z - z.max()).sum()) for z in (true, logits))
    return max(float(np.exp(log_p) @ (log_p - log_q)), 0.0)
'''
ROUNDED = '''
def rounded(x, bits):
    """Each number at the nearest of 2**bits steps between the smallest and the largest."""
    low, step = x.min(), (x.max() - x.min()) / (2**bits - 1)
    return low + np.rint((x - low) / (step or 1)) * step
'''


def cells(question: str) -> list[Cell]:
    t, _ = steps.given()
    s = t.scenario
    newest, first = NEWEST.value(high=max(3, len(t.ids))), FIRST.value()
    shown = variants.variants(s.model(), t.ids, newest, first, "tensor")
    values = (*s.values, s.word_values[t.ids[-1]])
    names = [repr(v.name) for v in shown.values()]
    return [
        *scenario_cells(s, question),
        prose(f"## The last row\n\nThe prompt, and the first word of the answer. {t.guard}"),
        code(f"all_values = np.array({literal(values)})\n{LAST_ROW}"),
        prose(
            "## Five caches\n\nAll is kept, or the newest, or the first ones too, or those looked at most, or all in few bits. "
            "The newest token itself is always there as it is."
        ),
        code(f"newest, sinks = {newest}, {first}\nwindow = place > n - newest\nwith_sinks = window | (place <= sinks)"),
        *_heavy(t, shown[HEAVY], newest, first),
        code(
            f"{ROUNDED}\n\ncoarse = np.append(rounded(all_values[:-1], {N_BITS}), all_values[-1])\n"
            "found = [\n    behind(place > 0, all_values),\n    behind(window, all_values),\n    behind(with_sinks, all_values),\n"
            f"    behind(heavy, all_values),\n    behind(place > 0, coarse),\n]  # {', '.join(names)}"
        ),
        checked(
            "np.array([contexts for contexts, _ in found])", [v.last.run.layers[0].context[:, -1, 0] for v in shown.values()],
            "contexts behind each cache",
        ),
        checked("np.array([logits for _, logits in found])", [v.last.run.logits[-1] for v in shown.values()], "logits"),
        prose("## How far off"),
        code(f"{ERRORS}\n\noff = [[distance(c, found[0][0]), divergence(z, found[0][1])] for c, z in found[1:]]"),
        checked("off", [[v.error.contexts, v.error.kl] for v in shown.values() if v.error], "error of the contexts, and KL"),
    ]  # fmt: skip


def _heavy(t: Toy, v: Variant, newest: int, n_heavy: int) -> list[Cell]:
    """The tokens that were looked at most: which, as the page keeps them, and that no other got more."""
    layer, n = t.run.layers[0], len(t.ids)
    n_head, n_kv_head = len(t.scenario.rules), len(v.last.places[0])
    kept = [sorted(int(p) + 1 for p in v.last.places[0][h * n_kv_head // n_head]) for h in range(n_head)]
    received = layer.weights.reshape(n_kv_head, -1, n - 1).sum(axis=1)
    shared = "all heads share one key, so their weights are added up" if n_kv_head == 1 else "each head has keys of its own"
    return [
        code(
            f"by_head = rows(1, all_values[:-1], only_last(n - 1))[1]  # weights in the prompt's pass; {shared}\n"
            f"received = by_head.reshape({n_kv_head}, -1, n - 1).sum(axis=1)  # what each token got from all queries\n"
            f"kept = {kept!r}  # as the page shows, for each head: the newest and the heaviest\n"
            "heavy = np.array([np.isin(place, places) for places in kept])"
        ),
        checked("received", received, "weight that each token of the prompt has received"),
        code(
            "for head, there in enumerate(heavy[:, :-1]):\n    got, old = received[head * len(received) // len(heavy)], "
            f"place[:-1] < n - {newest - 1}\n    assert there[~old].all() and (there & old).sum() == min({n_heavy}, old.sum())\n "
            "   assert not (old & ~there).any() or got[old & there].min() >= got[old & ~there].max() - 1e-9"
        ),
    ]
