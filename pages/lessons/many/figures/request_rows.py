"""What became of each request, as spans of seconds."""

from typing import NamedTuple

from engine.serving import Run

Span = tuple[float, float]


class Row(NamedTuple):
    """One request's spans. waits: without a place, at first and after it was sent back; prompts: in which it is computed, again:
    computed once more; tokens: steps that give it a token and compute nothing else, stretched: that have a prompt in them as well;
    kept: its place in a static batch, when it was done."""

    waits: list[Span]
    prompts: list[Span]
    again: list[Span]
    tokens: list[Span]
    stretched: list[Span]
    kept: list[Span]


def rows_of(run: Run) -> list[Row]:
    """Each request's spans, in the order of the requests."""
    rows, most = [Row([], [], [], [], [], []) for _ in run.requests], [0] * len(run.requests)
    for ids, stretches in zip(run.ids, run.stretches, strict=True):
        back: dict[int, float] = {}  # since when who was sent back waits
        for stretch in stretches:
            span = (float(stretch.starts_s[0]), float(stretch.starts_s[-1] + stretch.durations_s[-1]))
            back |= dict.fromkeys(stretch.lost, span[0])
            for i, n_past, n_new in stretch.prompts:
                row = rows[ids[i]]
                if i in back:
                    row.waits.append((back.pop(i), span[0]))
                _add(row.again if n_past < most[ids[i]] else row.prompts, span)
                most[ids[i]] = max(most[ids[i]], n_past + n_new)
            for i in ids[stretch.decoding].tolist():
                _add(rows[i].stretched if stretch.prompts else rows[i].tokens, span)
            for i in (ids[who] for who in stretch.own):
                if run.finished_s[i] <= span[0]:
                    _add(rows[i].kept, span)
    for request, row in zip(run.requests, rows, strict=True):
        row.waits.insert(0, (request.arrival_s, row.prompts[0][0]))
    return rows


def _add(spans: list[Span], span: Span) -> None:
    """One span more; what begins where the last one ends is the same one, going on."""
    if spans and abs(spans[-1][1] - span[0]) < 1e-9:
        spans[-1] = (spans[-1][0], span[1])
    else:
        spans.append(span)
