"""A library that may crash, fill the memory or never end, in a process of its own."""
