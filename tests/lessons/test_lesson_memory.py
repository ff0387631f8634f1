"""The lesson on the cache's size: the article's bytes on the page, any config.json, and links that nobody can break it with."""

import base64
import csv
import io
import json
import re
import zlib

import pytest
from app_pages import WHOLE, computed, figures, of_visit, ran, right, says, selected
from hardware_pages import EXTREMES, OTHER, alternatives, checked, commit, page, text
from hypothesis import given
from hypothesis import strategies as st
from printed_logs import INFO

from engine.cost import DEVICES, MODELS, both_bytes, decimal_bytes, largest_batch, llama_cpp_kv_bytes, memory_use
from engine.cost.multiplication import kv_factors
from engine.cost.shapes.head_groups import kv_head_choices, with_kv_heads
from pages.lessons.memory import other_models, steps
from pages.lessons.memory.figures.caches import caches
from pages.lessons.memory.figures.head_groups import head_groups
from pages.lessons.memory.figures.memory_bar import PLACE, Fit, memory_bar
from pages.parts.drawing.axes import spread_out
from pages.parts.drawing.palette import faded, palette
from pages.parts.drawing.sheet import PHONE, WIDTH, Sheet
from pages.parts.hardware import pasted_config, short_config
from pages.parts.hardware.pasted_config import Pasted
from pages.parts.hardware.setup import Setup
from pages.parts.hardware.weight_formats import WEIGHT_FORMATS, bits_of
from pages.parts.lesson import tables
from pages.parts.text.format import round_step
from pages.parts.visit.scenario import Kept


# A model that is not in the list: the shape of Qwen2.5-32B. For 32,768 cells of a 32B model with 64 layers llama.cpp logged
# "KV self size = 8192.00 MiB", f16 (github.com/ggml-org/llama.cpp/issues/12369) and 4352.00 MiB in q8_0, 8.5 bits (issue 11337).
def test_an_8b_at_100_000_tokens_takes_13_1_gb():
    at = page("memory")
    assert "13.1" not in text(at) + " ".join(alternatives(at))  # asked below, so not shown above
    answered = commit(page("memory", slide=2), "cache_size", 13.1)
    assert right(answered, "13.1 GB") and says(answered, "13,107,200,000 bytes", "13.11 GB", "12.21 GiB")
    for wrong in (12.2, 52.4):  # that is GiB; query heads counted
        assert not right(said := commit(page("memory", slide=2), "cache_size", wrong)) and computed(said) == "13.1 GB"


@pytest.mark.parametrize(
    ("model", "kv_bits", "answer"), [("Llama-2-7B", "16", 52.4), ("Llama-3.1-70B", "16", 32.8), ("DeepSeek-V3", "8", 3.5)]
)
def test_the_key_is_that_of_the_model_on_screen(model, kv_bits, answer):
    assert right(commit(page("memory", model=model, kv_bits=kv_bits, slide=2), "cache_size", answer))
    assert MODELS[model].kv_bytes(100_000, bits=int(kv_bits)) / 1e9 == pytest.approx(answer, abs=0.06)


def test_where_the_page_already_shows_100_000_another_length_is_asked():
    at = page("memory", context="100000", slide=2)
    assert "50,000 tokens" in text(at) and right(commit(at, "cache_size", 6.6))


@pytest.mark.parametrize(
    ("model", "context", "shown"),
    [
        ("Llama-2-7B", 4096, "2,147,483,648 bytes, 2.15 GB = 2 GiB"),  # "~2 GB", NVIDIA
        ("OPT-13B", 2048, "1,677,721,600 bytes, 1.68 GB = 1.56 GiB"),  # "1.6 GB", vLLM paper, arXiv 2309.06180
        ("Llama-2-13B", 8192, "6,710,886,400 bytes, 6.71 GB = 6.25 GiB"),  # How to Scale Your Model
        ("Llama-3.1-70B", 4096, "1,342,177,280 bytes, 1.34 GB = 1.25 GiB"),  # llama.cpp logs 1280.00 MiB
        ("Llama-3.1-8B", 16_000, "2,097,152,000 bytes, 2.1 GB = 1.95 GiB"),  # Hugging Face: 1.95 "GB"
        ("GPT-2 small", 1000, "36,864,000 bytes, 36.86 MB = 35.16 MiB"),
    ],
)
def test_published_bytes_are_on_the_page(model, context, shown):
    assert shown in alternatives(page("memory", model=model, context=str(context), slide=1))[0]


def test_the_toys_bytes_are_those_of_its_cache():
    for link, said in (
        ({}, ("4 tokens", "2,080 bytes")),
        (dict(tokens="a,b", values="1,2", rules="all"), ("2 tokens", "1,040 bytes")),
    ):
        helps = " ".join(one.help for one in page("memory", **link, slide=2).markdown if one.help)
        assert says(helps, "toy", *said)  # 4 · (64 + 1) float64, and 2


