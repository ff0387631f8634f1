"""What strangers may send, as Hypothesis strategies, and the rule for what may come out: sentences, soon, in little memory.

`python -m pytest tests/fuzz` draws the same examples on every run, in about a minute. `FUZZ=60 python -m pytest tests/fuzz` draws
sixty times as many, others on every run, in about an hour. What it finds is kept: as an @example, or in a list of this folder.
"""

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app_pages import ROOT
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

TIMES = int(os.environ.get("FUZZ", "1"))
CPU_S = 1.0
BUSY = 3  # how much longer the same work may take where the processor's other thread, or the whole machine, is busy
MEMORY_MB = 50


def fuzz(examples: int) -> Callable:
    """Hypothesis's settings for a test: so many examples, FUZZ times as many when an hour is asked for."""
    kept = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
    # To make a finding small takes minutes where an example is a page.
    phases = [Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if TIMES > 1 else [])]
    return settings(
        max_examples=examples * TIMES, derandomize=TIMES == 1, deadline=None, phases=phases, suppress_health_check=kept
    )


# Words that Markdown, HTML, a browser, a tokenizer, JSON or a terminal could take for something else than words.
ADDRESSES = ("https://login.evil.tld/x", "http://evil.tld", "www.evil.tld", "a@evil.tld", "xmpp:a@evil.tld/b", "ftp://evil.tld")
WORDS = (
    *ADDRESSES, "", " ", ",", ";", "\\", "\\,", "\n", "\t", "\x00", "\x7f", "\u200b", "\u2028", "\u202e", "\ufeff", "\uffff",
    "e\u0301" * 30, "🧑‍🚀", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍", "٣", "½", "x" * 25, "x" * 200, "x" * 5000, "a" * 100_000, ",".join("a" * 400),
    "<unk>", "<bos>", "zebra <unk>", "<unk> <unk>", "<UNK>", "zebra’s <Unk> isn't", "<unk>zebra", "<b>b</b>",
    "<script>p()</script>",
    "[x](//evil.tld)", "![i](//evil.tld/i.png)", "**b**", "`c`", "$x$", ":red[x]", ":streamlit:", ":material/home:", "&lt;",
    "%00",
    "{0}", "{at}", "%s", "${p()}", "../../etc/passwd", "/etc/passwd", "C:\\", "-1", "0", "1", "2.5", "1e999", "-1e999", "NaN",
    "inf", "1_0", "0x8", "+5", "1.1.1", "4.4.4", "99.99.99", "0.0.0", "3.3", "1-1", "999999999", "9999999999", "on", "off",
    "true",
)  # fmt: skip
MEANT = (
    "Today,weather,is,so", "10,20,1,5", "even,self,first,all", "none", "last", "window:3", "at:1.4", "previous:2", "a,b,c",
    "soft",
    "nan", "fill", "softmax1", "hand", "sample", "greedy", "pasted", "Llama-3.1-405B", "GPT-2 small", "DeepSeek-V3", "TPU v5e",
    "H100",
    "This machine", "before", "after", "untrained", "final", "1048576", "4096", "16", "8", "4", "0.01", "32", "2", "3", "7",
    "Tom lamp Rome pizza cold Tom lamp Rome pizza", "The soup is so", "1.1", "2.2.2", "0,1,0;1,0,0;0,0,1;1,1,1", "Delicious wins",
)  # fmt: skip
NUMBERS = st.integers(-5, 70).map(str) | st.integers(-(10**12), 10**12).map(str) | st.floats().map(str)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
TYPED = st.sampled_from(WORDS) | st.sampled_from(MEANT) | NUMBERS | TEXT
VALUES = TYPED | st.lists(TYPED.filter(lambda t: len(t) < 30), min_size=1, max_size=18).map(",".join)

# What Python's json reads, lone surrogates, NaN and integers of any size among it.
_LEAVES = st.none() | st.booleans() | st.integers(-3, 300) | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(
    ["\ud800", "x\udfff", "\x00", 10**400, -(10**20), 1e308, 5e-324, *WORDS[:12], "llama3", "yarn", "silu", "full_attention"]
)  # fmt: skip
JSON = st.recursive(_LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4))


def written(value: object) -> str:
    """A value as JSON, as a file would have it."""
    return json.dumps(value)


@contextmanager
def bounded() -> Iterator[None]:
    """What is inside takes at most a second of this process and raises its largest size by at most 50 MB."""
    size, started = _peak_mb(), time.process_time()
    yield
    took, grown = time.process_time() - started, _peak_mb() - size
    assert took <= CPU_S * BUSY, f"expected at most {CPU_S:g} s of CPU, or {BUSY} times that on a busy machine, got {took:.1f}"
    assert grown <= MEMORY_MB, f"expected at most {MEMORY_MB} MB more, got {grown:.0f}"


def _peak_mb() -> float:
    """The largest size that this process has had; 0 on Windows, where nothing in Python tells."""
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def sentences_only(at: AppTest) -> None:
    """No page fails, what it complains of is a sentence that tells nothing of this machine, and no stranger's word is a link."""
    assert not at.exception, at.exception[0].value
    for said in (*at.warning, *at.error):
        assert is_sentence(said.value), said.value
    for element in (*at.main, *at.sidebar):
        for markdown in (getattr(element, "value", None), getattr(element, "label", None), getattr(element, "help", None)):
            if isinstance(markdown, str) and element.type not in ("text_input", "text_area", "code", "selectbox"):
                assert not live_links(markdown), (element.type, live_links(markdown), markdown[:300])


def is_sentence(text: str) -> bool:
    """Whether a message is written for a reader: some words, no path of this machine, no traceback, no value's inside."""
    private = any(sign in text for sign in (str(ROOT), "Traceback", "site-packages", "object at 0x", "PanicException"))
    return len(text.split()) > 2 and len(text) < 1500 and not private


def live_links(markdown: str) -> list[str]:
    """What a browser would make a link or an icon of in Markdown, escapes notwithstanding: bare addresses of the hostile words.

    Streamlit looks for bare addresses in text that has already been parsed, when the backslashes are gone.

    >>> live_links(r"https\\:\\/\\/evil\\.tld and \\:streamlit\\:"), live_links("https:\u2060//evil.tld")
    (['https://evil.tld', ':streamlit:'], [])
    """
    seen = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)
    return re.findall(r"(?:(?:https?|ftp)://|www\.|[\w.+-]@)[\w.]*evil[\w.]*|:streamlit:", seen)


def door(call: Callable[[], object], *also: type[Exception]) -> object | None:
    """What `call` returns, or None when it refuses with a ValueError (or one of `also`) that says why."""
    try:
        with bounded():
            return call()
    except (ValueError, *also) as refused:
        said = str(refused)
        assert said.strip() and len(said) < 1500, f"expected a reason, got {said[:300]!r}"
        said.encode()  # a message that cannot be encoded cannot be shown
        assert not isinstance(refused, UnicodeError), said
        return None
