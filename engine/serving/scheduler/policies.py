"""What one step of a server is made of: four policies, each a function that says which parts of prompts the next step computes.

static         a batch is chosen, and nobody joins or leaves until its longest answer is done
continuous     at each step who waits may join; a step computes whole prompts, or one token for each who decodes (Orca, 2022)
chunked        a step has the token of each who decodes, and fills what is left of its budget with pieces of prompts (Sarathi)
disaggregated  some instances compute prompts only, others decode only, each by "continuous" (DistServe, Splitwise)
"""

from engine.serving.scheduler.instance import Instance, Part


def static(instance: Instance) -> tuple[list[Part], bool]:
    """Whole prompts of the batch, as many a step as the budget allows; when all are computed none, and all decode."""
    if not instance.n_running:
        instance.admit_batch()
    parts, budget = [], instance.setup.max_batched_tokens
    for i in instance.prefilling:
        n_new = int(instance.jobs.n_prompt[i])
        if parts and n_new > budget:
            break
        parts.append((i, 0, n_new))
        budget -= n_new
    return parts, False


def continuous(instance: Instance) -> tuple[list[Part], bool]:
    """Whole prompts of those who join, alone in the step; where nobody joins none, and all decode."""
    return instance.admit(instance.setup.max_batched_tokens, whole=True), False


def chunked(instance: Instance) -> tuple[list[Part], bool]:
    """A token for each who decodes; the rest of the budget is for prompts that have been begun, then for those who join."""
    n_promised = instance.make_room()
    budget, parts = instance.setup.max_batched_tokens - len(instance.decoding), []
    for i in instance.prefilling:
        n_past = int(instance.n_cached[i])
        n_new = min(int(instance.jobs.n_prompt[i] + instance.n_made[i]) - n_past, budget)
        if n_new:
            parts.append((i, n_past, n_new))
            budget -= n_new
    return parts + instance.admit(budget, False, n_promised), True


POLICIES = {"static": static, "continuous": continuous, "chunked": chunked, "disaggregated": continuous}
