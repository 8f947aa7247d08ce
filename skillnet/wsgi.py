"""The web server's way in. Reads the pages' templates and loads the models before the first request asks for them."""

import os
import threading
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.production")

application = get_wsgi_application()

from skillnet.startup import refuse_if_unsafe  # noqa: E402 - needs the settings
from skillnet.thread_state import keep_per_thread  # noqa: E402 - needs the settings
from skillnet.warming import keep_what_is_loaded, read_pages  # noqa: E402 - needs the settings

keep_per_thread()
refuse_if_unsafe()


def _warm_up() -> None:
    from skillnet.backends import get_embedder
    from skillnet.backends.language import detect_language

    get_embedder().embed_query("calentamiento")
    detect_language("calentamiento")
    import_module("sklearn.cluster")  # groups questions by topic: the first page that does would wait a second for it
    keep_what_is_loaded()


read_pages()
threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
