"""Less kept on the toy: one cache that keeps less beside the one that keeps everything, and which word comes out."""

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import streamlit as st

from engine.caches import pass_error
from engine.compare import ROUNDING
from engine.model import ForwardPass
from engine.sampling import greedy
from engine.toy.by_hand import pass_by_hand
from engine.toy.rules import LITTLE
from engine.toy.scenario import MAX_PROMPT, Scenario
from pages.lessons.less.figures.kept_pair import Kept, kept_pair
from pages.lessons.less.variants import BITS, HEAVY, MOST_SINKS, N_BITS, SINKS, WINDOW, Variant, variants
from pages.lessons.less.view import View
from pages.parts.controls import toy as toy_controls
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked
from pages.parts.question.question import Question
from pages.parts.text.digits import context_of, gap_text, logits_side_by_side
from pages.parts.text.format import DRAW_LEVEL, join, md, number, plural
from pages.parts.text.toy_names import head_names, in_quotes
from pages.parts.visit import scenario
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Choice, Whole

NEWEST = Whole("newest", low=2, high=MAX_PROMPT + 1, default=2)
FIRST = Whole("first", low=1, high=MOST_SINKS, default=1)
POLICY = Choice("kept_what")  # which of the caches stands beneath the whole one
LONG = {"window": "newest", "sinks": "sinks + newest", "heavy": "heaviest + newest", "bits": f"all, in {N_BITS} bits"}
SHORT = {"window": "newest", "sinks": "sinks", "heavy": "heaviest", "bits": "all in bits"}  # on a phone
POLICIES = {"window": WINDOW, "sinks": SINKS, "heavy": HEAVY, "bits": BITS}
HIDDEN = "?"  # a word that is asked for
WHY = (
    "bytes: held when the last token comes in. error: length of the difference of the contexts, by the length of the true ones, "
    "in the worst layer. KL: divergence of the next word’s chances, in nats. Windows hide rows while the prompt is read, too; "
    "heavy hitters and rounding begin behind it."
)
ONLY_CONTEXTS = (
    "Could a cache keep no more than the last row’s contexts? They are sums of the values, one for each head: of more tokens than heads "
    "the values cannot be told from them, and every later token weighs the keys anew."
)


@dataclass(frozen=True, eq=False)
class Toy:
    """The scenario and the prompt's pass. guard: a sentence where the scenario was changed so that numbers come out."""

    scenario: Scenario
    run: ForwardPass
    guard: str

    @property
    def ids(self) -> tuple[int, ...]:
        """The prompt and the first word of the answer."""
        ids = self.scenario.prompt_ids
        return (*ids, greedy(toy_controls.prefill_of(self.scenario).logits[-1]))

    @property
    def words(self) -> list[str]:
        """What `ids` are called."""
        return [self.scenario.id_words[i] for i in self.ids]


def given() -> tuple[Toy, View]:
    """The toy and the trained model. A cache that drops rows may leave any head nothing to see: NaN for that gets its guard."""
    s, guard = scenario.current(), ""
    if s.empty_row == "nan":
        s, guard = replace(s, empty_row="none"), "With a guard that gives an empty row the weights 0: "
    return Toy(s, toy_controls.prefill_of(s), guard), View()


@step(
    "On the toy",
    minutes=6,
    ask="Does a head look at the first tokens? Keep them beside the newest ones: which word comes out now?",
    wrong={
        "The word of everything kept, for more is seen again": (
            "right only where it comes out with the sinks, too: keeping more is taken for being nearer, and nearer for being right; "
            "neither follows"
        ),
        "The window’s word, for the first tokens are old": (
            "right only where the first tokens change no likeliest word: age is taken for weight, but a head whose rule they match "
            "gives them weight however far back they are"
        ),
    },
)
def toy(t: Toy, v: View) -> None:
    """One cache that keeps less beneath the whole one, and which word comes out with a sink."""
    lead("A cache may drop tokens: which weights are left for the word that comes in, and which word is next?",
         "KV cache", "attention sink", "heavy hitter", "KL divergence")  # fmt: skip
    moving, (said, beside) = st.container(), said_and_asked("toy", (1.6, 1), asked_first=True)
    under = st.container() if narrow() else None
    with beside:
        ask_later(_asked, t, v)
    with moving:
        live(partial(_compared, under), t, v, said=said, help=f"{WHY} {ONLY_CONTEXTS}")


