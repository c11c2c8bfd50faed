"""The site for an ASGI server."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from config.lanes import LanedHandler  # noqa: E402 - only now are there settings

application = LanedHandler()
