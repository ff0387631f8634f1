"""Arguments, names and lines as public threads have them, each named beside it: commands in lists and diffs, models, devices."""

from time import process_time

import pytest

from engine.cost import MODELS
from engine.serving.held_tokens import held_tokens
from engine.serving.lines.heads import without_heads
from engine.serving.lines.settings import arguments, settings
from engine.serving.lines.whose import whose
from engine.serving.listed_names import device_of, listed
from engine.serving.log_lines import read_log
from engine.serving.stated_setup import stated_setup


def test_arguments_in_a_list_are_a_command():
    # Sandermage/genesis-vllm-patches issue 1, with a setting that is commented out
    log = read_log(
        'image: vllm/vllm-openai\ncommand:\n  - /models/cyankiwi/Qwen3-8B-AWQ\n  - --gpu-memory-utilization\n  - "0.95"\n'
        '  # - --max-model-len\n  # - "9"\n'
        "  - --max-num-seqs\n  - '12'\nports:\n  - 8000:8000"
    )
    assert stated_setup(log).shape.name == "Qwen3-8B" and (log.value("usable"), log.value("n_at_most")) == (0.95, 12)
    assert log.value("n_ctx") is None and log.left_alone.keys() == {1, 6, 7, 10, 11}
    # vllm-project/vllm issue 51041: a folded text
    folded = read_log(
        "    image: vllm/vllm-openai\n    command: >\n      /model\n"
        "      --trust-remote-code\n      --tensor-parallel-size 4\n    ports:\n      - 1"
    )
    assert stated_setup(folded).n_devices == 4 and folded.word("model") == "/model"


def test_what_is_commented_out_or_taken_away_is_no_setting():
    # red-hat-data-services/agentic-starter-kits pull 51, noonghunna/club-3090 issue 32
    text = "+      image: vllm/vllm-openai\n+        - --max-model-len=16384     # caps it\n"
    text += "+        # --- Multi-GPU (if needed) ---\n+        # - --tensor-parallel-size=4"
    assert (read_log(text).value("n_ctx"), read_log(text).value("n_devices")) == (16384, None)
    changed = read_log(
        '+      image: vllm/vllm-openai\n       - --max-model-len\n-      - "180000"\n+      - "110000"\n+      - --tp=2'
    )
    assert [f.value for f in changed.all("n_ctx")] == [110000]


def test_words_that_a_terminal_cut_are_put_together():
    # tenstorrent/tt-inference-server issue 246
    rate = (
        "INFO [metrics.py:536] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: {} tokens/s, Running: 32 r\neqs,"
    )
    log = read_log("\n".join(rate.format(n) for n in ("616.1", "614.0")))
    assert [f.value for f in log.all("answer_rate")] == [616.1, 614] and log.value("n_now") == 32
    two = "print_info: n_head           = 32\nprint_info: n_layer          = 48\nload_tensors: offloaded 30/49 layers to GPU"
    assert read_log(two).value("info_layer") == 48  # of one length by chance


def test_a_value_in_three_lines_is_one():
    # huggingface/text-generation-inference issue 2842
    log = read_log(
        'Args {\n    model_id: "llama-3.3-70b",\n    num_shard: Some(\n        2,\n    ),\n    quantize: Some(\n        Awq,\n    ),'
    )
    assert (
        log.value("n_devices") == 2 and log.word("quantization") == "Awq" and stated_setup(log).shape is MODELS["Llama-3.1-70B"]
    )


def test_a_program_that_is_not_vllm_is_no_model():
    text = "command:\n  - /bin/bash\n  - -c\n  - vllm serve Qwen/Qwen3-8B --max-model-len 8192"
    assert read_log(text).words_named("model") == ("Qwen/Qwen3-8B",)


def test_a_model_trained_further_has_the_shape_of_the_one_it_began_with():
    names = {
        "deepseek-ai/DeepSeek-R1-0528": "DeepSeek-V3", "meta-llama/Llama-3.3-70B-Instruct": "Llama-3.1-70B",
        "/shared/meta-llama/Llama-3.2-3B/5cc0ffe09ee49f7be6ca7c794ee6bd7245e84e60/": "Llama-3.2-3B",  # sgl-project/sglang pull 1853
    }  # fmt: skip
    assert {name: listed(name).name for name in names} == names
    for other in ("DeepSeek-V3.2", "Llama-3.2-11B-Vision-Instruct", "Qwen2.5-Coder-32B"):
        assert listed(other) is None


