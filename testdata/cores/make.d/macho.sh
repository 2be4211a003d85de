#!/bin/bash
# macho.sh DIR: Mach-O cores of x86-64, arm64, and arm64 with signed return
# addresses, in the layouts of their writers, with the true stacks beside them.
#
# The programs in ../sources/macho are built for macOS without its SDK, mapped by a
# small loader, and stepped through by a debugger stub: gdbserver for x86-64,
# qemu-aarch64's own for arm64. Needs the Debian packages clang-19 lld-19 gdbserver
# qemu-user gcc-aarch64-linux-gnu python3. COREDBG_MACHO=DIR makes the tests use it.
set -euo pipefail
src=$(cd "$(dirname "$0")/../sources/macho" && pwd)
dir=${1:?usage: macho.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
one() { # NAME ARCH
	"$src/build.sh" "$2" "$dir/out/$1"
	python3 "$src/mkcore.py" "$2" "$dir/out/$1" "$dir/cores/$1" --steps 1
}
one x86_64 x86_64
one arm64 arm64
XCFLAGS=-mbranch-protection=pac-ret+b-key one arm64pac arm64
