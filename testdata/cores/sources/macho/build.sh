#!/bin/bash
# Builds the Mach-O pieces for one architecture: build.sh x86_64|arm64 outdir
set -euo pipefail
A=$1; O=$2; S=$(cd "$(dirname "$0")" && pwd)/src; V=${LLVM:-19}; MIN=${MIN:-13.0}
mkdir -p "$O"
CC="clang-$V -target $A-apple-macos$MIN -fno-builtin -fno-stack-protector -nostdlib -g -O2 -I$S -ffile-prefix-map=$S=. -fdebug-compilation-dir=. ${XCFLAGS:-}"
LD="ld64.lld-$V -arch $A -platform_version macos $MIN $MIN -fixup_chains -adhoc_codesign -oso_prefix $O/"
cc() { local o=$1; shift; $CC -c "$@" -o "$O/$o.o"; }
cc fp "$S/fp.c" -fno-omit-frame-pointer
cc nofp "$S/nofp.c" -fomit-frame-pointer
cc main "$S/main.c" -fno-omit-frame-pointer
cc worker "$S/worker.c" -fomit-frame-pointer
cc asm "$S/asm_$A.s"
cc libfoo "$S/libfoo.c" -fomit-frame-pointer
cc sys "$S/sys_$A.s"
cc dyld "$S/dyld_$A.s"
cc dyld_data "$S/dyld_data.c"
cc signals "$S/signals.c" -fomit-frame-pointer
cc sigtramp "$S"/sigtramp_$A.[cs]
$LD -dylib -install_name /usr/lib/system/libsystem_fake.dylib "$O/sys.o" -o "$O/libsystem_fake.dylib"
$LD -dylib -install_name /usr/local/lib/libfoo.dylib -undefined dynamic_lookup "$O/libfoo.o" -o "$O/libfoo.dylib"
$LD -dylib -install_name /usr/lib/dyld "$O/dyld.o" "$O/dyld_data.o" -o "$O/dyld.dylib"
$LD -execute -e _main -export_dynamic "$O"/{main,fp,nofp,worker,asm}.o "$O/libfoo.dylib" "$O/libsystem_fake.dylib" -o "$O/victim"
$LD -dylib -install_name /usr/lib/system/libsystem_platform.dylib "$O/sigtramp.o" "$O/libsystem_fake.dylib" -o "$O/libsystem_platform.dylib"
$LD -execute -e _main -export_dynamic "$O/signals.o" "$O/libsystem_platform.dylib" "$O/libsystem_fake.dylib" -o "$O/signals"
if [ "$A" = x86_64 ]; then L=gcc; else L=aarch64-linux-gnu-gcc; fi
$L -O1 -static -nostdlib -ffreestanding -fno-stack-protector -fno-pie -no-pie -o "$O/mloader" "$S/../mloader.c"