def test_a_device_is_listed_where_its_name_leaves_nothing_open():
    assert device_of(["NVIDIA GeForce RTX 3090", "RTX 3090"]) == "RTX 3090" and device_of(["NVIDIA H20"]) == "H20"
    for open_ in (["NVIDIA A100"], ["H100"], ["NVIDIA GeForce RTX 4090 Laptop GPU"], ["RTX 4090", "RTX 3090"], []):
        assert device_of(open_) is None
    unlisted = stated_setup(read_log("  Device 0: NVIDIA GeForce GTX 1060 6GB, compute capability 6.1"))  # ollama issue 790
    assert unlisted.device is None and unlisted.printed_device == "NVIDIA GeForce GTX 1060 6GB"


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("llama_model_load_internal: n_layer    = 32", dict(info_layer=32)),  # ggml-org/llama.cpp pull 1556
        ("llama_model_load_internal: mem required  = 5407.71 MB (+ 1026.00 MB per state)", dict(planned_host=5407.71 * 2**20)),
        (  # ggml-org/llama.cpp issue 25207
            "slot print_timing: id  0 | task 11526 | prompt processing, n_tokens =  18388, progress = 0.36, t =  55.96 s / "
            "328.57 tokens per second",
            dict(n_done=18388, prompt_rate=328.57),
        ),
        ("slot print_timing: id  0 | task 202 | n_gen =    100, tg =  19.04 t/s, tg_3s =  19.23 t/s", dict(n_done=100, answer_rate=19.04)),
        (  # ollama/ollama issue 8447
            'layers.model=62 layers.offload=5 layers.split="" memory.available="[23.3 GiB]"', dict(all_layers=62, gpu_layers=5),
        ),
        ('sglang:time_to_first_token_seconds_count{name="x"} 1029.0', dict(ttft_count=1029)),  # sgl-project/sglang pull 1853
        ("ValueError: Loaded weights leave no GPU memory. Raise --mem-fraction-static above 0.9113", dict(least_usable=0.9113)),
        ("llamacpp:requests_deferred 3", dict(n_waiting=3)),
        ('sglang_cache_hit_rate{worker_addr="grpc://127.0.0.1:8001"} 0.25', dict(found_share=0.25)),  # smg-project/smg pull 813
        ('sglang:max_total_num_tokens{name="x"} 570979.0', dict(kv_tokens=570979)),  # sgl-project/sglang pull 1853
        (  # triton-inference-server/tensorrtllm_backend issue 59
            'parameters: {\n  key: "kv_cache_free_gpu_mem_fraction"\n  value: {\n    string_value: "0.8"\n  }\n}', dict(free_share=0.8),
        ),
        ("(EngineCore pid=29723) INFO 06-23 10:27:28 Estimated CUDA graph memory: 6.24 GiB total", dict(graph_bytes=6.24 * 2**30)),
        ('msg="compute graph" device=CUDA0 size="98.0 MiB"', dict(compute_bytes=98 * 2**20)),  # ollama/ollama issue 12027
        (  # sgl-project/sglang issue 393: in the spring of 2024
            "new fill batch. #seq: 1. #cached_token: 757. #new_token: 1. #remaining_req: 4. #running_req: 2. tree_cache_hit_rate: 80.83%.",
            dict(found_tokens=757, new_tokens=1, n_now=2, found_percent=80.83),
        ),
        ("Using 29184 total tokens in paged KV cache, and 272 blocks", dict(kv_tokens=29184)),  # tensorrtllm_backend issue 366
        ("Avg generation throughput: 1.5 tokens/s, Running: 15 reqs, Waiting: 53 reqs", dict(n_now=15, answer_rate=1.5)),  # KVarN issue 15
        (  # kaito-project/kaito issue 2319
            "ValueError: max_num_seqs (1024) exceeds available Mamba cache blocks (614).", dict(n_at_most=1024, n_state=614),
        ),
        ("trtllm-build --checkpoint_dir XXXX --max_input_len 4096", dict(most_input=4096)),  # NVIDIA/TensorRT-LLM issue 1400
        ("vllm serve   /weight/QwQ-32B --max_model_len  32000", dict(n_ctx=32000)),  # vllm-project/vllm issue 14412
        (  # ggml-org/llama.cpp issue 23281, pull 26297
            "I   - CUDA0   : NVIDIA GeForce RTX 3090 (24123 MiB, 23755 MiB free)", dict(card_bytes=24123 * 2**20),
        ),
        ("E ggml_backend: allocating 51748.72 MiB on device 1: cudaMalloc failed: out of memory", dict(asked_bytes=51748.72 * 2**20)),
        (  # NVIDIA/TensorRT-LLM issue 264
            "[BENCHMARK] batch_size 1 input_length 20 output_length 20 latency(ms) 432.51", dict(mean_input=20, request_ms=432.51),
        ),
    ],
)  # fmt: skip
def test_a_line_says_one_thing(text, figures):
    log = read_log(text)
    assert {name: log.value(name) for name in figures} == pytest.approx(figures)


