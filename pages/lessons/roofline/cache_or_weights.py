"""From how many tokens of context on a decode step reads more of the cache than of the weights."""

from dataclasses import replace

from engine.cost import binary_bytes, decimal_bytes, even_context, met_weight_bytes, tpot_s
from pages.lessons.roofline.figures.reads_by_length import Kept, reads_by_length
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup_line
from pages.parts.hardware.setup import Setup
from pages.parts.hardware.weight_formats import bits_said
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.amounts import seconds
from pages.parts.text.format import md, number, quantity


@step("Cache or parameters?", minutes=4, ask="Up to how many tokens are no more bytes read of the cache than of the parameters?")
def even(s: Setup, n_generated: int) -> None:
    """What a step reads, and from which context on it is more cache than weights; the rest of the line waits for the answer."""
    lead("A decode step reads two things: the parameters that its tokens meet (the whole embedding counted), and what is kept.")
    question = even_question(s)
    known = question.answered
    weights = met_weight_bytes(s.shape, s.batch, s.weight_bits)
    n = even_context(s.shape, s.batch, s.weight_bits, s.kv_bits)
    kept = Kept(_kept(s), lambda n_tokens: _kept_bytes(s, n_tokens), bool(s.shape.latent))
    figure = reads_by_length(sheet(slide_zoom=0.95, high=330, slide_high=420), weights, kept, s.n_tokens, n, known)
    alt = f"One decode step meets {decimal_bytes(weights)} of parameters, the embedding counted whole; "
    alt += f"{_kept(s)} at {quantity(s.n_tokens, 'token')}: {decimal_bytes(kept.at(s.n_tokens))}; "
    if known:
        alt += "no more than the parameters " + ("at any length." if n is None else f"up to {quantity(n, 'token')}.")
    else:
        alt += "where the two meet: after your answer."
    plot(figure, alt, "step_reads")
    predict(question)
    setup_line.show(s)


def _kept(s: Setup) -> str:
    """What a step reads besides weights: the cache, and the states of layers that keep them."""
    return "cache and states" if s.shape.state_bytes() else "cache"


def _kept_bytes(s: Setup, n_tokens: int) -> int:
    """The bytes of it, one copy."""
    return s.shape.kv_read_bytes(n_tokens, s.batch, s.kv_bits) + s.shape.state_bytes(s.batch)


def even_question(s: Setup) -> Question:
    """The number of tokens, or never."""
    n = even_context(s.shape, s.batch, s.weight_bits, s.kv_bits)
    each = "" if s.batch == 1 else f", in each of {s.batch:,} sequences,"
    rows = f"of the cache the index and {s.shape.n_select:,} chosen rows" if s.shape.n_select else "all cached rows"
    states = bool(s.shape.state_bytes())
    rows += " and states" * states
    asked = "do **cache and states**" if states else "does the **cache**"
    question = (
        f"{md(s.shape.name)}, parameters in {bits_said(s.shape, s.weight_bits)}, cache in {s.kv_bits}. A decode step reads the parameters "
        f"that its tokens meet (the embedding counted whole, as is usual) and {rows}. Up to how many tokens of "
        f"context{each} {asked} not outweigh those parameters?"
    )
    weights, row = met_weight_bytes(s.shape, s.batch, s.weight_bits), s.shape.kv_bytes_per_token(s.kv_bits)
    if n is None:
        options, most = ("up to 4,096 tokens", "up to 131,072 tokens", "at any length"), decimal_bytes(_kept_bytes(s, 10**9))
        why = f"Every layer looks back a window only, so the caches stop growing at {most}, below the parameters’ {decimal_bytes(weights)}."
        return Question("even", question, options[2], why, options=options)
    why, near = _why_even(s, n, weights, row), max(0.5, 0.02 * n)
    return Question("even", question, float(n), why, tolerance=near, unit="tokens", high=1e12)


def _times_as_long(ratio: float) -> str:
    """ "1.9 × as long as", with a second digit where the first would say that nothing changed."""
    said = next((said for digits in (1, 2) if (said := number(ratio, digits)) != "1"), "")
    return f"{said} × as long as" if said else "hardly longer than"


def _just_below(s: Setup, n: int, weights: int, read: str) -> str:
    """What is read there beside the weights met, and that one token more is too much; states may be so without any."""
    there, met = _kept_bytes(s, n), decimal_bytes(weights)
    if there > weights:
        return f"The states alone, {decimal_bytes(there)}, outweigh the parameters met, {met}. "
    return f"There {read}, {decimal_bytes(there)}, does not outweigh the parameters met, {met}; with one token more it does. "


def _why_even(s: Setup, n: int, weights: int, row: int) -> str:
    """The division, and the published figure for the model that has one."""
    longer = tpot_s(s.shape, n, s.device, s.batch, **s.options)
    times = longer / tpot_s(s.shape, 0, s.device, s.batch, **s.options)
    read = f"what is read of the caches{' and states' * bool(s.shape.state_bytes())}"
    there = f"there a step takes {_times_as_long(times)} with an empty context, {seconds(longer)} on {s.devices}"
    if any(s.shape.windows) or s.shape.state_bytes() or s.shape.n_select:
        text = _just_below(s, n, weights, read)
    else:
        token = f"{row:,} bytes a token{f' × {s.batch:,} sequences' if s.batch > 1 else ''}"
        text = f"{weights:,} bytes of parameters / ({token}): {there if n else 'less than one'}. "
    if replace(s, batch=1, weight_bits=16, kv_bits=16) == s and s.shape.name == "Llama-3.1-8B":
        text += f"Often printed as {int(16.06e9 / row):,}: the same division with the parameters rounded to 16.06 GB. "
    if s.shape.experts:
        text += (
            f"Of the experts those count that {'a token visits' if s.batch == 1 else f'{s.batch:,} tokens are expected to visit'}; "
            f"with all else {number(100 * weights / s.shape.weight_bytes(s.weight_bits), 1)} % of all parameters’ bytes. "
        )
    if not n:
        return text.strip()
    if s.shape.n_ctx and n > s.shape.n_ctx:
        text += f"The model was trained for {s.shape.n_ctx:,} at most. "
    one = f"One cache at that length: {binary_bytes(s.shape.kv_bytes(n, 1, s.kv_bits))}"
    return text + f"({one}{f', counted once; {s.in_copies}' if s.in_copies else ''}.)"
