"""The caches that must fail: a stale key, a shifted position, the mask off in deeper models; with their sentences."""

from collections.abc import Mapping

import numpy as np

from engine.cache import KVCache
from engine.compare import ROUNDING, largest_gap, position_gaps
from engine.decode import decode_step, recompute
from engine.experiments.broken_caches import SHIFTS, StaleKey, shifted, shifted_ids, stale_key
from engine.experiments.random_model import StackModel
from engine.model import ForwardPass
from engine.prefill import prefill
from engine.sampling import likeliest
from engine.toy.by_hand import pass_by_hand
from engine.toy.scenario import Scenario
from pages.lessons.cache.figures.gap_grid import Gaps, gap_grid
from pages.lessons.cache.figures.shifted_rows import Slip, shifted_rows
from pages.lessons.cache.figures.stale_key import stale_key as stale_key_figure
from pages.lessons.cache.stale_keys import heads_with_the_stale_key
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.answer_position import AnswerPosition
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import contexts_side_by_side, gap_text
from pages.parts.text.format import join, md, number
from pages.parts.text.toy_names import articles_way

N_LAYERS = 2  # of the model whose mask is taken off: what differs between the first and the second is all there is to see
KV_ROWS = (0, 2)  # where position_gaps has what the cache holds of each of them
DRAWN = 3  # rows of it, up to what the second layer keeps
SPOILED = "its logits are not numbers, with the right rows or with others"
WHICH = {(1,): "layer 1’s", (2,): "layer 2’s", (1, 2): "both", (): "none"}


def _first(position: AnswerPosition) -> int:
    """The first word of the answer: what the broken caches are tried with."""
    return position.run.token_ids[0] if position.run.token_ids else 0


def stale_question(s: Scenario, token: int, stale: StaleKey) -> Question:
    """Which position holds the key that was true when it was made and is not any more."""
    n, k = len(s.tokens), stale.cached.k[stale.head, :, 0]
    cached, whole, *_ = contexts_side_by_side(stale.contexts, stale.values)
    there, places, (whose, its) = articles_way(s), positions(s, token), heads_with_the_stale_key(s, stale.head)
    way = f" Computed {there}." if there else ""
    return Question(
        "stale",
        f"{whose} “**I am the last token**”: {its} context is **{cached}** with the cache, "
        f"{f'**{whole}** recomputed' if whole != cached else 'recomputed as well'}. Which stored key is out of date and still says so?",
        places[n - 1],
        f"“{md(s.tokens[-1])}” was the last token when its key was made, and the cached key still says so: "
        f"{number(k[-2], sign=True)}, as does the new token’s own, {number(k[-1], sign=True)}.{way}",
        options=places,
    )


def positions(s: Scenario, token: int) -> tuple[str, ...]:
    """Each token behind which a key is stored, by its position and word; the new one last."""
    return tuple(f"{i} {md(word)}" for i, word in enumerate((*s.tokens, s.words[token]), 1))


def _printed(s: Scenario, token: int, stale: StaleKey) -> str:
    """What the article prints, where the scenario is its own; its listing has been mended since."""
    if s not in (Scenario.article(), Scenario.article_code()) or s.words[token] != "nice":
        return ""
    cached, whole, mended = (number(x.context[stale.head, -1, 0]) for x in (stale.cached, stale.whole, stale.patched))
    return f" The article prints {cached} beside {whole} and calls them identical; its listing, which rewrites the old key, gives {mended}."


