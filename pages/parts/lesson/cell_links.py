"""Numbers in a sentence that are linked to their cells: pointing at one, or Tab, marks the other, without asking the server."""

from pages.parts.visit.components import CALL, DRAWN, component

_COMPONENT = component("cell_links", __file__, html=DRAWN, before=CALL)


def cell_link(text: str, figure: str, curve: int, row: int, column: int) -> str:
    """Markdown `text`, linked to a cell of the figure with that key; as it is where no figure is named.

    >>> cell_link("0.5", "one_head", 2, 3, 1)
    '[0.5](#cell-one_head-2-3-1)'
    """
    return f"[{text}](#cell-{figure}-{curve}-{row}-{column})" if figure else text


def follow_links() -> None:
    """What makes the links of all figures on the page work; drawn once a page, because its script travels with it."""
    _COMPONENT(key="cell_links", height=1)
