"""Sentences on hardware and on the trained model, read over models, devices, lengths and results and held against the engine."""

import ast
import json
import re
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from app_pages import ROOT, all_answered, figures, says
from hardware_pages import alternatives, helps, page, text
from hypothesis import example, given
from hypothesis import strategies as st
from said import plain

from engine.cost import DEVICES, MODELS, Device, ModelShape, both_bytes, memory_use
from engine.cost.common_mistakes import mistakes
from engine.cost.requests import request
from engine.cost.times import decode_intensity, pass_parts, tokens_per_s, tpot_s
from pages.app.course import LESSONS
from pages.lessons.generate.compared import _bits
from pages.lessons.less.probe import CLOSE, _first_in_words
from pages.lessons.memory.steps import NONE, _llama_cpp, _windows, room, size_question
from pages.lessons.paging.two_prompts import KINDS
from pages.lessons.roofline import batching, cache_or_weights, every_operation, ridges, steps, waiting
from pages.lessons.roofline.waiting import _slower
from pages.lessons.second_turn import cost
from pages.parts.hardware import pasted_config, short_config, this_machine
from pages.parts.hardware.setup import Setup
from pages.parts.lesson.terms import SHOWN_IN
from pages.parts.text.amounts import amount, seconds
from pages.parts.text.format import number

LENGTHS, BATCHES = (1, 2, 64, 2048, 8192, 131_072), (1, 8, 512)
# Links of the hardware lessons at whose ends sentences have been false.
H1 = {"model": "Gemma-3-27B", "device": "Apple M1", "context": "1048576", "batch": "3", "bits": "4", "kv_bits": "8", "g": "1"}
H2 = {"model": "Falcon-7B", "device": "RTX 4090", "context": "1", "batch": "4096", "g": "1"}
H3 = {"model": "DeepSeek-V2-Lite", "device": "H100 SXM", "n_devices": "16", "context": "163840", "batch": "17", "g": "4096"}
H4 = {"model": "gpt-oss-120b", "n_devices": "2", "context": "129", "batch": "64", "bits": "file", "g": "2"}
H1, H2, H3, H4 = ENDS = tuple(link | {"p": link["context"]} for link in (H1, H2, H3, H4))


@pytest.mark.parametrize("name", MODELS)
def test_a_longer_prompt_slows_a_step_by_what_is_said(name):
    """“0 % longer: there is more cache to read”, with every window full and behind a prompt of one token."""
    shape = MODELS[name]
    for device in ("A100-80", "L4", "Apple M1"):
        for p in LENGTHS:
            for batch in BATCHES:
                s = Setup(shape, DEVICES[device], 1, p, batch, 16, 16)
                now, longer = (request(shape, n, 200, s.device, batch, **s.options) for n in (p, 2 * p))
                said = _slower(s, now, longer)
                grew = shape.kv_bytes(2 * p, batch) > shape.kv_bytes(p, batch)
                assert (" 0%" not in said and not said.startswith("0%")) and ("no longer" in said) == (not grew)
                if "more cache to read" in said:
                    computed, read = pass_parts(shape, 1, s.device, 2 * p, batch, **s.options)[1]
                    assert grew and longer.tpot_s > now.tpot_s and read >= computed
                if "every window is full" in said:
                    assert all(0 < window <= p for window, _ in shape.kept)


@pytest.mark.parametrize("name", MODELS)
def test_the_others_go_on_where_there_are_others(name):
    shape, said = MODELS[name], _windows(MODELS[name])
    steady = shape.next_token_bytes(max([*shape.windows, 1]) + 1) == 0
    assert ("go on" in said) == (any(shape.windows) and not steady)
    assert ("Every layer" in said) == (bool(said) and steady)


def test_a_model_whose_layers_all_have_windows_has_no_others():
    assert "Every layer" in _windows(SimpleNamespace(kept={(4096, 8): 32})) and not _windows(SimpleNamespace(kept={(0, 8): 32}))
    assert "go on" in _windows(SimpleNamespace(kept={(4096, 8): 16, (0, 8): 16}))


PERPLEXITY = st.floats(1.01, 300)


@given(PERPLEXITY, PERPLEXITY, PERPLEXITY, PERPLEXITY, st.floats(0, 1))
@example(2.34, 4.20, 4.00, 3.41, 0.09)  # “so little is lost with it”: 4.2 without the first tokens, 3.41 with them
@example(8.0, 10.67, 8.64, 241.16, 0.5)  # “they are worth more than the newer ones” beneath “the newest only”
def test_what_the_first_tokens_are_worth_follows_from_the_perplexities(whole, newest, one, four, most):
    found = SimpleNamespace(perplexity={None: whole, 0: newest, 1: one, 4: four}, to_first=np.array([most]), budget=16)
    said, best = _first_in_words(found), min(one, four)
    close = abs(best - newest) <= CLOSE * min(best, newest)
    assert ("little is lost" in said) == close
    assert ("worth more than the newer one" in said) == (not close and best < newest)
    assert ("newer ones are worth more" in said) == (not close and best > newest)
    harm = four > (1 + CLOSE) * newest and best <= (1 + CLOSE) * newest
    assert ("first 4 make it" in said) == (harm and one < four)
    assert float(re.search(r"more than \*\*(.+?)\*\*", said)[1]) >= most  # 0.2039 was “no more than 0.20”


@given(*(st.integers(0, 40).map(lambda n: n / 8) for _ in range(3)))
@example(2.0, 0.5, 1.0)  # “at once”, where reading costs twice what computing does
def test_storing_has_paid_when_the_bill_is_the_smaller_one(read, write, fresh):
    question = cost.pays_question(cost.Bill({"kept": ()}, (read, write, fresh)))
    paid = [write + n * read < (n + 1) * fresh for n in range(200)]
    assert question.answer in question.options
    if question.answer == "never":
        assert not any(paid)
    elif question.answer == cost.NOT_FOR_LONG:
        assert paid[0] and read > fresh
    else:
        first = {"at once": 0, "after 1 reading": 1, "after 2": 2}.get(question.answer)
        assert (paid.index(True) == first if first is not None else paid.index(True) >= 3) and read <= fresh


