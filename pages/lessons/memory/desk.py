"""The desk: one screen that answers what an engineer asks of a model on devices, at once, from what is typed at its top."""

import math

import streamlit as st

from engine.cost import Demand, Efficiency, MemoryUse, Sizing, both_bytes, decimal_bytes, memory_use, sizing
from engine.cost.desk.answers import Times
from engine.cost.desk.published_times import PUBLISHED, furthest_off
from engine.cost.multiplication import kv_factors
from engine.toy.scenario import Scenario
from pages.lessons.memory import steps
from pages.lessons.memory.figures.memory_bar import Fit, memory_bar
from pages.parts.controls.shared_parameters import PRICE, TPOT_MS, TTFT_MS, G, P
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import own_device, pasted_config, setup, setup_line
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.amounts import amount, factor_name, factor_text, money, seconds
from pages.parts.text.format import md, number, plural, quantity
from pages.parts.visit.display import narrow, presenting
from pages.parts.visit.parameters import Real

TYPICAL = Efficiency()
WATTS = Real("watts", high=10_000_000)
CACHED = Real("cached", high=100)  # % of a prompt's tokens
MFU = Real("mfu", low=1, high=100, default=100 * TYPICAL.mfu)
MBU = Real("mbu", low=1, high=100, default=100 * TYPICAL.mbu)
LINK = Real("link", low=0.1, high=10_000, default=TYPICAL.link_bytes_per_s / 1e9)  # GB/s
WORDS = ("TTFT", "TPOT", "concurrency", "tensor parallel", "KV cache dtype", "SLO", "goodput")
NO_STEP = ("–", "one token, no step")
Cell = tuple[str, str, str]  # what it is, the answer, what belongs to it


def demand(s: Setup) -> Demand:
    """What is to be served, as the link has it."""
    n_prompt, n_generated = setup.prompt_and_answer()
    batch = s.batch if setup.BATCH.text() else 0
    limits = TTFT_MS.value() / 1e3, TPOT_MS.value() / 1e3
    return Demand(s.n_tokens, n_prompt, n_generated, CACHED.value() / 100, *limits, batch)


def efficiency() -> Efficiency:
    """The reader's own, or those of published measurements."""
    return Efficiency(MFU.value() / 100, MBU.value() / 100, LINK.value() * 1e9)


def sized(s: Setup) -> Sizing:
    """Every answer, for what the link asks."""
    return sizing(s.shape, s.device, demand(s), efficiency(), s.usable, s.reserved_bytes, **s.options)


@step(
    "Size a real cache",
    minutes=6,
    click="Choose another **Model**, then another **Context, tokens**.",
    ask="Your model on your device: how many users, how fast, at what price? Guess before you choose them.",
    wrong={
        "As many as fit into memory": "right only where the time for each token allows them: who promises one may have to stop earlier",
        "The bound is what a server reaches": "programs reach about half of the arithmetic and most of the bandwidth",
    },
)
def size(s: Setup, toy: Scenario) -> None:
    """Controls, and all answers in one figure."""
    factors = kv_factors(s.shape, s.n_tokens, s.batch, s.kv_bits)
    cache = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    use = None if s.shape.doubt else memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.memory)
    answer = None if s.shape.doubt else sized(s)
    cells = answers(s, answer) if answer else ()
    lead("What a model keeps of every token, times all that there are: how many sequences fit beside its parameters?", *WORDS)
    where = s.devices if s.usable == 1 else f"{number(100 * s.usable, 0)}% of {s.devices}"
    alt = (
        f"KV cache of {s.shape.name}: {' times '.join(f'{factor_text(f)} {factor_name(f)}' for f in factors)} is {cache:,} bytes, "
        f"{both_bytes(cache)}.{in_memory(s, use) if use else ''}{s.assumed} "
        + " ".join(f"{what[0].upper()}{what[1:]}: {said}, {beside}." for what, said, beside in cells)
    )
    of = f"{plural(s.most_sequences, 'sequence')} of {quantity(s.n_tokens, 'token')} beside the parameters of {s.shape.name}"
    most = memory_use(s.shape, s.n_tokens, s.device, max(s.most_sequences, s.batch), **s.memory) if use else None
    memory = (use, where, Fit(s.most_sequences, of, s.batch, most.activation_bytes)) if use and most else None
    drawn = memory_bar(sheet(0.93, slide_zoom=1.12, high=437), s.shape, factors, cache, memory)
    plot(drawn, alt, "memory_bar")
    takeaway("size", f"{steps.fits_said(s)} {steps.next_token(s)}{s.assumed}", help=_how_estimated())
    if not presenting() or narrow():
        _controls(s, cells, _served(s, answer))


