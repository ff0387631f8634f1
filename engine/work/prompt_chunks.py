"""A prompt of P tokens in passes of at most `n_chunk` tokens, by formula: nothing is allocated, so P may be as long as one likes.

One token at a time is a chunk of 1, all at once a chunk of P. What the mask lets count is P(P+1)/2 products either way; chunks
decide how many passes must wait for one another, and how large a score matrix a pass would fill if it were written to memory.
"""

from dataclasses import dataclass

from engine.counts import sum_of_integers

FP16_BYTES = 2  # of one score


@dataclass(frozen=True)
class PromptWork:
    """Per head and layer. passes: steps that wait for one another; each reads the model's parameters once.

    scores: products that the mask lets count. scores_dense: those that dense matrix products compute, hidden ones included.
    matrix_scores: entries of the largest pass's score matrix.
    """

    passes: int
    scores: int
    scores_dense: int
    matrix_scores: int

    @property
    def matrix_bytes(self) -> int:
        """Bytes of that matrix in fp16, for an implementation that writes it to memory (flash attention does not)."""
        return FP16_BYTES * self.matrix_scores


def prompt_work(n_prompt: int, n_chunk: int) -> PromptWork:
    """What a prompt takes in chunks. With k = ⌊P / c⌋ full chunks and r tokens left, dense is c² k(k+1)/2 + rP.

    >>> prompt_work(4, 1)
    PromptWork(passes=4, scores=10, scores_dense=10, matrix_scores=4)
    >>> prompt_work(4, 4)
    PromptWork(passes=1, scores=10, scores_dense=16, matrix_scores=16)
    """
    if n_prompt < 1 or n_chunk < 1:
        raise ValueError(f"expected at least 1 prompt token and chunks of at least 1, got {n_prompt} and {n_chunk}")
    c = min(n_chunk, n_prompt)
    k, r = divmod(n_prompt, c)
    return PromptWork(
        passes=k + (r > 0),
        scores=sum_of_integers(n_prompt),
        scores_dense=c * c * sum_of_integers(k) + r * n_prompt,
        matrix_scores=max(c * c * k, r * n_prompt),
    )
