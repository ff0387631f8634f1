"""A lesson's own parameters, declared where they are used and kept in the link: each reads, bounds and shows itself.

    BATCH = Whole("batch", low=1, high=4096, default=1)
    n = BATCH.value()                       # from the link; the default where that says nothing or nonsense
    n = BATCH.slider("Sequences", high=64)  # the same, and a slider that changes it

The link's text is the only state. A range may be narrowed where a parameter is read, because what is possible often depends on
the scenario; it is never widened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from pages.parts.visit import control_locks, location, scenario, scenario_query
from pages.parts.visit.session import of_this_visit
from pages.parts.visit.view_parameters import VIEW

MOST_CHARS = 200  # of one parameter, unless it is declared to have more
DECLARED: "dict[str, Parameter]" = {}


@dataclass
class Widgets:
    """shown_on: of each widget that was given a value, the lesson that it was given on, whether that was on paper, and a slider's
    range."""

    shown_on: dict[str, tuple[str, bool, tuple]] = field(default_factory=dict)


widgets = of_this_visit(Widgets)


@dataclass(frozen=True)
class Parameter:
    """A name in the link and the longest text that it may have. Declared twice, both declarations must be equal.

    formerly: the name it had in links of an earlier version, still read where the new one is missing. of_lesson: whether each
    lesson that has it keeps its own; a link speaks of the lesson that it opens.
    """

    name: str
    most_chars: int = MOST_CHARS
    formerly: str = ""
    of_lesson: bool = False

    def __post_init__(self):
        known = DECLARED.setdefault(self.name, self)
        if (known.kind, known.range, known.of_lesson) != (self.kind, self.range, self.of_lesson):
            raise ValueError(
                f"{self.name}: expected the declaration {known.kind} {known.range}, got a second one, {self.kind} {self.range}"
            )

    @property
    def kind(self) -> str:
        return type(self).__name__

    @property
    def range(self) -> tuple:
        """What bounds it, as two declarations must agree on."""
        return (self.most_chars,)

    @property
    def key(self) -> str:
        """Of the widget that shows it."""
        return f"extra_{self.name}"

    def text(self) -> str:
        """What the link or the last selection says; "" for nothing."""
        said = scenario.extra(self.name) or (scenario.extra(self.formerly) if self.formerly else "")
        return said if len(said) <= self.most_chars else ""

    def set_text(self, text: str) -> None:
        """Remember a selection, so that a link restores it; "" forgets it."""
        scenario.set_extra(self.name, text[: self.most_chars])
        if self.formerly:
            scenario.set_extra(self.formerly, "")

    def _kept(self, written: Callable[[object], str]) -> Callable[[], None]:
        """A callback that keeps what the widget holds."""
        return lambda: self.set_text(written(st.session_state[self.key]))

    def _draw(self, widget: Callable, label: str, *within, shown: object, keep: Callable[[], None], **kwargs) -> None:
        """Show it as a widget, but not on paper, where nothing is moved. within: its range or options."""
        if not scenario.on_paper():
            set_widget(self.key, shown, among=within if widget is st.slider else (), always=widget is st.number_input)
            kwargs |= _at_first(widget, within, shown)
            widget(label, *within, key=self.key, on_change=keep, **control_locks.control(self.name, label, **kwargs))


def _at_first(widget: Callable, within: tuple, shown: object) -> dict:
    """The value as a widget’s default, too: no browser keeps a value that was set while the widget’s box was closed.

    >>> _at_first(st.slider, (0, 10), 4), _at_first(st.selectbox, (["a", "b"],), "b"), _at_first(st.number_input, (0.0, 1.0), 0.5)
    ({'value': 4}, {'index': 1}, {})
    """
    if widget in (st.slider, st.select_slider):
        return {"value": shown}
    if widget is st.selectbox:
        return {"index": list(within[0]).index(shown)}
    return {"default": shown} if widget is st.segmented_control else {}


class Text(Parameter):
    """Whatever the lesson makes of it; it checks every part itself."""


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number from low to high."""

    low: int = 0
    high: int = 0
    default: int = 0
    number, written, step = int, "{}".format, 1  # what it is, how the link has it, and what one key moves a slider by

    @property
    def range(self) -> tuple:
        return self.low, self.high

    def value(self, low: float | None = None, high: float | None = None, default: float | None = None) -> float:
        """The number in the link, moved into the range; the default where there is none."""
        low, high, default = self._narrowed(low, high, default)
        read = self.read(self.text())
        return min(max(default if read is None else read, low), high)

    def read(self, text: str) -> float | None:
        """The number of a link's text; None for anything else."""
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None

    def set(self, number: float, default: float | None = None) -> None:
        """Keep `number`; the default is kept as nothing, which makes the shorter link."""
        self.set_text("" if number == self._narrowed(None, None, default)[2] else self.written(number))

    def slider(
        self, label: str, low: float | None = None, high: float | None = None, default: float | None = None, **kwargs
    ) -> float:
        """Show it as a slider; returns its value."""
        low, high, default = self._narrowed(low, high, default)
        value = self.value(low, high, default)
        keep = self._kept(lambda chosen: "" if chosen == default else self.written(chosen))
        self._draw(st.slider, label, low, high, shown=value, keep=keep, **{"step": self.step} | kwargs)
        return value

    def stops(self, label: str, stops: Sequence[int], default=None, high=None, low=None, keep_default=False, **kwargs) -> int:
        """Show it as a slider over a few numbers; what a link or another lesson asks for besides becomes a stop of its own.

        default, high, low: as of `value`. keep_default: the default is kept too once it is chosen, because another lesson's is another one.
        """
        low, high, default = self._narrowed(low, high, default)
        value = self.value(low, high, default)
        keep = self._kept(lambda chosen: "" if chosen == default and not keep_default else str(chosen))
        options = sorted({*(n for n in stops if low <= n <= high), default, value})
        self._draw(st.select_slider, label, options, shown=value, keep=keep, format_func="{:,}".format, **kwargs)
        return value

    def typed(self, label: str, default: int | None = None, high: int | None = None, empty: bool = False, **kwargs) -> int:
        """Show it as a field to type a number in. empty: whether it is shown empty until one is typed.

        The field holds a float: of a forged NaN Streamlit makes no integer, and the page would fail.
        """
        low, high, default = self._narrowed(None, high, default)
        value = self.value(high=high, default=default)
        keep = self._kept(lambda chosen: "" if chosen is None or (chosen == default and not empty) else f"{chosen:.0f}")
        shown, within = float(value) if self.text() or not empty else None, (float(low), float(high))
        self._draw(st.number_input, label, *within, shown=shown, keep=keep, value=None, step=1.0, format="%.0f", **kwargs)
        return value

    def buttons(self, label: str, names: Sequence[str], default: int | None = None, **kwargs) -> int:
        """Show it as a row of buttons; `names` are those of low, low + 1, … as Markdown."""
        options = dict(enumerate(names, self.low))
        _, _, default = self._narrowed(None, max(options), default)
        value = self.value(high=max(options), default=default)
        keep = self._kept(lambda chosen: "" if chosen in (None, default) else str(chosen))
        kwargs |= {"format_func": options.get, "required": True}
        self._draw(st.segmented_control, label, list(options), shown=value, keep=keep, **kwargs)
        return value

    def _narrowed(self, low, high, default) -> tuple:
        low, high = max(self.low, self.low if low is None else low), min(self.high, self.high if high is None else high)
        return tuple(map(self.number, (low, high, min(max(self.default if default is None else default, low), high))))


