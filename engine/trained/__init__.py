"""A trained transformer in NumPy: read from the Hugging Face layout, run, and looked into."""
