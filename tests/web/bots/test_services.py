"""Making bots and uploading versions."""

import io
import zipfile

import pytest
from django.core.exceptions import ValidationError

from arena.archive import ArchiveError
from bots import uploads
from bots.models import Bot, BotFile, BotVersion
from bots.services import TooManyUploadsError, create_bot, current_version, pick_version, submit_version
from tests.web import factories
from tests.web.factories import CODE
from tests.web.tournaments.made import in_threads

pytestmark = pytest.mark.django_db

CHECK = "bots.tasks.check_version"


@pytest.fixture
def owner():
    return factories.user()


@pytest.fixture
def bot(owner):
    return create_bot(owner, "Card Shark")


def code(number: int) -> bytes:
    return CODE + b"# %d\n" % number


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return buffer.getvalue()


def test_a_bot_has_an_address_of_its_own(owner):
    slugs = [create_bot(user, "Card Shark").slug for user in (owner, factories.user(), factories.user())]
    assert slugs == ["card-shark", "card-shark-2", "card-shark-3"]


def test_an_owner_has_one_bot_of_a_name_whatever_its_capitals(owner, bot):
    with pytest.raises(ValidationError, match="already"):
        create_bot(owner, "card shark")
    assert Bot.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Дурак Дуракович", "durak-durakovich"),
        ("Щука и Ёж", "shchuka-i-yozh"),
        ("Козак Їжак", "kozak-izhak"),
        ("Żółta łódź", "zolta-lodz"),
        ("<script>alert(1)</script>", "scriptalert1script"),
        ("🃏", "bot"),
        ("mine", "mine-2"),
        ("New", "new-2"),
        ("2026", "2026-2"),
    ],
)
def test_addresses_are_in_plain_letters_and_hide_no_page(owner, name, slug):
    made = create_bot(owner, name)
    assert (made.name, made.slug) == (name, slug)


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "a\0b", "\u202egpj.exe", "\u2066x", "\u200b", "x" * 61])
def test_names_that_would_break_a_table_are_refused_with_a_sentence(owner, name):
    with pytest.raises(ValidationError):
        create_bot(owner, name)
    assert Bot.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_form_that_is_sent_twice_at_once_makes_one_bot(owner):
    def press(_):
        try:
            return create_bot(owner, "Card Shark").slug
        except ValidationError:
            return None

    assert sorted(in_threads(press, range(4)), key=str) == [None, None, None, "card-shark"]


def test_an_upload_becomes_a_version_and_its_check_is_announced(bot, announced, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        version = submit_version(bot, "bot.py", CODE)
    assert (version.number, version.state, version.filename) == (1, "checking", "bot.py")
    assert announced(CHECK) == [version.pk]
    version.refresh_from_db()
    assert version.sent_at is not None
    assert dict(uploads.load(version).files) == {"bot.py": CODE}


def test_a_zip_is_read_as_it_was_checked(bot):
    version = submit_version(bot, "shark.ZIP", zipped(bot__py=CODE, table__txt=b"42"))
    assert dict(uploads.load(version).files) == {"bot.py": CODE, "table.txt": b"42"}


@pytest.mark.parametrize(
    ("filename", "content"),
    [("bot.txt", CODE), ("bot.py", b""), ("bot.zip", b"PK"), ("bot.py", b"x" * 300_000), ("a.zip", zipped(a__py=CODE))],
)
def test_a_refused_upload_leaves_nothing(bot, filename, content, announced, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(ArchiveError):
        submit_version(bot, filename, content)
    assert BotVersion.objects.count() == BotFile.objects.count() == 0
    assert announced(CHECK) == []


def test_uploading_the_newest_file_again_changes_nothing(bot):
    first = submit_version(bot, "bot.py", CODE)
    assert submit_version(bot, "bot.py", CODE) == first
    second = submit_version(bot, "bot.py", code(2))
    assert submit_version(bot, "bot.py", CODE).number == 3
    assert (first.number, second.number) == (1, 2)


def test_a_file_that_was_rejected_may_be_uploaded_again(bot):
    first = submit_version(bot, "bot.py", CODE)
    BotVersion.objects.update(state="rejected")
    assert submit_version(bot, "bot.py", CODE) != first


def test_the_same_file_is_kept_once(bot):
    other = create_bot(factories.user(), "Copy")
    submit_version(bot, "bot.py", CODE)
    submit_version(other, "bot.py", CODE)
    assert BotFile.objects.count() == 1


def test_who_uploads_faster_than_the_site_checks_is_asked_to_wait(bot, owner):
    for number in range(5):
        submit_version(bot, "bot.py", code(number))
    with pytest.raises(TooManyUploadsError):
        submit_version(create_bot(owner, "Second"), "bot.py", CODE)
    BotVersion.objects.filter(number=1).update(state="ready")
    assert submit_version(bot, "bot.py", code(6)).number == 6


@pytest.mark.django_db(transaction=True)
def test_uploads_at_the_same_moment_have_numbers_of_their_own(bot):
    numbers = in_threads(lambda number: submit_version(bot, "bot.py", code(number)).number, range(5))
    assert sorted(numbers) == [1, 2, 3, 4, 5]


def test_the_newest_ready_version_plays_unless_another_is_picked(bot):
    assert current_version(bot) is None
    first, second = factories.version(bot), factories.version(bot)
    for state in ("checking", "rejected", "parked"):
        factories.version(bot, state=state)
    assert current_version(bot) == second
    pick_version(bot, first)
    assert current_version(bot) == first
    pick_version(bot, None)
    assert current_version(bot) == second


def test_only_a_ready_version_of_the_bot_itself_can_be_picked(bot):
    for version in (factories.version(bot, state="rejected"), factories.bot().versions.get()):
        with pytest.raises(ValueError, match="passed its check"):
            pick_version(bot, version)


def test_a_worker_fetches_a_file_once_whichever_bots_have_it(owner, django_assert_num_queries):
    """Files come to workers through the database, by their content, and stay with whoever has read them."""
    uploads._kept.clear()
    one, other = (submit_version(create_bot(owner, name), "bot.py", CODE) for name in ("Shark", "Whale"))
    assert one.file_id == other.file_id
    with django_assert_num_queries(1):
        assert uploads.load(one).files == uploads.load(other).files == uploads.load(one).files


def test_what_is_kept_of_files_is_bounded_by_their_size(bot, monkeypatch):
    """A small zip may unpack to a thousand times its size, and many of them would fill the memory of a process."""
    uploads._kept.clear()
    monkeypatch.setattr(uploads, "_MOST_BYTES", 5000)
    versions = [submit_version(bot, "bot.zip", zipped(bot__py=code(number), table=b"0" * 2000)) for number in range(4)]
    for version in (*versions, versions[-1]):
        assert len(uploads.load(version).files) == 2
    assert list(uploads._kept) == [(version.file_id, True) for version in versions[-2:]]