def test_the_formula_to_copy_is_python_and_true():
    for model in ("Llama-3.1-8B", "Gemma-2-9B", "DeepSeek-V3", "Mistral-7B"):
        at = page("memory", model=model, context="16384", kv_bits="4", batch="3", slide=2)
        assert eval(at.code[0].value) is True
        assert str(MODELS[model].kv_bytes(16_384, 3, 4)) in at.code[0].value


@pytest.mark.parametrize("extras", EXTREMES)
def test_no_link_breaks_the_lesson(extras):
    at = page("memory", extras)
    answered = [w for w in at.number_input if w.key == "guess_cache_size"]
    assert len(answered) == 1 and len(alternatives(at)) >= 2 and "nan" not in text(at).lower().split()
    desk = alternatives(at)[0]
    assert "bytes" in desk and " nan" not in desk and " inf " not in desk


def test_a_hostile_link_ends_at_the_defaults():
    at = page("memory", EXTREMES[6])
    values = {w.key: w.value for w in (*at.selectbox, *at.select_slider, *at.multiselect, *at.number_input)}
    assert values["extra_model"] == "Llama-3.1-8B" and values["extra_device"] == "A100-80" and values["extra_batch"] == 4096
    assert values["extra_context"] == 8192 and values["extra_bits"] == "16" and values["extra_kv_heads"] == "8"
    assert values["memory_compare_with"] == ["Llama-2-7B", "Gemma-3-27B", "DeepSeek-V3"]


def test_controls_write_the_link_and_forget_defaults():
    at = page("memory")
    next(w for w in at.selectbox if w.key == "extra_model").set_value("Qwen3-0.6B").run()
    next(w for w in at.number_input if w.key == "extra_context").set_value(1024).run()
    assert selected(at) == WHOLE | {"model": "Qwen3-0.6B", "context": "1024"}
    assert says(alternatives(at)[0], "2", "8 KV heads", "128")
    next(w for w in at.number_input if w.key == "extra_context").set_value(8192).run()
    next(w for w in at.multiselect if w.key == "memory_compare_with").set_value([]).run()
    assert {k: v for k, v in selected(at).items() if v} == WHOLE | {"model": "Qwen3-0.6B", "compare": "none"}


def test_grouped_heads_say_what_they_save():
    at = page("memory", kv_heads="1", slide=3)
    assert says(text(at), "1 of 32", "0.0313", "MHA", "4.16 GB = 3.88 GiB", "4.29 GB = 4 GiB")
    assert says(text(page("memory", kv_heads="32", slide=3)), "MHA", "nothing", "4.29 GB = 4 GiB")
    latent = text(page("memory", model="DeepSeek-V3", slide=3))
    assert says(latent, "576") and says(latent, "71.1 ×")


# --- a pasted config.json


def paste(at, config):
    at.text_area[0].set_value(config if isinstance(config, str) else json.dumps(config))
    next(b for b in at.button if b.proto.form_id == "form_config").click()
    at.run()
    assert not at.exception
    return at


@pytest.fixture(scope="module")
def box():
    """The step with the box for a config.json, into which one text is pasted after the other."""
    return page("memory", slide=1)


@pytest.fixture(scope="module")
def with_a_model():
    """The same of a visitor who has pasted a model."""
    return paste(page("memory", slide=1), OTHER)


def test_a_pasted_model_is_used_like_any_other_and_equals_llama_cpps_log():
    at = paste(page("memory", context="32768"), OTHER)
    assert says(text(at), "Qwen2.5-32B") and says(text(at), "40 query heads", "8 key/value heads", "128")
    assert says(text(at), "Assumed", "head_dim")
    assert says(text(at), "log", "8,192.00 MiB") and says(alternatives(at)[0], "8,589,934,592 bytes")
    assert llama_cpp_kv_bytes(pasted_config.read(json.dumps(OTHER)), 32_768, bits=8.5) == 4352 * 2**20
    assert selected(at)["model"] == "pasted"
    assert "Qwen" not in json.dumps(selected(at))  # nobody reads it off the address bar


def test_a_pasted_model_starts_with_the_files_bits_and_has_what_its_sentence_asks_to_change():
    """A file of 8-bit weights began at 16 bits on one A100: "not even one token fits", and no control of either was there."""
    at = paste(page("memory", steps=""), OTHER | {"quantization_config": {"quant_method": "fp8"}})
    shown = {w.key: w.value for w in at.selectbox}
    assert {"extra_device", "extra_n_devices", "extra_kv_bits"} <= set(shown) and shown["extra_bits"] == "file"
    shape = pasted_config.read(json.dumps(OTHER | {"quantization_config": {"quant_method": "fp8"}}))
    assert decimal_bytes(shape.weight_bytes(shape.stored_bits)) in alternatives(at)[0] and says(text(at), "Room", "tokens")
    next(w for w in at.selectbox if w.key == "extra_bits").set_value("16").run()
    assert selected(at)["bits"] == "16" and decimal_bytes(shape.weight_bytes(16)) in alternatives(at)[0]


