"""What a name means in front of its value, in a program's command or in the settings that it prints: an argument, a field, a variable.

`--max-model-len 8192`, `max_model_len=8192`, `"maxModelLen": 8192` and Triton's `key: "max_model_len" value: {string_value: "8192"}` are
the same statement: a name is read without its dashes and its small or capital letters, and looked up among the names of the program whose
text it is, and among those that several know. Where nobody knows whose a text is, nothing is read.
"""

import re
from collections.abc import Iterator
from functools import cache

from engine.serving.lines.rule import (
    BENCH,
    CAUGHT,
    COMMAND,
    DEFAULT,
    LLAMA_CPP,
    OF_TRITON,
    OFFLINE,
    OLLAMA,
    SGLANG,
    TENSORRT,
    TGI,
    VLLM,
)
from engine.serving.lines.statements import is_advice
from engine.serving.lines.whose import OF_ARGUMENTS, PIPED, STARTS

# Of each program, what is caught -> its names. Threads: sglang pulls 14056 and 40, TensorRT-LLM pull 3486 and issues 7364 and 3376 (its
# steps in JSON), InternLM/lmdeploy pull 1515, text-generation-inference issue 1374, ollama issues 12027, 9181, 8447 and 4636 and pull 2163
# (its answers), llama.cpp pull 12603 (likewise) and issue 14201, ROCm/ATOM issue 896 (“32K”), vllm pulls 54628 and 52149, vllm issue 41695,
# vllm-ascend issue 5689, rtx6kpro issue 7, AEON-7/vllm-ultimate-dgx-spark issue 5, weicj/vLLM-2080Ti-Definitive issue 88,
# LostRuins/koboldcpp issue 1128.
SETTINGS = {
    COMMAND: {
        "n_devices:count": "tensor-parallel-size tensor-parallel tp-size", "n_stages:count": "pipeline-parallel-size pp-size",
        "n_copies:count": "data-parallel-size dp-size",
        "n_at_most:count": "max-concurrent-requests max-batch-size",
        "n_ctx:count": "context-length max-seq-len",
        "block_size:count": "block-size page-size",
        "batch_tokens:count": "max-num-tokens max-num-batched-tokens",
        "most_input:count": "max-input-length max-input-tokens max-input-len", "prefill_tokens:count": "max-batch-prefill-tokens",
        "offload_gb": "cpu-offload-gb", "served:text": "served-model-name",
        "quantization:word": "quantization", "kv_dtype:word": "kv-cache-dtype", "dtype:word": "dtype",
    },
    BENCH: {
        "asked_input:count": "input-len random-input-len random-input input-seq-len",
        "asked_output:count": "output-len random-output-len random-output sharegpt-output-len output-seq-len",
        "model:text": "model",
        "asked_requests:count": "num-prompts",
        "n_at_most:count": "max-concurrency concurrency", "asked_rate": "request-rate",
    },
    VLLM: {
        "usable": "gpu-memory-utilization", "n_ctx:count": "max-model-len", "n_ctx:thousands": "max-model-len",
        "n_at_most:count": "max-num-seqs max-num-seq", "n_blocks:count": "num-gpu-blocks",
        "n_preempted:count": "total-num-cumulative-preemption",
    },
    SGLANG: {
        "batch_tokens:count": "chunked-prefill-size", "usable": "mem-fraction-static", "n_at_most:count": "max-running-requests",
        "kv_tokens:count": "max-total-num-tokens", "n_ctx:count": "context-len", "data_parallel:word": "enable-dp-attention",
        "full_tokens:count": "full-layer-tokens", "window_tokens:count": "swa-layer-tokens", "n_state:count": "max-mamba-cache-size",
    },
    TGI: {"batch_tokens:count": "max-batch-total-tokens", "quantization:word": "quantize", "n_devices:count": "num-shard",
          "usable": "cuda-memory-fraction"},
    TENSORRT: {
        "free_share": "free-gpu-mem-fraction free-gpu-memory-fraction kv-cache-free-gpu-mem-fraction kv-cache-free-gpu-memory-fraction",
        "n_blocks:count": "maxNumBlocks", "block_size:count": "tokensPerBlock", "n_ctx:count": "maxSequenceLen",
        "n_at_most:count": "maxBatchSizeRuntime maxBatchSize", "used_bytes:count": "gpuMemUsage",
        "batch_tokens:count": "maxNumTokensRuntime maxNumTokens", "n_now:count": "numActiveRequests",
        "n_waiting:count": "numQueuedRequests", "found_share": "cacheHitRate",
    },
    LLAMA_CPP: {
        "n_prompt:count": "prompt_n", "prefill_ms": "prompt_ms", "n_steps:count": "predicted_n", "decode_ms": "predicted_ms",
        "seq_ctx:count": "n_ctx_slot n_ctx_seq n_ctx_per_seq", "n_seq:count": "n_slots n_seq_max",
        "cache_tokens:count": "n_kv_max", "mean_input:count": "n_prompt_tokens",
        "k_type:word": "ctk cache-type-k", "v_type:word": "ctv cache-type-v",
    },
    OLLAMA: {
        "planned_cache:size": "memory.required.kv", "planned_all:size": "memory.required.full runner.size",
        "planned_part:size": "memory.required.partial runner.vram", "planned_weights:size": "memory.weights.total",
        "compute_bytes:size": "memory.graph.full", "all_layers:count": "layers.model", "gpu_layers:count": "layers.offload layers.real",
        "n_ctx:count": "runner.num_ctx", "n_seq:count": "runner.parallel", "asked_seq:count": "OLLAMA_NUM_PARALLEL",
        "n_prompt:count": "prompt_eval_count", "prefill_ns:count": "prompt_eval_duration", "n_steps:count": "eval_count",
        "decode_ns:count": "eval_duration", "request_ns:count": "total_duration", "asked_kv_type:word": "OLLAMA_KV_CACHE_TYPE",
        "asked_ctx:count": "OLLAMA_CONTEXT_LENGTH num-ctx",
    },
}  # fmt: skip
FLAGS = {  # what is a setting with dashes before it only
    COMMAND: {"model:text": "model-path model-id model-name-or-path", "n_devices:count": "tp", "n_copies:count": "dp",
              "n_stages:count": "pp"},
    TENSORRT: {"most_output:count": "max-output-len", "block_size:count": "tokens_per_block"},
    TGI: {"n_ctx:count": "max-total-tokens"},
}  # fmt: skip
PRINTED = {  # what is a setting in a line that this program prints: ollama issue 7673
    OLLAMA: {"n_seq:count": "parallel", "planned_all:size": "required", "free_bytes:count": "available"}
}
# Whose command it is, by the first of these that stands in it, and what flags mean in it alone. Threads: vllm pulls 33743 and 10880,
# perf_analyzer issue 437, sglang pull 29271 and issue 3956, TensorRT-LLM pulls 7104, 9459 and 3486 and issue 224, tensorrtllm_backend
# issue 429, text-generation-inference issues 1692 and 2952, llama.cpp issues 10560 and 12817 and pull 15077, imoneoi/openchat issue 198.
COMMANDS = (
    (OFFLINE, r"vllm bench (?:throughput|latency)|benchmark_(?:throughput|latency)\.py|bench_offline_throughput|offline_inference|"
     r"sglang\.bench_(?:latency|offline\w{0,20}|one_batch(?!_server))",
     {"model:text": "model model-path", "n_at_most:count": "batch-size"}),
    (BENCH, r"vllm bench|benchmark_\w{2,20}\.py|genai-perf|aiperf|sglang\.bench_\w{4,20}",
     {"model:text": "model m model-path", "n_at_most:count": "batch-size"}),
    (LLAMA_CPP, r"llama-[a-z-]{2,20}(?:\.exe)?|llama_cpp\.server|(?<=\./)(?:server|main)", {
        "model_file:text": "m model", "model:text": "hf hf-repo", "asked_ctx:count": "c ctx-size n_ctx", "n_seq:count": "np parallel",
        "k_type:word": "ctk cache-type-k", "v_type:word": "ctv cache-type-v", "batch_tokens:count": "b batch-size n_batch"}),
    (TENSORRT, r"trtllm-\w{2,10}", {"model:text": "m model", "model_file:text": "checkpoint_dir"}),
    (TENSORRT, r"(?:build|convert_checkpoint)\.py", {"model:text": "model_dir"}),
    (TGI, r"text-generation-(?:launcher|inference)", {"model:text": "model-id"}),
    (SGLANG, r"sglang", {"model:text": "model model-path"}),
    (VLLM, r"vllm", {"model:text": "model"}),
    (OLLAMA, r"ollama(?:\.exe)?", {}),
)  # fmt: skip
DATASET = r"(?i)dataset[_-]name[\"']?[=: ]\s{0,3}[\"']?"  # in Python, in JSON, in a command: sglang pull 685
RANDOM, SHAREGPT = DATASET + r"random(?!\w)", DATASET + r"sharegpt"
IN_FORCE = {  # what a text has to say, and what it must not, for a name to be no mere default (sglang issue 7654)
    **dict.fromkeys(("randominputlen", "randominput"), (RANDOM, r"(?<!\w)(?<!\w[_-])input[_-]len[\"']?[=: ]\s{0,3}\d")),
    **dict.fromkeys(("randomoutputlen", "randomoutput"), (RANDOM, r"(?<!\w)(?<!\w[_-])output[_-]len[\"']?[=: ]\s{0,3}\d")),
    "sharegptoutputlen": (SHAREGPT, r"(?<!\w)(?<!\w[_-])output[_-]len[\"']?[=: ]\s{0,3}\d"),
    "inputlen": ("", DATASET + r"(?!random|sonnet)\w"),
}  # fmt: skip
UNLESS = {  # words of a line in which a name means another thing
    "numgpublocks": r"\bOverriding |\bmamba_block_size=\"?\d",  # not in force: vllm pull 39559; of layers with states: of no one size
    "blocksize": r"block_size=\d{1,12} bytes",  # of a file that is fetched ahead
    "numprompts": DATASET + r"generated"}  # of groups, which have their own numbers  # fmt: skip
