"""The settings of the site and of its workers: one file, filled from the environment.

Every variable is read by one of the helpers below, which check it, and say in one sentence what is wrong, before a
process starts. Each may be a file instead, which is how secrets come in: `SECRET_KEY_FILE=/run/secrets/key`. An empty
value counts as not set. What a variable means stands beside it and in `VARIABLES`, which the documentation is made of.

Nothing needs to be set on a developer's machine. With `DEBUG=0` a secret key does, and bots run in containers only.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import structlog
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

BASE_DIR = Path(__file__).resolve().parents[2]
PLATFORM_DIR = BASE_DIR / "platform"

# ---------------------------------------------------------------------------------------------------------------------
# The environment

T = TypeVar("T")


@dataclass(frozen=True)
class Variable:
    """One variable of the environment: what it means, and what holds where it is not set."""

    name: str
    meaning: str
    default: str


VARIABLES: dict[str, Variable] = {}
"""Every variable that these settings read, by name, in the order of reading."""


def environment_value(name: str) -> str | None:
    """The text of a variable, from `NAME` or from the file that `NAME_FILE` names; None where neither is set.

    Raises:
        ImproperlyConfigured: both are set, or the file cannot be read.
    """
    value, path = os.environ.get(name) or None, os.environ.get(f"{name}_FILE") or None
    if path is None:
        return value
    if value is not None:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set: keep one of them.")
    try:
        return Path(path).read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {path}, which cannot be read: {error}.") from error


def variable(name: str, default: T, meaning: str, parse: Callable[[str], T], shown: str | None = None) -> T:
    """Read one variable, and remember it for the documentation.

    Args:
        parse: turns the text into a value, or raises ValueError with what was expected ("a whole number").
        shown: the default as the documentation shows it, where its plain text would not do.

    Raises:
        ImproperlyConfigured: the value is not what was expected.
    """
    VARIABLES[name] = Variable(name, meaning, str(default) if shown is None else shown)
    value = environment_value(name)
    if value is None:
        return default
    try:
        return parse(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be {error}.") from error


def text(name: str, default: str, meaning: str, shown: str | None = None) -> str:
    """A variable that is taken as it stands."""
    return variable(name, default, meaning, str, shown)


def flag(name: str, default: bool, meaning: str, shown: str | None = None) -> bool:
    """A variable that is on or off."""
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

    def parse(value: str) -> bool:
        if value.lower() not in words:
            raise ValueError("1 or 0 (or true, false, yes, no, on, off)")
        return words[value.lower()]

    return variable(name, default, meaning, parse, shown or ("1" if default else "0"))


def number(name: str, default: int, meaning: str, minimum: int = 1) -> int:
    """A variable that is a whole number of at least `minimum`."""

    def parse(value: str) -> int:
        if not value.isdecimal() or int(value) < minimum:
            raise ValueError(f"a whole number of at least {minimum}")
        return int(value)

    return variable(name, default, meaning, parse)


def choice(name: str, default: str, choices: Sequence[str], meaning: str, shown: str | None = None) -> str:
    """A variable that is one of a few words."""

    def parse(value: str) -> str:
        if value not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return value

    return variable(name, default, meaning, parse, shown)


def names(name: str, default: list[str], meaning: str) -> list[str]:
    """A variable that is a list of words, separated by commas."""

    def parse(value: str) -> list[str]:
        return [word.strip() for word in value.split(",") if word.strip()]

    return variable(name, default, meaning, parse, ",".join(default))


def database(url: str) -> dict[str, Any]:
    """Django's description of a database from its address.

    Args:
        url: `sqlite:////absolute/file`, or `postgresql://user:password@host:port/name?option=value`, where the parts
            between the slashes may be percent-encoded and the options are those of libpq.

    Raises:
        ValueError: any other form; the message says what was expected.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        # WAL lets readers go on beside the writer. A transaction that starts by reading and then writes would fail at
        # once under another writer; IMMEDIATE makes it wait for its turn from the start instead.
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL"
        if parts.netloc or len(parts.path) < 2:
            raise ValueError("sqlite:////absolute/file, with four slashes")
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(parts.path[1:] if parts.path.startswith("//") else parts.path),
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30, "init_command": pragmas},
            # A file and not memory: threads that share a database in memory fail instead of waiting for each other.
            "TEST": {"NAME": str(Path(tempfile.gettempdir(), f"durak-arena-test-{os.getpid()}.sqlite3"))},
        }
    if parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ValueError("sqlite:////absolute/file or postgresql://user:password@host:port/name")


