"""Tables of benchmarks and commands in several lines, each as in the public thread named beside it."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.starts import ONCE, mixed
from engine.serving.stated_setup import stated_setup

# The columns of ggml-org/llama.cpp pull 16894, filled with an 8B's bytes and parameters.
LLAMA_BENCH = """| model                |       size |     params | backend    | ngl | fa |            test |              t/s |
| -------------------- | ---------: | ---------: | ---------- | --: | -: | --------------: | ---------------: |
| llama 8B Q8_0        |   7.95 GiB |     8.03 B | CUDA       |  99 |  1 |           pp512 |  9000.00 ± 12.40 |
ggml_cuda_init: found 1 CUDA devices
| llama 8B Q8_0        |   7.95 GiB |     8.03 B | CUDA       |  99 |  1 |  tg128 @ d4096 |     80.25 ± 0.02 |"""
BATCHED = """|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
|   128 |    256 |   32 |  12288 |    3.409 |  1201.35 |   19.223 |   426.16 |   22.632 |   542.94 |"""  # llama.cpp pull 3545
COMMAND = """docker run -d --network host \\
-e CUDA_VISIBLE_DEVICES=0,1,2,3  \\
ghcr.io/huggingface/text-generation-inference:3.0.1 \\
--model-id /mnt/models--hugging-quants--Meta-Llama-3.1-70B-Instruct-AWQ-INT4 \\
--num-shard 4  \\
--max-total-tokens 17500"""  # huggingface/text-generation-inference issue 2952


def test_a_row_of_llama_bench_says_its_file_and_its_rate():
    log = read_log(LLAMA_BENCH)
    assert log.value("prompt_rate") == 9000 and log.value("answer_rate") == 80.25 and log.value("pass_past") == 4096
    assert stated_setup(log).weight_bits == pytest.approx(8.5, abs=0.01) and log.left_alone.keys() == {1, 2}


def test_its_rates_are_times_beside_their_bounds():
    prompt, step = times(read_log(LLAMA_BENCH), MODELS["Llama-3.1-8B"], DEVICES["A100-80"], weight_bits=8.5, kv_bits=16)
    assert prompt.measured_s == 512 / 9000 and step.measured_s == 1 / 80.25 and step.n_past == 4096
    assert not prompt.below and not step.below


def test_rows_of_another_model_or_of_other_bits_are_no_times_of_this_one():
    log = read_log(LLAMA_BENCH)
    assert has_times(log) and times(log, MODELS["Qwen3-32B"], DEVICES["A100-80"], weight_bits=8.5) == []
    assert times(log, MODELS["Llama-3.1-8B"], DEVICES["A100-80"], weight_bits=16) == []


def test_several_files_in_a_table_are_no_contradiction():
    two = LLAMA_BENCH + "\n| qwen2 7B Q8_0 |   7.54 GiB |     7.62 B | CUDA | 99 | 1 | pp512 | 9000.00 ± 12.40 |"
    assert stated_setup(read_log(two)).weight_bits is None
    assert not [check for check in cache_checks(read_log(two), MODELS["Llama-3.1-8B"], 1, 16, 8.5) if check.differs]


def test_sequences_of_a_batch_share_a_step():
    (step,) = times(read_log(BATCHED), MODELS["Llama-2-7B"], DEVICES["A100-80"], weight_bits=16, kv_bits=16)
    assert step.n_together == 32 and step.measured_s == pytest.approx(19.223 / 256, rel=1e-4)


def test_a_prompt_that_all_sequences_share_is_read_once():
    """ggml-org/llama.cpp pull 4280: 3,072 tokens are 2,048 and 8 · 128. With 64 at once a right time was below its bound."""
    columns, rule, _ = BATCHED.splitlines()
    row = "|  2048 |    128 |    8 | {} |    3.613 |   566.77 |   10.194 |   100.45 |   13.808 |   222.49 |"

    def steps(held, beside=row, device="Apple M4 Max"):
        log = read_log(f"{columns}\n{rule}\n{beside.format(held)}")
        return times(log, MODELS["Llama-2-7B"], DEVICES[device], weight_bits=8.5, kv_bits=16)

    (shared,), (own,) = steps("3072"), steps("17408")
    assert shared.least_s < 0.6 * own.least_s and "the same 2,048 tokens" in shared.how and "2,048 tokens each" in own.how
    many = row.replace("|    8 |", "|   64 |").replace("100.45", "5120.0")
    assert not steps("10240", many, "H100 SXM")[0].below  # 12.5 ms of at least 22.6 were said
    assert steps("9999") == []  # what they read is not settled


def test_rows_that_say_their_parameters_belong_to_somebody():
    """lhl/strix-halo-testing: a page said that no line tells which bytes belong to which parameters, and each row does. It says none."""
    two = LLAMA_BENCH + "\n| llama 405B Q4_K | 226.37 GiB | 405.85 B | CUDA | 99 | 1 | pp512 | 5.51 ± 0.01 |"
    assert "no line" not in (why := mixed(read_log(two), *ONCE)) and why.endswith("GiB, 226.37 GiB")


def test_a_batch_of_sglangs_own_benchmark_is_timed_and_not_the_one_that_warms_up():
    """sgl-project/sglang pull 22416: 4 · 2,048 tokens in 0.27105 s at 30,222.82 a second, four steps at once in 4.82 ms."""
    batch = """Prefill. latency: {} s, throughput:  {} token/s
