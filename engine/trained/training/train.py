"""Trains the bundled model: `python -m engine.trained.training.train`.

It takes some ten minutes on one core and writes the four checkpoints.

A Llama-layout decoder of three layers, in PyTorch, on stories of grammar.py. Stories are packed into rows; a query
sees only its own story. Between steps the attention of lists said twice is measured, which tells when the
induction heads have formed: the checkpoint before and the one after are kept beside the first and the last.
"""

import json
import math
import random
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from engine.trained.training.grammar import BOS, UNK, story, vocabulary

SEED, STEPS, ROWS, N_CTX, PEAK_RATE, SNAPSHOT_EVERY = 4, 7000, 16, 128, 3e-3, 100
CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu",
    "num_hidden_layers": 3, "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 176,
    "max_position_embeddings": N_CTX, "rms_norm_eps": 1e-5, "rope_theta": 100.0, "rope_scaling": None,
    "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": True, "bos_token_id": 0, "eos_token_id": None,
    "torch_dtype": "float16", "vocab_size": len(vocabulary()),
}  # fmt: skip
N_HEAD, N_KV_HEAD, D_MODEL = CONFIG["num_attention_heads"], CONFIG["num_key_value_heads"], CONFIG["hidden_size"]
D_HEAD = D_MODEL // N_HEAD


