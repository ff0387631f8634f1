"""The lesson on the way from contexts to a word: W, what each head adds, how far a flip is, and the draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from engine import edits, prefill, probabilities
from engine.draws import draw_many, standard_error
from engine.flips import Winners, entry_needed, winners
from engine.model import ForwardPass
from engine.projection import averaged, contributions, same_mean, slopes, without_heads
from engine.toy import MAX_VALUE, Scenario
from pages.parts import scenario, widgets
from pages.parts.figures.flip_lines import flip_lines, nearest_flip
from pages.parts.figures.word_chances import word_chances
from pages.parts.figures.word_map import word_map
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.words import e_to, head_names, join, md, number, percent

N_DRAWS = 1_000
HOT = 2.0  # the temperature that the question asks about
WIDE = 1.12  # a step with room to spare is drawn larger still when presented


def last_contexts(run: ForwardPass) -> np.ndarray:
    """The contexts that choose the next word: (n_head,)."""
    return run.layers[-1].context[:, -1, 0]


def matrix(s: Scenario) -> np.ndarray:
    """W as an array: (n_head, n_vocab)."""
    return np.array(s.w_vocab)


def sound(s: Scenario) -> tuple[Scenario, ForwardPass, str]:
    """A scenario whose logits are numbers, its pass, and what had to be said differently: with the guard where NaN came out."""
    run = prefill(s.model(), s.prompt_ids)
    if np.isfinite(run.logits[-1]).all():
        return s, run, ""
    guarded = replace(s, empty_row="none")
    return guarded, prefill(guarded.model(), guarded.prompt_ids), "With a guard that gives an empty row the weights 0: "


# --- W and the heads ---------------------------------------------------------------------------------------------------


def heads_off(s: Scenario) -> tuple[int, ...]:
    """The heads that are switched off in this lesson, counted from 0."""
    parts = scenario.extra("off").split(".")
    asked = {int(p) - 1 for p in parts if p.isascii() and p.isdigit() and len(p) <= 2}
    return tuple(h for h in range(len(s.rules)) if h in asked)


def projection(s: Scenario, run: ForwardPass) -> None:
    """W, to be edited cell by cell, and what each head adds to each logit; heads can be switched off."""
    head = scenario.whole_extra("head", 1, 1, len(s.rules)) - 1
    word = scenario.whole_extra("word", len(s.words), 1, len(s.words)) - 1
    _projection_controls(s, head, word)
    off, context, w = heads_off(s), last_contexts(run), matrix(s)
    added = contributions(context, w)
    added[list(off)] = 0
    logits = without_heads(context, w, off)
    probs = probabilities(logits) if np.isfinite(logits).all() else None

    def select(curve: int, row: int, column: int) -> None:
        if 0 <= row < len(s.rules) and 0 <= column < len(s.words):
            scenario.set_extra("head", str(row + 1))
            scenario.set_extra("word", str(column + 1))

    figure = word_map(context, w, added, probs, head_names(s), s.words, off, (head, word), **look(WIDE if presenting() else 1.0))
    results = join([f"{name} {number(x)}" for name, x in zip(s.words, logits, strict=True)])
    alt = (
        f"The contexts of {len(s.rules)} heads at {s.tokens[-1]}: {join([number(x) for x in context])}. Times W, a row for each "
        f"head and a column for each of {len(s.words)} words, they add up to the logits {results}. "
        f"{'Switched off: ' + join([head_names(s)[h] for h in off]) + '. ' if off else ''}"
        f"Selected: head {head_names(s)[head]}, {s.words[word]}, {number(w[head, word], 4)}. Arrow keys select another cell."
    )
    plot(figure, alt, "word_map", select)
    with st.container(key="takeaway"):
        st.markdown(_without(s, off, logits) if off else _challenge(s, context, logits, head, word))


def _projection_controls(s: Scenario, head: int, word: int) -> None:
    """The number in the selected cell, and the heads that are silent."""
    place = st.columns([1, 1.6], vertical_alignment="bottom")
    # A key for each cell, and empty by default: what a browser sends of a cell that it has not been told the number of is
    # nothing, and nothing is no edit.
    key = f"w_entry_{head}_{word}"

    def put() -> None:
        if st.session_state[key] is not None:
            scenario.edit(edits.set_w, head, word, st.session_state[key])

    with place[0]:
        widgets.show(key, s.w_vocab[head][word])
        st.number_input(
            f"W of head {head + 1} for “{md(s.words[word])}”", -MAX_VALUE, MAX_VALUE, None, step=0.1, format="%g", key=key,
            on_change=put,
        )  # fmt: skip
    with place[1]:
        options = {h: name for h, name in enumerate(head_names(s))}
        widgets.show("heads_off", list(heads_off(s)))

        def keep() -> None:
            scenario.set_extra("off", ".".join(str(h + 1) for h in sorted(st.session_state["heads_off"])))

        st.segmented_control(
            "Switch heads off (in this figure)", list(options), key="heads_off", format_func=options.get, on_change=keep,
            selection_mode="multi",
        )  # fmt: skip


def _without(s: Scenario, off: tuple[int, ...], logits: np.ndarray) -> str:
    """What remains when some heads are silent."""
    silent = f"head{'s' * (len(off) > 1)} {join([str(h + 1) for h in off])}"
    if not np.isfinite(logits).all():
        return f"Without {silent} a context that is not a number remains, and with it logits that are none."
    if len(off) == len(s.rules):
        return "With every head silent all logits are 0: nobody is preferred, and the first of equals is taken."
    best = int(np.argmax(logits))
    return (
        f"Without {silent} the logits are {join([f'{number(x)}' for x in logits])}: **{md(s.words[best])}** wins. "
        "Each head speaks for every word at once, and the sum decides."
    )


def _challenge(s: Scenario, context: np.ndarray, logits: np.ndarray, head: int, word: int) -> str:
    """The challenge to make the last candidate win by W alone, with what the selected cell would take; or that it is done."""
    if not np.isfinite(logits).all():
        return "One context is not a number, and it spoils every logit that it is added to: here all of them."
    target, best = len(s.words) - 1, int(np.argmax(logits))
    name = md(s.words[target])
    caveat = "So the conclusion was put in by hand, through W: attention did not “arrive at” it. In a trained model W is learned."
    if best == target:
        return f"**{name}** wins with logit {number(logits[target])}. {caveat}"
    text = (
        f"**{md(s.words[best])}** wins with {number(logits[best])}. **Challenge:** edit W so that **{name}** wins, which is "
        f"{number(logits[best] - logits[target])} short. "
    )
    level = entry_needed(logits, float(context[head]), s.w_vocab[head][word], word)
    if word == best or level is None:
        return f"{text}Select a cell in its column."
    side = "above" if context[head] > 0 else "below"
    return f"{text}The selected cell alone would have to be {side} **{number(level, 3)}** for “{md(s.words[word])}”."


def ask_head(s: Scenario) -> None:
    """Who wins without one head: the first whose silence changes the winner, else head 1."""
    s, run, guard = sound(s)
    context, w = last_contexts(run), matrix(s)
    head, rest = silent_head(context, w)
    best, level = int(np.argmax(rest)), np.sum(np.isclose(rest, rest.max(), rtol=0, atol=1e-9)) > 1
    draw_level = "two or more draw level"
    sums = join([f"{md(name)} {number(x)}" for name, x in zip(s.words, rest, strict=True)])
    answered = predict(
        "silence",
        f"{guard}Switch off head {head + 1} ({s.rules[head]}). Which word has the highest logit then?",
        draw_level if level else md(s.words[best]),
        f"Without head {head + 1} the sums are {sums}. It had added "
        f"{join([f'{number(x)} to {md(name)}' for name, x in zip(s.words, context[head] * w[head], strict=True)])}.",
        options=(*(md(name) for name in s.words), draw_level),
    )
    if answered or presenting():  # on a page the whole map stands above the question
        off = (head,) if answered else ()
        added, logits = contributions(context, w), rest if answered else context @ w
        added[list(off)] = 0
        zoom = 0.72 if presenting() else 0.85
        figure = word_map(context, w, added, probabilities(logits), head_names(s), s.words, off, **look(zoom))
        sums = join([f"{name} {number(x)}" for name, x in zip(s.words, logits, strict=True)])
        plot(figure, f"Logits {'without head ' + str(head + 1) if answered else 'with every head'}: {sums}.", "word_map_silent")


def silent_head(context: np.ndarray, w_vocab: np.ndarray) -> tuple[int, np.ndarray]:
    """The first head without which another word wins, else the first head; and the logits without it."""
    best = int(np.argmax(context @ w_vocab))
    without = [without_heads(context, w_vocab, (h,)) for h in range(len(context))]
    head = next((h for h, rest in enumerate(without) if int(np.argmax(rest)) != best), 0)
    return head, without[head]


# --- how far a flip is -------------------------------------------------------------------------------------------------


def flip_table(s: Scenario, run: ForwardPass) -> list[Winners]:
    """Who wins along the value of each token: exact, because every logit is a straight line in it."""
    slope = slopes(run.layers[-1], matrix(s))
    return [winners(run.logits[-1], slope[j], value) for j, value in enumerate(s.values)]


def flips(s: Scenario, run: ForwardPass) -> None:
    """How far each token's value is from making another word win, with the sliders to try it."""
    widgets.value_sliders()
    if not np.isfinite(run.logits[-1]).all():
        st.markdown("One context is not a number, so no logit is one: there is no winner to flip.")
        return
    lines = flip_table(s, run)
    low, high = min(widgets.SLIDER[0], *s.values), max(widgets.SLIDER[1], *s.values)
    zoom = 1.0 if not presenting() else WIDE if len(s.tokens) <= 8 else 0.96  # two rows of sliders stand above the lines
    figure = flip_lines(lines, s.values, s.tokens, s.words, low, high, **look(zoom))
    plot(figure, _flips_in_words(s, lines), "flip_lines")
    with st.container(key="takeaway_flips"):
        st.markdown(_flip_sentence(s, run, lines))


