"""The command line against a real server: log in, submit, follow the check, read the logs."""

import json
import os
import pty
import socket
import stat
import subprocess
import sys
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from accounts import tokens
from arena.cli import app, remote
from arena.cli import site as commands
from bots.models import Bot, BotVersion
from tests.web import factories
from tournaments.models import GameLog

OTHER = factories.CODE + b"# another\n"


def run(*words, code=0, stdin=None, env=None):
    """One command, with its standard output and error apart."""
    result = CliRunner().invoke(app, list(map(str, words)), input=stdin, env={"COLUMNS": "200"} | (env or {}))
    assert result.exit_code == code, (result.output, result.exception)
    return result


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Nothing of this machine's user is read or written."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ARENA_SITE", raising=False)
    monkeypatch.delenv("ARENA_TOKEN", raising=False)


@pytest.fixture
def author(transactional_db):
    return factories.user("author")


@pytest.fixture
def url(live_server):
    return live_server.url


@pytest.fixture
def token(author):
    return tokens.make(author, "laptop", "upload", 30)[1]


@pytest.fixture
def logged_in(url, token):
    run("login", url, stdin=f"{token}\n")


@pytest.fixture
def file(tmp_path):
    """A bot to submit."""
    path = tmp_path / "mybot.py"
    path.write_bytes(OTHER)
    return path


# Logging in


def test_login_keeps_the_token_where_nobody_else_reads_it(url, token):
    shown = run("login", url, stdin=f"{token}\n").output
    assert f"Logged in to {url} as author" in shown
    assert "may upload" in shown
    assert token not in shown
    path = remote.config_file()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert remote.find_site() == remote.Site(url, token)


def test_a_file_that_others_could_read_is_closed_by_the_next_login(url, token, logged_in):
    path = remote.config_file()
    path.chmod(0o644)
    run("login", url, stdin=f"{token}\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_typed_token_is_not_shown(url, token):
    """On a terminal: a real one."""
    above, below = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "arena", "login", url],
        stdin=below,
        stdout=below,
        stderr=below,
        start_new_session=True,
        env=os.environ | {"COLUMNS": "200"},
    )
    os.close(below)
    seen = b""
    while b"(not shown): " not in seen:  # the last of it comes when nothing is shown any more
        seen += os.read(above, 4096)
    os.write(above, token.encode() + b"\n")
    while True:
        try:
            more = os.read(above, 4096)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        seen += more
    os.close(above)
    assert child.wait() == 0
    assert b"as author" in seen
    assert token.encode() not in seen
    assert f"{url}/account/tokens/".encode() in seen


@pytest.mark.parametrize("typed", ["", "\n", "two words\n", "durak_é\n"])
def test_what_is_no_token_is_not_sent(url, author, typed):
    assert "no token" in run("login", url, stdin=typed, code=2).stderr


def test_a_token_that_is_refused_is_not_kept(url, author):
    assert "There is no such token" in run("login", url, stdin="durak_wrong\n", code=1).stderr
    assert remote.find_site() is None


@pytest.mark.parametrize(
    "address",
    ["ftp://arena.example", "http://", "https://a b", "https://user:word@arena.example", "https://[a", "https://a:b"],
)
def test_what_is_no_address_is_told(address):
    assert run("login", address, stdin="durak_x\n", code=2).stderr


def test_a_token_is_not_sent_unencrypted_unless_one_says_so():
    assert "--insecure" in run("login", "http://arena.example", stdin="durak_x\n", code=2).stderr


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("arena.example", "https://arena.example"),
        (" https://Arena.Example/ ", "https://arena.example"),
        ("https://arena.example/durak/", "https://arena.example/durak"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("http://localhost", "http://localhost"),
    ],
)
def test_an_address_is_kept_in_one_form(text, address):
    assert remote.read_address(text) == address


def test_a_site_is_forgotten(url, logged_in):
    assert "revoke it" in run("login", url, "--forget").output
    assert remote.find_site() is None
    assert "not logged in" in run("login", url, "--forget", code=1).stderr


def test_several_sites_are_kept_apart(url, token, logged_in):
    remote.remember(remote.Site("https://arena.example", "durak_other"))
    assert remote.find_site().address == "https://arena.example"
    assert remote.find_site(url).token == token
    assert "[]" in run("status", "--site", url, "--json").stdout
    remote.forget("https://arena.example")
    assert remote.find_site().address == url


