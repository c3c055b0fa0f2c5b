"""Trains a model by a recipe of `vitrine train`: see docs/training.md.

`python -m vitrine_train RUN` carries out RUN/settings.json, which `vitrine train` has written
and checked, and goes on where an earlier call of it stopped."""