def _flips_in_words(s: Scenario, lines: list[Winners]) -> str:
    """Every threshold, as the text alternative."""
    told = []
    for token, line in zip(s.tokens, lines, strict=True):
        cuts = [f"above {number(f.value)} {s.words[f.word]}" for f in line.up]
        cuts += [f"below {number(f.value)} {s.words[f.word]}" for f in line.down]
        told.append(f"{token}: {', '.join(cuts) or 'no value changes the winner'}")
    return f"Values at which another word than {s.words[lines[0].now]} wins, moving one token alone. {'; '.join(told)}."


def _flip_sentence(s: Scenario, run: ForwardPass, lines: list[Winners]) -> str:
    """The nearest flip, and why it is exact."""
    now, nearest = md(s.words[lines[0].now]), nearest_flip(lines, s.values)
    if nearest is None:
        return f"**{now}** wins whatever a single value is: no logit grows faster with any of them than its own does."
    token, value, word = nearest
    slope, name = slopes(run.layers[-1], matrix(s))[token], md(s.words[word])
    side = "Above" if value > s.values[token] else "Below"
    return (
        f"{side} **{number(value)}** for “{md(s.tokens[token])}”, **{name}** beats {now}. One more unit of it adds "
        f"{number(slope[word], 3)} to {name} and {number(slope[lines[0].now], 3)} to {now}: straight lines, because no weight "
        "moves with a value, so the crossing is computed and not searched for."
    )


