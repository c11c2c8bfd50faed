"""Replays: frames made from records by the engine, the words for them, and the pages that show them."""
