"""What a name means in front of its value, whoever wrote it down: an argument, a field in JSON or YAML, a shell's variable, a label.

`--max-model-len 8192`, `max_model_len=8192`, `"maxModelLen": 8192`, `- MAX_MODEL_LEN=8192`, `Max model len : 8192` and Triton's `key:
"max_model_len" value: {string_value: "8192"}` are the same statement: a name is read without its dashes, its small or capital letters
and its spaces, and looked up in a table of each program's names. What several programs know is nobody's own.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain

from engine.serving.lines.heads import printed_by
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

# Of each program, what is caught -> its names. Threads: sglang pulls 14056 and 40, TensorRT-LLM pull 3486 and issues 7364 and 3376 (its
# steps in JSON), InternLM/lmdeploy pull 1515, text-generation-inference issue 1374, ollama issues 12027, 9181, 8447 and 4636 and pull 2163
# (its answers), llama.cpp pull 12603 (likewise) and issue 14201, ROCm/ATOM issue 896 (“32K”), vllm pulls 54628 and 52149, vllm issue 41695,
# vllm-ascend issue 5689, rtx6kpro issue 7, AEON-7/vllm-ultimate-dgx-spark issue 5, weicj/vLLM-2080Ti-Definitive issue 88,
# LostRuins/koboldcpp issue 1128.
SETTINGS = {
    COMMAND: {
        "n_devices:count": "tensor-parallel-size tensor-parallel tp-size", "n_stages:count": "pipeline-parallel-size pp-size",
        "n_copies:count": "data-parallel-size dp-size",
        "n_at_most:count": "max-concurrent-requests concurrency max-sequences max-batch-size",
        "n_ctx:count": "session-len context-length context-tokens max-seq-len max-sequence-len",
        "block_size:count": "block-size page-size", "block_bytes:count": "bytes-per-block",
        "batch_tokens:count": "max-num-tokens max-num-batched-tokens",
        "most_input:count": "max-input-length max-input-tokens max-input-len", "prefill_tokens:count": "max-batch-prefill-tokens",
        "mean_input:count": "input-seq-len", "mean_output:count": "output-seq-len",
        "free_share": "cache-max-entry-count free-gpu-mem-fraction free-gpu-memory-fraction kv-cache-free-gpu-mem-fraction "
        "kv-cache-free-gpu-memory-fraction",
        "usable": "cuda-memory-fraction", "asked_ctx:count": "num-ctx",
        "offload_gb": "cpu-offload-gb", "served:text": "served-model-name",
        "quantization:word": "quantization", "kv_dtype:word": "kv-cache-dtype", "dtype:word": "dtype",
    },
    BENCH: {
        "mean_input:count": "input-len random-input-len random-input",
        "mean_output:count": "output-len random-output-len random-output sharegpt-output-len", "asked_requests:count": "num-prompts",
        "n_at_most:count": "max-concurrency", "asked_rate": "request-rate",
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
    TGI: {"batch_tokens:count": "max-batch-total-tokens", "quantization:word": "quantize", "n_devices:count": "num-shard"},
    TENSORRT: {
        "n_blocks:count": "maxNumBlocks", "block_size:count": "tokensPerBlock", "n_at_most:count": "maxBatchSizeRuntime",
        "used_bytes:count": "gpuMemUsage", "batch_tokens:count": "maxNumTokensRuntime", "n_now:count": "numActiveRequests",
        "n_waiting:count": "numQueuedRequests", "found_share": "cacheHitRate",
    },
    LLAMA_CPP: {
        "n_prompt:count": "prompt_n", "prefill_ms": "prompt_ms", "n_steps:count": "predicted_n", "decode_ms": "predicted_ms",
        "seq_ctx:count": "n_ctx_slot n_ctx_seq n_ctx_per_seq", "n_seq:count": "n_slots n_seq_max", "n_ctx:count": "n_kv_max",
        "mean_input:count": "n_prompt_tokens", "k_type:word": "ctk cache-type-k", "v_type:word": "ctv cache-type-v",
        "asked_ctx:count": "contextsize", "model_file:text": "model_param",
    },
    OLLAMA: {
        "planned_cache:size": "memory.required.kv", "planned_all:size": "memory.required.full runner.size",
        "planned_part:size": "memory.required.partial runner.vram", "planned_weights:size": "memory.weights.total",
        "compute_bytes:size": "memory.graph.full", "all_layers:count": "layers.model", "gpu_layers:count": "layers.offload layers.real",
        "n_ctx:count": "runner.num_ctx", "n_seq:count": "runner.parallel OLLAMA_NUM_PARALLEL", "n_prompt:count": "prompt_eval_count",
        "prefill_ns:count": "prompt_eval_duration", "n_steps:count": "eval_count", "decode_ns:count": "eval_duration",
        "request_ns:count": "total_duration", "k_type:word": "OLLAMA_KV_CACHE_TYPE", "asked_ctx:count": "OLLAMA_CONTEXT_LENGTH",
    },
}  # fmt: skip
FLAGS = {  # what is a setting with dashes before it only
    COMMAND: {"model:text": "model-path model-id model-name-or-path", "n_devices:count": "tp", "n_copies:count": "dp",
              "n_stages:count": "pp"},
    TENSORRT: {"most_output:count": "max-output-len", "block_size:count": "tokens_per_block"},
    TGI: {"n_ctx:count": "max-total-tokens"},
}  # fmt: skip
PRINTED = {  # what is a setting in a line that names its program only: ollama issue 7673
    OLLAMA: {"n_seq:count": "parallel", "planned_all:size": "required", "free_bytes:count": "available"}
}
# Whose command it is, by the first of these that stands in it, and what flags mean in it alone. Threads: vllm pulls 33743 and 10880,
# perf_analyzer issue 437, sglang pull 29271 and issue 3956, TensorRT-LLM pulls 7104, 9459 and 3486 and issue 224, tensorrtllm_backend
# issue 429, text-generation-inference issues 1692 and 2952, llama.cpp issues 10560 and 12817 and pull 15077, imoneoi/openchat issue 198.
COMMANDS = (
    (OFFLINE, r"vllm bench (?:throughput|latency)|benchmark_(?:throughput|latency)\.py|bench_offline_throughput|offline_inference|"
     r"sglang\.bench_latency",
     {"model:text": "model model-path", "n_at_most:count": "batch-size"}),
    (BENCH, r"vllm bench|benchmark_\w{2,20}\.py|genai-perf|aiperf|bench_one_batch",
     {"model:text": "model m model-path", "n_at_most:count": "batch-size"}),
    (LLAMA_CPP, r"llama-[a-z-]{2,20}(?:\.exe)?|koboldcpp[\w-]{0,20}(?:\.exe)?|llama_cpp\.server|(?<=\./)(?:server|main)", {
        "model_file:text": "m model", "model:text": "hf hf-repo", "asked_ctx:count": "c ctx-size n_ctx", "n_seq:count": "np parallel",
        "k_type:word": "ctk cache-type-k", "v_type:word": "ctv cache-type-v", "batch_tokens:count": "b batch-size n_batch"}),
    (TENSORRT, r"trtllm-\w{2,10}", {"model:text": "m model", "model_file:text": "checkpoint_dir"}),
    (TENSORRT, r"(?:build|convert_checkpoint)\.py", {"model:text": "model_dir"}),
    (TGI, r"text-generation-(?:launcher|inference)", {"model:text": "model-id"}),
    (SGLANG, r"sglang", {"model:text": "model model-path"}),
    (VLLM, r"vllm", {"model:text": "model"}),
    (COMMAND, r"python3? (?:-m )?(?=\S{0,90}(?:serv|bench|api|run))\S{3,120}|mlx_lm\.\w{1,20}|(?:command|args):(?= -)",
     {"model:text": "model model-path"}),
)  # fmt: skip
SHARED = {"gpumemoryutilization", "maxmodellen", "maxnumseqs", "maxnumseq"}  # vLLM’s first, others’ today: tokenspeed pull 177
OF_SHAREGPT = r"dataset_name[\"']?[=:] ?[\"']sharegpt"  # in Python, in JSON: sglang pull 685
UNLESS = {  # words of a line in which a name means another thing
    "numgpublocks": r"\bOverriding |\bmamba_block_size=\"?\d",  # not in force: vllm pull 39559; of layers with states: of no one size
    "blocksize": r"block_size=\d{1,12} bytes",  # of a file that is fetched ahead
    "maxtotaltokens": "sglang",  # there it is the cache’s: sglang issue 36452
    "randominputlen": OF_SHAREGPT, "randominput": OF_SHAREGPT,  # printed all the same: sglang issue 7654
    "randomoutputlen": OF_SHAREGPT, "randomoutput": OF_SHAREGPT,
}  # fmt: skip
SET = re.compile(  # “Setting x to 256” sets it, “try x to 256” does not: vllm issue 17676; “Default `x` to 256”: TGI issue 2744
    r"\b(?:[sS]et(?:ting)?|[dD]efault(?:ing)?)\s{1,4}(?:\w{1,20} )?`?$"
)
OF_A_BUILD = "build_config=BuildConfig("  # of TensorRT-LLM’s engine, which none of its PyTorch servers builds
TRUNCATED = re.compile(r"truncated to \d")  # what was asked is not what it has: InternLM/lmdeploy issue 3950
OTHERWISE = "equivalent to "  # what it would be under another setting: vllm issue 46462
OF_ANOTHER = re.compile(
    r"[a-zA-Z]{2}\.? $"
)  # “KV cache dtype”, “KV Cache is allocated. dtype”, “compute dtype”: not the weights’
NO_NAME = (
    r"(?<!\.json)(?!\.json|[\w-]|\s{0,2}[:=])"  # nor the next name, where nothing stands behind this one: ollama issue 14774
)
NOTHING = {"0", "None", "null"}
UNSET = {"served", "dtype", "kv_dtype", "n_seq", "asked_ctx", "n_ctx", "n_devices", "n_copies", "n_at_most", "batch_tokens",
         "block_size"}  # where it is 0: whatever is usual  # fmt: skip
NO_LETTER = re.compile(r"[\s_./-]")
NAME = re.compile(
    r"(?<![\w.$-])(?:--?(?P<flag>[a-zA-Z][\w.-]{0,60})(?:['\"],?)?[= ]{1,4}|"
    rf"(?P<name>[a-zA-Z][\w.-]{{0,60}})['\"*`]{{0,3}}(?: is)?\s{{0,20}}(?:[=:]|\(|to (?=\d)|{OF_TRITON})[*`]{{0,2}}\s{{0,20}})"
)
LABEL = re.compile(r"^[\s>*#|+-]{0,16}(?P<name>[A-Za-z]\w{0,20}(?:[ /-]\w{1,20}){1,5})[`*]{0,3}\s{0,20}[:=|][`*]{0,3}\s{0,20}")
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
WHOSE = [(program, re.compile(rf"(?<!\w)(?:{whose})(?!\w)"), _by_name({program: own})) for program, whose, own in COMMANDS]
BY_PRINTER = {program: _by_name({program: of}) for program, of in PRINTED.items()}
BY_FLAG = BY_NAME | {name: BY_NAME.get(name, []) + of for name, of in _by_name(FLAGS).items()}


@cache
def _value(what: str) -> re.Pattern:
    """What may stand behind a name: its value in quotes, in a shell's default, or bare."""
    name, _, kind = what.partition(":")
    return re.compile(
        rf"{DEFAULT}['\"`]{{0,2}}(?:[~≈](?=\d))?(?!-)(?:torch\.)?{CAUGHT[kind].format(name)}{NO_NAME * (kind == 'word')}",
        re.ASCII,
    )