# --- the draw ----------------------------------------------------------------------------------------------------------


def ask_temperature(s: Scenario) -> None:
    """What a temperature of 2 makes of the likeliest word's probability."""
    s, run, guard = sound(s)
    logits = run.logits[-1]
    best = int(np.argmax(logits))
    cold, hot = probabilities(logits)[best], probabilities(logits, HOT)[best]
    why = f"At temperature 1 it has {number(cold, 3)}. Dividing by {number(HOT)} halves every gap between logits"
    if len(s.words) > 1:
        second = float(np.sort(logits)[-2])
        gap = float(logits[best]) - second
        why += (
            f": {number(logits[best])} − {number(second)} = {number(gap)} becomes {number(gap / HOT)}, so the odds against the "
            f"second fall from {e_to(gap, 2)} = {_odds(gap)} to {e_to(gap / HOT, 2)} = {_odds(gap / HOT)}"
        )
    told = ", ".join(number(x) for x in logits)
    predict(
        "temperature",
        f"{guard}Softmax turns the logits {told} into probabilities; “{md(s.words[best])}” leads. A **temperature** of "
        f"{number(HOT)} divides all logits by {number(HOT)} first. What is its probability then? (From 0 to 1, within 0.02.)",
        float(hot),
        f"{why}. Unequal logits come closer; the order stays.",
        tolerance=0.02,
    )


def _odds(gap: float) -> str:
    """e to the power of a gap, short."""
    return f"{np.exp(gap):.2f}" if gap < 9 else f"{np.exp(min(gap, 700.0)):.1e}"


def draw_controls(s: Scenario) -> tuple[dict[str, float], int]:
    """Temperature, top-k, top-p, min-p and seed; all in the link."""
    place = st.columns(5)
    with place[0]:
        temperature = widgets.extra_slider("temperature", "Temperature", 0.0, 10.0, 1.0, 0.1, format="%g", help="0 is greedy")
    with place[1]:
        top_k = widgets.extra_slider("top_k", "top-k", 0, len(s.words), 0, 1, help="0 keeps every word")
    with place[2]:
        top_p = widgets.extra_slider("top_p", "top-p", 0.0, 1.0, 1.0, 0.01, format="%g", help="1 keeps every word")
    with place[3]:
        min_p = widgets.extra_slider("min_p", "min-p", 0.0, 1.0, 0.0, 0.01, format="%g", help="0 keeps every word")
    with place[4]:
        seed = widgets.extra_slider("seed", "Seed", 0, scenario.MOST_SEED, 0, 1)
    return {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p}, seed


