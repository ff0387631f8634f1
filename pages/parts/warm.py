"""Imports everything that a first visit needs and draws one figure, so that the server does it before anybody waits."""

import numpy as np

from engine import Scenario, prefill
from pages.parts import attention_view, editor, lesson, predict, widgets  # noqa: F401
from pages.parts.figures.attention_map import attention_map

_scenario = Scenario.article()
_run = prefill(_scenario.model(), _scenario.prompt_ids)
attention_map(_run, _scenario.tokens, list("1234"), _scenario.words, np.ones(3) / 3).to_json()
