"""In how many bits weights are stored: whole formats, llama.cpp's with the scales of their blocks, and those of a model's own file."""

from engine.cost import ModelShape
from engine.cost.shapes.file_bits import bits_of_parts
from pages.parts.text.format import number

BITS = {"16": "16", "8": "8", "4": "4"}
# Bytes and weights of a block in llama.cpp (ggml-common.h): what its formats take with their scales.
GGUF = {"Q8_0": (34, 32), "Q6_K": (210, 256), "Q5_K": (176, 256), "Q4_K": (144, 256), "Q3_K": (110, 256)}
MIXED = {"4.84": "4.84, GGUF Q4_K_M"}  # two of them in one file: its mean, as llama.cpp prints it
WEIGHT_FORMATS = BITS | {f"{8 * n / of:g}": f"{8 * n / of:.3g}, GGUF {name}" for name, (n, of) in GGUF.items()} | MIXED
FILE = "file"  # the bits of a quantised model's own file


def bits_offered(shape: ModelShape) -> dict[str, str]:
    """What may be chosen for a weight: whole formats, llama.cpp's, and those of the model's own quantised file."""
    return WEIGHT_FORMATS | ({FILE: f"{number(shape.stored_bits, 2)}, as in its file"} if shape.stored_bits else {})


def bits_of(chosen: str, shape: ModelShape) -> float:
    """Bits of a weight of the model in one of the formats that are offered."""
    return shape.stored_bits if chosen == FILE else float(chosen) if "." in chosen else int(chosen)


def own_bits(shape: ModelShape) -> str:
    """What a model's weights have until somebody chooses: those of its quantised file, else 16."""
    return FILE if shape.stored_bits else "16"


def bits_said(shape: ModelShape, bits: float) -> str:
    """In how many bits parameters are, "8 bits", or those of the model's own file, whose parts have different ones."""
    expert, block, outer = bits_of_parts(shape, bits)
    if expert == outer:
        return f"{number(bits, 2)} bits"
    if expert == block:
        return f"the bits of its file, {number(block, 2)} in the blocks and {number(outer, 2)} in embedding, head and norms"
    return f"the bits of its file, {number(expert, 2)} in the experts’ matrices and {number(outer, 2)} in all else"


def on_average(shape: ModelShape, bits: float) -> str:
    """ " on average", to stand behind a number of bits that is the mean of a file whose parts have different ones; else ""."""
    expert, _, outer = bits_of_parts(shape, bits)
    return " on average" * (expert != outer)
