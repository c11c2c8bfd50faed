"""`make messages`: what the site says, collected for its translators."""

import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pages.management import catalogs


class Command(BaseCommand):
    """Collect the messages of the site, bring the catalogs up to them, compile, and say what is left to translate."""

    help = "Brings the catalogs in platform/locale/ up to what the site says, and compiles them."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's name; nothing of a running site is needed

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        try:
            with tempfile.TemporaryDirectory(prefix="messages-") as place:
                template = Path(place, "django.pot")
                catalogs.extract(template)
                for language in catalogs.OVERRIDDEN:
                    catalogs.join_short_words(catalogs.overrides(language), language)
                    catalogs.compile_catalog(catalogs.overrides(language))
                for language in catalogs.LANGUAGES:
                    catalogs.merge(template, language)
                    catalogs.join_short_words(catalogs.source(language), language)
                    catalogs.compile_catalog(catalogs.source(language))
                    catalogs.compile_replays(language)
                    left = catalogs.untranslated(language)
                    self.stdout.write(f"{language}: {f'{len(left)} to translate' if left else 'complete'}")
                    for text in left:
                        self.stdout.write(f"    {text}")
        except catalogs.CatalogError as error:
            raise CommandError(str(error)) from error