@pytest.mark.parametrize("model", ["pasted", *MODELS])
def test_the_closing_sentence_is_about_the_chosen_model(model):
    """It compared the largest cache with the smallest, Llama-2-7B with DeepSeek-V3, whatever model had been brought."""
    shape = MODELS.get(model) or pasted_config.read(json.dumps(OTHER))
    s = Setup(shape, DEVICES["H200"], 1, 5000, 2, 16, 16)
    others = [MODELS[name] for name in other_models.COMPARED if MODELS[name] != shape]
    said = other_models._times_as_much(s, (shape, *others))
    own = shape.kv_bytes(5000, 2)
    assert says(said, shape.name, both_bytes(own))
    for other in others:
        part = re.search(rf"\*\*(1/)?([\d.,]+)(?: ×)?\*\*[^*]*?{re.escape(other.name)}", said.replace("\\", ""))
        times = float(part[2].replace(",", ""))
        assert (1 / times if part[1] else times) == pytest.approx(own / other.kv_bytes(5000, 2), rel=0.05)


FILES = [
    OTHER, {"model_type": "qwen2", **OTHER, "auto_map": {"AutoModel": "x.py"}, "torch_dtype": "bfloat16", "eos_token_id": 7},
    {"text_config": OTHER, "vision_config": {"hidden_size": 9}, "model_type": "qwen2_vl"},
    OTHER | {"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": True}},
    OTHER | {"layer_types": ["sliding_attention", "full_attention"] * 32, "use_sliding_window": True, "sliding_window": 4096},
]  # fmt: skip


@pytest.mark.parametrize("config", FILES, ids=range(len(FILES)))
def test_a_link_opened_elsewhere_shows_the_same_model(config):
    """`?model=pasted` elsewhere showed Llama-3.1-8B and said nothing."""
    here = paste(page("memory", context="4096", slide=1), config)
    extras = {k: v for k, v in selected(here).items() if v}
    assert len(extras["config"]) < 700
    for lesson in ("memory", "roofline"):
        there = page(lesson, extras, slide=1)
        own, other = (of_visit(at, Pasted).shape for at in (here, there))
        assert own == other and (own.understood, own.assumed) == (other.understood, other.assumed) and not there.warning
    assert alternatives(page("memory", extras, slide=1))[0] == alternatives(here)[0]


def test_a_pasted_model_is_the_visitors_own_and_the_last_that_could_be_read_stays():
    other, at = page("memory", slide=1), paste(page("memory", slide=1), OTHER)
    assert says(alternatives(at)[0], "Qwen2.5-32B") and not says(alternatives(ran(other))[0], "Qwen2.5-32B")
    paste(at, "{oops")
    assert says(text(at), "JSON", "line 1, column 2") and says(alternatives(at)[0], "Qwen2.5-32B")


@pytest.mark.parametrize("packed", ["", "x", "eJ" * 300, "A" * 1600, "\x00", "é", "eJwrSS0uAQAEXQHB"])
def test_a_link_whose_model_cannot_be_read_says_so(packed):
    at = page("memory", model="pasted", config=packed, slide=1)
    (said,) = (w.value.replace("\\", "") for w in at.warning)
    assert says(said, "Llama-3.1-8B") and ("pasted" in said or "left out" in said)
    assert "Llama-3.1-8B" in alternatives(at)[0]
    at.run()
    assert len(at.warning) == 1 and not at.exception


def test_a_short_form_cannot_unfold_into_gigabytes():
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 10**6, 9)).decode().rstrip("=")
    assert len(bomb) < short_config.MOST_CHARS
    with pytest.raises(ValueError, match="expected the short form"):
        short_config.unpack(bomb, pasted_config.MAX_CHARS)


def test_what_comes_back_of_a_short_form_is_what_was_pasted_or_there_is_none():
    """A file of the same letter over and over packs well, and unpacks to more than may be pasted."""
    text = json.dumps(OTHER | {"of": "é" * 200}, ensure_ascii=False, indent=4)
    packed = short_config.pack(text, pasted_config.MAX_CHARS)
    assert json.loads(short_config.unpack(packed, pasted_config.MAX_CHARS)) == json.loads(text)
    assert short_config.pack(json.dumps(OTHER | {"of": "é" * 60_000}, ensure_ascii=False), pasted_config.MAX_CHARS) == ""


def test_a_model_too_long_for_a_link_says_so():
    noise = {str(i): f"{i * 2654435761 % 2**32:x}" for i in range(500)}
    at = paste(page("memory", slide=1), OTHER | noise)
    assert says(text(at), "too long", "link") and not selected(at)["config"]
    assert "Qwen2.5-32B" in alternatives(at)[0]


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("mistralai/Mistral-7B-v0.3", ("name", "fetched", "huggingface.co/mistralai/Mistral")),
        ("https://huggingface.co/Qwen/Qwen3-8B/tree/main", ("address", "fetched", "huggingface.co/Qwen/Qwen3-8B")),
        ("huggingface.co/Qwen/Qwen3-8B", ("huggingface.co/Qwen/Qwen3-8B", "config.json")),
        ("qwen/qwen3-8b", ("Qwen3-8B", "list")), ("llama-3.1-8b", ("Llama-3.1-8B", "list")),
        ("<!DOCTYPE html><html>", ("web page", "raw")), ("print_info: n_layer = 3", ("print_info", "arch")),
        ("https://example.org/config.json", ("address", "fetched")), ("phi-4-mini", ("name",)),
    ],
)  # fmt: skip
def test_a_name_or_an_address_is_recognised_and_what_to_paste_is_said(box, pasted, said):
    at = paste(box, pasted)
    assert says(at.warning[0].value, *said) and "https://" not in at.warning[0].value


