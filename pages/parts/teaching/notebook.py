"""A notebook of a lesson: text and code that rebuild its numbers and check them against those of the page.

A cell is (kind, text). Numbers of the page stand in the code as they were computed, and an assertion compares each of them.
"""

import json
from collections.abc import Sequence

import numpy as np

Cell = tuple[str, str]
TOLERANCE = 1e-9  # between two orders of adding the same numbers


def prose(text: str) -> Cell:
    return "markdown", text


def built_again(question: str) -> Cell:
    """How a notebook begins that needs nothing of this project."""
    return prose(f"# {question}\n\nThe lesson's numbers, built again with NumPy alone. Every assertion compares with the page.")


def code(text: str) -> Cell:
    return "code", text.strip("\n")


def literal(numbers: object) -> str:
    """Numbers as Python writes them, with every digit; NaN and infinities by NumPy's names.

    >>> literal(np.array([[1.0, np.nan], [-np.inf, 0.1]]))
    '[[1.0, np.nan], [-np.inf, 0.1]]'
    """
    array = np.asarray(numbers)
    if array.ndim:
        return "[" + ", ".join(map(literal, array)) + "]"
    one = array.item()
    if isinstance(one, float) and not np.isfinite(one):
        return "np.nan" if np.isnan(one) else "np.inf" if one > 0 else "-np.inf"
    return repr(one)


def checked(name: str, numbers: object, what: str, near_zero: float = TOLERANCE, share: float = TOLERANCE) -> Cell:
    """A cell that shows `name` and compares it with the page's numbers: whole ones exactly, but for those above 2**53.

    what: the words for it. near_zero: how far numbers may lie apart however small they are; share: as a share of the number.
    """
    array = np.asarray(numbers)
    same = f"allclose({name}, shown, rtol={share:g}, atol={near_zero:g}, equal_nan=True)"
    if array.dtype.kind in "iu" and np.all(array < 2**53):
        same = f"array_equal({name}, shown)"
    elif array.dtype.kind in "iuO":  # too large for a float to hold each of them, or for NumPy's whole numbers
        array, same = array.astype(float), same.replace(name, f"np.array({name}, float)", 1)
    return code(f"shown = np.array({literal(array)})  # {what}, as the application computes it\nassert np.{same}\n{name}")


def as_ipynb(cells: Sequence[Cell]) -> str:
    """The cells as a file of notebook format 4.5."""
    made = [
        {"cell_type": kind, "id": f"cell-{at}", "metadata": {}, "source": text.splitlines(keepends=True)}
        | ({"execution_count": None, "outputs": []} if kind == "code" else {})
        for at, (kind, text) in enumerate(cells, 1)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1)
