"""Each cache that llama.cpp's log says it allocates: K + V, cells times what so many layers keep, and how many layers these are."""

from engine.serving.expected import ASK, Check, Known, checked, counted, unexplained, without_verdict
from engine.serving.lines.stated import Figure
from engine.serving.listed_names import TYPE_BITS
from engine.serving.log_lines import ServerLog
from engine.serving.starts import only

TOGETHER = "K and V together"


def keys_and_values(log: ServerLog) -> list[tuple[Figure, Figure, Figure]]:
    """(size, K, V) of each line of llama.cpp's that prints all three."""
    keys = [key for key in log.all("k_bytes") if key.program == "llama.cpp"]
    found = [(log.on_line("kv_bytes", key.line), key, log.on_line("v_bytes", key.line)) for key in keys]
    return [three for three in found if all(three)]


def caches(log: ServerLog) -> list[tuple[Figure, Figure, Figure, int]]:
    """(size, cells, layers, how many have so many cells each) of each cache that llama.cpp allocates, states apart.

    “8/8 seqs” are eight sequences with cells of their own, “8/1” share them (hogeheer499-commits/strix-halo-guide, eight users).
    """
    found = [(log.on_line("kv_bytes", one.line), one, log.on_line("n_layer", one.line)) for one in log.all("cells")]
    streams = [log.on_line("n_stream", one.line) for one in log.all("cells")]
    return [(*three, int(n.value) if n else 1) for three, n in zip(found, streams, strict=True) if all(three)]


def llama_cpp(log: ServerLog, k: Known) -> list[Check]:
    """Each cache that llama.cpp allocates: K + V, cells times what so many layers keep, and how many layers these are."""
    found = []
    for size, key, value in keys_and_values(log):
        slack, why = size.half + key.half + value.half, "the log contradicts itself: its two parts make another sum"
        how = f"K {key.printed} + V {value.printed}"
        found.append(checked(TOGETHER, "bytes", size.value, key.value + value.value, slack, how, why))
    return [*found, *(_cache(log, k, *one) for one in caches(log)), *_of_the_context(log, k), *_layers(log, k)]


def _of_the_context(log: ServerLog, k: Known) -> list[Check]:
    """A cache printed without its cells, as until 2025 and by ik_llama.cpp: it holds as many tokens as the context has."""
    with_cells, found = {one.line for one in log.all("cells")}, []
    if not k.shape or not k.kv_bits or k.shape.state_bytes():
        return []
    row = k.shape.kv_bytes_per_token(k.kv_bits)
    for size in log.all("kv_bytes"):
        n_ctx = next((one for one in reversed(log.all("n_ctx")) if one.line < size.line), None)
        whole = bool(k.shape.latent and log.on_line("v_bytes", size.line))  # keys and values of every head, no latent
        if n_ctx and size.program == n_ctx.program == "llama.cpp" and size.line not in with_cells and not whole:
            how, expected = f"{counted(n_ctx.value, 'token')} · {row:,} bytes of {k.shape.name}", n_ctx.value * row
            why = unexplained(size.value / expected, k) if expected else "a context of no tokens keeps nothing"
            found.append(checked("the cache", "bytes", size.value, expected, 1.01 * size.half, how, why))
    several = "the log shows several caches: a second start, or a draft model beside it"
    of_one = len({check.printed for check in found}) == 1 and len({check.expected for check in found}) == 1
    return found[:1] if of_one or not found else [without_verdict(found[0], several)]


def _cache(log: ServerLog, k: Known, size: Figure, cells: Figure, n_layer: Figure, n: int) -> Check:
    """Cells · layers · what one layer keeps of a token in the types of K and V."""
    how = f"{n} · " * (n > 1) + f"{counted(cells.value, 'cell')} · {counted(n_layer.value, 'layer')}"
    bits, (row, name) = [_bits_of(log, word, size.line) for word in ("k_type", "v_type")], row_of(log, k)
    if not row or not all(bits):
        unsaid = k.missing("shape") if not row else "how many bits its K and its V have"
        unequal = f"{k.shape.name} keeps something else than equal keys and values in each layer" if k.shape else ""
        return Check("the cache", "bytes", size.value, None, 0, how, f"needed for it: {unsaid}" if unsaid else unequal)
    a_layer = sum(width * b for width, b in zip(row, bits, strict=True)) / 8
    expected = n * cells.value * n_layer.value * a_layer
    why = unexplained(size.value / expected, k) if expected else "a cache of no cells or no layers keeps nothing"
    how += f" · {a_layer:,.0f} bytes of {name}"
    return checked("the cache", "bytes", size.value, expected, size.half, how, why)


def _bits_of(log: ServerLog, name: str, line: int) -> float | None:
    """Bits of K's or V's numbers: of the type in that line, else of the only one that the log has."""
    types = [word for word in log.words if word.name == name]
    stated = {word.printed.casefold() for word in types if word.line == line} or {word.printed.casefold() for word in types}
    return TYPE_BITS.get(min(stated)) if len(stated) == 1 else None


def row_of(log: ServerLog, k: Known) -> tuple[tuple[int, int] | None, str]:
    """Numbers of a key and of a value that one layer keeps of a token: as print_info says, else as the shape does; whose."""
    printed = only(log, "info_k_row"), only(log, "info_v_row")
    if None not in printed and k.named:
        return printed, log.word("model") or "its model"
    if not k.shape:
        return None, ""
    same = {row for row in k.shape.kv_rows if row} == {k.shape.kv_row} and not k.shape.latent
    row = k.shape.n_kv_head * k.shape.d_head, k.shape.n_kv_head * k.shape.d_v
    return row if same else None, k.shape.name


def _layers(log: ServerLog, k: Known) -> list[Check]:
    """Layers of the caches together, beside those that keep keys and values; none where they are another number together."""
    layers = sum(figure.value for figure in log.all("n_layer"))
    what, how = "layers with a cache", f"layers of {row_of(log, k)[1] or log.word('model') or 'its model'}"
    if not layers:
        return []
    expected = sum(1 for row in k.shape.kv_rows if row) if k.shape else only(log, "info_layer")
    # Of several loads: no line prints 440 (manuelGarciaAcha/Agentic_MalGen).
    if len(log.all("n_layer")) > 1 and layers != expected:
        return []
    if not k.shape and log.all("state_bytes"):
        return [Check(what, "layers", layers, None, 0, "layers with keys and values", "states are printed besides")]
    if not expected:
        return [Check(what, "layers", layers, None, 0, "layers with keys and values", f"needed for it: {ASK['shape']}")]
    why = "another model" + ", or layers that keep no cache of their own" * (layers < expected)
    check = checked(what, "layers", layers, expected, 0, how, why)
    windowed = sum(map(bool, k.shape.windows)) if k.shape else 0
    one_kind = check.differs and layers in {windowed, expected - windowed}  # ggml-org/llama.cpp issue 15242, cut after the first
    return [without_verdict(check, "it may be the cache of one kind of layers alone") if one_kind else check]
