#!/usr/bin/env python
"""Django's entry point. Starts the embedded services first where no server is configured."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
    from skillnet.embedded.bootstrap import prepare

    prepare(sys.argv[1:])
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
