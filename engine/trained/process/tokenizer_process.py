"""The process in which the tokenizers library reads a tokenizer.json and its texts; engine.trained.tokenizer starts it.

The first line of input is the path of the file, each further one a request ["encode" | "decode" | "tokens", text or ids]. Each
answer is a line {"result": …}, {"error": "a sentence"}, or {"missing": …} where the library is not installed. The library's own
padding and truncation are switched off: what is drawn is what was typed. Memory is bounded where the system can do that.
"""

import json
import sys

MOST_MEMORY = 4 << 30  # bytes of addresses, of which far fewer are used
MOST_IDS, MOST_CHARS, MOST_ERROR = 20_000, 200_000, 120


def answers(lines, write) -> None:
    """Answer every line."""
    tokenizer = None
    for line in lines:
        try:
            request = json.loads(line)
            if tokenizer is None:
                tokenizer, result = opened(request), None
            else:
                result = {"encode": encoded, "decode": decoded, "tokens": written}[request[0]](tokenizer, request[1])
            answer = {"result": result}
        except ImportError:
            answer = {"missing": "tokenizers"}
        except BaseException as error:  # the library raises bare Exceptions, and its panics are none
            answer = {"error": (str(error).splitlines() or [type(error).__name__])[0][:MOST_ERROR]}
        write(json.dumps(answer) + "\n")


def opened(path: str):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(path)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def encoded(tokenizer, text: str) -> list[int]:
    ids = tokenizer.encode(text).ids
    if len(ids) > MOST_IDS:
        raise ValueError(f"one that becomes {len(ids)} tokens; at most {MOST_IDS} are read")
    return ids


def decoded(tokenizer, token_ids: list[int]) -> str:
    """The text of some ids."""
    return tokenizer.decode(token_ids)[:MOST_CHARS]


def written(tokenizer, token_ids: list[int]) -> list[str]:
    """Each id as text on its own."""
    return [_token(tokenizer, i)[: MOST_CHARS // len(token_ids)] for i in token_ids]


def _token(tokenizer, token_id: int) -> str:
    text = tokenizer.decode([token_id])
    return text if text and "\ufffd" not in text else tokenizer.id_to_token(token_id) or f"[{token_id}]"


def bound_memory() -> None:
    """No more than MOST_MEMORY for this process; where the system has no such bound, none."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    bound_memory()
    answers(sys.stdin, lambda line: (sys.stdout.write(line), sys.stdout.flush()))
