"""What README.md promises is so: its example runs, its links open, what it names is there, its commands are those CI runs."""

import re

from app_pages import ROOT

from engine import Scenario
from engine.toy.presets import PRESETS
from pages.parts.visit import scenario_query

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language):
    """The texts of all fenced blocks in a language; "" for those that name none."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```", README, re.S | re.M)
    return [text for named, text in fenced if named == language]


def test_the_example_for_notebooks_runs():
    (example,) = blocks("python")
    names = {}
    exec(example, names)
    assert names["run"].layers[0].weights.shape == (4, 4, 4)
    assert names["step"].logits.shape == (1, 3) and names["step"].n_past == 4


def test_every_link_opens_without_a_complaint():
    queries = re.findall(r"\?((?:tokens|values|rules)=[^\s`]+)", README)
    assert queries
    for query in queries:
        scenario, problems = scenario_query.from_query(dict(part.split("=") for part in query.split("&")))
        assert problems == [] and scenario != Scenario.article()


def test_there_are_as_many_presets_as_it_says():
    """“And five that make one point each”: they were six."""
    (how_many,) = re.findall(r"breaks the cache\), and (\w+) that make one\s+point each", README)
    assert ["five", "six", "seven", "eight"].index(how_many) + 5 == len(PRESETS) - 2


def test_every_file_that_is_named_is_there():
    named = re.findall(r"\]\((?!http)([^)]+)\)|`((?:[\w.]+/)+[\w.]*|[\w]+\.(?:py|txt|toml))`", README)
    tree = re.findall(r"^( *)([\w./]+?)/? {2,}", blocks("")[0], re.M)
    assert len(named) > 5 and len(tree) > 6
    for path in {a or b for a, b in named} - {".venv/bin/"}:
        assert (ROOT / path).exists(), path
    folders = {0: ""}
    for indent, name in tree:
        folders[len(indent) + 4] = f"{folders[len(indent)]}{name}/"
        assert (ROOT / folders[len(indent)] / name).exists(), name


def test_both_commands_install_what_is_listed_and_ci_runs_the_same():
    start, test = blocks("sh")
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "-r requirements.txt " in start and start.rstrip().endswith("streamlit run streamlit_app.py")
    assert "-r requirements.txt -r tests/requirements.txt" in test and test.rstrip().endswith("python -m pytest")
    assert "-r requirements.txt -r tests/requirements.txt" in ci and 'python" -m pytest' in ci


def test_every_requirement_has_its_reason_and_its_bounds():
    for file in ("requirements.txt", "tests/requirements.txt"):
        lines = (ROOT / file).read_text("utf-8").splitlines()
        for before, line in zip(["", *lines], lines, strict=False):
            if line and not line.startswith("#"):
                assert before.startswith("#"), f"{file}: {line} has no reason"
                assert re.fullmatch(r"[\w-]+>=[\d.]+,<[\d.]+", line), line
