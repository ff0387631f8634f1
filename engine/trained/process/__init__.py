"""A library that may crash, fill the memory or never end, in a process of its own.

A tokenizer.json of 700 letters (five times: put fifty letters in place of one) keeps the tokenizers library busy with the text "a"
for more than twelve seconds, while its memory grows: a thread of the server could not be ended, this process is after five seconds.
"""