@pytest.mark.parametrize("content", ["", "{", "[]", '{"current": 1}', '{"current": "x", "sites": []}'])
def test_a_damaged_file_is_as_none(content):
    path = remote.config_file()
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert remote.find_site() is None
    assert "First: python -m arena login URL" in run("status", code=3).stderr


def test_the_environment_goes_first(url, token):
    run("status", env={"ARENA_SITE": url, "ARENA_TOKEN": token})
    assert not remote.config_file().exists()


def test_a_token_of_the_environment_goes_to_its_own_site_alone(monkeypatch):
    monkeypatch.setenv("ARENA_SITE", "https://arena.example")
    monkeypatch.setenv("ARENA_TOKEN", "durak_x")
    assert remote.find_site("https://Arena.example/") == remote.Site("https://arena.example", "durak_x")
    assert remote.find_site("https://other.example") is None
    remote.remember(remote.Site("https://other.example", "durak_other"))
    assert remote.find_site("https://other.example") == remote.Site("https://other.example", "durak_other")
    monkeypatch.delenv("ARENA_SITE")
    assert remote.find_site("https://other.example") == remote.Site("https://other.example", "durak_x")


def test_a_token_of_the_environment_is_not_sent_unencrypted_either(monkeypatch):
    monkeypatch.setenv("ARENA_SITE", "http://arena.example")
    monkeypatch.setenv("ARENA_TOKEN", "durak_x")
    assert "log in with --insecure" in run("status", code=2).stderr
    remote.remember(remote.Site("http://arena.example", "durak_kept"))
    assert remote.find_site() == remote.Site("http://arena.example", "durak_x")


def test_a_token_of_the_environment_may_end_like_a_line(url, token):
    """As it does where it was read from a file."""
    run("status", env={"ARENA_SITE": url, "ARENA_TOKEN": f"{token}\n"})


@pytest.mark.parametrize("text", ["durak_one\ndurak_two", "durak_é", "durak_\x1b"])
def test_what_is_no_token_is_neither_sent_nor_shown(url, text):
    told = run("status", code=2, env={"ARENA_SITE": url, "ARENA_TOKEN": text}).stderr
    assert "no token" in told
    assert "durak_one" not in told


# Submitting


def test_a_bot_is_made_and_its_first_version_submitted(logged_in, file, author):
    shown = run("submit", file, "--bot", "My bot", "--create").output
    version = BotVersion.objects.select_related("bot").get()
    assert (version.bot.name, version.bot.owner, version.number) == ("My bot", author, 1)
    assert bytes(version.file.content) == OTHER
    assert "Version 1 of My bot is being checked" in shown
    assert "/bots/my-bot/versions/1/" in shown


@pytest.mark.parametrize("name", ["First", "first", " FIRST ", "Первый", "pervyy"])
def test_a_bot_is_found_by_its_name_or_address(logged_in, file, author, name):
    factories.bot(author, "Первый" if name in {"Первый", "pervyy"} else "First")
    run("submit", file, "--bot", name, "--create")
    assert Bot.objects.count() == 1
    assert BotVersion.objects.count() == 2


def test_a_bot_is_not_made_by_a_slip_of_the_finger(logged_in, file, author):
    factories.bot(author, "First")
    told = run("submit", file, "--bot", "Frist", code=1).stderr
    assert "yours are First" in told
    assert "--create" in told
    assert Bot.objects.count() == 1


def test_a_folder_is_submitted_as_a_zip_and_again_as_the_same(logged_in, author, tmp_path):
    folder = tmp_path / "mybot"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"x")
    (folder / "bot.py").write_bytes(OTHER)
    (folder / "table.bin").write_bytes(b"data")
    run("submit", folder, "--bot", "Mine", "--create")
    os.utime(folder / "bot.py", (10**9, 10**9))
    found = json.loads(run("submit", folder, "--bot", "Mine", "--json").stdout)
    assert (found["number"], found["filename"]) == (1, "mybot.zip")


