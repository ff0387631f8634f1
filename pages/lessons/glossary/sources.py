"""Further reading: the papers and programs that the lessons rely on, each with what to read it for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """Who, when and what; where; what to read it for; the lesson that relies on it."""

    title: str
    address: str
    read_for: str
    lesson: str


def _paper(title: str, number: str, read_for: str, lesson: str) -> Source:
    return Source(title, f"https://arxiv.org/abs/{number}", read_for, lesson)


SOURCES: dict[str, tuple[Source, ...]] = {
    "Attention": (
        _paper("Vaswani et al. 2017, Attention Is All You Need", "1706.03762",
               "Section 3.2: the equation, and why scores are divided by √d.", "attention"),
        _paper("Weiss, Goldberg, Yahav 2021, Thinking Like Transformers", "2106.06981",
               "Heads as rules that select and average, written as a small language.", "rules"),
        Source("Miller 2023, Attention Is Off By One", "https://www.evanmiller.org/attention-is-off-by-one.html",
               "A softmax that may give nothing to anybody.", "rules"),
        _paper("Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks", "2309.17453",
               "Where heads of large models leave weight that no token needs: on the first ones.", "less"),
        _paper("Olsson et al. 2022, In-context Learning and Induction Heads", "2209.11895",
               "A head that can be put into words, and how it comes to be in training.", "inside"),
    ),
    "Choosing a word": (
        _paper("Holtzman et al. 2019, The Curious Case of Neural Text Degeneration", "1904.09751",
               "Why the likeliest word is not always the one to take; top-p.", "logits"),
        _paper("Nguyen et al. 2024, Turning Up the Heat: Min-p Sampling", "2407.01082",
               "A bound relative to the likeliest word.", "logits"),
        Source("nostalgebraist 2020, Interpreting GPT: the logit lens",
               "https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens",
               "Reading an inner layer as if the model ended there.", "inside"),
    ),
    "The cache": (
        _paper("Shazeer 2019, Fast Transformer Decoding: One Write-Head Is All You Need", "1911.02150",
               "Why decoding waits for memory, and one key and value for all heads.", "memory"),
        _paper("Ainslie et al. 2023, GQA", "2305.13245", "Groups of heads that share a key and a value.", "memory"),
        _paper("DeepSeek-AI 2024, DeepSeek-V2", "2405.04434", "A latent kept in place of keys and values.", "memory"),
        _paper("Kwon et al. 2023, Efficient Memory Management with PagedAttention", "2309.06180",
               "What many requests at once do to the cache’s memory.", "paging"),
        _paper("Zhang et al. 2023, H2O: Heavy-Hitter Oracle", "2306.14048",
               "Few tokens get most of the weight: these and the newest are kept.", "less"),
        _paper("Liu et al. 2024, KIVI", "2402.02750", "Two bits: why keys by channel and values by token.", "less"),
    ),
    "Hardware": (
        Source("Williams, Waterman, Patterson 2009, Roofline: An Insightful Visual Performance Model",
               "https://doi.org/10.1145/1498765.1498785", "One picture for what a machine waits for.", "roofline"),
        _paper("Pope et al. 2022, Efficiently Scaling Transformer Inference", "2211.05102",
               "Prefill and decode counted apart, in FLOPs and bytes.", "roofline"),
        _paper("Milakov, Gimelshein 2018, Online normalizer calculation for softmax", "1805.02867",
               "The largest score and the sum of a row, carried along.", "tiles"),
        _paper("Dao et al. 2022, FlashAttention", "2205.14135", "The same attention with far fewer bytes moved.", "tiles"),
    ),
    "Many requests": (
        Source("Yu et al. 2022, Orca", "https://www.usenix.org/conference/osdi22/presentation/yu",
               "Requests that join and leave a batch at every step.", "many"),
        _paper("Agrawal et al. 2023, SARATHI", "2308.16369", "Prefill in chunks beside decode.", "prefill"),
        _paper("Agrawal et al. 2024, Sarathi-Serve", "2403.02310", "What chunks do to the wait between two tokens.",
               "many"),
        _paper("Zhong et al. 2024, DistServe", "2401.09670", "Prefill and decode apart; section 3: the queue in closed form.",
               "many"),
        _paper("Leviathan, Kalman, Matias 2022, Fast Inference from Transformers via Speculative Decoding", "2211.17192",
               "Why a draft changes no word, and how much faster it can be.", "guess"),
    ),
    "Programs": (
        Source("picoGPT", "https://github.com/jaymody/picoGPT", "The forward pass of GPT-2 in forty lines of NumPy.", "inside"),
        Source("nanochat", "https://github.com/karpathy/nanochat", "Cache, sampler and loop in readable PyTorch.", "generate"),
        Source("llama.cpp", "https://github.com/ggml-org/llama.cpp", "Its log says how many bytes the cache takes.", "serverlog"),
        Source("vLLM", "https://github.com/vllm-project/vllm", "A server with paged caches and continuous batches.", "paging"),
        Source("Transformers: cache strategies", "https://huggingface.co/docs/transformers/kv_cache",
               "The caches that a library offers, and when to use which.", "cache"),
    ),
}  # fmt: skip
