"""What a running server says of itself, set beside what the formulas expect; and a server simulated, request by request."""

from engine.serving.scheduler.goodput import Knee, goodput, knee, knee_so_far
from engine.serving.scheduler.held import Held, held
from engine.serving.scheduler.printed import Printed, beginnings, computed_again, printed
from engine.serving.scheduler.requests import Request, cut, poisson
from engine.serving.scheduler.run import Run, Steps
from engine.serving.scheduler.setup import Setup
from engine.serving.scheduler.simulate import simulate

__all__ = [
    "Held", "Knee", "Printed", "Request", "Run", "Setup", "Steps", "beginnings", "computed_again", "cut", "goodput", "held",
    "knee", "knee_so_far", "poisson", "printed", "simulate",
]  # fmt: skip