def test_bits_are_averaged_over_steps_that_there_are():
    timed = [SimpleNamespace(equal=x) for x in (1.0, 0.5, 0.25)]
    assert "no decode step" in _bits(timed[:1]) and "average" not in _bits(timed[:1])
    assert _bits(timed[:2]).endswith("at 1 decode step 50.0%.") and _bits(timed).endswith("at 2 decode steps 37.5% on average.")


def test_a_token_that_runs_for_its_logits_alone_is_not_said_to_be_in_no_full_block():
    assert "block" not in KINDS["again"]


@pytest.mark.parametrize("name", MODELS)
def test_as_much_fits_as_is_said_and_one_more_does_not(name):
    """A length for each of 3 sequences was called “one of 22,766 tokens for these 3 answers”; “not even one token” of 4,096 was said
    where one sequence had room."""
    for device, n_devices in (("RTX 4090", 1), ("A100-80", 2), ("H100 SXM", 16)):
        for n_tokens in (1, 8192, 1_048_576):
            for batch in (1, 3, 4096):
                s = Setup(MODELS[name], DEVICES[device], n_devices, n_tokens, batch, 4, 8)
                said = plain(room(s))

                def fits(n, sequences, s=s):
                    return memory_use(s.shape, n, s.device, sequences, **s.memory).fits

                if said.startswith(NONE):
                    assert not fits(1, 1)
                    continue
                most, of, then = re.match(r"([\d,]+) sequences? of ([\d,]+) tokens?, (.+)", said).groups()
                most, of = (int(n.replace(",", "")) for n in (most, of))
                assert of == n_tokens and (not most or fits(of, most)) and not fits(of, most + 1)
                assert ("sequence of" in said) == (most == 1)
                if not fits(1, batch):
                    assert then == f"and not for one token of each of {batch:,}" and fits(1, 1)
                    continue
                if then == "or of any length, since a further token adds nothing":
                    assert fits(10**9, most) and not s.shape.next_token_bytes(of)
                    continue
                so_many = "one" if batch == 1 else f"{batch:,}"
                assert then.startswith(f"or for {so_many} of ") and (" each" in then) == (batch > 1)
                if "any length" in then:
                    assert fits(10**9, batch)
                else:
                    longest = int(re.search(r"of ([\d,]+) token", then)[1].replace(",", ""))
                    assert fits(longest, batch) and not fits(longest + 1, batch)


SETUPS = [(device, n, bits) for device, n in (("RTX 4090", 1), ("Apple M1", 1), ("H100 SXM", 16)) for bits in (16, 8, 4)]


@pytest.mark.parametrize("name", MODELS)
def test_no_batch_exceeds_the_ceiling_and_large_ones_come_near_it(name):
    """“Never more than 123,046,875 a second” where arithmetic allows 11,932; “7,596”, of which caches and arithmetic allow 5,561."""
    for device, n_devices, bits in SETUPS:
        for n_tokens in (1, 8192):
            s = Setup(MODELS[name], DEVICES[device], n_devices, n_tokens, 1, bits, bits)
            rates = [tokens_per_s(s.shape, n_tokens, s.device, batch, **s.options) for batch in (1, 64, 4096, 10**6)]
            assert max(rates) <= 1.0001 * s.ceiling <= 1.02 * rates[-1]
            assert says(batching._batching(s), "never more than", amount(s.ceiling), s.kept)


@pytest.mark.parametrize("name", MODELS)
def test_attention_s_decode_does_no_more_for_a_byte_than_is_said_and_here_as_much(name):
    """“71, memory-bound, however long the context” at a context of 1, where the page's table has 1.95; 2 beside its 4 of an 8-bit
    cache."""
    shape = MODELS[name]
    for n_tokens in (1, 129, 8192, 1_048_576):
        for kv_bits in (16, 8, 4):
            s = Setup(shape, DEVICES["A100-80"], 1, n_tokens, 3, 16, kv_bits)
            most, said = decode_intensity(shape, kv_bits), plain(steps._shared(s, decode_intensity(shape, kv_bits)))
            table = [p for p in steps.passes(s)[1][1] if p.name in ("scores", "context")]
            here = sum(p.flops for p in table) / sum(p.bytes for p in table)
            assert here <= 1.005 * most and bool(said) == (most >= 1.005)
            if said:
                assert f"at most {amount(most)}, here {amount(here)}," in said
                assert ("share" in said or "latent" in said) == (decode_intensity(shape) >= 1.005)
                assert ("has" in said) == (kv_bits < 16 and not shape.latent)


@pytest.mark.parametrize("name", MODELS)
def test_a_step_that_takes_longer_is_not_said_to_take_once_as_long(name):
    """357 ms beside 343 were “1 × as long”."""
    for batch in (1, 3, 4096):
        for device, n_devices, bits in SETUPS:
            s = Setup(MODELS[name], DEVICES[device], n_devices, 2048, batch, bits, bits)
            question = cache_or_weights.even_question(s)
            if "with an empty context" not in question.why:
                continue
            ratio = tpot_s(s.shape, int(question.answer), s.device, batch, **s.options)
            ratio /= tpot_s(s.shape, 0, s.device, batch, **s.options)
            times = re.search(r"takes ([\d.]+) × as long", question.why)
            assert ratio > 0.999 and (
                float(times[1]) == pytest.approx(ratio, abs=0.051) and times[1] != "1" if times else ratio < 1.005
            )


def test_the_roofline_s_sentences_at_a_context_of_one_are_about_it():
    s = Setup(MODELS["Falcon-7B"], DEVICES["RTX 4090"], 1, 1, 4096, 16, 16)
    question = batching.batch_question(s)
    assert "writing" in question.why and not re.search("reading the caches (?!and)", question.why)
    assert "3 sequences, does" in cache_or_weights.even_question(Setup(s.shape, s.device, 1, 1, 3, 16, 16)).asked
    shown = plain(text(page("roofline", H2, steps="all")))
    assert "at most 71, here 1.95, memory-bound" in shown and "about 1 " not in shown
    assert "at most 4, here" in plain(text(page("roofline", H1)))


@pytest.mark.parametrize(("bits", "stored"), [("16", 16), ("8", 8.5), ("4", 4.5)])  # of a number, with its share of a scale
def test_what_llama_cpp_logs_of_a_quantised_cache_has_the_scales_in_it(bits, stored):
    """It was 123,816.00 MiB beside “q8_0 is 8.5 bits”."""
    (said,) = (c.value for c in page("memory", H1 | {"kv_bits": bits}).caption if "would log" in c.value)
    cells = 10 * 1_048_576 + 52 * (1024 + 512)  # 62 layers, of which 52 have windows of 1,024
    assert f"{cells * 2 * 16 * 128 * 3 * stored / 8 / 2**20:,.2f} MiB" in said


