"""Parameters that several lessons share, so that what was chosen in one is still chosen in the next."""

from pages.parts.visit.parameters import Real, Text, Whole

MOST_TOKENS = 2**20
P = Whole("p", low=1, high=MOST_TOKENS, default=1)  # tokens of a prompt
G = Whole("g", low=1, high=MOST_TOKENS, default=1)  # tokens of an answer
# Where their sliders stop.
LENGTHS = (*range(1, 17), 20, 24, 32, 48, 64, 100, 128, 200, 256, 500, 512, 1000, 2000, 4000, 10_000, 32_000, 100_000)
TOKEN = Whole("token", low=1, high=16)
HEAD = Whole("head", low=1, high=9)
CELL = Text("cell")  # of an attention map: head.query.key or row.column, counted from 1
BLOCK = Whole("block", low=1, high=16, default=4)  # tokens of a block of the cache
TEMPERATURE = Real("temperature", low=0.0, high=10.0, default=1.0)
PRICE = Real("price", high=1_000_000)  # of all devices for an hour, in the reader's currency
TTFT_MS = Whole("ttft_limit", low=10, high=10_000, default=500)  # what a server promises
TPOT_MS = Whole("tpot_limit", low=1, high=1000, default=25)
SEED = Whole("seed", low=0, high=999)
