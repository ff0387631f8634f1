"""Imports everything that a first visit needs and draws one figure, so that the server does it before anybody waits."""

import numpy as np

from engine import Scenario, prefill
from pages.parts import attention_view, editor, figures, widgets  # noqa: F401

_scenario = Scenario.article()
_run = prefill(_scenario.model(), _scenario.prompt_ids)
figures.attention_map(_run, _scenario.tokens, list("1234"), _scenario.words, np.ones(3) / 3).to_json()
