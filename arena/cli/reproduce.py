"""``python -m arena reproduce``: a failed game of one's own bot, up to the decision on which it failed."""

from __future__ import annotations

import os
import pdb  # noqa: T100 - the command is a debugger
import sys
import tempfile
import threading
import time
import traceback as tracebacks
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.bot.bot import Bot as BotBase
from arena.bot.host import LoadError, load_bot
from arena.cli.bots import read_bot
from arena.cli.files import read_reproduction
from arena.cli.options import Json
from arena.cli.output import complain, console, print_json, stop
from arena.cli.remote import plain
from arena.durak import Move, RecordError
from arena.failure import Reason
from arena.reproduction import Decision, Reproduction, decisions, info_of
from arena.timeout import TimedOut, time_limit

File = Annotated[Path, typer.Argument(help="The file that the site offers for a failed game, or - for input.")]
Bot = Annotated[
    Path, typer.Argument(metavar="BOT", help="Your bot: a .py or .zip file, or the folder with bot.py. Default: here.")
]
Debugger = Annotated[
    bool, typer.Option("--debugger/--no-debugger", help="Stop in the debugger, or print what happens and end.")
]


@dataclass
class Found:
    """What came of it."""

    reproduced: bool = False
    reason: str | None = None
    """Why it failed now; None when it did not."""
    moves: int = 0
    """After how many moves that was, or how far the game went."""
    answer: str | None = None
    """What it answers now to the question on which it failed."""
    seconds: float | None = None
    """How long that took."""
    different: list[int] = field(default_factory=list)
    """Earlier decisions, by the moves before them, in which it now plays otherwise."""
    message: str = ""
    traceback: str = ""


def reproduce(file: File, bot: Bot = Path(), debugger: Debugger = True, json: Json = False) -> None:
    """Play a failed game of your bot again, and stop where it failed.

    Your bot is asked the same questions in the same order, in this very process, up to the one on which it failed.
    There it stops in Python's debugger, at the first line of your `act`: step with [bold]n[/] and [bold]s[/], look at
    [bold]p view.hand[/], go on with [bold]c[/], leave with [bold]q[/]. If your code raises an exception, the debugger
    opens where it was raised.

    The file comes from the site: "My failures", or the page of a version that did not pass. Your own machine writes
    one with `play --records` and `check --failure`.

    Exit code 0 when the bot does not fail any more, 1 when it does, 2 when the file or the bot cannot be read.

    [bold]Examples[/]

        python -m arena reproduce failure.json mybot/

        python -m arena reproduce failure.json mybot.py --no-debugger
    """
    if json and debugger:
        stop("With --json nobody can answer the debugger: add --no-debugger.")
    reproduction = read_reproduction(file)
    with _root(bot) as root:
        if not json:
            _introduce(reproduction)
        try:
            # With --json standard output is for the program that reads it, and not for what the bot prints.
            with redirect_stdout(sys.stderr) if json else nullcontext():
                found = _Run(reproduction, root, debugger, quiet=json).run()
        except RecordError as error:
            stop(f"{file}: {error}")
        if json:
            print_json(asdict(found))
        else:
            _conclude(found)
    code = 1 if found.reproduced else 0
    _leave_threads(code)
    if code:
        raise typer.Exit(code)


def _leave_threads(code: int) -> None:
    """Ends the command at once where threads of the bot still run: Python would wait for them, it may be for ever."""
    left = [one.name for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]
    if left:
        complain(f"Threads of the bot still run, and are left: {', '.join(left)}.")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


@contextmanager
def _root(path: Path) -> Iterator[Path]:
    """The folder with bot.py: the author's own, where there is one, so that the debugger shows the file he edits."""
    if path.is_dir() and (path / "bot.py").is_file():
        yield path.resolve()
    elif path.is_file() and path.name == "bot.py":
        yield path.resolve().parent
    elif path == Path():
        stop("There is no bot.py here. Say where your bot is: python -m arena reproduce FILE BOT")
    else:
        files = read_bot(str(path)).files
        with tempfile.TemporaryDirectory(prefix="arena-reproduce-") as folder:
            for name, content in files.items():
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            yield Path(folder).resolve()


