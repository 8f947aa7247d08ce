"""Everything an installation holds, database and files, saved in one folder and brought back from it.

A backup is a folder: `database/` has one compressed file a table, `files/` the uploaded files under their own names,
and `manifest.json`, written last, says what belongs to it, with a checksum for each. Without it nothing is a backup.
"""

from skillnet.backup.restoring import restore
from skillnet.backup.saving import back_up

__all__ = ["back_up", "restore"]
