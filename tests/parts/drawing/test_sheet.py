"""What a sheet knows of the width of words, and how high it is drawn."""

from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from pages.parts.drawing.sheet import Sheet, bold_ems, ems, short, type_size

# Chromium draws them so wide in Source Sans at 100 pixels, in type sizes; and so wide in bold.
MEASURED = {
    "prompt doubled": (6.84, 7.16),
    "Mississippi": (4.45, 4.83),
    "weather": (3.43, 3.68),
    "score products, recomputing everything": (16.66, 17.73),
    "12,345.678": (4.47, 4.84),
}


def test_a_text_is_as_wide_as_it_is_drawn_and_little_more():
    for text, (wide, in_bold) in MEASURED.items():
        assert wide <= ems(text) <= 1.12 * wide, text
        assert in_bold <= bold_ems(text) <= 1.12 * in_bold, text


@given(st.text(max_size=24), st.floats(1, 300), st.floats(8, 20), st.booleans())
def test_a_text_in_its_type_size_fits_and_is_not_cut(text, pixels, most, strong):
    size = type_size(text, pixels, most, strong=strong)
    assert 0 < size <= most and size * (bold_ems if strong else ems)(text) <= pixels * (1 + 1e-9)
    assert unescape(short(text, pixels, size, strong)) == text
    assert type_size(text, pixels, most, 7.0, strong) == max(7.0, size)


@given(st.text(min_size=1, max_size=24), st.floats(1, 300), st.floats(8, 20))
def test_what_is_cut_fits_and_more_would_not(word, pixels, size):
    shown, room = unescape(short(word, pixels, size)), pixels / size + 0.1
    if shown != word:
        kept = shown.removesuffix("…")
        assert word.startswith(kept) and shown.endswith("…") and ems(word) > room
        assert len(kept) == 1 or ems(shown) <= room + 1e-9
        assert ems(word[: len(kept) + 1] + "…") > room


def test_what_is_drawn_once_on_a_sheet_is_the_same_and_is_made_once():
    made = []

    def draw(sheet):
        made.append(sheet)
        sheet.write(0.5, 10, "word")
        sheet.bar(0, 0, 1, 1, sheet.colors.hole)

    def drawn(key, **how):
        sheet = Sheet(**how)
        sheet.write(0, 0, "first")
        sheet.draw_once(key, lambda: draw(sheet))
        sheet.write(1, 1, "last")
        return sheet.figure(20).sent()

    assert drawn("test") == drawn("test") and len(made) == 1
    assert drawn("another") == drawn("test") and len(made) == 2
    assert drawn("test", dark=True) == drawn("test", dark=True) != drawn("test") and len(made) == 3


def test_a_figure_is_drawn_out_to_the_room_there_is_and_no_further():
    def high(**room):
        drawn = Sheet(**room)
        drawn.write(0.5, 100, "word")
        return drawn.figure(200).layout

    assert high().height == 200 and high(high=195).height == 195
    assert high(high=300).height == 300 and high(high=9000).height == 360 and high(high=20).height == 180
    assert high(high=300).yaxis.range == high().yaxis.range  # all of it moves with the height
    assert high(zoom=1.15, high=300).height == 300
