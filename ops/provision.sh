#!/usr/bin/env bash
# Run once by the PostgreSQL image when its data folder is new: roles, database, extension.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -U postgres -d postgres \
  -v app_password="$APP_PASSWORD" -v maintenance_password="$MAINTENANCE_PASSWORD" -v database=skillnet \
  -f /provision.sql
