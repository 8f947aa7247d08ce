# Two stages: wheels are installed in the first, the second holds what runs, as a user without privileges.
FROM python:3.11-slim-bookworm AS build
WORKDIR /app
RUN python -m venv /venv
COPY requirements.txt .
# TORCH_INDEX may name a package index whose torch is the small CPU build.
ARG TORCH_INDEX=""
RUN if [ -n "$TORCH_INDEX" ]; then \
      /venv/bin/pip install --no-cache-dir "$(grep '^torch==' requirements.txt)" --index-url "$TORCH_INDEX"; \
    fi && /venv/bin/pip install --no-cache-dir -r requirements.txt

FROM python:3.11-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends tesseract-ocr-spa \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --uid 10001 skillnet \
    && install -d -o skillnet -g skillnet /data
COPY --from=build /venv /venv
WORKDIR /app
# The code stays root's: what runs cannot change it. Compiled here, since it cannot keep what it compiles either.
COPY . .
RUN chmod -R a+rX /app && python3 -m compileall -q -j 0 /app
ENV PATH="/venv/bin:$PATH" PYTHONUNBUFFERED=1 STATIC_ROOT=/app/staticfiles SKILLNET_HOME=/data/home
RUN install -d -o skillnet -g skillnet /app/staticfiles
# By number: a cluster that insists on a user without rights cannot look names up.
USER 10001
RUN DJANGO_SETTINGS_MODULE=skillnet.settings.development SKILLNET_HOME=/tmp/build \
    STATICFILES_MANIFEST=1 python manage.py collectstatic --noinput && rm -rf /tmp/build
EXPOSE 8000
CMD ["gunicorn", "skillnet.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--threads", "48", "--keep-alive", "75", "--limit-request-line", "8190", "--timeout", "120"]
