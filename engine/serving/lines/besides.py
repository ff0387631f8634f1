"""What a server runs beside its model, or keeps elsewhere: a size in its log is then not its model’s alone, and says nothing of it.

It is looked for in every line, whosever it is: a verdict that is withheld is never false. Each as its program prints it: vllm pull
24392 (a draft), LMCache pull 2522 (a server of prompts beside one of answers), kvcache-ai/ktransformers issue 1804 (experts in main
memory). And how often it loads a file, and whether that failed.
"""

import re

from engine.serving.lines.whose import HEAD, whose

SET = r"[\"']?\s?[=:\s]\s?[\"']?"  # for =~, between a name and its value: in Python, in JSON, in a command
DRAFT = "the log names a draft model"
ADAPTERS = "the log names adapters"
HOST = "the log names a part in main memory"
BY_HAND = "the log names a number of blocks set by hand"
CUT = "the log names devices that share the tokens of a sequence"
EXPERTS = "the log names experts held twice"
APART = "the log names prompts and answers computed apart"
GUESSED = "the log names a run in which guesses are checked"
SIGNS = {
    DRAFT: r"speculative[_-]config=~(?:SpeculativeConfig\(|\{|\\?\")|Loading drafter model|SpecDecoding metrics: |draft acceptance|"
    r"speculative[_-](?:algorithm|model|draft[_-]model(?:[_-]path)?)=~(?!None|null|NULL)[\w./]|num_speculative_tokens|"
    r"#running-req: .{0,120}?accept len: |common_speculative|--model-draft |(?<!\S)-md |"
    r"Load weight end\..{0,120}?type=\w*(?:[Ee]agle|EAGLE|NextN|MTP|Medusa|Draft|DFlash)",
    ADAPTERS: r"enable[_-]lora=~True|--enable-lora|--lora-modules|lora_paths=~[\[{(]|--lora(?:-paths)? ",
    HOST: r"cpu[_-]offload[_-]gb=~(?:[1-9]|0?\.\d{0,3}[1-9])|--kt-\w|kt_weight_path=~[\w/]",
    BY_HAND: r"num[_-]gpu[_-]blocks[_-]override=~\d",
    CUT: r"(?:decode|prefill)[_-]context[_-]parallel[_-]size=~(?!1\b)\d|(?<!\S)-(?:-dcp-size|dcp) (?!1\b)\d|\b[dp]cp_size=~(?!1\b)\d",
    EXPERTS: r"enable[_-]eplb=~True|--enable-eplb|redundant[_-]experts=~[1-9]",
    GUESSED: r"^n_drafted\s{1,4}=\s{1,4}\d",  # llama-speculative, whose prompt is of all batches of several tokens
    APART: r"disaggregation[_-]mode=~(?:prefill|decode)|kv_role\W{1,12}kv_(?:producer|consumer)",
}
MARKS = {what: re.compile(sign.replace("=~", SET)) for what, sign in SIGNS.items()}

TOGETHER = re.compile(  # programs of llama.cpp’s whose timings are sums of several texts or sequences, and what they print
    r"(?:^|[\s/\\])(?:(?:\.{1,2}|bin|Release|build)[/\\]|llama-)(?:llama-)?(?:batched|batched-bench|perplexity|imatrix|parallel|"
    r"speculative(?:-simple)?|lookup(?:-\w{1,9})?|lookahead|embedding|bench|retrieval|tts|mtmd-cli|llava-cli|minicpmv-cli|qwen2vl-cli|"
    r"gemma3-cli|passkey|gritlm|cvector-generator|save-load-state|sweep-bench)(?:\.exe)?(?=[\s`]|$)|"
    r"^main: n_kv_max = \d|^main: n_(?:len|predict) = \d.{0,80}n_parallel = |^main: n_parallel = \d|^main: generating \d+ sequences|"
    r"^(?:perplexity|hellaswag_score|winogrande_score|multiple_choice_score|kl_divergence|compute_imatrix|collect_imatrix)\s?: |"
    r"^Final estimate: PPL|^batch_decode: n_tokens = |^Simulating parallel requests|^n_accept\s{1,6}=\s{1,6}\d|"
    r"^(?:encoding|decoding) (?:image|audio)|^(?:image|audio)(?: slice)? (?:encoded|decoded) |^encode_image_with_clip: "
)
TALK = re.compile(r"== Running in interactive mode|interactive mode on|, enabling conversation mode")
COMMAND = re.compile(r"(?:^|[\s/\\])(?:llama-cli|main)(?:\.exe)?\s")
TO_TALK = {"-cnv", "--conversation", "-i", "--interactive", "--interactive-first", "-ins"}  # until llama.cpp’s -st, one turn
RUNS = re.compile(  # tokens that were drawn, those of prompts that were computed, steps; tokens of the prompt that was given
    r"(?:(?P<drawn>sampl(?:e|ing))|(?P<prompt>prompt eval)|(?P<steps>\beval)) time =\s{1,12}\d[\d.,]{0,14} ms /\s{1,9}(?P<n>\d{1,9}) |"
    r"(?P<given>number of tokens in prompt) = (?P<n_given>\d{1,9})\b"
)
LOADS = (  # once for each load: of ollama's own engine, of what it starts for one, of llama.cpp's library
    re.compile(r'msg=load request="?\{Operation:commit '),
    re.compile(r'msg="starting (?:llama server|runner)".{0,300}? --model '),
    re.compile(r"llama_model_loader: loaded meta data with "),
)
FAILED = re.compile(  # vllm issue 19106, llama.cpp issue 10547, ollama issue 7867, sglang issue 7691, TGI issue 2312
    r"Engine core initialization failed|EngineCore failed to start|Engine process failed to start|error loading model(?:\b| )|"
    r"failed to load model\b|unable to load model\b|exiting due to model loading error|died during initialization|"
    r"error loading llama server|llama runner process has terminated|ShardCannotStart|Shard \d{1,3} failed to start|"
    r"msg=\"Load failed\"|timed out waiting for llama runner to start|llama runner exited|"
    r"Initialization failed\. warmup error|Failed to initialize executor|"
    r"WorkerProc failed to start|failed to create context with model|failed to initialize the context|"
    r"common_init_from_params: failed|Error: (?:Warmup|DownloadError|ShardFailed)\b"
)