def _controls(s: Setup, cells: tuple[Cell, ...], served: str) -> None:
    """A line that says what is computed with, and opens what is chosen and typed; beside it a model of one's own, what few change, and
    all answers, with what limits how many are served."""
    columns, on = st.columns([3, 1, 1, 1.2], vertical_alignment="bottom"), setup_line.in_words(s, batch=s.batch > 1)
    with columns[0], st.popover(on, icon=":material/tune:", key="memory_on", width="stretch"):
        setup.model_and_device()
        with st.container(key="desk_numbers"):  # frame.css: too narrow for the buttons beside a number
            context, prompt, answer = st.columns(3, vertical_alignment="bottom")
        with context:
            setup.CONTEXT.typed("Context, tokens")
        with prompt:
            P.typed("Prompt, tokens", setup.DEFAULT_PROMPT)
        with answer:
            G.typed("Answer, tokens", setup.DEFAULT_GENERATED, setup.MOST_GENERATED)
    with columns[1], st.popover("config.json", icon=":material/data_object:", key="memory_paste_config", width="stretch"):
        pasted_config.box()
    with columns[2], st.popover("More", icon=":material/tune:", key="memory_more", width="stretch"):
        _more()
    if cells:
        with columns[3], st.popover("All answers", icon=":material/speed:", key="memory_answers", width="stretch"):
            tables.table(("what", "answer", ""), [tuple(map(md, cell)) for cell in cells])
            st.markdown(served)