def test_other_models_have_the_bits_of_their_own_files():
    """Llama-2-7B had 3.76 GB, at the 4.47 bits of gpt-oss-120b's file."""
    shown = plain(text(page("memory", H4, slide=2))).replace("\u00a0", " ").replace("\u2011", "-")
    rows = [row.split("|") for row in shown.splitlines() if row.startswith("| ") and " bits" in row.split("|")[-2]]
    own = {row[1].strip(): row[-2] for row in rows}
    assert (
        "13.48 GB" in own["Llama-2-7B"] and "in 16 bits" in own["Llama-2-7B"] and "in 4.47 bits on average" in own["gpt-oss-120b"]
    )


@pytest.mark.parametrize("name", MODELS)
def test_a_whole_format_that_is_chosen_holds_for_all_models(name):
    chosen = MODELS[name]
    for bits in (16, 8, 4):
        s = Setup(chosen, DEVICES["A100-80"], 1, 1, 1, bits, 16)
        assert {s.weight_bits_of(other) for other in MODELS.values()} == {bits}
    if chosen.stored_bits:
        s = Setup(chosen, DEVICES["A100-80"], 1, 1, 1, chosen.stored_bits, 16)
        assert all(s.weight_bits_of(other) == (other.stored_bits or 16) for other in MODELS.values())


def test_a_pasted_model_with_one_head_of_each_has_one_of_each():
    config = {"model_type": "llama", "num_hidden_layers": 1, "hidden_size": 64, "num_attention_heads": 1, "intermediate_size": 64,
              "vocab_size": 9}  # fmt: skip
    said = " ".join(ModelShape.from_config(config).understood)
    assert "1 query head has 1 key/value head of width 64" in said
    assert (both_bytes(0), both_bytes(256), both_bytes(1000)) == ("0 B", "256 B", "1 kB = 1,000 B")


ONE_OF_EACH = {"model_type": "llama", "num_hidden_layers": 1, "hidden_size": 8, "num_attention_heads": 1, "intermediate_size": 8,
               "vocab_size": 2}  # fmt: skip