class _Run:
    """One bot, asked again."""

    def __init__(self, reproduction: Reproduction, root: Path, debugger: bool, quiet: bool) -> None:
        self.reproduction = reproduction
        self.root = root
        self.debugger = debugger
        self.quiet = quiet
        self.found = Found()

    def run(self) -> Found:
        bot = self._load()
        if bot is None:
            return self.found
        for decision in decisions(self.reproduction):
            self.found.moves = decision.moves
            if decision.answer is None:
                self._last(bot, decision)
            elif not self._earlier(bot, decision, decision.answer):
                break
        if not self.found.reproduced and self.reproduction.view is None:
            self._after_the_end()
        return self.found

    def _load(self) -> BotBase | None:
        timeout = self.reproduction.limits.start_limit
        try:
            with self._within(timeout):
                return load_bot(self.root)(info_of(self.reproduction))
        except TimedOut as error:
            self._failed(Reason.LOAD, error, f"Not ready within {timeout:g} s; this is where it was.")
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the author's code may raise anything, and is told
            self._failed(Reason.LOAD, error)
            return None

    def _within(self, seconds: float) -> AbstractContextManager[None]:
        """A block with a limit of time, but for who looks around in the debugger."""
        return nullcontext() if self.debugger else time_limit(seconds)

    def _earlier(self, bot: BotBase, decision: Decision, played: Move) -> bool:
        """Asks a question that the bot once answered. False when it fails on it now."""
        # It was quick enough then; a slower machine shall come to the question that matters all the same.
        timeout = self.reproduction.limits.bank
        try:
            with self._within(timeout):
                answer = bot.act(decision.view)
        except TimedOut as error:
            self._failed(Reason.TIME, error, f"No answer within {timeout:g} s; this is where it was.")
            return False
        except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
            self._failed(Reason.CRASH, error)
            return False
        if str(answer) != str(played):
            self.found.different.append(decision.moves)
        return True

    def _last(self, bot: BotBase, decision: Decision) -> None:
        """Asks the question on which it failed."""
        view = decision.view
        if not self.quiet:
            console.print(f"\nAfter {decision.moves} moves it is asked:", highlight=False)
            _show("hand", view.hand)
            _show("legal", view.legal)
            _show("table", (f"{attack}/{beat}" if beat else str(attack) for attack, beat in view.table))
            _show("trump", [view.trump])
            _show("clock", [f"{view.clock:g} s"])
            console.print()
        timeout = min(self.reproduction.limits.move_limit, view.clock)
        began = time.perf_counter()
        try:
            if self.debugger:
                debugger = _Debugger()
                answer = debugger.runcall(bot.act, view)
                if debugger.left:
                    self.found.message = "You left the debugger before the bot answered."
                    return
            else:
                with self._within(timeout):
                    answer = bot.act(view)
        except TimedOut as error:
            self.found.seconds = time.perf_counter() - began
            self._failed(Reason.TIME, error, f"No answer within {timeout:g} s; this is where it was.")
            return
        except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
            self._failed(Reason.MEMORY if isinstance(error, MemoryError) else Reason.CRASH, error)
            return
        self.found.seconds = time.perf_counter() - began
        self.found.answer = str(answer)[:200]
        legal = [str(move) for move in view.legal]
        if str(answer) not in legal:
            self.found.reproduced, self.found.reason = True, str(Reason.ILLEGAL)
            self.found.message = f'It answers "{self.found.answer}", which is not legal here.'
        elif not self.debugger and self.found.seconds > timeout:
            self.found.reproduced, self.found.reason = True, str(Reason.TIME)
            self.found.message = f"It answers {self.found.answer}, but only after {self.found.seconds:.2f} s."

    def _after_the_end(self) -> None:
        """What came to light only when the game was over shows itself here, if it does, in what still runs."""
        left = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
        if self.reproduction.reason is Reason.PONDERING and left:
            self.found.reproduced, self.found.reason = True, str(Reason.PONDERING)
            self.found.message = f"Threads that still run after the last answer: {', '.join(left)}."

    def _failed(self, reason: Reason, error: BaseException, message: str = "") -> None:
        found = self.found
        found.reproduced, found.reason = True, str(reason)
        found.message = message or f"{type(error).__name__}: {error}"
        own = _own_frames(error, self.root)
        where = "" if isinstance(error, LoadError) and not own else "".join(tracebacks.format_list(own))
        found.traceback = where + "".join(tracebacks.format_exception_only(error))
        if self.debugger and error.__traceback__ is not None:
            console.print(found.traceback, markup=False, highlight=False, soft_wrap=True)
            pdb.post_mortem(error.__traceback__)
            found.traceback = ""


class _Debugger(pdb.Pdb):
    """Notes that it was left, which looks like an answer of None from outside."""

    left = False

    def set_quit(self) -> None:
        self.left = True
        super().set_quit()


def _own_frames(error: BaseException, root: Path) -> list[tracebacks.FrameSummary]:
    """The frames of the author's own code, the innermost last, with their files as he calls them."""
    prefix = f"{root}{os.sep}"
    own = [frame for frame in tracebacks.extract_tb(error.__traceback__) if frame.filename.startswith(prefix)]
    for frame in own:
        frame.line  # noqa: B018 - reads the line while the file is still called so
        frame.filename = frame.filename.removeprefix(prefix)
    return own


def _show(name: str, values: Any) -> None:
    console.print(f"  {name:<6} {' '.join(str(value) for value in values)}", markup=False, highlight=False)


def _introduce(reproduction: Reproduction) -> None:
    one = reproduction
    console.print(
        plain(
            f"{one.bot}, version {one.version}, at seat {one.seat} of {one.record.players}: failed ({one.reason}) "
            f"after {one.at} moves. {one.message}"
        ),
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _conclude(found: Found) -> None:
    if found.different:
        complain(
            f"In {len(found.different)} earlier decisions it now plays otherwise (first after {found.different[0]} "
            "moves): the code is another, or it plays by chance. The game went on with what it played then."
        )
    if found.traceback:
        console.print(found.traceback, markup=False, highlight=False, soft_wrap=True)
    if found.reproduced:
        console.print(f"[bold red]fails[/] ({found.reason})", end=" ")
        console.print(found.message, markup=False, highlight=False, soft_wrap=True)
        return
    if found.message:
        console.print(found.message, markup=False, highlight=False, soft_wrap=True)
    elif found.answer is not None:
        console.print(
            f"[bold green]does not fail any more[/]: it answers {found.answer} after {found.seconds or 0:.3f} s.",
            highlight=False,
        )
    else:
        console.print(
            "[bold green]did not fail[/] in this process, which has no limits of memory, output or processor time. "
            "Try it in the sandbox: python -m arena check BOT",
            highlight=False,
            soft_wrap=True,
        )
