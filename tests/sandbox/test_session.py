"""One game of one bot: questions, answers, deadlines, reports."""

import pytest

from sandbox import Limits, SandboxError, SessionFailed
from tests.sandbox.conftest import ASK, OpenBot

ECHO = "def answer(line): return line[::-1]"


def test_a_question_gets_its_answer(open_bot: OpenBot):
    session = open_bot(ECHO).start(ASK)
    assert [session.ask(line, ASK) for line in (b"abc", b"", b"\xff\x00x")] == [b"cba", b"", b"x\x00\xff"]
    assert 0 < session.elapsed < ASK


def test_every_game_has_a_fresh_process(open_bot: OpenBot):
    sandbox = open_bot("""
        import os
        seen = []
        def answer(line):
            seen.append(line)
            return b"%d %d" % (len(seen), os.getpid())
    """)
    processes = set()
    for _ in range(3):
        session = sandbox.start(ASK)
        count, pid = session.ask(b"?", ASK).split()
        assert count == b"1"
        processes.add(pid)
        session.close()
    assert len(processes) == 3


def test_random_numbers_differ_from_game_to_game(open_bot: OpenBot):
    sandbox = open_bot("""
        import random
        def answer(line): return b"%r" % random.random()
    """)
    numbers = set()
    for _ in range(3):
        session = sandbox.start(ASK)
        numbers.add(session.ask(b"?", ASK))
        session.close()
    assert len(numbers) == 3


def test_a_bot_reads_its_own_files(open_bot: OpenBot):
    source = """
        import pathlib
        def answer(line): return pathlib.Path(__file__).with_name(line.decode()).read_bytes()
    """
    session = open_bot(source, table=b"1 2 3").start(ASK)
    assert session.ask(b"table", ASK) == b"1 2 3"


def test_the_report_tells_what_was_printed_and_used(open_bot: OpenBot):
    source = """
        import sys
        def answer(line):
            print("to", "output")
            print("to error", file=sys.stderr)
            return b"%d" % sum(range(300_000))
    """
    session = open_bot(source).start(ASK)
    session.ask(b"?", ASK)
    running = session.cpu_seconds()
    report = session.close()
    assert report.log == b"to output\nto error\n"
    assert report.output_bytes == len(report.log)
    assert 0 < running <= report.cpu_seconds < ASK
    assert report.peak_memory_bytes > 1_000_000
    assert not report.oom
    assert session.close() is report


def test_what_the_platform_did_before_the_bot_came_in_is_not_the_bots(open_bot: OpenBot):
    source = """
        import time
        def answer(line): return b"%.9f" % time.process_time()
    """
    session = open_bot(source).start(ASK)
    whole = float(session.ask(b"?", ASK))
    assert session._own_seconds > 0
    assert 0 < whole - session._own_seconds < session.cpu_seconds() + session._cpu_grain
    assert session._cpu_grain < 0.02


def test_a_long_log_keeps_its_start_and_its_end(open_bot: OpenBot):
    source = """
        def answer(line):
            for number in range(1000): print(f"{number:09}")
            return b"done"
    """
    session = open_bot(source, Limits(log_bytes=40)).start(ASK)
    session.ask(b"?", ASK)
    report = session.close()
    assert report.output_bytes == 10_000
    first = b"".join(b"%09d\n" % number for number in range(4))
    last = b"".join(b"%09d\n" % number for number in range(996, 1000))
    assert report.log == first + b"\n... 9920 bytes left out ...\n" + last


def test_an_answer_may_be_as_long_as_the_limit_and_no_longer(open_bot: OpenBot):
    sandbox = open_bot("def answer(line): return b'x' * int(line)", Limits(line_bytes=5000))
    session = sandbox.start(ASK)
    assert len(session.ask(b"5000", ASK)) == 5000
    with pytest.raises(SessionFailed) as failed:
        session.ask(b"5001", ASK)
    assert failed.value.reason == "protocol"


def test_a_failed_session_answers_no_more_but_reports(open_bot: OpenBot):
    sandbox = open_bot("def answer(line): print('before'); raise SystemExit(3)")
    session = sandbox.start(ASK)
    for _ in range(2):
        with pytest.raises(SessionFailed, match="exit status 3") as failed:
            session.ask(b"?", ASK)
        assert failed.value.reason == "crash"
    report = session.close()
    assert (report.exit_status, report.signal, report.log) == (3, None, b"before\n")


def test_the_sandbox_plays_on_after_a_failure(open_bot: OpenBot):
    sandbox = open_bot("import os\ndef answer(line): return line if line == b'fine' else os._exit(1)")
    for line in (b"fine", b"exit", b"fine", b"exit", b"fine"):
        session = sandbox.start(ASK)
        if line == b"fine":
            assert session.ask(line, ASK) == b"fine"
        else:
            with pytest.raises(SessionFailed):
                session.ask(line, ASK)
        session.close()
        assert sandbox.alive


