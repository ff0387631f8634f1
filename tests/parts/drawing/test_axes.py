"""A scale of bytes beneath a bar: every label stands where its number is."""

from hypothesis import given
from hypothesis import strategies as st

from pages.parts.drawing.axes import byte_ticks
from pages.parts.drawing.sheet import Sheet

UNITS = {"GB": 1e9, "TB": 1e12, "PB": 1e15}


@given(st.floats(1e6, 1e18))
def test_a_label_of_bytes_stands_where_its_number_is(most):
    sheet = Sheet()
    byte_ticks(sheet, most, 100.0)
    words = sheet.figure(140).data[-1]
    (first, *labels), (x0, *places) = words.text, words.x
    assert first[:2] == "0 " and x0 == 0 and 1 <= len(labels) <= 8
    unit = UNITS[first[2:]]
    for label, x in zip(labels, places, strict=True):
        assert abs(float(label.replace(",", "")) * unit / most - x) < 2e-3
