"""Which lines of llama.cpp, of its relatives, and of ollama, which runs it, are read."""

from engine.serving.lines.rule import LLAMA_CPP, OLLAMA, rules

CACHE = r"\bsize\s{0,4}=\s{0,8}<%s:size>\s{0,4}\(\s{0,8}<%s:count> cells,\s{0,8}<%s:count> layers"
A_TOKEN = r"(?:\s{1,8}\(\s{0,12}[\d.,infa-]{1,12} ms per (?:token|run)|\s{0,12}$)"
A_STEP = A_TOKEN.replace("[\\d.,infa-]{1,12}", "(?:<each_ms>|[\\d.,infa-]{1,12})", 1)
INFO = r"(?:print_info|print_meta|llama_model_load(?:_internal)?):\s{1,4}%s\s{0,20}=\s{0,4}"
# As it lists them, or in one line of Python: PromtEngineer/localGPT issue 768.
KEY = r"(?:- kv\s{1,4}\d{1,3}:\s{1,60}|')%s(?:\s{1,20}(?:u32|str|arr\[\w{1,5},\d{1,4}\])\s{1,20}=\s{1,4}|': ')"

WIDTHS = {  # as print_info names them, and as a file does: ollama issues 5821, 11499 and 11577, llama-cpp-python issue 1226
    "info_layer": "n_layer block_count", "info_ctx": "n_ctx_train context_length", "info_embd": "n_embd embedding_length",
    "info_ff": "n_ff feed_forward_length", "info_ff_exp": "n_ff_exp expert_feed_forward_length", "info_head": "n_head head_count",
    "info_head_kv": "n_head_kv head_count_kv", "info_d_head": "n_embd_head_k key_length", "info_d_v": "n_embd_head_v value_length",
    "info_window": "n_swa sliding_window", "info_expert": "n_expert expert_count", "info_vocab": "n_vocab vocab_size",
    "info_expert_used": "n_expert_used expert_used_count", "info_k_row": "n_embd_k_gqa", "info_v_row": "n_embd_v_gqa",
}  # fmt: skip

INNER = r"(?: \([\w ./,-]{1,60}\))?"  # in Mesa’s names of a device: “Radeon 8060S Graphics (RADV STRIX_HALO)”

