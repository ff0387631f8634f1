"""The lesson on the clock as a notebook: the answer behind the cache and without it, and the cache's bytes; not its times."""

from pages.lessons.generate import run
from pages.parts.teaching.notebook import Cell, checked, code, prose
from pages.parts.trained import notebook
from pages.parts.trained.notebook import NEAR, SHARE

BOTH = """
cache = empty_cache()
behind, whole, held = [], [], []
for n in range(len(answer)):
    new = answer[n - 1 : n] if n else prompt  # prefill, then the word that was chosen last
    behind.append(logits_of(forward(new, cache)[0][-1, -1]))
    held.append(cache[0][0].shape[1])
    whole.append(logits_of(forward(prompt + answer[:n], empty_cache())[0][-1, -1]))
behind, whole = np.array(behind), np.array(whole)
assert np.allclose(behind, whole)
"""


def cells(question: str) -> list[Cell]:
    (r,) = run.given()
    if r.trained.own:
        return notebook.not_bundled(question)
    n = max(r.shown, min(run.n_asked(r), r.n_words))
    r.work.advance(r.job, n, "The first words")
    timed = r.both.timed[:n]
    if not timed:
        return [prose(f"# {question}\n\nThe answer has no word yet.")]
    greedy = "behind" if not run.TEMPERATURE.value(high=run.MOST_TEMPERATURE, default=0.0) else ""
    m = r.trained.model
    a_token = 4 * m.n_layer * m.n_kv_head * (m.d_head + m.d_v)
    return [
        *notebook.model_cells(r.trained, question),
        prose(
            "## The answer, both ways\n\nBehind the cache a pass has one token, without it all of them. Times are measured on the "
            "page; here is what both ways compute."
        ),
        code(f"prompt = {list(r.prompt.ids)!r}\nanswer = {[step.token_id for step in timed]!r}  # as the page writes it\n{BOTH}"),
        checked("np.abs(whole).max(axis=1)", [s.largest for s in timed], "largest logit of each step", NEAR, SHARE),
        *([code("# always the likeliest word; two may be so close that 32 bits choose another\n"
                "assert (behind[range(len(answer)), answer] >= behind.max(axis=1) - 1e-3).all()")] if greedy else
          [prose("The words were drawn by chance, so only their logits can be checked.")]),
        prose("## The cache as it fills\n\nKeys and values · layers · heads · width · tokens · 4 bytes."),
        code("n_bytes = [2 * n_layer * n_kv_head * d_head * tokens * 4 for tokens in held]"),
        checked("held", [s.n_tokens for s in timed], "tokens in the cache after each pass"),
        checked("n_bytes", [s.n_tokens * a_token for s in timed], "bytes of the cache"),
        code('print("largest gap between the two ways, in 64 bits:", np.abs(behind - whole).max())'),
    ]  # fmt: skip
