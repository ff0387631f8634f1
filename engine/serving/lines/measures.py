"""What a benchmark measured, by the label of the number (labels.py): in a line, in JSON, or in a cell of a table (log_tables.py).

A time without a unit is none. Threads with such lines: AI-Hypercomputer/JetStream pull 83 (the unit behind), ai-dynamo/aiperf issue 340
(a unit and its shares in one object), NVIDIA/TensorRT-LLM issues 703 (names and numbers in turn) and 6294 (a unit in a heading),
InternLM/lmdeploy pull 946 (several shares in one line), PaddlePaddle/FastDeploy pull 7931 (P99.9).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.serving.lines.labels import BYTES, COUNT, PART, RATE, SIZE, TIME, Measure, measure, share_of
from engine.serving.lines.rule import BENCH, COMMAND
from engine.serving.lines.stated import Figure, figure_of

NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:\.\d{1,17})?(?:e[+-]\d{1,2})?"
UNIT = (
    r"(?:milliseconds?|seconds?|secs?|[mµun]?s|(?:tok|toks|tokens?|t|req|reqs|requests?)/s(?:ec)?|tps|tokens?|requests?|[GMK]i?B|%)"
    r"(?![\w/])"
)
AS_A_SUM = r"\s?[/*·]\s?[\d.]{1,12}\s?="  # “accept len: 93.7/28.5=3.28”: sgl-project/sglang pull 32207
TO = r"\s?(?:-|\u2013|\.\.)\s?(?:\d|$)"  # “Acceptance: 0.56-0.94”: sudoingX/qwen38-mtp pull 6
LABEL = r"#?[A-Za-z](?:[\w /#+-]|\.(?=\d)){0,50}?(?:\([^()]{1,30}\)(?: (?:avg|p\d\d))?)?"
LINE = re.compile(
    rf"(?<![\w.])(?P<label>(?:\[\w{{3,12}}\] )?{LABEL})[\"'*`\]]{{0,3}}\s{{0,8}}[:=|]?[:=][\"'*`]{{0,3}}\s{{0,60}}[\"'*`]{{0,3}}[~≈]?"
    rf"(?P<value>{NUMBER})(?![\d.])(?:\s?(?:±|\+/-)\s?[\d.]{{1,12}})?(?:\s{{0,2}}(?P<unit>{UNIT}))?(?!\s?%|\w|{AS_A_SUM}|{TO})",
    re.ASCII,
)
SEVERAL = re.compile(  # “first token latency(s)(min, max, ave): 0.6, 12.9, 4.4”
    r"(?P<label>[A-Za-z][\w -]{2,40}?)(?:\((?P<unit>m?s)\))?\s?(?:percentile)?\((?P<names>\w{2,6}(?:, ?\w{2,6}){1,6})\):\s{0,4}\[?"
    r"(?P<values>\d{1,9}(?:\.\d{1,9})?s?(?:, ?\d{1,9}(?:\.\d{1,9})?s?){1,6})(?![\d.])",
    re.ASCII,
)
NUMBER_FIRST = re.compile(  # “9289 prompt tok, 5320.7 prefill tok/s”: noonghunna/club-3090 issue 1086
    rf"(?<![\w.+/,-])(?P<value>{NUMBER}) (?P<label>(?:[a-z]{{2,12}} ){{1,3}})(?P<unit>(?:tok|toks|tokens?|t)(?:/s(?:ec)?)?)(?![\w/])",
    re.ASCII,
)
WITHOUT_A_SIGN = re.compile(
    rf"\b(?P<label>(?:(?:mean|avg|median|p\d\d) )?(?:ttft|tpot|itl|e2el)) (?P<value>{NUMBER})\s?(?P<unit>ms|s)\b",
    re.IGNORECASE | re.ASCII,
)
RATES_IN_TURN = re.compile(  # “decode median 167.93 tok/s, prefill 2197.19 tok/s, ttft 240.3 ms”: raullenchai/Rapid-MLX pull 585
    rf"\b(?P<label>(?:prefill|decode)(?: (?:mean|avg|median))?) (?P<value>{NUMBER})\s?(?P<unit>(?:tok|tokens?|t)/s)(?![\w/])",
    re.IGNORECASE | re.ASCII,
)
OF_A_TEST = re.compile(
    rf"\b(?P<label>(?:pp|tg) ?\d{{1,8}})(?: ?@ ?d\d{{1,8}})?(?P<key>\")?`?\s{{0,4}}[:=]\s{{0,8}}(?P<value>{NUMBER})"
    r"(?:\s?±\s?[\d.]{1,8})?(?(key)|\s?(?:t/s|tok/s|tokens/s))",
    re.ASCII,
)
IN_TURN = re.compile(
    rf"(?P<label>[A-Za-z]\w{{1,30}}(?:\((?:ms|s|gb)\))?) (?P<value>{NUMBER})(?=[*` ]{{1,4}}[A-Za-z]|\W{{0,4}}$)", re.ASCII
)
SECTION = re.compile(
    r"^[\s+|]{0,8}[-=]{2,60}\s{0,4}(?P<label>[^-=()]{3,50}?)\s{0,4}(?:\((?P<unit>[\w/]{1,12})\))?\s{0,4}[-=]{2,60}$"
)
ABOVE = re.compile(  # what stands farther in is its: vllm pull 10879, vllm issue 1435
    r"^(?P<label>(?:TTFT|TPOT|ITL|E2EL?)(?=(?: \([^()]{3,40}\))?:$)|[A-Za-z][\w -]{2,50}?(?= \())(?: \((?:(?P<unit>ms|s)|[^()]{3,40})\))?:$"
)
OF_DATA = re.compile(r"\s{1,4}from\b")  # “prompts: 143 from prompts.json”: open-telemetry/opentelemetry-demo pull 3788
OF_A_SECTION = re.compile(r"\b(?:breakdown|statistics|distribution|details)\b", re.IGNORECASE | re.ASCII)
JSON = re.compile(
    r'"(?P<open>[\w ]{1,40})"\s{0,4}:\s{0,4}\{|(?P<close>\})|'
    rf'"(?P<key>\w{{1,20}})"\s{{0,4}}:\s{{0,4}}(?:"(?P<unit>[\w/]{{1,20}})"|(?P<value>{NUMBER}))'
)
LEVEL = re.compile(r"^(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\s{1,20}")  # before what a line says: mini-sglang pull 59
STAGE = re.compile(
    r"\W{0,12}(Prefill|Decode|Total)(?: \d{1,6})?\.(?! \d)"
)  # "Prefill. latency: 0.019 s": sgl-project/sglang pull 564
SAID = re.compile(  # “the rest reserved for KV cache is only 8.69GiB”: vllm-project/vllm issue 13061
    rf"(?P<label>(?:[A-Za-z_]+ ){{1,4}})(?:is|was|takes?|took|uses?|used|of|at)(?: only| about| around)? [~≈]?(?P<value>{NUMBER})\s?"
    r"(?P<unit>[GM]i?B)\b",
    re.ASCII,
)
OF_START = re.compile(
    r"\b(?:load|captur|compil|warm|download|profil|init|leave\b|debug\b)", re.IGNORECASE | re.ASCII
)  # seconds of these are no benchmark’s
OF_ALL = re.compile(
    rf"(?<![\w.])(?P<used>{NUMBER})\s?(?P<own>[GM]i?B)? ?/ ?(?P<all>{NUMBER})\s?(?P<unit>[GM]i?B)\b", re.ASCII
)  # in use, of all there is
OF_HOST = re.compile(
    r"system memory|swap|\binit torch|\brss\b|\b(?:host|cpu|system) (?:ram|memory)\b|\bdisk\b", re.IGNORECASE | re.ASCII
)  # no device's memory
OF_POOL = re.compile(r"\bkv.?cache\b|_pool\b", re.IGNORECASE | re.ASCII)  # part of a device’s memory
OF_INTEREST = re.compile(
    r"batch|prompt|tg\d|len|time|ttft|tpot|itl|e2e|laten|token|throughput|request|concurren|accept|length|completed|duration|isl|osl|/s\b|tps|rps|"
    r"mem|cache|weights|decod|prefill|mean|median|p\d\d|alloc|limit|free|count|gpu|head|layer|size|dim|used|requested|vram|[gm]i?b\b|speed|rate|context|ctx",
    re.IGNORECASE | re.ASCII,
)
TEST = re.compile(r"(pp|tg) ?(\d{1,8})(?: ?\+ ?tg ?(\d{1,8}))?(?: ?@ ?d(\d{1,8}))?(?: ?\(?t/s\)?)?$")
CELL = re.compile(rf"[~≈]?\s?(?P<value>{NUMBER})\s?(?P<unit>%|[A-Za-zµ]{{1,12}}(?:/[a-z]{{1,6}})?)?(?:\s{{0,2}}[±(].{{0,40}})?")
RATED = re.compile(
    rf"(?<![\w.+/,-])(?P<value>{NUMBER})\s{{0,2}}(?P<unit>(?:tok|toks|tokens?|t)/s(?:ec)?|tps)(?![\w/])", re.IGNORECASE | re.ASCII
)
SIDES = re.compile(
    r"\b(?:(?P<prompt>prompts?|prefill|pp\d*|input)|tg\d*|decod\w*|generat\w*|output|eval)\b", re.IGNORECASE | re.ASCII
)
COUNTED = re.compile(
    r"\d (?:tok(?:en)?s? )?(?:prompts?|input)\b"
)  # “200 token prompts: 7435.27 tokens/sec”: TensorRT-LLM issue 4275
NO_CLAIM = re.compile(  # of a run that was measured
    r"\b(?:should|expect\w*|estimat\w*|would|could|want|need|target|limit|slo|theor\w*|instead|up to|vs|than|from|improve\w*|"
    r"faster|slower|gain|quoted|typical\w*|report\w*|reproduc\w*|official\w*|sampl\w*|load|claim\w*|if|less|more|without)\b|[→%+]|->",
    re.IGNORECASE | re.ASCII,
)


def figure(what: Measure, digits: str, n: int) -> Figure | None:
    """A number under its label."""
    name, unit = what.name, what.unit if what.unit == "/min" or (what.kind not in (RATE, PART) and what.unit != "ms") else ""
    if what.kind == PART:
        whole = what.unit == "%" or float(digits.replace(",", "")) > 1
        name = f"{name}_{'percent' if whole else 'share'}"
    if name == "mean_at_once" and digits.isdigit():  # a setting; a mean is printed with its decimals
        name = "n_at_most"
    anybodys = what.kind in (SIZE, PART, RATE) or name.startswith(
        ("at_", "info_", "n_devices", "n_cards", "n_at_most", "mean_", "cache_tokens", "accept_len")
    )  # no benchmark's alone: “batch size = 4” is anybody's (vllm issue 7553)
    return figure_of(name, digits, unit or None, COMMAND if anybodys else BENCH, n)


def measured(lines: list[str]) -> Iterator[Figure]:
    """Every number of these lines whose label is a measure's, tables apart."""
    section, section_unit, above = "", "", False
    for n, line in enumerate(lines, 1):
        if above and line[:1].strip():
            section, section_unit, above = "", "", False
        if heading := SECTION.match(line) or ABOVE.match(line.rstrip()):
            section, section_unit = OF_A_SECTION.sub("", heading["label"]), (heading["unit"] or "")
            above = heading.re is ABOVE
        if OF_INTEREST.search(line):
            line = re.sub(r"(?: per |/)sec(?:ond)?\b", "/s", line.replace("\\n", "  "))
            stage = STAGE.match(line)
            forms = (LINE, NUMBER_FIRST, WITHOUT_A_SIGN) + (RATES_IN_TURN,) * (not NO_CLAIM.search(line))
            matches = [match for form in forms for match in form.finditer(line)]
            for match in matches:
                label, own = LEVEL.sub("", match["label"]), match["unit"] or ""
                share = " ".join(filter(share_of, label.split()))
                what = (stage and measure(f"{stage[1]} {label}", own)) or measure(label, own)
                what = what or (section_unit and not own and measure(label, section_unit)) or (
                    share and measure(f"{share} {section}", own or section_unit)
                )  # fmt: skip
                if what and not _of_another(what, line, match.end()) and (found := figure(what, match["value"], n)):
                    section, section_unit = (
                        (label, "") if what.kind == TIME and "(" in line and not share else (section, section_unit)
                    )
                    yield found
            yield from _of_several(line, n)
    yield from _in_objects(lines)


