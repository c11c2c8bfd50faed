"""`python -m sandbox.keeper CONFIG`: process 1 of a sandbox."""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from sandbox.keeper import kernel
from sandbox.keeper.game import Stage, fresh_random_numbers
from sandbox.keeper.minder import kill_descendants, mind
from sandbox.keeper.wire import receive, send

_MINDER_DONE = b"."
_MEASURING_SECONDS = 1.0  # on a host so busy that three steps take longer, the coarsest known clock is assumed
_COARSEST_GRAIN = 0.01  # seconds


def main(config: dict[str, Any]) -> int:
    """Connect to the host, load what every game needs, then start a game whenever told to, until the host hangs up.

    `config`: box (folder with bot/, host/ and link/socket), module (with `serve(connection, root)`), preload (module
    names), path (folders to import from), environment (only while loading), limits, room (folder to be shut up in, as
    root, or None), user (uid to become there; without a room, uid for the bot or None), strict (whether every wall must
    stand). Box and path are as seen from the room.
    """
    # From the room there is no way to /proc but this one, which the process of a game closes before it loads the bot.
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if kernel.LINUX else None
    control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    control.connect(f"{config['room'] or ''}{config['box']}/link/socket")
    try:
        if config["room"] is not None:
            kernel.enter(config["room"], config["user"])
        _settle()
        stage = _load(config, proc)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the host must hear of it
        send(control, json.dumps({"failed": f"{type(error).__name__}: {error}"}))
        return 1
    send(control, f'{{"ready": true, "cpu_grain": {_cpu_grain():.9f}}}')
    while order := receive(control):
        if order[0] == "start":
            _play(control, stage, config["limits"], order[1])
        else:
            send(control, '{"failed": "There is no game."}')
    return 0


def _settle() -> None:
    """Make the keeper deaf and shut: no signal reaches it, nobody may look into it."""
    os.environ.clear()
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # a blocked signal would stay pending, for the next game to see
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # process 1 gets no signal from inside that it has no handler for
    # Children are not waited for: their CPU time would add up in /proc/1/stat, where the next game could read it.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if kernel.LINUX:
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)


def _cpu_grain() -> float:
    """The step in seconds by which the clock of CPU time goes here.

    Below a microsecond on Linux. gVisor looks every hundredth of a second who is running, and charges that one for all
    of it: right on average, and by so much wrong in one game. No clock tells its step truly, so it is measured.
    """
    deadline = time.monotonic() + _MEASURING_SECONDS
    steps = [time.process_time()]
    while len(steps) < 3 and time.monotonic() < deadline:  # the first step is cut short
        if (now := time.process_time()) != steps[-1]:
            steps.append(now)
    return steps[-1] - steps[-2] if len(steps) == 3 else _COARSEST_GRAIN


def _load(config: dict[str, Any], proc: int | None) -> Stage:
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(Path(config["box"]) / "host"), *config["path"]]
    os.environ.update(config["environment"])
    # A thread in the keeper would not survive a fork, and may hold a lock at that moment.
    os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    for name in config["preload"]:
        importlib.import_module(name)
    stage = Stage(config, proc)
    os.environ.clear()
    gc.collect()
    gc.freeze()  # the collector of a game's process then leaves these pages shared
    return stage


def _play(control: socket.socket, stage: Stage, limits: dict[str, int], nonce: str) -> None:
    """Fork a minder for one game and wait until it is gone, and with it everything that ran in the container."""
    fresh_random_numbers()
    reading, writing = os.pipe()
    if os.fork() == 0:
        status = 1
        try:
            os.close(reading)
            mind(control, stage, limits, nonce)
            os.write(writing, _MINDER_DONE)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    done = os.read(reading, 1)
    os.close(reading)
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # as process 1, this is everything in the container but the keeper
    kill_descendants(stage.proc)
    if done != _MINDER_DONE:
        send(control, '{"failed": "The minder of the game ended before it could report."}')


def run() -> None:
    """Run the keeper with the configuration on the command line."""
    sys.exit(main(json.loads(sys.argv[1])))


if __name__ == "__main__":
    run()