def _compared(under, t: Toy, v: View) -> str:
    """What is kept, on a phone in the place `under` the question, the figure, and once that is answered what the sinks did."""
    figure = st.container()
    with under or nullcontext():
        chosen = _controls(t)
    shown, answered = _variants_shown(t), asked_and_answered("sink_word", _asked, t, v)
    with figure:
        plot(*_toy_figure(t, shown, chosen, answered), "kept_toy")
    return near_or_right(shown[""], shown[WINDOW], shown[SINKS]) if answered else ""


def _asked(t: Toy, _: View) -> Question:
    """The question about what is kept now."""
    return sink_question(t, _variants_shown(t))


def _variants_shown(t: Toy) -> dict[str, Variant]:
    """The caches of this scenario, as much kept as this visit has chosen."""
    return _toys_variants(t.scenario, t.ids, NEWEST.value(high=max(3, len(t.ids))), FIRST.value())


@lru_cache(maxsize=64)
def _toys_variants(s: Scenario, ids: tuple[int, ...], window: int, n_sinks: int) -> dict[str, Variant]:
    shown = variants(s.model(), ids, window, n_sinks, "tensor")
    runs = {key: pass_by_hand(v.last.run, s.w_vocab) for key, v in shown.items()}
    return {
        key: replace(v, last=replace(v.last, run=runs[key]), error=v.error and pass_error(runs[""], runs[key]))
        for key, v in shown.items()
    }


def _controls(t: Toy) -> tuple[str, int]:
    """What is kept, how much of it, and whose weights are shown: the cache's key and that head, from 0."""
    columns = st.columns([2.1, 1.5, 0.8], vertical_alignment="bottom", gap="medium")
    with columns[2], st.popover("How many", icon=":material/tune:", key="less_more", width="stretch"):
        NEWEST.slider("Newest tokens", high=max(3, len(t.ids)))
        FIRST.slider("First tokens (sinks)")
    with columns[0]:
        policy = POLICIES[POLICY.buttons("Keep", SHORT if narrow() else LONG, "sinks")]
    with columns[1]:
        return policy, HEAD.buttons("Weights of head", toy_controls.head_buttons(t.scenario)) - 1


def _toy_figure(t: Toy, shown: dict[str, Variant], chosen: tuple[str, int], answered: bool):
    """The figure, and what it says in words; the word of the question waits for the answer. chosen: the cache's key, and a head."""
    (policy, head), s, n = chosen, t.scenario, len(t.ids)
    pair, told, most = [], [], max(shown[key].last.nbytes for key in ("", policy))
    for key in ("", policy):
        v, hidden = shown[key], key in (SINKS, HEAVY) and not answered
        level, weights = [s.words[i] for i in v.level], v.weights(0, head, n)
        said, changed = HIDDEN if hidden else _short_outcome(level), not hidden and not {*v.level} & {*shown[""].level}
        values, context = v.values(head, n), context_of(v.last.run.layers[0], head, -1)
        pair.append(Kept(v.name, weights, f"{v.last.nbytes:,}", v.last.nbytes / most, said, changed, values, context))
        kept = in_quotes(w for w, x in zip(t.words, weights, strict=True) if not np.isnan(x))
        out = "waits for your answer" if hidden else f"next {' = '.join(in_quotes(level))}"
        told.append(f"{v.name}: sees {', '.join(kept) or 'nothing'}; context {context}; {out}")
    figure = kept_pair(sheet(slide_zoom=0.97, high=320), pair, t.words, head_names(s)[head])
    return figure, f"Two caches of one text. {'. '.join(told)}."


