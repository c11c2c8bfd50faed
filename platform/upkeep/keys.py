"""Keys of rows, as an address or a form has them: anybody may have written anything there."""

MOST_DIGITS = 18
"""Every number that is no longer fits the key of a database."""


def key(text: str) -> int | None:
    """The key that a text is; None where no row can have it."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
