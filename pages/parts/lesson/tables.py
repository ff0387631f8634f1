"""A table on the page, and the same table as a file: Markdown and CSV out of plain lists, with no data frame between."""

import csv
import io
from collections.abc import Sequence

import streamlit as st

MARKS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a text that begins with one as a formula


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Words to the left, numbers to the right. Cells are Markdown: typed words go through format.md."""
    rule = [":--", *["--:"] * (len(head) - 1)]
    st.markdown("\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)))


def unbroken(text: str) -> str:
    """A name or a quantity that stays on one line; only after an equals sign may a new one begin.

    >>> unbroken("1.5 GB = 1.4 GiB"), unbroken("Gemma-3-27B")
    ('1.5\\xa0GB\\xa0= 1.4\\xa0GiB', 'Gemma‑3‑27B')
    """
    return text.replace(" ", "\xa0").replace("=\xa0", "= ").replace("-", "\u2011")


def csv_text(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """RFC 4180, numbers unformatted; texts that a spreadsheet would take for formulas get an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in (head, *rows):
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(MARKS) else cell for cell in row])
    return out.getvalue()


def download(name: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A button that saves the table as `name`.csv."""
    file = csv_text(head, rows), f"{name}.csv", "text/csv"
    look = {"icon": ":material/download:", "type": "tertiary"}
    st.download_button("Save as CSV", *file, key=f"csv_{name}", on_click="ignore", **look)


def formula(text: str, key: str) -> None:
    """A formula to copy, with its numbers in it."""
    with st.container(key=f"formula_{key}"):
        st.code(text, language="python", wrap_lines=True)
