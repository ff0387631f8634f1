"""A file whose parts have different bits: each part's FLOPs take the rate of its own numbers, wherever FLOPs become seconds.

At the mean of gpt-oss-20b's file, 5.26 bits, all was multiplied at the rate of 8: a "bound" of 11.6 ms where 9.6 are possible. At that
of gpt-oss-120b's, 4.47, attention and head took the rate of 4 bits, which they have not: "waits for memory" where it is compute.
"""

from dataclasses import replace

import numpy as np
import pytest

from engine.cost import DEVICES, MODELS, compute_bound_tokens, compute_s, operations, tpot_s, ttft_s
from engine.cost.mixed_passes import PassTimes
from engine.cost.roofline_points import points, roofs, whole_pass
from engine.cost.times import ATTENTION, arithmetic_s, experts_raise, pass_parts
from engine.serving.guess_ahead import check_s, speed_ups

PLAIN = (16, 8, 4, 8.5, 6.5625, 5.5, 4.5, 3.4375, 4.84)
IN_PARTS = [shape for shape in MODELS.values() if shape.stored_bits]
BLOCKS_ALONE = [  # as GPTQ writes them: 4.15625 bits in the blocks, 16 in embedding, head and norms
    replace(MODELS[name], quantised=(4.15625, "blocks")) for name in ("Llama-3.1-8B", "Mixtral-8x7B")
]
OSS_20B, OSS_120B = MODELS["gpt-oss-20b"], MODELS["gpt-oss-120b"]


def by_hand(shape, device, n_new, n_sequences=1):
    """Seconds of arithmetic with the matrices of gpt-oss, from the numbers of its config.json alone: 64 heads and 8 of keys and values,
    64 wide, 4 experts a token of three square matrices, logits of each sequence's last token."""
    d, rows = 2880, n_new * n_sequences
    experts = rows * shape.n_layer * 4 * 3 * d * d
    others = rows * shape.n_layer * (d * 64 * (64 + 8 + 8) + 64 * 64 * d + d * shape.experts.n_expert)
    return 2 * experts / device.rate(4) + 2 * (others + n_sequences * d * 201_088) / device.flops_per_s


@pytest.mark.parametrize("device", DEVICES.values(), ids=lambda device: device.name)
@pytest.mark.parametrize("shape", [OSS_20B, OSS_120B], ids=lambda shape: shape.name)
def test_experts_are_multiplied_at_the_rate_of_4_bits_and_all_else_at_that_of_16(shape, device):
    bits = shape.stored_bits
    for n_new, batch in ((1, 1), (800, 2), (4000, 1)):
        (products, _), (attention, _) = pass_parts(shape, n_new, device, 0, batch, weight_bits=bits)
        assert products == pytest.approx(by_hand(shape, device, n_new, batch), rel=1e-12)
        assert attention == pass_parts(shape, n_new, device, 0, batch)[1][0]
    guesses = check_s(shape, device, 3, 5000, 4096, weight_bits=bits)  # so many that arithmetic is what takes long
    (products, read), attention = pass_parts(shape, 4, device, 5000, 4096, weight_bits=bits)
    head = 3 * 4096 * 2 * 2880 * 201_088 / device.flops_per_s
    assert guesses == pytest.approx(max(products + head, read) + max(attention), rel=1e-12)


@pytest.mark.parametrize("shape", [*IN_PARTS, *BLOCKS_ALONE], ids=lambda shape: shape.name)
def test_passes_of_sequences_that_differ_count_as_those_of_equals(shape):
    for device in (DEVICES["B200"], DEVICES["RTX 4090"]):
        times = PassTimes(shape, device, 1, shape.stored_bits)
        alike = times.mixed_s([(700, 0)] * 3, np.empty(0, int))
        assert alike == pytest.approx(ttft_s(shape, 700, device, 3, weight_bits=shape.stored_bits))
        steps = times.decode_s(np.full(4096, 50), 1)[0]
        assert steps == pytest.approx(tpot_s(shape, 50, device, 4096, weight_bits=shape.stored_bits))


@pytest.mark.parametrize("shape", [*MODELS.values(), *BLOCKS_ALONE], ids=lambda shape: shape.name)
def test_no_bound_is_above_all_at_the_slowest_rate_or_below_all_at_the_fastest(shape):
    for n_new, n_past in ((1, 900), (900, 0)):
        flops = sum(op.flops for op in operations(shape, n_new, n_past) if op.name not in ATTENTION)
        for device in DEVICES.values():
            for bits in PLAIN:  # one rate: to the last digit what it was
                computed = pass_parts(shape, n_new, device, n_past, weight_bits=bits)[0][0]
                assert computed == compute_s(flops, device, 1, bits)
            if shape.stored_bits:
                (computed, read), _ = pass_parts(shape, n_new, device, n_past, weight_bits=shape.stored_bits)
                ends = [compute_s(flops, device, 1, bits) for bits in (4, 16)]
                assert ends[0] * (1 - 1e-12) <= computed <= ends[1] * (1 + 1e-12)
                all_bits = [max(ends[i], read) for i in (0, 1)]
                assert all_bits[0] * (1 - 1e-12) <= max(computed, read) <= all_bits[1] * (1 + 1e-12)


