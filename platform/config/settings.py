"""The settings of the site and of its workers: one file, filled from the environment.

Every variable is read by a helper of `config.environment`, which checks it and takes it from a file where one is named.
What a variable means stands beside it and in `VARIABLES`, which docs/settings.md is made of.

Nothing needs to be set on a developer's machine. With `DEBUG=0` a secret key does, and bots run in containers only.
"""

from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

from arena.replay import ASSETS
from config import logs, sentry
from config.environment import (
    SECRETS,
    VARIABLES,
    choice,
    database,
    flag,
    names,
    networks,
    number,
    secret,
    section,
    text,
    variable,
)

__all__ = ["SECRETS", "VARIABLES"]

BASE_DIR = Path(__file__).resolve().parents[2]
PLATFORM_DIR = BASE_DIR / "platform"

# ---------------------------------------------------------------------------------------------------------------------
# What kind of site this is

# Addresses may have a password in them.
SECRETS.update({"DATABASE_URL", "CACHE_URL", "CELERY_BROKER_URL"})

section("The site")
DEBUG = flag("DEBUG", True, "A developer's machine: error pages in full, plain HTTP, and bots may run unsandboxed.")
SECRET_KEY = secret("SECRET_KEY", "Signs sessions and links. Required with DEBUG=0; 50 random characters.")
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

section("Database and cache")
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
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": CACHE_URL,
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
        }
    }

section("Mail and appeals")
EMAIL_HOST = text("EMAIL_HOST", "", "Mail server. Without one, mail is printed and addresses are not verified.", "")
EMAIL_PORT = number("EMAIL_PORT", 587, "Port of the mail server.")
EMAIL_HOST_USER = text("EMAIL_HOST_USER", "", "Name at the mail server.")
EMAIL_HOST_PASSWORD = secret("EMAIL_HOST_PASSWORD", "Password at the mail server.")
EMAIL_USE_TLS = flag("EMAIL_USE_TLS", True, "Mail goes over STARTTLS.")
# A server that takes connections and says nothing must hold neither a request nor a worker for ever.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = text("DEFAULT_FROM_EMAIL", "Durak Arena <arena@localhost>", "Sender of the site's mail.")
APPEAL_CONTACT = text(
    "APPEAL_CONTACT", "", "Where somebody who was suspended may appeal: a mail address, shown to him.", ""
)
EMAIL_BACKEND = "django.core.mail.backends." + ("smtp" if EMAIL_HOST else "console") + ".EmailBackend"

# ---------------------------------------------------------------------------------------------------------------------
# Bots and tournaments

section("Bots and tournaments")
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
# At most so often that whoever asks whether beat lives (compose.yaml) finds a sweep within the last half minute.
SWEEP_SECONDS = number("SWEEP_SECONDS", 3, "How often the sweep looks for what is to be done; at most 20.", maximum=20)
PULSE_FILE = text(
    "PULSE_FILE", "", "File that a worker or the clock touches each few seconds while it does its work.", "none"
)
RESEND_SECONDS = number("RESEND_SECONDS", 60, "After how long a match that nobody took is announced again.")
section("Quotas and retention")
QUOTA_BOTS = number("QUOTA_BOTS", 20, "Bots that one user may have; staff has no quotas.")
QUOTA_UPLOADS_A_DAY = number("QUOTA_UPLOADS_A_DAY", 50, "Versions that one user may upload within 24 hours.")
QUOTA_QUEUED_MATCHES = number(
    "QUOTA_QUEUED_MATCHES", 1000, "With so many matches waiting, a user's further versions wait before the ladder."
)
KEEP_LOGS_DAYS = number(
    "KEEP_LOGS_DAYS", 90, "After so many days what a bot printed in a game is deleted; 0: never.", 0
)
KEEP_RECORDS_DAYS = number(
    "KEEP_RECORDS_DAYS", 0, "After so many days the moves of a game are deleted, its result never; 0: never.", 0
)
section("The ladder")
LADDER_RULESET = text("LADDER_RULESET", "podkidnoy", "Ruleset of the ladder, when it is made.")
LADDER_DEALS = number("LADDER_DEALS", 10, "Deals of a match on the ladder, when it is made.")

