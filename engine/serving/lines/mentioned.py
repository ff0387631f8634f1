"""A model and a device that a text mentions by the way: in a heading, or in a sentence, where it names one only."""

import re

from engine.serving.lines.rule import COMMAND, NO_NODES, NO_OTHER
from engine.serving.lines.stated import Figure, Word, figure_of

OF = r"(?:Llama|Qwen|QwQ|Mistral|Mixtral|Gemma|Phi|DeepSeek|GLM|Kimi|gpt-oss|MiniMax|Yi|Falcon|Nemotron|Granite|Vicuna|InternLM|Baichuan|"
OF += r"Ministral|Devstral|Codestral|OLMo|SmolLM|GPT-?J)"
PROGRAM = r"llama[._-]?(?:cpp|bench|server|cli|swap|index|factory|stack|box)"  # TabbyML/tabby issue 2719: a folder of its source
SERVERS = r"(?:vllm|sglang|ollama|lmdeploy|tgi|trtllm|mlx|llama\.?cpp)"  # “vllm/qwen38-27b-single”: club-3090 issue 1047
SIZED = r"\d{1,3}(?:\.\d{1,2})?(?:x\d{1,3})?b(?:-[\w.-]{1,40})?\b"
MODEL = re.compile(  # a family, its number, and how many parameters; or a version where there is one size
    rf"(?<![\w/.:-])(?!{SERVERS}/)(?:[\w-]{{2,40}}/(?!{PROGRAM}){OF}[\w.-]{{2,60}}(?![\w.-])|"
    rf"(?:[\w.-]{{1,40}}/)?(?:(?:Meta|Tiny|Code|Chat|Wizard|Open)-?)?{OF}(?:[\w.-]{{0,20}}?[ :_-]?{SIZED}|"
    rf" [\d.]{{1,4}}[ :]{SIZED}|[- ](?:V[\d.]{{1,4}}|R1)(?:-\w{{1,12}}){{0,2}}(?=[ ,`*)]|$)))(?!/)",
    re.IGNORECASE | re.ASCII,
)
CARD = re.compile(
    rf"(?:{NO_NODES}\b(?P<n_cards>\d{{1,2}})(?: ?[x×*] ?| )|\b)"
    r"(?<!or )(?<!than )(?<!requires )(?P<device>(?:Apple )?M\d (?:Pro|Max|Ultra)\b|"
    r"(?:RTX|GTX|RX) ?(?:PRO )?A?\d{4}"
    r"(?: ?Ti| ?XTX?| ?Super)?|(?<![-/])(?:A(?:10G?|16|30|40|100|800|[456]000)|H(?:20|100|200|800)|B[123]00|"
    rf"GB(?:10|200|300)|L40S?|L4|L20|T4|V100|P(?:4|40|100)|K80|MI\d{{2,3}}X?|"
    rf"(?:(?<=the )|(?<=\ba )|(?<=my ))[345]0[5-9]0(?: Ti)?)s?(?:-(?:SXM\d?|PCIE|PCIe))?(?:[ -]\d{{2,3}} ?[Gg][Bb]?)?){NO_OTHER}(?!-only)"
)


ANYBODYS = re.compile(
    r"\b(?:typical\w*|usually|such as|like an?|e\.g\.|for example)\b", re.IGNORECASE
)  # ai-ollama.github.io/benchmarks
ANOTHER = re.compile(  # before what a text's own model is held against: gisenberg/local-model-eval
    r"\b(?:exceed\w*|trail\w*|than|unlike|outperform\w*|beats?|versus|vs)\b", re.IGNORECASE
)


def mentioned(lines: list[str], known: set[str]) -> tuple[list[Figure], list[Word]]:
    """The one model and the one device of the text, unless a line states them; and how many devices stand before it.

    >>> figures, words = mentioned(["Llama 3.1 70B on 2 A100 GPUs"], set())
    >>> [word.printed for word in words], figures[0].value
    (['Llama 3.1 70B', 'A100'], 2.0)
    """
    figures, words = [], []
    for name, pattern, stated in (("said_model", MODEL, ("model", "model_file", "file")), ("device", CARD, ("device",))):
        found = (
            []
            if known.intersection(stated)
            else [(n, match) for n, line in enumerate(lines, 1) if not ANYBODYS.search(line) for match in pattern.finditer(line)]
        )
        shown = {_bare(match[0] if name == "said_model" else match["device"]) for _, match in found}
        n, match = found[0] if found else (0, None)
        if len(shown) == 1 and not (name == "said_model" and ANOTHER.search(lines[n - 1], 0, match.start())):
            words.append(Word(name, match[0] if name == "said_model" else match["device"].removesuffix("s"), COMMAND, n))
            if name == "device" and match["n_cards"] and (one := figure_of("n_cards", match["n_cards"], None, COMMAND, n)):
                figures.append(one)
    return figures, words


def _bare(name: str) -> str:
    return re.sub(r"[ _-]", "", name.casefold()).removesuffix("s")
