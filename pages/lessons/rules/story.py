"""What the story says of queries, keys and drawers, coming from a trained model and before the mask has a name."""

from engine.toy.by_hand import RowByHand
from engine.toy.scenario import Scenario
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.teaching import routes
from pages.parts.text.format import join, md, plural
from pages.parts.text.toy_names import token_name


def searches() -> str:
    """What a query and a key are; in the story first in what the toy differs from the model that was seen before."""
    if routes.chosen() == routes.STORY:
        return (
            "A trained model searches for meaning: whose kite? The toy searches for **places**, so that you can check it. A "
            "token’s **query** says which places it wants; the **key** on each drawer says which place it is."
        )
    return (
        "A **head** is one way of looking back: a token asks with its **query**, and the **key** of each token is the label on its "
        "drawer. Trained heads search for meaning, such as the colour of Anna’s kite; these for places, so that you can check them."
    )


def another_head(s: Scenario, head: int) -> str:
    """Says why another head is shown than the one that was chosen."""
    chosen = HEAD.value(high=len(s.rules)) - 1
    return "" if chosen == head else f" Head {chosen + 1} mixes no values here; head {head + 1} does."


def whose_drawers_open(s: Scenario, look: RowByHand, head: int, query: int) -> str:
    """The takeaway of one query in the story, where the mask has no name yet."""
    who, keys = f"In head {head + 1} the query of “{md(s.tokens[query])}”", [token_name(s.tokens, j) for j in look.seen]
    drawers = f"**opens {'its drawer' if len(keys) == 1 else 'their drawers'}**"
    fits = (
        f"fits the {plural(len(keys), 'key')} of {join(keys)}: it {drawers}."
        if keys
        else "fits no key that it may see: it opens no drawer."
    )
    later = " What comes later is hidden from it." if len(look.visible) < len(s.tokens) else ""
    return f"{who} {fits}{later}{' Each **head** searches in its own way: try another.' * (len(s.rules) > 1)}"
