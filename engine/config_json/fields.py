"""Fields of a stranger's JSON object: fetched by any of their names, checked for kind and size, noted where they were guessed.

JSON brings NaN, text where a number belongs, numbers of a million digits and lists a thousand deep. Each ends as one ValueError
that names the field, what was expected and what came, and never as an error of the message itself.
"""

import math

# Largest values taken seriously: some ten times the largest published model; they keep every sum below a billion billions.
LIMITS = dict(
    n_layer=2_000, d_model=2**20, n_head=2**14, d_head=2**14, d_ff=2**24, n_vocab=2**26, n_ctx=2**32, n_expert=2**14, rank=2**16
)


class Fields:
    """One config.json, the notes taken while reading it, and what its family implies."""

    def __init__(self, config: dict):
        self.config, self.understood, self.assumed = config, [], []
        self.doubts: list[str] = []  # why the number of parameters cannot be told
        self.kv_doubts: list[str] = []  # why the bytes of the cache cannot be
        self.asked: set[str] = set()  # names of the fields that somebody looked for
        self.omitted: dict[str, object] = {}  # the family's, once it is known

    def raw(self, *names: str):
        """The first of these fields that is there and not null, else None."""
        self.asked.update(names)
        return next((self.config[name] for name in names if self.config.get(name) is not None), None)

    def implied(self, *names: str):
        """What the family assumes for these fields where the file does not mention them; a null in the file is an answer."""
        if any(name in self.config for name in names):
            return None
        return next((self.omitted[name] for name in names if name in self.omitted), None)

    def count(self, what: str, *names: str, default: int | None = None, least: int = 1) -> int:
        """A whole number from `least` to the limit of `what`: the file's, else what its family implies, else `default`."""
        value = self.raw(*names)
        if value is None:
            value = self.implied(*names)
            if value is not None:
                self.assumed.append(f"{names[0]} is not in the file: {value:,}, as its configuration class has it.")
            elif default is None:
                raise ValueError(f"{names[0]}: expected a whole number, got a config without it (looked for {', '.join(names)})")
            else:
                value = default
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LIMITS[what]:
            stated = next((name for name in names if self.config.get(name) is not None), names[0])
            raise ValueError(f"{stated}: expected a whole number from {least} to {LIMITS[what]:,}, got {excerpt(value)}")
        return value

    def integers(self, name: str, n: int | None = None) -> list[int]:
        """A list of small whole numbers, n of them where n is given; [] where the file has none."""
        value = [] if self.raw(name) is None else self.raw(name)
        good = isinstance(value, list) and all(type(i) is int and 0 <= i <= 2**14 for i in value)
        if not good or n not in (None, len(value)):
            raise ValueError(f"{name}: expected a list of {'' if n is None else f'{n} '}whole numbers, got {excerpt(value)}")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.raw(name)
        value = default if value is None else value
        if not isinstance(value, bool):
            raise ValueError(f"{name}: expected true or false, got {excerpt(value)}")
        return value

    def text(self, name: str) -> str:
        value = self.raw(name)
        if value is not None and not (isinstance(value, str) and len(value) <= 200):
            raise ValueError(f"{name}: expected a short text, got {excerpt(value)}")
        return whole_text(name, value or "")

    def number(self, name: str, value) -> float:
        """A positive, finite number, taken from wherever it stood."""
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not good or not 0 < value < 1e30 or not math.isfinite(value):
            raise ValueError(f"{name}: expected a positive number, got {excerpt(value)}")
        return float(value)


def whole_text(name: str, text: str) -> str:
    """The text itself. JSON can write half of a character (\\ud800), which no page and no file can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise ValueError(f"{name}: expected whole characters, got {excerpt(text[problem.start :])}") from None
    return text


def excerpt(value) -> str:
    """A stranger's value in a message: short, and never an error of its own (a deep list, an integer of a million digits)."""
    if isinstance(value, (dict, list, tuple)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 64:
        return f"an integer of {value.bit_length()} bits"
    return repr(value[:40] if isinstance(value, str) else value)
