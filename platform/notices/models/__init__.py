"""One model a file."""

from notices.models.choice import Choice
from notices.models.notice import Kind, Notice

__all__ = ["Choice", "Kind", "Notice"]
