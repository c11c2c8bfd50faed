"""One model a file."""

from api.models.usage import Usage

__all__ = ["Usage"]
