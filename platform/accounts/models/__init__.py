"""One model a file."""

from accounts.models.token import ApiToken
from accounts.models.user import User

__all__ = ["ApiToken", "User"]
