"""The user. Django's own fields suffice; the class is ours so that later needs find a place."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Somebody who can sign in: a bot author, an organiser, a member of staff."""