# ---------------------------------------------------------------------------------------------------------------------
# What kind of site this is

DEBUG = flag("DEBUG", True, "A developer's machine: error pages in full, plain HTTP, and bots may run unsandboxed.")
SECRET_KEY = text("SECRET_KEY", "", "Signs sessions and links. Required with DEBUG=0; 50 random characters.", "")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured("Set SECRET_KEY or SECRET_KEY_FILE to 50 random characters, or DEBUG=1.")
    SECRET_KEY = "not a secret: a developer's machine answers its own requests only"  # noqa: S105
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = names("ALLOWED_HOSTS", LOCAL_HOSTS, "Host names under which the site answers.")
CSRF_TRUSTED_ORIGINS = names("CSRF_TRUSTED_ORIGINS", [], "Origins (https://name) of forms behind a proxy.")
HTTPS = flag(
    "HTTPS", not DEBUG, "The site is reached over https: cookies are sent over nothing else.", "1 with DEBUG=0"
)
PROXY = flag("PROXY", False, "A proxy in front sets X-Forwarded-Proto, adds to X-Forwarded-For, and is to be believed.")
DATA_DIR = Path(
    variable("DATA_DIR", str(BASE_DIR / "var"), "Folder of everything that the site writes to disk.", str, "var")
).absolute()
DATA_DIR.mkdir(parents=True, exist_ok=True)

# ---------------------------------------------------------------------------------------------------------------------
# Database, cache, mail

DATABASES = {
    "default": variable(
        "DATABASE_URL",
        database(f"sqlite:///{DATA_DIR / 'db.sqlite3'}"),
        "The database: sqlite:////absolute/file or postgresql://user:password@host:port/name.",
        database,
        "SQLite in DATA_DIR",
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHE_URL = text("CACHE_URL", "", "Redis or Valkey to share counters of sign-in attempts between web processes.", "")
if CACHE_URL:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CACHE_URL}}

EMAIL_HOST = text("EMAIL_HOST", "", "Mail server. Without one, mail is printed and addresses are not verified.", "")
EMAIL_PORT = number("EMAIL_PORT", 587, "Port of the mail server.")
EMAIL_HOST_USER = text("EMAIL_HOST_USER", "", "Name at the mail server.")
EMAIL_HOST_PASSWORD = text("EMAIL_HOST_PASSWORD", "", "Password at the mail server.")
EMAIL_USE_TLS = flag("EMAIL_USE_TLS", True, "Mail goes over STARTTLS.")
DEFAULT_FROM_EMAIL = text("DEFAULT_FROM_EMAIL", "Durak Arena <arena@localhost>", "Sender of the site's mail.")
EMAIL_BACKEND = "django.core.mail.backends." + ("smtp" if EMAIL_HOST else "console") + ".EmailBackend"

# ---------------------------------------------------------------------------------------------------------------------
# Bots and tournaments

SANDBOX = choice(
    "SANDBOX",
    "auto" if DEBUG else "docker",
    ("auto", "docker", "process"),
    "What bots run in: docker, process (no walls; refused with DEBUG=0), or auto: docker where an engine answers.",
    "auto; docker with DEBUG=0",
)
if SANDBOX != "docker" and not DEBUG:
    # Refused here and not only by a system check: a worker and a web server run none.
    raise ImproperlyConfigured(
        f"SANDBOX={SANDBOX} may run strangers' bots without walls; with DEBUG=0 set it to docker."
    )
SANDBOX_RUNTIME = text("SANDBOX_RUNTIME", "", "Runtime of the containers, such as runsc. Empty: the engine's default.")
SANDBOX_BOXES = text("SANDBOX_BOXES", "", "Folder of bots' files, at the same path for the engine.", "a temporary one")
SANDBOX_POOL = number("SANDBOX_POOL", 12, "Warm sandboxes that one worker process keeps; each may use 256 MB.", 6)
MAX_ATTEMPTS = number("MAX_ATTEMPTS", 3, "How often a match or a check is begun before it is parked for staff.")
SWEEP_SECONDS = number("SWEEP_SECONDS", 3, "How often the sweep looks for what is to be done.")
RESEND_SECONDS = number("RESEND_SECONDS", 60, "After how long a match that nobody took is announced again.")
LADDER_RULESET = text("LADDER_RULESET", "podkidnoy", "Ruleset of the ladder, when it is made.")
LADDER_DEALS = number("LADDER_DEALS", 10, "Deals of a match on the ladder, when it is made.")

