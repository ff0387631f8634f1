"""What a student takes home: figures and tables as files out of the browser, and what is set as a file that brings it back."""

import io
import json
import re

from driving import LESSONS, settled
from PIL import Image, ImageChops, ImageFilter, ImageStat
from reading import by_the_address, until

MOST_APART = 14.0  # of 255, between a saved picture and the page's: 10 in the same type, 18 in another


def open_box(page):
    page.locator(".st-key-take_home button").first.click()
    page.get_by_role("button", name="Figure 1 as SVG").wait_for()
    settled(page)  # what is saved is made where it is asked for: the button of a run before it saves nothing


def saved(page, name):
    """The bytes behind a button, and the file's name."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile(name)).first.click()
    return waiting.value.path().read_bytes(), waiting.value.suggested_filename


def test_figures_and_tables_are_files(visit):
    page = visit("/memory?slide=2", color_scheme="dark")
    open_box(page)
    svg, name = saved(page, "Figure 1 as SVG")
    assert name == "memory-figure-1.svg" and svg.startswith(b"<svg") and "Llama-2-7B" in svg.decode()
    png, name = saved(page, "Figure 1 as PNG")
    picture = Image.open(io.BytesIO(png))
    assert name == "memory-figure-1.png" and picture.width > 2500
    assert picture.convert("RGBA").getpixel((5, 5)) == (14, 17, 22, 255)  # the dark page's own ground, not a hole
    by_the_address(page, LESSONS["claims"])
    page.get_by_text("All statements", exact=True).click()
    open_box(page)
    table, name = saved(page, "^Table 1.* as CSV$")
    head, first, *_ = table.decode().splitlines()
    assert name == "claims-table-1.csv" and head == ",Statement,You,Experiment"
    assert first.startswith("1,") and "first word" in first


def test_a_saved_map_has_its_words(visit):
    """Words are a layer of their own on the page; the file is one picture."""
    page = visit("?slide=2", seen=True)
    open_box(page)
    svg = saved(page, "Figure 1 as SVG")[0].decode()
    words = page.locator(".tbt-text-layer text").all_text_contents()
    assert len(words) > 50 and "delicious" in words and all(f">{word}<" in svg for word in words if word.isalnum())
    assert "@font-face" in svg and "src:url(data:font/woff2;base64," in svg
    png = saved(page, "Figure 1 as PNG")[0]
    page.keyboard.press("Escape")
    page.locator(".stPopoverBody").wait_for(state="hidden")
    plot = page.locator(".tbt-figure .tbt-plot").first
    seen = Image.open(io.BytesIO(plot.screenshot())).convert("L")
    kept = Image.open(io.BytesIO(png)).convert("L").resize(seen.size, Image.Resampling.LANCZOS)
    beneath = (
        0,
        seen.height // 10,
        *seen.size,
    )  # a headline is long: where its letters stand says how wide the picture was, not its type
    blurred = (picture.crop(beneath).filter(ImageFilter.GaussianBlur(1)) for picture in (seen, kept))
    assert ImageStat.Stat(ImageChops.difference(*blurred)).rms[0] < MOST_APART


def test_all_that_is_set_is_kept_as_a_file_that_brings_it_back_and_the_notebook_says_it(visit, tmp_path):
    """What every lesson's notebook says: tests/all_lessons/test_notebooks.py."""
    page = visit("/attention?values=1,2,3,4&tokens=a%22,b%26,c,d")
    open_box(page)
    notebook, name = saved(page, "Notebook")
    assert name == "attention.ipynb"
    assert r"""'a"', 'b&', 'c', 'd'""" in "".join(line for cell in json.loads(notebook)["cells"] for line in cell["source"])
    file, name = saved(page, "All that is set here as Link")
    assert name == "attention.html"
    (tmp_path / name).write_bytes(file)
    address = page.url
    page.goto("about:blank")
    page.goto((tmp_path / name).as_uri())
    until(page, lambda: page.url, address)
    assert "values=1,2,3,4" in address