@pytest.mark.parametrize(
    ("name", "device", "n_tokens", "batch", "ms"),
    [
        ("gpt-oss-120b", "B200", 8000, 1, 17.7), ("gpt-oss-20b", "B200", 2000, 4, 9.60), ("gpt-oss-20b", "MI355X", 4000, 1, 4.61),
        ("gpt-oss-20b", "A100-80", 2000, 2, 34.6), ("gpt-oss-20b", "RTX 4090", 800, 1, 13.0),
        ("gpt-oss-120b", "A100-80", 1200, 1, 32.2),
    ],
)  # fmt: skip
def test_the_first_token_as_an_audit_computed_it(name, device, n_tokens, batch, ms):
    """By a program of its own, from the config's numbers; the last two wait for reading and were right at the mean as well."""
    shape = MODELS[name]
    found = ttft_s(shape, n_tokens, DEVICES[device], batch, weight_bits=shape.stored_bits)
    assert found * 1e3 == pytest.approx(ms, rel=5e-3)


@pytest.mark.parametrize(
    ("shape", "device", "n_tokens", "batch", "tokens", "busy"),
    [(OSS_120B, "A100-80", 1200, 4, 2005, 0.013), (OSS_20B, "RTX 4090", 800, 2, 681, 0.008)],
    ids=("120b", "20b"),
)
def test_what_waits_for_compute_as_an_audit_computed_it(shape, device, n_tokens, batch, tokens, busy):
    """k and v of the prompt waited "for memory", with bytes of 16 bits and a rate of 4; 3,818 and 1,144 tokens in flight."""
    device, bits = DEVICES[device], shape.stored_bits
    prefill, decode = (operations(shape, *new_and_past, batch, bits) for new_and_past in ((n_tokens, 0), (1, n_tokens)))
    waits = {p.name: p.waits_for for p in points(prefill, device)}
    assert waits["k"] == waits["v"] == waits["q"] == "compute"
    assert whole_pass("decode", decode, device).busy == pytest.approx(busy, abs=5e-4)
    assert compute_bound_tokens(shape, device, bits) == tokens
    assert (whole_pass("prefill", prefill, device).waits_for == "compute") == (shape is OSS_120B)


def test_guesses_save_as_an_audit_computed_it():
    for shape, device, n_past, batches, times in (
        (OSS_20B, "RTX 4090", 6000, (256, 1024, 4096), (2.28, 1.93, 1.93)),
        (OSS_120B, "A100-80", 9000, (1024, 4096), (2.23, 2.06)),
    ):
        found = speed_ups(shape, DEVICES[device], 0.7, 4, n_past, batches, weight_bits=shape.stored_bits)
        assert found == pytest.approx(times, abs=0.006)


def test_each_rate_is_that_of_numbers_that_exist():
    """ "At most 660.6 TFLOP/s on 5.26-bit numbers": there are none."""

    def said(shape, device, bits, kv_bits=16):
        return [(one.whose, one.bits, one.flops_per_s / 1e12) for one in roofs(shape, DEVICES[device], bits, kv_bits)]

    own = OSS_20B.stored_bits
    assert said(OSS_20B, "RTX 4090", own) == [(("experts",), (4,), 1321.2), (("all else",), (16,), 165.2)]
    assert said(OSS_20B, "RTX 4090", own, 8) == [
        (("experts",), (4,), 1321.2), (("other parameters",), (16,), 165.2), (("attention",), (8,), 660.6),
    ]  # fmt: skip
    assert said(OSS_20B, "RTX 4090", own, 4)[0] == (("experts", "attention"), (4,), 1321.2)
    (apple,) = said(OSS_20B, "Apple M4", own)
    assert apple[:2] == (("experts", "other parameters", "attention"), (4, 16))
    assert said(OSS_20B, "RTX 4090", 4.5) == [(("parameters",), (4,), 1321.2), (("attention",), (16,), 165.2)]
    deepseek = MODELS["DeepSeek-V3"]
    assert said(deepseek, "H200", deepseek.stored_bits) == [
        (("the blocks’ parameters",), (8,), 1978.9), (("all else",), (16,), 989.4),
    ]  # fmt: skip


def test_experts_raise_the_tokens_from_which_a_pass_computes():
    assert experts_raise(MODELS["Mixtral-8x7B"], DEVICES["H200"]) and not experts_raise(MODELS["Llama-3.1-8B"], DEVICES["H200"])
    assert experts_raise(OSS_120B, DEVICES["A100-80"], OSS_120B.stored_bits)
    slow = replace(DEVICES["H200"], flops_per_s=1e12, flops8_per_s=0.0)  # computes from the first token on
    assert not experts_raise(MODELS["Mixtral-8x7B"], slow)


def test_flops_of_one_rate_are_added_up_before_they_are_divided():
    device = DEVICES["A100-80"]
    assert arithmetic_s({16: 3e12, 9: 1e12, 8: 624e12, 4.25: 1248e12}, device, 2) == 4e12 / 624e12 + 0.5 + 0.5


@pytest.mark.parametrize(("name", "n_bytes"), [("gpt-oss-20b", 13_761_264_768), ("gpt-oss-120b", 65_248_815_744)])
def test_a_file_has_as_many_bytes_as_its_index_says(name, n_bytes):
    """total_size in model.safetensors.index.json of openai/gpt-oss-20b and -120b. The experts' biases have 16 bits there; with 4.25
    the files had 10 and 58 MB less."""
    assert MODELS[name].weight_bytes(MODELS[name].stored_bits) == n_bytes
