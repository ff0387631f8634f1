"""Work, in things one can count: key/value rows, query rows, score products. Counted as a pass runs, and as closed forms.

All figures are for one head of one layer. P is the number of prompt tokens, G the number of generated ones. G tokens take one
prefill and G − 1 decode steps, because prefill already gives the first; so N = P + G − 1 tokens pass through the model (the
last generated token is never fed back).
"""

from dataclasses import dataclass
from operator import add


@dataclass(frozen=True)
class Counts:
    """Work of one pass or of several added up, per head and layer.

    kv_rows: keys (and values) computed. query_rows: queries computed. scores: query·key products that the mask lets count.
    scores_dense: products that a dense matrix product computes, the hidden ones included.
    """

    kv_rows: int = 0
    query_rows: int = 0
    scores: int = 0
    scores_dense: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*map(add, vars(self).values(), vars(other).values()))


def tokens_processed(n_prompt: int, n_generated: int) -> int:
    """N = P + G − 1, the tokens that pass through the model; also the rows that a cache holds at the end."""
    _check(n_prompt, n_generated)
    return n_prompt + n_generated - 1


def prefill_counts(n_prompt: int) -> Counts:
    """One causal pass over P tokens: P rows, P(P+1)/2 visible products out of P² dense ones."""
    _check(n_prompt, 1)
    return Counts(n_prompt, n_prompt, n_prompt * (n_prompt + 1) // 2, n_prompt**2)


def cached_counts(n_prompt: int, n_generated: int) -> Counts:
    """Prefill and G − 1 decode steps with a KV cache: N key/value rows, N(N+1)/2 products."""
    n = tokens_processed(n_prompt, n_generated)
    dense = n_prompt**2 + sum_of_integers(n) - sum_of_integers(n_prompt)
    return Counts(n, n, sum_of_integers(n), dense)


def recomputed_counts(n_prompt: int, n_generated: int) -> Counts:
    """No cache: each of the G passes runs the whole sequence again. What a model of several layers must do.

    Rows: GP + G(G−1)/2. Products: the sum of n(n+1)/2 for n = P … N, that is [N(N+1)(N+2) − (P−1)P(P+1)] / 6.
    """
    n, p = tokens_processed(n_prompt, n_generated), n_prompt
    rows = n_generated * p + sum_of_integers(n_generated - 1)
    scores = (n * (n + 1) * (n + 2) - (p - 1) * p * (p + 1)) // 6
    return Counts(rows, rows, scores, sum_of_squares(n) - sum_of_squares(p - 1))


def last_query_counts(n_prompt: int, n_generated: int) -> Counts:
    """No cache, but after prefill only the newest query is asked: enough for one layer, and the article's first version.

    All keys and values are computed again at each step; queries and products are those of the cached run.
    """
    cached = cached_counts(n_prompt, n_generated)
    return Counts(recomputed_counts(n_prompt, n_generated).kv_rows, cached.query_rows, cached.scores, cached.scores_dense)


def sum_of_integers(n: int) -> int:
    """1 + 2 + … + n."""
    return n * (n + 1) // 2


def sum_of_squares(n: int) -> int:
    """1² + 2² + … + n²."""
    return n * (n + 1) * (2 * n + 1) // 6


def _check(n_prompt: int, n_generated: int) -> None:
    if n_prompt < 1 or n_generated < 1:
        raise ValueError(f"expected at least 1 prompt token and 1 generated token, got {n_prompt} and {n_generated}")
