"""The lesson on guessing ahead as a notebook: the published speed-ups, and what checking costs on the model and device on screen."""

from engine.serving.guess_ahead import check_cost
from engine.speculative import expected_tokens
from pages.lessons.guess import state
from pages.lessons.guess.pays import factors
from pages.parts.hardware import notebook
from pages.parts.teaching.notebook import Cell, checked, code, prose

IMPORTS = """
from engine import bundled
from engine.cost import DEVICES, MODELS, Device, ModelShape
from engine.serving.guess_ahead import check_cost, speed_ups
from engine.speculative import PromptLookup, SmallerModel, expected_tokens, generate, speed_up
"""


def cells(question: str) -> list[Cell]:
    (now,) = state.given()
    found, s = state.written(now), now.s
    draft = "PromptLookup()" if now.draft == "lookup" else f"SmallerModel(bundled({now.draft!r}))"
    times, cost = factors(now), check_cost(s.shape, s.device, now.n_guess, s.n_tokens, s.batch, **s.options)
    return [
        *notebook.begin(question, IMPORTS),
        prose(
            "## Guessed and checked\n\nWhat a draft guesses is checked in one pass; what the model would not have said is taken back."
        ),
        code(
            f"model = bundled()\nids = model.tokenizer.encode({state.SENTENCES[now.sentence]!r})\n"
            f"found = generate(model, ids, {state.N_WORDS}, {draft}, {now.n_guess})\nmodel.tokenizer.decode(found.token_ids)"
        ),
        checked("found.token_ids", found.token_ids, "the ids of the words"),
        checked("found.n_passes", found.n_passes, "passes"),
        checked("[one.n_accepted for one in found.rounds]", [one.n_accepted for one in found.rounds], "guesses that stay"),
        prose("## What it is worth\n\nE = (1 − α^(k+1)) / (1 − α) tokens a pass, divided by how much longer the pass takes."),
        notebook.setup_cell(s, "P"),
        checked(f"expected_tokens({now.kept}, {now.n_guess})", expected_tokens(now.kept, now.n_guess), "tokens a pass", 0),
        checked(f"check_cost(shape, device, {now.n_guess}, P, batch, **setup)", cost, "of one row's time", 0),
        checked(
            f"speed_ups(shape, device, {now.kept}, {now.n_guess}, P, {tuple(times)!r}, **setup)", list(times.values()),
            "times faster, by batch", 0,
        ),
    ]  # fmt: skip
