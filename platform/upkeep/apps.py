from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class UpkeepConfig(AppConfig):
    name = "upkeep"
    verbose_name = _("Upkeep")


class AuditedAdminConfig(admin_apps.AdminConfig):
    """Django's admin, with a site that writes the audit log."""

    default = False
    default_site = "upkeep.admin_site.AuditedAdminSite"
