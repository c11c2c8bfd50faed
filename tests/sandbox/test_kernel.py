"""The keeper's filter of system calls, judged instruction by instruction on both machines."""

import pytest

from sandbox.keeper.kernel import _NUMBERS, filter_program

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OWN = 4321
READ = {"x86_64": 0, "aarch64": 63}


def decide(
    machine: str, number: int, argument: int = 0, second: int = 0, fourth: int = 0, audit: int | None = None
) -> int:
    """What the filter answers, by the meaning of classic BPF."""
    words = {
        0: number,
        4: AUDIT[machine] if audit is None else audit,
        16: argument & 0xFFFFFFFF,
        24: second,
        40: fourth,
    }
    program, place, register = filter_program(machine, OWN), 0, 0
    while True:
        code, if_true, if_false, value = program[place]
        place += 1
        if code == 0x20:
            register = words[value]
        elif code == 0x15:
            place += if_true if register == value else if_false
        elif code == 0x35:
            place += if_true if register >= value else if_false
        elif code == 0x45:
            place += if_true if register & value else if_false
        else:
            assert code == 0x06
            return value


def names(machine: str) -> dict[str, int]:
    column = list(AUDIT).index(machine)
    return {name: number for name, pair in _NUMBERS.items() if (number := pair[column]) is not None}


@pytest.mark.parametrize("machine", AUDIT)
def test_ordinary_calls_pass(machine: str):
    assert decide(machine, READ[machine]) == ALLOW


@pytest.mark.parametrize("machine", AUDIT)
def test_every_named_call_is_refused(machine: str):
    answers = {name: decide(machine, number, 1, 0x7F00, 0x21) for name, number in names(machine).items()}
    assert {name for name, answer in answers.items() if answer == ALLOW} == set()
    assert answers["clone"] == ERRNO | 11
    assert answers["clone3"] == ERRNO | 38
    assert answers["socket"] == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
@pytest.mark.parametrize("name", ["kill", "tgkill", "tkill", "prlimit64", "rt_sigqueueinfo", "rt_tgsigqueueinfo"])
def test_oneself_may_be_signalled_and_nobody_else(machine: str, name: str):
    number = names(machine)[name]
    assert decide(machine, number, OWN) == ALLOW
    assert decide(machine, number, 0) == ALLOW
    for other in (1, OWN + 1, -1, -OWN):
        assert decide(machine, number, other) == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
def test_no_command_lets_a_descriptor_signal_somebody_else_or_lock(machine: str):
    fcntl, ioctl = names(machine)["fcntl"], names(machine)["ioctl"]
    for command in (*range(5), 1030):
        assert decide(machine, fcntl, second=command) == ALLOW
    # Locks, F_SETOWN, F_SETSIG, F_SETOWN_EX, locks of a description, leases, F_NOTIFY, a pipe's size.
    for command in (5, 6, 7, 8, 10, 15, 36, 37, 38, 1024, 1026, 1031):
        assert decide(machine, fcntl, second=command) == ERRNO | 1
    for command in (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451):
        assert decide(machine, ioctl, second=command) == ALLOW
    for command in (0x5412, 0x5452, 0x8901, 0x8902):  # TIOCSTI, FIOASYNC, FIOSETOWN, SIOCSPGRP
        assert decide(machine, ioctl, second=command) == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
def test_nobody_sleeps_where_another_container_could_wake_it(machine: str):
    futex = names(machine)["futex"]
    for command in range(14):
        assert decide(machine, futex, second=command | 0x80) == ALLOW
        assert decide(machine, futex, second=command | 0x180) == ALLOW  # by the clock on the wall
        assert decide(machine, futex, second=command) == ERRNO | 1
        assert decide(machine, futex, second=command | 0x100) == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
def test_memory_is_ones_own(machine: str):
    mmap = names(machine)["mmap"]
    for flags in (0x22, 0x32, 0x4022, 0x01, 0x02, 0x802):  # private memory; files, shared or not
        assert decide(machine, mmap, fourth=flags) == ALLOW
    for flags in (0x21, 0x23, 0x4021, 0x40021):
        assert decide(machine, mmap, fourth=flags) == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
def test_another_machines_numbers_end_the_process(machine: str):
    assert decide(machine, READ[machine], audit=0x40000003) == KILL


def test_the_x32_numbers_are_not_there():
    assert decide("x86_64", 0x40000000 + 57) == ERRNO | 38


def test_the_numbers_are_the_kernels(tmp_path):
    """Where this machine has the kernel's headers, its own column is compared with them."""
    import platform
    import re
    from pathlib import Path

    machine = platform.machine()
    if machine not in AUDIT:
        machine = "x86_64"
    headers = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
    header = Path("/usr/include") / headers[machine]
    # The numbers are part of the kernel's promise to programs and never change; without headers two are known by heart.
    known = {"x86_64": {"clone": 56, "kill": 62}, "aarch64": {"clone": 220, "kill": 129}}[machine]
    if header.exists():
        known = {found[1]: int(found[2]) for found in re.finditer(r"__NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())}
    ours = names(machine)
    assert {name: ours[name] for name in ours.keys() & known.keys()} == {
        name: known[name] for name in ours.keys() & known.keys()
    }
    assert "clone" in known
