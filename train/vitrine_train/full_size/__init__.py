"""Configurations of other trainers (train/full-size), read by each trainer's own parser at a pinned commit."""
