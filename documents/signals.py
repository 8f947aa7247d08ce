"""News for the apps above."""

from django.dispatch import Signal

# A version has become the one its document serves. Sent inside the transaction of the switch, in the organization's
# scope, with `version` (DocumentVersion) and `previous` (DocumentVersion or None).
version_published = Signal()

# A document is about to be deleted. Sent inside the transaction, with `document`.
document_deleted = Signal()
