"""What belongs to the owner of the token: the account, the bots, their versions, logs and failures."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from ninja import Field, File, Query, Router, Schema, Status
from ninja.files import UploadedFile

from accounts.models import ApiToken
from api import finding, limits
from api.auth import caller, reader, uploader
from api.errors import Refusal, answers
from api.paging import Number, PageOf, Paging, Slug, page_of
from api.shapes import bots as shapes
from arena.archive import MAX_ZIP_BYTES, ArchiveError
from bots import author_pages, services
from bots.models import Bot, BotFile
from bots.models.bot import NAME_LENGTH
from tournaments.models import GameLog

router = Router()
"""Shared with `api.routes.bots`: an address of django-ninja belongs to one router, whatever its methods."""

TAGS = ["Your bots"]

# What `bots.names.validate_name` takes: one visible character, no control character, no mark of text direction.
_BAD = r"\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
NAME = rf"^[^{_BAD}]*[^{_BAD}\s\p{{M}}\p{{Z}}\p{{C}}][^{_BAD}]*$"


class TokenOut(Schema):
    """The token that the request was made with."""

    name: str
    scope: Literal["read", "upload"]
    expires_at: datetime
    last_used_at: datetime | None


class Me(Schema):
    """Whose token it is."""

    username: str
    token: TokenOut


class NewBot(Schema):
    """A bot without a version yet."""

    name: Annotated[
        str,
        Field(
            max_length=NAME_LENGTH,
            pattern=NAME,
            description="As it stands in the tables. No two of your bots have the same.",
        ),
    ]
    description: Annotated[str, Field(max_length=2000, pattern=r"^[^\x00]*$")] = ""


class LogFilters(Schema):
    """Which logs of a bot."""

    failed: bool | None = Field(None, description="Only of games in which it failed, or only of the others.")
    reason: shapes.Reason | None = Field(None, description="Only of games in which it failed for this reason.")
    version: Number | None = Field(None, description="Only of this version.")
    tournament: Slug | None = Field(None, description="Only of this tournament.")


@router.get(
    "/me",
    auth=reader,
    tags=TAGS,
    response=answers(Me),
    operation_id="me",
    summary="Whose token this is",
)
def me(request: HttpRequest) -> Any:
    """Use it to find out whether a token works, what it may do and when it expires."""
    token = caller(request).token
    assert isinstance(token, ApiToken)  # noqa: S101 - without a token nobody comes here
    same = ("name", "scope", "expires_at", "last_used_at")
    return {"username": token.user.username, "token": {name: getattr(token, name) for name in same}}


@router.get(
    "/me/bots",
    auth=reader,
    tags=TAGS,
    response=answers(list[shapes.OwnBot]),
    operation_id="my_bots",
    summary="Your bots",
)
def my_bots(request: HttpRequest) -> Any:
    """By name, each with the version that plays and its newest upload."""
    owner = caller(request).owner
    own_bots = author_pages.own(owner)
    for own in own_bots:
        own.bot.owner = owner  # known already: not to be read again for each
    return [shapes.own_bot(request, own) for own in own_bots]


@router.post(
    "/bots",
    auth=uploader,
    tags=TAGS,
    response=answers(shapes.BotOut, 400, 403, 409, 413, 422, status=201),
    operation_id="create_bot",
    summary="Make a bot",
)
def create_bot(request: HttpRequest, payload: NewBot) -> Any:
    """A bot without a version yet; upload one next. Answers 409 where you have a bot of this name."""
    limits.spend(limits.UPLOADS, caller(request).key)
    try:
        bot = services.create_bot(caller(request).owner, payload.name, payload.description)
    except ValidationError as error:
        wrong = error.message_dict.get("name")
        sentence = " ".join(wrong or error.messages)
        raise Refusal(422 if wrong else 409, sentence, [{"where": "body.name", "message": sentence}]) from None
    return Status(201, shapes.bot_out(request, bot, None))


@router.post(
    "/bots/{slug:slug}/versions",
    auth=uploader,
    tags=TAGS,
    response=answers(shapes.OwnVersion, 400, 403, 404, 413, 422, status=201),
    operation_id="upload_version",
    summary="Upload a version",
)
def upload_version(request: HttpRequest, slug: Slug, file: File[UploadedFile]) -> Any:
    """One `.py` file, or a `.zip` with `bot.py` at its top. Its check is on its way when this answers.

    Sending the newest version's file again makes no other version: the answer is that one.
    """
    limits.spend(limits.UPLOADS, caller(request).key)
    bot = finding.own_bot(request, slug)
    try:
        # A byte more than any upload may have is enough for the archive to refuse it by its size.
        version = services.submit_version(bot, file.name or "", file.read(MAX_ZIP_BYTES + 1))
    except services.TooManyUploadsError as error:
        raise Refusal(429, str(error), headers={"Retry-After": str(error.wait)}) from None
    except ArchiveError as error:
        raise Refusal(422, str(error), [{"where": "file", "message": str(error)}]) from None
    return Status(201, shapes.own_version(request, bot.slug, version))


@router.get(
    "/bots/{slug:slug}/versions/{int:number}/file",
    auth=reader,
    tags=TAGS,
    response=answers(None, 403, 404, 422),
    operation_id="version_file",
    summary="The file of a version",
    openapi_extra={
        "responses": {200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}},
    },
)
def version_file(request: HttpRequest, slug: Slug, number: Number) -> HttpResponse:
    """What was uploaded, byte by byte. For the owner of the bot."""
    bot = finding.own_bot(request, slug)
    version = finding.version(request, slug, number)
    content = BotFile.objects.values_list("content", flat=True).get(pk=version.file_id)
    ending = "zip" if version.filename.lower().endswith(".zip") else "py"
    headers = {"Content-Disposition": f'attachment; filename="{bot.slug}-v{number}.{ending}"'}
    return HttpResponse(bytes(content), content_type="application/octet-stream", headers=headers)


@router.get(
    "/bots/{slug:slug}/logs",
    auth=reader,
    tags=TAGS,
    response=answers(PageOf[shapes.LogOut], 403, 404, 422),
    operation_id="bot_logs",
    summary="Logs and failed games",
)
def bot_logs(request: HttpRequest, slug: Slug, filters: Query[LogFilters], paging: Query[Paging]) -> Any:
    """What the bot printed and how it failed, game by game, the newest first. For the owner of the bot.

    A game in which it printed nothing and did not fail is not in the list.
    """
    found = logs_of(finding.own_bot(request, slug), filters)
    return page_of(found, paging, lambda log: shapes.log_out(request, log))


def logs_of(bot: Bot, filters: LogFilters) -> Any:
    """The logs of a bot, the newest first."""
    found = GameLog.objects.filter(seat__entry__bot=bot)
    if filters.failed is not None:
        found = found.filter(failure__isnull=not filters.failed)
    if filters.reason is not None:
        found = found.filter(failure__reason=filters.reason)
    if filters.version is not None:
        found = found.filter(seat__version__number=filters.version)
    if filters.tournament is not None:
        found = found.filter(game__match__tournament__slug=filters.tournament)
    related = found.select_related("game__match__tournament", "seat__version")
    return related.defer("game__record", "seat__version__report", "game__match__error").order_by("-id")