def draw(s: Scenario, run: ForwardPass) -> None:
    """Logits, probabilities, what the options leave, and 1,000 draws beside them; the first draw is pointed out."""
    options, seed = draw_controls(s)
    logits = run.logits[-1]
    if not np.isfinite(logits).all():
        st.markdown("One context is not a number, so no logit is one: nothing can be drawn.")
        return
    plain, probs = probabilities(logits), probabilities(logits, **options)
    draws = draw_many(probs, N_DRAWS, seed)
    drawn = int(draws.token_ids[0])
    counted = ", ".join(
        f"{name}: logit {number(x)}, probability {percent(p)}, drawn {c}"
        for name, x, p, c in zip(s.words, logits, probs, draws.counts, strict=True)
    )
    alt = (
        f"{counted}. The logits add up to {number(logits.sum())}, the probabilities to {number(probs.sum())}. "
        f"The first draw, {number(draws.uniform[0], 3)}, falls on {s.words[drawn]}."
    )
    plot(word_chances(logits, plain, probs, draws, s.words, **look(WIDE if presenting() else 1.0)), alt, "word_chances")
    off = np.abs(draws.counts / N_DRAWS - probs)
    far = int(np.argmax(off))
    usual = standard_error(probs, N_DRAWS)[far]
    with st.container(key="takeaway_draw"):
        st.markdown(
            f"Logits are not probabilities: they add up to **{number(logits.sum())}**; only softmax makes them add up to **1**. "
            f"Seed {seed} draws **{md(s.words[drawn])}** first; over {N_DRAWS:,} draws “{md(s.words[far])}” is off by "
            f"{number(100 * off[far])} points, where √(p(1 − p) / {N_DRAWS:,}) = {number(100 * usual)} is usual."
        )


# --- the average that is none ------------------------------------------------------------------------------------------

SAME_LOGITS, SAME_WORD, OTHER_WORD = "the same logits", "other logits, but the same word", "other logits and another word"


def ask_mean(s: Scenario) -> None:
    """Whether the mean of the heads' contexts decides: another prompt with the same mean, computed and shown."""
    s, run, guard = sound(s)
    context, w = last_contexts(run), matrix(s)
    twin = same_mean(s, run.layers[-1])
    if twin is None:
        _ask_sum(s, run, guard)
        return
    other = prefill(twin.model(), twin.prompt_ids)
    same = bool(np.allclose(other.logits[-1], run.logits[-1], rtol=0, atol=1e-3))
    best, new = int(np.argmax(run.logits[-1])), int(np.argmax(other.logits[-1]))
    values = ", ".join(f"{md(t)} {number(v)}" for t, v in zip(twin.tokens, twin.values, strict=True))
    answered = predict(
        "mean",
        f"{guard}Some retellings say that the heads’ outputs are **averaged**. The mean of the contexts is "
        f"{number(context.mean(), 3)}. The values {values} give the same mean. What comes out at the end?",
        SAME_LOGITS if same else SAME_WORD if best == new else OTHER_WORD,
        f"The heads stand side by side as a vector of {len(context)} numbers, and W has a row for each. An average would keep "
        "one number, and which word wins would depend on nothing but its sign and W’s column sums.",
        options=(SAME_LOGITS, SAME_WORD, OTHER_WORD),
    )
    if answered:
        rows = [
            ("this prompt", context, run.logits[-1]),
            ("the same mean", last_contexts(other), other.logits[-1]),
            ("every head replaced by the mean", averaged(context), averaged(context) @ w),
        ]
        lines = ["| | contexts | mean | logits | wins |", "|---|---|---|---|---|"]
        for name, contexts, logits in rows:
            lines.append(
                f"| {name} | {', '.join(number(x, 3) for x in contexts)} | {number(contexts.mean(), 3)} | "
                f"{', '.join(number(x, 4) for x in logits)} | **{md(s.words[int(np.argmax(logits))])}** |"
            )
        st.markdown("\n".join(lines))


def _ask_sum(s: Scenario, run: ForwardPass, guard: str) -> None:
    """Where no other prompt has the same mean: whether logits are probabilities."""
    total, options = float(run.logits[-1].sum()), ("they do", "they do not")
    predict(
        "mean",
        f"{guard}Probabilities add up to 1. Do the logits of the last row, too?",
        options[0] if abs(total - 1) < 1e-9 else options[1],
        f"They add up to {number(total, 4)}. Logits are raw scores of any size; softmax turns them into probabilities.",
        options=options,
    )


def caveats() -> None:
    """What the toy leaves out between the contexts and the logits."""
    st.caption(
        "This first word comes out of prefill: not one decode step has run. In a real model the way is longer: heads side by "
        "side, an output matrix, the residual stream, an MLP, further layers, a norm, and only then the matrix over a "
        "vocabulary of many thousands of words. The toy skips all of it."
    )
