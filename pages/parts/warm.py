"""Imports what all lessons need and draws one figure, so that the server does it before anybody waits.

A class that opens the application at the same moment would otherwise race on first imports.
"""

from importlib import import_module
from pathlib import Path

import numpy as np

from engine import Scenario, bundled, prefill
from pages.parts.figures.attention_map import attention_map

for _file in sorted(Path(__file__).parent.glob("*.py")):
    if _file.stem not in ("frame", "warm"):  # the frame is the application itself
        import_module(f"pages.parts.{_file.stem}")

bundled()
_scenario = Scenario.article()
_run = prefill(_scenario.model(), _scenario.prompt_ids)
attention_map(_run, _scenario.tokens, list("1234"), _scenario.words, np.ones(3) / 3).to_json()
