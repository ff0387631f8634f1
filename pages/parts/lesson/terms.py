"""One sentence a term, for tooltips and the glossary."""

from __future__ import annotations

TERMS: dict[str, str] = {
    "token": "A piece of text that the model handles as one unit; here one word, in real models often a part of one.",
    "prompt": "The text that the reader wrote, before the model adds anything.",
    "prefill": "The first phase: the whole prompt in one causal pass; its last row chooses the first new token.",
    "decode": "The second phase: one token at a time, each one new attention row behind all the tokens before it.",
    "head": "One of several attentions that run side by side in a layer, each with its own queries; keys may be shared.",
    "query": "What a token asks for, as a vector: it is compared with every key, used once, and not kept.",
    "key": "What a token offers to be found by, as a vector; fixed when the token enters, and kept in the cache.",
    "value": "What a token hands over when it is looked at; in the toy a single number. Content, not importance.",
    "score": "Query times key, divided by √d_head: how well the two match, before softmax.",
    "mask": "Which keys a query may look at; the causal mask allows itself and what came before, and hides the rest as −∞.",
    "softmax": "Exponentials divided by their sum: turns a row of scores into weights that sum to 1.",
    "weight": "The share of a value that a query takes in: softmax of its scores.",
    "context": "What a head makes of one row: the values, each times its weight, added up.",
    "logit": "A raw score for one candidate word; softmax over the vocabulary turns logits into probabilities.",
    "temperature": "Logits are divided by it before softmax: below 1 sharper, above 1 flatter, 0 means the likeliest word.",
    "top-k": "Only the k likeliest words may be drawn.",
    "top-p": "Only the likeliest words may be drawn, as many as it takes for their probabilities to reach p.",
    "min-p": "Only words at least p times as likely as the likeliest one may be drawn.",
    "KV cache": "The keys and values of all tokens so far, kept so that none is computed twice.",
    "autoregressive": "Each new token is chosen from all before it, then becomes one of them.",
    "causal": "A row depends on its own token and earlier ones, never on later ones.",
    "TTFT": "Time to first token: from sending the prompt to the first generated token, mostly prefill.",
    "TPOT": "Time per output token after the first: the mean length of a decode step.",
    "perplexity": "How many equally likely words a model seems to choose from, on average, when a text surprises it that much.",
    "block": "Room for the keys and values of a fixed number of tokens, also called a page; a server gives its memory out block by block.",
    "block table": "The numbers of a sequence’s blocks, in the order of its tokens; the blocks may lie anywhere.",
    "prefix cache": "Blocks of earlier prompts, kept and found by a hash, so that a prompt that begins alike does not compute them.",
    "window": "Of the rows before a token only the newest few may be looked at, and only those need to be kept.",
    "heavy hitter": "A token that has received much weight so far, and is kept for that when others are dropped.",
    "KL divergence": "How far one list of chances is from another, in nats: 0 where they are the same.",
    "tile": "A block of queries against a block of keys: the part of the attention map that is computed at a time.",
    "attention sink": "A first token that heads leave their weight on when there is nothing else for them to look at.",
    "induction head": "A head that looks from a word to the one that followed it last time; it continues what was said once.",
    "logit lens": "Reading an inner layer’s state with the last norm and the vocabulary matrix, as if the model ended there.",
    "MHA": "Multi-head attention: every query head has a key and value head of its own.",
    "MQA": "Multi-query attention: all query heads share one key and value head.",
    "GQA": "Grouped-query attention: query heads in groups, each group sharing one key and value head.",
}

# The terms by subject, at most as many as stand on one screen. One that is in none is found by the search all the same.
GROUPS: dict[str, tuple[str, ...]] = {
    "The two phases": ("token", "prompt", "prefill", "decode", "autoregressive", "causal", "KV cache"),
    "Attention": ("head", "query", "key", "value", "score", "mask", "softmax", "weight", "context"),
    "Choosing a word": ("logit", "temperature", "top-k", "top-p", "min-p"),
    "Trained models": ("induction head", "logit lens", "MHA", "MQA", "GQA"),
    "On servers": ("block", "block table", "prefix cache", "TTFT", "TPOT"),
    "Less kept": ("window", "attention sink", "heavy hitter", "KL divergence", "perplexity", "tile"),
}
# The lesson that shows what a term means.
SHOWN_IN: dict[str, str] = {
    **dict.fromkeys(("token", "prompt", "prefill", "decode", "autoregressive"), "overview"),
    **dict.fromkeys(("head", "value", "context"), "rules"),
    **dict.fromkeys(("query", "key", "score", "mask", "softmax", "weight"), "attention"),
    **dict.fromkeys(("logit", "temperature", "top-k", "top-p", "min-p"), "logits"),
    **dict.fromkeys(("induction head", "logit lens"), "inside"),
    **dict.fromkeys(("MHA", "MQA", "GQA"), "memory"),
    **dict.fromkeys(("TTFT", "TPOT"), "roofline"),
    **dict.fromkeys(("block", "block table", "prefix cache"), "paging"),
    **dict.fromkeys(("window", "attention sink", "heavy hitter", "KL divergence", "perplexity"), "less"),
    "tile": "tiles",
    "causal": "prefill",
    "KV cache": "cache",
}