LLAMA_CPP_RULES = (
    # github.com/ggml-org/llama.cpp: pulls 13194 and 16095, issues 17578, 23679 and 25121; its older lines: ollama/ollama issue 9595,
    # abetlen/llama-cpp-python issue 1310.
    *rules(
        LLAMA_CPP,
        CACHE % ("kv_bytes", "cells", "n_layer") + r"(?:,\s{0,4}\d{1,4}/\s{0,2}<n_stream:count> seqs)?",
        unless="recurrent",
    ),
    *rules(LLAMA_CPP, r"(?<!new slot, )\bn_ctx\s{0,12}=\s{0,8}<n_ctx:count>", unless="perplexity over"),
    *rules(
        LLAMA_CPP,
        r"calculating perplexity over .{0,30}? n_ctx=<seq_ctx:count>",  # of one part of the text: ik_llama.cpp discussion 258
        r"llama_memory_recurrent:\s{1,12}" + CACHE % ("state_bytes", "n_state", "state_layers"),
        r"\bnew slot, n_ctx = <seq_ctx:count>",  # of each of them: issue 19881
        r"c\^KV \(<k_type:word>\):",  # github.com/ikawrakow/ik_llama.cpp pulls 259 and 400
        # llama.cpp pull 11446; without “offload”: issue 13581
        r"\bkv_size = <n_ctx:count>, (?:offload = \d, )?type_k = '<k_type:word>', "
        r"type_v = '<v_type:word>'(?:, n_layer = <info_layer:count>)?",
        r"(?:\bmodel|llm_load_tensors:\s{1,12}\w{1,20}) buffer size\s{0,4}=\s{0,8}<buffer_bytes:size>",
        r"(?:KV|kv) self size\s{0,4}=\s{0,8}<kv_bytes:size>",
        r"K \(<k_type:word>\):\s{0,8}<k_bytes:size>, V \(<v_type:word>\):\s{0,8}<v_bytes:size>",
        r"\bKV buffer size\s{0,4}=\s{0,8}<cache_part:size>",  # llama.cpp issue 11200
        r"\bRS buffer size\s{0,4}=\s{0,8}<state_part:size>",  # pull 23792
        r"\bn_u?batch\s{0,12}=\s{0,8}<batch_tokens:count>",
        r"\boutput buffer size\s{0,4}=\s{0,8}<compute_bytes:size>",
        r"\bcompute buffer (?:total )?size\s{0,4}=\s{0,8}<compute_bytes:size>",
        r"(?<!msg=\")offloaded <gpu_layers:count>/<all_layers:count> layers to GPU",  # ollama issue 13552
        r"\| n_(?:decoded|gen) =\s{0,8}<n_done:count>, tg =\s{0,8}<answer_rate> t/s",  # club-3090 issue 931
        r"\bprompt processing, n_tokens =\s{0,8}<n_done:count>, .{0,60}?/ <prompt_rate> tokens per second",  # llama.cpp issue 25207
        r"\btotal VRAM used: <planned_part:size>",  # abetlen/llama-cpp-python issue 331
        r"\bmem required\s{1,4}=\s{1,4}<planned_host:size>",  # until 2023, with a file's widths: llama.cpp pull 1556
        r"^encoded\s{1,8}<mean_input:count> tokens in\s{1,8}[\d.,]{1,12} seconds, speed:\s{1,8}<prompt_rate> t/s",  # issue 5877
        r"^decoded\s{1,8}<n_done:count> tokens in\s{1,8}[\d.,]{1,12} seconds, speed:\s{1,8}<answer_rate> t/s",
        r"^accept\s{1,8}=\s{1,8}<accepted_percent>%",
        r"\bmemory_size =\s{1,8}<kv_bytes:size>, n_mem = ",  # in spring 2023: issue 58
        r"llama_model_load: model size =\s{1,8}<weight_bytes:size>",
        r"llama_kv_cache_init: layer \d{1,4}: n_embd_head_qk_rope = <info_rope:count>, kv_lora_rank = <info_rank:count>",  # ik_llama.cpp
        r"llama_kv_cache_init: layer \d{1,4}: n_embd_k_gqa = <info_k_row:count>, n_embd_v_gqa = <info_v_row:count>",  # ollama issue 10381
        r"\bdraft acceptance(?: rate)? = <accepted_share>",  # llama.cpp pull 12603
        r"prompt eval time\s{0,8}=\s{0,12}<prefill_ms> ms /\s{0,8}<n_prompt:count> tokens" + A_TOKEN,
        r"\btotal time\s{0,8}=\s{0,12}<total_ms> ms(?: /\s{0,8}<n_all:count> (?:runs|tokens))?",  # issue 20099
        r"\bdraft acceptance.{0,100}? mean (?:len|acceptance length)\s{1,4}=\s{1,4}<accept_len>",  # club-3090 issue 1090, pull 24536
        r"(?<!prompt )\beval time\s{0,8}=\s{0,12}<decode_ms> ms /\s{0,8}<n_steps:count> (?:runs|tokens)" + A_STEP,
        INFO % "arch" + r"<arch:word>",
        INFO % "(?:model f|file |f)type" + r"(?:\d{1,2} \()?(?:mostly |all )?<quantization:word>",
        r"memory pool \(needed <asked_bytes:count>, available <free_bytes:count>\)",  # llama-cpp-python issue 546
        INFO % r"general\.name" + r"(?=.{0,20}[a-zA-Z])<model:line>",
        # A file's own keys, where print_info is not in the log: ollama issues 10740 and 11499.
        KEY % "general.architecture" + r"<arch:word>",
        KEY % "general.name" + r"(?P<model>[^'\s][^']{0,99})",
        r"- kv\s{1,4}\d{1,3}:\s{1,40}tokenizer\.ggml\.tokens arr\[str,<info_vocab:count>\]",
        *(INFO % names.split()[0] + f"<{name}:counts>" for name, names in WIDTHS.items()),
        *(
            KEY % (r"[\w-]{1,20}\.(?:attention\.)?" + key) + f"<{name}:counts>"
            for name, names in WIDTHS.items()
            for key in names.split()[1:]
        ),
        INFO % "model (?:params|size)" + r"<n_params:params>",
        INFO % "(?:file|model) size" + r"<weight_bytes:size> \(<bits_a_weight> BPW",
        r"found <n_cards:count> \w{2,8} devices(?: \(Total VRAM: <total_bytes:size>\))?",  # of all together: llama-install.sh pull 21
        r"\bDevice \d{1,2}: (?P<device>[\w ./-]{1,60}), (?:compute capability|gfx\d)",
        # In 2026: its devices, its file, the context of each of its slots (issue 23281, pull 26297)
        r"- (?:CUDA|ROCm|Vulkan|Metal|SYCL)\d{0,2}\s{0,6}: (?P<device>[\w ./-]{1,60}?)" + INNER + r" \("
        r"<card_bytes:size>, <free_bytes:size> free\)",
        r"^\s{1,12}Device \d{1,2}:\s{1,4}<buffer_bytes:size>$",  # ik_llama.cpp pull 1501
        r"load_model: loading model <model_file:text>",
        r"\bcached n_tokens = <found_tokens:count>",  # issue 23589
        r"\[level_zero:gpu:\d\]\|\s{1,60}(?P<device>Intel[\w ./()-]{3,60}?)\|",  # SYCL: ipex-llm issue 13301
        r"(?:llama\.cpp|llama_model_load): loading model from <model_file:text>",  # in 2023: pull 1826
        # What lies where at the end: llama.cpp issue 17410
        r"memory_breakdown_print: \|\s{1,8}- \w{2,9} \((?P<device>[\w ./-]{1,60}?)"
        + INNER
        + r"\)\s{1,20}\|\s{1,9}<card_bytes_mib:count> =\s{1,9}"
        r"<free_bytes_mib:count> \+ \(\s{0,9}\d{1,9} =\s{1,9}"
        r"<buffer_bytes_mib:count> \+\s{1,9}<context_part_mib:count> \+\s{1,9}<compute_bytes_mib:count>\)",
        r"key-value pairs and \d{1,5} tensors from \S{0,200}sha256-(?P<blob>[0-9a-f]{12})",
        r"key-value pairs and \d{1,5} tensors from (?!\S{0,200}sha256-)"
        r"(?P<model_file>[^'\"\s][^'\"]{0,240}?\.\w[^'\"/\\]{0,60}?)(?= \(version|\s{0,4}$)",  # issue 3780
        r"failed to allocate \w{3,12} buffer of size <asked_bytes:count>",  # ollama issue 7867
        r"(?:with|load) model,? '<model_file:text>",  # llama.cpp issue 16725, koboldcpp issue 1882
        r"\(\d{1,9}\) [<>] n_ctx_train \(<info_ctx:count>",  # the longer: ollama issue 10114
        r"allocating <asked_bytes:size> on device \d{1,2}: cudaMalloc failed",
        r"using device \w{1,20} \((?P<device>[\w ./-]{1,60}?)" + INNER + r"\)",  # llama.cpp issue 10547
        r"ggml_vulkan: \d = (?P<device>[\w ./-]{1,60}?) \(",  # llama.cpp issue 25207
        r"^Vulkan\d{1,2}: (?P<device>[\w ./-]{1,60}?)(?: \([\w .-]{1,30}\))? \| uma: ",  # early in 2024: issue 5486
        r"\busing device .{0,90}? - <free_bytes:size> free",
        r"picking default device: (?P<device>Apple [\w ]{1,20})",
    ),
    # ollama/ollama issues 9181 and 5913: what it plans before it loads, more than a file has.
    *rules(
        OLLAMA,
        r"\bparallel=\d{1,3} required=\"<planned_all:size>",  # issue 12197
        r"msg=\"offloaded <gpu_layers:count>/<all_layers:count> layers to GPU",  # its own runner: pull 11090
        r"msg=\"total memory\" size=\"<planned_all:size>",  # issue 12027
        # The devices that it finds: pull 6279
        r"\bname=\"(?P<device>[\w ./-]{4,60}?)"
        + INNER
        + r"\".{0,60}? (?:now\.|before\.)?total=\"<card_bytes:size>",  # issue 9730 too
        r"memory reporting free: <free_bytes:count> total: <card_bytes:count>",  # issue 12846
        r"gpus=\"\[(?P<device>[\w ./-]{4,60})\]",
        r"\bollama run (?:--\w{1,20} )?(?![-.]|"
        r"(?:it|the|an?|is|and|with|in|on|to|for|as|command|works?|again|any|this|that|my|your|one)\b)<model:text>",  # issue 3765
        # since 2025 with its description behind it: MEAKCIN/Voice_Bot_Web, ollama.log
        r"msg=\"inference compute\"(?!.{0,200}\blibrary=cpu\b).{0,600}? total=\"<card_bytes:size>",
        r"msg=\"inference compute\"(?!.{0,200}\blibrary=cpu\b).{0,300}? description=\"(?P<device>[\w ./-]{4,60}?)"
        + INNER
        + r"\"",
        r"\bParallel:<n_seq:count> BatchSize:<batch_tokens:count>",  # issue 14164
        r"\bKvSize:<n_ctx:count>",
        r"\bKvCacheType:<k_type:word>",
        r"\bmodel weights\"? (?:buffer|device)=\w{1,20} size=\"<buffer_bytes:size>",  # pull 11090: its own engine
        r"\bcompute graph\"? (?:backend|device)=\w{1,20} (?:buffer_type=\w{1,20} )?size=\"<compute_bytes:size>",
        r"\barchitecture=<arch:word> file_type=",
        r"\bsource=ggml\.go:\d{1,5} msg=\"\" architecture=\S{1,40} file_type=\S{1,40} name=(?=.{0,40}[a-zA-Z])<model:text>",
        r"\bkv cache\"? device=\w{1,20} size=\"<cache_part:size>",  # issue 12027
        r"(?:\bollama(?:\.exe)?[\"']? runner|ollama_llama_server).{0,300}? --ctx-size <n_ctx:count>"  # no folder: ik_llama.cpp issue 522
        r"(?: --batch-size <batch_tokens:count>)?(?:.{0,200}? --parallel <n_seq:count>)?",
    ),
    # ollama ps and ollama show: issues 15634 and 10529
    *rules(
        OLLAMA,
        r"^\s{0,12}<model:text>\s{2,60}[0-9a-f]{12}\s{2,12}[\d.]{1,6} [GM]B\s{2,12}\d{1,3}%\S{0,5} [GCPU/]{3,7}"
        r"(?:\s{2,12}<at_ctx:count>(?=\s{2}|\s{0,4}$))?",
        r"^ {2,8}architecture {2,20}<arch:word>",
        r"^ {2,8}parameters {2,20}<n_params:params>",
        r"^ {2,8}embedding length {2,20}<info_embd:count>",
        r"^ {2,8}context length {2,20}<info_ctx:count>",
        r"^ {2,8}quantization {2,20}<quantization:word>",
        r"\bollama show (?!-)<model:text>",
        # What its scheduler holds: goruck/home-generative-agent issue 131
        r"(?:\brunner|ollama_llama_server).{0,300}? --model \S{1,200}sha256-(?P<blob>[0-9a-f]{12})",  # issue 8098
        r"\brunner\.name=(?:registry\.ollama\.ai/library/)?<model:text>",
    ),
    # issues 8447 and 11852: of its devices
    *rules(
        OLLAMA,
        r"(?<!before\.)\bfree=\"<free_bytes:size>",
        r"\bavailable=\"\[?<free_bytes:size>",
        *(rf"\bavailable=\"\[(?:[\d.]{{1,8}} [GM]iB ){{{k}}}<free_bytes:size>" for k in range(1, 8)),  # a card each: 8430
        r"\bnow\.used=\"<used_bytes:size>",
        unless="system memory",
    ),
)
