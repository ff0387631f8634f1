"""What vLLM, llama.cpp, SGLang, TensorRT-LLM, TGI, ollama and serving benchmarks print of themselves, read from their lines as text.

A line that no rule knows is left alone; nothing is executed or fetched.
"""

import re
from bisect import bisect
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, islice

from engine.serving.lines.drafts import of_a_draft, without_drafts
from engine.serving.lines.heads import heir_of_vllm, of_tgi, printed_by, without_heads
from engine.serving.lines.log_rules import RULES
from engine.serving.lines.log_tables import table_rows
from engine.serving.lines.measures import in_words, measured
from engine.serving.lines.mentioned import mentioned
from engine.serving.lines.rule import BENCH, COMMAND, OFFLINE, VLLM
from engine.serving.lines.settings import settings
from engine.serving.lines.stated import Figure, Word, cut_off, duration_of, figure_of
from engine.serving.lines.statements import after_a_diff, statements

MARKS = re.compile(r"\((?:R|TM|tm)\)|[®™]")  # of a maker’s names
WIDE = str.maketrans("\xa0：，（）", " :,()")  # as Chinese text has them
NO_NAME = re.compile(
    r"[\W_]*(?:[xX]{3,}[\W_]*)?|[A-Z]|[Mm]odel(?:_(?:file|path|name|id|dir))?|.*(?:-|\.\.\.(?:/.?)?)"
)  # “...”, “/.../L”, “XXXX”, “M”: TensorRT-LLM issue 1400, vllm issue 11126
MAX_CHARS, MAX_LINES, SHOWN_CHARS, MOST_LEFT = 200_000, 5_000, 160, 40
WORDS = (
    "model", "model_file", "dtype", "quantization", "kv_dtype", "k_type", "v_type", "arch", "device", "data_parallel",
    "said_model", "served", "refused", "no_room", "too_little_free",
)  # fmt: skip


@dataclass(frozen=True)
class ServerLog:
    """What was understood. lines: those that said something, by their number; left_alone: the first MOST_LEFT others that are not
    empty, none of which any rule knows."""

    figures: tuple[Figure, ...]
    words: tuple[Word, ...]
    lines: dict[int, str]
    n_lines: int
    printers: tuple[str, ...] = ()  # programs that name themselves in front of these lines
    left_alone: dict[int, str] = field(default_factory=dict)
    heir: str = ""  # a program that prints vLLM's lines too, which it comes from, and names itself
    left_in_tables: int = 0  # numbers under headings that no rule knows, of tables that are left alone for them

    def all(self, name: str) -> list[Figure]:
        """Every figure of that name, as printed one after the other."""
        return [figure for figure in self.figures if figure.name == name]

    def last(self, name: str) -> Figure | None:
        """The last one printed: what a server says after it has been restarted or has tried again."""
        return (self.all(name) or [None])[-1]

    def value(self, name: str) -> float | None:
        """Its value; None where the log does not say."""
        figure = self.last(name)
        return figure and figure.value

    def words_named(self, name: str) -> tuple[str, ...]:
        """All different words of that name."""
        return tuple(dict.fromkeys(word.printed for word in self.words if word.name == name))

    def word(self, name: str) -> str:
        """The word of that name; "" where the log has none, or several that differ."""
        said = self.words_named(name)
        return said[0] if len(said) == 1 else ""

    def on_line(self, name: str, line: int) -> Figure | None:
        """The figure of that name on that line."""
        return next((figure for figure in self.all(name) if figure.line == line), None)

    def runs(self, *names: str) -> bool:
        """Whether a line has several values of one of these names: a table's columns of several runs, none of which is the log's."""
        return any(
            len({one.value for one in self.all(name) if one.line == figure.line}) > 1
            for name in names
            for figure in self.all(name)
        )

    @property
    def programs(self) -> tuple[str, ...]:
        """Who printed it, in order of appearance. A line is of whose rules know most in it: vLLM's list of arguments has words that
        SGLang's has too (QwenLM/Qwen3-VL issue 55)."""
        known: dict[int, Counter] = {}
        for said in sorted((*self.figures, *self.words), key=lambda said: said.line):
            known.setdefault(said.line, Counter())[said.program] += 1
        for line in known.values():
            if len(line) > 1:
                line.pop(COMMAND, None)  # settings are of whose line it is
        whose = ((program for program, n in line.items() if n == max(line.values())) for line in known.values())
        found = dict.fromkeys((*self.printers, *chain.from_iterable(whose)))
        sent = {one.name for one in self.figures if one.program == BENCH} <= {"n_requests"} and {*found} - {BENCH, COMMAND}
        if sent or (OFFLINE in found and not self.all("ttft_ms")):
            found.pop(BENCH, None)  # its other lines are labelled alike
        named = dict.fromkeys(self.heir or program if program == VLLM else program for program in found)
        return tuple(program for program in named if program != COMMAND or len(named) == 1)


