"""A package, because a lesson's tests have the same name here and one folder up."""
