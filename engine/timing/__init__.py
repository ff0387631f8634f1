"""Passes with a clock in hand: one step, one answer, one answer made both ways."""
