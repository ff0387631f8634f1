"""What an answer takes in rows and products, by closed forms: without a cache, in chunks, by ways of appending."""