def test_blocks_of_another_program_have_not_vllms_size():
    # triton-inference-server/tensorrtllm_backend issue 576
    line = "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 17210"
    assert held_tokens(read_log(line)) is None
    assert held_tokens(read_log(f"{line}\n[TensorRT-LLM][INFO] Number of tokens per block: 64.")) == 17210 * 64
    assert held_tokens(read_log("# GPU blocks: 1478, # CPU blocks: 2048")) == 1478 * 16


def test_what_left_no_room_is_read():
    # QwenLM/Qwen3 issue 12, sgl-project/sglang issue 322
    for text in (
        "ValueError: No available memory for the cache blocks. Try",
        "Not enough memory. Please try to increase --mem-fraction-static.",
    ):
        assert read_log(text).words_named("no_room")


def test_a_bench_of_vllms_is_printed_by_no_vllm():
    # NVIDIA/TensorRT-LLM issue 7364
    log = read_log(
        "trtllm-serve serve Qwen/Qwen3-30B-A3B-FP8 --tp_size 1\npython vllm/benchmarks/benchmark_serving.py --model Qwen/Qwen3-30B-A3B-FP8"
    )
    assert "vLLM" not in log.programs and stated_setup(log).shape is MODELS["Qwen3-30B-A3B"]


def test_a_draft_and_its_model_are_not_timed_together():
    # ggml-org/llama.cpp issue 5877: what the two make together is no step of the one that was timed before
    log = read_log("llama_perf_context_print:        eval time =   27636.04 ms /   898 runs\n"
                   "decoded  673 tokens in   12.132 seconds, speed:   55.473 t/s\n"
                   "accept    = 72.055%")  # fmt: skip
    assert (log.value("n_steps"), log.value("n_done"), log.value("accepted_percent")) == (898, 673, 72.055)


def test_llama_cpps_first_lines_are_read():
    # ggml-org/llama.cpp issue 58
    log = read_log("llama_model_load: n_embd  = 4096\nllama_model_load: memory_size =   512.00 MB, n_mem = 16384\n"
                   "llama_model_load: model size =  4017.27 MB / num tensors = 291")  # fmt: skip
    assert (log.value("info_embd"), log.value("kv_bytes"), log.last("weight_bytes").printed) == (4096, 2**29, "4017.27 MB")
    # intel/ipex-llm issue 13301: its table of devices
    row = "| 0| [level_zero:gpu:0]|                 Intel UHD Graphics 730|   12.2|     32|\n| 0| [level_zero:gpu:0]|      N|"
    assert read_log(row).words_named("device") == ("Intel UHD Graphics 730",)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("python -m llama_cpp.server --model ./x.gguf --port 9", "model_file", ("./x.gguf",)),  # llama-cpp-python issue 1354
        ("llm_load_print_meta: general.name     = .\nllm_load_print_meta: n_head = 8", "model", ()),  # llama.cpp issue 9881
        # Of a file without a name, as llama.cpp prints it, and what others write there.
        *(
            (f"print_info: general.name     = {none}\nprint_info: n_head = 8", "model", ())
            for none in ("n/a", "N/A", "None", "<unknown>")
        ),
        ("print_info: general.name = Unnamed-8B\nprint_info: n_head = 8", "model", ("Unnamed-8B",)),
        (
            'from vllm import LLM\n      1 #llm = LLM(model="a/b")\n----> 3 llm = LLM(model="c/d")',
            "model",
            ("c/d",),
        ),  # vllm-project/vllm issue 1056
    ],
)
def test_names_are_read_where_threads_have_them(text, name, said):
    assert read_log(text).words_named(name) == said


@pytest.mark.parametrize(
    "part",
    [
        "a=",
        "--",
        "word ",
        " ",
        "x",
        "a.",
        "vllm ",
        "\"'",
        "1",
        "a | ",
        "\x1b[",
        "> ",
        "n_ctx (",
        'key: "a" value: { ',
        "python3 -m ",
    ],
)
def test_200_000_letters_take_no_longer_than_their_number(part):
    text = (part * 200_000)[:200_000]
    begun = process_time()
    assert (
        list(settings(text, "TGI")) == []
        and list(arguments(text, "TGI")) == []
        and not whose(text)
        and len(without_heads([text])) == 1
    )
    assert process_time() - begun < 2  # measured: 0.02 to 0.14; what looks at each letter from each one takes minutes


@pytest.mark.parametrize(
    "name", ["%MODEL_PATH%", "/path/to/model.gguf", "/models/{{ model }}", "your-model-name", "path_to_model"]
)
def test_what_stands_for_a_name_is_none(name):
    """ikawrakow/ik_llama.cpp discussion 548 has “-m %MODEL_PATH%” of a Windows shell."""
    assert not read_log(f"llama-server -m {name} -c 4096").words_named("model_file")
    assert read_log("vllm serve /path/to/Qwen3-235B-A22B-FP8").words_named("model")  # vllm issue 21348
