"""The trained model and the prompt that this visit looks at, read from the link when a step first asks for them."""

from functools import cached_property

from pages.parts.sharing.shared_work import ThisRun
from pages.parts.trained import model, prompt
from pages.parts.trained.model import Trained
from pages.parts.trained.prompt import Prompt

USUAL = prompt.PRESETS["Kite and boat"]  # its next word stands in the middle, where neither the newest nor the first tokens are


class View:
    """One for each run of the page, so that the steps share its time and say once what is not finished."""

    def __init__(self):
        self.work = ThisRun()

    @cached_property
    def trained(self) -> Trained:
        """The model; a message where the link asks for one that cannot be had."""
        return model.current()

    @cached_property
    def prompt(self) -> Prompt:
        """What was typed, bounded."""
        return prompt.read(self.trained, prompt.typed(self.trained, USUAL))