Decode.  median latency: {} s, median throughput:    {} token/s
"""
    log = read_log(batch.format(0.30282, 27052.23, 0.00507, 788.46) + batch.format(0.27105, 30222.82, 0.00482, 830.67))
    prompts, step = times(log, MODELS["Qwen3-0.6B"], DEVICES["RTX 4090"], weight_bits=16, kv_bits=16)
    assert (prompts.measured_s, prompts.n_new, prompts.n_together) == (0.27105, 2048, 4)
    assert (step.measured_s, step.n_past, step.n_together) == (0.00482, 2048, 4) and has_times(log)
    assert not has_times(read_log(batch.format(0.27105, 30222.82, 0.00482, 523.4)))  # two and a half at once: nobody's


def test_a_sweep_says_what_there_was_before_its_steps():
    # ikawrakow/ik_llama.cpp pull 739
    sweep = """|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |
|   512 |    128 |   4608 |    0.893 |   573.14 |    3.395 |    37.70 |"""
    (step,) = times(read_log(sweep), MODELS["Llama-2-7B"], DEVICES["A100-80"], weight_bits=16, kv_bits=16)
    assert step.n_past == 4608 and step.measured_s == 1 / 37.7


def test_a_command_in_several_lines_is_one_and_each_line_says_its_own():
    log = read_log(COMMAND)
    assert stated_setup(log).shape.name == "Llama-3.1-70B" and (stated_setup(log).n_devices, stated_setup(log).n_ctx) == (
        4,
        17_500,
    )
    assert log.lines.keys() == {4, 5, 6} and log.last("n_devices").line == 5


def test_arguments_that_several_servers_know_are_of_the_one_that_is_named():
    # sgl-project/sglang pull 14056
    command = (
        "python -m sglang.launch_server \\\n --quantization w8a8_int8 \\\n --model-path /data/DeepSeek-R1_w8a8/ \\\n --tp-size 16"
    )
    assert read_log(command).programs == ("SGLang",)


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve \\\n  --port 8000 \\\n  --model=Qwen/Qwen3-8B",
        "    image: vllm/vllm-openai\n      - --model=Qwen/Qwen3-8B\n      - --max-model-len=8192",
        "services:\n  vllm:\n    image: vllm/vllm-openai:latest\n    command: --model Qwen/Qwen3-8B",  # vllm issue 3435
        "  entrypoint: python3 -m sglang.launch_server\n  command:\n    --model-path Qwen/Qwen3-8B\n    --tp 8",  # sglang issue 3956
        "llama-bench.exe -m T:\\models\\unsloth\\Qwen3-8B-Q4_K_M.gguf -ngl 100",  # llama.cpp issue 20893
        "./server --host 192.168.4.6 -c 4096 -m /mnt/models/Qwen3-8B-q6_K.bin -ts 15.6,12",  # llama.cpp pull 4606
        "python3 -m sglang.launch_server --model-path ${SGLANG_MODEL:-Qwen/Qwen3-8B} --port 30000",  # sglang issue 36452
        "llama-bench -m ~/Downloads/Qwen3-8B-Q4_K_M.gguf -fa 1",  # ROCm/legacy-rocm-build issue 4748
        'from vllm import LLM\nllm = LLM(model="Qwen/Qwen3-8B", dtype="bfloat16")',  # vllm issue 9163
        "python benchmarks/benchmark_serving_guided.py --port 8080 --model Qwen/Qwen3-8B",  # vllm pull 10880
        "llama-cli -m models/Qwen3-8B-F16-00001-of-00002.gguf -c 16384",
        "docker run --gpus all vllm/vllm-openai:latest \\\n    --model Qwen/Qwen3-8B",
        "docker run --ipc=host \\\n  vllm/vllm-openai-rocm:latest Qwen/Qwen3-8B \\\n  --tokenizer_mode x",  # vllm-project/recipes pull 476
        "trtllm-bench -m Qwen/Qwen3-8B \\\n  throughput \\\n  --tp 8",  # TensorRT-LLM issue 3486
    ],
)
def test_a_model_is_read_wherever_a_command_names_it(text):
    assert stated_setup(read_log(text)).shape.name == "Qwen3-8B"


def test_what_several_programs_write_names_none_of_them():
    """TensorRT-LLM issue 3486, llama-cpp-python issue 66."""
    assert read_log("trtllm-bench -m Qwen/Qwen3-8B \\\n  throughput \\\n  --tp 8").programs == ("TensorRT-LLM",)
    python = 'lm = Llama(model_path="ggml-model-q4_1.bin")\nllama_init_from_file: kv self size  = 1560.00 MB'
    assert read_log(python).programs == ("llama.cpp",)


def test_the_experts_of_a_file_are_read_where_only_its_keys_are_printed():
    """llama-cpp-python issue 1226."""
    keys = "llama_model_loader: - kv   9:  llama.expert_count u32 = 8\nllama_model_loader: - kv  10:  llama.expert_used_count u32 = 2"
    assert [read_log(keys).value(name) for name in ("info_expert", "info_expert_used")] == [8, 2]


def test_a_count_without_its_time_is_held_against_nothing():
    """A part of what `ollama run --verbose` prints."""
    log = read_log("total duration: 1s\nprompt eval count:    26 token(s)\neval count:           298 token(s)")
    assert not has_times(log) and times(log, MODELS["Llama-3.1-8B"], DEVICES["A10"], weight_bits=16, kv_bits=16) == []


@pytest.mark.parametrize(
    "text, name, values",
    [
        (  # kvcached issue 110
            "Free memory on device (67.24/79.25 GiB) on startup is less than desired GPU memory utilization (0.9, 71.33 GiB).",
            "usable", [0.9],
        ),
        (  # sglang issue 26248
            "Prefill batch, #running-req: 3, #queue-req: 3, #pending-token: 583214, cuda graph: False, "
            "input throughput (token/s): 21767.68",
            "prompt_rate", [21767.68],
        ),
        ("vllm serve x --max-num-batched-tokens 32768", "batch_tokens", [32768]),  # local-inference-lab/rtx6kpro issue 7
    ],
)  # fmt: skip
def test_lines_of_the_last_set_say_one_thing(text, name, values):
    assert [figure.value for figure in read_log(text).figures if figure.name == name] == values


def test_rusts_values_may_stand_in_a_line_of_their_own():
    """huggingface/text-generation-inference issue 3195."""
    log = read_log(
        "text_generation_launcher: Args {\n"
        "    max_input_length: Some(\n        4095,\n    ),\n    max_total_tokens: Some(\n        4096,\n    ),"
    )
    assert (log.value("most_input"), log.value("n_ctx")) == (4095, 4096)


def test_a_compared_file_is_found_behind_its_card():
    """ggml-org/llama.cpp pull 4766: the second column of some is the card's number, which was the file's name."""
    log = read_log("| RTX 3090 | 0 | llama 7B F16 | pp512 | 4184.85 | 4407.44 | 1.05 |")
    assert [word.printed for word in log.words if word.name == "file"] == ["llama 7B F16"]
    assert [one.value for one in log.all("prompt_rate")] == [4184.85, 4407.44]
