"""What keeps drawing cheap to change: short builders that are handed few things, and colours that stand in the palette alone."""

import ast
import re
import tomllib

import pytest
from app_pages import ROOT

from pages.parts.drawing.palette import DARK, LIGHT, css_variables

MOST_LINES, MOST_ARGUMENTS = 60, 7
HEX = re.compile(r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b", re.I)
PALETTE = "pages/parts/drawing/palette.py"
# A colour in a file of a page or the server; "#root" and "#cell-" are no colours, and no name of a colour has six letters of a to f.
SHEETS = [path for kind in ("py", "css", "js", "html") for path in (*ROOT.glob(f"pages/**/*.{kind}"), *ROOT.glob(f"*.{kind}"))]
BUILDERS = [*ROOT.glob("pages/lessons/*/figures/*.py"), *ROOT.glob("pages/parts/drawing/*.py")]


def too_large(source):
    """(name, lines, arguments) of every function that is over a bound; the object that a method belongs to does not count."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            named = [
                a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs) if a.arg not in ("self", "cls")
            ]
            lines = node.end_lineno - node.lineno + 1
            if lines > MOST_LINES or len(named) > MOST_ARGUMENTS:
                yield node.name, lines, len(named)


def test_no_builder_is_long_or_is_handed_many_things():
    found = {path.relative_to(ROOT).as_posix(): list(too_large(path.read_text("utf-8"))) for path in BUILDERS}
    assert len(found) > 50 and {path: some for path, some in found.items() if some} == {}


def test_a_builder_that_is_too_large_is_seen():
    long = "def f(a):\n" + "    a()\n" * MOST_LINES
    many = f"class A:\n    def f(self, {', '.join('abcdefgh')}): ..."
    assert [*too_large(long)] == [("f", MOST_LINES + 1, 1)] and [*too_large(many)] == [("f", 1, 8)]
    assert not [*too_large("class A:\n    def f(self, a, b, c, d, e, f, *, g): ...")]


def test_a_colour_stands_in_the_palette_alone():
    found = {path.relative_to(ROOT).as_posix(): HEX.findall(path.read_text("utf-8")) for path in SHEETS}
    assert found.pop(PALETTE) and {path: colours for path, colours in found.items() if colours} == {}


@pytest.mark.parametrize(
    ("text", "colours"), [("a{color:#fff;}", 1), ('"#0B5CAD"', 1), ("#12345678 #abcd", 2), ("#root #cell-1", 0)]
)
def test_a_colour_is_seen_wherever_it_stands(text, colours):
    assert len(HEX.findall(text)) == colours


def test_style_sheets_use_only_colours_that_there_are():
    known, own = set(re.findall(r"--(\w+):", css_variables())), r"(?<![\w-])--([a-z]+)\s*:|setProperty\(\"--([a-z]+)"
    sheets = {path: path.read_text("utf-8") for path in SHEETS if path.suffix in (".css", ".js")}
    set_there = {name for text in sheets.values() for pair in re.findall(own, text) for name in pair if name}
    used = {name for text in sheets.values() for name in re.findall(r"var\(--([a-z]+)[,)]", text)}
    assert used <= known | set_there and {"prefill", "decode", "bar"} <= used & known and not known & set_there


def test_no_sheet_asks_for_an_attribute_that_every_element_has_of_what_is_in_a_box():
    """A box that has [class*="..."] or [data-testid="..."] in it: Chromium then works out the whole page's style at every change."""
    asked = re.compile(r":has\((?:[^()]|\([^()]*\))*(?:\([^()]*)?\[(?:class|data-testid|type|role|aria-\w+)\b")
    assert asked.search('.line:has(:is(.a, [class*="st-key-here_"])) > *')
    assert [path.name for path in SHEETS if path.suffix == ".css" and asked.search(path.read_text("utf-8"))] == []


def test_no_sheet_ends_in_nothing_that_is_named_behind_a_part_of_a_class():
    """[class*="..."] > :first-child: a class that changes, as with what waits for the server, had all that is in its box worked out."""
    ends = re.compile(r"\[class\*=[^,{}]*[\s>+~](?:\*|(?::(?!is|where)[\w-]+)+)\s*[,{]")
    read = lambda css: ends.search(re.sub(r"\([^()]*\)", "", css))  # noqa: E731
    assert read('[class*="a_"] > :first-child, b {') and read('[class*="a_"] b > * {') and read('[class*="a_"] > :nth-child(2) {')
    assert not read('[class*="a_"] > .b:last-child { c: d } [class*="a_"] :is(b, c), d > * {')
    assert [path.name for path in SHEETS if path.suffix == ".css" and read(path.read_text("utf-8"))] == []


def test_streamlits_own_theme_has_the_colours_of_the_palette():
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    for name, colors in (("light", LIGHT), ("dark", DARK)):
        of = theme[name]
        named = [of[f"{key}Color"] for key in ("background", "text", "link", "border", "grayText", "primary")]
        assert named == [colors.surface, colors.ink, colors.ink, colors.line, colors.muted, colors.ink]


def test_what_a_phones_page_styles_is_no_part_of_the_machine():
    """“tbt-here” was the small machine beneath a phone's title and where the machine plays: beside each other the former was 3 pixels."""
    phone, frame, machine = (
        set(re.findall(r"\.(tbt-[\w-]+)", (ROOT / css).read_text("utf-8")))
        for css in ("pages/app/phone.css", "pages/app/frame.css", "pages/parts/lesson/machine/machine.css")
    )
    assert "tbt-columns" in frame - machine and not phone & machine