@pytest.mark.parametrize(("name", "content"), [("bot.txt", b"x"), ("bot.py", b"\0"), ("bot.zip", b"no zip")])
def test_what_the_site_would_refuse_is_not_sent(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    assert str(path) in run("submit", path, "--bot", "x", code=1).stderr


def test_a_file_that_is_not_there_is_told():
    assert "cannot be read" in run("submit", "no-such.py", "--bot", "x", code=2).stderr


def test_a_token_that_may_only_read_submits_nothing(url, author, file):
    factories.bot(author, "First")
    _, text = tokens.make(author, "reader", "read", 7)
    told = run("submit", file, "--bot", "First", code=1, env={"ARENA_SITE": url, "ARENA_TOKEN": text}).stderr
    assert "may only read" in told


def test_a_token_that_was_revoked_says_what_to_do(logged_in, author):
    for token in author.api_tokens.all():
        tokens.revoke(token)
    assert "python -m arena login" in run("status", code=1).stderr


# Waiting for the check


@pytest.fixture
def worker(monkeypatch):
    """A worker that does its part each time the command line waits, and ends with the state that it is told."""

    def ends_with(state, report):
        steps = iter(
            [
                {"progress": {"done": 3, "total": 7}},
                {"state": state, "report": report, "progress": {"done": 7, "total": 7}},
            ]
        )

        def work(_seconds):
            BotVersion.objects.filter(state="checking").update(**next(steps))

        monkeypatch.setattr(time, "sleep", work)

    return ends_with


def test_waiting_ends_with_the_report_of_a_bot_that_passed(logged_in, file, worker):
    worker("ready", factories.passed_report())
    shown = run("submit", file, "--bot", "Mine", "--create", "--wait").output
    assert "has passed its check and plays" in shown
    assert "played 7 games" in shown
    assert "has passed" in run("submit", file, "--bot", "Mine", "--wait").output


def test_waiting_ends_with_exit_code_1_for_a_bot_that_failed(logged_in, file, worker):
    worker("rejected", factories.failed_report(log="\x1b[2Jlog\n"))
    shown = run("submit", file, "--bot", "Mine", "--create", "--wait", code=1).output
    assert "bot.py" in shown
    assert "ZeroDivisionError" in shown
    assert "It held 6c 7d 9h Ks" in shown
    assert "\x1b[2J" not in shown
    found = json.loads(run("status", "Mine", "--json").stdout)
    assert found["newest"]["check"]["report"]["line"] == 6


def test_waiting_as_json_prints_one_document(logged_in, file, worker):
    worker("ready", factories.passed_report())
    found = json.loads(run("submit", file, "--bot", "Mine", "--create", "--wait", "--json").stdout)
    assert (found["state"], found["check"]["report"]["games"]) == ("ready", 7)


def test_a_fault_of_the_site_is_not_the_bots(logged_in, file, worker):
    worker("parked", None)
    assert "no fault of yours" in run("submit", file, "--bot", "Mine", "--create", "--wait", code=3).output


def test_waiting_has_an_end(logged_in, file):
    told = run("submit", file, "--bot", "Mine", "--create", "--wait", "--timeout", 0, code=3).stderr
    assert "still being checked" in told
    assert "arena status" in told


@pytest.mark.parametrize(("said", "pause"), [(17, 17.0), (0, commands.POLL_SECONDS)])
def test_waiting_heeds_how_long_the_site_says(logged_in, file, worker, monkeypatch, said, pause):
    worker("ready", factories.passed_report())
    work = time.sleep
    waited: list[float] = []
    asked = remote.Site.get
    refused = iter([remote.SiteError("Too many.", 429, said)])

    def get(self, path, **query):
        if "/versions/" in path:
            for error in refused:
                raise error
        return asked(self, path, **query)

    monkeypatch.setattr(remote.Site, "get", get)

    def wait(seconds):
        waited.append(seconds)
        work(seconds)

    monkeypatch.setattr(time, "sleep", wait)
    run("submit", file, "--bot", "Mine", "--create", "--wait")
    assert waited == [pause, commands.POLL_SECONDS]


# Status and logs


def test_status_lists_ones_bots(logged_in, author):
    assert "You have no bot yet" in run("status").output
    factories.bot(author, "First [bold]")
    factories.bot(author, "Second", ready=False)
    shown = run("status").output
    assert "First [bold]" in shown
    assert "version 1: ready" in shown
    assert "nothing uploaded" in shown
    assert [bot["name"] for bot in json.loads(run("status", "--json").stdout)] == ["First [bold]", "Second"]


def test_status_of_one_bot_tells_place_and_rating(logged_in, author):
    bots = [factories.bot(author, name) for name in ("First", "Second")]
    ladder = factories.ladder(bots)
    factories.play(ladder, brain=lambda _: factories.skilled(1.0, 0.1))
    factories.rate(ladder)
    shown = run("status", "first").output
    assert "version 1 plays" in shown
    assert "In ladder: place" in shown
    assert "by crash" in shown
    assert "no bot named third; yours are First, Second" in run("status", "third", code=1).stderr


def test_status_of_a_bot_that_waits_tells_how_many_are_before_it(logged_in, author):
    factories.version(factories.bot(ready=False), "checking")
    factories.version(factories.bot(author, "First", ready=False), "checking", code=OTHER)
    shown = run("status", "First").output
    assert "no version plays yet" in shown
    assert "1 before it" in shown


def test_logs_show_failures_with_traceback_and_view(logged_in, author):
    bots = [factories.bot(author, name) for name in ("First", "Second")]
    cup = factories.round_robin(bots, "Cup")
    factories.play(cup, brain=lambda bot: factories.skilled(1.0, 1.0 if bot == bots[0] else 0.0))
    log = GameLog.objects.filter(failure__isnull=False, seat__entry__bot=bots[0]).first()
    log.log = "thinking \x1b[31mred\n"
    log.save()
    shown = run("logs", "first").output
    assert f"Game {log.game_id}, cup, version 1: failed (crash)" in shown
    assert "ZeroDivisionError" in shown
    assert "It held" in shown
    assert "thinking" in shown
    assert "\x1b[31m" not in shown
    found = json.loads(run("logs", "first", "--failed", "--reason", "crash", "--version", 1, "--json").stdout)
    assert any(one["failure"]["view"] for one in found)
    assert "No game failed" in run("logs", "first", "--reason", "time").output
    count = GameLog.objects.filter(seat__entry__bot=bots[0]).count()
    assert count > 1
    assert f"{count - 1} more" in run("logs", "first", "-n", 1).output


def test_logs_of_a_bot_that_printed_nothing(logged_in, author):
    factories.bot(author, "First")
    assert "It printed nothing" in run("logs", "First").output


# A site that is not there, or is another


def test_a_site_that_is_not_there_is_told(token):
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    told = run("status", code=3, env={"ARENA_SITE": url, "ARENA_TOKEN": token}).stderr
    assert f"{url} cannot be reached" in told
    assert "Traceback" not in told


@pytest.fixture
def elsewhere():
    """A server that is no arena: it answers as it is told, and remembers what it was sent."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, self.headers.get("Authorization")))
            self.send_response(answer["status"])
            if "location" in answer:
                self.send_header("Location", answer["location"])
            self.end_headers()
            self.wfile.write(answer["body"])

        def log_message(self, *_args):
            pass

    answer: dict[str, Any] = {}
    seen: list[tuple[str, str]] = []
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", answer, seen
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_token_does_not_follow_where_another_site_points(elsewhere):
    url, answer, seen = elsewhere
    answer.update(status=302, location=f"{url}/stolen", body=b"")
    told = run("login", url, stdin="durak_secret\n", code=3).stderr
    assert "/stolen" in told
    assert [path for path, _ in seen] == ["/api/me"]


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, b"<html>hello</html>", 3),
        (200, b"{}", 3),
        (200, b"[]", 3),
        (200, b'{"token": {"expires_at": "?"}}', 3),
        (404, b"<html>no</html>", 1),
        (500, b'{"message": 5', 3),
        (403, b"[]", 1),
    ],
)
def test_a_site_that_is_no_arena_is_told(elsewhere, status, body, code):
    url, answer, _ = elsewhere
    answer.update(status=status, body=body)
    assert "is the address right?" in run("login", url, stdin="durak_secret\n", code=code).stderr
    assert remote.find_site() is None


@pytest.mark.parametrize("command", ["login", "submit", "status", "logs"])
def test_every_command_has_help_with_an_example(command):
    assert f"python -m arena {command}" in run(command, "--help").output
