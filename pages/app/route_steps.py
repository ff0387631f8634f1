"""The steps of each route, in order: the story, a class of 45 minutes, one of 90.

A step is named as what it is, so that none can be renamed or taken away without its route: the server would not start.
"""

from collections.abc import Iterable

from pages.app.course import LESSONS
from pages.lessons import attention, cache, counting, decode, logits, many, memory, overview, prefill, roofline, rules, why
from pages.parts.lesson.lesson import Step
from pages.parts.teaching.routes import STORY, Stop

# For somebody who reads alone: what the six sentences at its end rest on, and nothing else.
STORY_STEPS = (
    why.steps.which_word,
    why.waste.waste,
    overview.steps.timeline,
    rules.steps.one_token,
    rules.steps.mixed,
    attention.steps.one_head,
    why.heads.trained_heads,
    logits.steps.projection,
    prefill.steps.three_ways,
    prefill.future.future,
    cache.steps.keep,
    decode.steps.grow,
    cache.two_runs.compare,
    counting.steps.passes,
    counting.costs.costs,
    counting.in_short.six,
)
STEPS_45 = (
    overview.steps.timeline,
    rules.steps.one_token,
    attention.steps.one_head,
    prefill.steps.three_ways,
    cache.steps.keep,
    decode.steps.grow,
    counting.steps.passes,
    counting.in_short.six,
)
STEPS_90 = (
    overview.steps.timeline,
    rules.steps.one_token,
    attention.steps.one_head,
    attention.steps.one_cell,
    logits.steps.projection,
    prefill.steps.three_ways,
    prefill.future.future,
    cache.steps.keep,
    decode.steps.grow,
    decode.split.two_ways,
    counting.steps.passes,
    counting.steps.growth,
    counting.in_short.six,
    memory.desk.size,
    roofline.steps.roof,
    many.timeline.timeline,
)


def _stops(steps: Iterable[Step]) -> tuple[Stop, ...]:
    """Where each of a route's steps stands."""
    places = {step: (name, at) for name, lesson in LESSONS.items() for at, step in enumerate(lesson.steps, 1)}
    return tuple(Stop(*places[step], step.name, step.note.minutes, step.note.click) for step in steps)


ROUTES = {STORY: _stops(STORY_STEPS), "45": _stops(STEPS_45), "90": _stops(STEPS_90)}
