"""What to ask in the lesson on pages and shared beginnings, and what a wrong answer tells."""

from pages.parts.teaching.notes import Note

NOTES = {
    "Blocks": Note(
        6,
        "Step on to the fork, then to the word after it: how many blocks does B bring with it, and when?",
        {
            "Four times what one answer holds": (
                "right only where the prompt fills no block; else a fork is taken for a copy: it copies the table, and a block "
                "only when somebody writes into one that others hold too"
            ),
            "No more than the prompt’s": (
                "all answers are thought to share everything: each writes words of its own, and never into a block that others hold"
            ),
        },
    ),
    "Empty room": Note(
        4,
        "Which sequence leaves most room empty where each gets one piece? And which does in blocks?",
        {
            "More, the longer the sequence": (
                "the empty part is taken for a share of the length: only the last block has empty slots, however many stand before it"
            ),
            "A whole block": "a block that is begun is taken for an empty one: the last one holds at least one token",
            "A token takes less room in pages": "room set aside and room used are mixed up: a token’s keys and values stay as large",
        },
    ),
    "Two prompts": Note(
        5,
        "Where do the two prompts part? Does a token run again although both have it at the same place?",
        {
            "0 tokens": (
                "keys and values are taken for all that is needed: the next word comes from the logits of the last token, and "
                "logits are kept nowhere"
            ),
            "All of them": "a cache is thought to end with its request: full blocks stay, and their hashes find them again",
            "Equal words behind the difference are shared too": (
                "a block is taken for its own words: its hash covers all before it, for deeper layers make its keys from that too"
            ),
        },
    ),
    "Appending rows": Note(
        4,
        "A new array for every token: how many rows are copied?",
        {
            "One a token": "a new array takes all the old rows along",
        },
    ),
}
