"""The bot's side of the wire: loads one bot, answers, and says clearly what went wrong."""

import contextlib
import json
import random
import socket
import subprocess
import sys

import pytest

from arena.bot.info import GameInfo
from arena.durak import CARDS, PRESETS, Game
from arena.failure import PlayerFailed, Reason
from arena.wire import LINE_BYTES, Question, decode_answer, decode_ready, encode_question, encode_start

BOT = """
from arena import Bot


class Mine(Bot):
    def act(self, view):
        return view.legal[0]
"""
DECK = random.Random(1).sample(CARDS, 36)
SERVE = """
import pathlib, socket, sys
from arena.bot.host import serve
serve(socket.socket(fileno=int(sys.argv[1])), pathlib.Path(sys.argv[2]))
"""


class Host:
    """A bot's process and our end of its connection."""

    def __init__(self, folder, files):
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.connection, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(theirs.fileno()), str(folder)],
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        theirs.close()
        assert self.process.stdout is not None
        self.output = self.process.stdout
        self.reader = self.connection.makefile("rb")
        self.game = Game(PRESETS["podkidnoy"], 2, DECK)
        self.number = 0

    def tell(self, line):
        self.connection.sendall(line + b"\n")

    def hear(self):
        line = self.reader.readline()
        if not line:
            raise PlayerFailed(Reason.CRASH, "The process is gone.")
        return line.removesuffix(b"\n")

    def start(self):
        info = GameInfo(
            ruleset=self.game.ruleset, players=2, seat=self.game.attacker, partner=None, trump=self.game.trump,
            turn_up=self.game.turn_up, first_attacker=self.game.attacker, bank=10, move_limit=2,
        )  # fmt: skip
        self.tell(encode_start(info.to_wire()))
        line = self.hear()
        assert len(line) <= LINE_BYTES
        decode_ready(line)

    def ask(self):
        """Asks for the first lead, again and again: nothing happens in between."""
        self.number += 1
        hand = [str(card) for card in self.game.hand(self.game.attacker)]
        legal = [str(move) for move in self.game.legal_moves()]
        self.tell(encode_question(Question(self.number, hand, legal, [], 10.0)))
        line = self.hear()
        assert len(line) <= LINE_BYTES
        return decode_answer(line, self.number)

    def end(self):
        self.reader.close()
        self.connection.close()
        output, _ = self.process.communicate(timeout=30)
        return output.decode()


@pytest.fixture
def serve(tmp_path):
    with contextlib.ExitStack() as stack:

        def start(files):
            host = Host(tmp_path, {"bot.py": files} if isinstance(files, (str, bytes)) else files)
            stack.callback(host.output.close)
            stack.callback(host.process.wait)
            stack.callback(host.process.kill)
            stack.callback(host.connection.close)
            stack.callback(host.reader.close)
            return host

        yield start


def load_failure(host):
    with pytest.raises(PlayerFailed) as caught:
        host.start()
    return caught.value


def act_failure(host):
    host.start()
    with pytest.raises(PlayerFailed) as caught:
        host.ask()
    return caught.value


def test_a_bot_is_loaded_asked_and_ends_when_the_connection_closes(serve):
    host = serve(BOT)
    host.start()
    first = str(host.game.legal_moves()[0])
    assert [host.ask(), host.ask()] == [first, first]
    assert host.end() == ""
    assert host.process.returncode == 0


@pytest.mark.parametrize("answer", ["view.legal[1]", "str(view.legal[1])", "Text(str(view.legal[1]))"])
def test_an_answer_is_a_move_or_its_text(serve, answer):
    host = serve(BOT.replace("view.legal[0]", answer) + "\nclass Text(str): pass\n")
    host.start()
    assert host.ask() == str(host.game.legal_moves()[1])


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("None", "None"),
        ("7", "7"),
        ("[view.legal[0]]", "[Move("),
        ("'x' * 100_000", "x" * 200),
        ("True", "True"),
        ("'жир'", "жир"),
        ("'\\ud800'", "\\ud800"),
        ("view.hand[0]", "Card("),
    ],
)
def test_what_is_no_move_is_told_as_it_is_and_judged_by_the_platform(serve, answer, told):
    host = serve(BOT.replace("view.legal[0]", answer))
    host.start()
    assert host.ask().startswith(told)


def test_the_constructor_gets_the_game(serve):
    source = BOT + "\n    def __init__(self, game):\n        print('seat', game.seat, 'of', game.players)\n"
    host = serve(source)
    host.start()
    assert host.end() == f"seat {host.game.attacker} of 2\n"


# The entry point


def test_imported_bots_do_not_count(serve):
    host = serve({"bot.py": BOT + "\nfrom other import Other\n", "other.py": BOT.replace("Mine", "Other")})
    host.start()
    assert host.ask()


def test_a_bot_may_derive_from_an_imported_bot(serve):
    host = serve(
        {
            "bot.py": "from other import Other\n\nclass Mine(Other):\n    pass\n",
            "other.py": BOT.replace("Mine", "Other"),
        }
    )
    host.start()
    assert host.ask()


