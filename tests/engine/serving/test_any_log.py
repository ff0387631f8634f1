"""Any number in any line: every rule is met with 0, fractions and what no server has, and nothing but sentences comes of it."""

from any_log import LINES, logs
from hypothesis import given
from hypothesis import strategies as st

from engine.cost import DEVICES, MODELS
from engine.serving.does_not_fit import remedy
from engine.serving.lines.log_rules import RULES
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.starts import runs_stated

CHOSEN = [None, "Llama-3.1-8B", "DeepSeek-V3", "Gemma-3-27B", "gpt-oss-20b", "Falcon-7B"]
BITS = st.sampled_from([None, 4, 8, 16])


def test_every_rule_has_its_line_here():
    text = [line.format(*["8"] * line.count("{}")) for line in LINES]
    assert [rule.pattern.pattern for rule in RULES if not any(rule.pattern.search(line) for line in text)] == []


def is_a_sentence(text):
    return text == "" or (text[0] != " " and "nan" not in text and "inf " not in text and "{" not in text)


@given(logs(), st.sampled_from(CHOSEN), st.sampled_from([None, 1, 3, 32]), BITS, BITS)
def test_any_log_makes_sentences_only(text, model, n_devices, kv_bits, weight_bits):
    shape = model and MODELS[model]
    try:
        log = read_log(text)
    except ValueError as refused:
        assert str(refused).startswith(("Expected at most", "Found no line"))
        return
    for check in cache_checks(log, shape, n_devices, kv_bits, weight_bits):
        assert is_a_sentence(check.how) and is_a_sentence(check.why)
        assert check.agrees != bool(check.why) and check.printed < float("inf")
    assert log.lines.keys() >= {one.line for one in (*log.figures, *log.words)}
    has_times(log)
    assert runs_stated(log) != 1
    found = remedy(log)
    assert found is None or (found.fits >= 0 and (found.usable is None or 0 < found.usable <= 1))
    if shape and not shape.doubt:
        for time in times(
            log, shape, DEVICES["A10"], weight_bits=weight_bits or 16, kv_bits=kv_bits or 16, n_devices=n_devices or 1
        ):
            assert time.least_s > 0 and is_a_sentence(time.how)