def test_print_info_and_params_json_are_models_too():
    at = paste(page("memory", slide=1), INFO)
    assert "DeepSeek R1 Distill Qwen 32B" in alternatives(at)[0] and "2,147,483,648 bytes" in alternatives(at)[0]
    elsewhere = page("memory", extras_of(at), slide=1)
    assert alternatives(elsewhere)[0] == alternatives(at)[0]
    mistral = dict(dim=4096, n_layers=32, head_dim=128, hidden_dim=14336, n_heads=32, n_kv_heads=8, vocab_size=32768)
    at = paste(page("memory", slide=1), mistral)
    assert says(text(at), "mistral") and "131,072 B" in alternatives(at)[0]


def test_the_bytes_of_the_next_token_are_those_at_this_length():
    """507,904 were shown for Gemma-3 at 8,192 tokens, where 52 of 62 layers have stopped growing."""
    shown = text(page("memory", model="Gemma-3-27B", context="8192", slide=1))
    assert says(shown, "next token", "81.92 kB = 80 KiB", "507,904 bytes")
    assert says(text(page("memory", model="Gemma-3-27B", context="512", slide=1)), "next token", "507.9 kB = 496 KiB")
    assert "81,920 bytes for the next token" in str(figures(page("memory", model="Gemma-3-27B", context="8192", slide=2))[0])


def test_devices_that_cannot_share_a_cache_say_how_often_they_keep_it():
    shown = text(page("memory", model="DeepSeek-V3", device="H200", n_devices="8", bits="8", slide=1))
    assert says(shown, "8 devices", "latent", "8 times", "bytes, FLOPs and times: the layers of DeepSeek", "(MTP)")
    alt = alternatives(page("memory", model="Llama-3.1-8B", n_devices="32", slide=1))[0]
    assert says(alt, "copies", both_bytes(3 * 8192 * 131_072))
    assert says(text(page("memory", n_devices="32", slide=1)), "32 devices", "4 times")
    assert not says(text(page("memory", n_devices="8", slide=1)), "8 devices", "times")


def test_what_a_program_keeps_is_typed_and_counted():
    free, kept = (text(page("memory", reserved=r, slide=1)) for r in ("", "20"))
    rooms = [int(re.search(r"Room for \*\*([\d,]+)\*\*", shown)[1].replace(",", "")) for shown in (free, kept)]
    assert rooms[0] - rooms[1] in (18, 19)  # 20 GB of sequences of 1.07 GB
    assert says(alternatives(page("memory", reserved="20", slide=1))[0], "program", "20 GB")


def test_a_quantised_model_offers_the_bits_of_its_file():
    at = page("memory", model="gpt-oss-120b", bits="file", slide=1)
    weights = next(w for w in at.selectbox if w.key == "extra_bits")
    assert any(says(option, "4.47", "file") for option in weights.options)
    assert says(alternatives(at)[0], "parameters", "65.25 GB = 60.77 GiB")
    assert next(w for w in page("memory", bits="file", slide=1).selectbox if w.key == "extra_bits").value == "16"


def test_model_device_and_prompt_go_from_the_desk_to_the_other_hardware_lessons():
    """The roofline asked for its own prompt: what was chosen for the cache was 2,048 there."""
    at = page("memory", slide=1)
    next(w for w in at.number_input if w.key == "extra_p").set_value(131_072).run()
    next(w for w in at.selectbox if w.key == "extra_device").set_value("H200").run()
    there = page("roofline", extras_of(at), slide=1)
    assert next(w for w in there.select_slider if w.key == "extra_p").value == 131_072
    assert "H200" in alternatives(there)[0]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("", ("nothing",)),
        ("{", ("JSON", "line 1, column 2")),
        ("[1, 2]", ("JSON object",)),
        ("[" * 20_000, ("deep",)),
        ('{"a": ' + "9" * 5000 + "}", ("long",)),
        ({"model_type": "bert"}, ("model_type", "bert")),
        (OTHER | {"num_key_value_heads": 7}, ("divisor", "40", "7")),
        (OTHER | {"num_hidden_layers": "<script>alert(1)</script>"}, ("num_hidden_layers", "1", "2,000")),
        (OTHER | {"hidden_size": 10**400}, ("hidden_size", "integer")),
        (OTHER | {"num_hidden_layers": True}, ("num_hidden_layers", "True")),
        (OTHER | {"_name_or_path": "half \ud800"}, ("name_or_path", "characters", "ud800")),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence_and_the_last_good_model_stays(with_a_model, config, said):
    at = paste(with_a_model, config)
    assert says(at.warning[0].value, *said, "Qwen2.5-32B")
    assert "Qwen2.5-32B" in alternatives(at)[0]
    assert "<script>" not in at.warning[0].value  # shown letter by letter


