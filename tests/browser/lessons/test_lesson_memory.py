"""The lesson on the cache's size in a real browser: a length typed by keyboard alone, a table saved, a config.json pasted."""

import json

from driving import settled
from reading import tab_to, texts, turn_to, until

CONFIG = {
    "_name_or_path": "Somebody's 1.5B", "model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 1536,
    "num_attention_heads": 12, "num_key_value_heads": 2, "intermediate_size": 8960, "vocab_size": 151936,
    "max_position_embeddings": 131072, "tie_word_embeddings": True,
}  # fmt: skip


def test_a_length_is_typed_by_keyboard_alone_a_table_saved_and_a_model_pasted_and_sent_on(visit):
    page = visit("/memory")
    assert {"1,073,741,824 bytes", "1.07 GB"} <= set(texts(page))
    tab_to(page, ".st-key-memory_on button")
    page.keyboard.press("Enter")
    tab_to(page, ".st-key-extra_context input")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("16384")
    page.keyboard.press("Enter")
    until(page, lambda: " ".join(texts(page)), "2,147,483,648 bytes")
    page.wait_for_function("location.search.includes('context=16384')")
    settled(page)
    page.keyboard.press("Escape")
    turn_to(page, 2)
    saves_the_table(page)
    turn_to(page, 1)
    uses_a_pasted_model(page)
    assert "469,762,048 bytes" in " ".join(texts(page))
    assert "469,762,048 bytes" in " ".join(texts(visit(page.url)))


def saves_the_table(page):
    page.locator(".st-key-memory_all_numbers button").first.click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as CSV").click()
    lines = waiting.value.path().read_text("utf-8").splitlines()
    assert waiting.value.suggested_filename == "kv_cache.csv"
    assert lines[0].startswith("model,attention,n_layer") and lines[1].startswith(
        "Llama-3.1-8B,GQA,32,8,128,8030261248,16,16060522496"
    )


def uses_a_pasted_model(page):
    """It goes into the link, where nobody reads its name."""
    page.get_by_text("config.json").click()
    page.locator("textarea").fill(json.dumps(CONFIG))
    page.get_by_role("button", name="Use this model").click()
    until(page, lambda: " ".join(texts(page)), "469,762,048 bytes")
    page.wait_for_function("location.search.includes('model=pasted')")
    assert "Somebody" not in page.url and "1536" not in page.url
