"""Where the browser gets what draws the figures: our scripts in browser/, and the plotly.js that the plotly package brings.

A component's own script travels with every message, so the figures' is a line that imports these once. Their addresses name their
content: a browser keeps them for as long as they are what the server has.
"""

from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).with_name("browser")
_CONTENT = b"".join(file.read_bytes() for file in sorted(FOLDER.iterdir()) if file.is_file())
ADDRESS = f"/figure-{sha256(_CONTENT).hexdigest()[:12]}"
PLOTLY_ADDRESS = f"/plotly-{version('plotly')}.min.js"
