"""The lesson on server logs: every example adds up as it did where it was printed, and a stranger's log is read or refused."""

import pytest
from app_pages import press
from hardware_pages import alternatives, commit, page, text

from engine.serving.log_lines import read_log
from pages.lessons.serverlog import steps
from pages.lessons.serverlog.examples import EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_understood(name):
    at = page("serverlog", log=name)
    assert f"Printed by {' and '.join(read_log(EXAMPLES[name].text).programs)}" in text(at).replace("*", "")
    assert EXAMPLES[name].source.split(",")[0] in text(at)


def test_what_a_line_says_is_in_the_part_of_it_that_is_shown():
    assert "kv_cache_size=3.81GiB" in text(page("serverlog")).replace("\\", "")
    long = read_log("x" * 300 + " GPU KV cache size: 78,384 tokens " + "y" * 300)
    assert "78,384" in long.lines[1] and len(long.lines[1]) <= 160 and "78,384" in steps._cut(long, 1)


def test_a_step_with_nothing_to_show_offers_a_log_that_has_it():
    at = page("serverlog")
    press(at, "read_bench")
    assert "822 at once" in " ".join(alternatives(at)) and "This log says nothing" in at.info[0].value
    press(at, "read_one-card")
    assert "31,232 tokens" in text(at)


def test_a_token_is_worked_out_from_two_lines_and_then_shown():
    at = page("serverlog")
    assert "bytes a token: printed ?, expected ?." in alternatives(at)[0]
    said = commit(at, "log_token", 128.0)  # 2 · 32 layers · 8 heads · 128 · 2 bytes = 131,072 bytes = 128 KiB
    assert "Near enough" in said
    assert "expected 131,072 bytes" in alternatives(at)[0] and "All of it adds up" in text(at)


def test_what_contradicts_itself_is_said():
    assert "33.04 sequences of 32,768 would be 1,082,655 tokens" in text(page("serverlog", log="two-lines"))


def test_the_examples_model_is_chosen_unless_the_link_names_one():
    at = page("serverlog", log="llama-cpp")
    assert "layers with a cache: printed 80, expected 80." in alternatives(at)[0]
    at = page("serverlog", log="llama-cpp", model="Llama-3.1-8B")
    assert "layers with a cache: printed 80, expected 32." in alternatives(at)[0]


def test_a_benchmark_stands_beside_its_bound_and_a_log_without_times_says_so():
    assert "822 at once" in " ".join(alternatives(page("serverlog", log="bench")))
    assert "This log has no times" in page("serverlog").info[0].value


@pytest.mark.parametrize("pasted", ["", "hello [x](http://evil.tld) :red[y]", "<script>p()</script>", "\n" * 6000])
def test_a_log_that_says_nothing_leaves_the_last_one(pasted):
    at = page("serverlog")
    at.text_area(key="log_text").input(pasted)
    at.button(key="FormSubmitter:form_log-Read it").click().run()
    assert not at.exception and len(at.warning) == 1 and "xpected" in at.warning[0].value
    assert "31,232 tokens" in text(at)


def test_ones_own_log_is_read_and_stays_in_the_visit():
    at = page("serverlog")
    at.text_area(key="log_text").input(
        "INFO GPU KV cache size: 1,000 tokens\nnothing\n<b>Available KV cache memory: 0.13 GiB</b>"
    )
    at.button(key="FormSubmitter:form_log-Read it").click().run()
    assert not at.exception and "has room for **1,000 tokens**" in text(at) and "2 of 3 lines" in text(at)
    assert "1,000" not in str(at.session_state["extras"])
    elsewhere = page("serverlog", log="pasted")  # its link on another machine
    assert "31,232 tokens" in text(elsewhere)