STOPPED = re.compile(r"(?:Scheduler|WorkerProc) hit an exception")  # in a start, or at a later request
AT_WORK = re.compile(r"(?:Decode|Prefill) batch|fired up and ready|Uvicorn running|/health|HTTP/1\.1")


def loads(lines: list[str]) -> tuple[int, ...]:
    """The lines, from 1, that say that a file is loaded.

    >>> loads(["llama_model_loader: loaded meta data with 2 key-value pairs", "llama_model_loader: - kv 0"])
    (1,)
    """
    found = [tuple(n for n, line in enumerate(lines, 1) if mark.search(line, 0, 2000)) for mark in LOADS]
    return next(filter(None, found), ())  # ollama prints several of these for one load


def failed(lines: list[str]) -> int:
    """The last line, from 1, that says that a start or the loading of a model failed; 0 for none.

    >>> failed(["RuntimeError: Engine core initialization failed. See root cause above.", "x"]), failed(["x"])
    (1, 0)
    >>> failed(["  - `EngineCore failed to start`. Traceback bottoms out at", "### Bug: llama_model_load: error loading model"])
    0
    """
    found = [n for n, line in enumerate(lines, 1) if FAILED.search(line, 0, 2000)]
    if stopped := next((n for n, line in enumerate(lines, 1) if STOPPED.search(line, 0, 400)), 0):
        found += [stopped] * (not any(AT_WORK.search(line, 0, 400) for line in lines))
    return max((n for n in found if whose(lines[n - 1]) or _begins_so(lines[n - 1])), default=0)


def together(lines: list[str]) -> tuple[int, ...]:
    """The lines, from 1, that say that llama.cpp's timings are of no one request: of a program that computes several texts or sequences,
    or far more steps than tokens drawn, or more tokens of a prompt than were given, or a conversation.

    >>> sums = "x: sample time = 0.00 ms / {} runs (", "x: prompt eval time = 9.5 ms / 16 tokens (", "x: eval time = 9.5 ms / 512 runs ("
    >>> together([sums[0].format(1), *sums[1:]]), together([sums[0].format(513), *sums[1:]])
    ((3,), ())
    >>> together(["main: number of tokens in prompt = 7", sums[1]]), together(["number of tokens in prompt = 16", sums[1]])
    ((2,), ())
    """
    found, last, talk = [], {}, False
    for n, line in enumerate(lines, 1):
        if TOGETHER.search(line, 0, 2000):
            found.append(n)
        talk = talk or _opens_a_talk(line)
        match = RUNS.search(line, 0, 400) if " time = " in line or "tokens in prompt" in line else None
        if not match:
            continue
        kind = next(kind for kind in ("drawn", "prompt", "steps", "given") if match[kind])
        if kind == "prompt" and talk and "given" not in last:
            found.append(n)
        last[kind] = int(match["n"] or match["n_given"])
        unlike = kind == "steps" and 2 * last.pop("drawn", last[kind]) < last[kind]
        if unlike or (kind == "prompt" and last[kind] > last.get("given", last[kind]) + 1):
            found.append(n)
    return tuple(found)


def _opens_a_talk(line: str) -> bool:
    """Whether it opens a conversation, whose timings are sums of all its turns: by llama.cpp's words or by its command.

    >>> _opens_a_talk("./main -m x.gguf -i -n 9"), _opens_a_talk("llama-cli -cnv -st -p Hi"), _opens_a_talk("main: -i")
    (True, False, False)
    """
    command = COMMAND.search(line, 0, 2000)
    options = set(line[command.end() :][:2000].split()) if command else set()
    return bool(TALK.search(line, 0, 2000) or (options & TO_TALK and not options & {"-st", "--single-turn"}))


def _begins_so(line: str) -> bool:
    """Whether a line's message begins with it, as no sentence about it does."""
    message = HEAD.match(line, 0, 400).end()
    return bool(FAILED.match(line, message) or STOPPED.match(line, message))


def besides(lines: list[str]) -> tuple[str, ...]:
    """What of these a log names.

    >>> besides(["vllm serve x --enable-lora", "cpu_offload_gb=0"]), besides(["speculative_config=None, cpu_offload_gb=8.0"])
    (('the log names adapters',), ('the log names a part in main memory',))
    >>> besides(["target:", "  kind: x"]), besides(["draft:", "target:"])
    ((), ('the log names a run in which guesses are checked',))
    """
    # Headings of llama-speculative’s, one of which alone is anybody’s.
    two = {"draft:", "target:"} <= {line.strip() for line in lines}
    return tuple(
        what for what, mark in MARKS.items() if (what == GUESSED and two) or any(mark.search(line, 0, 20_000) for line in lines)
    )
