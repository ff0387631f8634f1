"""What the notebooks on a trained model share: a prefix cache as a set of chained blocks."""

PREFIX_CACHE = '''
kept = set()


def chain(tokens):
    """A hash for each full block: of its tokens and the hash of the block before."""
    hashes, before = [], 0
    for end in range(page, len(tokens) + 1, page):
        before = hash((before, *tokens[end - page : end]))  # a server takes a longer one
        hashes.append(before)
    return hashes


def found(tokens):
    """Tokens that need not run: blocks as far as all are there, but never the last token, whose logits are kept nowhere."""
    hashes = chain(tokens)
    n = next((i for i, one in enumerate(hashes) if one not in kept), len(hashes))
    return min(n * page, len(tokens) - 1)


def keep(tokens):
    kept.update(chain(tokens))
'''
