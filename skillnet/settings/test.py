"""Tests: real PostgreSQL, fake models unless a test asks for the real one."""

import tempfile
from pathlib import Path

from skillnet import embedded

from .base import *
from .base import RQ_QUEUES, STORAGES

SECRET_KEY = "tests-only-secret-key"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Always the embedded server, whatever the environment names: tests make and drop databases (tests/conftest.py).
DATABASES = {
    "default": embedded.database_url("app", "postgres"),
    "owner": embedded.database_url("owner", "postgres"),
}
RQ_QUEUES = {name: {"URL": embedded.redis_url().removesuffix("/0") + "/15"} for name in RQ_QUEUES}  # no worker listens
SKILLNET_EMBEDDING = {
    "provider": "fake",
    "model": "",
    "base_url": "",
    "api_key": "",
    "batch_size": 32,
    "dimensions": 64,
}
SKILLNET_LLM = {"base_url": "", "api_key": "", "model": "", "timeout": 5, "first_token_timeout": 2}
MEDIA_ROOT = Path(tempfile.mkdtemp(prefix="skillnet-test-media-"))
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None  # nothing is collected here
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
SKILLNET_RATE_LIMITS = {
    "ask": {"person": "", "organization": ""},
    "search": {"person": "", "organization": ""},
    "upload": {"person": "", "organization": ""},
    "csp_report": {"address": "30/minute"},
}
SKILLNET_RATE_LIMIT_STORAGE = "memory://"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