SET = re.compile(  # “Setting x to 256” sets it, “try x to 256” does not: vllm issue 17676; “Default `x` to 256”: TGI issue 2744
    r"\b(?:[sS]et(?:ting)?|[dD]efault(?:ing)?)\s{1,4}(?:\w{1,20} )?`?$"
)
OF_A_BUILD = "build_config=BuildConfig("  # of TensorRT-LLM’s engine, which none of its PyTorch servers builds
TRUNCATED = re.compile(r"truncated to \d|specifying to ")  # what was asked is not what it has: InternLM/lmdeploy issue 3950
OTHERWISE = "equivalent to "  # what it would be under another setting: vllm issue 46462
OF_ANOTHER = re.compile(r"[a-zA-Z]{2}\.? $")  # “KV cache dtype”, “compute dtype”: not the weights’
NO_NAME = (
    r"(?<!\.json)(?!\.json|[\w-]|\s{0,2}[:=])"  # nor the next name, where nothing stands behind this one: ollama issue 14774
)
NOTHING = {"0", "None", "null"}
UNSET = {"served", "dtype", "kv_dtype", "n_seq", "asked_seq", "asked_ctx", "n_ctx", "n_devices", "n_copies", "n_at_most", "batch_tokens",
         "block_size"}  # where it is 0: whatever is usual  # fmt: skip
