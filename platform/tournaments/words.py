"""What the parts of a tournament are called on pages, where the database holds a short name for them."""

from django.utils.translation import gettext_lazy as _

RULESETS = {
    "podkidnoy": _("podkidnoy"),
    "perevodnoy": _("perevodnoy"),
    "podkidnoy-first-out": _("podkidnoy, first out wins"),
    "perevodnoy-first-out": _("perevodnoy, first out wins"),
    "podkidnoy-lead-rank": _("podkidnoy, rank of the lead"),
    "perevodnoy-lead-rank": _("perevodnoy, rank of the lead"),
    "pairs": _("in pairs"),
}
"""The rulesets that have a name."""
