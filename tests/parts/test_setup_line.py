"""The line that says on each step of the hardware lessons what it computes with."""

from dataclasses import replace

import pytest
from app_pages import says, visited

from engine.cost import DEVICES, MODELS
from pages.lessons.many import load
from pages.parts.hardware.setup import Setup
from pages.parts.hardware.setup_line import in_words


def test_it_names_model_device_bits_lengths_and_batch():
    s = Setup(MODELS["Gemma-3-27B"], DEVICES["H200"], 2, 2048, 4, 4.5, 8)
    assert says(in_words(s, 200).replace("\\", ""), "27B", "2 × H200", "4.5-bit", "8-bit", "2,048 + 200 tokens", "batch 4")
    assert says(in_words(s), "2,048 tokens") and "batch" not in in_words(s, batch=False)


def test_on_a_phone_it_is_one_line_that_says_of_bits_only_what_is_unusual():
    """It took two lines above every figure."""
    usual, few = (Setup(MODELS["Llama-3.1-8B"], DEVICES["A100-80"], 1, 512, 1, bits, 16) for bits in (16, 4.5))
    assert in_words(usual, 128, False, short=True).replace("\\", "") == "Llama-3.1-8B on A100-80 · 512 + 128 tokens"
    assert "4.5-bit parameters, 16-bit cache" in in_words(few, short=True)


LESSON_STEPS = [("roofline", k) for k in (2, 3, 4)] + [("memory", k) for k in (2, 3, 4)] + [("many", 3)]


@pytest.mark.parametrize(("lesson", "slide"), LESSON_STEPS)
def test_each_step_without_selectors_has_it(lesson, slide, monkeypatch):
    monkeypatch.setattr(load, "SHOWN_AFTER_S", 0)  # it stands there before what the step computes
    at = visited(lesson, steps="", slide=str(slide), device="H200", n_devices="2")
    assert any(
        says(c, "Llama", "2 × H200", "16-bit", "tokens") for c in (*(c.value for c in at.caption), *(b.label for b in at.button))
    )


def test_a_mean_of_bits_is_said_to_be_one():
    """“5.26-bit parameters”: gpt-oss-20b's file has numbers of 4.25 bits and of 16."""
    shape = MODELS["gpt-oss-20b"]
    own = Setup(shape, DEVICES["L4"], 1, 100, 1, shape.stored_bits, 16)
    assert " · 5.26-bit parameters on average, 16-bit cache · " in in_words(own)
    assert " · 8-bit parameters, 16-bit cache · " in in_words(replace(own, weight_bits=8))