def test_a_key_in_a_message_is_written_as_the_file_writes_it():
    """ "Linear_num_key_heads: expected …" named a key that no file has."""
    at = paste(page("memory", slide=1), OTHER | {"num_hidden_layers": 0})
    assert at.warning[0].value.replace("\\", "").startswith("num_hidden_layers:")


def test_no_label_shows_an_escape_or_a_name_that_needs_one():
    """Labels are read aloud letter by letter: "Key/value heads of Llama\\-3\\.1\\-8B"."""
    at = page("memory")
    assert not [w.label for w in (*at.selectbox, *at.select_slider, *at.multiselect) if "\\" in w.label]


def test_a_cache_may_be_given_fewer_heads_after_training():
    """ "The only one that exists" was said of the trained grouping; uptraining makes others (Ainslie et al. 2023)."""
    shown = text(page("memory", kv_heads="1", slide=3))
    assert "uptraining" in shown


def test_a_text_beyond_the_bound_is_not_even_parsed():
    with pytest.raises(ValueError, match=r"64,000 .*64,001"):
        pasted_config.read(" " * 64_001)


def test_a_name_is_letters_and_nothing_else():
    at = paste(page("memory", slide=1), OTHER | {"_name_or_path": "<b>*x*</b>"})
    assert "**\\<b\\>\\*x\\*\\<\\/b\\>**" in "\n".join(m.value for m in at.markdown)
    assert pasted_config.read(json.dumps({k: v for k, v in OTHER.items() if k != "_name_or_path"})).name == "qwen2 (pasted)"


@given(st.text(max_size=300))
def test_any_text_is_a_model_or_a_sentence(config):
    with pytest.raises(ValueError):
        pasted_config.read(config)


# --- tables and figures


def test_the_table_as_a_file_holds_the_numbers_and_no_formula():
    rows = list(csv.reader(io.StringIO(tables.csv_text(("model", "bytes"), [("=1+1", 5), ("a,b", -3)]))))
    assert rows == [["model", "bytes"], ["'=1+1", "5"], ["a,b", "-3"]]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", list(MODELS))
def test_the_bar_is_valid_and_says_the_bytes(name, dark):
    shape, device = MODELS[name], DEVICES["L4"]
    for n_tokens, batch in ((1, 1), (8192, 7), (2**20, 4096)):
        use = memory_use(shape, n_tokens, device, batch)
        _, words = checked(
            memory_bar(
                Sheet(dark, 1.15), shape, kv_factors(shape, n_tokens, batch), use.cache_bytes, (use, "L4", Fit(3, "of", batch))
            )
        )
        assert {f"{use.cache_bytes:,} bytes", f"<b>{decimal_bytes(use.cache_bytes)}</b>"} <= set(words)
        assert any("does not fit" in w for w in words) == (not use.fits)
        assert any(f"<b>{decimal_bytes(use.weight_bytes)}</b>" in w for w in words)


@pytest.mark.parametrize("phone", [False, True])
def test_the_bar_is_to_scale(phone):
    """Stripes of 56 caches could not be counted on a phone: each is a place now, all of the same area, as much as its bytes."""
    shape, device, colors = MODELS["Llama-3.1-8B"], DEVICES["A100-80"], palette(False)
    for n_tokens, batch in ((100_000, 1), (8192, 1), (8192, 5), (30_000, 2)):
        use = memory_use(shape, n_tokens, device, batch)
        fit = largest_batch(shape, n_tokens, device)
        each = use.cache_bytes / batch
        parts = shape, kv_factors(shape, n_tokens, batch), use.cache_bytes, (use, "A100-80", Fit(fit, "of", batch))
        figure = memory_bar(Sheet(phone=phone), *parts)
        both = colors.key, colors.value
        kept = [[box for one in boxes(figure, color) for box in one] for color in both]
        places = [[box for one in boxes(figure, faded(colors, color, PLACE)) for box in one] for color in both]
        assert [len(one) for one in kept] == [batch, batch] and [len(one) for one in places] == [fit - batch, fit - batch]
        gap, (weights,) = 1.5, area(figure, colors.bar)
        for x0, y0, x1, y1 in (box for part in (*kept, *places) for box in part):
            half = (x1 - x0 + gap / (PHONE if phone else WIDTH)) * (y1 - y0 + 2 * gap)  # of a place, and of the gaps around it
            assert half / weights == pytest.approx(each / 2 / use.weight_bytes, rel=0.01)


