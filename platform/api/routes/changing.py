"""Changing one's bots: what they are called, which version plays, where they take part."""

from __future__ import annotations

from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Schema, Status
from pydantic import BaseModel

from accounts.models import User
from api import finding
from api.auth import caller, uploader
from api.errors import Refusal, answers, not_found
from api.paging import Number, Slug
from api.routes.own import NAME, TAGS, router
from api.routes.tournaments import router as tournament_router
from api.shapes import bots as shapes
from bots import services
from bots.models import Bot, BotVersion
from bots.models.bot import NAME_LENGTH
from tournaments import entering, lifecycle
from tournaments.lifecycle import LifecycleError
from tournaments.models import Entry

Name = Annotated[str, Field(max_length=NAME_LENGTH, pattern=NAME)]
Text = Annotated[str, Field(max_length=2000, pattern=r"^[^\x00]*$")]


# Not django-ninja's Schema: that takes any JSON value whose missing attributes have defaults, a list for instance.
class EditBot(BaseModel):
    """What to change about a bot; what is left out or null stays as it is."""

    name: Name | None = None
    description: Text | None = None


class Pick(Schema):
    """Which version plays."""

    version: Number | None = Field(description="A version that is ready; null: always the newest that is ready.")


class Picked(Schema):
    """Which version plays now."""

    picked: int | None = Field(description="The version that was picked; null: always the newest that is ready.")
    version: int | None = Field(description="The version that plays; null while none has passed.")


class NewEntry(Schema):
    """A bot that is to take part."""

    bot: Slug = Field(description="The slug of a bot of yours.")
    code: Annotated[str, Field(max_length=100, pattern=r"^[^\x00]*$")] = Field(
        "", description="The entry code, where the tournament asks for one."
    )


class TournamentEntry(Schema):
    """A bot in a tournament."""

    bot: str
    tournament: str
    version: int = Field(
        description="The version that plays there; the newest that is ready when the tournament starts."
    )
    state: str = Field(description="`active`, `withdrawn`, `disqualified`, `replaced` or `suspended`.")


@router.patch(
    "/bots/{slug:slug}",
    auth=uploader,
    tags=TAGS,
    response=answers(shapes.BotOut, 400, 403, 404, 409, 413, 422),
    operation_id="edit_bot",
    summary="Change a bot's name or description",
)
def edit_bot(request: HttpRequest, slug: Slug, payload: EditBot) -> Any:
    """Its address stays what it is. Answers 409 where you have another bot of this name."""
    bot = finding.own_bot(request, slug)
    try:
        bot = services.edit_bot(bot, payload.name, payload.description)
    except ValidationError as error:
        wrong = error.message_dict.get("name")
        sentence = " ".join(wrong or error.messages)
        raise Refusal(422 if wrong else 409, sentence, [{"where": "body.name", "message": sentence}]) from None
    current = services.current_version(bot)
    return shapes.bot_out(request, bot, current.number if current else None)


@router.put(
    "/bots/{slug:slug}/picked",
    auth=uploader,
    tags=TAGS,
    response=answers(Picked, 400, 403, 404, 409, 413, 422),
    operation_id="pick_version",
    summary="Pick the version that plays",
)
def pick_version(request: HttpRequest, slug: Slug, payload: Pick) -> Any:
    """It plays from its next match on, whatever is uploaded later. Answers 409 for a version that is not ready."""
    bot = finding.own_bot(request, slug)
    version = None
    if payload.version is not None:
        version = BotVersion.objects.filter(bot=bot, number=payload.version).first()
        if version is None:
            raise not_found(
                _("There is no version %(number)d of the bot “%(slug)s”.") % {"number": payload.version, "slug": slug}
            )
    try:
        services.pick_version(bot, version)
    except ValueError as error:
        raise Refusal(409, str(error)) from None
    current = services.current_version(bot)
    return {"picked": version.number if version else None, "version": current.number if current else None}


@tournament_router.post(
    "/tournaments/{slug:slug}/entries",
    auth=uploader,
    response=answers(TournamentEntry, 400, 403, 404, 409, 413, 422, status=201),
    operation_id="enter_tournament",
    summary="Enter a bot of yours",
)
def enter_tournament(request: HttpRequest, slug: Slug, payload: NewEntry) -> Any:
    """Twice is as good as once. Answers 403 for a wrong entry code, and 409 where entries are closed, you have as many
    bots in it as one may have, or the bot cannot play. On the ladder every bot plays by itself."""
    tournament = finding.tournament(request, slug)
    bot, user = _mine(request, payload.bot)
    try:
        entry = entering.enter_own(tournament, bot, user, payload.code)
    except entering.EntryCodeError as error:
        raise Refusal(403, str(error), [{"where": "body.code", "message": str(error)}]) from None
    except LifecycleError as error:
        raise Refusal(409, str(error)) from None
    return Status(201, _entry_out(entry, bot.slug, slug))


@tournament_router.delete(
    "/tournaments/{slug:slug}/entries/{slug:bot}",
    auth=uploader,
    response=answers(TournamentEntry, 403, 404, 409, 422),
    operation_id="leave_tournament",
    summary="Withdraw a bot of yours",
)
def leave_tournament(request: HttpRequest, slug: Slug, bot: Slug) -> Any:
    """Its games stay; it plays no more of them. Answers 409 where it does not play there (any more)."""
    tournament = finding.tournament(request, slug)
    found, _user = _mine(request, bot)
    entry = Entry.objects.filter(tournament=tournament, bot=found).select_related("version").order_by("-id").first()
    if entry is None:
        raise not_found(_("The bot “%(bot)s” is not in this tournament.") % {"bot": bot})
    try:
        entry = lifecycle.withdraw(entry)
    except LifecycleError as error:
        raise Refusal(409, str(error)) from None
    return _entry_out(entry, found.slug, slug)


def _mine(request: HttpRequest, slug: str) -> tuple[Bot, User]:
    """A bot of the very account: also staff enters and withdraws its own bots alone."""
    user = caller(request).owner
    bot = finding.bot(slug)
    if bot.owner_id != user.pk:
        raise Refusal(403, _("The bot “%(slug)s” is somebody else's.") % {"slug": slug})
    return bot, user


def _entry_out(entry: Entry, bot: str, tournament: str) -> dict[str, Any]:
    return {"bot": bot, "tournament": tournament, "version": entry.version.number, "state": str(entry.state)}
