"""Launches the kernel of execution.mlir on one warp and compares what every thread stored.

Usage: launch.py FILE.ptx
"""

import ctypes
import struct
import sys

THREADS, STRIDE, DYNAMIC_SHARED = 32, 64, 128
N, BIG = 7, 10**12 + 5
BYTE, SHORT, HALF = 200, -300, 0xABCD


def expected(thread):
    """The fields of a thread's record in the order of its stores."""
    neighbour = thread ^ 1
    factorial, two = 5040, 0x40000000
    return (factorial, BIG % N, BIG // N, BYTE, SHORT, HALF, neighbour, neighbour * 64, thread * 64, thread % 2, two)


def call(function, *arguments):
    if status := function(*arguments):
        sys.exit(f"{function.__name__} failed with {status}")


def launch(text):
    """The bytes that the kernel stored."""
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context, module, kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    call(cuda.cuInit, 0)
    call(cuda.cuDeviceGet, ctypes.byref(device), 0)
    call(cuda.cuDevicePrimaryCtxRetain, ctypes.byref(context), device)
    call(cuda.cuCtxSetCurrent, context)
    call(cuda.cuModuleLoadData, ctypes.byref(module), text + b"\0")
    call(cuda.cuModuleGetFunction, ctypes.byref(kernel), module, b"k")
    size = THREADS * STRIDE
    out = ctypes.c_uint64()
    call(cuda.cuMemAlloc_v2, ctypes.byref(out), ctypes.c_size_t(size))
    call(cuda.cuMemsetD8_v2, out, ctypes.c_ubyte(0), ctypes.c_size_t(size))
    arguments = [out, ctypes.c_uint8(BYTE), ctypes.c_int16(SHORT), ctypes.c_uint16(HALF), ctypes.c_uint32(N),
                 ctypes.c_uint64(BIG)]
    pointers = (ctypes.c_void_p * len(arguments))(
        *[ctypes.cast(ctypes.byref(argument), ctypes.c_void_p) for argument in arguments])
    call(cuda.cuLaunchKernel, kernel, 1, 1, 1, THREADS, 1, 1, DYNAMIC_SHARED, None, pointers, None)
    call(cuda.cuCtxSynchronize)
    stored = ctypes.create_string_buffer(size)
    call(cuda.cuMemcpyDtoH_v2, stored, out, ctypes.c_size_t(size))
    return stored.raw


def main():
    with open(sys.argv[1], "rb") as file:
        stored = launch(file.read())
    wrong = 0
    for thread in range(THREADS):
        got = struct.unpack_from("<IIQIiHxxIIIII", stored, STRIDE * thread)
        if got != expected(thread):
            wrong += 1
            print(f"thread {thread}: expected {expected(thread)}, got {got}")
    print(f"{THREADS} threads, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
