"""Whose a line is: the program's whose head stands before it, or whose words alone begin so, or which a command starts.

A line that is nobody's is left, whatever numbers and labels it has: sentences, lists and tables in a thread, and other programs'
lines, use the same words (unslothai/unsloth issue 1591, airockchip/rknn-llm issue 165, kvcache-ai/ktransformers issue 726).
"""

import re

from engine.serving.lines.heads import printed_by
from engine.serving.lines.rule import BENCH, COMMAND, LLAMA_CPP, OFFLINE, OLLAMA, SGLANG, TENSORRT, TGI, VLLM

# Time, level, file and process, in whatever order; a page of a thread may cut the first of them.
HEAD = re.compile(
    r"(?:(?<=\S)(?:\s{1,9}\||\s(?:--?|>))(?=\s)|"  # what Python’s loggers put between them: “ | ”, “ - ”
    r"[\s`│┃]|\([^()]{1,160}\)|[\w=. ]{1,30}pid=\d{1,9}\)|\[[^\[\]]{1,90}\]:?|"
    r"(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|Core|Main|[DIWE])\b:?(?=[\s\[])|"
    r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,80}:|"  # logging.basicConfig
    r"[a-z_]\w{0,60}(?:[.:]\w{1,60}){1,9}:?(?=\s{1,4}-\s)|[a-z_]\w{0,60}(?:\.[a-zA-Z_]\w{0,60}){1,9}:(?=\s)|"  # a module and its function
    r"(?:ts|time|timestamp|level|lvl|logger|caller|component|pod|container|stream)=(?:\"[^\"]{1,80}\"|\S{1,80})(?=\s)|"
    r"\d{1,6}\|(?=\s)|<\d{1,3}>\d?(?=\s)|#\d{1,3}(?=\s\d)|<std(?:out|err)>:|"  # of syslog, of Docker’s build, of mpirun
    r"\d[\d:.,TZ+-]{0,40}\]?(?=\s)|\d{2}:\d{2}\]|[\w./-]{1,80}\.(?:py|go|cpp|rs):(?:\d{1,6}\]?:?|(?=\s))|raise |"
    r"[\w.]{0,60}(?:Error|Exception):? ?[\[(]?['\"]?|Engine \d{1,4}:|text_generation_(?:launcher|router)[\w:]{0,40}:)*",
    re.ASCII,
)
BEGUN = re.compile(  # what a server prints once, as it begins
    r"(?P<ollama>\bserver config\"? env=)|(?P<vllm>\bvLLM API server version )|(?P<args>\bnon-default args: )|"
    r"(?P<sglang>\bserver_args=(?:ServerArgs\(|\{))|(?P<kobold>\bWelcome to KoboldCpp\b)|(?P<tgi>\btext_generation_launcher: Args \{)|"
    r"(?P<devices>\bggml_(?:cuda|vulkan|metal)_init: (?:found \d|Found \d|allocating)|\bdevice_info:$)|"
    r"(?P<build>^(?:main: )?build(?: =|:) \d{1,6} \()|(?P<system>\bsystem_info: )|(?P<file>\bload_model: loading model )"
)
OF_SETTINGS = {"vllm", "args", "sglang"}
MOST_BETWEEN = 3  # lines from a list of settings to the same list, of one start
OPENINGS = {  # with which only this program's messages begin
    VLLM: r"#? ?(?:GPU|CUDA|cuda|HPU|NPU|XPU) blocks: -?\d{1,9}(?:, #|,?\s{0,8}(?:│|$))|GPU KV cache size: [\d,]{1,20} tokens|"
    r"Maximum concurrency for [\d,]{1,20} tokens per request: \d|Available KV cache memory: -?\d|Memory profiling (?:results: |takes )|"
    r"(?:the current vLLM instance can use )?total_gpu_memory|model weights take|Model loading took|Loading model weights took \d|"
    r"Free memory on device|"
    r"(?:Value error, )?User-specified max_model_len \(\d|Avg prompt throughput: \d|SpecDecoding metrics: |Using max model len \d|"
    r"(?:Initializing an? (?:V[01] )?(?:LLM|async)|LLM) engine|non-default args: |To serve at least one request with the model|"
    r"The model's max seq len|(?:'s )?max seq len \(|(?:Based on the available memory, )?the estimated maximum model length|"
    r"than the available KV cache memory \(|tokens that can be stored in KV cache \(|No available memory for the cache blocks|"
    r"Graph capturing finished in |Estimated CUDA graph memory: |Starting to load model |Setting attention block size to |"
    r"Forcing kv cache block size to |Sequence group \S{1,80} is preempted|vllm[:_]\w|vllm cache_config_info |Initial free memory |"
    r"available_kv_cache_memory  |gpu_memory_utilization  |reserved \d[\d.]{0,9} GiB memory for KV Cache|"
    r"Chunked prefill is enabled with max_num_batched_tokens|Actual usage|max_num_seqs \(\d{1,9}\) exceeds available Mamba cache blocks|"
    r"Processed prompts: {1,3}\d{1,3}%|(?:Using default (?:W8A8|MoE) .{0,200}?)?"
    r"Config file not found at (?!\S{0,200}sglang)|(?:\(?\d[\d.]{0,9} )?GiB KV cach|"
    r"\w{0,9} ?is needed, which is larger than the available KV cache memory \(|(?:Engine )?with config: model=|"
    r"PyTorch activation peak memory takes \d|Avg generation throughput: \d|Running: \d{1,6} reqs, Waiting: \d|"
    r"\S{0,200}fused_moe/configs/E=",
    SGLANG: r"server_args=(?:ServerArgs\(|\{)|ServerArgs\(model_path=|max_total_num_tokens=\d{1,12}, chunked_prefill_size=|"
    r"max_total_num_tokens=\d{1,12}(?:, max_running_requests=|, context_len=|,\s{0,4}$)|KV Cache is allocated\.|"
    r"Decode batch(?: \[\d{1,9}\])?[.,]|"
    r"Prefill batch(?: \[\d{1,9}\])?[.,]|Capture (?:cuda|CUDA) graph failed: |"
    r"Load weight (?:begin|end)\.|Memory pool end\.|Capture (?:[\w-]{1,20} ){0,3}(?:cuda|CUDA|npu|NPU) graph end\.|"
    r"Use sliding window memory pool\. |(?:Using|Setting) KV cache dtype|new fill batch\. |Mamba Cache is allocated\. |"
    r"max_total_tokens=\d{1,12} is larger than the profiled value|Not enough memory\. Please try to increase --mem-fraction-static|"
    r"Loaded weights leave no GPU memory\.|sglang[:_]\w|(?:Prefill|Decode|Total)\.  ?(?:median )?latency: |Setting page size to \d|"
    r"(?:[\w-]{2,20} ){1,3}only supports (?:a )?page[_ ]size (?:of )?\d|"
    r"SWAKVPool mem usage: |Detected mixed checkpoint layout: |Auto-detected \w{2,12} routed-expert layout: |"
    r"Preparing \w{2,12} (?:MX|NV)FP4 experts|(?:Using default (?:W8A8|MoE) .{0,200}?)?Config file not found at \S{0,200}sglang",
    TENSORRT: r"model='[^']{1,200}' tokenizer=.{1,200}? tokenizer_mode=.{1,60}? skip_tokenizer_init=|"
    r"Allocated \d[\d.]{0,12} [GM]iB for max tokens in paged KV cache|Max KV cache blocks per sequence: |"
    r"Allocate \d{1,15} bytes for k/v cache|Max tokens in paged KV cache: |Number of tokens per block: \d|"
    r"Using \d{1,12} (?:total )?tokens in paged KV cache|Memory usage when calculating max tokens in paged kv cache: |"
    r"Loaded engine size: |TRTGptModel |Number of blocks in KV cache primary pool: |TensorRT-managed allocation in IExecutionContext",
    OFFLINE: r"Throughput: \d[\d.]{0,12} requests/s, \d[\d.]{0,12} (?:total )?tokens/s",
    COMMAND: r"(?:torch\S{0,20}OutOfMemoryError: )?(?:CUDA|HIP|XPU|NPU)(?: error:)? out of memory(?:\.|$)|"
    r"GPU \d{1,2} has a total capaci?ty of |"
    r"Tried to allocate \d[\d.]{0,9} [GM]iB(?: \(GPU|\. GPU)|Process \d{1,9} has \d[\d.]{0,9} [GM]iB memory in use",  # PyTorch’s
    TGI: r"(?:Args )?\{ model_id: \"|Args \{|Setting max batch total tokens to \d|(?:Server error: )?Not enough memory to handle \d|"
    r"Maximum (?:total|input) tokens defaulted to \d|"
    r"Default `max_\w{1,30}` to \d|KV-cache blocks: \d{1,12}, size: \d",
    LLAMA_CPP: r"(?:llama_\w{3,50}|llm_load_\w{3,30}|print_info|print_meta|load_tensors|ggml_\w{2,60}|create_tensor|common_\w{3,40}|"
    r"sched_reserve|graph_reserve|(?:llama_)?memory_breakdown_print|init_from_model|llama\.cpp|perplexity|main|generate|load_model|"
    r"load_backend|print_timings?|(?:srv|slot)\s{1,12}[\w()]{3,24})\s{0,8}:\s|"
    r"(?:prompt |generation )?eval time\s{0,8}=|total time\s{0,8}=|draft acceptance(?: rate)? = |"
    r"Device \d{1,2}: [^,]{3,60}, (?:compute cap|gfx)|Vulkan\d{1,2}: .{3,90}? \| uma: |"
    r"- kv\s{1,4}\d{1,3}: |kv self size  =|KV self size  =|llamacpp:\w|"
    r"(?:initializing slots|slot released|new slot) \| (?:tid|n_slots|n_ctx_slot)=|"
    r"accept\s{1,8}=\s{1,8}\d[\d.,]{0,8}%|\|\s{0,2}\d{1,2}\|\s?\[level_zero:gpu:\d\]|"
    r"encoded\s{1,8}\d{1,9} tokens in|decoded\s{1,8}\d{1,9} tokens in|new slot (?:id_slot=\d|n_ctx_slot)|slots?\] |"
    r"- (?:CUDA|ROCm|Vulkan|Metal|SYCL)\d{0,2}\s{0,6}: .{3,60}\(\d{1,9} MiB, \d{1,9} MiB free\)",
    OLLAMA: r"[\w./:-]{3,120}\s{2,60}[0-9a-f]{12}\s{2,12}\d[\d.]{0,6} [GM]B\s{2,12}\d{1,3}%",  # ollama ps
}
BEGINS = [(program, re.compile(words)) for program, words in OPENINGS.items()]
# A command: what a shell shows before it, what is set for it, what starts it; or the key of a list of its arguments.
STARTS = re.compile(
    r"[\s>`*:]{0,12}(?:\S{0,60}(?: \S{1,40}){0,2}[$#%>➜❯]\s{1,3})?"
    r"(?:(?:sudo|nohup|time|exec|env|ExecStart=|CMD|RUN|cmd[:=]?|&&|run|!|export)\s{1,3}|[A-Za-z_]\w{0,40}=\S{0,200}\s{1,4}){0,12}"
    r"(?:\"?(?:\S{0,160}[/\\])?(?:vllm|sglang|python[\d.]{0,5}|docker|podman|uvx?|llama-[a-z-]{2,24}(?:\.exe)?|main|server|text-generation-\w{4,12}|"
    r"koboldcpp\S{0,20}|trtllm-\w{2,10}|ollama(?:\.exe)?|genai-perf|aiperf|mpirun|torchrun|srun|numactl|modal|vllm-serve|benchmark_\w{2,20}\.py)"
    r"\"?(?=\s|$)|(?:- )?[\"']?(?:command|args|entrypoint|cmd|image|containers?)[\"']?\s{0,2}[:=]|COMMAND |starting llama server )"
)
PIPED = re.compile(  # what a shell hands to the command behind it, “for run in {1..10}; do echo "…" | ollama run x”
    r"[\s>`]{0,12}(?:\S{0,60}(?: \S{1,40}){0,2}[$#%>➜❯]\s{1,3})?(?:echo|printf|cat|for|while|yes|time)\s[^|]{1,300}\|\s{0,4}(?=\w)"
)
OF_ARGUMENTS = re.compile(
    r"\s{0,40}(?:- )?(?:[\"']?--?[a-zA-Z][\w-]{0,40}|[\"']?(?:command|args|\w*[aA]rgs)[\"']?:)"
)  # which do not say whose
DUMPS = {  # messages that list the settings: other messages of the two may use a setting's name for another thing
    VLLM: re.compile(
        r"non-default args: |args: Namespace\(|config: model=|cache_config_info|LLM engine|total_num_cumulative_preemption=|EngineArgs\("
    ),
    SGLANG: re.compile(
        r"ServerArgs\(|server_args=\{|max_total_num_tokens=|Use sliding window|Mamba Cache is|Setting page size|chang\w{1,3} page_size "
    ),
}
OF_OLLAMA = {"total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "eval_count", "eval_duration"}
LEAST = 3  # of these names, before an object is an answer of theirs
OF_A_SLOT = {"prompt_n", "prompt_ms", "predicted_n", "predicted_ms"}
SERVER_INFO = {"model_path", "tp_size", "token_capacity", "kvcache"}  # of SGLang’s /get_server_info
OF_SERVER_INFO = re.compile(
    r'"(model_path|[tpd]p_size|enable_dp_attention|token_capacity|weight|kvcache|dtype|quantization|kv_cache_dtype|disaggregation_mode)": ?'
)
KEY_VALUE = re.compile(r'"(\w{3,30})": ?\d')
OF_TRITON = re.compile(r'\bkey: ?"\w{3,60}"\s{1,12}value: ?\{\s{1,12}string_value:')
OF_STATISTICS = re.compile(r'"kvCacheStats": ?\{')
OF_ARGS, OF_SHOW = re.compile(r"\bArgs \{\s{0,4}$"), re.compile(r"\s{2,12}architecture\s{2,20}\w")
OF_PYTHON, CALLED = re.compile(r"^\s{0,12}(?:from vllm import|import vllm)\b"), re.compile(r"\bLLM\(")
CLOSED = {TGI: re.compile(r"[}\]]"), OLLAMA: re.compile(r"\s{0,40}$"), VLLM: re.compile(r"\s{0,12}\)")}
OF_A_BENCHMARK = re.compile(r"\b(?:benchmark_args=)?Namespace\(.{0,400}?\b(?:backend=|bench_type='serve')")


def whose(line: str) -> str:
    """The program that printed this line, known by its head or by how its message begins; "" for nobody's.

    >>> whose("INFO 09-21 10:00:00 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens"), whose("My GPU KV cache size: 9 tokens")
    ('vLLM', '')
    """
    if by := printed_by(line):
        return by
    at = HEAD.match(line, 0, 400).end()
    return next((program for program, begins in BEGINS if begins.match(line, at)), "")


def begins(lines: list[str]) -> tuple[int, ...]:
    """The lines, from 1, at which a server begins, where several do: what one prints once comes again; () for one start.

    >>> begins(["build: 6 (ab)", "n_ctx = 4", "build: 6 (ab) with"]), begins(["build: 6 (ab)", "system_info: n_threads = 8"])
    ((1, 3), ())
    """
    marks = [(n, match.lastgroup) for n, line in enumerate(lines, 1) if (match := BEGUN.search(line, 0, 400))]
    if any(kind == "ollama" for _, kind in marks):  # it names its devices once, and starts llama.cpp again and again
        marks = [(n, kind) for n, kind in marks if kind == "ollama"]
    found, said, last = [1], set(), (0, "", "")
    for n, kind in marks:
        args = lines[n - 1][BEGUN.search(lines[n - 1], 0, 400).start() :]
        again = kind in OF_SETTINGS and last[1:] == (kind, args) and n - last[0] <= MOST_BETWEEN
        last = n, kind, args
        if again:  # said twice of one start: by SGLang under dynamo, by each of vLLM’s servers of requests
            continue
        if kind in said:
            found, said = [*found, n], set()
        said.add(kind)
    return tuple(found) if len(found) > 1 else ()


def whose_json(lines: list[str]) -> dict[int, str]:
    """The lines of an answer of ollama's or llama.cpp's, as JSON in one line or in several, by their number from 0.

    >>> whose_json(['{"total_duration": 5, "load_duration": 1,', '"eval_count": 2, "eval_duration": 3}', '"requests": 2'])
    {0: 'ollama', 1: 'ollama'}
    """
    keys = {n: set(KEY_VALUE.findall(line)) for n, line in enumerate(lines) if '"' in line}
    found, said = {}, set().union(*keys.values())
    for program, own in ((OLLAMA, OF_OLLAMA), (LLAMA_CPP, OF_A_SLOT)):
        if len(own & said) >= LEAST:
            found |= {n: program for n, of_line in keys.items() if of_line & own}
    keys = {n: set(OF_SERVER_INFO.findall(line)) for n, line in enumerate(lines) if '"' in line}
    if set().union(*keys.values()) >= SERVER_INFO:
        found |= {n: SGLANG for n, of_line in keys.items() if of_line}
    return found


def of_settings(program: str, line: str) -> bool:
    """Whether a line of this program lists its settings by their names."""
    return program not in DUMPS or bool(DUMPS[program].search(line))


def listed_for(text: str) -> str:
    """The program whose settings a text lists in a form that only it has; "" for none."""
    if OF_TRITON.search(text) or OF_STATISTICS.search(text):
        return TENSORRT
    return BENCH if OF_A_BENCHMARK.search(text[:1000]) else ""


def regions(lines: list[str], printers: list[str]) -> dict[int, str]:
    """Lines, by their number from 0, that say whose they are only by what stands above: TGI's “Args {” with each field in a line of its
    own, what ollama show lists, and vLLM called in Python.

    printers: whose each line is by itself.

    >>> regions(["INFO text_generation_launcher: Args {", "  num_shard: Some(4),", "}", "x"], ["TGI", "", "", ""])
    {1: 'TGI', 2: 'TGI'}
    """
    found, within, python = {}, "", VLLM in printers or any(map(OF_PYTHON.search, lines))
    for n, line in enumerate(lines):
        if within:
            found[n] = within
            within = "" if CLOSED[within].match(line) else within
        elif OF_ARGS.search(line[-200:]):
            within = TGI
        elif line.strip() == "Model" and OF_SHOW.match("".join(lines[n + 1 : n + 2])):
            within = OLLAMA
        elif python and CALLED.search(line):
            found[n] = VLLM
            within = "" if ")" in line[line.find("LLM(") :] else VLLM
    return found
