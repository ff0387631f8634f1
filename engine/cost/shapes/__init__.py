"""Model shapes: the dozen numbers of a config.json from which bytes, parameters and FLOPs follow."""
