"""What the first visitor would otherwise wait for: the bundled model is read and one figure drawn when the server starts."""

import numpy as np

from engine import Scenario, bundled, prefill
from pages.parts.figures.attention_map import attention_map

bundled()
_scenario = Scenario.article()
_run = prefill(_scenario.model(), _scenario.prompt_ids)
attention_map(_run, _scenario.tokens, list("1234"), _scenario.words, np.ones(3) / 3).to_json()