def test_another_name_for_the_same_bot_is_no_second_bot(serve):
    serve(BOT + "\nAlias = Mine\n").start()


def test_several_bots_are_an_error_that_names_them(serve):
    failed = load_failure(serve(BOT + BOT.replace("Mine", "Yours")))
    assert failed.reason is Reason.LOAD
    assert "Mine, Yours" in failed.message
    assert (failed.detail["file"], failed.detail["line"]) == ("bot.py", 12)


@pytest.mark.parametrize(
    "source", ["x = 1\n", "from arena import Bot\n", "class Mine:\n    def act(self, view): ...\n"]
)
def test_no_bot_is_an_error_that_says_what_to_write(serve, source):
    failed = load_failure(serve(source))
    assert failed.reason is Reason.LOAD
    assert "class MyBot(Bot)" in failed.message
    assert failed.detail["file"] == "bot.py"


# Errors name file and line


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("import nothing_of_that_name\n", "ModuleNotFoundError", 1),
        ("\n\n1 / 0\n", "ZeroDivisionError", 3),
        ("x = 1\ndef broken(:\n", "SyntaxError", 2),
        ("if 1:\nx = 1\n", "IndentationError", 2),
        ("if 1:\n\tx = 1\n        y = 1\n", "TabError", 3),
        ("x = '\xff'\n".encode("latin-1"), "SyntaxError", 1),
        ("# coding: no-such-coding\n", "SyntaxError", 1),
        ("import sys\nsys.exit(3)\n", "SystemExit", 2),
        ("\nraise KeyboardInterrupt\n", "KeyboardInterrupt", 2),
        (BOT + "\n    def __init__(self):\n        pass\n", "LoadError", 9),
        (BOT + "\n    def __init__(self, game):\n        self.x = game.nothing\n", "AttributeError", 10),
    ],
)
def test_a_load_failure_names_file_and_line(serve, source, kind, line):
    failed = load_failure(serve(source))
    assert failed.reason is Reason.LOAD
    assert (failed.detail["type"], failed.detail["file"], failed.detail["line"]) == (kind, "bot.py", line)
    assert f"bot.py, line {line}" in failed.message


def test_a_failure_in_a_sibling_module_names_that_module(serve):
    failed = load_failure(serve({"bot.py": "import lib.deep\n" + BOT, "lib/deep.py": "\n1 / 0\n"}))
    assert (failed.detail["file"], failed.detail["line"]) == ("lib/deep.py", 2)
    assert failed.detail["traceback"].splitlines() == [
        "bot.py, line 1, in <module>: import lib.deep",
        "lib/deep.py, line 2, in <module>: 1 / 0",
    ]


def test_a_syntax_error_in_a_sibling_names_that_sibling(serve):
    failed = load_failure(serve({"bot.py": "import other\n" + BOT, "other.py": "\ndef broken(:\n"}))
    assert (failed.detail["file"], failed.detail["line"]) == ("other.py", 2)


def test_an_exception_in_act_is_a_crash_with_the_bots_frames_alone(serve):
    source = BOT.replace("return view.legal[0]", "return self.choose(view)") + (
        "\n    def choose(self, view):\n        return min([], key=str)\n"
    )
    failed = act_failure(serve(source))
    assert failed.reason is Reason.CRASH
    assert (failed.detail["type"], failed.detail["file"], failed.detail["line"]) == ("ValueError", "bot.py", 10)
    assert failed.detail["traceback"].splitlines() == [
        "bot.py, line 7, in act: return self.choose(view)",
        "bot.py, line 10, in choose: return min([], key=str)",
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "raise SystemExit(0)",
        "raise KeyboardInterrupt",
        "raise GeneratorExit",
        "raise BaseException",
        "exit()",
        "raise StopIteration",
    ],
)
def test_every_exception_in_act_is_a_crash(serve, statement):
    assert act_failure(serve(BOT.replace("return view.legal[0]", statement))).reason is Reason.CRASH


def test_an_endless_recursion_is_a_crash_told_in_one_line(serve):
    failed = act_failure(serve(BOT.replace("return view.legal[0]", "return self.act(view)")))
    assert (failed.reason, failed.detail["type"]) == (Reason.CRASH, "RecursionError")
    assert "more frames" in failed.detail["traceback"]


def test_a_missing_act_is_a_crash_that_names_it(serve):
    failed = act_failure(serve("from arena import Bot\n\nclass Mine(Bot):\n    pass\n"))
    assert "act" in failed.message


def test_memory_that_runs_out_is_the_failure_memory(serve):
    failed = act_failure(serve(BOT.replace("return view.legal[0]", "raise MemoryError")))
    assert failed.reason is Reason.MEMORY


