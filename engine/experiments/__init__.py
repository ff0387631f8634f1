"""What lessons try out on a model: words chosen by hand, caches that must fail, depth, a thousand draws."""
