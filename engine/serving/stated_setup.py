"""What a log says of the server that printed it: model, device and how many, bits of a weight and of a cached number.

A model is known by its name where the list of models has the same file, or by its shape where llama.cpp prints it (print_info).
What a log does not say, or says in several ways, stays None: it is for the reader to say, and never assumed.
"""

import re
from dataclasses import dataclass, replace

from engine.cost import ModelShape
from engine.serving.lines.rule import OLLAMA, SGLANG, VLLM
from engine.serving.listed_names import (
    FLOAT_BITS,
    GIVEN_OUT_QUANTISED,
    NAMES_QUANTISED,
    TYPE_BITS,
    any_folder,
    device_of,
    listed,
    of_one_model,
    printed_device,
)
from engine.serving.log_lines import ServerLog
from engine.serving.printed_shape import config_of
from engine.serving.starts import has_a_time, has_loaded, mixed, of_its_start, only

OF_A_PART = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d DP\d|\b(?:EngineCore|Worker|ApiServer)_(?:\w{1,12}_)?DP[1-9]")
# Of a name, whatever is printed of all of it.
FEWER_BITS = re.compile(r"fp4|int4|(?<![a-z0-9])(?:w4|4-?bit|awq|gptq)", re.IGNORECASE)
ANY_FILE = re.compile(r"(?:^|[/\\])(?:ggml[-_])?model(?:[-_.](?:b?f16|f32|q\d\w{0,8}))?(?:\.gguf)?$", re.IGNORECASE)
NOT_QUANTISED = ("none", "null")  # in Python, in JSON


@dataclass(frozen=True)
class StatedSetup:
    """model: what the log calls it, "" for nothing; n_ctx: its longest sequence; printed_device: its name as the log has it, whether
    it is listed or not. None: the log does not say it, or not clearly."""

    model: str = ""
    shape: ModelShape | None = None
    device: str | None = None
    n_devices: int | None = None
    weight_bits: float | None = None
    kv_bits: float | None = None
    n_ctx: int | None = None
    printed_device: str = ""
    n_stages: int | None = None
    n_copies: int | None = None  # which have n_devices each; 0 for several numbers of them
    which_start: str = ""  # of several, in words
    served: str = ""  # the name that its requests call, where no other is known
    counted_bits: bool = False  # whether bits of a weight are its file's bytes over its parameters, which no line prints


def stated_setup(log: ServerLog) -> StatedSetup:
    """Everything that the log says of its server; of several starts, what the one says that is compared."""
    own = of_its_start(log)
    held = "times" * has_a_time(own) or "cache or parameters" * has_loaded(own)
    return replace(_stated(own), which_start="the last" + f" whose {held} are read here" * bool(held) if own is not log else "")


def _stated(log: ServerLog) -> StatedSetup:
    """Everything that one start says."""
    model = "" if several_blobs(log) else _model(log)
    shape, device = _of_its_lines(log) or _of_its_name(log, model), log.words_named("device")
    printed = printed_device(device)
    if mixed(log):  # of several programs nobody says whose numbers these are
        return StatedSetup(model, printed_device=printed)
    if several_blobs(log):
        return StatedSetup(n_ctx=_longest(log), printed_device=printed, kv_bits=_kv_bits(log))
    bits, kv_bits = _weight_bits(log), _kv_bits(log)
    where, counted = device_of(device), bool(bits and log.last("pass_past") and not log.all("bits_a_weight"))
    return StatedSetup(
        model, shape, None if _in_main_memory(log) else where, _devices(log), bits, kv_bits, _longest(log), printed,
        only(log, "n_stages"), _copies_stated(log), counted_bits=counted, served="" if model else log.word("served"),
    )  # fmt: skip


