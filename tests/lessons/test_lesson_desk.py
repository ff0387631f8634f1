"""The desk: eight configurations answered on one screen, published figures within their error, everything in the link."""

import json
import re

import pytest
from app_pages import FIXTURES, says, selected
from hardware_pages import alternatives, page, text
from said import plain

from engine.cost import DEVICES, MODELS, Demand, Efficiency, sizing
from engine.cost.desk.published_times import PUBLISHED
from engine.toy.scenario import Scenario
from pages.lessons.memory import desk, notebook
from pages.parts.hardware import short_config
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import as_ipynb
from pages.parts.text.amounts import amount, money, seconds
from pages.parts.visit import scenario

ANSWERS = ("a token", "Concurrency", "And at", "TTFT", "TPOT", "Goodput", "10⁶ tokens", "Energy")


def shown(**link):
    """What the figure of the desk says, in words."""
    return alternatives(page("memory", {"slide": 1, **link}))[0]


@pytest.mark.parametrize(
    ("model", "each", "product"),
    [  # KV cache of a token in 16 bits: published, or recomputed by hand from the published configuration
        ("Llama-3.1-70B", "327,680 B", "2 × 8 × 128 × 80 × 2"),
        ("DeepSeek-V3", "70,272 B", "(512 + 64) × 61 × 2"),
        ("OPT-13B", "819,200 B", "2 × 40 × 128 × 40 × 2"),
        ("Qwen3-0.6B", "114,688 B", "2 × 8 × 128 × 28 × 2"),
        ("Gemma-2-9B", "344,064 B", "2 × 8 × 256 × 42 × 2"),
    ],
)
def test_bytes_a_token_are_the_multiplication_that_they_are(model, each, product):
    said = shown(model=model)
    assert each in said and product in said
    assert eval(product.replace("×", "*")) == int(each[:-2].replace(",", "")) == MODELS[model].kv_bytes_per_token()


def test_every_answer_is_that_of_the_one_call_and_of_the_link():
    link = dict(
        model="Llama-3.1-70B", device="H100 SXM", n_devices="4", kv_bits="8", context="32768", p="4000", g="300", price="12",
        watts="2800", ttft_limit="2000", tpot_limit="40", cached="50", usable="0.85", reserved="1.5", mfu="50", mbu="70", link="300",
    )  # fmt: skip
    found = sizing(
        MODELS["Llama-3.1-70B"], DEVICES["H100 SXM"], Demand(32_768, 4000, 300, 0.5, 2.0, 0.04), Efficiency(0.5, 0.7, 300e9), 0.85,
        1_500_000_000, kv_bits=8, n_devices=4,
    )  # fmt: skip
    said, prices = shown(**link), found.prices(12.0)
    assert all(name in said for name in ANSWERS)
    assert says(said, f"{found.n_full:,}", f"{found.n_typed:,}", f"limits {found.batch:,}")
    for times in (found.ttft, found.tpot):
        assert says(said, seconds(times.estimate_s), "bound", seconds(times.bound_s))
    assert says(said, amount(300 * found.answers_per_s), money(prices.input), money(prices.output), money(prices.blended))
    assert f"{amount(found.energy_j(2800))} J" in said


def test_every_setting_is_in_the_notebook_whose_numbers_come_out(monkeypatch):
    link = dict(
        model="Llama-3.1-70B", device="H100 SXM", n_devices="4", bits="8", kv_bits="8", context="32768", p="4000", g="300", price="12",
        watts="2800", ttft_limit="2000", tpot_limit="40", cached="50", usable="0.85", reserved="1.5", mfu="50", mbu="70", link="300",
        batch="7",
    )  # fmt: skip
    monkeypatch.setattr(scenario, "current", Scenario.article)
    monkeypatch.setattr(scenario, "extra", lambda name: link.get(name, ""))
    monkeypatch.setattr(scenario, "set_extra", lambda name, text: None)
    cells = json.loads(as_ipynb(notebook.cells("How many?")))["cells"]
    source = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    asked, reached = Demand(32_768, 4000, 300, 0.5, 2.0, 0.04, 7), Efficiency(0.5, 0.7, 300e9)
    for said in (repr(asked), repr(reached), '"usable"] = 0.85', "1500000000", "prices(12.0)", "energy_j(2800.0)"):
        assert said in source
    exec(source, {"print": lambda *_: None})


def test_the_largest_batch_is_said_with_what_one_more_would_meet():
    assert says(text(page("memory", slide=1)), "at once", "one more", "TPOT")
    assert says(text(page("memory", slide=1, tpot_limit="1000", ttft_limit="10000")), "at once", "memory is full")
    assert says(text(page("memory", slide=1, ttft_limit="10")), "prompt alone", "nobody")
    assert says(text(page("memory", slide=1, tpot_limit="1")), "Even alone", "nobody")
    eight = page("memory", slide=1, batch="8")
    assert says(text(eight), "8 at once") and says(alternatives(eight)[0], "TPOT, 8 at once")


def test_sequences_that_are_longer_than_the_model_was_trained_for_are_said_to_be():
    """“103 sequences at once of 100,000 + 4,096 tokens” of a model that was trained for 40,960."""
    for n_prompt, longer in ((100_000, True), (40_942, True), (40_941, False)):
        s = Setup(MODELS["Qwen3-0.6B"], DEVICES["B200"], 1, 8192, 1, 16, 16)
        said = desk._served(s, sizing(s.shape, s.device, Demand(8192, n_prompt, 20)))
        assert ("than the 40,960 that" in said) == longer and "at once" in said