class Block(nn.Module):
    """Attention and a gated feed-forward, each behind a norm and added to the stream. `weights` is kept for measuring."""

    def __init__(self):
        super().__init__()
        d_ff = CONFIG["intermediate_size"]
        self.input_layernorm = nn.RMSNorm(D_MODEL, CONFIG["rms_norm_eps"])
        self.post_attention_layernorm = nn.RMSNorm(D_MODEL, CONFIG["rms_norm_eps"])
        self.self_attn = nn.ModuleDict(
            {
                name: nn.Linear(D_MODEL, n * D_HEAD, bias=False)
                for name, n in [("q_proj", N_HEAD), ("k_proj", N_KV_HEAD), ("v_proj", N_KV_HEAD), ("o_proj", N_HEAD)]
            }
        )
        self.mlp = nn.ModuleDict({"gate_proj": nn.Linear(D_MODEL, d_ff, bias=False),
                                  "up_proj": nn.Linear(D_MODEL, d_ff, bias=False),
                                  "down_proj": nn.Linear(d_ff, D_MODEL, bias=False)})  # fmt: skip

    def forward(self, x, cos, sin, mask):
        h = self.input_layernorm(x)
        q, k, v = (self.self_attn[name](h).unflatten(-1, (-1, D_HEAD)).transpose(1, 2) for name in ("q_proj", "k_proj", "v_proj"))
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k, v = (a.repeat_interleave(N_HEAD // N_KV_HEAD, dim=1) for a in (k, v))
        self.weights = (q @ k.transpose(-1, -2) / math.sqrt(D_HEAD)).masked_fill(~mask, -torch.inf).softmax(-1)
        x = x + self.self_attn["o_proj"]((self.weights @ v).transpose(1, 2).flatten(2))
        h = self.post_attention_layernorm(x)
        return x + self.mlp["down_proj"](F.silu(self.mlp["gate_proj"](h)) * self.mlp["up_proj"](h))


class Decoder(nn.Module):
    """Embedding, blocks, norm; the embedding once more turns the stream into logits. Parameter names are those of the layout."""

    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(CONFIG["vocab_size"], D_MODEL)
        self.layers = nn.ModuleList(Block() for _ in range(CONFIG["num_hidden_layers"]))
        self.norm = nn.RMSNorm(D_MODEL, CONFIG["rms_norm_eps"])
        for name, p in self.named_parameters():
            if p.dim() == 2:
                deep = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(p, std=0.02 / (math.sqrt(2 * len(self.layers)) if deep else 1))
        angle = torch.arange(N_CTX)[:, None] * CONFIG["rope_theta"] ** (-torch.arange(0, D_HEAD, 2) / D_HEAD)
        self.cos, self.sin = (f(torch.cat([angle, angle], -1)) for f in (torch.cos, torch.sin))

    def forward(self, ids, mask):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, self.cos[: ids.shape[1]], self.sin[: ids.shape[1]], mask)
        return self.norm(x) @ self.embed_tokens.weight.T


def rotate(x, cos, sin):
    """Rotary positions: the first half of a head pairs with its second half."""
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


def batch(rng: random.Random, ids: dict[str, int]):
    """ROWS rows of packed stories: ids, what follows each (−100 where nothing should be learned), who may see whom."""
    rows, numbers = [], []
    for _ in range(ROWS):
        row, number = [], []
        while len(row) <= N_CTX:
            words = story(rng, N_CTX)
            number += [len(row)] * len(words)
            row += [ids[w] for w in words]
        rows.append(row[: N_CTX + 1])
        numbers.append(number[: N_CTX + 1])
    x, number = torch.tensor(rows), torch.tensor(numbers)
    follows = x[:, 1:].clone()
    follows[follows < 2] = -100  # neither <bos> nor <unk> is ever to be said
    mask = (number[:, None, :-1, None] == number[:, None, None, :-1]) & torch.ones(N_CTX, N_CTX, dtype=torch.bool).tril()
    return x[:, :-1], follows, mask


@torch.no_grad()
def head_scores(model: Decoder, n_half: int = 12, rows: int = 16) -> dict[str, torch.Tensor]:
    """Mean weights (n_layer, n_head) on the token before and on the one after the earlier mention, for lists said twice."""
    r = random.Random(0)
    half = torch.tensor([r.sample(range(2, CONFIG["vocab_size"]), n_half) for _ in range(rows)])
    ids = torch.cat([torch.zeros(rows, 1, dtype=torch.long), half, half], 1)
    n = ids.shape[1]
    model(ids, torch.ones(n, n, dtype=torch.bool).tril())
    weights = torch.stack([layer.weights for layer in model.layers]).mean(1)  # (n_layer, n_head, n, n)
    previous = weights.diagonal(-1, -2, -1)[..., 1:].mean(-1)
    return {"previous": previous, "induction": weights.diagonal(1 - n_half, -2, -1)[..., 2:].mean(-1)}


def save(model: Decoder, folder: Path, name: str, step: int, loss: float) -> None:
    """One checkpoint as a safetensors file in float16, under the layout's names: length, header, and the arrays in its order."""
    header, data = {"__metadata__": {"format": "pt", "step": str(step), "loss": f"{loss:.3f}"}}, b""
    for key, p in sorted(model.named_parameters()):
        content = p.detach().numpy().astype("<f2").tobytes()
        offsets = [len(data), len(data) + len(content)]
        header[f"model.{key}"] = {"dtype": "F16", "shape": list(p.shape), "data_offsets": offsets}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / f"{name}.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + data)


def train(folder: Path) -> None:
    """Train, and write config.json, vocabulary.json and the four checkpoints into `folder`."""
    torch.manual_seed(SEED)
    rng, words = random.Random(SEED), vocabulary()
    ids = {word: i for i, word in enumerate(words)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=1) + "\n")
    (folder / "vocabulary.json").write_text(json.dumps({"bos": BOS, "unk": UNK, "words": words}, indent=0) + "\n")
    model = Decoder()
    optimiser = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, betas=(0.9, 0.98), weight_decay=0.0)
    warmth = lambda step: min((step + 1) / 100, 0.02 + 0.98 * (1 + math.cos(math.pi * step / STEPS)) / 2)  # noqa: E731
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, warmth)
    formed, mean_loss = False, math.log(len(words))
    for step in range(STEPS + 1):
        if step % SNAPSHOT_EVERY == 0:
            scores = head_scores(model)
            induction = scores["induction"].max().item()
            print(
                f"step {step}: loss {mean_loss:.3f} previous {scores['previous'].max():.2f} induction {induction:.2f}", flush=True
            )
            if step == 0:
                save(model, folder, "untrained", step, mean_loss)
            elif induction < 0.3 and not formed:
                save(model, folder, "before", step, mean_loss)
            elif induction >= 0.6 and not formed:
                formed = True
                save(model, folder, "after", step, mean_loss)
        if step == STEPS:
            break
        x, follows, mask = batch(rng, ids)
        loss = F.cross_entropy(model(x, mask).flatten(0, 1), follows.flatten(), ignore_index=-100)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        mean_loss += 0.02 * (loss.item() - mean_loss)
    save(model, folder, "final", STEPS, mean_loss)
    print({key: value.round(decimals=2).tolist() for key, value in head_scores(model).items()})


if __name__ == "__main__":
    torch.set_num_threads(1)  # at this size two gain little, and wait for each other on a busy machine
    train(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "small_model")