# ---------------------------------------------------------------------------------------------------------------------
# Celery carries identifiers of rows; the database is the queue

section("Broker")
CELERY_BROKER_URL = text(
    "CELERY_BROKER_URL",
    f"durakfile://{DATA_DIR / 'broker'}",
    "The broker: redis://host:port/0, or durakfile:///absolute/folder on one machine.",
    "a folder in DATA_DIR",
)
if CELERY_BROKER_URL.startswith(("redis", "valkey")):
    # A task that runs longer is delivered again. That is harmless (the row is leased), so an hour is only for tidiness.
    # A broker that takes connections and says nothing must not hold who uploads for ever; a worker waits for up to ten
    # seconds for what there is to do, so this is more.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 3600,
        "socket_connect_timeout": 5,
        "socket_timeout": 15,
        "socket_keepalive": True,
    }
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
    },
    "notices": {"task": "notices.tasks.send", "schedule": 60.0, "options": {"expires": 120.0}},
}
# It keeps nothing on disk: what it asks for is due again some seconds after its start.
CELERY_BEAT_SCHEDULER = "config.pulse:Clock"

# ---------------------------------------------------------------------------------------------------------------------
# Django

INSTALLED_APPS = [
    "upkeep",
    "accounts",
    "bots",
    "tournaments",
    "notices",
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
    "upkeep.apps.AuditedAdminConfig",
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
    "pages.misfortune.WrongMethodMiddleware",
    "accounts.suspension.SuspensionMiddleware",
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
                "bots.context_processors.appeal",
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
# The replay viewer belongs to `arena`, whose command line puts it into a file of its own.
STATICFILES_DIRS = [PLATFORM_DIR / "static", ("replay", ASSETS), ("docs", BASE_DIR / "docs/images")]
STATIC_ROOT = DATA_DIR / "static"
# Without DEBUG, names carry a hash of the content and browsers keep the files; `collectstatic` makes them.
_STATIC_STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "config.storage.HashedStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_USE_FINDERS = DEBUG

# ---------------------------------------------------------------------------------------------------------------------
# Accounts

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.signing_in.Backend"]
ACCOUNT_ADAPTER = "accounts.signing_in.Adapter"
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
# Where there is no mail, no address is ever verified, and who gave one could not turn the second step on.
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_HOST

# ---------------------------------------------------------------------------------------------------------------------
# Security

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_SSL_REDIRECT = HTTPS
# Asked by machines of the same network, without a proxy in between.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
if PROXY:
    # Limits on sign-in and sign-up count by address: without this, by the proxy's, all users of the site together.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Not this site's to promise: subdomains are others', and browsers' lists of preloads are entered by hand.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
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
# Watching it: metrics for Prometheus, errors for Sentry (docs/monitoring.md)

section("Watching it")
METRICS_TOKEN = secret("METRICS_TOKEN", "Opens /metrics with the header Authorization: Bearer. Empty: no token does.")
METRICS_NETWORKS = networks(
    "METRICS_NETWORKS", "Networks (10.0.0.0/8) that may read /metrics directly, without a token."
)
SENTRY_DSN = secret("SENTRY_DSN", "Where errors are reported to; needs the package sentry-sdk. Empty: nowhere.")
SENTRY_ENVIRONMENT = text("SENTRY_ENVIRONMENT", "production", "What Sentry calls this site.")
if SENTRY_DSN:
    sentry.start(SENTRY_DSN, SENTRY_ENVIRONMENT)

# ---------------------------------------------------------------------------------------------------------------------
# Logs: key and value on standard error; a request's identifier follows it into the tasks that it started

section("Logs")
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
LOGGING = logs.configure(LOG_LEVEL, LOG_FORMAT)
