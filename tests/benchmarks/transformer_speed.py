"""How fast the engine runs real shapes, as ratios to transformers: `python tests/benchmarks/transformer_speed.py`.

It builds an environment of its own beside the system's temporary files (torch, transformers and the engine's numpy), writes a
GPT-2 of 124M and a Llama of 100M with random parameters, and runs both engines in turns in one process, on one and two threads.
The reference is the fairest mode of transformers: scaled-dot-product attention, logits of the last row only, its own cache.

Ratios, not rates: machines are shared and differ. Rounds alternate, with a pause between, because an idle BLAS thread spins for
some milliseconds and steals the other's core. Prefill takes the best round, decode the median step.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["torch==2.13.0", "transformers==5.23.0", "numpy>=2"]
BARS = "Bars: decode ≥ 1.2; prefill at 512 and 1024 ≥ 0.85 with one thread, ≥ 0.8 with two; share of bandwidth at 1024 ≥ 0.7"
LLAMA = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "num_key_value_heads": 4, "vocab_size": 32000,
         "intermediate_size": 2048, "max_position_embeddings": 2048, "tie_word_embeddings": True}  # fmt: skip
PAUSE_S = 0.06


def environment() -> Path:
    """The Python of the benchmark's own environment, made at the first use."""
    folder = Path(tempfile.gettempdir()) / "token-by-token-benchmark"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (folder / "ready").touch()
    return python


def make_models(folder: Path) -> None:
    """Both checkpoints with random parameters, once."""
    import torch
    import transformers as tf

    for name, config in (("gpt2-124m", tf.GPT2Config(n_positions=2048)), ("llama-100m", tf.LlamaConfig(**LLAMA))):
        if not (folder / name / "model.safetensors").exists():
            torch.manual_seed(0)
            tf.AutoModelForCausalLM.from_config(config).save_pretrained(folder / name)


class Ours:
    """The engine, keeping no maps."""

    def __init__(self, folder: Path):
        sys.path.insert(0, str(ROOT))
        from engine import load

        self.model = load(folder).variant(keep=False)

    def prefill(self, token_ids, room: int):
        """The prompt's pass with a new cache: last logits, cache."""
        from engine import KVCache, prefill

        cache = KVCache.for_model(self.model, len(token_ids) + room)
        return prefill(self.model, token_ids, cache).logits[-1], cache

    def step(self, token_id: int, cache):
        """One token behind the cache: its logits."""
        from engine import decode_step

        return decode_step(self.model, token_id, cache).logits[-1]

    def bytes_a_step(self, cache) -> int:
        """What a step has to read: every matrix once, and the cache; of an embedding that is not the head, one row."""
        matrices = [linear.w for b in self.model.params.blocks for linear in (b.qkv, b.out, b.up, b.down)]
        return sum(w.nbytes for w in matrices) + self.model.params.head.w.nbytes + cache.nbytes


class Theirs:
    """transformers with its fastest attention, asked for the last logits only."""

    def __init__(self, folder: Path, n_threads: int):
        import torch
        import transformers as tf

        torch.set_num_threads(n_threads)
        torch.set_grad_enabled(False)
        self.torch, self.tf = torch, tf
        self.model = tf.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="sdpa", dtype=torch.float32).eval()

    def prefill(self, token_ids, room: int):
        """The prompt's pass with a new cache: last logits, cache."""
        cache = self.tf.DynamicCache()
        return self._run(token_ids, cache), cache

    def step(self, token_id: int, cache):
        """One token behind the cache: its logits."""
        return self._run([token_id], cache)

    def _run(self, token_ids, cache):
        ids = self.torch.as_tensor(token_ids)[None]
        return self.model(ids, past_key_values=cache, use_cache=True, logits_to_keep=1).logits[0, -1].numpy()


