"""What somebody asks who has to serve a model, answered as a bound and as an estimate that published times hold to account."""