HYBRID = {"model_type": "qwen3_next", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 16, "vocab_size": 151936,
          "num_key_value_heads": 2, "head_dim": 256, "intermediate_size": 5120, "num_experts": 512, "num_experts_per_tok": 10,
          "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "full_attention_interval": 4}  # fmt: skip


def of(config, n_tokens=1):
    return Setup(ModelShape.from_config(config), DEVICES["A100-80"], 1, n_tokens, 1, 16, 16)


def test_the_smallest_model_has_a_cache_a_layer_and_a_time():
    """“0 MB” of 16.38 kB, “1 layers”, “every one of the 1 query heads”, “0 µs become 0 µs, 1.08 × as long”, 29 B of 32."""
    s, small = of(ONE_OF_EACH), size_question(of(ONE_OF_EACH | {"sliding_window": 64, "model_type": "mistral"}))
    assert small.answer and small.unit == "kB" and "how many kB" in small.asked
    said = " ".join((*s.shape.understood, *s.shape.assumed))
    assert "1 layer of" in said and "every one of the 1" not in said
    assert not re.search(r"(?<![\d.])0 (?:µs|ns)", batching.batch_question(s).why)
    # .932 of .931.
    assert next(m for m in mistakes(s.shape, 1) if "GiB" in m.how).factor == pytest.approx(10**9 / 2**30, rel=1e-12)


def test_what_pays_is_written_so_that_one_sees_it_pay():
    """“1,000 + 2,499 × 0.1 = 1,250; fresh every time: 2,500 × 0.5 = 1,250”."""
    why = cost.pays_question(cost.Bill({"kept": ()}, (0.1, 1000.0, 0.5))).why
    sums = re.findall(r"= ([\d.,]+)[;.]", why)
    assert len(sums) == 2 and sums[0].rstrip(".") != sums[1].rstrip(".")


LONG = (
    "It is winter in Oslo. Today's weather is so cold. Anna has a cat. Leo is busy. The weather in Vienna is so nice. Tom sings."
)


@pytest.mark.parametrize("lesson", ("inside", "generate"))
def test_a_prompt_is_cut_between_words_and_says_so(lesson):
    asked = [part for part in text(page(lesson, prompt=LONG, slide=2)).splitlines() if "Predict" in part and "Tom sings" in part]
    assert asked and all(re.search(r"“… [A-Z\w]", part) for part in asked)
    assert all(plain(part).split("“… ")[1].split()[0].rstrip(".") in LONG.split() for part in asked)


def test_a_chance_that_stays_is_not_said_to_go():
    shown = plain(text(page("inside", checkpoint="untrained", removed="1.1")))
    assert not re.search(r"goes from (\S+%) to \1", shown)


@pytest.mark.parametrize("name", MODELS)
def test_copies_of_a_cache_are_read_where_they_lie(name):
    """“At most 967.1, here 967, compute-bound”, where each of 32 devices reads the latent for four heads and waits for memory."""
    for device, n_devices, kv_bits in (("TPU v5e", 32, 4), ("H100 SXM", 4, 16), ("Apple M4", 2, 8)):
        for n_tokens in (64, 131_072):
            s = Setup(MODELS[name], DEVICES[device], n_devices, n_tokens, 4, 16, kv_bits)
            met = [p for p in steps.passes(s)[1][1] if p.name in ("scores", "context")]
            computed, read = pass_parts(s.shape, 1, s.device, n_tokens, 4, **s.options)[1]
            assert sum(p.bytes for p in met) / (n_devices * s.device.bytes_per_s) >= 0.9 * read
            said = plain(steps._shared(s, steps.most_here(s)))
            assert ("compute-bound" in said) <= (computed >= 0.95 * read)
            assert not said or ("devices read it" in said) == (s.copies > 1)
            assert ("devices read it" in batching.batch_question(s).why) == (s.copies > 1)


@pytest.mark.parametrize("name", MODELS)
def test_more_experts_are_visited_where_there_are_more_to_visit(name):
    """“More tokens also visit more experts”, where 4,096 tokens visit all of them."""
    for batch in (1, 8, 4096):
        s = Setup(MODELS[name], DEVICES["TPU v5e"], 32, 1, batch, 16, 16)
        grew = s.shape.visited_params(2 * batch) / s.shape.visited_params(batch)
        said = "more experts" in batching.batch_question(s).why
        assert grew > 1 + 1e-6 if said else grew < 1.005


def test_llama_cpp_is_said_to_keep_every_token_where_it_drops_none():
    """“Keeps every token of this model, windows or not” of Gemma 2 at 4,097 tokens, one more than its window."""
    for name, every in (("Gemma-2-9B", False), ("Gemma-3-27B", False), ("Mistral-7B", True)):
        for n_tokens in (2048, 4097, 131_072):
            said = _llama_cpp(Setup(MODELS[name], DEVICES["L4"], 4, n_tokens, 1, 8, 16))
            assert ("keeps every token" in said) == every and ("512 more" in said) == (not every)


def test_one_row_of_a_table_is_one_and_no_step_is_no_step():
    small = {"config": short_config.pack(json.dumps(ONE_OF_EACH), 64_000), "model": "pasted", "g": "1", "n_devices": "2"}
    at = page("roofline", small)
    this = next(alt for alt in alternatives(at) if "this request" in alt).split("prompt doubled")[0]
    assert "its one layer" in text(at) and "1 layers" not in text(at) and "then" not in this


def test_where_states_are_read_too_they_are_counted_where_bytes_are_equal():
    """“22.05 GB equals the weights met”, 23.29 GB: 1.24 GB of states were left out."""
    states = {"linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128, "linear_value_head_dim": 128,
              "linear_conv_kernel_dim": 4}  # fmt: skip
    s = Setup(ModelShape.from_config(HYBRID | states), DEVICES["H200"], 4, 200_000, 16, 8, 16)
    why = cache_or_weights.even_question(s).why
    met, said = cache_or_weights.met_weight_bytes(s.shape, 16, 8), float(re.search(r"states, ([\d.]+) GB", why)[1])
    assert said == pytest.approx(met / 1e9, rel=1e-3)


@pytest.mark.parametrize("name", MODELS)
def test_the_caches_of_the_length_that_is_named_do_not_outweigh_the_weights_and_one_token_more_does(name):
    """“From how many tokens on does the cache outweigh”: the last length at which it does not; and of none “cache at any length”."""
    for batch, bits in ((1, 16), (7, 8), (4096, 4)):
        s = Setup(MODELS[name], DEVICES["A100-80"], 1, 2048, batch, bits, 16)
        question, weights = cache_or_weights.even_question(s), cache_or_weights.met_weight_bytes(s.shape, batch, bits)
        assert "Up to how many tokens" in question.asked and "not outweigh" in question.asked
        if question.answer == "at any length":
            assert s.shape.kv_read_bytes(10**9, batch) <= weights
        else:
            n = int(question.answer)
            assert (not n or s.shape.kv_read_bytes(n, batch) <= weights) and s.shape.kv_read_bytes(n + 1, batch) > weights
            assert "equals" not in question.why


def test_a_cache_that_outweighs_the_weights_with_one_token_is_drawn_at_none():
    small = {"model": "SmolLM2-135M", "bits": "4", "batch": "4096"}
    with all_answered():
        at = page("roofline", small)
    (alt,) = (alt for alt in alternatives(at) if "meets" in alt)
    assert "less than one" in text(at)
    assert "up to 0 tokens" in alt and "any length" not in alt


@pytest.mark.parametrize(("block", "n"), [("1", 0), ("8", 7), ("3", 0)])
def test_tokens_that_fill_a_block_are_not_said_to_be_in_no_full_one(block, n):
    """“1 before it that is in no full block”, in blocks of 1: the last word was never fed back."""
    said = plain(text(page("second_turn", {"block": block, "g": "8" if n else "4" if block == "1" else "12"})))
    assert "never fed back" in said and "in no full block" not in said
    assert (f"and {n} whose block was not full" in said) == bool(n)


@pytest.mark.parametrize("name", MODELS)
def test_what_attention_waits_for_is_what_its_time_counts_or_both_are_said(name):
    """“Memory-bound” and “arithmetic with the caches 208 µs” on one page: queries and results counted there, not here."""
    for device, n_devices, n_tokens in (("TPU v5e", 1, 64), ("L40S", 4, 333), ("A10", 1, 131_072), ("Apple M1", 1, 8)):
        for kv_bits in (16, 8, 4):
            s = Setup(MODELS[name], DEVICES[device], n_devices, n_tokens, 5, 16, kv_bits)
            computed, read = pass_parts(s.shape, 1, s.device, n_tokens, 5, **s.options)[1]
            if said := re.search(r", (compute|memory)-bound( with queries and results, but (compute|memory)-bound by the caches alone)?",
                                 steps._shared(s, steps.most_here(s))):  # fmt: skip
                assert (said[3] or said[1]) == ("compute" if computed > read else "memory")


def test_a_machine_that_was_measured_multiplied_float32():
    """“At most 94 GFLOP/s on 16-bit numbers”, measured in float32."""
    here = Device(this_machine.NAME, 8 * 2**30, 13.7e9, 94.3e9, source="measured")
    with patch.object(this_machine, "measured", lambda: here):
        alts = alternatives(page("roofline", {"device": here.name}))
    assert any("on float32 numbers" in alt for alt in alts) and not any("-bit numbers" in alt for alt in alts)
    assert any("on 16-bit numbers" in alt for alt in alternatives(page("roofline")))


@pytest.mark.parametrize("name", MODELS)
def test_here_is_no_more_than_at_most_and_no_time_once_as_long(name):
    """“At most 2.2, here 2.25”; “TTFT 1 × as long”; “286 µs become 286 µs, 1 × as long”."""
    for device, n_devices, n_tokens in (("TPU v5e", 4, 8192), ("L40S", 16, 333), ("B200", 32, 1)):
        for batch in (1, 64):
            s = Setup(MODELS[name], DEVICES[device], n_devices, n_tokens, batch, 16, 16)
            if found := re.search(r"at most ([\d.,]+), here ([\d.,]+),", plain(steps._shared(s, steps.most_here(s)))):
                most, here = (float(x.replace(",", "")) for x in found.groups())
                assert here <= most
            said = [
                waiting._timeline(s, *(request(s.shape, n, 7, s.device, batch, **s.options) for n in (n_tokens, 2 * n_tokens)))
            ]
            said.append(batching.batch_question(s).why)
            assert not any(re.search(r"(?<![\d.])1 × as long", x) for x in said)


@pytest.mark.parametrize("name", MODELS)
def test_two_bounds_of_one_pass_are_alike_or_both_are_said(name):
    """What operations take at least, with activations, and a request without them."""
    for device, n_tokens, batch, bits in (("A100-80", 2048, 1, 16), ("L4", 1, 4096, 4), ("H200", 100_000, 3, 8)):
        s = Setup(MODELS[name], DEVICES[device], 2, n_tokens, batch, bits, 16)
        both = tuple(ops for _, ops in steps.passes(s))
        least = (
            request(s.shape, n_tokens, 2, s.device, batch, **s.options).ttft_s,
            tpot_s(s.shape, n_tokens, s.device, batch, **s.options),
        )
        said = every_operation._without_activations(s, *both)
        for phase, ops, seconds_ in zip(("prefill ", "a decode step "), both, least, strict=True):
            whole = sum(p.seconds for p in ops)
            assert seconds_ <= 1.0001 * whole and (f"{phase}{seconds(seconds_)}" in said) == (seconds_ < 0.95 * whole)


@pytest.mark.parametrize("name", MODELS)
def test_a_pass_that_waits_for_compute_lies_behind_a_ridge_that_is_said(name):
    """“1,084 FLOP for each byte and waits for compute: the ridge is at 1,310.7”, which is that of weights in 4 bits."""
    for device, n_tokens, batch, bits, kv_bits in (
        ("RTX 4090", 12_345, 3, 4, 8),
        ("B200", 4096, 64, 4, 16),
        ("L4", 512, 1, 16, 4),
        ("A100-80", 1200, 4, MODELS[name].stored_bits or 16, 16),  # of a file whose parts have different bits
    ):
        s = Setup(MODELS[name], DEVICES[device], 2, n_tokens, batch, bits, kv_bits)
        prefill, decode = steps.passes(s)
        said = plain(steps._bends(s, prefill[0], decode[0])).split("ridge is at ")[1]
        said_ridges = [float(x.replace(",", "")) for x in re.findall(r"\d[\d,]*(?:\.\d)?(?=[. ])", said.split(". ")[0] + " ")]
        for point in (prefill[0], decode[0]):
            beyond = point.arithmetic_intensity >= 0.999 * min(said_ridges)
            assert beyond if point.waits_for == "compute" else point.arithmetic_intensity <= 1.001 * max(said_ridges)


def test_a_batch_is_said_once():
    """“129 at 1, 129 at 1”."""
    with all_answered():
        (alt,) = (
            alt
            for alt in alternatives(page("roofline", {"batch": "64", "tpot_limit": "15"}, slide=2))
            if "Time of a decode step" in alt
        )
    assert len(re.findall(r"(?<!\d)\d+ sequences?: ", alt)) == len(set(re.findall(r"(?<!\d)\d+ sequences?: ", alt)))


def test_a_pasted_model_need_not_say_how_long_it_was_trained_for():
    """An exception on “What it means”, of a config.json without max_position_embeddings."""
    config = dict(
        model_type="llama", num_hidden_layers=2, hidden_size=96, num_attention_heads=3, num_key_value_heads=1, intermediate_size=100,
        vocab_size=50,
    )  # fmt: skip
    unknown = {"model": "pasted", "config": pasted_config.short_config.pack(json.dumps(config), 64_000), "device": "Apple M4"}
    for lesson in ("memory", "roofline", "counting", "second_turn", "paging"):
        assert "trained for None" not in text(page(lesson, unknown))
    assert "trained for an unknown length" in text(page("memory", unknown))


@pytest.mark.parametrize(("dense", "said"), [(0, "every layer has them"), (1, "1 layer has an"), (2, "2 layers have an")])
def test_one_layer_with_an_ordinary_mlp_has_it(dense, said):
    """“1 layers have an ordinary MLP”."""
    config = dict(
        model_type="deepseek_v3", num_hidden_layers=5, hidden_size=512, num_attention_heads=8, kv_lora_rank=64, q_lora_rank=None,
        qk_rope_head_dim=16, qk_nope_head_dim=32, v_head_dim=32, intermediate_size=1024, vocab_size=5000, n_routed_experts=8,
        num_experts_per_tok=2, moe_intermediate_size=128, n_shared_experts=1, first_k_dense_replace=dense,
        max_position_embeddings=4096,
    )  # fmt: skip
    pasted = {"model": "pasted", "config": pasted_config.short_config.pack(json.dumps(config), 64_000)}
    assert said in text(page("memory", pasted, slide=1))


def test_what_has_been_read_once_has_not_been_read_1_time():
    prices = {"price_fresh": "3", "price_read": "0.3", "price_write": "3.75"}
    with all_answered():
        assert "Stored and read once" in text(page("second_turn", prices))


def test_where_each_token_uses_every_expert_they_are_not_a_few():
    """“So many because each token uses a few experts”, of 4 of 4, and of 1 of 4."""
    config = dict(
        model_type="mixtral", num_hidden_layers=2, hidden_size=128, num_attention_heads=4, num_key_value_heads=4, vocab_size=300,
        intermediate_size=256, num_local_experts=4, max_position_embeddings=4096,
    )  # fmt: skip
    for n_active in (1, 2, 4):
        packed = pasted_config.short_config.pack(json.dumps(config | {"num_experts_per_tok": n_active}), 64_000)
        with all_answered():
            said = helps(page("roofline", {"model": "pasted", "config": packed}, slide=2))
            assert (f"uses {n_active} of 4 experts" in said) == (n_active < 4)


def test_of_any_length_has_one_bracket_behind_it():
    every = {"model": "Mistral-7B", "device": "H200", "context": "20000", "batch": "40"}
    assert ") (" not in text(page("memory", every)) and "since a further token adds nothing (trained for 32,768)" in text(
        page("memory", every)
    )


def test_more_devices_are_no_way_out_of_what_a_program_keeps_on_each():
    """“Not even one token fits: more devices, or fewer bits a weight”, where all memory of each is kept."""
    small = {"model": "Llama-3.1-405B", "device": "RTX 3090", "bits": "4"}
    for more, kept in (({"n_devices": "32", "reserved": "1000"}, True), ({"n_devices": "1"}, False)):
        for lesson in ("memory",):
            said = text(page(lesson, small | more))
            assert ("what a program keeps" in said, "more devices, or fewer bits" in said) == (kept, not kept)


@pytest.mark.parametrize("lesson", ["many", "guess", "roofline", "memory", "counting"])
def test_a_figure_is_told_in_plain_words(lesson):
    """“Mixtral\\-8x7B on 4 × L4: half of the 16”, read aloud with its backslash."""
    config = dict(
        _name_or_path="a/b*c_d-e", model_type="llama", num_hidden_layers=2, hidden_size=96, num_attention_heads=3,
        num_key_value_heads=1, intermediate_size=100, vocab_size=50, max_position_embeddings=64,
    )  # fmt: skip
    pasted = {"model": "pasted", "config": pasted_config.short_config.pack(json.dumps(config), 64_000), "tpot_limit": "1"}
    with all_answered():
        alts = alternatives(page(lesson, pasted | {"device": "Apple M1", "context": "32", "g": "4"}))
    assert not any("\\" in alt or "**" in alt or "\u2060" in alt for alt in alts)
    assert lesson in ("guess", "counting") or any("b*c_d-e" in alt for alt in alts)


@given(st.sampled_from(sorted(DEVICES)), st.sampled_from((4, 8, 16)), st.sampled_from((4, 8, 16)))
@example("A10", 8, 4)
def test_the_ridge_of_one_page_is_one_or_said_of_which_numbers(device, bits, kv_bits):
    """“From 417 tokens on more than this device’s ridge”, 208, beside “the ridge is at 416.7, 833.3 for attention”."""
    s = Setup(MODELS["Falcon-7B"], DEVICES[device], 1, 2048, 12, bits, kv_bits)
    assert steps._at_16(s) or ridges.in_words(s) == number(s.device.ridge, 1)
    said = steps._shared(s, steps.most_here(s))
    assert (number(s.device.ridge_at(kv_bits), 1) in said) == (s.device.ridge_at(kv_bits) != s.device.ridge)


WITH_STATES = HYBRID | {"linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128,
                        "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4}  # fmt: skip
PASTED = dict(model="pasted", config=pasted_config.short_config.pack(json.dumps(WITH_STATES), 64_000))
STATES = {
    **PASTED,
    "device": "A100-80",
    "n_devices": "4",
    "p": "2048",
    "context": "2048",
    "batch": "4096",
    "bits": "4",
    "g": "256",
}


def test_states_are_read_with_the_caches_and_stand_in_no_batch_s_way_unsaid():
    """“A cache for each of them (206.16 GB now)”, of a step of which reading 316.49 GB of states takes the most; “never more than
    81,023” where caches and states allow 31,000."""
    s = Setup(ModelShape.from_config(WITH_STATES), DEVICES["A100-80"], 4, 2048, 4096, 4, 16)
    assert s.ceiling < 40_000 and tokens_per_s(s.shape, 2048, s.device, 10**6, **s.options) <= s.ceiling
    with all_answered():
        at = page("roofline", STATES)
    said = plain(text(at) + helps(at))
    assert (
        re.search(r"a cache and state for each .* GB of states, read and written", said)
        and "reading the caches and states" in said
    )
    assert "its sequence’s cache and state, are shared by none" in said and "0 B, counted once" not in said


# A narrow model with half its layers in windows, in a large batch: what activations move is most of the bytes.
NARROW = {
    "model": "pasted",
    "config": short_config.pack(
        '{"_name_or_path":"acme/Half-Window","model_type":"gpt_oss","num_hidden_layers":6,"hidden_size":640,"num_attention_heads":10,'
        '"num_key_value_heads":5,"head_dim":64,"intermediate_size":640,"num_local_experts":8,"num_experts_per_tok":2,'
        '"sliding_window":128,"vocab_size":20000,"max_position_embeddings":8192}',
        64_000,
    ),
    "device": "RTX 3090", "context": "128", "p": "128", "g": "1", "batch": "4096", "bits": "4",
}  # fmt: skip


def test_an_answer_of_one_token_has_no_step_that_takes_longer():
    """“TTFT + 0 × 2.35 ms … TPOT 40.1% longer”, and “at most 1 sequence keeps 1 ms” of answers that have no step. With a narrow model:
    “✓ 1 tokens”; “prefill: 99.4 ms at least” and “the first token comes after 48.5 ms”; “Products with weights turn compute-bound at 344
    tokens in flight”, where 4,096 of them still wait for memory, with the activations."""
    with all_answered():
        narrow, two = page("roofline", NARROW), plain(text(page("roofline", {"p": "2048", "g": "2"})))
    one = plain(text(narrow))
    assert "no decode step" in one and "needs no such step" in one and "and TPOT" not in one
    assert re.search(r"their bounds are lower: prefill 48.5 ms in place of [^.]*\.\d ms and a decode step 4.84 ms in", one)
    assert any("48.5" in str(figure["data"][-1]["text"]) for figure, _ in figures(narrow))
    assert (
        "arithmetic with the parameters takes as long as reading them, or longer" in helps(narrow)
        and "bounds are lower" not in two
    )
    assert (
        not any(re.search(r"(?<![\d,.])1 tokens", str(figure)) for figure, _ in figures(narrow))
        and "Products with parameters" not in one
    )
    assert "and TPOT" in two and "needs no such step" not in two


@pytest.mark.parametrize("name", DEVICES)
def test_from_where_something_is_more_it_is_more(name):
    """“From 74 tokens on more than this device’s ridge”, where T/2 is 37 as the ridge is; “from 37 tokens in flight on arithmetic with
    the weights outlasts reading them”, where both take 3.75 ms. An H20, a GB200."""
    s, ridge = Setup(MODELS["Llama-3.1-8B"], DEVICES[name], 1, 1000, 1, 16, 16), DEVICES[name].ridge
    found = re.search(r"from ([\d,]+) tokens on more than this device’s ridge", steps._attention(s))[1]
    n_tokens = int(found.replace(",", ""))
    assert n_tokens / 2 > ridge >= (n_tokens - 1) / 2
    found = re.search(r"From ([\d,]+) tokens? in flight .* takes as long as reading them, or longer", batching._batching(s))[1]
    n_tokens = int(found.replace(",", ""))
    assert n_tokens >= ridge > n_tokens - 1


def test_a_time_is_0_only_where_it_is_none():
    """“softmax 0 ns”, of 4 ps."""
    assert seconds(3.7e-12) == "3.7 ps" and seconds(0.0) == "0 s"


def test_why_one_model_keeps_more_than_another_is_said_of_what_they_have():
    """“Windows and latents are why”, of two models that have neither, or of a length at which no window is full; nothing of states, of a
    model that keeps them, nor of widths, where a row is seven times as wide."""
    for names, length, said in (
        ("GPT-2 XL", "8192", "Layers and widths are why"), ("none", "8192", ""),
        ("Mistral-7B", "8192", "Layers, widths, shared heads and windows are why"),
        ("Mistral-7B", "1024", "Layers, widths and shared heads are why"),
    ):  # fmt: skip
        shown = plain(text(page("memory", {"model": "GPT-2 small", "compare": names, "context": length}, slide=2)))
        assert said in shown and ("are why" in shown) == bool(said)
    for name, other, said in (  # also latents, windows, shared heads: a layer keeps as much
        ("DeepSeek-V3", "DeepSeek-V2-Lite", "Layers are why"), ("DeepSeek-V3", "GPT-2 small", "Layers and latents are why"),
        ("Llama-3.1-70B", "Llama-3.1-8B", "Layers are why"), ("gpt-oss-120b", "gpt-oss-20b", "Layers are why"),
    ):  # fmt: skip
        assert f"\n{said}." in plain(text(page("memory", {"model": name, "compare": other}, slide=2)))
    assert "states are why" in plain(text(page("memory", PASTED, slide=2)))
    beside = dict(  # each layer keeps a state beside its keys and values
        model_type="falcon_h1", num_hidden_layers=24, hidden_size=1024, intermediate_size=2048, num_attention_heads=8,
        num_key_value_heads=2, head_dim=64, vocab_size=32784, max_position_embeddings=16384, mamba_d_state=128, mamba_n_heads=24,
        mamba_d_head=64, mamba_n_groups=1, mamba_d_conv=4, mamba_d_ssm=1536,
    )  # fmt: skip
    packed = {"model": "pasted", "config": short_config.pack(json.dumps(beside), 9999), "compare": "Llama-2-7B"}
    assert "Layers, widths and shared heads are why." in plain(text(page("memory", packed, slide=2)))


def test_a_share_is_not_rounded_up_to_the_one_that_is_promised():
    """“Up to 1,481 requests a minute”, beside “90% at 1,513”, of 89.6%; and a cache that was made small is not all memory."""
    with all_answered():
        at = page("many", {"p": "8192", "g": "1", "ttft_limit": "5000", "cache_tokens": "512"})
    (told,) = (alt for alt in alternatives(at) if alt.startswith("Share of requests in time"))
    knee = re.search(r"at ([\d,]+) requests a minute", plain(text(at)))[1]
    shares = {rate: float(share) for share, rate in re.findall(r"([\d.]+)% at ([\d,.]*\d)", told)}
    assert shares[knee] >= 90 and all(
        share < 90 for rate, share in shares.items() if float(rate.replace(",", "")) > float(knee.replace(",", ""))
    )
    assert "512 tokens that the cache holds" in plain(text(at))


def test_a_step_of_picoseconds_is_asked_for_in_them():
    """“The first token comes after 0 ms”, of 5.55 ps; and “at best 0% of the arithmetic”, of a thousandth of one."""
    asked = waiting.end_to_end_question(SimpleNamespace(ttft_s=5.55e-12, tpot_s=6.58e-12, n_generated=2))
    assert "after 5.55 ps (TTFT), each further one 6.58 ps later" in asked.asked and asked.answer == 12.13 and asked.unit == "ps"
    slow = {"device": "Your device", "own_gb": "1", "own_gb_per_s": "1", "own_tflops": "1000"}
    assert "computes &lt; 0.1% of" in " ".join(figures(page("roofline", slow))[0][0]["data"][-1]["text"])


def test_what_a_file_does_not_say_is_not_read_from_it():
    """“0 words”, “is now the model of these lessons”, of a file that names no vocabulary, beside “the lessons on time show another”;
    “expected a decoder-only model, got llama”, of one that calls itself an encoder with a decoder."""
    config = {
        "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4,
        "num_key_value_heads": 2, "max_position_embeddings": 128,
    }  # fmt: skip
    for vocabulary in ({}, {"vocab_size": 100}):
        packed = short_config.pack(json.dumps(config | vocabulary), 9999)
        shown = text(page("memory", {"model": "pasted", "config": packed}, slide=1))
        assert ("100 words" in shown, "now the model of" in shown) == (bool(vocabulary),) * 2 and " 0 words" not in shown
    with pytest.raises(ValueError, match="is_encoder_decoder: expected"):
        ModelShape.from_config(config | {"vocab_size": 100, "is_encoder_decoder": True})


def test_what_may_be_is_not_said_to_be():
    """“Here the cache has no room for all of them”, of twelve requests that have room for 128; and “a few rows more take hardly longer
    while it waits for memory”, of 2.55 times as long with other experts."""
    tiny = {"model": "GPT-2 small", "device": "B300", "p": "1", "g": "1"}
    at = page("many", tiny, slide=4)
    assert "no room for all" not in text(at) and "nobody waited" in str(alternatives(at))
    (note,) = [step.note for step in LESSONS["guess"].steps if step.name == "Where it pays"]
    assert "hardly longer" not in note.wrong["slower"] and "experts" in note.wrong["faster"]


def test_a_reason_tells_of_what_would_be_and_of_what_is_computed_once():
    """“Whole prompts stop everybody’s tokens”, where nobody’s were: 1.59 ns under three policies, and 11.8 ns on a machine apart, where “a
    cache that has come there may wait”, and none had yet."""
    link = {"model": "SmolLM2-135M", "device": "B300", "p": "2", "g": "2", "per_minute": "60", "slide": "2"}
    with all_answered():
        said = plain(text(page("many", link)))
        one, two = (plain(text(page("many", {"slide": "3", "per_minute": n}))) for n in ("60", "3840"))
    assert "several alike" in said and "stop everybody" not in said and "Its cache has yet to go to the other one" in said
    assert "rounded up" in one and "take turns" not in one and "take turns may do with fewer" in two and "needed" not in two


def test_a_knee_beyond_what_was_tried_is_the_least():
    """“54,545 a minute at most”, beside “up to at least 54,545”."""
    with all_answered():
        knee = page("many", {"model": "SmolLM2-135M", "p": "2", "g": "2", "slide": "3"})
    drawn = str(figures(knee))
    assert (
        "the most that was tried" in plain(text(knee))
        and re.search(r"at least <b>[\d,]+</b> a minute", drawn)
        and "a minute at most" not in drawn
    )


def test_a_cache_is_told_of_as_many_sequences_as_it_is_of():
    """“Next token 253,952 B, cache at 1: 1.04 GB”, “all heads would take 3.35 PB at 163,840 tokens”, of 4,096 sequences; “of 2,048 + 1
    token 512 at once”."""
    link = {"model": "DeepSeek-V3", "batch": "4096", "context": "163840"}
    latent, heads = (plain(text(page("memory", {**link, "model": m}, slide=3))) for m in ("DeepSeek-V3", "GPT-2 small"))
    assert "at 163,840 tokens of each of 4,096 sequences" in latent and "what is kept is a latent" in latent
    assert "only keys and values are kept" in heads and "only keys and values" not in latent
    assert "by itself; keys and values are kept" in plain(text(page("memory", PASTED, slide=3)))  # and states
    assert "at 163,840 tokens of each of 4,096 sequences" in str(
        alternatives(page("memory", {**link, "model": "GPT-2 small"}, slide=3))
    )
    assert "nothing is saved" in heads
    for batch, head in (("4096", "cache at 1 × 4,096"), ("1", "cache at 1 ")):
        assert head in plain(text(page("memory", {"context": "1", "batch": batch}, slide=2)))
    assert "over 0.1 GB/s between devices" in helps(page("memory", {"link": "0.1", "n_devices": "2"}, slide=1))  # not 0
    short = {"model": "Falcon-7B", "device": "RTX 3090", "batch": "512", "context": "2048", "p": "2048", "g": "1", "bits": "4"}
    assert "Of 2,048 + 1 tokens 512 at once" in plain(text(page("memory", short, slide=1)))


def test_what_is_small_is_written_with_the_digits_that_it_has():
    """“0.0003 ms”, of 0.000259; “0.3 kB”, of 256 bytes; “the ridge is at 0”, of a thousandth; “×0.00”, of a time far below its bound."""
    quick = waiting.end_to_end_question(SimpleNamespace(ttft_s=2.59e-7, tpot_s=2.6e-7, n_generated=1))
    assert (quick.answer, quick.unit) == (259, "ns")
    usual = waiting.end_to_end_question(SimpleNamespace(ttft_s=9e-5, tpot_s=1.2e-5, n_generated=2))
    assert (usual.answer, usual.unit) == (0.102, "ms")
    window = dict(
        model_type="mistral", num_hidden_layers=2, hidden_size=128, intermediate_size=128, num_attention_heads=2, num_key_value_heads=1,
        vocab_size=2, max_position_embeddings=1024, sliding_window=2,
    )  # fmt: skip
    asked = size_question(Setup(ModelShape.from_config(window), DEVICES["A100-80"], 1, 8, 1, 16, 4))
    assert asked.answer == 0.256 and asked.tolerance < 0.003 and "256 bytes" in asked.why
    fast = {
        "model": "DeepSeek-V2-Lite",
        "device": "Your device",
        "own_gb": "100000",
        "own_gb_per_s": "1000000",
        "own_tflops": "1",
        "p": "7",
    }
    with all_answered():
        at, experts = page("roofline", fast), page("roofline", {"model": "DeepSeek-V2-Lite"}, slide=2)
    assert "the ridge is at 0.001" in text(at) and "ridge 0.001" in str(figures(at)) and "from 1 token on more than" in text(at)
    assert "From 1 token in flight" in helps(at) and "so many because" not in helps(at) and "so many because" in helps(experts)
    slow = page("serverlog", {"log": "bench", "log_model": "Llama-3.1-405B", "log_device": "Apple M1"}, slide=3)
    assert "×0.00049" in str(figures(slow)) and "prompts that begin alike" in text(slow)


def test_guesses_may_be_worth_nothing_and_tiles_may_leave_out_what_counts_for_nothing():
    """“A pass with guesses writes more words and takes longer”, of one word in as long; “no product is saved”, beside 10 tiles of 16."""
    with all_answered():
        none = plain(text(page("guess", {"kept": "0", "guesses": "1"}, slide=2)))
        tiles = [plain(text(page("tiles", {"p": n}, slide=3))) for n in ("64", "100000")]
    assert "takes as long as over one, and writes 1 token:" in none and "may write more words and may take longer" in none
    assert "products that count nothing ever is" in tiles[0] and "No product that counts is saved" in tiles[1]


@pytest.mark.parametrize(
    ("lesson", "at", "terms"),
    [
        ("overview", 2, ("autoregressive",)), ("paging", 1, ("block", "block table")), ("paging", 3, ("prefix cache",)),
        ("many", 1, ("static batching", "continuous batching")), ("guess", 1, ("speculative decoding", "draft", "acceptance")),
    ],
)  # fmt: skip
def test_a_lesson_that_shows_a_term_says_it(lesson, at, terms):
    """Words and sources send to a lesson in which the word does not stand."""
    said = helps(page(lesson, slide=at))
    assert all(SHOWN_IN[term] == lesson and f"**{term}**" in said for term in terms)


@pytest.mark.parametrize("lesson", ["memory", "roofline", "many", "counting"])
def test_notebooks_call_what_a_model_has_learned_its_parameters(lesson):
    """“The weights are read once for all of them”: weights are attention’s, and of experts each sequence meets its own."""
    tree = ast.parse((ROOT / "pages" / "lessons" / lesson / "notebook.py").read_text("utf-8"))
    docs = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Module)}
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)} - docs
    assert any("parameters" in said for said in strings) and not any(re.search(r"\bweights\b", said) for said in strings)
