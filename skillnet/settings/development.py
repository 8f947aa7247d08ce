"""One machine, `make run`: embedded services, local address."""

from skillnet.embedded.bootstrap import secret_key

from .base import *
from .base import SECRET_KEY, STORAGES, env

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = SECRET_KEY or secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
vars().update(env.email("EMAIL_URL", default="consolemail://"))

# Files as they lie in static/, without a collecting step; the image's build asks for the collected, hashed ones.
if not env.bool("STATICFILES_MANIFEST", default=False):
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    WHITENOISE_USE_FINDERS = True
    STATIC_ROOT = None  # nothing is collected here
