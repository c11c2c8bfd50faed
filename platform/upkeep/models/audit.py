from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AppendOnlyError(TypeError):
    """Somebody wanted to change or delete what was written down for good."""


class AppendOnlyQuerySet(models.QuerySet["AuditEntry"]):
    """Rows are added and read."""

    def update(self, **_fields: Any) -> NoReturn:
        raise AppendOnlyError("An entry of the audit log is never changed.")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("An entry of the audit log is never deleted.")

    def bulk_update(self, *_args: Any, **_options: Any) -> NoReturn:
        raise AppendOnlyError("An entry of the audit log is never changed.")


class AuditEntry(models.Model):
    """One thing that a member of staff did. Nothing in this house changes or deletes it.

    Names stand beside the keys, so that an entry still says what it meant when the row that it is about has gone.
    """

    at = models.DateTimeField(_("when"), auto_now_add=True)
    # Accounts are closed, not deleted; should one go all the same, its name stays here.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        verbose_name=_("who"),
    )
    actor_name = models.CharField(_("name of who did it"), max_length=150)
    action = models.CharField(_("what was done"), max_length=60)
    kind = models.CharField(_("kind of thing"), max_length=60, blank=True)
    target = models.CharField(_("key"), max_length=100, blank=True)
    target_name = models.CharField(_("what it was done to"), max_length=200, blank=True)
    detail = models.TextField(_("detail"), blank=True)
    request_id = models.CharField(_("request"), max_length=64, blank=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        ordering = ("-id",)
        indexes = [models.Index(fields=["kind", "target", "-id"], name="audit_by_target")]

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.action} {self.target_name}"

    def save(self, *args: Any, **options: Any) -> None:
        """Add the entry.

        Raises:
            AppendOnlyError: it is there already.
        """
        if not self._state.adding:
            raise AppendOnlyError("An entry of the audit log is never changed.")
        super().save(*args, **options)

    def delete(self, *_args: Any, **_options: Any) -> NoReturn:
        raise AppendOnlyError("An entry of the audit log is never deleted.")