def _model(log: ServerLog) -> str:
    """The model's name; "" where the log has none, or several that are not one listed model's (a name and a folder of its files)."""
    names = log.words_named("model") or log.words_named("model_file")  # a file may have any name
    names = [name for name in names if name not in log.words_named("served")] or names  # what its requests call it
    names = [name for name in names if not any_folder(name)]
    names = [name for name in names if not name.endswith(".gguf")] or names  # in a command, as a model
    stored = [{word.casefold() for word in NAMES_QUANTISED.findall(name)} - {"gguf"} for name in names]
    if any(one.isdisjoint(other) for one in stored for other in stored if one and other):
        return ""  # one model in FP8 and in MXFP4
    return names[0] if names and of_one_model(names) else ""


def several_files(log: ServerLog) -> bool:
    """Whether it names files of several models: of two runs, of which one may have printed its shape and the other its times."""
    files = log.words_named("model_file")
    named = [file for file in files if not ANY_FILE.search(file)]
    if len(log.loads) == 1 and len(named) == 1:  # then another one is a command's link of no model's name (model.gguf)
        files = named
    return several_blobs(log) or (len(files) > 1 and not of_one_model(files))


def several_blobs(log: ServerLog) -> bool:
    """Whether ollama loads several files, which it names by numbers: a name that one of them brings is not that of all
    (bercaakbayir/MacCare: of two models the first has none)."""
    return len(log.words_named("blob")) > 1


def _in_main_memory(log: ServerLog) -> bool:
    """Whether layers lie in main memory, or rows of a table are of several backends: then the device named is not where it all ran."""
    parts = ((part, log.on_line("all_layers", part.line)) for part in log.all("gpu_layers"))
    return (
        bool({"CPU"} & {*log.words_named("backend")})
        or len(log.words_named("backend")) > 1
        or any(whole and part.value < whole.value for part, whole in parts)
    )


def _devices(log: ServerLog) -> int | None:
    """How many share each layer; None for a number that no server has."""
    n = only(log, "n_devices")
    return n if n and n <= 1024 else None


def data_parallel(log: ServerLog) -> bool:
    """Whether attention is shared out by sequences: as SGLang prints it, or as its command says."""
    return any(word in ("True", "true", "--enable-dp-attention") for word in log.words_named("data_parallel"))


def copies(log: ServerLog) -> int:
    """Copies of a model that answer, which may yet share its experts: a benchmark counts the requests of all of them."""
    return int(max([1, *(figure.value for figure in log.all("n_copies") if figure.value <= 1024)]))


def of_a_part(log: ServerLog) -> bool:
    """Whether a line is of one of several copies or parts among which sequences are shared out, by its head: SGLang numbers them only
    where there are several (sgl-project/sglang pull 6081), vLLM from 0 in any case."""
    return any(map(OF_A_PART.search, log.lines.values()))


def _copies_stated(log: ServerLog) -> int | None:
    """The number of copies that have devices of their own; None for one, 0 where several numbers are stated."""
    apart = copies(log) > 1 and not data_parallel(log)
    return (only(log, "n_copies") or 0) if apart else None


def _longest(log: ServerLog) -> int | None:
    """Tokens of its longest sequence: llama.cpp and ollama share a context out among sequences, and say so beside it. None where
    several starts have several (simo-hue/LLM-Mob-As-Mobility-Interpreter: 1,024, 2,048 and 1,024), or vLLM refused it."""
    refused = {one.value for one in log.all("asked_ctx") if one.program == VLLM}
    if log.all("seq_ctx"):
        return only(log, "seq_ctx")
    shared = any(one.value > 1 for one in log.all("asked_seq"))  # by as many, if ollama has room for them, else by fewer
    n_ctx, n_seq = only(log, "n_ctx"), only(log, "n_seq") if shared or log.all("n_seq") else 1
    return n_ctx // n_seq or None if n_ctx and n_seq and n_ctx not in refused else None


def _of_its_name(log: ServerLog, model: str) -> ModelShape | None:
    """The listed model of that name, unless the log prints other widths."""
    shape = listed(model)
    printed = [only(log, name) for name in ("info_layer", "info_embd", "info_vocab")]
    known = shape and (shape.n_layer, shape.d_model, shape.n_vocab)
    return shape if shape and all(a in (None, b) for a, b in zip(printed, known, strict=True)) else None