def read_log(text: str) -> ServerLog:
    """Read a log, of at most MAX_CHARS characters and MAX_LINES lines. Raises ValueError for more, or where no rule knows a line.

    >>> log = read_log("INFO kv_cache_utils.py:524] GPU KV cache size: 2,042,016 tokens")
    >>> log.value("kv_tokens"), log.last("kv_tokens").half
    (2042016.0, 0.5)
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"Expected at most {MAX_CHARS:,} characters, got {len(text):,}: paste the start-up lines only")
    printed = MARKS.sub("", text.translate(WIDE)).splitlines()
    if len(printed) > MAX_LINES:
        raise ValueError(f"Expected at most {MAX_LINES:,} lines, got {len(printed):,}: paste the start-up lines only")
    lines = without_heads(printed)
    own = without_drafts(lines)
    kept = list(after_a_diff(own))
    figures, words, understood, arguments, unread = _by_rules(own, kept)
    said = {(figure.name, figure.value, figure.line) for figure in figures}
    by_rules = {(figure.printed.split()[0], figure.line) for figure in figures}  # under whatever name a rule has for it
    rows, left_rows = table_rows(kept)
    for row in left_rows:
        kept[row.line - 1] = unread[row.line - 1] = ""
    in_rows = (figure for row in rows for figure in row.figures if (figure.printed.split()[0], figure.line) not in by_rules)
    for figure in (*in_rows, *measured(unread)):
        key = figure.name, figure.value, figure.line
        if key not in said:
            figures.append(figure)
            said.add(key)
        understood.setdefault(figure.line, _shown(lines[figure.line - 1], 0))
    words += chain.from_iterable(row.words for row in rows)
    for n, line in enumerate(kept, 1):
        for figure in () if n in understood or n in arguments else in_words(line, n):
            figures.append(figure)
            understood.setdefault(n, _shown(line, line.find(figure.printed)))
    for figure in cut_off(figures, len(lines), text):
        figures.remove(figure)
        if figure.line not in {one.line for one in (*figures, *words)}:
            understood.pop(figure.line, None)
    by_the_way = mentioned(kept, {word.name for word in words})
    for one in chain(*by_the_way):
        understood.setdefault(one.line, _shown(lines[one.line - 1], max(0, lines[one.line - 1].find(one.printed))))
    figures, words = figures + by_the_way[0], words + by_the_way[1]
    in_tables = sum(row.unread for row in left_rows)
    if not understood:
        raise ValueError(_nothing_found(in_tables))
    others = (
        (n, line[:SHOWN_CHARS].strip())
        for n, line in enumerate(lines, 1)
        if n not in understood and n not in arguments and line.strip()
    )
    whose = {one.program for one in (*figures, *words)} - {COMMAND, BENCH, OFFLINE}
    printers = tuple(
        dict.fromkeys(filter(None, map(printed_by, [printed[n - 1] for n in sorted(understood)] if whose else printed)))
    )
    heir, left = heir_of_vllm(printed), dict(islice(others, MOST_LEFT))
    return ServerLog(of_tgi(figures, printed), tuple(words), understood, len(lines), printers, left, heir, in_tables)


def _nothing_found(in_tables: int) -> str:
    """Why a text is refused of which nothing is understood, a table of so many numbers in it or none."""
    headings = f", and a table of {in_tables:,} numbers whose headings are missing, unknown or without a unit"
    return (
        f"Found no line of the kind that is read here{headings * bool(in_tables)}. Expected one of vLLM, llama.cpp, SGLang, TensorRT-LLM, "
        "TGI, ollama or vllm bench serve, such as "
        "“GPU KV cache size: 78,384 tokens”, “KV self size = 1280.00 MiB”, “max_total_num_tokens=367404” or “Mean TPOT (ms): 9.1”"
    )


def _by_rules(lines: list[str], kept: list[str]) -> tuple[list[Figure], list[Word], dict[int, str], set[int], list[str]]:
    """What the rules know: figures, words and lines, the lines of arguments, and the text without the digits that have a name."""
    figures, words, understood, arguments = [], [], {}, set()
    unread, said = list(kept), set()
    for first, starts, text in statements(lines):
        for program, match in _matches(text):
            at = match.start(match.lastgroup)
            n, before = (
                first + bisect(starts, where) - 1 for where in (at, max(at - 1, 0))
            )  # the line that says it, and its argument’s
            caught = _figures(match, program, n), _words(match, program, n)
            if any(caught) and not of_a_draft(text, at):
                figures += [one for one in caught[0] if (one.name, one.value, one.line) not in said]
                said |= {(one.name, one.value, one.line) for one in caught[0]}
                words += caught[1]
                for start, end in map(match.span, match.re.groupindex) if len(starts) == 1 else ():
                    unread[n - 1] = unread[n - 1][:start] + "·" * (end - start) + unread[n - 1][end:]
                for figure in caught[0] if len(starts) > 1 else ():
                    unread[n - 1] = unread[n - 1].replace(figure.printed.split()[0], "·", 1)
                apart = f"{lines[before - 1].strip()} " * (before < n)
                understood.setdefault(
                    n, _shown(apart + lines[n - 1].strip() if apart else lines[n - 1], match.start() if n == first else 0)
                )
                arguments.add(before)
    return figures, words, understood, arguments, unread


def _matches(line: str):
    """(program, match) of every rule that knows something in the line, and of every name that is followed by its value."""
    for rule in RULES:
        if not (rule.unless and rule.unless in line):
            yield from ((rule.program, match) for match in rule.pattern.finditer(line))
    yield from settings(line)


def _shown(line: str, at: int) -> str:
    """SHOWN_CHARS of a line, among them what was found at `at`."""
    first = max(0, min(at, len(line) - SHOWN_CHARS)) if at > SHOWN_CHARS // 2 else 0
    return line[first : first + SHOWN_CHARS].strip()


def _words(match: re.Match, program: str, line: int) -> list[Word]:
    """The words that one match caught."""
    caught = match.groupdict()
    said = {name: (caught.get(name) or "").strip() for name in WORDS}
    return [
        Word(name, printed, program, line)
        for name, printed in said.items()
        if "sha256-" not in printed and not NO_NAME.fullmatch(printed) and not _cut_off(match, name)
    ]


def _cut_off(match: re.Match, name: str) -> bool:
    """Whether a word in quotes ends where the text ends, before they are closed."""
    text, start, end = match.string, *match.span(name)
    return text[start - 1 : start] in ("'", '"') and start > 0 and end == len(text.rstrip())


def _figures(match: re.Match, program: str, line: int) -> list[Figure]:
    """The numbers that one match caught; a line with a number that nothing can have is left alone."""
    caught = match.groupdict()
    found = []
    for name, digits in caught.items():
        if digits is None or name in WORDS or name.endswith("_unit"):
            continue
        if ", " in digits:  # one a layer
            found += [figure_of(name, one, None, program, line) for one in dict.fromkeys(digits.split(", "))]
            continue
        if name.endswith("_ms") and digits[-1] == "s":
            figure = duration_of(name, digits, program, line)
        elif name.endswith("_mib"):
            figure = figure_of(name.removesuffix("_mib"), digits, "MiB", program, line)
        elif name.endswith("_ns"):
            figure = figure_of(f"{name[:-2]}ms", digits, "ns", program, line)
        else:
            unit = caught.get(f"{name}_unit")
            unit = "Ki" if (name, unit) == ("n_ctx", "K") else unit  # vLLM’s 1k is 1,000, its 1K 1,024
            figure = figure_of(name, digits.rstrip(","), unit, program, line)
        if not figure:
            return []
        found.append(figure)
    return found
