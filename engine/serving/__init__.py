"""What a running server says of itself, set beside what the formulas expect."""