@pytest.mark.parametrize(("g", "batch"), [(1, ""), (1, "1"), (2, "7"), (2, ""), (200, "4096"), (200, "1")])
def test_answers_of_the_desk_agree_with_one_another(g, batch):
    """“Goodput, tokens a second: 216, 27.4 answers a second” of one token each; “within the limits 1” where one was asked for;
    “even alone a token takes 7 ms: nobody is served” of answers without a second token; “cached 0” with nothing in a cache."""
    link = dict(slide=1, model="Llama-3.1-8B", device="H100 SXM", p="500", g=str(g), batch=batch, price="3", tpot_limit="8")
    asking = Demand(8192, 500, g, tpot_limit_s=0.008, batch=int(batch or 0))
    found, said = sizing(MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], asking), shown(**link)
    goodput, each = (
        float(x.replace(",", "")) for x in re.search(r"Goodput, tokens a second: (\S+), (\S+) answers", said).groups()
    )
    assert goodput == pytest.approx(g * each, rel=0.01)
    asked = bool(batch) and found.batch == int(batch)
    assert ("asked for" in said, "within the limits" in said) == (asked, not asked) and found.batch
    assert "cached" not in said and "cached" in shown(**link, cached="50")
    assert ("nobody" in text(page("memory", **link | {"tpot_limit": "1"}))) == (g > 1)
    assert f"Of 500 + {g:,} token" in plain(text(page("memory", **link)))
    assert (
        ("TPOT ≤" in text(page("memory", **link))) == ("one token, no step" not in said) == (g > 1)
    )  # a limit that nobody waits for


def test_a_little_energy_is_not_none():
    """“Energy of an answer: 0 J” of a watt for 359 µs."""
    said = shown(model="SmolLM2-135M", device="RTX 3090", p="1", g="1", watts="1")
    assert float(re.search(r"Energy of an answer: (\S+) J", said)[1]) > 0


def test_how_far_an_estimate_is_off_is_on_the_page():
    said = desk._how_estimated()
    assert int(re.search(r"within (\d+)%", said)[1]) <= 35 and f"{len(PUBLISHED)} published" in said
    assert says(said, "60%", "80%", "200 GB/s", "TensorRT-LLM", "gpt-fast")


def test_a_device_of_ones_own_is_three_numbers():
    own = dict(own_gb="96", own_gb_per_s="1792", own_tflops="500")
    at = page("memory", slide=1, device="Your device", **own)
    assert "your device" in alternatives(at)[0] and "86.4 GB" in alternatives(at)[0]
    assert "your device" in alternatives(page("roofline", slide=1, device="Your device", **own))[0]
    assert (
        "A100-80" in alternatives(page("memory", slide=1, device="Your device", own_gb="96", own_tflops="500"))[0]
    )  # one is missing


def test_what_is_typed_goes_into_the_link():
    at = page("memory", slide=1)
    for key, number in (("extra_context", 20_000), ("extra_p", 777), ("extra_g", 33), ("extra_price", 2.5), ("extra_batch", 5)):
        next(w for w in at.number_input if w.key == key).set_value(number).run()
    assert not at.exception
    kept = {name: said for name, said in selected(at).items() if said}
    assert kept.items() >= {"context": "20000", "p": "777", "g": "33", "price": "2.5", "batch": "5"}.items()
    again = page("memory", kept)
    assert alternatives(again)[0] == alternatives(at)[0] and "20,000 tokens" in alternatives(again)[0]


NONSENSE = dict(
    mfu="0", mbu="1e9", link="-1", usable="0", cached="nan", own_gb="1e300", own_gb_per_s="1e-300", own_tflops="x", ttft_limit="0",
    tpot_limit="99999999999", batch="0", price="inf", watts="-5", device="Your device",
)  # fmt: skip


def test_a_link_of_nonsense_is_answered():
    """The extremes of all hardware lessons are opened in test_lesson_memory.py."""
    said = alternatives(page("memory", **NONSENSE))[0]  # on all steps
    assert "bytes" in said and " nan" not in said and " inf " not in said


def test_all_answers_are_a_table_behind_a_press():
    """They were eight large numbers beside the one that the screen is about."""
    said = text(page("memory", slide=1))
    assert all(f"\n| {name}" in said or f"\n| {name[0].lower()}{name[1:]}" in said for name in ANSWERS if name != "a token")
    assert says(said, "KV cache a token", "131,072 B", "2 × 8 × 128 × 32 × 2")


def test_a_pasted_files_latent_and_index_key_are_in_the_multiplication():
    """61 · (512 + 64 + 128) · 2, where 42,944 was shown and no sentence named the index key."""
    packed = short_config.pack((FIXTURES / "deepseek_v32_exp_config.json").read_text("utf-8"), 64_000)
    said = shown(model="pasted", config=packed, device="H200", n_devices="8", context="131072")
    assert "85,888 B, (512 + 64 + 128) × 61 × 2" in said and 85_888 == (512 + 64 + 128) * 61 * 2
    assert "Assumed" in said  # that the index has as many bits as the cache


def test_one_answer_a_second_is_one():
    """“1 answers a second”, of 0.999."""
    at = page("memory", model="gpt-oss-120b", device="Apple M2 Ultra", context="5000", batch="1", p="500", g="90", slide=1)
    assert re.search(r"\b1 answer a second", "".join(alternatives(at)) + text(at)) and "1 answers" not in text(at)
