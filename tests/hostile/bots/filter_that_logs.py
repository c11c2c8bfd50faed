"""Lays a filter of its own on itself that has the host's kernel write each of its calls into its log."""
# family: resources
# verdict: none
# machine: x86_64

import ctypes
import struct

from arena import Bot

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
LOG_EVERYTHING = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFC0000)
SECCOMP, SECCOMP_SET_MODE_FILTER = 317, 1


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class Hostile(Bot):
    def act(self, view):
        libc = ctypes.CDLL(None)
        code = ctypes.create_string_buffer(LOG_EVERYTHING, len(LOG_EVERYTHING))
        program = Program(1, ctypes.addressof(code))
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) == 0:
            raise SystemError("prctl laid it")
        if libc.syscall(SECCOMP, SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(program)) == 0:
            raise SystemError("seccomp laid it")
        return view.legal[0]
