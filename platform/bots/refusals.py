"""Why an upload is refused, in the reader's language. The archive says it in English, and marks what it says."""

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext

from arena.archive import ArchiveError


def said(error: ArchiveError) -> str:
    """The sentence of a refusal for its author."""
    sentence = gettext(error.sentence)
    values = {
        name: str(filesizeformat(value)) if isinstance(value, int) else value for name, value in error.values.items()
    }
    return sentence % values if values else sentence
