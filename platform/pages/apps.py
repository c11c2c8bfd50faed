"""The pages that draw on several apps."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Home, leaderboard, a bot's profile, documentation, and the tags that every template uses."""

    name = "pages"
