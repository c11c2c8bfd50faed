#!/usr/bin/env python
"""Runs Django's management commands with the settings of the site. `python manage.py help` lists them."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Put the source roots on the path (see platform/config/README.md for why), then hand over to Django."""
    root = Path(__file__).resolve().parent
    for source in (root, root / "platform"):
        if str(source) not in sys.path:
            sys.path.insert(0, str(source))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