@pytest.mark.parametrize(("model", "device", "n_tokens"), [("GPT-2 small", "A100-80", 100), ("Llama-3.1-70B", "H200", 131_072)])
def test_places_that_are_too_small_to_be_counted_are_one_with_their_number(model, device, n_tokens):
    shape = MODELS[model]
    use, fit = memory_use(shape, n_tokens, DEVICES[device]), largest_batch(shape, n_tokens, DEVICES[device])
    parts = shape, kv_factors(shape, n_tokens), use.cache_bytes, (use, device, Fit(fit, "of", 1))
    for phone in (False, True):
        words = checked(memory_bar(Sheet(phone=phone), *parts))[1]
        assert (f"<b>{fit:,} × {decimal_bytes(use.cache_bytes)}</b>" in words) == (fit > 1000)


def boxes(figure, color):
    """The rectangles of each filled area of a colour."""
    for shape in figure.to_plotly_json()["layout"]["shapes"]:
        if shape.get("fillcolor") == color:
            numbers = [float(x) for x in re.findall(r"-?[\d.]+", shape["path"])]
            yield [(x0, y0, x1, y1) for x0, y0, x1, _, _, y1, *_ in zip(*(iter(numbers),) * 8, strict=True)]


def area(figure, color):
    """Of all filled areas of a colour, in pixels times shares of the width."""
    return [sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in one) for one in boxes(figure, color)]


def test_areas_of_caches_are_their_bytes():
    """They were bars without layers or heads: a model with windows has low layers among high ones."""
    shapes = [MODELS[name] for name in ("Llama-3.1-8B", "Gemma-3-27B", "DeepSeek-V3")]
    s = Setup(shapes[0], DEVICES["H200"], 1, 8192, 1, 16, 16)
    kept = [other_models._kept(s, shape) for shape in shapes]
    assert [sum(one.layers) for one in kept] == [one.n_bytes for one in kept]
    colors = palette(False)
    for phone in (False, True):
        figure = caches(Sheet(phone=phone), "of one", kept)
        keys, values = (area(figure, color) for color in (colors.key, colors.value))
        keys, values = keys, [*values, 0.0]  # of a latent there are no values
        whole = [k + v for k, v in zip(keys, values, strict=True)]
        wanted = [one.n_bytes / kept[0].n_bytes for one in kept]
        assert [one / whole[0] for one in whole] == pytest.approx(wanted, rel=0.02)


def test_a_cache_is_drawn_as_the_heads_that_it_keeps():
    """Beneath the heads stood a list of grey bars."""
    choices, sizes, colors = (32, 8, 1), (3200, 800, 100), palette(False)
    figure = head_groups(Sheet(), 32, 8, 8, choices, sizes).to_plotly_json()
    drawn = {
        color: [s["path"].count("Z") for s in figure["layout"]["shapes"] if s.get("fillcolor") == color]
        for color in (colors.key, faded(colors, colors.key, 0.5))
    }
    assert drawn == {colors.key: [8, 8], faded(colors, colors.key, 0.5): [32, 1]}


def test_caches_side_by_side_and_head_groups_are_valid():
    for names in (["GPT-2 small"], ["DeepSeek-V3", "Gemma-3-27B", "Llama-2-70B", "Llama-3.1-70B"]):
        shapes = [MODELS[n] for n in names]
        s = Setup(shapes[0], DEVICES["H200"], 1, 1000, 3, 16, 8)
        kept = [other_models._kept(s, shape) for shape in shapes]
        for phone in (False, True):
            _, words = checked(caches(Sheet(phone=phone), "of three", kept))
            assert all(f"<b>{decimal_bytes(shape.kv_bytes(1000, 3, 8))}</b>" in words for shape in shapes)
    for name, shape in MODELS.items():
        choices = kv_head_choices(shape)
        sizes = [with_kv_heads(shape, n).kv_bytes(100) for n in choices]
        for n in choices:
            assert checked(head_groups(Sheet(), shape.n_head, n, shape.n_kv_head, choices, sizes))[1], name
    assert checked(head_groups(Sheet(), 16_384, 16_384, 1, (16_384, 1), (10, 1)))[1]


def test_labels_keep_their_distance_and_steps_are_round():
    assert spread_out([5, 5, 5], 10, 0, 100) == [5, 15, 25] and spread_out([95, 99, 100], 10, 0, 100) == [80, 90, 100]
    assert [round_step(x / 7) for x in (7, 0.69, 90_000)] == [1, 0.1, 20_000]


def test_what_llama_cpp_would_log_is_on_the_page():
    # Logged: 1280.00 MiB for Llama-3.1-70B at 4096 cells, 128.00 MiB for Llama-3.2-1B.
    assert says(text(page("memory", model="Llama-3.1-70B", context="4096", slide=2)), "log", "1,280.00 MiB")
    assert says(text(page("memory", model="Llama-3.2-1B", context="4096", slide=2)), "log", "128.00 MiB")
    assert llama_cpp_kv_bytes(MODELS["Llama-3.2-1B"], 4096) == 128 * 2**20


def test_the_sum_is_shown_layer_by_layer_where_layers_differ():
    shown = text(page("memory", model="Gemma-3-27B", context="8192", slide=2))
    assert says(shown, "52", "window 1,024", "1,024")  # of 62 layers
    assert shown.count("| :--") == text(page("memory", slide=2)).count("| :--") + 1  # where all are alike there is no such table


