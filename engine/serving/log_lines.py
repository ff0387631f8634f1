"""What vLLM, llama.cpp, SGLang, TensorRT-LLM, TGI, ollama and serving benchmarks print of themselves, read from their lines as text.

A line is read only where it is known which program printed it, and by that program's rules alone; every other is left, counted and
shown. Nothing is executed or fetched.
"""

import re
from bisect import bisect
from dataclasses import dataclass, field
from itertools import chain, islice

from engine.serving.lines.benchmarks import benchmarks
from engine.serving.lines.besides import besides, failed, loads, together
from engine.serving.lines.caught import figures, words
from engine.serving.lines.drafts import of_a_draft, without_drafts
from engine.serving.lines.heads import heir_of_vllm, printed_by, several_servers, without_heads
from engine.serving.lines.llama_tables import table_rows
from engine.serving.lines.log_rules import RULES
from engine.serving.lines.rule import BENCH, COMMAND, OFFLINE, VLLM
from engine.serving.lines.settings import arguments, settings, starts
from engine.serving.lines.stated import Figure, Word, cut_off
from engine.serving.lines.statements import after_a_diff, is_a_sentence, is_advice, statements
from engine.serving.lines.whose import begins, listed_for, of_settings, regions, whose, whose_json
from engine.serving.lines.wrapped import unwrapped

KEY_WORDS = re.compile(  # of the lines that this lesson is about, whoever prints them
    r"max_total_num_tokens|(?:GPU|CPU) (?:KV cache size|blocks)|KV [Cc]ache (?:is allocated|size|memory)|kv[ _]cache|KV buffer|"
    r"kv self size|llama_kv_cache|server_args|max[_-]model[_-]len|n_ctx|#running-req|gen throughput|eval time|"
    r"(?:Mean|Median|P99) (?:TTFT|TPOT|ITL)",
    re.IGNORECASE,
)
MARKS = re.compile(r"\((?:R|TM|tm)\)|[®™]")  # of a maker’s names
WIDE = str.maketrans("\xa0：，（）‘’“”", " :,()''\"\"")  # as Chinese text has them, and a text editor: vllm issue 16676
ADVISED = {
    "n_ctx", "seq_ctx", "usable", "batch_tokens", "n_at_most", "n_devices", "block_size", "most_input", "prefill_tokens", "ran_out",
}  # fmt: skip
MAX_CHARS = 200_000
MAX_LINES = 5_000
SHOWN_CHARS = 160  # of a line
MOST_LEFT = 40  # lines that were left alone, of which the first are returned


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
    left_in_tables: int = 0  # numbers of tables that no program prints which is known here
    begins: tuple[int, ...] = ()  # lines, from 1, at which a server begins, where several do; the first of them is 1
    besides: tuple[str, ...] = ()  # what else takes memory, or keeps tokens elsewhere, so that a size is not the model’s alone
    loads: tuple[int, ...] = ()  # lines that say that a file is loaded
    failed: int = 0  # the last line that says that a start, or the loading of a model, failed
    together: tuple[int, ...] = ()  # lines that say that llama.cpp’s timings are of several texts or sequences
    of_several: bool = False  # several servers print in turns: services of docker compose

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
        """Who printed it, in order of appearance; COMMAND where it holds the command of a benchmark and nothing printed."""
        said = (one.program for one in sorted((*self.figures, *self.words), key=lambda one: one.line))
        named = dict.fromkeys(self.heir or one if one == VLLM else one for one in chain(self.printers, said))
        return tuple(program for program in named if program != COMMAND or len(named) == 1)


