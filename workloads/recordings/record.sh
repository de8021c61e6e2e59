#!/bin/bash
# Records the traces of this folder again, and prints the figures that README.md quotes. Needs valgrind, gcc, strace and
# perf. The traces differ in detail between versions of gcc, of the C library and of Valgrind: see README.md.
set -euo pipefail
cd -- "$(dirname -- "$0")"
tollgate=${1:-../../tollgate}

cc1=$(gcc -print-prog-name=cc1)
compile=("$cc1" -quiet -O2 compiled.c -o /dev/null)

# record OUT ORIGIN COMMAND... : with an empty environment, since its size moves the stack.
record() {
  local out=$1 origin=$2
  shift 2
  env -i valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$@" 9>&1 >/dev/null 2>/dev/null |
    "$tollgate" trace import - -o "$out" --architecture "$(uname -m)" \
      --origin "$origin; $(valgrind --version) lackey, user mode"
}

# count NAME COMMAND... : system calls and page faults of the same command without Valgrind.
count() {
  local name=$1 calls faults
  shift
  calls=$(env -i strace -f -c -o /dev/stdout "$@" 2>/dev/null | awk '$NF == "total" {print $4}')
  faults=$(env -i perf stat -x, -e page-faults "$@" 2>&1 >/dev/null | cut -d, -f1)
  echo "$name: $calls system calls, $faults page faults"
}

gcc --version | head -n 1
valgrind --version
record compile.tgt "cc1 of $(gcc --version | head -n 1) -quiet -O2 compiled.c" "${compile[@]}"
count compile.tgt "${compile[@]}"
record true.tgt "/bin/true of $(/bin/true --version | head -n 1)" /bin/true
count true.tgt /bin/true
