"""Settings shared by every environment, read from it or from `.env` beside manage.py."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
import environ
from csp.constants import NONE, SELF

from skillnet import embedded

django_stubs_ext.monkeypatch()  # lets Django's generic classes be subscripted, as their types are

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY", default="")
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "axes",
    "csp",
    "django_htmx",
    "django_rq",
    "skillnet",
    "documents",
    "retrieval",
    "courses",
    "tutor",
]

MIDDLEWARE = [
    "skillnet.observing.ObservingMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "skillnet.middleware.NoNulMiddleware",
    "skillnet.middleware.RequestSizeMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "skillnet.middleware.LanguageMiddleware",
    "skillnet.middleware.OrganizationMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "skillnet.urls"
WSGI_APPLICATION = "skillnet.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "skillnet.context_processors.organization",
            ],
        },
    },
]

# --- PostgreSQL: "default" is the runtime role that owns nothing; "owner" is for migrations and maintenance alone.
DATABASES: dict[str, Any]
if env.str("DATABASE_URL", default=""):
    EMBEDDED_POSTGRES = False
    DATABASES = {"default": env.db("DATABASE_URL")}
    # Statements that a connection keeps (decision 0028): not behind a pooler that changes it with each transaction.
    prepares = env.bool("DATABASE_PREPARE", default=True)
    DATABASES["default"].setdefault("OPTIONS", {})["prepare_threshold"] = 1 if prepares else None
    if env.str("DATABASE_OWNER_URL", default=""):
        DATABASES["owner"] = env.db("DATABASE_OWNER_URL")
        DATABASES["owner"].setdefault("OPTIONS", {})["options"] = "-c role=skillnet_owner"
else:
    EMBEDDED_POSTGRES = True
    DATABASES = {"default": embedded.database_url("app"), "owner": embedded.database_url("owner")}
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
DATABASE_ROUTERS = ["skillnet.routers.OwnerMigratesRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Valkey or Redis: job queue and cache.
EMBEDDED_VALKEY = not env.str("REDIS_URL", default="")
REDIS_URL: str = env.str("REDIS_URL", default="") or embedded.redis_url()
RQ_QUEUES = {
    "ingestion": {"URL": REDIS_URL, "DEFAULT_TIMEOUT": 1800},
    "courses": {"URL": REDIS_URL, "DEFAULT_TIMEOUT": 1800},
    "mail": {"URL": REDIS_URL, "DEFAULT_TIMEOUT": 120},
    "tutor": {"URL": REDIS_URL, "DEFAULT_TIMEOUT": 300},
}
RQ = {"QUEUE_CLASS": "skillnet.queues.TracedQueue"}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

# --- People.
AUTH_USER_MODEL = "skillnet.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # first: a locked-out log-in is not even tried
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "skillnet.accounts.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_FORMS = {
    "change_password": "skillnet.account_forms.ChangePasswordForm",
    "reauthenticate": "skillnet.account_forms.RepeatedPasswordForm",
    "reset_password_from_key": "skillnet.account_forms.ResetPasswordKeyForm",
}
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nobody may have us write to strangers, nor are they invited to sign up
ACCOUNT_SESSION_REMEMBER = True
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
# Bursts are allauth's to slow down, in the cache; persistence is axes' to lock out, in the database.
ACCOUNT_RATE_LIMITS = {"login_failed": "20/m/ip,20/h/key", "invitation": "30/m/ip"}
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", default=5)
AXES_COOLOFF_TIME = timedelta(minutes=env.int("LOGIN_LOCKOUT_MINUTES", default=15))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # others cannot lock a person out from elsewhere
AXES_USERNAME_FORM_FIELD = "login"
AXES_USERNAME_CALLABLE = "skillnet.throttling.login_name"
AXES_CLIENT_IP_CALLABLE = "skillnet.throttling.client_address"
AXES_LOCKOUT_CALLABLE = "skillnet.throttling.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the page says until when: trying again must not make it later
AXES_DISABLE_ACCESS_LOG = True  # who came in when is in sessions and memberships
AXES_ENABLE_ADMIN = True
AXES_VERBOSE = False

# --- Second factor: codes of an authenticator app.
MFA_ADAPTER = "skillnet.accounts.SecondFactorAdapter"
MFA_TOTP_ISSUER = "SkillNet"
MFA_TOTP_TOLERANCE = 1  # telephones whose clocks are half a minute off
MFA_FORMS = {
    "authenticate": "skillnet.account_forms.CodeForm",
    "reauthenticate": "skillnet.account_forms.RepeatedCodeForm",
    "activate_totp": "skillnet.account_forms.ActivateForm",
}

# --- Log-in with the company's own provider (OpenID Connect), for those who are members or hold an invitation.
SOCIALACCOUNT_ADAPTER = "skillnet.accounts.ProviderAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
OIDC_SERVER_URL: str = env.str("OIDC_SERVER_URL", default="")
OIDC_ORIGIN = ["{0.scheme}://{0.netloc}".format(urlsplit(OIDC_SERVER_URL))] if OIDC_SERVER_URL else []
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": []}}
if OIDC_SERVER_URL:
    SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"].append(
        {
            "provider_id": "empresa",
            "name": env.str("OIDC_NAME", default="tu empresa"),
            "client_id": env.str("OIDC_CLIENT_ID"),
            "secret": env.str("OIDC_CLIENT_SECRET"),
            "settings": {"server_url": OIDC_SERVER_URL},
        }
    )

# --- Invitations.
SKILLNET_INVITATION_DAYS = env.int("INVITATION_DAYS", default=7)
SKILLNET_PEOPLE_CSV_ROWS = 200  # one transaction invites them all
SKILLNET_PEOPLE_CSV_BYTES = 512 * 1024

# --- Language and time.
LANGUAGE_CODE = "es"
LANGUAGES = [("es", "Español"), ("en", "English"), ("pt", "Português")]  # each by its own name
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Madrid")
USE_I18N = True
USE_TZ = True

# --- Where people find this installation: links in e-mails begin with it.
SKILLNET_PUBLIC_URL = env.str("PUBLIC_URL", default="http://127.0.0.1:8000").rstrip("/")

# --- Files.
STATIC_URL = "static/"
STATIC_ROOT: Path | None = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default="") or embedded.home() / "media")
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
if env.str("S3_BUCKET", default=""):  # any service with S3's protocol, instead of the folder
    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": env.str("S3_BUCKET"),
            "endpoint_url": env.str("S3_ENDPOINT_URL", default="") or None,  # None: Amazon's own
            "region_name": env.str("S3_REGION", default="") or None,
            "access_key": env.str("S3_ACCESS_KEY", default="") or None,  # None: the machine's own role
            "secret_key": env.str("S3_SECRET_KEY", default="") or None,
            "addressing_style": env.str("S3_ADDRESSING_STYLE", default="path"),  # or virtual
            "signature_version": "s3v4",
            "default_acl": None,  # private; nobody but this application is given an address of a file
            "file_overwrite": False,
            "max_memory_size": 8 * 1024 * 1024,  # of a file being read; the rest lies in a temporary one
        },
    }
FILE_UPLOAD_PERMISSIONS = 0o600
DATA_UPLOAD_MAX_NUMBER_FILES = 200
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

EMAIL_TIMEOUT = 10  # seconds; who asks a question does not wait for a mail server that is gone

# --- What pages may load: nothing inline, nothing from elsewhere.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        # A browser follows a form's redirect only to where this allows: the company's log-in page may be elsewhere.
        "form-action": [SELF, *env.list("OIDC_FORM_ORIGINS", default=OIDC_ORIGIN)],
        "frame-ancestors": [NONE],
        "report-uri": ["/csp/"],
    },
    "EXCLUDE_URL_PREFIXES": (),
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"

# --- Models.
SKILLNET_EMBEDDING: dict[str, Any] = {
    "provider": env.str("EMBEDDING_PROVIDER", default="local"),
    "model": env.str("EMBEDDING_MODEL", default=""),
    "base_url": env.str("EMBEDDING_BASE_URL", default=""),
    "api_key": env.str("EMBEDDING_API_KEY", default=""),
    "batch_size": env.int("EMBEDDING_BATCH_SIZE", default=32),
    "dimensions": env.int("EMBEDDING_DIMENSIONS", default=384),
    "query_prefix": env.str("EMBEDDING_QUERY_PREFIX", default=None),  # None: the one the model is known to need
    "passage_prefix": env.str("EMBEDDING_PASSAGE_PREFIX", default=None),
    "threads": env.int("EMBEDDING_THREADS", default=0),  # 0: as many as cores
    "precision": env.str("EMBEDDING_PRECISION", default="auto"),  # float32, bfloat16, or measured once a machine
}
SKILLNET_LLM: dict[str, Any] = {
    "base_url": env.str("LLM_BASE_URL", default=""),
    "api_key": env.str("LLM_API_KEY", default=""),
    "model": env.str("LLM_MODEL", default=""),
    "timeout": env.int("LLM_TIMEOUT", default=60),
    "first_token_timeout": env.int("LLM_FIRST_TOKEN_TIMEOUT", default=20),
    "reply_timeout": env.int("LLM_REPLY_TIMEOUT", default=180),  # from the first words to the last
}
SKILLNET_LLM_MONTHLY_ANSWERS: int | None = env.int("LLM_MONTHLY_ANSWERS", default=0) or None  # an organization's
SKILLNET_LLM_PRICES: dict[str, Any] = {  # of a million tokens; what an organization sees as estimated cost
    "prompt": env.float("LLM_PRICE_PROMPT", default=0.0),
    "reply": env.float("LLM_PRICE_REPLY", default=0.0),
    "currency": env.str("LLM_PRICE_CURRENCY", default="EUR"),
}
SKILLNET_RERANK: dict[str, Any] = {  # late interaction needs none of this
    "model": env.str("RERANK_MODEL", default=""),  # of the cross-encoder or the service
    "base_url": env.str("RERANK_BASE_URL", default=""),
    "api_key": env.str("RERANK_API_KEY", default=""),
    "protocol": env.str("RERANK_PROTOCOL", default="cohere"),  # or jina
    "timeout": env.float("RERANK_TIMEOUT", default=5.0),
}
SKILLNET_VECTOR_INDEX: dict[str, Any] = {  # of each large organization, see documents.vector_indexes
    "kind": env.str("VECTOR_INDEX", default="hnsw"),  # or ivfflat, none
    "from": env.int("VECTOR_INDEX_FROM", default=10_000),  # chunks; below, search compares them all
}

# --- Ingestion.
SKILLNET_UPLOAD_MAX_BYTES = env.int("UPLOAD_MAX_MB", default=100) * 1024 * 1024
SKILLNET_UPLOAD_MAX_FILES = 100
SKILLNET_UPLOAD_REQUEST_MAX_BYTES = env.int("UPLOAD_REQUEST_MAX_MB", default=500) * 1024 * 1024  # of all files together
SKILLNET_REQUEST_MAX_BYTES = 5 * 1024 * 1024
SKILLNET_INGESTION_TRIES = 3
SKILLNET_INGESTION_BACKOFF_SECONDS = (30, 120, 600)
SKILLNET_EMBEDDING_BATCH = 16  # chunks a step: small enough that progress moves and a cancel is heard
SKILLNET_SWEEP_SECONDS = 15
SKILLNET_INGESTION_STEP_MINUTES = env.int("INGESTION_STEP_MINUTES", default=30)  # without progress, then it is closed
SKILLNET_MAINTENANCE_SECONDS = 60
SKILLNET_QUESTION_MAX_CHARS = 2_000

# --- How often: of one person, of an organization as a whole, of a network address. Empty: as often as they like.
SKILLNET_RATE_LIMITS: dict[str, dict[str, str]] = {
    "ask": {
        "person": env.str("RATE_ASK_PERSON", default="20/minute;300/hour"),
        "organization": env.str("RATE_ASK_ORGANIZATION", default="600/minute"),
    },
    "search": {
        "person": env.str("RATE_SEARCH_PERSON", default="60/minute"),
        "organization": env.str("RATE_SEARCH_ORGANIZATION", default="1200/minute"),
    },
    "upload": {  # requests; each may hold many files
        "person": env.str("RATE_UPLOAD_PERSON", default="60/minute;600/hour"),
        "organization": env.str("RATE_UPLOAD_ORGANIZATION", default="300/minute"),
    },
    "csp_report": {"address": "30/minute"},
}
# A socket's address is written otherwise for `limits` than for the others who are given REDIS_URL.
SKILLNET_RATE_LIMIT_STORAGE = f"redis+{REDIS_URL}" if REDIS_URL.startswith("unix:") else REDIS_URL

# --- Metrics: who shows this token may read them; without one, this machine alone.
SKILLNET_METRICS_TOKEN: str = env.str("METRICS_TOKEN", default="")
SKILLNET_WORKER_METRICS_PORT: int | None = env.int("WORKER_METRICS_PORT", default=0) or None  # none: no page of its own

# --- Answers given before.
SKILLNET_CACHE_DAYS = env.int("CACHE_DAYS", default=7)  # 0: none are kept
SKILLNET_CACHE_MIN_CONFIDENCE = 0.5  # what is less sure is looked up anew each time

# --- Log: on stderr, in lines for people or, with LOG_FORMAT=json, in JSON for machines.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "skillnet.log_context.ContextFilter"}},
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(request_id)s %(organization)s %(message)s",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            "json_ensure_ascii": False,
        },
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": env.str("LOG_FORMAT", default="line"),
            "filters": ["context"],
        }
    },
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},  # below, a line of ours has the view; theirs has the address
        "skillnet.requests": {"level": env.str("REQUEST_LOG_LEVEL", default="WARNING")},
        "httpx2": {"level": "WARNING"},
        "axes": {"level": "WARNING"},
    },
}