def test_llama_cpps_line_is_left_out_where_it_is_not_known():
    logged = [
        any(says(c.value, "MiB") for c in page("memory", model=name, slide=2).caption) for name in ("Llama-3.1-8B", "DeepSeek-V3")
    ]
    assert logged == [True, False]
    shown = text(page("memory", model="Phi-3-mini", context="8192", slide=2))
    assert says(shown, "every token", "3,072.00 MiB")


MIXED = [  # a state in three of four layers; borrowed caches and no count of parameters; an index; other heads in other layers
    dict(
        model_type="qwen3_5_text", num_hidden_layers=64, hidden_size=5120, intermediate_size=17408, num_attention_heads=24,
        num_key_value_heads=4, head_dim=256, linear_num_key_heads=16, linear_num_value_heads=48, linear_key_head_dim=128,
        linear_value_head_dim=128, vocab_size=248320,
    ),
    dict(
        model_type="gemma3n_text", num_hidden_layers=35, hidden_size=2048, intermediate_size=[16384] * 35, num_attention_heads=8,
        num_key_value_heads=2, sliding_window=512, num_kv_shared_layers=15, vocab_size=262400,
    ),
    dict(
        model_type="deepseek_v32", num_hidden_layers=61, hidden_size=7168, intermediate_size=18432, num_attention_heads=128,
        vocab_size=129280, kv_lora_rank=512, q_lora_rank=1536, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128,
        n_routed_experts=256, num_experts_per_tok=8, n_shared_experts=1, moe_intermediate_size=2048, index_head_dim=128,
        index_n_heads=64, index_topk=2048,
    ),
    dict(
        model_type="mimo_v2_flash", num_hidden_layers=6, hidden_size=4096, intermediate_size=16384, num_attention_heads=64,
        num_key_value_heads=4, head_dim=192, v_head_dim=128, sliding_window=128, hybrid_layer_pattern=[0, 1, 1, 1, 1, 0],
        vocab_size=152576,
    ),
    dict(model_type="brandnew", num_hidden_layers=4, hidden_size=64, num_attention_heads=4),
]  # fmt: skip


@pytest.mark.parametrize("config", MIXED, ids=lambda config: config["model_type"])
def test_mixed_models_are_shown_on_every_hardware_page(config):
    at = paste(page("memory"), config)
    shape = pasted_config.read(json.dumps(config))
    assert f"{shape.kv_bytes(8192):,}" in " ".join(alternatives(at)) + text(at)
    assert says(text(at), "parameters", "not known") == bool(shape.doubt)
    other = page("roofline")
    of_visit(other, Pasted).shape = shape
    of_visit(other, Kept).extras = {"model": "pasted"}
    other.run()
    assert not other.exception


DOUBTFUL = {  # what was said of their parameters was off by so much
    "nemotron_h": dict(  # 2.2 ×
        model_type="nemotron_h", hidden_size=4096, num_attention_heads=32, num_key_value_heads=8, head_dim=128,
        intermediate_size=21504, vocab_size=131072, hybrid_override_pattern="M-M-M*-M-", mamba_num_heads=128, mamba_head_dim=64,
        ssm_state_size=128, n_groups=8,
    ),
    "doge": dict(  # 8,000 ×
        model_type="doge", hidden_size=1024, num_hidden_layers=8, num_attention_heads=8, num_key_value_heads=4,
        intermediate_size=2048, num_experts=16384, num_experts_per_tok=64, vocab_size=32768,
    ),
    "gemma3n_text": MIXED[1], "brandnew": MIXED[-1],
}  # fmt: skip


@pytest.mark.parametrize("config", DOUBTFUL.values(), ids=DOUBTFUL)
def test_nothing_that_follows_from_weights_is_claimed_of_a_model_whose_parameters_are_not_known(config):
    """A "rough estimate" was 2.2 to 8,000 times off, and users that fit, times and prices followed from it."""
    at = paste(page("memory"), config)
    shape = pasted_config.read(json.dumps(config))
    said = text(at) + " ".join(alternatives(at))
    known = page("memory", slide=1)
    assert shape.doubt and says(said, "parameters", "not known")
    assert "Memory of A100-80" in alternatives(known)[0] and "Memory" not in alternatives(at)[0]
    assert says(text(known), "Room", "tokens") and not says(said, "Room", "tokens")
    assert decimal_bytes(shape.weight_bytes(16)) not in said and f"{shape.n_params:,}" not in said
    assert f"{shape.kv_bytes(8192):,}" in said  # its cache is
    assert says(said, "Assumed", "not certain") == bool(shape.kv_doubt)
    other = page("roofline", extras_of(at), slide=1)
    assert says(text(other), "Llama-3.1-8B", "parameters", "not known")
    assert next(w for w in other.selectbox if w.key == "extra_model").value == "Llama-3.1-8B"


def extras_of(at):
    """The link that a visit has come to."""
    return {name: said for name, said in selected(at).items() if said and name != "steps"}