@dataclass(frozen=True)
class Real(Whole):
    """A number from low to high."""

    low: float = 0.0
    high: float = 0.0
    default: float = 0.0
    number, written, step = float, "{:g}".format, 0.1

    def read(self, text: str) -> float | None:
        try:
            return scenario_query.number(text)
        except ValueError:
            return None  # nothing, or a link's typing error; the control shows what is used instead

    def typed(self, label: str, **kwargs) -> float:
        """Show it as a field to type a number in; emptied, it is the default. A default of 0 is shown as an empty field."""
        value = self.value()
        keep = self._kept(lambda chosen: "" if chosen in (None, self.default) else self.written(chosen))
        shown, within = value if value or self.default else None, (float(self.low), float(self.high))
        self._draw(st.number_input, label, *within, shown=shown, keep=keep, value=None, format="%g", **kwargs)
        return value


@dataclass(frozen=True)
class Choice(Parameter):
    """One of a few words. The options may depend on the scenario, so they are given where it is read."""

    def value(self, options: Mapping[str, str] | tuple[str, ...], default: str) -> str:
        """The link's word where it is an option, else the default."""
        return said if (said := self.text()) in options else default

    def buttons(self, label: str, options: Mapping[str, str], default: str, **kwargs) -> str:
        """Show it as a row of buttons. options: the link's word -> what is shown, as Markdown."""
        return self._drawn(st.segmented_control, label, options, default, required=True, **kwargs)

    def menu(self, label: str, options: Mapping[str, str], default: str, **kwargs) -> str:
        """Show it as a list to choose from."""
        return self._drawn(st.selectbox, label, options, default, **kwargs)

    def stops(self, label: str, options: Mapping[str, str], default: str, **kwargs) -> str:
        """Show it as a slider over the options."""
        return self._drawn(st.select_slider, label, options, default, **kwargs)

    def _drawn(self, widget: Callable, label: str, options: Mapping[str, str], default: str, **kwargs) -> str:
        value = self.value(options, default)
        keep = self._kept(lambda chosen: "" if chosen in (None, default) else chosen)
        self._draw(widget, label, list(options), shown=value, keep=keep, format_func=options.get, **kwargs)
        return value


def lesson_begins(lesson: str, left: str, apart: bool = False) -> None:
    """Another lesson is drawn, or the same one again: what each keeps for itself is its own from now on. apart: that is all which
    says what is shown, the scenario too."""
    own = [name for name, one in DECLARED.items() if one.of_lesson or (apart and name not in VIEW)]
    scenario.lesson_begins(lesson, left, own, apart)


def set_widget(key: str, value, among: tuple = (), always: bool = False) -> None:
    """Make the widget `key` show `value`. Left alone when it does already, unless `always`, so that a fast slider is never pushed back.

    On another page, and on paper, it is another widget, though the session still knows what the one before it showed; so is a slider
    of another range, and a menu whose options have other names, which is what the browser holds. among: the range, or these names."""
    place, on = (location.now().lesson, scenario.on_paper(), among), widgets().shown_on
    if always or st.session_state.get(key) != value or on.get(key) != place:
        st.session_state[key], on[key] = value, place
