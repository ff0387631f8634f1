"""Which arguments, settings and devices are read of whatever program: what several know names none of them."""

from engine.serving.lines.rule import CARD, COMMAND, DEVICE, MAKER, NO_NODES, NO_OTHER, rules

COMMAND_RULES = (
    # Arguments that several servers know: sglang pull 14056. A model on a line of its own: vllm issue 3435.
    *rules(
        COMMAND,
        r"^\s{0,40}(?:- |command: ?)?['\"]?--model(?:['\"],?)?[= ]{1,4}<model:text>",
        r"['\"]--model['\"], {0,2}<model:text>",
        # In a report's list: vllm-ascend issue 14678
        r"^[\s>*-]{0,12}(?:(?:Model|Data) )?[Dd]?type[:*]{1,3}\s{1,40}`?(?:torch\.)?<dtype:word>",
        r"<kv_tokens:count> (?:GPU )?KV[- ]cache tokens",
        r"\bAllocation: <n_blocks:count> GPU blocks \(.{0,40}?\), max usable kvcache tokens <kv_tokens:count>",  # xinfer pull 197
        # text-generation-webui: turboderp/exllama issue 165
        r"Output generated in <duration_s> seconds \(<answer_rate> tokens/s, <n_done:count> tokens, context <mean_input:count>",
        r"\bmodel_path=<model:text>",
        # mlx_lm.generate and mlx_lm.benchmark: ml-explore/mlx-lm pulls 40 and 396
        r"\bPrompt: <mean_input:count> tokens, <prompt_rate> tokens-per-sec",
        r"\bGeneration: <mean_output:count> tokens, <answer_rate> tokens-per-sec",
        r"\bprompt_tokens=<mean_input:count> and generation_tokens=<mean_output:count>",
        # In Python: BatsResearch/bonito issue 7
        r"\b(?:[A-Z]\w{1,40}|from_pretrained)\(\s{0,4}['\"](?=[\w.-]{2,60}/[\w.-]{2,100}['\"])(?![^'\"]{1,160}\.\w{2,5}['\"])<model:text>",
        r"\b[Uu]sing model: <model:text>",  # geerlingguy/ai-benchmarks issue 24
        # InternLM/lmdeploy issues 670 and 619; kubeai-project/kubeai issue 374
        r"\blmdeploy(?: serve|\.serve\.openai\.)\s?api_server (?:--\w{1,30}[= ][\w.]{1,30} ){0,8}(?!-)<model:text>",
        r"\burl: hf://<model:text>",
        r"\bmodel_name\s{0,4}=\s{1,4}<model:text>",  # aidatatools/ollama-benchmark pull 9
        # vllm issue 188: before 2024
        r"\(GPU \d; <card_bytes:size> total capacity; .{0,60}; <free_bytes:size> free;",
        # Arguments as a program prints them, vLLM's or SGLang's: kubeai-project/kubeai issue 395, vllm issue 3872.
        r"\bmodel=<model:text>', tokenizer=",
        r"\bpage size to <block_size:count>",  # kvcache-ai/ktransformers issue 1969
        # A model in Python: vllm issue 9163, errornotes.dev on what is longer than the cache.
        r"(?:^\s{0,12}|\(\s{0,4})model\s?=\s?(?=['\"])<model:text>",
        r"\|\s{1,9}<used_bytes:size> /\s{1,9}<card_bytes:size>\s{1,4}\|",
        r"^\|\s{1,4}\d{1,2}\s{1,4}(?P<device>(?:NVIDIA|Tesla) [\w ./-]{1,40}?)\s{2,30}(?:On|Off)\s",  # nvidia-smi: club-3090 issue 769
        r"(?:python3?|ollama|VLLM\S{0,30}|sglang\S{0,30}|llama-server)\s{2,40}<used_bytes:size>\s{0,8}\|?\s{0,4}$",  # vllm issue 15204
        # In a file: vllm issue 15676. In a report’s words: TensorRT-LLM pull 3822, vllm issue 51494, club-3090 issues 1111 and 851
        r"^\s{0,40}modelURL: <model:text>",
        r"^[\s\"'-]{0,40}model[\"']?: ?(?=[\"']|\S{1,120}/)<model:text>",
        r"^[\s>*#-]{0,12}Model(?: [Nn]ame)?[:*]{1,3}\s{1,40}(?=\S{0,60}[a-zA-Z])`?<model:text>`?\s{0,4}(?:\||$)",
        # In a list: llama.cpp pulls 23398 and 24508
        r"^\s{0,8}[*-] \*{0,2}[Mm]odel\*{0,2}:\*{0,2} `?(?P<model>(?=[^`(,]{0,60}\d)[A-Za-z][^`(,—]{2,80}?)\s{0,2}(?:$|[`(,—])",
        r"^[\s>*#|-]{0,12}Model(?: [Nn]ame| / HW)?[\s:*|`]{1,30}(?=[\w.-]{1,60}/)<model:text>",
        r"\b\w{3,20} serve (?=[\w.-]{1,60}/)<model:text>",  # of any program: lightseekorg/tokenspeed pull 174
        r"(?:\bTP ?[=:] ?|^[#\s*-]{0,8}TP-?)<n_devices:count>",
        # In a sentence: moderato/pocketllm pull 289
        r"(?:\b(?:with|using|at|on|under) |[(,] ?)TP[ -]?<n_devices:count>(?=[ ,.;:)]|$)",
        r"\b[Tt]ensor[- ]parallel(?:ism)?(?: size| degree)?(?: of|:)? <n_devices:count>",
        r"(?i:\bus(?:ed?|ing)) [~≈]?<used_bytes:size> (?:of )?(?:VRAM|vram|GPU memory)",  # llama.cpp pull 12922
        r"--tensor-parallel-shards?[= ]<n_devices:count>",  # mlc-ai/mlc-llm pull 1903
        r"(?:\b|_)(?:GPUs?|gpu|GPU models and configuration|GPU [Mm]odel(?:\(s\))?|GPU [Nn]ame|GPU [Tt]ype|Hardware|Rig|Device)"
        r"[\s:*=|-]{1,8}(?:(?P<n_cards>\d{1,2}) ?[x×*]? ?)?" + DEVICE,
        NO_NODES + r"\b(?P<n_cards>\d{1,2}) ?[x×X*] ?" + DEVICE,  # vllm pull 44594
        DEVICE + r" ?[x×*] ?<n_cards:count>\b",  # ROCm/ATOM issue 896
        NO_NODES + r"\b(?P<n_cards>\d{1,2}) ?[x×] ?(?P<device>[2-5]0[5-9]0(?: ?[Tt]i| ?[Ss]uper)?)\b",  # vllm issue 28228
        rf"(?<!requires )(?<!require )\b(?P<device>(?:{MAKER}){{1,2}}{CARD}){NO_OTHER}",  # dgx-spark-playbooks issue 79
        # Settings by name, in a shell or in a list: text-generation-inference issues 755 and 2083.
        r"\b(?:MODEL_ID|model)=<model:text>\s{0,4}$",
        r"\b(?:(?:LLM|SRT|VLLM|HF)_)?MODEL(?:_ID|_NAME|_PATH)?=(?=['\"]?[\w.-]{1,60}/)<model:text>",  # ai-bot-pro/achatbot pull 183
        r"Tried to allocate <asked_bytes:size>",
        r"(?:this process|Process \d{1,9}) has <used_bytes:size> memory in use",  # vllm issue 42147
        r"GPU.{0,20} has a total capaci?ty of <card_bytes:size> of which <free_bytes:size>",
    ),
)
