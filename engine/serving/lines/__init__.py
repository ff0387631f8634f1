"""What single lines of a log state: the rules, the tables, and a number or a word."""