def _short_outcome(level: list[str]) -> str:
    """What comes out, for a narrow column: one word, or those that draw level."""
    word = " = ".join(level)
    return word if len(word) <= 12 else word[:12] if len(level) == 1 else f"{len(level)} level"


def _error(x: float) -> str:
    """An error as it is written: 0 where it is what softmax leaks; without bound where the true contexts are 0, or a word can no longer
    be said."""
    return number(x) if np.isinf(x) else gap_text(x if x > LITTLE else 0.0)


def sink_question(t: Toy, shown: dict[str, Variant]) -> Question:
    """Which word comes out when the window is given its sinks."""
    s, v = t.scenario, shown[SINKS]
    window, true = (shown[key] for key in (WINDOW, ""))
    layer = v.last.run.layers[0]
    contexts = [context_of(layer, head, -1) for head in range(len(layer.context))]
    sums = join(in_quotes(s.words, logits_side_by_side(v.last.run.logits[-1]), md))
    n_seen = len(v.last.places[0][0][layer.mask[0, -1]])
    return Question(
        "sink_word",
        f"{t.guard}“{md(t.words[-1])}” has come in. With everything kept {_comes_out(s, true)}, with "
        f"the {window.name} alone {_comes_out(s, window)}. Which word has the highest logit with {v.name}?",
        DRAW_LEVEL if len(v.level) > 1 else md(s.words[v.token_id]),
        f"It sees {n_seen} of {len(t.ids)} tokens; its {plural(len(contexts), 'context is', 'contexts are')} "
        f"{join(contexts)}, its {plural(len(s.words), 'logit')}: {sums}.",
        options=(*(md(w) for w in s.words), DRAW_LEVEL),
    )


def _comes_out(s: Scenario, v: Variant) -> str:
    """The word with the highest logit, or those that draw level."""
    words = join([f"**{md(s.words[i])}**" for i in v.level])
    return f"{words} draw level" if len(v.level) > 1 else f"{words} is next"


def near_or_right(true: Variant, window: Variant, sinks: Variant) -> str:
    """What the sinks did to the error, and what to the word."""
    before, after = (v.error.contexts for v in (window, sinks))
    they, s = ("the sink", "s") if sinks.one_sink else ("the sinks", "")
    if max(before, after) <= LITTLE:
        right = "right" if max(before, after) <= ROUNDING else "as good as right"
        none = {tuple(v.last.run.layers[0].empty[:, -1]) for v in (true, window, sinks)}
        moved = f"The contexts are {right}{', none taken for 0' * (len(none) > 1)}, with {they} and without"
    elif np.isinf([before, after]).any():
        moved = f"The true contexts are 0, so an error has no share of them to be told in, with {they} or without"
    elif _error(before) == _error(after):
        leave = f"leave{s}" if abs(before - after) <= LITTLE * max(before, after) else f"hardly change{s}"
        moved = f"T{they[1:]} {leave} the error of the contexts, **{_error(after)}**"
    else:
        way = f"lower{s}" if after < before else f"raise{s}"
        moved = f"T{they[1:]} {way} the error of the contexts from {_error(before)} to **{_error(after)}**"
    # Nearer, or no farther, and another one; and the other way.
    yet, back = "yet " * bool(after <= before), "yet " * bool(after > before)
    how = (window.level != true.level, sinks.level != true.level)
    changed = {(False, False): "the word stays right either way", (True, True): "the word is another one either way",
               (True, False): f"{back}the right word is back", (False, True): f"{yet}now another word wins"}  # fmt: skip
    if any(len(v.level) > 1 for v in (true, window, sinks)):
        changed = {(False, False): "the same words draw level either way",
                   (True, False): f"{back}what has the highest logit is right again",
                   (True, True): "either way it is not the same words that have the highest logit as with everything kept",
                   (False, True): f"{yet}now it is not the same words that have the highest logit"}  # fmt: skip
    return f"{moved}, and {changed[how]}. An error is a distance; whether a word flips depends on how far the next one was."
