"""The shapes of what goes out, and how each is made from what the selectors give."""