def read_log(text: str) -> ServerLog:
    """Read a log, of at most MAX_CHARS characters and MAX_LINES lines. Raises ValueError for more, or where no line is a known program's.

    >>> log = read_log("INFO kv_cache_utils.py:524] GPU KV cache size: 2,042,016 tokens")
    >>> log.value("kv_tokens"), log.last("kv_tokens").half
    (2042016.0, 0.5)
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"Expected at most {MAX_CHARS:,} characters, got {len(text):,}: paste the start-up lines only")
    printed = MARKS.sub("", text.translate(WIDE)).splitlines()
    if len(printed) > MAX_LINES:
        raise ValueError(f"Expected at most {MAX_LINES:,} lines, got {len(printed):,}: paste the start-up lines only")
    lines = unwrapped(without_heads(printed))
    own = without_drafts(lines)
    kept = list(after_a_diff(own))
    found = _by_rules(own)
    for one in benchmarks(kept):
        found.add([one], one.line, _shown(lines[one.line - 1], 0))
    rows, others = table_rows(kept)
    for row in rows:
        found.add([*row.figures, *row.words], row.line, _shown(lines[row.line - 1], 0))
    for figure in cut_off(found.figures, len(lines), text):
        found.figures.remove(figure)
    if any(one.name in ("n_input", "n_output") for one in found.figures):  # what was asked for is not what there was
        found.figures = [one for one in found.figures if one.name not in ("asked_input", "asked_output")]
    said = {one.line for one in (*found.figures, *found.words)}
    understood = {n: line for n, line in found.lines.items() if n in said}
    in_tables = sum(n for line, n in others.items() if line not in understood)
    if not understood:
        raise ValueError(_nothing_found(in_tables, printed))
    left = (
        (n, line[:SHOWN_CHARS].strip())
        for n, line in enumerate(lines, 1)
        if n not in understood and n not in found.arguments and line.strip()
    )
    printers = tuple(dict.fromkeys(filter(None, (printed_by(printed[n - 1]) for n in sorted(understood)))))
    return ServerLog(
        tuple(found.figures), tuple(found.words), understood, len(lines), printers, dict(islice(left, MOST_LEFT)),
        heir_of_vllm(printed), in_tables, begins(lines), besides(printed), loads(printed), failed(lines),
        together(lines), several_servers(printed),
    )  # fmt: skip


def _nothing_found(in_tables: int, lines: list[str]) -> str:
    """Why a text is refused of which nothing is understood, a table of so many numbers in it or none: without what its own lines deny."""
    table = f", and a table of {in_tables:,} numbers in no form that is read"
    if said := next(((n, found[0]) for n, line in enumerate(lines, 1) if (found := KEY_WORDS.search(line))), None):
        return (
            f"Found no line of the kind that is read here{table * bool(in_tables)}. A word that such lines have stands in it "
            f"(“{said[1]}” in line {said[0]:,}), but not as it is read. Expected whole lines of vLLM, llama.cpp, SGLang, TensorRT-LLM, TGI "
            "or ollama, each with what its program puts before it"
        )
    return (
        f"Found no line of the kind that is read here{table * bool(in_tables)}. Expected one of vLLM, llama.cpp, SGLang, TensorRT-LLM, "
        "TGI or ollama as it was printed, or the result of vllm bench serve with its heading, such as "
        "“GPU KV cache size: 78,384 tokens”, “llama_kv_cache: size = 1280.00 MiB (  4096 cells, …” or “max_total_num_tokens=367404, …”"
    )


@dataclass
class _Found:
    """What was caught so far: figures and words once each, the lines that say them, and those of arguments alone."""

    figures: list[Figure] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    lines: dict[int, str] = field(default_factory=dict)
    arguments: set[int] = field(default_factory=set)
    said: set[tuple] = field(default_factory=set)

    def add(self, caught: list[Figure | Word], n: int, shown: str) -> None:
        for one in caught:
            key = one.name, one.printed, one.line, getattr(one, "value", None)
            if key not in self.said:
                self.said.add(key)
                (self.figures if isinstance(one, Figure) else self.words).append(one)
        self.lines.setdefault(n, shown)


def _by_rules(lines: list[str]) -> _Found:
    """What the rules know of each statement of a known program; of lists of arguments, where one server alone is known."""
    found, named, unnamed = _Found(), set(), []
    answers, within = whose_json(lines), regions(lines, [whose(line) for line in lines])
    for first, starts_at, text in statements(lines):
        program = answers.get(first - 1) or within.get(first - 1) or whose(text) or listed_for(text)
        command = "" if program or is_a_sentence(text) else starts(text)
        if (program or command) == COMMAND:  # PyTorch’s, or arguments: of the one server that prints the others
            unnamed.append((first, starts_at, text, bool(command)))
        elif program or command:
            named.add(program or command)
            listed = bool(command) or first - 1 in within
            _of_statement(found, lines, first, starts_at, text, program or command, listed)
    servers = named - {BENCH, OFFLINE}
    for first, starts_at, text, command in unnamed if servers else ():
        if len(servers) == 1 or not command:
            _of_statement(found, lines, first, starts_at, text, min(servers) if command else COMMAND, command)
    return found


def _of_statement(
    found: _Found, lines: list[str], first: int, starts_at: list[int], text: str, program: str, command: bool
) -> None:
    for whose_it_is, match in _matches(text, program, command):
        at = match.start(match.lastgroup)
        n, before = (first + bisect(starts_at, where) - 1 for where in (at, max(at - 1, 0)))  # its line, and its argument’s
        caught = [*figures(match, whose_it_is, n), *words(match, whose_it_is, n)]
        if caught and not of_a_draft(text, at):
            apart = f"{lines[before - 1].strip()} " * (before < n)
            shown = _shown(apart + lines[n - 1].strip() if apart else lines[n - 1], match.start() if n == first else 0)
            found.add(caught, n, shown)
            found.arguments.add(before)


def _matches(line: str, program: str, command: bool):
    """(program, match) of this program's rules, and of its settings' names that are followed by a value."""
    for rule in RULES:
        if rule.program in (program, COMMAND) and not (rule.unless and rule.unless in line):
            found = ((rule.program, match) for match in rule.pattern.finditer(line))
            yield from (one for one in found if not (one[1].groupdict().keys() & ADVISED and is_advice(line, one[1].start())))
    if command:
        yield from arguments(line, program)
    elif of_settings(program, line):
        yield from settings(line, program)


def _shown(line: str, at: int) -> str:
    """SHOWN_CHARS of a line, among them what was found at `at`."""
    first = max(0, min(at, len(line) - SHOWN_CHARS)) if at > SHOWN_CHARS // 2 else 0
    return line[first : first + SHOWN_CHARS].strip()