def test_a_second_game_at_the_same_time_is_refused(open_bot: OpenBot):
    sandbox = open_bot(ECHO)
    session = sandbox.start(ASK)
    with pytest.raises(RuntimeError, match="close that session first"):
        sandbox.start(ASK)
    session.close()
    sandbox.start(ASK).close()


def test_a_closed_session_and_a_closed_sandbox_say_so(open_bot: OpenBot):
    sandbox = open_bot(ECHO)
    session = sandbox.start(ASK)
    session.close()
    with pytest.raises(SandboxError, match="session is closed"):
        session.ask(b"?", ASK)
    sandbox.close()
    sandbox.close()
    assert not sandbox.alive
    with pytest.raises(SandboxError, match="sandbox is closed"):
        sandbox.start(ASK)


def test_a_sandbox_may_be_closed_in_the_middle_of_a_game(open_bot: OpenBot):
    sandbox = open_bot("import time\ndef answer(line): time.sleep(1000)")
    session = sandbox.start(ASK)
    with pytest.raises(SessionFailed):
        session.ask(b"?", 0.01)
    sandbox.close()  # the fixture sees to it that nothing is left


def test_a_paused_bot_takes_no_time_and_answers_again(open_bot: OpenBot):
    source = """
        import signal
        def burn(*_):
            # It runs between questions, while the host waits for somebody else.
            sum(range(50_000))
            signal.setitimer(signal.ITIMER_REAL, 0.001)
        signal.signal(signal.SIGALRM, burn)
        def answer(line):
            if line == b"burn": burn()
            return line
    """
    session = open_bot(source).start(ASK)
    session.ask(b"burn", ASK)
    session.pause()
    before = session.cpu_seconds()
    other = open_bot(ECHO).start(ASK)  # something that takes its time, instead of a sleep
    for _ in range(200):
        other.ask(b"x", ASK)
    other.close()
    assert session.cpu_seconds() - before < 0.005
    assert session.ask(b"again", ASK) == b"again"
    assert session.cpu_seconds() > before


def test_time_out_of_turn_is_counted_however_long_earlier_turns_took(open_bot: OpenBot):
    source = """
        import signal, time
        def burn(*_):
            end = time.process_time() + 0.1
            while time.process_time() < end: pass
        signal.signal(signal.SIGALRM, burn)
        def answer(line):
            time.sleep(0.3)
            if line == b"burn": signal.setitimer(signal.ITIMER_REAL, 0.2)
            return line
    """
    strays = {}
    for line in (b"burn", b"rest"):
        session = open_bot(source).start(ASK)
        session.ask(line, ASK)
        session.pause()
        session.resume()
        before = session.cpu_seconds()
        while line == b"burn" and session.cpu_seconds() < before + 0.09:
            pass  # the bot's own timer ends this
        session.pause()
        session.ask(b"again", ASK)
        strays[line] = session.close().stray_seconds
    assert strays[b"burn"] > 0.08
    assert strays[b"rest"] < 0.05


def test_meanwhile_is_called_once_and_only_for_a_slow_answer(open_bot: OpenBot):
    session = open_bot("import time\ndef answer(line): time.sleep(float(line)); return line").start(ASK)
    calls: list[int] = []
    session.ask(b"0", ASK, patience=ASK, meanwhile=lambda: calls.append(1))
    assert calls == []
    session.ask(b"0.2", ASK, patience=0.001, meanwhile=lambda: calls.append(2))
    assert calls == [2]


def test_a_bot_that_reads_nothing_fails_by_time_also_for_a_huge_question(open_bot: OpenBot):
    session = open_bot("import time\ndef serve(connection): time.sleep(1000)").start(ASK)
    with pytest.raises(SessionFailed) as failed:
        session.ask(b"x" * 5_000_000, 0.2)
    assert failed.value.reason == "time"


@pytest.mark.parametrize("name", ["../bot.py", "/etc/passwd", "a/../../b", "", "a\0b", "a//b", "./a"])
def test_no_file_leaves_the_box(backend, name: str):
    with pytest.raises(ValueError, match="no relative path"):
        backend.open({name: b""}, module="talker", limits=Limits())


def test_a_module_that_cannot_be_loaded_is_our_fault(backend):
    with pytest.raises(SandboxError, match=r"ModuleNotFoundError.*no_such_module"):
        backend.open({}, module="no_such_module", limits=Limits())


def test_an_order_that_was_cut_short_is_not_answered_to_the_next(open_bot: OpenBot):
    """As a signal's exception may do it, between an order and its answer: that would be taken for the next one's."""
    session = open_bot(ECHO).start(ASK)
    assert session.ask(b"abc", ASK) == b"cba"
    session._link.send("usage")
    with pytest.raises(SandboxError, match="cut short"):
        session.close()
