"""Many requests on a device: who joins a step, who waits, what is kept, and what that does to every reader's waiting."""
