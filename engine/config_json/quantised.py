"""What a quantised file's own weights take: bits of a quantised number with its scales, and which numbers are quantised at all.

    mxfp4          4 bits, and an 8-bit scale for 32 numbers: 4.25; the experts alone (gpt-oss)
    fp8            8 bits; one scale for thousands of numbers is left out
    gptq, awq      its bits, and for each group a 16-bit scale and a zero point of as many bits
    bitsandbytes   8, or 4 bits and a 32-bit scale for 64 numbers: 4.5; scales quantised again (double_quant): 4.127

Embedding, head and norms stay as they are, at 16 bits. Any other method is named and no bits are offered.
"""

from engine.config_json.fields import Fields

PLAIN_BITS = 16  # of what is not quantised
EXPERTS, BLOCKS = "experts", "blocks"


def quantised(file: Fields) -> tuple[float, str]:
    """(bits of a quantised weight, EXPERTS or BLOCKS), or (0, "") where the file is not quantised or not in a way known here."""
    stated = file.raw("quantization_config")
    if not isinstance(stated, dict):
        return 0.0, ""
    method, bits, group = stated.get("quant_method"), _count(stated.get("bits"), 8), _count(stated.get("group_size"), 2**14)
    if method == "mxfp4":
        return 4.25, EXPERTS
    if method in ("fp8", "fbgemm_fp8") or (method == "bitsandbytes" and stated.get("load_in_8bit") is True):
        return 8.0, BLOCKS
    if method in ("gptq", "awq") and bits:
        return bits + (PLAIN_BITS + bits) / group if group else float(bits), BLOCKS
    if method == "bitsandbytes" and stated.get("load_in_4bit") is True:
        return 4.127 if stated.get("bnb_4bit_use_double_quant") is True else 4.5, BLOCKS
    return 0.0, ""


def _count(value, most: int) -> int:
    """A whole number from 1 to `most`; 0 for anything else, such as a group of −1, which means a whole row."""
    return value if type(value) is int and 1 <= value <= most else 0