@step(
    "One row off",
    minutes=4,
    ask="A row is missing in the cache, or is there twice: how far off are the logits, and who would notice?",
    wrong={"The program stops": "every shape still fits: only a count of the rows says at which position the token stands"},
)
def shift(s: Scenario, position: AnswerPosition) -> None:
    """The same token behind a cache with a row too few or too many."""
    token, model = _first(position), position.model
    shifts = [x for x in SHIFTS if len(s.tokens) + x >= 1]
    slip = "leaves out a token or feeds it twice" if -1 in shifts else "feeds a token twice"
    lead(f"A common mistake: a program {slip}. The new token’s position is then off by one.")
    passes, at = [pass_by_hand(shifted(model, s.prompt_ids, token, x), s.w_vocab) for x in shifts], shifts.index(0)
    spoiled = not np.isfinite(passes[at].logits[-1]).all()
    logits = {x: largest_gap(run.logits[-1], passes[at].logits[-1]) for x, run in zip(shifts, passes, strict=True)}
    true = pass_by_hand(recompute(model, (*s.prompt_ids, token)), s.w_vocab).logits[-1]
    wrong = _stale(s) and largest_gap(passes[at].logits[-1], true) > ROUNDING  # all values may be the same
    caches = [
        Slip(
            _cache_title(x, s),
            [*(s.id_words[i] for i in shifted_ids(s.prompt_ids, x)), s.words[token]],
            np.inf if spoiled else logits[x] * (logits[x] > ROUNDING),
            " = ".join(s.words[w] for w in likeliest(run.logits[-1])) or "NaN",
        )
        for x, run in zip(shifts, passes, strict=True)
    ]
    plot(
        shifted_rows(sheet(high=430), caches, at, f"logits {'differ' if wrong else 'off'} by", _far_off(logits, spoiled, wrong)),
        "; ".join(
            f"{title}: {'no logit is a number' if spoiled else _logits_in_words(x, logits[x], wrong)}"
            for x, (title, *_) in zip(shifts, caches, strict=True)
        ),
        "shifted_rows",
    )
    takeaway(
        "shift",
        f"The same token “{md(s.words[token])}”, the same code, and nothing stops the program: a cache may hold any number of rows.",
        help=f"Of “{md(s.words[token])}” {SPOILED if spoiled else logits_off(logits, wrong)}. Our cache counts its rows, and that "
        "count *is* the position. A program that takes the position from its caller can be wrong with the right rows too.",
    )


def _far_off(logits: Mapping[int, float], spoiled: bool, stale: bool) -> str:
    """What a row too few or too many does to the logits, in few words."""
    if spoiled or stale:
        return "A row too few or too many: nothing stops the program"
    rows = " or ".join(name for x, name in ((-1, "too few"), (1, "too many")) if x in logits)
    most = max(logits.values())
    return f"One row {rows}: logits {f'off by up to {gap_text(most)}' if most > ROUNDING else 'that stay the same'}"


def _logits_in_words(shift: int, gap: float, stale: bool) -> str:
    """How far the logits behind so many rows more are from those with as many rows as tokens, which a stale key makes wrong too."""
    off = gap_text(gap) if gap > ROUNDING else "0"
    if stale:
        return f"logits {off} from those with as many rows as tokens" if shift else "logits that are not right either"
    return f"logits off by {off}"


def _stale(s: Scenario) -> bool:
    """Whether a key is true no more when a token comes in: then no number of rows gives the right logits."""
    return any(rule.breaks_cache for rule in s.rules)


def logits_off(gaps: Mapping[int, float], stale: bool = False) -> str:
    """How far the logits are off, by how many rows the cache holds too many; where a key is stale, from those of as many rows as
    there are tokens."""
    names = {-1: "one row missing", 1: "one too many"}
    off = [f"**{gap_text(gap)}** ({names[x]})" for x, gap in gaps.items() if gap > ROUNDING]
    same = [names[x] for x, gap in gaps.items() if x and gap <= ROUNDING]
    said = []
    if off:
        said.append(f"its logits {'differ from those with as many rows as tokens' if stale else 'are off'} by up to {join(off)}")
    if same:
        said.append(f"{'they' if off else 'its logits'} stay the same here with {' or with '.join(same)}")
    return "; ".join(said)


def _cache_title(shift_: int, s: Scenario) -> str:
    last = s.tokens[-1][:12]
    return {
        -1: f"one row missing: “{last}” was never fed",
        0: "as many rows as tokens" if _stale(s) else "right",
        1: f"one row too many: “{last}” was fed twice",
    }[shift_]


def depth_passes(s: Scenario, token: int, causal: bool) -> tuple[list[ForwardPass], ForwardPass]:
    """(prefill and one decode step behind it, the same tokens in one pass) of the model of two layers."""
    model = StackModel(N_LAYERS, len(s.id_words), causal=causal)
    cache = KVCache.for_model(model, len(s.tokens) + 1)
    passes = [prefill(model, s.prompt_ids, cache), decode_step(model, token, cache)]
    return passes, recompute(model, (*s.prompt_ids, token))