# ---------------------------------------------------------------------------------------------------------------------
# Celery carries identifiers of rows; the database is the queue

CELERY_BROKER_URL = text(
    "CELERY_BROKER_URL",
    f"durakfile://{DATA_DIR / 'broker'}",
    "The broker: redis://host:port/0, or durakfile:///absolute/folder on one machine.",
    "a folder in DATA_DIR",
)
if CELERY_BROKER_URL.startswith(("redis", "valkey")):
    # A task that runs longer is delivered again. That is harmless (the row is leased), so an hour is only for tidiness.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
# Kinds of work have queues of their own, which a worker serves in turn: neither a check nor the sweep waits behind a
# thousand matches.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in ("upkeep", "checks", "matches")]
CELERY_TASK_DEFAULT_QUEUE = "upkeep"
CELERY_TASK_ROUTES = {
    "bots.tasks.check_version": {"queue": "checks", "routing_key": "checks"},
    "tournaments.tasks.play_match": {"queue": "matches", "routing_key": "matches"},
}
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "tournaments.tasks.sweep",
        "schedule": float(SWEEP_SECONDS),
        # Sweeps that no worker took are not owed: the next one does all of their work.
        "options": {"expires": 2.0 * SWEEP_SECONDS},
    }
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")

# ---------------------------------------------------------------------------------------------------------------------
# Django

INSTALLED_APPS = [
    "accounts",
    "bots",
    "tournaments",
    "replays",
    "pages",
    "api",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "django_structlog",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PLATFORM_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.i18n",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "bots.context_processors.sandboxed",
            ]
        },
    }
]

# ---------------------------------------------------------------------------------------------------------------------
# Languages and static files

LANGUAGE_CODE = "en"
# Each language is named in itself: that is the name its readers look for.
LANGUAGES = [("en", "English"), ("ru", "Русский"), ("pl", "Polski"), ("uk", "Українська")]
# The second holds what Django and allauth say where the site says it otherwise.
LOCALE_PATHS = [PLATFORM_DIR / "locale", PLATFORM_DIR / "locale/packages"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [PLATFORM_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
# Without DEBUG, names carry a hash of the content and browsers keep the files; `collectstatic` makes them.
_STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if DEBUG
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_USE_FINDERS = DEBUG

# ---------------------------------------------------------------------------------------------------------------------
# Accounts

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "bots:mine"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional" if EMAIL_HOST else "none"
ACCOUNT_USERNAME_BLACKLIST = ["admin", "arena", "durak", "moderator", "root", "staff", "support", "system"]
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG
MFA_TOTP_ISSUER = "Durak Arena"

# ---------------------------------------------------------------------------------------------------------------------
# Security

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked by the machine itself, without a proxy in between
if PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
# No inline script or style anywhere, nothing from elsewhere. Card pictures may be data: URLs.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# ---------------------------------------------------------------------------------------------------------------------
# Logs: key and value on standard error; a request's identifier follows it into the tasks that it started

LOG_LEVEL = choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"), "The least that is logged.")
LOG_FORMAT = choice(
    "LOG_FORMAT",
    "console" if DEBUG else "json",
    ("console", "json"),
    "Logs for people (console) or for programs (json).",
    "console; json with DEBUG=0",
)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# The sweep runs each few seconds and would bury everything else. What it does, it logs itself.
DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = 10
_LOG_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.processors.StackInfoRenderer(),
]
if LOG_FORMAT == "json":
    _LOG_RENDERERS: list[Any] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
else:
    # Plain: the coloured traceback prints every local variable, a whole request among them, and takes minutes for it.
    _LOG_RENDERERS = [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_LOG_PROCESSORS,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structlog": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _LOG_PROCESSORS,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_LOG_RENDERERS],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structlog"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        # Its own lines are repeated, better, by the request middleware.
        "django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}
