"""Text to ids and back: one word one id for the bundled model, and the file of a real checkpoint through the tokenizers library.

The bundled model's language is a list of some four hundred words. A word that is not on the list becomes <unk>, which the
model has met in training and never says itself; `unknown` names such words, so that they can be marked.
"""

import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from engine.trained.process.child import Child

# Contractions come apart as in the Penn Treebank: "isn't" is "is" and "n't", "Today's" is "Today" and "'s".
PIECES = re.compile(r"<\w+>|\w+?(?=n't\b)|n't\b|'(?:s|re|m|ll)\b|\w+|[^\w\s]")
JOINED_TO_THE_LEFT = re.compile(r" (?=n't\b|'(?:s|re|m|ll)\b|[.,?!])")
SCRIPT = Path(__file__).with_name("process") / "tokenizer_process.py"
LOAD_S, TEXT_S = 30.0, 5.0  # a vocabulary of 250,000 takes two seconds to load, a page of text a few milliseconds


class Tokenizer(Protocol):
    """What a model's tokenizer does. `encode` puts the mark of a beginning first where the model was trained with one."""

    def encode(self, text: str) -> list[int]:
        """Text -> token ids, the beginning-of-text mark included."""
        ...

    def decode(self, token_ids: Sequence[int]) -> str:
        """Token ids -> text, without marks."""
        ...

    def tokens(self, token_ids: Sequence[int]) -> tuple[str, ...]:
        """Each id as the text to write at the edge of a map, marks included."""
        ...


class WordTokenizer:
    """One id for each word of a list; words[0] marks the beginning, words[1] stands for a word that is not on the list.

    >>> t = WordTokenizer(["<bos>", "<unk>", "Today", "'s", "weather", "is", "n't", "cold", "."])
    >>> t.encode("Today's weather isn't odd.")
    [0, 2, 3, 4, 5, 6, 1, 8]
    >>> t.decode([0, 2, 3, 4, 5, 6, 7, 8])
    "Today's weather isn't cold."
    """

    bos_id, unk_id = 0, 1

    def __init__(self, words: Sequence[str]):
        if len(words) < 2 or len(set(words)) < len(words):
            raise ValueError(f"words: expected at least 2 different words, got {len(words)}, {len(set(words))} of them different")
        self.words = tuple(words)
        self._ids = {word: i for i, word in enumerate(self.words)}

    def encode(self, text: str) -> list[int]:
        """The beginning mark, then an id for each word; the one for unknown words where a word is not on the list."""
        return [self.bos_id, *(i for _, i in self.pairs(text))]

    def decode(self, token_ids: Sequence[int]) -> str:
        """The words with spaces between them, contractions and punctuation joined to the word before. Marks are left out."""
        words = (word for i, word in zip(token_ids, self.tokens(token_ids), strict=True) if i != self.bos_id)
        return JOINED_TO_THE_LEFT.sub("", " ".join(words))

    def tokens(self, token_ids: Sequence[int]) -> tuple[str, ...]:
        """The word of each id. ValueError for an id that has none."""
        wrong = [i for i in token_ids if not 0 <= i < len(self.words)]
        if wrong:
            raise ValueError(f"token_ids: expected ids from 0 to {len(self.words) - 1}, got {wrong[0]}")
        return tuple(self.words[i] for i in token_ids)

    def split(self, text: str) -> list[str]:
        """The pieces of a text that get an id each, as they were typed."""
        return PIECES.findall(text.replace("’", "'"))

    def pairs(self, text: str) -> list[tuple[str, int]]:
        """Each piece with its id; a piece that is not on the list has the id for unknown words, as a typed <unk> has."""
        return [(piece, self._ids.get(self._known(piece), self.unk_id)) for piece in self.split(text)]

    def unknown(self, text: str) -> list[str]:
        """The pieces that are not on the list, in their order. A typed <unk> is on it."""
        return [piece for piece, _ in self.pairs(text) if not self.knows(piece)]

    def knows(self, piece: str) -> bool:
        """Whether a piece is on the list, in any of the spellings that are forgiven."""
        return self._known(piece) in self._ids

    def _known(self, piece: str) -> str:
        """The piece as the list has it: as typed, else in small letters, else with a capital."""
        return next((form for form in (piece, piece.lower(), piece.capitalize()) if form in self._ids), piece)


class FileTokenizer:
    """A checkpoint's tokenizer.json. It needs the `tokenizers` library, which the engine does not depend on: without it the model
    still loads and runs on ids, and the first text raises ImportError with what to install.

    Whether a beginning mark is put first is the file's own rule (Llama's does, GPT-2's does not), as in transformers.
    The library runs in a process of its own (engine.trained.process), which then ends, the text raises ValueError, and the next
    text gets a new process; a file that does not even load is not tried again. Of the 26 files that the tests make for it one
    aborts the process that reads it, a class's server if it were that one, two never come back, and five panic past `except
    Exception`. It costs 50 ms at the first text and 0.4 ms at each.
    """

    def __init__(self, path: Path, load_s: float = LOAD_S, text_s: float = TEXT_S):
        self.path, self._load_s, self._text_s = Path(path), load_s, text_s
        self._lock, self._child, self._broken = threading.Lock(), None, ""

    def encode(self, text: str) -> list[int]:
        """Text -> ids, with the marks that the file's own rule adds. ValueError for a text that cannot be encoded."""
        return self._ask("encode", text)

    def decode(self, token_ids: Sequence[int]) -> str:
        """Ids -> text without marks."""
        return self._ask("decode", [int(i) for i in token_ids])

    def tokens(self, token_ids: Sequence[int]) -> tuple[str, ...]:
        """Each id as text on its own; a mark, or a piece of a character, as the vocabulary writes it."""
        return tuple(self._ask("tokens", [int(i) for i in token_ids]))

    def _ask(self, what: str, given: object):
        """The library's answer; ValueError where there is none."""
        with self._lock:
            self._start()
            answer = self._child.answer([what, given], self._text_s)
            if answer is None:
                self._child = None
                raise ValueError(f"{self.path.name}: expected a text that it can read within {self._text_s:g} s, got another")
        if "error" in answer:
            raise ValueError(f"{self.path.name}: expected a text that it can read, got {answer['error']}")
        return answer["result"]

    def _start(self) -> None:
        """Start the process and let it read the file, unless it runs."""
        if self._broken:
            raise ValueError(self._broken)
        if self._child is not None:
            return
        child = Child(SCRIPT)
        answer = child.answer(str(self.path), self._load_s)
        if answer and "missing" in answer:
            child.end()
            raise ImportError(
                "this checkpoint's tokenizer needs the tokenizers library, which is not installed: pip install tokenizers"
            )
        if answer is None or "error" in answer:
            got = answer["error"] if answer else f"a process that ended, or took longer than {self._load_s:g} s"
            self._broken = f"{self.path.name}: expected a tokenizer, got {got}"
            child.end()
            raise ValueError(self._broken)
        self._child = child
