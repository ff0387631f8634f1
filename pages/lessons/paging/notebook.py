"""The lesson on pages as a notebook: a pool of blocks in a few lines, the empty room, and prompts that begin alike."""

from engine.caches.pool_story import pool_of_answers, pool_story
from engine.caches.reservations import in_one_piece, in_pages, mean_waste
from engine.toy.scenario import Scenario
from pages.lessons.paging import blocks, two_prompts, waste
from pages.parts.teaching.notebook import Cell, built_again, checked, code, literal, prose
from pages.parts.trained.notebook import PREFIX_CACHE

POOL = '''
holders = [0] * n_blocks  # sequences that hold each block
pool = np.full((n_blocks, size), np.nan)  # a value for each token: its row of the cache
tables, lengths, plain = {}, {}, {}  # of each sequence: its blocks in order, its tokens; and the same in one piece


def take():
    """The first block that nobody holds."""
    block = holders.index(0)
    holders[block], pool[block] = 1, np.nan
    return block


def write(who, new):
    table = tables.setdefault(who, [])
    for value in new:
        at, slot = divmod(lengths.get(who, 0), size)
        if slot == 0:
            table.append(take())
        elif holders[table[at]] > 1:  # shared: a copy first
            copy = take()
            pool[copy] = pool[table[at]]
            holders[table[at]] -= 1
            table[at] = copy
        pool[table[at], slot] = value
        lengths[who] = at * size + slot + 1
    plain[who] = [*plain.get(who, []), *new]


def fork(who, other):
    """A copy of the table; no row is copied."""
    tables[other], lengths[other], plain[other] = list(tables[who]), lengths[who], list(plain[who])
    for block in tables[who]:
        holders[block] += 1


def release(who):
    for block in tables.pop(who):
        holders[block] -= 1
    del lengths[who], plain[who]


history = []
for event, who, what in events:
    {"write": write, "fork": fork, "release": release}[event](who, *what)
    held = [block for block, n in enumerate(holders) if n]
    history.append([len(held), int(np.isnan(pool[held]).sum())])
    for name, table in tables.items():  # gathered by its table, a sequence is what it would be in one piece
        assert pool[table].ravel()[: lengths[name]].tolist() == plain[name]
'''


def cells(question: str) -> list[Cell]:
    (s,) = blocks.given()
    return [built_again(question), *_pool(s), *_waste(), *_prompts()]


def _pool(s: Scenario) -> list[Cell]:
    """The events of the first step, and several answers to one prompt."""
    size, n = blocks.SIZE.value(), len(s.prompt_ids)
    frames = pool_story(s.model(), s.prompt_ids, s.prompt_ids[::-1], size)
    values = s.word_values + s.values
    events, tokens = [], {}
    for f in frames[1:]:
        new = f.tokens.get(f.who, ())[len(tokens.get(f.who, ())) :]
        write = ("write", f.who, ([values[i] for i in new],))
        events.append({"fork": ("fork", "A", (f.who,)), "release": ("release", f.who, ())}.get(f.event, write))
        tokens = f.tokens
    answers = pool_of_answers(s.model(), s.prompt_ids, blocks.N_ANSWERS, blocks.N_WORDS, size)
    rest = "; the unfinished one is copied by all but the last" if n % size else ", and none is unfinished: nothing is copied"
    ending = {name: list(table) for name, table in frames[-1].tables.items()}
    return [
        prose("## A pool of blocks\n\nA is the prompt, B a second answer to it, C another prompt that comes when A has gone."),
        code(
            f"import numpy as np\n\nn_blocks, size = {len(frames[0].holders)}, {size}  # blocks, tokens of a block\n"
            "events = [\n" + "".join(f"    {event!r},\n" for event in events) + "]\n" + POOL
        ),
        checked("history", [[f.n_held, f.n_unused] for f in frames[1:]], "blocks held and empty slots after each event"),
        code(f"assert tables == {ending!r}  # the tables at the end, as the page shows"),
        prose(f"## Several answers to one prompt\n\nIts full blocks lie there once{rest}."),
        code(
            f"prompt, answers, words = {n}, {blocks.N_ANSWERS}, {blocks.N_WORDS}\nfull = prompt // size\ntogether = full + "
            "answers * (-(-(prompt + words) // size) - full)"
        ),
        checked("together", answers.n_blocks - answers.n_free, "blocks"),
    ]


def _waste() -> list[Cell]:
    """The slots that hold nothing."""
    longest, page = waste.LONGEST.value(), waste.PAGE.value()
    lengths, asked = waste.lengths(longest), waste.block_asked(page)
    return [
        prose(
            "## Empty room\n\nIn one piece every sequence has room for the longest; in pages only a last block has empty slots."
        ),
        code(
            f"lengths = np.array({literal(lengths)})  # tokens of each sequence\nlongest, page = {longest}, {page}\n"
            "reserved = [len(lengths) * longest, int((-(-lengths // page) * page).sum())]\n"
            f"mean = (-np.arange(1, longest + 1) % {asked}).mean()  # of sequences of every length, in blocks of {asked}"
        ),
        checked("reserved", [in_one_piece(lengths, longest), in_pages(lengths, page)], "slots in one piece, in pages"),
        checked("mean", mean_waste(longest, asked), "slots that a sequence leaves empty on average"),
    ]


def _prompts() -> list[Cell]:
    """The reader's two prompts, and the first once more, as far as the trained model has run them."""
    t = two_prompts.two()
    if t.runs is None:
        return []
    return [
        prose(
            "## Prompts that begin alike\n\nThe prompts as the trained model reads them: a number for each token. A block is "
            "known by a hash of its tokens and of the block before it, and only full blocks are kept."
        ),
        code(
            f"page = {t.block_size}\nfirst = {list(t.first.ids)!r}\nsecond = {list(t.second.ids)!r}\n{PREFIX_CACHE}\n\n"
            "from_cache = []\nfor prompt in (first, second, first):\n    from_cache.append(found(prompt))\n    keep(prompt)"
        ),
        checked("from_cache", [one.hit_tokens for one in t.runs], "tokens taken from the cache, of each prompt in turn"),
    ]
