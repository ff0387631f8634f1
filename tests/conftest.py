"""Random tests draw the same examples on every run, unless FUZZ asks for more; no slow machine makes one fail; all cores work.

`python -m pytest` and `python -m pytest tests/browser` run in several processes where pytest-xdist is installed; one that has
done its part takes over half of what another has left. `python -m pytest tests/test_x.py` runs in its own process, where a debugger
can stop it, and so does everything with `-n 0`.
"""

import atexit
import gc
import logging
import os
import shutil
import sys
import tempfile
import time
from collections import OrderedDict
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal import entropy
from hypothesis.internal.conjecture import providers

from engine import Scenario, prefill
from pages.app.server.streamlit_internals import reached
from pages.parts.sharing.results import RESULTS

if "TOKEN_BY_TOKEN_ROOMS" not in os.environ:  # the tests' servers keep their rooms where nobody else's are
    os.environ["TOKEN_BY_TOKEN_ROOMS"] = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, os.environ["TOKEN_BY_TOKEN_ROOMS"], ignore_errors=True)

# What engine/trained/one_core.py does for a pass of the engine, for every matrix product of a test: the processes share the cores, and
# the second thread of each waits in a busy loop.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What one process has compiled the others find, and every server that a test starts: told to keep nothing, each compiles all of it.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MOST_PROCESSES = 4  # each has a server and a Chromium of its own

TIMES = int(os.environ.get("FUZZ", "1"))  # how many times as many examples as in CI, others on every run; see fuzz/hostile.py

settings.register_profile(
    "repeatable", derandomize=TIMES == 1, deadline=None, max_examples=20 * TIMES, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")
# Numbers and words of our own modules are not drawn: which of these are loaded depends on what a process has tested.
if TIMES == 1:
    providers._get_local_constants = lambda: providers._local_constants
# NumPy's global generator is used by nobody, as ruff sees to (NPY002): it is not put back before and after each example.
entropy.NP_RANDOM = entropy.NP_RANDOM or "unused"


gc.disable()  # until all is imported and collected


def pytest_collection_finish():
    """What was imported and collected stays to the end: a twentieth of all time went into looking whether it was still needed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()
    # pytest hands its handlers six times a test to each logger that keeps its records to itself, as a hundred of Streamlit's do: a
    # millisecond a test. What these pass on to the root logger, which has no other handler, reaches pytest's there.
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    """How fast the machine is, beside which a run's time is to be read: the least of some hundred times of the toy's first pass."""
    scenario, passes_s = Scenario.article(), []
    for _ in range(400):
        start = time.perf_counter()
        prefill(scenario.model(), scenario.prompt_ids)
        passes_s.append(time.perf_counter() - start)
    terminalreporter.write_line(f"the toy pass takes {1e6 * min(passes_s):.0f} µs on this machine")


MUTANTS = "MUTANT_UNDER_TEST" in os.environ  # a run of mutmut


def pytest_configure(config):
    """A mutant is tried in a fork of a process that has run the tests: what was computed there must not answer for it."""
    if MUTANTS:
        ours = [n for n, m in sys.modules.items() if (getattr(m, "__file__", None) or "").startswith(str(config.rootpath))]
        for name in ours:
            if "conftest" not in name:
                del sys.modules[name]


@pytest.fixture(autouse=MUTANTS)
def nothing_kept():
    """Each test calls what it tests, also what another has called before it: mutmut tries a mutant with the tests that call it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("engine"):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()


@pytest.fixture(autouse=True, scope="module")
def as_the_server_runs_pages(request):
    """Pages are run with what the server puts in Streamlit's place, which takes a fifth of their time; one file tests both ways."""
    own = request.path.stem == "test_streamlit_internals" or "streamlit" not in sys.modules
    with nullcontext() if own else reached():
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Before pytest-xdist looks at its options: for a directory one process more than cores, where nobody has chosen a number.

    A browser's test waits a quarter of its time (337 s in two processes on two cores, 303 s in three under twice the load). Without
    a browser nothing waits, and each process imports and collects everything, six seconds: one for each core.
    """
    option = config.option
    unset = getattr(option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    cores = os.cpu_count() or 1
    processes = min(MOST_PROCESSES, cores + (option.markexpr != "not browser")) if cores > 1 else 1
    if unset and sys.platform != "win32" and processes > 1 and not (option.usepdb or option.collectonly):
        if any(Path(place).is_dir() for place in config.args):
            option.numprocesses, option.dist = processes, "worksteal"


class Elsewhere(pytest.Dir):
    """A folder that is collected from its end, or from its middle."""

    def collect(self):
        found = [*super().collect()]
        half = len(found) // 2 if _process(self.config) > 1 else 0
        found = found[half:] + found[:half]
        return found if _process(self.config) % 2 == 0 else reversed(found)


def _process(config):
    """The number of one of several processes."""
    return int(getattr(config, "workerinput", {}).get("workerid", "gw0")[2:])


def pytest_collect_directory(path, parent):
    """Each process begins at another place. What it has compiled the others find: in a fresh clone each compiled all of it."""
    return Elsewhere.from_parent(parent, path=path) if _process(parent.config) and not (path / "__init__.py").exists() else None


def pytest_ignore_collect(collection_path, config):
    """Where nothing with a browser is wanted, its tests are not read to be left out one by one."""
    return True if config.option.markexpr == "not browser" and collection_path.name == "browser" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """One of several processes tells of a test in one message, and not in three: that its fixtures were made, and taken down, is told
    where they failed or are among the slowest. A message costs half a millisecond, in this process and in the one that shows it."""
    if not hasattr(item.config, "workerinput"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration >= item.config.option.durations_min:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def starts_processes(item):
    """Whether an item's file starts servers or programs: seconds each, and with the name of the file they would come last."""
    return any(hasattr(getattr(item, "module", None), name) for name in ("process", "subprocess"))


def in_the_whole_build(item):
    """Whether a test needs the build of Chromium that most others do not: who starts it compiles every script once more."""
    return "widest" in item.fixturenames


PIECE = 12  # browser tests of a file that stay together


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Each of several processes begins with its part of what needs a browser, the longest, and then with what starts processes of
    its own: all end together, with the short.

    Of those a file stays together: what one of its tests has made, the next finds; and those of Chromium's whole build, half of the
    longest, are the first process's.
    """
    n = getattr(config, "workerinput", {}).get("workercount", 1)
    if n > 1:
        items.sort(key=lambda item: (not starts_processes(item), item.path))
    parts = [[] for _ in range(n)]
    for long in (True, False):
        chosen = [item for item in items if ("browser" in item.path.parts) == long]
        if long and n > 1:
            parts[0] += filter(in_the_whole_build, chosen)
            chosen = [item for item in chosen if not in_the_whole_build(item)]
        for _, of_a_file in groupby(chosen, key=lambda item: item.path):
            of_a_file = list(of_a_file)
            piece = PIECE if long else len(of_a_file)
            for at in range(0, len(of_a_file), piece):
                min(parts, key=len).extend(of_a_file[at : at + piece])
    items[:] = [item for part in parts for item in part]


@pytest.fixture
def no_results():
    """Nothing is kept when the test begins, and afterwards what was kept before: the lesson on many requests takes two seconds to make
    it anew, a tenth of a second to show it."""
    before = RESULTS._results, RESULTS.nbytes
    RESULTS._results, RESULTS.nbytes = OrderedDict(), 0
    yield RESULTS
    RESULTS._results, RESULTS.nbytes = before
