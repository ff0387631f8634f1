"""What the notebooks on a trained model share: its file read and its pass written out; a prefix cache as chained blocks."""

from engine.trained.bundled import FOLDER
from pages.parts.teaching.notebook import Cell, code, prose
from pages.parts.trained.model import Trained

NEAR, SHARE = 1e-4, 1e-4  # the page computes in 32 bits, the notebook in 64
READER = '''
def read(path):
    """The arrays of a safetensors file: eight bytes of length, a table in JSON, then the numbers, one array behind the other."""
    with open(path, "rb") as file:
        table = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        numbers = file.read()
    table.pop("__metadata__", None)
    parts = {name: (one["shape"], *one["data_offsets"]) for name, one in table.items()}
    return {name: np.frombuffer(numbers[a:b], np.float16).reshape(shape).astype(float) for name, (shape, a, b) in parts.items()}


learned = read(f"{folder}/{moment}.safetensors")
'''
MODEL = '''
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def norm(x, name):
    """Each row at unit size, times learned gains (RMSNorm)."""
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps) * learned[f"{name}.weight"]


def turned(x, positions):
    """Rotary positions: entry i of a head turns with entry i + half, the further the later the token. x: (head, token, width)."""
    half = d_head // 2
    angle = positions[:, None] * theta ** (-np.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], axis=-1)


def forward(ids, cache):
    """One pass over `ids` behind `cache`, a (keys, values) for each layer. Hidden states, one for each layer; weights."""
    past = cache[0][0].shape[1]
    positions = past + np.arange(len(ids))
    x = learned["model.embed_tokens.weight"][ids]
    hidden, seen = [x], []
    for layer in range(n_layer):
        at = f"model.layers.{layer}"
        y = norm(x, f"{at}.input_layernorm")
        q, k, v = (
            (y @ learned[f"{at}.self_attn.{part}_proj.weight"].T).reshape(len(ids), -1, d_head).swapaxes(0, 1) for part in "qkv"
        )
        k, v = (np.concatenate(pair, axis=1) for pair in zip(cache[layer], (turned(k, positions), v)))
        cache[layer] = k, v
        k, v = (np.repeat(rows, n_head // n_kv_head, axis=0) for rows in (k, v))  # query heads share a key and a value
        scores = turned(q, positions) @ k.swapaxes(1, 2) / np.sqrt(d_head)
        weights = softmax(np.where(np.arange(k.shape[1]) <= positions[:, None], scores, -np.inf))
        contexts = weights @ v
        contexts[[head for where, head in removed if where == layer]] = 0
        x = x + contexts.swapaxes(0, 1).reshape(len(ids), -1) @ learned[f"{at}.self_attn.o_proj.weight"].T
        y = norm(x, f"{at}.post_attention_layernorm")
        gate, up = (y @ learned[f"{at}.mlp.{part}_proj.weight"].T for part in ("gate", "up"))
        x = x + (gate / (1 + np.exp(-gate)) * up) @ learned[f"{at}.mlp.down_proj.weight"].T
        hidden.append(x)
        seen.append(weights)
    return np.array(hidden), np.array(seen)


def logits_of(x):
    """Hidden states to a number for each word: the last norm, then the embedding once more."""
    return norm(x, "model.norm") @ learned["model.embed_tokens.weight"].T


def empty_cache():
    return [(np.zeros((n_kv_head, 0, d_head)), np.zeros((n_kv_head, 0, d_head))) for _ in range(n_layer)]
'''

PREFIX_CACHE = '''
kept = set()


def chain(tokens):
    """A hash for each full block: of its tokens and the hash of the block before."""
    hashes, before = [], 0
    for end in range(page, len(tokens) + 1, page):
        before = hash((before, *tokens[end - page : end]))  # a server takes a longer one
        hashes.append(before)
    return hashes


def found(tokens):
    """Tokens that need not run: blocks as far as all are there, but never the last token, whose logits are kept nowhere."""
    hashes = chain(tokens)
    n = next((i for i, one in enumerate(hashes) if one not in kept), len(hashes))
    return min(n * page, len(tokens) - 1)


def keep(tokens):
    kept.update(chain(tokens))
'''


def model_cells(t: Trained, question: str) -> list[Cell]:
    """The bundled model as it stands on the page: where its file lies, its sizes, its pass."""
    c = t.model.config
    removed = sorted(t.model.ablated)
    return [
        prose(
            f"# {question}\n\nThe trained model of the lesson, run again with NumPy alone from its file of learned numbers, which "
            "lies in the project. The page computes in 32 bits, this notebook in 64: they agree to four digits."
        ),
        code(
            "import json\n\nimport numpy as np\n\n"
            f'folder = "{"/".join(FOLDER.parts[-3:])}"  # in the project: put the way to it before, from where this notebook lies\n'
            f"moment = {t.moment!r}  # of its training\n{READER}"
        ),
        prose("## The model\n\nIts sizes, as its config.json states them, and one pass."),
        code(
            f"n_layer, n_head, n_kv_head, d_head = {c.n_layer}, {c.n_head}, {c.n_kv_head}, {c.d_head}\n"
            f"theta, eps = {c.rope.theta}, {t.model.params.norm.eps}  # of the rotary positions, of the norms\n"
            f"removed = {removed!r}  # (layer, head), counted from 0\n{MODEL}"
        ),
    ]


def not_bundled(question: str) -> list[Cell]:
    """What is said of a checkpoint of the operator's own, whose file the reader may not have."""
    return [prose(f"# {question}\n\nThere is a notebook for the bundled model only: choose it on the page, and save again.")]