def _of_its_lines(log: ServerLog) -> ModelShape | None:
    """The shape that print_info's lines name; None unless its learned numbers are as many as the log says."""
    config = config_of(log)
    return config and ModelShape.from_config(config, log.word("model") or "the log’s model", "its log")


def _weight_bits(log: ServerLog) -> float | None:
    """Bits of a weight: of a GGUF file as printed, else of the type where nothing is quantised, or all is in 8 bits: no one number where
    a line says that experts have others."""
    if log.words_named("experts_as"):
        return None
    if stated := {figure.value for figure in log.all("bits_a_weight")}:
        bits = stated.pop() if len(stated) == 1 else 0
        return bits if 0 < bits <= 64 else None
    if log.last("pass_past"):  # llama-bench: a file's bytes and parameters
        return _bits_of_file(log)
    if loaded := {word.casefold() for word in log.words_named("loaded_as")}:  # SGLang’s arguments say only what was asked for
        names = {*log.words_named("model"), *log.words_named("model_file"), *log.words_named("served")}
        return 8 if loaded == {"fp8"} and not any(map(FEWER_BITS.search, names)) else None
    how = log.word("quantization").casefold()
    if how in NOT_QUANTISED:
        return None if _may_be_quantised(log) else _stated_bits(log)
    return 8 if how == "fp8" else None


def _may_be_quantised(log: ServerLog) -> bool:
    """Whether a file may have fewer bits than its type though no quantisation was asked for: by its name, or because its makers give it
    out so, or in SGLang, which prints what was asked for, where the model is not listed here; or the log names none."""
    names = (*log.words_named("model"), *log.words_named("model_file"))
    shapes = {shape.name for name in names if (shape := listed(name))}
    unknown = not names or (SGLANG in log.programs and (not shapes or not of_one_model(names)))
    return unknown or bool(shapes & GIVEN_OUT_QUANTISED) or any(map(NAMES_QUANTISED.search, names))


def _stated_bits(log: ServerLog) -> float | None:
    """Bits of the model's one type that is stated, in whatever words; None for none, or several. "auto" states none."""
    bits = {FLOAT_BITS.get(word.casefold()) for word in log.words_named("dtype") if word.casefold() != "auto"}
    return bits.pop() if len(bits) == 1 else None


def _bits_of_file(log: ServerLog) -> float | None:
    """Bits a weight of the one file that llama-bench lists, from its bytes and parameters, to two digits."""
    files = {(size.value, params.value) for size in log.all("weight_bytes") if (params := log.on_line("n_params", size.line))}
    (n_bytes, n_params), *others = files or {(0.0, 0.0)}
    bits = round(8 * n_bytes / n_params, 2) if n_params and not others else 0
    return bits if 0 < bits <= 64 else None


def _kv_bits(log: ServerLog) -> float | None:
    """Bits of a cached number; "auto" is the model's type, as long as no quantised file brings a type of its own."""
    types = [word.casefold() for word in log.words_named("kv_dtype")]
    stated = [word for word in types if word != "auto"]
    if len(set(stated)) == 1:
        return FLOAT_BITS.get(stated[0])
    if types == ["auto"] and log.word("quantization").casefold() in NOT_QUANTISED:
        return _stated_bits(log)
    of_k, of_v = ({word.casefold() for word in log.words_named(name)} for name in ("k_type", "v_type"))
    asked = {one.line for one in log.all("batch_tokens") if one.program == OLLAMA and log.on_line("n_seq", one.line)}
    if of_k and 0 < len(asked - {word.line for word in log.words if word.name == "k_type"}) < len(asked):
        return None  # of several loads one has the type that is usual, which is not printed
    printed = {figure.line for figure in log.all("kv_bytes")}  # a latent is K and V at once, a command’s -ctk is K’s alone
    of_both = any(word.name == "k_type" and (word.program == OLLAMA or word.line in printed) for word in log.words)
    return TYPE_BITS.get(min(of_k)) if len(of_k) == 1 and (of_k == of_v or (of_both and not of_v)) else None