def measure(folder: Path, n_threads: int, contexts: list[int], rounds: int, steps: int) -> None:
    """Print a line for each measurement; runs in a process whose thread counts are already set."""
    import numpy as np

    engines = Ours(folder), Theirs(folder, n_threads)
    text = np.random.default_rng(0).integers(1, engines[0].model.n_vocab, max(contexts))
    for n in contexts:
        seconds = [[], []]
        for _ in range(rounds):
            for engine, times in zip(engines, seconds, strict=True):
                time.sleep(PAUSE_S)
                gc.collect()
                start = time.perf_counter()
                engine.prefill(text[:n], steps)
                times.append(time.perf_counter() - start)
        report(folder, "prefill", n_threads, n, *map(min, seconds))
    for n in contexts:
        caches = [engine.prefill(text[:n], steps)[1] for engine in engines]
        seconds, last = decode(engines, caches, text, steps)
        share = engines[0].bytes_a_step(caches[0]) / np.median(seconds[0]) / bandwidth()
        apart = float(abs(last[0] - last[1]).max())
        report(folder, "decode", n_threads, n, *map(np.median, seconds), share_of_bandwidth=share, logits_apart=apart)


def decode(engines, caches, text, steps: int):
    """Seconds of every step of each engine, and its last logits: four bursts in turns, so that each keeps its own memory warm."""
    seconds, last = [[], []], [None, None]
    for burst in range(4):
        for i, engine in enumerate(engines):
            time.sleep(PAUSE_S)
            for token_id in text[burst * steps // 4 : (burst + 1) * steps // 4].tolist():
                start = time.perf_counter()
                last[i] = engine.step(token_id, caches[i])
                seconds[i].append(time.perf_counter() - start)
    return seconds, last


def bandwidth() -> float:
    """Bytes a second of a matrix-vector product with a matrix far larger than any core's cache: the roof of decode."""
    import numpy as np

    w, x, best = np.ones((16384, 8192), np.float32), np.ones(8192, np.float32), 0.0
    time.sleep(PAUSE_S)
    for _ in range(6):
        start = time.perf_counter()
        w @ x
        best = max(best, w.nbytes / (time.perf_counter() - start))
    return best


def memory(folder: Path) -> None:
    """Peak memory of loading and a first token, in a process that has run nothing but the engine."""
    import resource

    model = Ours(folder).model
    model.forward([1, 2, 3])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = (folder / "model.safetensors").stat().st_size
    allowed = 1.05 * size + 50e6
    print(f"{folder.name}: peak memory {peak / 1e6:.0f} MB of {allowed / 1e6:.0f} allowed, file {size / 1e6:.0f} MB", flush=True)


def report(folder: Path, phase: str, n_threads: int, n: int, ours_s: float, theirs_s: float, **more: float) -> None:
    """One measurement; the ratio is above 1 where the engine is the faster one."""
    rest = ", ".join(f"{key} {value:.2g}" for key, value in more.items())
    print(f"{folder.name}: {phase} at {n}, {n_threads} threads: ratio {theirs_s / ours_s:.2f}  "
          f"({ours_s * 1e3:.1f} ms, transformers {theirs_s * 1e3:.1f} ms) {rest}", flush=True)  # fmt: skip


def main() -> None:
    """Make the environment and the models, then one process for each model and thread count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", help="a Python that has torch and transformers, instead of an environment of its own")
    parser.add_argument("--contexts", type=int, nargs="*", default=(16, 128, 512, 1024))
    parser.add_argument("--threads", type=int, nargs="*", default=(1, 2))
    parser.add_argument("--models", nargs="*", default=("gpt2-124m", "llama-100m"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--inside", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        what, *arguments = options.inside
        {"models": make_models, "memory": memory, "measure": measure}[what](Path(arguments[0]), *arguments[1:])
        return
    python, models = options.python or environment(), Path(tempfile.gettempdir()) / "token-by-token-models"

    def inside(*arguments, n_threads: int = 1) -> None:
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(n_threads))
        quiet = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        command = [python, __file__, "--inside", json.dumps(arguments, default=str)]
        subprocess.run(command, check=True, env=os.environ | threads | quiet)

    inside("models", models)
    for name in options.models:
        inside("memory", models / name)
        for n in options.threads:
            inside("measure", models / name, n, options.contexts, options.rounds, options.steps, n_threads=n)
    print(BARS)


if __name__ == "__main__":
    main()
