"""The number that a step has in a link. It keeps it when steps before it go, and those of steps that were merged open the step that holds
what they held: links made before lead where they led."""

# Of a lesson whose steps were merged: for each step in order its number in a link, and the numbers of the steps that went into it.
NUMBERS = {
    "rules": ((1,), (2,), (3, 5), (4,)), "less": ((1, 5), (2,), (3,), (4,)), "memory": ((1,), (2, 4), (3,)),
    "roofline": ((1, 2, 3), (4, 5), (6, 8), (7,)),
}  # fmt: skip


def number_of(lesson: str, at: int) -> int:
    """The number in a link of the step `at` of a lesson, counted from 1.

    >>> number_of("roofline", 3), number_of("cache", 3)
    (6, 3)
    """
    numbers = NUMBERS.get(lesson, ())
    return numbers[at - 1][0] if 0 < at <= len(numbers) else at


def step_of(lesson: str, number: int) -> int:
    """Which step of a lesson, from 1, a number in a link opens; 0 where it is none of a lesson whose numbers are listed.

    >>> step_of("roofline", 5), step_of("cache", 5), step_of("roofline", 99)
    (2, 5, 0)
    """
    if lesson not in NUMBERS:
        return number
    return next((at for at, numbers in enumerate(NUMBERS[lesson], 1) if number in numbers), 0)
