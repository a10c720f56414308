#!/bin/sh
# Makes cuda.tar.xz, beside this folder, from the sources in it. Needs nvcc; the tests do not.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
compile() { # name, then nvcc's options
  name=$1
  shift
  nvcc -ptx -o "$out/$name.ptx" "$@"
}
for source in saxpy shared_reduction atomics calls pointers virtuals printf constants wmma math switches textures video stack; do
  compile $source -arch=sm_80 -rdc=true $source.cu
done
compile warp -arch=sm_80 warp.cu
compile halves -arch=sm_90 halves.cu
compile fp8 -arch=sm_89 fp8.cu
compile inline_ptx -arch=sm_80 inline_ptx.cu
compile pipeline -arch=sm_80 pipeline.cu
compile debug -arch=sm_90 -G debug.cu
compile lines -arch=sm_90 -lineinfo lines.cu
compile groups -arch=sm_90 groups.cu
compile bounds -arch=sm_75 bounds.cu
compile barriers -arch=sm_90a barriers.cu
compile math_fast -arch=sm_120 -use_fast_math math.cu
compile math_debug -arch=sm_100 -G math.cu
compile saxpy_old -arch=sm_75 -ftz=true -fmad=false saxpy.cu
# Paths of the machine that compiled are of no use to a test and not to be kept: those in strings
# are cut, those in DWARF data, a byte a line, are overwritten.
sed -i -e 's|"/[^"]*/|"|g' "$out"/*.ptx
python3 - "$out"/*.ptx <<'END'
import re, sys
for path in sys.argv[1:]:
    pieces = re.split(r"(\.b8 )(\d+)", open(path).read())
    numbers = range(2, len(pieces), 3)
    data = bytes(int(pieces[i]) & 255 for i in numbers)
    for match in re.finditer(rb"/[^\0]+/[^\0]*", data):
        for at in range(match.start(), match.end()):
            if data[at] != ord("/"):
                pieces[numbers[at]] = str(ord("x"))
    open(path, "w").write("".join(pieces))
END
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01 -C "$out" -cf - . | xz -9e > ../cuda.tar.xz
rm -rf "$out"