def _more() -> None:
    """What has a default that most keep."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        TTFT_MS.typed("TTFT limit, ms")
        setup.BATCH.typed("Concurrency, sequences at once", empty=True, placeholder="as many as the limits allow")
        CACHED.typed("Prompt tokens found in a cache, %", placeholder="none")
        setup.USABLE.typed("Share of memory used (utilisation)")
        setup.RESERVED.typed("GB that a program keeps, each device", placeholder="nothing typed")
        PRICE.typed("Price an hour", placeholder="of all devices")
    with right:
        TPOT_MS.typed("TPOT limit, ms")
        MFU.typed("MFU of prefill: % of peak arithmetic")
        MBU.typed("MBU of decode: % of peak bandwidth")
        LINK.typed("GB/s between devices, each way")
        WATTS.typed("Watts of all devices", placeholder="nothing typed")
    st.caption(f"{own_device.NAME}, then last in the list of devices:")
    own_device.fields()


def answers(s: Setup, answer: Sizing) -> tuple[Cell, ...]:
    """The eight answers: label, number, and what stands beside it."""
    d, served = answer.demand, answer.batch > 0
    each = kv_factors(s.shape, 1, 1, s.kv_bits)
    product = " × ".join(factor_text(f) for f in each if f.value != 1 or f.terms)
    per_hour, watts = PRICE.value(), WATTS.value()
    costs = ("–", "none is served" if per_hour else "type a price an hour")
    if per_hour and (prices := answer.prices(per_hour)):
        found_too = f"cached {money(prices.cached)} · " if d.n_cached else ""
        output = money(prices.output) if d.n_generated > 1 else "–"
        costs = f"{money(prices.input)} · {output}", f"{found_too}blended {money(prices.blended)}"
    joules = f"{amount(answer.energy_j(watts))} J" if watts and served else "–"
    at_once = f"{max(answer.batch, 1):,} at once"
    running = f"{'within the limits' if answer.stops else 'asked for'} {answer.batch:,}"
    return (
        ("KV cache a token", f"{s.shape.kv_bytes_per_token(s.kv_bits):,} B", product),
        (f"Concurrency at {d.n_ctx:,}", f"{answer.n_full:,}", f"in {number(100 * s.usable, 0)}% of the memory"),
        (f"and at {d.n_prompt:,} + {d.n_generated:,}", f"{answer.n_typed:,}", running),
        ("TTFT, alone", *_estimate_and_bound(answer.ttft)),
        (f"TPOT, {at_once}", *(_estimate_and_bound(answer.tpot) if d.n_generated > 1 else NO_STEP)),
        (
            "Goodput, tokens a second", amount(answer.answers_per_s * d.n_generated) if served else "0",
            f"{(rate := amount(answer.answers_per_s))} {plural(float(rate == '1'), 'answer')} a second",
        ),
        ("10⁶ tokens: in · out", *costs),
        ("Energy of an answer", joules, f"{amount(watts)} W" if watts else "type the watts: More"),
    )  # fmt: skip


def _estimate_and_bound(times: Times) -> tuple[str, str]:
    return seconds(times.estimate_s), f"estimate; bound {seconds(times.bound_s)}"


def _served(s: Setup, answer: Sizing | None) -> str:
    """What limits how many are served, in a sentence."""
    if answer is None or not answer.n_typed:
        return ""
    d = answer.demand
    limits = f"TTFT ≤ {seconds(d.ttft_limit_s)}" + f" and TPOT ≤ {seconds(d.tpot_limit_s)}" * (d.n_generated > 1)
    if answer.stops == "ttft":
        return f"**The prompt alone takes {seconds(answer.ttft.estimate_s)}**, estimated: nobody is served within {limits}. "
    if not answer.batch:
        return f"**Even alone a token takes {seconds(answer.tpot.estimate_s)}**, estimated: nobody is served within {limits}. "
    why = {"memory": "; then memory is full", "tpot": "; one more would exceed the TPOT", "": ""}[answer.stops]
    trained = s.shape.n_ctx
    longer = f", more than the {trained:,} that the model was trained for," if trained and d.n_tokens > trained else ""
    of = f"Of {d.n_prompt:,} + {d.n_generated:,} tokens{longer}"
    of, alone = f"{of} **{answer.batch:,} at once**", seconds(answer.ttft.estimate_s)
    if d.n_generated == 1:
        has = plural(answer.batch, "has", "have")
        return f"{of} {has} room on {s.devices}{why}. A prompt that runs alone keeps {limits}, estimated ({alone}). "
    times = f"TTFT, alone, {alone}, TPOT {seconds(answer.tpot.estimate_s)}"
    return f"{of} {plural(answer.batch, 'keeps', 'keep')} {limits} on {s.devices}, estimated ({times}){why}. "


def _how_estimated() -> str:
    """How an estimate is made, and how far off it was."""
    e = efficiency()
    off = furthest_off(e)
    return (
        f"An estimate takes arithmetic at {number(100 * e.mfu, 1)}% of the peak (MFU), reading at {number(100 * e.mbu, 1)}% (MBU), both "
        f"overlapping in part, and two sums a layer over {number(e.link_bytes_per_s / 1e9, 1)} GB/s between devices (tensor "
        f"parallel). With these it is within {math.ceil(100 * off):,}% of {len(PUBLISHED)} published times: TensorRT-LLM 0.9 "
        "(docs/source/performance.md) and gpt-fast (README), on A100s. Prices and energy: devices kept busy, each answer paying for "
        "its prompt and its share of every step (SLO kept, no queue); what is found in a cache is not computed again."
    )


def in_memory(s: Setup, use: MemoryUse) -> str:
    """What lies in the devices' memory, for those who do not see the bar."""
    parts = {
        "a state that does not grow": use.state_bytes, "copies of the cache on other devices": use.copy_bytes,
        "the program itself": use.reserved_bytes,
    }  # fmt: skip
    besides = "".join(f"{what} {both_bytes(n)}, " for what, n in parts.items() if n)
    return (
        f" Memory of {s.devices}, {number(100 * s.usable, 0)}% of it {both_bytes(use.device_bytes)}: parameters "
        f"{both_bytes(use.weight_bytes)}, cache {both_bytes(use.cache_bytes)}, {besides}activations about "
        f"{decimal_bytes(use.activation_bytes)}, {decimal_bytes(abs(use.room_bytes))} {'left' if use.fits else 'too much'}."
    )
