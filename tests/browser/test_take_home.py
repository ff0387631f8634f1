"""What a student takes home: figures and tables as files out of the browser, the scenario kept and brought back."""

import json
import re

from reading import problems, until


def open_box(page):
    page.locator(".st-key-take_home button").first.click()
    page.get_by_role("button", name="Figure 1 as SVG").wait_for()


def saved(page, name):
    """The bytes behind a button, and the file's name."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile(name)).first.click()
    return waiting.value.path().read_bytes(), waiting.value.suggested_filename


def test_a_scenario_is_kept_and_brought_back_and_a_wrong_one_leaves_all_as_it_was(visit):
    page = visit("/attention?values=1,2,3,4")
    open_box(page)
    kept, name = saved(page, "Scenario$")
    fields = json.loads(kept)
    assert name == "scenario.json" and fields["values"] == [1, 2, 3, 4]
    field, use = page.get_by_label("Paste a scenario here"), page.get_by_role("button", name="Use it")
    field.fill(json.dumps({**fields, "values": [7, 2, 3, 4]}))
    use.click()
    until(page, lambda: "values=7,2,3,4" in page.url, True)
    page.get_by_label("A scenario’s file").set_input_files(
        {"name": "a.json", "mimeType": "application/json", "buffer": b'{"rules": 3}'}
    )
    until(page, lambda: field.input_value(), '{"rules": 3}')
    use.click()
    until(page, lambda: " ".join(problems(page)), "Rules: expected a list, got int")
    assert "values=7,2,3,4" in page.url
    notebook, name = saved(page, "Notebook")
    assert name == "attention.ipynb" and json.loads(notebook)["nbformat"] == 4