def _of_another(what: Measure, line: str, end: int) -> bool:
    """Bytes of main memory, seconds in which a server starts, or how many a file or a graph has."""
    return bool(
        (what.kind == SIZE and OF_HOST.search(line))
        or (what.name == "memory" and OF_POOL.search(line))
        or (what.name == "duration_s" and OF_START.search(line))
        or (what.kind == COUNT and (OF_DATA.match(line, end) or "Capturing" in line))
    )


def _of_several(line: str, n: int) -> Iterator[Figure]:
    """Several shares of one measure in one line, or names and numbers in turn."""
    for match in SEVERAL.finditer(line):
        for name, value in zip(match["names"].split(","), match["values"].split(","), strict=False):
            share = f"p{name.strip()}" if name.strip().isdigit() else name.strip()
            what = share_of(share) and measure(f"{share} {match['label']}", match["unit"] or "s" * value.endswith("s"))
            if what and what.kind == TIME and (found := figure(what, value.strip().rstrip("s"), n)):
                yield found
    for match in OF_A_TEST.finditer(line):
        yield from of_a_test(TEST.match(match["label"]), match["value"], n)
    device = not OF_HOST.search(line) and "ree" not in line
    for match in OF_ALL.finditer(line) if device and not OF_POOL.search(line) else ():
        if not match["own"] and float(match["used"].replace(",", "")) > float(match["all"].replace(",", "")):
            continue  # bytes, and the same in GB: sgl-project/sglang pull 18263
        for name, digits in (("used_bytes", match["used"]), ("card_bytes", match["all"])):
            unit = match["own"] if name == "used_bytes" and match["own"] else match["unit"]
            yield figure_of(name, digits, BYTES[unit.casefold()], COMMAND, n)
    for match in SAID.finditer(line) if device and not NO_CLAIM.search(line) else ():
        words = match["label"].split()
        what = next((what for k in range(len(words)) if (what := measure(" ".join(words[k:]), match["unit"]))), None)
        if what and (found := figure(what, match["value"], n)):
            yield found
    pairs = list(IN_TURN.finditer(line))
    for match in pairs if len(pairs) > 2 else ():
        label = re.sub(r"^percentile(\d\d)", r"p\1 latency", match["label"])
        if (what := measure(label.replace("latency(", "request latency("))) and (found := figure(what, match["value"], n)):
            yield found