def depth_question(s: Scenario, token: int, gaps: np.ndarray) -> Question:
    """In which layer a new token changes old keys and values. gaps: by row and position, of the model without the mask."""
    word = md(s.words[token])
    changed = tuple(layer for layer, row in enumerate(KV_ROWS, 1) if (gaps[row, :-1] > ROUNDING).any())
    return Question(
        "depth",
        f"**Mask off**, every row sees later tokens. “{word}” comes in: which old keys and values should change?",
        WHICH[changed],
        f"“{word}” enters every old context, so layer 2 would make others; the cache keeps the old.",
        options=tuple(WHICH.values()),
    )


@step(
    "Mask off",
    minutes=5,
    ask="Without the mask a word comes in: which of the old keys and values would be computed differently now?",
    wrong={
        "layer 1’s": "in the first layer keys and values depend on their own token only, so they stay true",
        "none": "in the second layer they depend on contexts, and those take in the new word",
    },
)
def depth(s: Scenario, position: AnswerPosition) -> None:
    """Layer by layer and position by position what changes without the mask; the old keys and values wait for the prediction."""
    lead(
        "Layer 1 makes keys and values from the token, layer 2 from layer 1’s contexts. The mask is off, a word comes in: what changes?"
    )
    token = _first(position)
    words = (*s.tokens, s.words[token])
    found = [position_gaps(*depth_passes(s, token, causal)) for causal in (True, False)]
    question = depth_question(s, token, found[1][1])
    names = [name.replace("k, v", "keys, values") for name in found[1][0][:DRAWN]]
    says = f"Old keys and values that change: {question.answer if question.answered else '?'}"
    mask_off = Gaps(names, words, found[1][1][:DRAWN], KV_ROWS, not question.answered, says)
    on, off = (gap_text(gaps[-1, -1]) for _, gaps in found)  # of the new row's logits
    told = f"{gap_text(found[1][1].max())}; in the new row’s logits {off}" if question.answered else "old rows still to be found"
    alt = f"{N_LAYERS} layers. Mask on: largest difference {gap_text(found[0][1].max())}. Mask off: {told}."
    parts = WHICH[1,], WHICH[2,]
    figure = gap_grid(sheet(), mask_off, asked_in(question, parts))
    plot(figure, alt, "depth", on_press=pressed(question, parts))
    said = "**A cache stays true while no later token changes an old key or value.**"
    question_then_takeaway(question, "depth", said, help=f"The new row’s logits are off by {off}, with the mask by {on}.")


@step(
    "A stale key",
    minutes=4,
    ask="A key says “I am the last token”. A word comes in: for which row is that no longer true?",
    wrong={
        "For none, a cache is exact": (
            "it is where a key says only what its token knew when it came: this one spoke of the future"
        ),
        "For the new one": "the newest token is the last one now, so its key is right: the row before it still says the same",
    },
)
def last_token(s: Scenario, position: AnswerPosition) -> None:
    """A stale key beside the recomputed one, and what the patch of the article's listing leaves undone."""
    token = _first(position)
    stale = stale_key(s, token)
    question = stale_question(s, token, stale)
    lead("A key may say “I am the last token”: true when it is made, false when another one comes, and kept all the same.")
    h, n = stale.head, len(s.tokens)
    cached, whole, mended, _ = contexts_side_by_side(stale.contexts, stale.values)
    before, after = contexts_side_by_side((stale.before.context[h, -1, 0], stale.whole.context[h, -2, 0]), stale.values)
    alt = f"Scores of “{s.words[token]}” in head {h + 1}: context {cached} with the cache, {whole} recomputed"
    if question.answered:
        alt += f"; the key of {s.tokens[-1]} is out of date"
    places = positions(s, token)
    asked, words = asked_in(question, places), (*s.tokens, s.words[token])
    says = f"Head {h + 1}: {cached} with the cache, {whole} computed anew"
    figure = stale_key_figure(sheet(), stale, words, question.answered, asked, says)
    plot(figure, f"{alt}.", "stale_key", on_press=pressed(question, places))
    patched = f"A patch, the old key set to −1, gives {mended}; but a cache only appends{_old_row(n, before, after)}."
    more = f"{patched} Ours answers it with `{stale.refusal}`.{_printed(s, token, stale)}"
    said = "**A key may say only what its token knows when it enters.**"
    question_then_takeaway(question, "stale", said, more, widths=(2.4, 1))


def _old_row(n: int, before: str, after: str) -> str:
    """What a patched key leaves undone, where it leaves something."""
    return f", and no patch tells position {n} that its own row moves from {before} to **{after}**" if before != after else ""