@pytest.mark.parametrize(
    "message",
    ["'x' * 100_000", "'\\0' * 5000", "'\\ud800' * 3000", "'🂡' * 20_000", "b'\\xff'", "'line\\nline'"],
)
def test_every_message_fits_and_is_read_by_the_platform(serve, message):
    deep = (
        "\n    def deep(self, n):\n        "
        + "x = 'я' * 1; " * 30
        + f"\n        if n == 0: raise ValueError({message})\n"
    )
    source = BOT.replace("return view.legal[0]", "return self.deep(50)") + deep + "        return self.deep(n - 1)\n"
    failed = act_failure(serve(source))
    assert (failed.reason, failed.detail["type"]) == (Reason.CRASH, "ValueError")
    assert failed.detail["line"] == 11


def test_an_exception_whose_text_raises_is_still_told(serve):
    source = BOT.replace("return view.legal[0]", "raise Odd") + (
        "\n\nclass Odd(Exception):\n    def __str__(self):\n        raise SystemExit\n"
    )
    failed = act_failure(serve(source))
    assert (failed.reason, failed.detail["type"]) == (Reason.CRASH, "Odd")


# Sources load alike whatever they look like


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf" + BOT.encode(),
        BOT.replace("\n", "\r\n").encode(),
        BOT.replace("\n", "\r").encode(),
        b"# -*- coding: latin-1 -*-\nNAME = '\xe9'\nassert NAME == chr(233)\n" + BOT.encode(),
        BOT.replace("Mine", "Мой").replace("act(self, view)", "act(self, вид)").replace("view.", "вид.").encode(),
    ],
    ids=["bom", "crlf", "cr", "latin-1", "cyrillic"],
)
def test_encodings_and_line_ends_load_alike(serve, source):
    host = serve(source)
    host.start()
    assert host.ask() == str(host.game.legal_moves()[0])


def test_an_error_is_counted_in_lines_of_the_file_whatever_its_line_ends(serve):
    failed = load_failure(serve(b"\xef\xbb\xbfx = 1\r\ny = 2\r\n1 / 0\r\n"))
    assert failed.detail["line"] == 3


def test_siblings_and_data_files_are_found(serve):
    source = "from lib import helper\nDATA = open('data/x.txt').read()\n" + BOT.replace(
        "view.legal[0]", "helper.pick(view, DATA)"
    )
    host = serve(
        {
            "bot.py": source,
            "lib/__init__.py": "",
            "lib/helper.py": "def pick(view, data):\n    return view.legal[int(data)]\n",
            "data/x.txt": "2",
        }
    )
    host.start()
    assert host.ask() == str(host.game.legal_moves()[2])


def test_a_bot_is_an_ordinary_module_that_can_be_looked_up(serve):
    serve(
        "import sys, dataclasses, pickle\n" + BOT + "\n@dataclasses.dataclass\nclass State:\n    x: int = 1\n"
        "assert sys.modules[__name__].State is State\nassert pickle.loads(pickle.dumps(State())) == State()\n"
    ).start()


# What a bot does to its own process


def test_printing_never_reaches_the_wire(serve):
    host = serve(
        'import sys\nprint(\'{"n":0,"ready":true}\')\n'
        + BOT.replace("return", 'print(\'{"n":1,"move":"As"}\'); print(\'err\', file=sys.stderr); return')
    )
    host.start()
    assert host.ask() == str(host.game.legal_moves()[0])
    assert '"move":"As"' in host.end()


@pytest.mark.parametrize(
    "patch",
    [
        "import json; json.loads = json.dumps = json.JSONDecoder = json.JSONEncoder = None",
        "import json; json.encoder.encode_basestring_ascii = None; json.decoder.scanstring = None",
        "import sys; sys.stdout = sys.stderr = None",
        "import builtins; builtins.print = builtins.open = builtins.len = None",
        "import time, random; time.time = time.monotonic = random.random = None",
        "import arena; arena.Move = arena.Card = arena.GameInfo = None",
        "import arena.bot.host as host; host.Observer = host.Event = host.serve = None",
        "import gc; gc.disable()",
    ],
)
def test_a_bot_that_patches_its_surroundings_still_plays_or_fails_itself(serve, patch):
    host = serve(patch + "\n" + BOT)
    try:
        host.start()
        assert host.ask() == str(host.game.legal_moves()[0])
    except PlayerFailed as failed:
        assert failed.reason in (Reason.LOAD, Reason.CRASH)  # noqa: PT017 - either is right, nothing else is


def test_nothing_carries_over_between_two_processes(serve, tmp_path):
    source = BOT + "\nimport arena\nassert not hasattr(arena, 'left_behind')\narena.left_behind = 1\n"
    first = serve(source)
    first.start()
    second = serve(source)
    second.start()


def test_lines_are_answers_in_json_for_any_client(serve):
    host = serve(BOT)
    host.start()
    host.tell(encode_question(Question(1, ["6c"], ["6c", "pass"], [], 1.0)))
    assert json.loads(host.hear()) == {"n": 1, "move": "6c"}
