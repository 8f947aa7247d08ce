"""News for the apps above."""

from django.dispatch import Signal

# A version has become the one its document serves. Sent inside the transaction of the switch, in the organization's
# scope, with `version` (DocumentVersion) and `previous` (DocumentVersion or None).
version_published = Signal()

# An organization is searched with another model from now on. Sent when that has committed, outside any scope, with
# `organization_id`.
model_switched = Signal()

# A document is about to be deleted. Sent inside the transaction, with `document`.
document_deleted = Signal()