def of_a_test(test: re.Match, rate: str, n: int) -> list[Figure]:
    """A rate beside the name of its test, “pp512”, “tg128”: several may be of one line, so that it is no time of the file that it names."""
    kind, count, then, _ = test.groups()
    name, of = (
        ("total_rate", "mean_input")
        if then
        else ("prompt_rate", "mean_input")
        if kind == "pp"
        else ("answer_rate", "mean_output")
    )
    stated = [(of, count), *[("mean_output", then)] * bool(then), (name, rate)]
    return [found for one, digits in stated if (found := figure_of(one, digits, None, BENCH, n))]


def in_words(line: str, n: int) -> Iterator[Figure]:
    """Tokens a second in a sentence or in a line of another form; none where it speaks of what was hoped, compared or asked."""
    line = re.sub(r"(?: per |/)sec(?:ond)?\b", "/s", line)
    of_a_table = line.count("|") > 2  # what a cell is its heading says
    for match in () if of_a_table or NO_CLAIM.search(line) else RATED.finditer(line):
        *_, side = None, *SIDES.finditer(COUNTED.sub("", line[max(0, match.start() - 40) : match.start()]))
        name = "prompt_rate" if side and side["prompt"] else "answer_rate"
        if found := figure_of(name, match["value"], None, COMMAND, n):
            yield found


@dataclass
class _Object:
    """One object of JSON: its key, its unit, and its numbers with their lines."""

    key: str
    unit: str = ""
    numbers: list[tuple[str, str, int]] = field(default_factory=list)

    def figures(self) -> Iterator[Figure]:
        for key, digits, n in self.numbers:
            of_unit = self.key.replace("_per_second", "/s")
            what = (
                measure(f"{key} {self.key}", self.unit) if share_of(key) else measure(key, of_unit) if "/s" in of_unit else None
            )
            if what and (found := figure(what, digits, n)):
                yield found


def _in_objects(lines: list[str]) -> Iterator[Figure]:
    """Shares of a measure that has an object of its own; the last one may be cut off."""
    within = []
    for n, line in enumerate(lines, 1):
        for match in JSON.finditer(line) if '"' in line or "}" in line else ():
            if match["open"]:
                within.append(_Object(match["open"]))
            elif match["close"]:
                yield from within.pop().figures() if within else ()
            elif within and match["value"]:
                within[-1].numbers.append((match["key"], match["value"], n))
            elif within and match["key"] == "unit":
                within[-1].unit = match["unit"].replace("requests/sec", "req/s")
    for one in within:
        yield from one.figures()
