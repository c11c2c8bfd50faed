"""The lock of a tournament: who holds it alone changes its plan, its entries or its ratings.

Who needs accounts as well locks them before, or he and who closes one of them would wait for each other.
"""

from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from bots.models import Bot
from tournaments.models import Tournament


def lock(tournament_id: int) -> Tournament:
    """The tournament, read anew, with nobody else inside a `lock` of it until the transaction ends.

    PostgreSQL locks the row, weakly enough that rows which refer to it can still be written. On SQLite a transaction
    excludes all other writers from its beginning (see DATABASES in the settings), so reading is enough.

    Raises:
        TransactionManagementError: there is no transaction.
        Tournament.DoesNotExist: there is no such tournament.
    """
    connection = transaction.get_connection()
    connection.validate_no_broken_transaction()
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("A tournament is locked for the length of a transaction only.")
    return Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)


def lock_owners(bots: Iterable[Bot]) -> None:
    """Keep the accounts of bots from being closed until the transaction ends, or wait until that is done.

    What is asked of an owner afterwards still holds when the bot has its place.
    """
    owners = {bot.owner_id for bot in bots}
    list(User.objects.select_for_update(no_key=True).filter(pk__in=owners).order_by("pk"))
