"""The keeper's filter of system calls, judged instruction by instruction on both machines."""

import json
import re
from pathlib import Path

import pytest

from sandbox.container import seccomp_profile
from sandbox.keeper.kernel import _FREELY, _NO_BITS, _NUMBERS, _ONLY_VALUES, filter_program

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OWN = 4321
READ = {"x86_64": 0, "aarch64": 63}


def decide(
    machine: str,
    number: int,
    argument: int = 0,
    second: int = 0,
    third: int = 0,
    fourth: int = 0,
    audit: int | None = None,
) -> int:
    """What the filter answers, by the meaning of classic BPF."""
    words = {
        0: number,
        4: AUDIT[machine] if audit is None else audit,
        16: argument & 0xFFFFFFFF,
        24: second,
        32: third,
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
def test_what_is_not_named_is_refused(machine: str):
    """Whatever its arguments; what is named as a matter of its arguments has tests of its own."""
    ours = names(machine)
    named = {number: name for name, number in ours.items()}
    making = {
        ours[name]: 38 if name == "clone3" else 11 for name in ("clone", "clone3", "fork", "vfork") if name in ours
    }
    for number in range(1000):
        name = named.get(number)
        if name in _FREELY:
            assert decide(machine, number) == ALLOW, name
        elif name not in (*_ONLY_VALUES, *_NO_BITS, "mmap"):
            for words in ((0, 0, 0, 0), (OWN, 1, 1, 1), (2**32 - 1,) * 4):
                assert decide(machine, number, *words) == ERRNO | making.get(number, 1), number


def test_a_bot_may_nothing_that_its_container_may_not():
    """The filter is all there is under gVisor: there it has to leave out what the profile does."""
    rules = json.loads(seccomp_profile())["syscalls"]
    allowed = {name for rule in rules if rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]}
    assert set(_NUMBERS) - allowed == {"clone3"}
    whole = {
        name for rule in rules if rule["action"] == "SCMP_ACT_ALLOW" and "args" not in rule for name in rule["names"]
    }
    assert set(_FREELY) <= whole


@pytest.mark.parametrize("machine", AUDIT)
@pytest.mark.parametrize("name", ["kill", "tgkill", "tkill", "prlimit64"])
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
        # Nor lends its priority, in a lock that somebody else is said to hold: LOCK_PI and what belongs to it.
        expected = ALLOW if command in (0, 1, 3, 4, 5, 9, 10) else ERRNO | 1
        assert decide(machine, futex, second=command | 0x80) == expected
        assert decide(machine, futex, second=command) == ERRNO | 1
        assert decide(machine, futex, second=command | 0x100) == ERRNO | 1
    assert decide(machine, futex, second=0x189) == ALLOW  # waits by the clock on the wall


@pytest.mark.parametrize("machine", AUDIT)
def test_memory_is_ones_own(machine: str):
    mmap = names(machine)["mmap"]
    for flags in (0x22, 0x32, 0x4022, 0x01, 0x02, 0x802):  # private memory; files, shared or not
        assert decide(machine, mmap, fourth=flags) == ALLOW
    for flags in (0x21, 0x23, 0x4021, 0x40021, 0x40022, 0x40022 | 21 << 26, 0x40002):  # shared; huge pages
        assert decide(machine, mmap, fourth=flags) == ERRNO | 1
    madvise = names(machine)["madvise"]
    for advice in (0, 1, 2, 3, 4, 8, 14, 15):
        assert decide(machine, madvise, third=advice) == ALLOW
    for advice in (9, 12, 13, 16, 20, 21, 22, 25, 100, 101):  # REMOVE, MERGEABLE, ..., COLD, PAGEOUT, ..., HWPOISON
        assert decide(machine, madvise, third=advice) == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
def test_nobody_reads_anothers_clock_nor_the_hosts_store_of_chance(machine: str):
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        number = names(machine)[name]
        for clock in range(12):
            assert decide(machine, number, clock) == ALLOW
        for process in (1, OWN, 30_000):
            assert decide(machine, number, (~process << 3) | 2) == ERRNO | 1
    for flags in (0, 1, 4):
        assert decide(machine, names(machine)["getrandom"], third=flags) == ALLOW
    for flags in (2, 3, 6):
        assert decide(machine, names(machine)["getrandom"], third=flags) == ERRNO | 1


@pytest.mark.parametrize("machine", AUDIT)
def test_another_machines_numbers_end_the_process(machine: str):
    assert decide(machine, READ[machine], audit=0x40000003) == KILL


def test_the_x32_numbers_are_not_there():
    assert decide("x86_64", 0x40000000 + 57) == ERRNO | 38


@pytest.mark.parametrize(
    ("machine", "header", "by_heart"),
    [
        ("x86_64", "x86_64-linux-gnu/asm/unistd_64.h", {"clone": 56, "kill": 62}),
        ("aarch64", "asm-generic/unistd.h", {"clone": 220, "kill": 129}),
    ],
)
def test_the_numbers_are_the_kernels(machine: str, header: str, by_heart: dict[str, int]):
    """Where the kernel's headers are here, each is compared with them.

    They are part of its promise to programs and never change; without headers two are known by heart.
    """
    path = Path("/usr/include") / header
    known = by_heart
    if path.exists():
        known = {found[1]: int(found[2]) for found in re.finditer(r"__NR(?:3264)?_(\w+)\s+(\d+)", path.read_text())}
        known |= {"newfstatat": known.pop("fstatat", 262)}  # one call has another name in one of them
        assert set(names(machine)) <= set(known)
    ours = names(machine)
    assert {name: ours[name] for name in ours.keys() & known.keys()} == {
        name: known[name] for name in ours.keys() & known.keys()
    }
    assert "clone" in known
