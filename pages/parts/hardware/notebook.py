"""How the notebooks of the hardware lessons begin: where the engine lies, and the model, the device and the settings on screen.

From there they ask `engine.cost`, as the page does. The notebooks of the toy and of the trained model write the engine anew, since
its few lines are what they teach; a notebook that wrote the costs of any model anew was as long as engine.cost is.
"""

import json

from engine.cost import DEVICES, MODELS, Device, ModelShape
from pages.parts.hardware import pasted_config
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, code, prose

WHERE = """
import json
import sys

import numpy as np

project = "."  # the folder in which `engine` lies: put the way to it here, from where this notebook lies
sys.path.insert(0, project)
"""


def begin(question: str, imports: str) -> list[Cell]:
    """The question, and the engine, of which the lesson needs `imports`."""
    return [
        prose(
            f"# {question}\n\nThe lesson's numbers, asked of the formulas that the page itself uses; every assertion compares with "
            "the page. They stand in `engine`, a folder of the program that shows the page, and need NumPy alone: whoever runs "
            "that program has it. Each function's docstring says which law it is."
        ),
        code(f"{WHERE}\n{imports}"),
    ]


def setup_cell(s: Setup, length: str) -> Cell:
    """What is on screen. length: what the lesson calls its sequence."""
    return code(
        f"shape = {model_in_code(s.shape)}\ndevice = {device_in_code(s.device)}\n{length}, batch = {s.n_tokens}, {s.batch}  # tokens of "
        f"a sequence, sequences at once\nweight_bits, kv_bits = {s.weight_bits}, {s.kv_bits}\n{options(s.n_devices)}"
    )


def options(n_devices: int) -> str:
    """The line with what engine.cost calls `setup`."""
    return f'setup = {{"weight_bits": weight_bits, "kv_bits": kv_bits, "n_devices": {n_devices}}}'


def model_in_code(shape: ModelShape) -> str:
    """A listed model by its name, any other by the config.json that was pasted."""
    if MODELS.get(shape.name) == shape:
        return f"MODELS[{shape.name!r}]"
    return f"ModelShape.from_config(json.loads({json.dumps(json.loads(pasted_config.text()))!r}), {shape.name!r})"


def device_in_code(device: Device) -> str:
    """A listed device by its name, a measured one by its numbers."""
    return f"DEVICES[{device.name!r}]" if DEVICES.get(device.name) == device else repr(device)
