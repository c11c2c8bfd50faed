"""One model a file."""

from upkeep.models.audit import AuditEntry
from upkeep.models.mark import Mark
from upkeep.models.sign import WorkerSign

__all__ = ["AuditEntry", "Mark", "WorkerSign"]
