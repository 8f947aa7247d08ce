"""Memory that a long-lived process no longer uses, given back to the system."""

import ctypes
import logging
import platform

logger = logging.getLogger(__name__)


def return_free_memory() -> None:
    """Hand freed memory back to the system where the C library is glibc; elsewhere nothing is done.

    glibc keeps the pages between what is still in use. In a worker that reads one long file after another they add up
    to several hundred MB that no later file needs as well.
    """
    if platform.libc_ver()[0] != "glibc":
        return
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError) as error:  # a glibc under another name: its memory stays as it is
        logger.debug("free memory is not returned: %s", error)
