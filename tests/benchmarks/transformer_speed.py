"""How fast the engine runs real shapes, as ratios to transformers in the same process: `python tests/benchmarks/transformer_speed.py`.

It builds an environment of its own beside the system's temporary files (torch, transformers and the engine's numpy), writes a
GPT-2 of 124M and a Llama of 100M with random parameters, and runs both engines in turns, on one and on two threads. The reference is
the fairest mode of transformers: scaled-dot-product attention, logits of the last row only, its own cache.

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
CONTEXTS = (16, 128, 512, 1024)
BARS = {"decode": 1.2, "prefill": {1: 0.85, 2: 0.8}}
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
    """Both checkpoints with random parameters; unit-sized activations, since NumPy and torch slow down on denormals."""
    import torch
    import transformers as tf

    llama = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "num_key_value_heads": 4, "vocab_size": 32000,
             "intermediate_size": 2048, "max_position_embeddings": 2048, "tie_word_embeddings": True}  # fmt: skip
    for name, config in (("gpt2-124m", tf.GPT2Config(n_positions=2048)), ("llama-100m", tf.LlamaConfig(**llama))):
        if not (folder / name / "model.safetensors").exists():
            torch.manual_seed(0)
            tf.AutoModelForCausalLM.from_config(config).save_pretrained(folder / name)


def measure(folder: Path, n_threads: int, contexts: list[int], rounds: int, steps: int) -> None:
    """Print one JSON line for each measurement; run in a process whose thread counts are already set."""
    import numpy as np
    import torch
    import transformers as tf

    sys.path.insert(0, str(ROOT))
    from engine import KVCache, decode_step, prefill
    from engine.checkpoint import load

    torch.set_num_threads(n_threads)
    torch.set_grad_enabled(False)
    ours = load(folder).variant(keep=False)
    theirs = tf.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="sdpa", dtype=torch.float32).eval()
    longest = torch.from_numpy(np.random.default_rng(0).integers(1, ours.n_vocab, 1024))

    def our_prefill(n):
        cache = KVCache.for_model(ours, ours.n_ctx if n < ours.n_ctx else n)
        return prefill(ours, longest[:n].numpy(), cache).logits[-1], cache

    def their_prefill(n):
        out = theirs(longest[None, :n], past_key_values=tf.DynamicCache(), use_cache=True, logits_to_keep=1)
        return out.logits[0, -1].numpy(), out.past_key_values

    def timed(run, *arguments):
        time.sleep(PAUSE_S)
        gc.collect()
        start = time.perf_counter()
        result = run(*arguments)
        return time.perf_counter() - start, result

    for n in contexts:
        mine, other = [], []
        for _ in range(rounds):
            for times, run in ((mine, our_prefill), (other, their_prefill)):
                seconds, (logits, _) = timed(run, n)
                times.append(seconds)
                assert np.isfinite(logits).all()
        difference = float(abs(our_prefill(n)[0] - their_prefill(n)[0]).max())
        report(folder, "prefill", n_threads, n, min(mine), min(other), difference)
    for n in contexts:
        n = min(n, ours.n_ctx - 2 * steps)
        times = {"ours": [], "theirs": []}
        _, cache = our_prefill(n)
        _, their_cache = their_prefill(n)
        # Bursts in turns: each engine keeps its own parameters warm in the cache, as it does when it generates alone.
        for _ in range(4):
            time.sleep(PAUSE_S)
            for i in range(steps // 4):
                start = time.perf_counter()
                logits = decode_step(ours, int(longest[i]), cache).logits[-1]
                times["ours"].append(time.perf_counter() - start)
            time.sleep(PAUSE_S)
            for i in range(steps // 4):
                start = time.perf_counter()
                out = theirs(longest[None, i : i + 1], past_key_values=their_cache, use_cache=True, logits_to_keep=1)
                times["theirs"].append(time.perf_counter() - start)
        difference = float(abs(logits - out.logits[0, -1].numpy()).max())
        medians = [float(np.median(times[who])) for who in ("ours", "theirs")]
        n_bytes = weight_bytes(ours) + cache.nbytes
        report(folder, "decode", n_threads, n, *medians, difference, n_bytes / medians[0] / bandwidth())


def report(folder, phase, n_threads, n, ours_s, theirs_s, difference, share=None) -> None:
    """One measurement as a JSON line: the ratio is above 1 where the engine is the faster one."""
    print(json.dumps({"model": folder.name, "phase": phase, "threads": n_threads, "n": n, "ours_ms": round(1000 * ours_s, 2),
                      "theirs_ms": round(1000 * theirs_s, 2), "ratio": round(theirs_s / ours_s, 3), "logits differ by": difference,
                      "share_of_bandwidth": share and round(share, 3)}), flush=True)  # fmt: skip


def weight_bytes(model) -> int:
    """Bytes of parameters that one decode step reads: all matrices; of an embedding that is not the head, one row."""
    blocks = sum(linear.w.nbytes for b in model.params.blocks for linear in (b.qkv, b.out, b.up, b.down))
    return blocks + model.params.head.w.nbytes


def bandwidth() -> float:
    """Bytes a second of a matrix-vector product with a matrix far larger than any cache of a core: the roof of decode."""
    import numpy as np

    w, x = np.ones((16384, 8192), np.float32), np.ones(8192, np.float32)
    w @ x
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        w @ x
        best = max(best, w.nbytes / (time.perf_counter() - start))
    return best


def memory(folder: Path) -> None:
    """Peak memory of loading and a first token, in a process that imports nothing but the engine."""
    import resource

    sys.path.insert(0, str(ROOT))
    from engine.checkpoint import load

    model = load(folder).variant(keep=False)
    model.forward([1, 2, 3])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = (folder / "model.safetensors").stat().st_size
    print(json.dumps({"model": folder.name, "phase": "memory", "peak_mb": round(peak / 1e6), "file_mb": round(size / 1e6),
                      "allowed_mb": round((1.05 * size + 50e6) / 1e6)}), flush=True)  # fmt: skip


def main() -> None:
    """Make the environment and the models, then one process for each model and thread count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", help="an existing Python with torch and transformers, instead of an environment of its own")
    parser.add_argument("--contexts", type=int, nargs="*", default=CONTEXTS)
    parser.add_argument("--threads", type=int, nargs="*", default=(1, 2))
    parser.add_argument("--models", nargs="*", default=("gpt2-124m", "llama-100m"))
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--inside", nargs=3, metavar=("WHAT", "FOLDER", "THREADS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    models = Path(tempfile.gettempdir()) / "token-by-token-models"
    if options.inside:
        what, folder, n_threads = options.inside
        if what == "models":
            make_models(Path(folder))
        elif what == "memory":
            memory(Path(folder))
        else:
            measure(Path(folder), int(n_threads), options.contexts, options.rounds, options.steps)
        return
    python = options.python or environment()
    arguments = [str(part) for key in ("contexts", "rounds", "steps")
                 for part in (f"--{key}", *(getattr(options, key) if key == "contexts" else [getattr(options, key)]))]  # fmt: skip

    def inside(what, folder, n_threads=1):
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(n_threads))
        command = [python, __file__, *arguments, "--inside", what, str(folder), str(n_threads)]
        subprocess.run(command, check=True, env=os.environ | threads | {"TRANSFORMERS_VERBOSITY": "error"})

    inside("models", models)
    for name in options.models:
        inside("memory", models / name)
        for n_threads in options.threads:
            inside("measure", models / name, n_threads)
    print(f"Bars: decode ≥ {BARS['decode']}; prefill at 512 and 1024 ≥ {BARS['prefill'][1]} (1 thread), ≥ {BARS['prefill'][2]} (2 threads)")


if __name__ == "__main__":
    main()
