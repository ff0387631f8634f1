"""The article's toy: a scenario of tokens, values and head rules, its model, and what lessons ask of it."""
