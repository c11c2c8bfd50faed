"""Leaves a bit in the control registers of the processor for its next game."""
# family: between-games
# verdict: none
# backends: docker process
# machine: x86_64

import ctypes
import mmap

from arena import Bot

STORE_MXCSR, LOAD_MXCSR = b"\x0f\xae\x1f\xc3", b"\x0f\xae\x17\xc3"
STORE_X87, LOAD_X87 = b"\xd9\x3f\xc3", b"\xd9\x2f\xc3"
USUAL = {"mxcsr": 0x1F80, "x87": 0x037F}
ROUND_UP = {"mxcsr": 0x5F80, "x87": 0x0B7F}


def run(code, value):
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    word = ctypes.c_uint32(value)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.addressof(ctypes.c_char.from_buffer(page)))(ctypes.addressof(word))
    return word.value


def look():
    # The low six bits of MXCSR are flags of what has been computed: any sum sets them.
    return {"mxcsr": run(STORE_MXCSR, 0) & ~0x3F, "x87": run(STORE_X87, 0) & 0xFFFF}


FOUND = look()


class Hostile(Bot):
    def act(self, view):
        if FOUND != USUAL:
            raise SystemError(f"the game before has left {FOUND}")
        run(LOAD_MXCSR, ROUND_UP["mxcsr"])
        run(LOAD_X87, ROUND_UP["x87"])
        if look() != ROUND_UP:
            raise SystemError("it cannot even be set, so this bot shows nothing")
        return view.legal[0]
