"""The secret in an invitation's link.

It is made when the e-mail is sent and kept nowhere but in it: the table holds a digest, so that neither a copy of the
database nor the queue lets anybody in. Sending again makes a new one, and the old link is dead.
"""

import hashlib
import secrets

from skillnet.models import Invitation


def digest_of(token: str) -> str:
    """What the table keeps of a token. Tokens are long and random, so a plain digest cannot be guessed back."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token(invitation: Invitation) -> str:
    """A token for an open invitation, in place of the one before."""
    token = secrets.token_urlsafe(32)
    invitation.token_digest = digest_of(token)
    invitation.save(update_fields=["token_digest"])
    return token
