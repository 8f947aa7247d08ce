"""Behind a proxy that ends TLS. Refuses to start without its own secrets."""

from django.core.exceptions import ImproperlyConfigured

from .base import *
from .base import LOGGING, env
from .safety import weaknesses

DEBUG = env.bool("DEBUG", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
# How many proxies of ours stand before the server: throttling must see the client's address, not the proxy's.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=1)
SESSION_COOKIE_SECURE = env.bool("SESSION_COOKIE_SECURE", default=True)
CSRF_COOKIE_SECURE = env.bool("CSRF_COOKIE_SECURE", default=True)
EMAIL_CONFIG = env.email("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)

LOGGING["handlers"]["stderr"]["formatter"] = env.str("LOG_FORMAT", default="json")
LOGGING["loggers"]["skillnet.requests"]["level"] = env.str("REQUEST_LOG_LEVEL", default="INFO")

if weak := weaknesses(vars()):
    raise ImproperlyConfigured(" ".join(weak))