def settings(line: str) -> Iterator[Statement]:
    """Every name of the line that a table knows, with a value that it can have.

    >>> [(program, match[0]) for program, match in settings("vllm serve x --max-model-len 8192 --tp 4")]
    [('vLLM', '8192'), ('a command', '4')]
    >>> [match[0] for _, match in settings("Setting max_num_seqs to 256")], list(settings("try max_model_len to 8192"))
    (['256'], [])
    """
    if TRUNCATED.search(line):
        return
    marked = [(program, found.end(), own) for program, whose, own in WHOSE if (found := whose.search(line))]
    _, begun, own = (*marked, ("", 0, {}))[0]
    by = printed_by(line)
    marks, printed = {by, *(program for program, *_ in marked)}, BY_PRINTER.get(by, {})
    if OFFLINE not in marks:
        marks.add(BENCH)
    build = line.find(OF_A_BUILD) % (len(line) + 1)  # where it begins, the end where there is none
    for match in chain(NAME.finditer(line), LABEL.finditer(line)):
        flag = match.groupdict().get("flag")
        name = _bare(flag or match["name"])
        if match.start() < build and not _means_another(name, match, line):
            known = (
                printed.get(name, ())
                or (flag and match.start() >= begun and own.get(name))
                or (BY_FLAG if flag else BY_NAME).get(name)
            )
            for program, what in known or ():
                value = _value(what).match(line, match.end())
                if value and not (value[value.lastgroup] in NOTHING and value.lastgroup in UNSET):
                    nobodys = match.re is LABEL or ((flag or name in SHARED) and program not in marks)
                    yield COMMAND if nobodys else program, value


def _means_another(name: str, match: re.Match, line: str) -> bool:
    """Whether the name means another thing in this line, or what follows is no value of it."""
    before = line[max(0, match.start() - 30) : match.start()]
    no_value = match[0].endswith("to ") and not SET.search(before)
    no_value |= name == "dtype" and not match.groupdict().get("flag") and bool(OF_ANOTHER.search(before))
    return no_value or before.endswith(OTHERWISE) or (name in UNLESS and bool(re.search(UNLESS[name], line)))
