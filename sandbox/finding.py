"""What a look at the host has found."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """One item of `python -m sandbox check`."""

    item: str
    """What was looked at."""

    state: Literal["good", "weak", "bad"]
    """Fit; works but with a thinner wall; strangers' code must not or cannot run."""

    detail: str
    """What was found."""

    advice: str = ""
    """What to do about it, empty if nothing."""
