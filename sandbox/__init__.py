"""Runs a stranger's Python and talks to it, one fresh process a game. Knows no Durak and no web site.

`open_backend` gives a Backend, `Backend.open` a Sandbox (one bot's files, kept warm), `Sandbox.start` a Session (one
game), `Session.ask` an answer, `Session.close` a Report. A bot's fault is SessionFailed, ours is SandboxError.
"""

from sandbox.backend import Backend, Sandbox
from sandbox.errors import REASONS, Reason, SandboxError, SessionFailed
from sandbox.finding import Finding
from sandbox.limits import Limits
from sandbox.pool import Pool
from sandbox.session import Report, Session
from sandbox.settings import engine_answers, image_tag, open_backend

__all__ = [
    "REASONS",
    "Backend",
    "Finding",
    "Limits",
    "Pool",
    "Reason",
    "Report",
    "Sandbox",
    "SandboxError",
    "Session",
    "SessionFailed",
    "engine_answers",
    "image_tag",
    "open_backend",
]