SEVERAL = re.compile(r",\S")  # of llama-bench, which takes several files: ggml-org/llama.cpp issue 16301
NO_LETTER = re.compile(r"[\s_./-]")
NAME = re.compile(
    r"(?<![\w.$-])(?:--?(?P<flag>[a-zA-Z][\w.-]{0,60})(?:['\"],?)?[= ]{1,4}|"
    rf"(?P<name>[a-zA-Z][\w.-]{{0,60}})['\"*`]{{0,3}}(?: is)?\s{{0,20}}(?:[=:]|\(|to (?=\d)|{OF_TRITON})[*`]{{0,2}}\s{{0,20}})"
)
Statement = tuple[str, re.Match]  # whose, and the value, in a group that is named after what it is


def _bare(name: str) -> str:
    return NO_LETTER.sub("", name).casefold()


def _by_name(table: dict[str, dict[str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Each name as it is looked up -> whose it is and what is caught."""
    found = {}
    for program, caught in table.items():
        for what, names in caught.items():
            for name in names.split():
                found.setdefault(_bare(name), []).append((program, what))
    return found


BY_NAME = _by_name(SETTINGS)
WHOSE = [(program, re.compile(rf"(?<![\w.-])(?:{whose})(?!\w)"), _by_name({program: own})) for program, whose, own in COMMANDS]
BY_PRINTER = {program: _by_name({program: of}) for program, of in PRINTED.items()}
BY_FLAG = BY_NAME | {name: BY_NAME.get(name, []) + of for name, of in _by_name(FLAGS).items()}


@cache
def _value(what: str) -> re.Pattern:
    """What may stand behind a name: its value in quotes, in a shell's default, or bare."""
    name, _, kind = what.partition(":")
    return re.compile(
        rf"{DEFAULT}['\"`]{{0,2}}(?!-)(?:torch\.)?{CAUGHT[kind].format(name)}{NO_NAME * (kind == 'word')}", re.ASCII
    )


def starts(text: str) -> str:
    """The program that a command starts, "" for none of these; COMMAND for a list of arguments that does not say whose.

    >>> starts("$ vllm serve x --tp 4"), starts("I start vllm with --tp 4"), starts("- --tp 8"), starts("echo a | ollama run x")
    ('vLLM', '', 'a command', 'ollama')
    """
    if STARTS.match(text, 0, 2000) or ((piped := PIPED.match(text, 0, 400)) and STARTS.match(text, piped.end(), 2000)):
        marks = [(program, found.start()) for program, whose, _ in WHOSE if (found := whose.search(text))]
        of_a_benchmark = [program for program, _ in marks if program in (BENCH, OFFLINE)]  # whose file lies in a server's folder
        if marks:
            return (of_a_benchmark or [min(marks, key=lambda mark: mark[1])[0]])[0]
    return COMMAND if OF_ARGUMENTS.match(text, 0, 200) else ""


def arguments(text: str, program: str) -> Iterator[Statement]:
    """Every argument of a program's command that a table knows, with a value that it can have.

    >>> [(program, match[0]) for program, match in arguments("vllm serve x --max-model-len 8192 --tp 4", "vLLM")]
    [('vLLM', '8192'), ('a command', '4')]
    """
    found = ((begins.end(), own) for of, whose, own in WHOSE if of == program and (begins := whose.search(text)))
    begun, own = next(found, (0, {}))
    own = own or next((own for of, _, own in WHOSE if of == program), {})
    for match in NAME.finditer(text):
        flag = match["flag"]
        name = _bare(flag or match["name"])
        if flag or program == OLLAMA or match.start() > begun:
            known = (flag and match.start() >= begun and own.get(name)) or (BY_FLAG if flag else BY_NAME).get(name, ())
            yield from _of_name(known, match, text, name, program)


def settings(text: str, program: str) -> Iterator[Statement]:
    """Every name that a table knows in a line in which this program lists its settings, with its value.

    >>> [(program, match[0]) for program, match in settings("max_total_num_tokens=9, context_len=4", "SGLang")]
    [('SGLang', '9'), ('SGLang', '4')]
    """
    if TRUNCATED.search(text):
        return
    build = text.find(OF_A_BUILD) % (len(text) + 1)  # where it begins, the end where there is none
    printed = BY_PRINTER.get(program, {})
    for match in NAME.finditer(text):
        name = _bare(match["flag"] or match["name"])
        known = match.start() < build and not match["flag"] and (printed.get(name) or BY_NAME.get(name))
        if known and not is_advice(text, match.start()):
            yield from _of_name(known, match, text, name, program)


def _of_name(known, match: re.Match, text: str, name: str, program: str) -> Iterator[Statement]:
    """The values behind one name, of this program's settings and of those that several know."""
    for whose, what in known:
        if whose not in (program, COMMAND) and not (whose == BENCH and program == OFFLINE):
            continue
        value = _value(what).match(text, match.end())
        if (
            value
            and not _means_another(name, match, text)
            and not (value[value.lastgroup] in NOTHING and value.lastgroup in UNSET)
            and not (value.lastgroup == "model_file" and SEVERAL.match(text, value.end()))
        ):
            yield COMMAND if whose in (BENCH, OFFLINE) else whose, value


def _means_another(name: str, match: re.Match, line: str) -> bool:
    """Whether the name means another thing in this line, or what follows is no value of it."""
    before = line[max(0, match.start() - 30) : match.start()]
    no_value = match[0].endswith("to ") and not SET.search(before)
    no_value |= name == "dtype" and not match.groupdict().get("flag") and bool(OF_ANOTHER.search(before))
    needed, never = IN_FORCE.get(name, ("", UNLESS.get(name)))
    other = not re.search(needed, line) or bool(never and re.search(never, line))
    return no_value or before.endswith(OTHERWISE) or other
