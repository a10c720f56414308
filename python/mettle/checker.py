"""The PTX checker from Python: class keys of compiled kernels, over the C interface.

    checker = Checker("build/lib/libmettle-c.so")
    a = checker.signature(ptx, grid=(64,), scalars=[None, None, 1000])
    a.key == b.key    # the kernels return the same bits

See docs/checker.md for what a key promises.
"""

import ctypes
import dataclasses
import pathlib
import struct

UNKNOWN, UNUSABLE = 2, 3


class _Launch(ctypes.Structure):
    _fields_ = [("entry", ctypes.c_char_p), ("block", ctypes.c_uint32 * 3), ("grid", ctypes.c_uint32 * 3),
                ("dynamic_shared", ctypes.c_uint64), ("scalar_count", ctypes.c_size_t),
                ("is_known", ctypes.POINTER(ctypes.c_uint8)), ("scalars", ctypes.POINTER(ctypes.c_uint64))]


@dataclasses.dataclass(frozen=True)
class Signature:
    """A key, or the reason why there is none. An unknown kernel is equal to itself alone."""
    key: str
    reason: str = ""
    line: int = 0
    ptxas_dependent: bool = False

    @property
    def is_known(self):
        return bool(self.key)


def extents(value):
    """One to three extents as three; None and () are unknown."""
    value = (value,) if isinstance(value, int) else tuple(value or ())
    if len(value) > 3:
        raise ValueError(f"expected at most three extents, found {len(value)}")
    return value + (1,) * (3 - len(value)) if value else (0, 0, 0)


def bits_of(value):
    """The bits of a scalar as the kernel gets it: integers as they are, floats as f32."""
    if isinstance(value, float):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    return int(value) & (2 ** 64 - 1)


class Checker:
    """The library, loaded. `library` is the path of libmettle-c; without one, beside this file."""

    def __init__(self, library=None):
        path = pathlib.Path(library) if library else pathlib.Path(__file__).with_name("libmettle-c.so")
        self._library = ctypes.CDLL(str(path))
        self._library.mettleSignatureCreate.restype = ctypes.c_void_p
        self._library.mettleSignatureCreate.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(_Launch)]
        for name, result in (("Key", ctypes.c_char_p), ("Reason", ctypes.c_char_p), ("Answer", ctypes.c_int),
                             ("Line", ctypes.c_uint32), ("IsPtxasDependent", ctypes.c_int), ("Destroy", None)):
            function = getattr(self._library, "mettleSignature" + name)
            function.restype, function.argtypes = result, [ctypes.c_void_p]

    def signature(self, ptx, *, entry=None, block=None, grid=None, dynamic_shared=0, scalars=()):
        """The signature of one kernel. `scalars` has an entry a parameter, None for pointers and for what is
        not known. Raises ValueError for text or a launch that cannot be used."""
        text = ptx.encode() if isinstance(ptx, str) else bytes(ptx)
        count = len(scalars)
        known = (ctypes.c_uint8 * max(1, count))(*[value is not None for value in scalars])
        bits = (ctypes.c_uint64 * max(1, count))(*[0 if value is None else bits_of(value) for value in scalars])
        launch = _Launch(entry.encode() if entry else None, (ctypes.c_uint32 * 3)(*extents(block)),
                         (ctypes.c_uint32 * 3)(*extents(grid)), dynamic_shared, count, known, bits)
        handle = self._library.mettleSignatureCreate(text, len(text), ctypes.byref(launch))
        try:
            answer = self._library.mettleSignatureAnswer(handle)
            reason = self._library.mettleSignatureReason(handle).decode()
            if answer == UNUSABLE:
                raise ValueError(reason)
            return Signature(self._library.mettleSignatureKey(handle).decode(), reason,
                             self._library.mettleSignatureLine(handle),
                             bool(self._library.mettleSignatureIsPtxasDependent(handle)))
        finally:
            self._library.mettleSignatureDestroy(handle)