@pytest.mark.parametrize("config", FILES + MIXED, ids=lambda config: config.get("model_type", "?"))
def test_a_sentence_on_what_fits_is_about_known_weights(config):
    """Every configuration of these tests: what fits is said of those, and only those, whose parameters are counted."""
    shape = pasted_config.read(json.dumps(config))
    s = Setup(shape, DEVICES["H200"], 8, 2048, 1, shape.stored_bits or 16, 16)
    assert ("not known" in steps.fits_said(s)) == bool(shape.doubt) == ("parameters" not in steps.size_question(s).why)
    assert ("Assumed" in steps.size_question(s).why) == bool(shape.kv_doubt or shape.d_index)


def test_llama_cpps_formats_take_what_its_files_do():
    """Bits a weight of whole files (llama.cpp, tools/quantize/README.md, Llama 2 7B): a little of each is in a wider format."""
    printed = {"Q8_0": 8.5, "Q6_K": 6.56, "Q5_K": 5.52, "Q4_K": 4.58, "Q3_K": 3.5, "Q4_K_M": 4.84}
    offered = {name.split()[-1]: bits_of(bits, MODELS["Llama-3.1-8B"]) for bits, name in WEIGHT_FORMATS.items() if "GGUF" in name}
    assert set(offered) == set(printed)
    assert all(printed[name] * 0.98 <= bits <= printed[name] + 0.01 for name, bits in offered.items())


def test_the_cache_that_was_asked_for_is_drawn_beside_the_guess():
    at = page("memory", slide=2)
    (before, alt), *_ = figures(at)
    assert "at 100,000 tokens: ?." in alt and "13.1" not in alt + str(before["data"][-1]["text"])
    commit(at, "cache_size", 20)
    (figure, alt), *_ = figures(at)
    assert figure["layout"]["height"] == before["layout"]["height"]
    assert "Llama-3.1-8B at 100,000 tokens: 13.1 GB" in alt and {"<b>13.1 GB</b>", "your guess: 20 GB"} <= set(
        figure["data"][-1]["text"]
    )


def test_scales_that_a_file_has_and_that_are_not_counted_are_said_to_be_left_out():
    """DeepSeek-V3's file has one for each 128 × 128 numbers; gpt-oss's are counted, at 4.25 bits a number."""
    for name, bits, left in (("DeepSeek-V3", "file", True), ("DeepSeek-V3", "8", False), ("gpt-oss-20b", "file", False)):
        at = page("memory", model=name, bits=bits, slide=2)
        assert any("s file, and what a program needs" in c.value for c in at.caption) == left


def test_where_sequences_are_short_the_bar_is_full_with_what_a_pass_takes():
    """“46,556 fit”, and a quarter of the bar was empty: rows and logits of a pass over all of them were drawn for one."""
    ((figure, _),) = figures(page("memory", {"context": "128", "model": "Falcon-7B", "slide": "1"}))
    assert {"rows and logits", "of a pass"} <= set(figure["data"][-1]["text"])
    shape, device = MODELS["Falcon-7B"], DEVICES["A100-80"]
    n = largest_batch(shape, 128, device)
    most = memory_use(shape, 128, device, n)
    assert most.fits and most.room_bytes < most.total_bytes / n and most.activation_bytes > most.cache_bytes / 4


@pytest.mark.parametrize(
    "link",
    [dict(model="Qwen2.5-0.5B", device="T4", context=16, batch=4096), dict(model="SmolLM2-135M", device="T4", context=30, batch=4096),
     dict(model="Falcon-7B", context=128), dict(model="Falcon-7B", context=128, batch=9000),
     dict(model="Qwen2.5-0.5B", context=64, reserved=3)],
    ids=str,
)  # fmt: skip
def test_rows_and_logits_are_those_of_a_pass_over_all_that_fit(link):
    """“7.71 GB” of 10.29: what a pass over all took more than one over those that were typed, whose part lay unnamed at the left."""
    parameters = {name: str(value) for name, value in link.items()}
    ((figure, _),) = figures(page("memory", {**parameters, "slide": "1"}))
    shape, device = MODELS[link["model"]], DEVICES[link.get("device", "A100-80")]
    memory = dict(usable=0.9, reserved_bytes=int(1e9 * link.get("reserved", 0)))
    n = largest_batch(shape, link["context"], device, **memory)
    use = memory_use(shape, link["context"], device, n, **memory)
    words = figure["data"][-1]["text"]
    assert f"<b>{n:,} fit</b>" in words and words[words.index("of a pass") + 1] == f"<b>{decimal_bytes(use.activation_bytes)}</b>"
    line = palette(False).line
    corners = [re.findall(r"-?[\d.]+", shape["path"]) for shape in figure["layout"]["shapes"] if shape.get("fillcolor") == line]
    drawn = sum(float(x1) - float(x0) for x0, _, x1, *_ in corners)  # of the whole width
    assert drawn == pytest.approx((use.activation_bytes + use.reserved_bytes) / (1.06 * use.device_bytes), abs=1e-4)
