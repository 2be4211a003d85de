# native.sh: x86-64 programs, one compiler option or one death at a time. Sourced by make.

# crash NAME MODE FLAG...: sources/native/crash.c built with FLAGs, dead by MODE.
crash() { core "$1" "${CC:-gcc}" "native/crash.c native/${truth:-crash-$2}.truth" crash_core "${@:2}"; }

crash_core() {
	local mode=$1
	shift
	c crash "$@" "$native/crash.c" && die "$dir/crash" "$mode" && finish "${truth:-crash-$mode}" crash
}

# shapes NAME MODE FLAG...: the C++ program.
shapes() { core "$1" g++ "native/shapes.cc native/shapes-$2.truth" shapes_core "${@:2}"; }

shapes_core() {
	local mode=$1
	shift
	CC=g++ c shapes "$@" "$native/shapes.cc" && die "$dir/shapes" "$mode" && finish "shapes-$mode" shapes
}

# why NAME VERDICT MODE FLAG...: sources/native/why.cc, dead by MODE, and what ::analyze is
# to find.
why() { core "$1" "${CC:-g++} ${needed:-}" "native/why.cc native/${truth:-why}.truth" why_core "${@:2}"; }

# trap_cores: checks that clang puts in: traps-MODE.
trap_cores() {
	local mode
	core traps-kcfi clang-19 'native/traps.c native/traps.truth' trap_core wild-pointer kcfi -fsanitize=kcfi
	for mode in add index shift unreachable; do
		core "traps-$mode" clang-19 'native/traps.c native/traps.truth' trap_core sanitizer "$mode" -fsanitize=undefined -fsanitize-trap=undefined
	done
}

# tagged_cores: checks of tags that clang puts in, on aarch64 with qemu-user: traps-hwasan-MODE. The shadow of the kernel's
# addresses, whose upper byte is 0xff, is at 0x40000000 and above.
tagged_cores() {
	local mode
	for mode in load1 load8 load16 store2 store4; do
		core "traps-hwasan-$mode" 'clang-19 aarch64-linux-gnu-gcc qemu-aarch64' 'native/tagged.c native/tagged.truth' tagged_core "$mode"
	done
}

tagged_core() {
	extra='"verdict": "sanitizer"'
	CC=clang-19 c tagged.o --target=aarch64-linux-gnu -O1 -g -c -fsanitize=kernel-hwaddress -mllvm -hwasan-recover=0 -mllvm -hwasan-mapping-offset=0xf010000040000000 \
		-mllvm -hwasan-inline-all-checks=1 -mllvm -hwasan-instrument-stack=0 -mllvm -hwasan-globals=0 "$native/tagged.c" &&
		CC=aarch64-linux-gnu-gcc c tagged -static "$dir/tagged.o" &&
		stack=512 die qemu-aarch64 -s 262144 "$dir/tagged" "$1" && of_the_guest && rm tagged.o &&
		GDB=gdb-multiarch finish tagged tagged
}

# beyond_cores: a library in the middle of the stack, which is moved after the death, so that it can be left out;
# beyond-MODE-HOW.
beyond_cores() {
	local mode
	for mode in loop sort large back; do
		beyond "$mode" O0 gcc -O0 -fomit-frame-pointer
		beyond "$mode" O2 gcc -O2
		beyond "$mode" clang clang -O1 -fno-omit-frame-pointer
	done
}

# beyond MODE HOW COMPILER FLAG...
beyond() { core "beyond-$1-$2" "$3" "native/beyond.c native/beyond-lib.c native/beyond-$1.truth" beyond_core "$1" "${@:3}"; }

beyond_core() {
	local mode=$1
	extra='"args": ["-search", "lib", "-search", "."], "verdict": "null-dereference"'
	mkdir there
	CC=gcc c there/libbeyond.so -O2 -g -fomit-frame-pointer -shared -fPIC "$native/beyond-lib.c" &&
		CC=$2 c beyond "${@:3}" -g "$native/beyond.c" -Lthere -lbeyond "-Wl,-rpath,$dir/there" &&
		die "$dir/beyond" "$mode" && finish "beyond-$mode" beyond && mv there lib
}

trap_core() {
	local verdict=$1 mode=$2
	shift 2
	extra='"verdict": "'$verdict'"'
	CC=clang-19 c traps -O1 -g "$@" "$native/traps.c" && die "$dir/traps" "$mode" && finish traps traps
}

why_core() {
	local verdict=$1 mode=$2
	shift 2
	extra='"verdict": "'$verdict'"'
	CC=${CC:-g++} c why "$@" "$native/why.cc" && die "$dir/why" "$mode" && finish "${truth:-why}" why || return
	rm -f cut.map
}

# ranks NAME MODE MANGLING FLAG...: the Rust program. Debian's rustc goes first,
# so that the cores are the same on every machine.
ranks() { core "$1" "$(rustc_here)" "native/ranks.rs native/ranks-$2-$3.truth" ranks_core "$(rustc_here)" "${@:2}"; }

rustc_here() { if [ -x /usr/bin/rustc ]; then echo /usr/bin/rustc; else echo rustc; fi; }

ranks_core() {
	local rustc=$1 mode=$2 mangling=$3
	shift 3
	[ "$mangling" = legacy ] || set -- -C "symbol-mangling-version=$mangling" "$@"
	build "$rustc" --edition 2021 "$@" --remap-path-prefix "$native=." -o ranks "$native/ranks.rs" &&
		die "$dir/ranks" "$mode" && finish "ranks-$mode-$mangling" ranks
}

# variable_cores: programs that write down what their variables hold, by compiler, level and form of
# DWARF.
variable_cores() {
	local how
	for how in 'gcc -O0 -g' 'gcc -O2 -g' 'gcc -O1 -gdwarf-4' 'gcc -O2 -g3 -flto' 'gcc -Og -g -gdwarf64' 'gcc -O2 -g -fdebug-types-section' \
		'gcc -O0 -gdwarf-4 -gsplit-dwarf' 'gcc -O2 -g -gsplit-dwarf' 'clang -O0 -g' 'clang -O2 -g' 'clang -O1 -gdwarf-4' 'clang -O2 -g -gsplit-dwarf'; do
		valued c $how
	done
	for how in 'g++ -O0 -g' 'g++ -O2 -g' 'g++ -O1 -gdwarf-4' 'clang++ -O0 -g' 'clang++ -O2 -g'; do valued cc $how -std=c++17; done
	for how in -O0 -O2; do valued cc clang++-19 -stdlib=libc++ $how -g -std=c++17; done
	valued cc clang++-19 -gsimple-template-names -O0 -g -std=c++17
	valued cc clang++-19 -gdwarf-4 -O2 -fdebug-types-section -std=c++17
	for how in -O0 -O2; do
		core "values-i386-c$how" gcc "native/values.c native/values.truth" values_i386_core values.c "$how"
		CC=g++ core "values-i386-cxx$how" g++ "native/values.cc native/values.truth" values_i386_core values.cc "$how" -std=c++17
	done
	for how in '' -O '-C opt-level=1'; do valued_rust $how; done
	for how in O0 O2; do core "values-gfortran-$how" gfortran "native/values.f90 native/values.truth" values_fortran_core "-$how"; done
	core values-gnat gnatmake "native/values.adb native/values.truth" values_ada_core
	core values-gdc gdc "native/values.d native/values.truth" values_d_core
	core values-fpc fpc "native/values.pas native/values-pas.truth" values_pascal_core
	kinds_cores
	exception_d_cores
	for how in g++ clang++; do homely "$how" -O0 && homely "$how" -O2; done
	for how in O0 O1 O2; do core "server-$how" g++ "native/server.cc native/server.truth" server_core "-$how"; done
	core values-shared-O2 'g++ dwz' "native/values.cc native/values_more.cc native/values.truth" values_shared_core
	core values-packed-O2 'gcc dwp' "native/values.c native/values.truth" values_packed_core
	for how in O0 O2; do
		core "values-dwz-$how" 'g++ dwz' "native/values.cc native/values_more.cc native/values.truth" values_dwz_core "-$how"
	done
}

# kinds_cores: kinds-COMPILER-LEVEL, values of all shapes in languages whose types have lengths and bounds as data, and
# in those of C++ and Rust. kinds-LANGUAGE.values has them as the sources say them. FPC describes code well that it did
# not optimise, and gfortran -O2 reuses the memory of shape2's descriptor: gdb reads the same there.
kinds_cores() {
	local how
	for how in O0 O2; do
		core "kinds-gfortran-$how" gfortran 'native/kinds.f90 native/kinds-f90.values native/values.truth' kinds_fortran_core "-$how"
		core "kinds-gnat-$how" gnatmake 'native/kinds.adb native/kinds-adb.values native/values.truth' kinds_ada_core "-$how"
		core "kinds-gdc-$how" gdc 'native/kinds.d native/kinds-d.values native/kinds-d.truth' kinds_d_core gdc "-$how"
		core "kinds-ldc-$how" ldc2 'native/kinds.d native/kinds-d.values native/kinds-d.truth' kinds_ldc_core "-$how"
	done
	core kinds-fpc-O0 fpc 'native/kinds.pas native/kinds-pas.values native/values-pas.truth' kinds_pascal_core
	core kinds-g++-O0 g++ 'native/kinds.cc native/kinds-cc.values native/values.truth' kinds_cxx_core g++
	core kinds-libc++-O0 clang++-19 'native/kinds.cc native/kinds-cc.values native/values.truth' kinds_cxx_core clang++-19 -stdlib=libc++
	core kinds-rust-O0 "$(rustc_here)" 'native/kinds.rs native/kinds-rs.values native/values.truth' kinds_rust_core "$(rustc_here)"
	core values-nim nim 'native/values.nim native/values-nim.values native/values-nim.truth' values_nim_core
	core names-ocaml ocamlopt 'native/names.ml native/names-ocaml.truth' names_ocaml_core
}

# exception_d_cores: uncaughtd-COMPILER-HOW-MODE, exceptions of D that nothing handles.
exception_d_cores() {
	local mode
	for mode in plain own range assert chain finally memory library thread joined; do
		core "uncaughtd-gdc-O0-$mode" gdc 'native/thrown.d native/thrown-d.truth' thrown_gdc_core "$mode" -g -O0
		core "uncaughtd-ldc-O2-$mode" ldc2 'native/thrown.d native/thrown-d.truth' thrown_ldc_core "$mode" -g -O2
	done
	for mode in own chain thread; do
		core "uncaughtd-gdc-stripped-$mode" gdc 'native/thrown.d native/thrown-d.truth' thrown_gdc_core "$mode" -O2 -s
		core "uncaughtd-gdc-static-$mode" gdc 'native/thrown.d native/thrown-d.truth' thrown_gdc_core "$mode" -O1 -s -static-libphobos
		core "uncaughtd-ldc-stripped-$mode" ldc2 'native/thrown.d native/thrown-d.truth' thrown_ldc_core "$mode" -O2 -L=-s
		core "uncaughtd-ldc-static-$mode" ldc2 'native/thrown.d native/thrown-d.truth' thrown_ldc_core "$mode" -O1 -L=-s -link-defaultlib-shared=false -L=--no-as-needed -L=-lz
	done
}

# thrown_gdc_core MODE FLAG...: out.txt has the exceptions.
thrown_gdc_core() {
	extra='"verdict": "d-exception"'
	CC=gdc c thrown "${@:2}" "$native/thrown.d" && die "$dir/thrown" "$1" && finish thrown-d thrown
}
thrown_ldc_core() {
	extra='"verdict": "d-exception"'
	build ldc2 "${@:2}" -of=thrown "$native/thrown.d" && rm -f thrown.o && die "$dir/thrown" "$1" && finish thrown-d thrown
}

# kinds_of FILE: appends the values of a file to the output.
kinds_of() { cat "$native/kinds-$1.values" >>out.txt; }
kinds_fortran_core() {
	CC=gfortran c kinds -g "$1" "$native/kinds.f90" && die "$dir/kinds" && kinds_of f90 && if [ "$1" = -O2 ]; then sed -i /shape2/d out.txt; fi &&
		finish values kinds
}
kinds_ada_core() { build gnatmake -q -gnat2022 -g "$1" -o kinds "$native/kinds.adb" && die "$dir/kinds" && kinds_of adb && finish values kinds; }
kinds_d_core() { CC=$1 c kinds -g "$2" "$native/kinds.d" && die "$dir/kinds" && kinds_of d && finish kinds-d kinds; }
kinds_ldc_core() { build ldc2 -g "$1" -of=kinds "$native/kinds.d" && die "$dir/kinds" && kinds_of d && finish kinds-d kinds; }
kinds_pascal_core() { build fpc -v0 -g -gw3 -O- "-FE$dir" "$native/kinds.pas" && die "$dir/kinds" && kinds_of pas && finish values-pas kinds; }
kinds_cxx_core() {
	local compiler=$1
	shift
	CC=$compiler c kinds -O0 -g -std=c++20 "$@" "$native/kinds.cc" && die "$dir/kinds" && kinds_of cc && finish values kinds
}
kinds_rust_core() {
	build "$1" --edition 2021 -g --remap-path-prefix "$native=." -o kinds "$native/kinds.rs" && die "$dir/kinds" && kinds_of rs && finish values kinds
}
values_nim_core() {
	build nim c --hints:off --mm:orc --debugger:native --passC:-O0 "--nimcache:$dir/cache" -o:values "$native/values.nim" && rm -r cache &&
		die "$dir/values" && cat "$native/values-nim.values" >>out.txt && finish values-nim values
}
names_ocaml_core() {
	cp "$native/names.ml" . && build ocamlopt -g -inline 0 -I +unix unix.cmxa names.ml -o names && die "$dir/names" && finish names-ocaml names
}

# values_shared_core: dwz moves the types that two programs share to a file of their own.
values_shared_core() {
	CC=g++ c values -O2 -g -std=c++17 "$native/values.cc" "$native/values_more.cc" && cp values other && build dwz -m common.debug values other &&
		rm other && die "$dir/values" && finish values values
}

# values_packed_core: dwp packs the files that -gsplit-dwarf leaves beside the program into one.
values_packed_core() {
	c values -O2 -gdwarf-4 -gsplit-dwarf "$native/values.c" && build dwp -e values -o values.dwp && rm -f *.dwo && die "$dir/values" && finish values values
}

# homely COMPILER LEVEL: out.txt says what containers of a program's own hold.
homely() { core "home-${1/clang++/clang}$2" "$1" "native/home.cc native/home.truth" home_core "$@"; }

home_core() {
	extra='"verdict": "abort"'
	CC=$1 c home "$2" -g -std=c++17 "$native/home.cc" && die "$dir/home" && finish home home
}

# valued LANGUAGE COMPILER FLAG...: sources/native/values.LANGUAGE.
valued() {
	local source=values.$1 compiler=$2 flags
	shift 2
	flags=$(printf %s "$*" | tr -d ' =')
	CC=$compiler core "values-$compiler${flags%-stdc++17}" "$compiler" "native/$source native/values.truth" values_core "$source" "$@"
}

values_core() {
	local source=$1
	shift
	c values "$@" "$native/$source" && die "$dir/values" && finish values values
}

# values_fortran_core FLAG, values_ada_core, values_d_core, values_pascal_core: languages whose
# types have lengths and bounds as data.
values_fortran_core() { CC=gfortran c values -g "$1" "$native/values.f90" && die "$dir/values" && finish values values; }
values_ada_core() { build gnatmake -q -g -O0 -o values "$native/values.adb" && die "$dir/values" && finish values values; }
values_d_core() { CC=gdc c values -g -O0 "$native/values.d" && die "$dir/values" && finish values values; }
values_pascal_core() { build fpc -v0 -g -gw3 -O- "-FE$dir" "$native/values.pas" && die "$dir/values" && finish values-pas values; }

# values_i386_core SOURCE FLAG...: where numbers of 8 bytes are aligned to 4 in structs.
values_i386_core() {
	local source=$1
	shift
	c values -m32 -idirafter /usr/include/x86_64-linux-gnu -g "$@" "$native/$source" && die "$dir/values" && finish values values
}

# values_dwz_core FLAG: two units whose types dwz moves to partial units.
values_dwz_core() {
	CC=g++ c values "$1" -g -std=c++17 "$native/values.cc" "$native/values_more.cc" && build dwz values && die "$dir/values" && finish values values
}

# server_core FLAG: out.txt says which orders were shipped.
server_core() {
	extra='"verdict": "null-dereference"'
	CC=g++ c server "$1" -g -std=c++17 -pthread "$native/server.cc" && die "$dir/server" && finish server server
}

valued_rust() {
	core "values-rust$(printf %s "$*" | tr -d ' =')" "$(rustc_here)" "native/values.rs native/values.truth" values_rust_core "$(rustc_here)" "$@"
}

values_rust_core() {
	build "$1" --edition 2021 -g "${@:2}" --remap-path-prefix "$native=." -o values "$native/values.rs" &&
		die "$dir/values" && finish values values
}

native_cores() {
	local o
	language_cores
	variable_cores
	linking_cores
	thread_local_cores
	untyped_cores
	table_cores
	death_cores
	reason_cores
	go_cores
	passed passed-null null-dereference null -O2
	for o in O0 O2; do truth=passed-thread passed "passed-thread-$o" null-dereference thread "-$o"; done
	passed passed-wild wild-pointer wild -O0
	passed passed-alternate null-dereference alternate -O2
	passed passed-null-i386 null-dereference null -O2 -m32 -idirafter /usr/include/x86_64-linux-gnu
	hang_cores
	wait_cores
	for o in O0 O2; do core "heaps-$o" gcc "native/heaps.c native/heaps.truth" heaps_core "-$o"; done
	block_cores
	held_cores
	core seeds 'g++ clang++' "native/seeds.cc native/seeds.truth" seeds_core
	symbol_cores
	archive_cores
	compiler_cores
	core secrets gcc "native/secrets.c native/secrets.truth" secrets_core
	chain_cores
}

language_cores() {
	crash c-O0 segv -O0 -g
	crash c-O2 segv -O2 -g
	shapes cxx-O0 segv -O0 -g
	shapes cxx-O2 segv -O2 -g
	local mode
	for mode in catch throw noexcept dtor sort operator null; do
		shapes "cxx-$mode" "$mode" -O2 -g
	done
	shapes cxx-throw-O0 throw -O0 -g
	ranks rust-debug segv legacy -g
	ranks rust-O segv legacy -O -g
	ranks rust-v0 segv v0 -O -g
	ranks rust-v0-debug segv v0 -g
	ranks rust-index index legacy -O -C panic=abort -C force-unwind-tables=yes
	ranks rust-expect expect v0 -O -C panic=abort -C force-unwind-tables=yes
	ranks rust-thread thread legacy -O -C panic=abort -C force-unwind-tables=yes
	ranks rust-thread-debug thread v0 -g -C panic=abort
	ranks rust-overflow overflow v0 -O -g
}

linking_cores() {
	crash c-nopie segv -O2 -g -fno-pie -no-pie
	crash c-static segv -O2 -g -static
	crash c-static-pie segv -O2 -g -static-pie
	crash c-static-signal signal -O2 -g -static
	crash c-lto segv -O2 -g -flto
	crash c-cet segv -O2 -g -fcf-protection=full
	crash c-Os segv -Os -g
	crash c-dwarf4 segv -O2 -gdwarf-4
	crash c-dwarf5 segv -O2 -gdwarf-5
	crash c-splitdwarf segv -O2 -g -gsplit-dwarf
	CC=musl-gcc crash musl segv -O2 -g
	CC=musl-gcc crash musl-static segv -O2 -g -static
	CC=musl-gcc crash musl-signal signal -O2 -g
}

# thread_local_cores: variables of threads, in the program and in libraries, by the C library: local-HOW.
thread_local_cores() {
	locals local-glibc -O2
	locals local-glibc-O0 -O0
	locals local-descriptors -O2 -mtls-dialect=gnu2
	CC=musl-gcc locals local-musl -O2
}

# untyped_cores: variables without debugging information; out.txt is what the program has written down of them.
untyped_cores() {
	core untyped gcc "native/untyped.c native/untyped.truth" untyped_core gcc
	core untyped-musl musl-gcc "native/untyped.c native/untyped.truth" untyped_core musl-gcc
}

untyped_core() {
	extra='"verdict": "null-dereference"'
	CC=$1 c untyped -O0 -g0 "$native/untyped.c" && die "$dir/untyped" && finish untyped untyped
}

# locals NAME FLAG...: sources/native/local.c with its two libraries; out.txt is what its threads have written down.
locals() { core "$1" "${CC:-gcc}" "native/local.c native/local-lib.c native/local.truth" locals_core "${@:2}"; }

locals_core() {
	extra='"verdict": "null-dereference"'
	c liblinked.so "$@" -g -shared -fPIC "$native/local-lib.c" && c libopened.so "$@" -g -shared -fPIC -DOPENED "$native/local-lib.c" &&
		c local "$@" -g -pthread "$native/local.c" -L. -llinked -ldl "-Wl,-rpath,$dir" && die "$dir/local" "$dir/libopened.so" && finish local local
}

table_cores() {
	local none='-fno-asynchronous-unwind-tables -fno-unwind-tables'
	crash nohdr segv -O2 -g -Wl,--no-eh-frame-hdr
	crash debugframe segv -O2 -g -fomit-frame-pointer $none
	crash debugframe-64 segv -O2 -g -gdwarf64 -fomit-frame-pointer $none
	crash debugframe-z segv -O2 -g -gz=zlib -fomit-frame-pointer $none
	crash debugframe-zstd segv -O2 -g -fomit-frame-pointer $none -Wl,--compress-debug-sections=zstd
	crash fp-O0 segv -O0 -fno-omit-frame-pointer $none
	crash fp-O2 segv -O2 -fno-omit-frame-pointer $none
	crash fp-signal signal -O2 -fno-omit-frame-pointer $none
	crash fp-alloca alloca -O2 -fno-omit-frame-pointer $none
	crash fp-null null -O2 -fno-omit-frame-pointer $none
	# neither tables nor frame pointers: only the instructions know
	needs=prologue crash prologue segv -O2 -fomit-frame-pointer $none
	needs=prologue crash prologue-O0 segv -O0 -fomit-frame-pointer $none
	needs=prologue crash prologue-static segv -O2 -g0 -fomit-frame-pointer $none -static
}

death_cores() {
	local mode o
	for mode in null wild data assert abort signal siginfo sigaltstack nested timer alloca realign coroutine \
		smash selflink; do
		crash "$mode" "$mode" -O2 -g
	done
	crash null-O0 null -O0 -g
	for o in O0 O2; do
		under_valgrind null-dereference segv "$o"
		under_valgrind abort abort "$o"
	done
	crash signal-O0 signal -O0 -g
	truth=crash-selflink-fp crash selflink-fp selflink -O2 -fno-omit-frame-pointer \
		-fno-asynchronous-unwind-tables -fno-unwind-tables
	stack=65536 crash deep deep -O0 -g
	stack=65536 crash deep-fp deep -O0 -fno-asynchronous-unwind-tables -fno-unwind-tables
	stack=8192 crash overflow overflow -O2 -g
	stack=8192 crash overflowalt overflowalt -O2 -g
}

# reason_cores: every way to die that can be recognized in the core alone, at two levels of
# optimisation.
reason_cores() {
	trap_cores
	beyond_cores
	tagged_cores
	local o mode CC
	for CC in g++ clang++; do
		for o in O0 O2; do more_reason_cores "${CC/clang++/clang-}" "$o"; done
	done
	CC=g++
	for o in O0 O2; do
		for mode in double-free pure-virtual; do why "why-$mode-$o" "$mode" "$mode" "-$o" -g; done
		why "why-member-$o" null-dereference member "-$o" -g
		why "why-divide-$o" divide-by-zero divide "-$o" -g
		why "why-trap-$o" illegal-instruction trap "-$o" -g
		why "why-invalid-free-$o" invalid-free invalid-free "-$o" -g
		why "why-heap-overflow-$o" heap-corruption heap-overflow "-$o" -g
		truth=why-canary why "why-canary-$o" stack-smash canary "-$o" -g -fstack-protector-all
		why "why-misaligned-$o" misaligned misaligned "-$o" -g
		why "why-truncated-$o" bus-truncated-file truncated "-$o" -g
		why "why-uncaught-$o" cxx-exception uncaught "-$o" -g
		why "why-bad-alloc-$o" cxx-exception bad-alloc "-$o" -g
		stack=8192 why "why-mutual-$o" stack-overflow mutual "-$o" -g -fno-optimize-sibling-calls
		why "why-read-only-$o" wild-pointer read-only "-$o" -g
		why "why-wild-$o" wild-pointer wild "-$o" -g
		why "why-asan-$o" sanitizer use-after "-$o" -g -fsanitize=address
	done
	why why-fortify fortify fortify -O2 -g -D_FORTIFY_SOURCE=2
}

# more_reason_cores COMPILER LEVEL: those that both compilers make.
more_reason_cores() {
	local mode in=${1#g++}$2
	for mode in stale stale-last stale-large; do why "why-$mode-$in" use-after-free "$mode" "-$2" -g; done
	for mode in throw-int throw-hidden throw-nested terminate rethrow noexcept; do why "why-$mode-$in" cxx-exception "$mode" "-$2" -g; done
	truth=why-thread why "why-thread-$in" cxx-exception thread "-$2" -g -pthread
	why "why-overrun-$in" heap-corruption overrun "-$2" -g
	why "why-no-memory-$in" out-of-memory no-memory "-$2" -g
	why "why-jump-data-$in" illegal-instruction jump-data "-$2" -g
	why "why-alignment-$in" misaligned alignment "-$2" -g
	why "why-quotient-$in" divide-by-zero quotient "-$2" -g
	why "why-null-call-$in" null-call null-call "-$2" -g
	for mode in forbidden forbidden-kill; do why "why-$mode-$in" bad-system-call "$mode" "-$2" -g; done
	needed=int80 why "why-forbidden-32-$in" bad-system-call forbidden-32 "-$2" -g
	why "why-file-limit-$in" resource-limit file-limit "-$2" -g
	why "why-breakpoint-$in" illegal-instruction breakpoint "-$2" -g
	why "why-cpu-limit-$in" resource-limit cpu-limit "-$2" -g
}

# heaps_core LEVEL: out.txt says what is free.
heaps_core() {
	extra='"verdict": "abort"'
	c heaps "$1" -g -pthread "$native/heaps.c" && die "$dir/heaps" && finish heaps heaps
}

# block_cores: each block that a program has, in C libraries of several releases and on other processors.
block_cores() {
	local release how
	blocks blocks-O2 100000 -O2
	for how in O0 O1 O2; do core "leaky-$how" g++ "native/leaky.cc native/leaky.truth" leaky_core "-$how"; done
	core leaky-stripped g++ "native/leaky.cc native/leaky.truth" leaky_core -O2 -static-libstdc++ -s
	for how in over-8 over-100 over-large over-top under-8 slack after-tcache after-fast after-bin read; do
		core "spoil-$how" gcc "native/spoil.c native/spoil.truth" spoil_core "$how" -O0
		core "spoil-$how-i386" gcc "native/spoil.c native/spoil.truth" spoil_core "$how" -O0 -m32 -idirafter /usr/include/x86_64-linux-gnu
	done
	tally plain gcc
	tally errors gcc
	tally threads g++
	blocks blocks-static 20000 -O2 -static
	blocks blocks-i386 100000 -O2 -m32 -idirafter /usr/include/x86_64-linux-gnu
	for release in bullseye trixie sid; do
		core "blocks-$release" 'gcc apt-get dpkg-deb' "native/blocks.c native/blocks.truth" blocks_of_core "$release"
	done
	alloc_cores
}

# alloc_cores: each block that a program has which uses another allocator than the C library's.
alloc_cores() {
	allocs jemalloc bookworm libjemalloc2 libjemalloc.so.2 100000
	allocs jemalloc-bullseye bullseye libjemalloc2 libjemalloc.so.2 20000
	allocs jemalloc-trixie trixie libjemalloc2 libjemalloc.so.2 20000
	allocs jemalloc-static bookworm libjemalloc-dev libjemalloc.a 20000 -lm
	lost jemalloc libjemalloc2 libjemalloc.so.2
	allocs mimalloc bookworm libmimalloc2.0 libmimalloc.so.2 100000
	lost mimalloc libmimalloc2.0 libmimalloc.so.2
	allocs mimalloc-trixie trixie libmimalloc3 libmimalloc.so.3 20000
	allocs jemalloc-sid sid libjemalloc2 libjemalloc.so.2 20000
	allocs tcmalloc-sid sid libtcmalloc-minimal4t64 libtcmalloc_minimal.so.4 20000
	allocs tcmalloc bookworm libtcmalloc-minimal4 libtcmalloc_minimal.so.4 100000
	allocs tcmalloc-bullseye bullseye libtcmalloc-minimal4 libtcmalloc_minimal.so.4 20000
	allocs tcmalloc-trixie trixie libtcmalloc-minimal4t64 libtcmalloc_minimal.so.4 20000
	allocs tcmalloc-static bookworm libgoogle-perftools-dev libtcmalloc_minimal.a 20000 -lstdc++ -lm
	lost tcmalloc libtcmalloc-minimal4 libtcmalloc_minimal.so.4
	forgets jemalloc i386 libjemalloc2 libjemalloc.so.2
	forgets mimalloc i386 libmimalloc2.0 libmimalloc.so.2
	forgets tcmalloc i386 libtcmalloc-minimal4 libtcmalloc_minimal.so.4
	forgets musl i386 musl-dev libc.a
	forgets jemalloc armhf libjemalloc2 libjemalloc.so.2
	forgets tcmalloc armhf libtcmalloc-minimal4 libtcmalloc_minimal.so.4
	forgets jemalloc arm64 libjemalloc2 libjemalloc.so.2
	forgets mimalloc arm64 libmimalloc2.0 libmimalloc.so.2
	CC=musl-gcc musl_allocs musl 100000 -O2 -no-pie
	CC=musl-gcc musl_allocs musl-static 20000 -O2 -static
	CC=musl-gcc musl_allocs musl-stripped 20000 -O2 -static -s
	core harm-glibc gcc "native/harm.c native/harm.truth" harm_core -O0
	CC=musl-gcc core harm-musl musl-gcc "native/harm.c native/harm.truth" harm_core -O0 -static
	harm jemalloc libjemalloc2 libjemalloc.so.2
	harm mimalloc libmimalloc2.0 libmimalloc.so.2
	harm tcmalloc libtcmalloc-minimal4 libtcmalloc_minimal.so.4
	objects bullseye python3.9-minimal
	objects bookworm python3.11-minimal
	objects trixie python3.13-minimal
	core objects-free-threaded 'gcc make apt-get' "native/objects.py native/objects.truth" free_threaded_core
}

# objects RELEASE PACKAGE: sources/native/objects.py with an interpreter of Debian; out.txt lists objects and the allocator's own figures.
objects() { core "objects-$1" 'apt-get dpkg-deb' "native/objects.py native/objects.truth" objects_core "$@"; }

objects_core() {
	alloc_root "$1" "$2" && cp "$native/objects.py" root || return
	local program=usr/bin/${2%-minimal}
	cd root && die /usr/sbin/chroot "$dir/root" "/$program" -I -S /objects.py && cd .. && mv root/core root/out.txt . || return
	cat root/made.txt >>made.txt && rm root/made.txt
	extra='"args": ["-sysroot", "root"], "verdict": "abort"'
	SYSROOT=$dir/root finish objects "root/$program"
}

# free_threaded_core: the same with an interpreter that has no lock of its own. Debian has its sources alone.
free_threaded_core() {
	mkdir src && cd src || return
	if ! debian_source trixie python3.13 >../python.log 2>&1; then
		cd .. && say "$name: no source of python3.13 of trixie ($(tail -1 python.log))"
		return $left_out
	fi
	rm -f ./*.asc && echo python3.13_*.orig.tar.* ./configure --disable-gil >>../made.txt && tar -x --strip-components=1 -f python3.13_*.orig.tar.* &&
		./configure --disable-gil --disable-test-modules --prefix=/usr >../python.log 2>&1 && command make -s -j2 python >>../python.log 2>&1 || {
		cd .. && tail -5 python.log >&2
		return 1
	}
	cd .. && mv src/Lib src/python . && rm -r src python.log || return
	extra='"verdict": "abort"'
	die PYTHONHOME="$dir" PYTHONPATH="$dir/Lib" "$dir/python" -S "$native/objects.py" && rm -r Lib && finish objects python
}

# harm NAME PACKAGE LIBRARY: sources/native/harm.c with an allocator of Debian 12, a core HOW.core for each misuse of the heap, and
# HOW.now.core right after it; HOW.txt is what the program has printed. The core that truth.json is about is one of them.
harm() { core "harm-$1" 'gcc apt-get dpkg-deb' "native/harm.c native/harm.truth" harm_with_core "${@:2}"; }

harm_with_core() {
	local libs=root/usr/lib/x86_64-linux-gnu
	alloc_root bookworm "$1" || return
	c root/harm -O0 -g -nodefaultlibs "$native/harm.c" -Wl,--no-as-needed "$libs/$2" "$libs/libc.so.6" \
		-Wl,--allow-shlib-undefined,--dynamic-linker=/lib64/ld-linux-x86-64.so.2 || return
	cd root && harm_runs /usr/sbin/chroot "$dir/root" /harm && cd .. && mv root/*.core root/*.txt . || return
	cp over-8.now.core core
	extra='"args": ["-sysroot", "root"], "verdict": "abort"'
	SYSROOT=$dir/root finish harm root/harm
}

harm_core() {
	c harm "$@" -g "$native/harm.c" && harm_runs "$dir/harm" && cp over-8.now.core core || return
	extra='"verdict": "abort"'
	finish harm harm
}

# harm_runs COMMAND...: runs it with each misuse.
harm_runs() {
	local how
	for how in over-nul over-1 over-8 over-100 under double-near double-far after-read after-reuse after-write interior stack wrong uninit; do
		die "$@" "$how" && mv core "$how.core" && mv out.txt "$how.txt" || return
		case $how in after-read | after-reuse | stack | wrong | uninit) continue ;; esac
		die "$@" "$how" now && mv core "$how.now.core" && mv out.txt "$how.now.txt" || return
	done
}

# allocs NAME RELEASE PACKAGE LIBRARY COUNT [FLAG...]: sources/native/allocs.c with an allocator of Debian; out.txt lists the blocks.
allocs() { core "allocs-$1" 'gcc apt-get dpkg-deb' "native/allocs.c native/blocks.c native/blocks.truth" allocs_core "${@:2}"; }

allocs_core() {
	local library=$3 count=$4 libs=root/usr/lib/x86_64-linux-gnu
	alloc_root "$1" "$2" || return
	shift 4
	case $library in
	*.a)
		c root/allocs -O2 -g -pthread -DOLD "$native/allocs.c" "$libs/$library" "$@" || return ;;
	*)
		c root/allocs -O2 -g -pthread -DOLD -nodefaultlibs "$native/allocs.c" -Wl,--no-as-needed "$libs/$library" "$libs/libc.so.6" "$libs/libpthread.so.0" \
			-Wl,--allow-shlib-undefined,--dynamic-linker=/lib64/ld-linux-x86-64.so.2 || return ;;
	esac
	alloc_finish allocs blocks "$count"
}

# musl_allocs NAME COUNT FLAG...: the same with musl.
musl_allocs() {
	local truth=blocks
	case " $* " in *" -s "*) truth=allocs-stripped ;; esac
	core "allocs-$1" musl-gcc "native/allocs.c native/blocks.c native/$truth.truth" musl_allocs_core "$truth" "${@:2}"
}

musl_allocs_core() {
	local truth=$1 count=$2
	shift 2
	extra='"verdict": "abort"'
	c allocs "$@" -g -pthread "$native/allocs.c" && die "$dir/allocs" "$count" && needs=prologue finish "$truth" allocs
}

# alloc_root RELEASE PACKAGE [ARCH]: ./root with a package of a release of Debian and its C library.
alloc_root() {
	local each
	if ! (debian_packages "${3:-amd64}" "$1" && debian_install "$2" libc6 libstdc++6) >apt.log 2>&1; then
		say "$name: no $2 of $1 ($(tail -1 apt.log))"
		return $left_out
	fi
	rm -f apt.log
	for each in lib lib64; do # as usrmerge has them
		[ -d "root/$each" ] || [ -d "root/usr/$each" ] || [ "$each" = lib ] || continue
		mkdir -p "root/usr/$each" "root/$each"
		cp -a "root/$each/." "root/usr/$each/" && rm -r "root/$each" && ln -s "usr/$each" "root/$each" || return
	done
}

# alloc_finish PROGRAM TRUTH ARG...: runs the program in ./root.
alloc_finish() {
	local program=$1 truth=$2
	shift 2
	cd root && die /usr/sbin/chroot "$dir/root" "/$program" "$@" && cd .. && mv root/core root/out.txt . || return
	cat root/made.txt >>made.txt && rm root/made.txt && find root/usr -name '*.a' -delete
	extra='"args": ["-sysroot", "root"], "verdict": "abort"'
	SYSROOT=$dir/root finish "$truth" "root/$program"
}

# lost NAME PACKAGE LIBRARY: sources/native/leaky.cc with an allocator of Debian 12; out.txt lists the blocks that are lost.
lost() { core "lost-$1" 'g++ apt-get dpkg-deb' "native/leaky.cc native/leaky.truth" lost_core "${@:2}"; }

lost_core() {
	alloc_root bookworm "$1" && CC=g++ c root/leaky -O1 -g -std=c++17 -pthread "$native/leaky.cc" -Wl,--no-as-needed "root/usr/lib/x86_64-linux-gnu/$2" &&
		alloc_finish leaky leaky
}

# held_cores: blocks of containers and pointers of C++, by the compilers and libraries that differ in them.
held_cores() {
	local how
	for how in O0 O2; do
		core "held-$how" g++ "native/held.cc native/held.truth" held_core g++ "-$how"
		core "held-libc++-$how" clang++-19 "native/held.cc native/held.truth" held_core clang++-19 "-$how" -stdlib=libc++
		core "capacity-$how" g++ "native/capacity.cc native/capacity.truth" capacity_core g++ "-$how"
		core "capacity-libc++-$how" clang++-19 "native/capacity.cc native/capacity.truth" capacity_core clang++-19 "-$how" -stdlib=libc++
	done
	for how in O0 O2; do core "filled-$how" g++ "native/full.cc native/full.truth" filled_core "-$how"; done
	core held-dwarf-4 g++ "native/held.cc native/held.truth" held_core g++ -O1 -gdwarf-4 -D_GLIBCXX_USE_CXX11_ABI=0
}

# held_core COMPILER FLAG...: out.txt lists blocks with what they are.
held_core() {
	extra='"verdict": "abort"'
	local compiler=$1
	shift
	CC=$compiler c held -g -std=c++17 "$@" "$native/held.cc" && die "$dir/held" && finish held held
}

# capacity_core COMPILER FLAG...: out.txt lists the blocks that are lost, and those that are held.
capacity_core() {
	extra='"verdict": "abort"'
	local compiler=$1
	shift
	CC=$compiler c capacity -g -std=c++17 "$@" "$native/capacity.cc" && die "$dir/capacity" && finish capacity capacity
}

# filled_core FLAG...: out.txt says how many sessions fill the memory.
filled_core() {
	extra='"verdict": "out-of-memory"'
	CC=g++ c full -g "$@" "$native/full.cc" && die "$dir/full" && finish full full
}

# leaky_core FLAG...: out.txt lists the blocks that are lost, and those that are held.
leaky_core() {
	extra='"verdict": "abort"'
	CC=g++ c leaky -g -std=c++17 -pthread "$@" "$native/leaky.cc" && die "$dir/leaky" && finish leaky leaky
}

# spoil_core MODE FLAG...: out.txt says what was overwritten with the pointer to which block.
spoil_core() {
	local mode=$1
	shift
	extra='"verdict": "abort"'
	c spoil -g "$@" "$native/spoil.c" && die "$dir/spoil" "$mode" && finish spoil spoil
}

# blocks NAME COUNT FLAG...: sources/native/blocks.c; out.txt lists the blocks.
blocks() { core "$1" "${CC:-gcc}" "native/blocks.c native/blocks.truth" blocks_core "${@:2}"; }

blocks_core() {
	local count=$1
	shift
	extra='"verdict": "abort"'
	c blocks "$@" -g -pthread "$native/blocks.c" && die "$dir/blocks" "$count" && finish blocks blocks
}

# blocks_of_core RELEASE: the same with the C library of a release of Debian.
blocks_of_core() {
	local root=$dir/debian libs=$dir/debian/lib/x86_64-linux-gnu
	other_libc "$1" "$root" libpthread.so.0 || return
	c debian/blocks -O2 -g -DOLD -nodefaultlibs "$native/blocks.c" "$libs/libc.so.6" "$libs/libpthread.so.0" \
		-Wl,--allow-shlib-undefined,--dynamic-linker=/lib64/ld-linux-x86-64.so.2 &&
		cd debian && die /usr/sbin/chroot "$root" /blocks 40000 && cd .. && mv debian/core debian/out.txt . || return
	cat debian/made.txt >>made.txt && rm debian/made.txt
	extra='"args": ["-sysroot", "debian"], "verdict": "abort"'
	SYSROOT=$root finish blocks debian/blocks
}

# passed NAME VERDICT MODE FLAG...: a fault that a handler was called for, and has raised again.
passed() { core "$1" gcc "native/passed.c native/${truth:-passed}.truth" passed_core "${@:2}"; }

passed_core() {
	local mode=$2
	extra='"verdict": "'$1'"'
	shift 2
	c passed "$@" -g -pthread -fno-optimize-sibling-calls "$native/passed.c" && die "$dir/passed" "$mode" && finish "${truth:-passed}" passed
}

# hang_cores: what does not end by itself, by how its core is taken: a debugger's snapshot, a
# signal from the parent, and one from the process 1 of a container, as systemd sends it.
hang_cores() {
	local CC o
	CC=g++
	hang hang-writers-killed-i386 deadlock writers slain -O2 -m32 -idirafter /usr/include/x86_64-linux-gnu
	hang hang-readers-killed-i386 killed readers slain -O2 -m32 -idirafter /usr/include/x86_64-linux-gnu
	for CC in g++ clang++; do
		for o in O0 O2; do hangs_of_cores "${CC/clang++/clang-}" "$o"; done
	done
}

# hangs_of_cores COMPILER LEVEL: debuggers write large cores, of which one level is enough.
hangs_of_cores() {
	local mode in=${1#g++}$2
	for mode in two three self join; do hang "hang-$mode-killed-$in" deadlock "$mode" slain "-$2"; done
	for mode in spin spin-thread; do hang "hang-$mode-killed-$in" busy-loop "$mode" slain "-$2"; done
	for mode in idle queue; do hang "hang-$mode-killed-$in" killed "$mode" slain "-$2"; done
	hang "hang-writers-killed-$in" deadlock writers slain "-$2"
	hang "hang-readers-killed-$in" killed readers slain "-$2"
	hang "hang-two-watchdog-$in" deadlock two by_manager "-$2"
	for mode in spin idle; do hang "hang-$mode-watchdog-$in" watchdog "$mode" by_manager "-$2"; done
	for mode in two self; do hang "hang-$mode-reported-$in" deadlock "$mode,reported" slain "-$2"; done
	for mode in spin spin-thread; do hang "hang-$mode-reported-$in" busy-loop "$mode,reported" slain "-$2"; done
	for mode in two writers; do hang "hang-$mode-watched-$in" deadlock "$mode,watched" die "-$2"; done
	hang "hang-idle-watched-$in" killed idle,watched die "-$2"
	hang "hang-idle-reported-$in" killed idle,reported slain "-$2"
	hang "hang-spin-reported-watchdog-$in" watchdog spin,reported by_manager "-$2"
	hang "hang-idle-user-watchdog-$in" watchdog idle by_parent "-$2"
	hang "hang-idle-other-watchdog-$in" killed idle by_parent_of_another "-$2"
	[ "$2" = O2 ] || return 0
	for mode in two three self join; do hang "hang-$mode-gcore-$in" deadlock "$mode" alive "-$2"; done
	for mode in spin spin-thread; do hang "hang-$mode-gcore-$in" busy-loop "$mode" alive "-$2"; done
	for mode in idle queue; do hang "hang-$mode-gcore-$in" snapshot "$mode" alive "-$2"; done
}

# hang NAME VERDICT MODE HOW FLAG...: sources/native/hang.cc in MODE, its core taken by HOW.
hang() { core "$1" "$CC gdb unshare" "native/hang.cc native/hang.truth" hang_core "${@:2}"; }

hang_core() {
	local verdict=$1 mode=$2 how=$3
	shift 3
	extra='"verdict": "'$verdict'"'
	c hang "$@" -g -pthread "$native/hang.cc" && "$how" "$dir/hang" "$mode" && finish hang hang
}

# wait_cores: threads that wait in C libraries, which keep what they wait for in other places from
# version to version.
wait_cores() {
	local mode o release
	for mode in conditions again locks; do
		for o in O0 O2; do waits "waits-$mode-$o" "$mode" "-$o"; done
		waits "waits-$mode-static" "$mode" -O2 -static
		waits "waits-$mode-i386" "$mode" -O2 -m32 -idirafter /usr/include/x86_64-linux-gnu
		for o in O0 O2; do CC=musl-gcc waits "waits-$mode-musl-$o" "$mode" "-$o"; done
		CC=musl-gcc waits "waits-$mode-musl-static" "$mode" -O2 -static
	done
	cputime cputime-O2 -O2
	cputime cputime-i386 -O2 -m32 -idirafter /usr/include/x86_64-linux-gnu
	for release in bullseye trixie sid; do
		core "waits-all-$release" 'gcc apt-get dpkg-deb' "native/waits.c native/waits.truth" waits_of_core "$release"
	done
}

# cputime NAME FLAG...: sources/native/cputime.c; out.txt says how long each thread ran.
cputime() { core "$1" gcc "native/cputime.c native/cputime.truth" cputime_core "${@:2}"; }

cputime_core() {
	extra='"verdict": "killed"'
	c cputime "$@" -g -pthread "$native/cputime.c" && slain "$dir/cputime" && finish cputime cputime
}

# waits NAME MODE FLAG...: sources/native/waits.c; out.txt says what its threads wait for.
waits() { core "$1" "${CC:-gcc}" "native/waits.c native/waits.truth" waits_core "${@:2}"; }

waits_core() {
	local mode=$1
	shift
	extra='"verdict": "killed"'
	[ "$mode" != locks ] || extra='"verdict": "deadlock"'
	c waits "$@" -g -pthread "$native/waits.c" && slain "$dir/waits" "$mode" && finish waits waits
}

# waits_of_core RELEASE: the same, all of it, with the C library of a release of Debian.
waits_of_core() {
	local root=$dir/debian libs=$dir/debian/lib/x86_64-linux-gnu
	other_libc "$1" "$root" libpthread.so.0 || return
	c debian/waits -O2 -g -nodefaultlibs "$native/waits.c" "$libs/libc.so.6" "$libs/libpthread.so.0" \
		-Wl,--allow-shlib-undefined,--dynamic-linker=/lib64/ld-linux-x86-64.so.2 &&
		cd debian && slain /usr/sbin/chroot "$root" /waits all && cd .. && mv debian/core debian/out.txt . || return
	cat debian/made.txt >>made.txt && rm debian/made.txt
	extra='"args": ["-sysroot", "debian"], "verdict": "deadlock"'
	SYSROOT=$root finish waits debian/waits
}

# slain COMMAND...: start it, and send it SIGABRT once it has settled.
slain() {
	echo "$*, then kill -ABRT" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	rm -f core core.*
	(ulimit -c unlimited && bare "$@") >out.txt 2>&1 </dev/null &
	local pid=$! turn
	for turn in $(seq 50); do
		[ ! -s out.txt ] || break
		sleep 0.1
	done
	sleep 0.5
	kill -ABRT "$pid"
	reap "$pid" 30
	take_core
}

# by_manager COMMAND...: the same by the process 1 of a PID namespace, with what systemd
# tells a service that has a watchdog.
by_manager() {
	echo "$*, then kill -ABRT by process 1" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	rm -f core core.*
	# shellcheck disable=SC2016 # for the inner shell
	(ulimit -c unlimited && bare unshare --pid --fork sh -c '
		env NOTIFY_SOCKET=/run/systemd/notify WATCHDOG_USEC=1000000 "$@" & sleep 1.5; kill -ABRT $!; wait $!' sh "$@") >out.txt 2>&1 </dev/null || true
	take_core
}

# by_parent COMMAND...: the same by its parent, as the manager of a user's services is, with the
# process id that the watchdog is for; by_parent_of_another, with that of another process.
by_parent() {
	echo "$*, then kill -ABRT by its parent" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	rm -f core core.*
	# shellcheck disable=SC2016 # for the inner shells
	(ulimit -c unlimited && bare WATCHDOG_USEC=1000000 ${of:+"WATCHDOG_PID=$of"} sh -c '
		sh -c '\''WATCHDOG_PID=${WATCHDOG_PID:-$$} exec "$@"'\'' sh "$@" & sleep 1.5; kill -ABRT $!; wait $!' sh "$@") >out.txt 2>&1 </dev/null || true
	take_core
}
by_parent_of_another() { of=1 by_parent "$@"; }

symbol_cores() {
	local crash='native/crash.c native/crash-segv.truth'
	core stripped gcc 'native/crash.c native/crash-stripped.truth' stripped_core
	core debuglink gcc "$crash" debuglink_core
	core buildid gcc "$crash" buildid_core
	core debugframe-buildid gcc "$crash" buildid_core -fomit-frame-pointer -fno-asynchronous-unwind-tables
	core minidebug 'gcc xz' "$crash" minidebug_core
}

stripped_core() {
	note="No names at all: the number of frames is the truth."
	c crash -O2 "$native/crash.c" && build strip crash && die "$dir/crash" segv && finish crash-stripped crash
}

debuglink_core() {
	c crash -O2 -g "$native/crash.c" &&
		build objcopy --only-keep-debug crash crash.debug && build strip crash &&
		build objcopy --add-gnu-debuglink=crash.debug crash &&
		die "$dir/crash" segv && finish crash-segv crash
}

# buildid_core FLAG...: everything but the loaded sections is in debug/.
buildid_core() {
	extra='"args": ["-debug-dir", "debug"]'
	c crash -O2 -g "$@" "$native/crash.c" && into_build_id_folder crash &&
		build strip crash && die "$dir/crash" segv && finish crash-segv crash
}

# minidebug_core: function names only, xz-compressed in a section, as Fedora ships them.
minidebug_core() {
	c crash -O2 -g "$native/crash.c" &&
		nm crash --defined-only --format=posix | awk '$2 ~ /^[Tt]$/ {print $1}' | sort >keep &&
		build objcopy -S --remove-section .comment --keep-symbols=keep crash mini && xz mini &&
		build strip crash && build objcopy --add-section .gnu_debugdata=mini.xz crash &&
		rm -f keep mini.xz && die "$dir/crash" segv && finish crash-segv crash
}

# into_build_id_folder FILE: its debug information as debug/.build-id/xx/yyyy.debug.
into_build_id_folder() {
	local id
	id=$(readelf -n "$1" | awk '/Build ID:/ {print $3}')
	mkdir -p "debug/.build-id/${id:0:2}"
	build objcopy --only-keep-debug "$1" "debug/.build-id/${id:0:2}/${id:2}.debug"
}

# archive_cores: libraries that are mapped out of an archive, as those of an application of
# Android are: with the archive, with nothing but what the core has of them, and with
# copies of them.
archive_cores() {
	archive archive
	filter=0x37 archive archive-memory rm -r base.apk lib
	filter=0x37 args='["-search", "lib"]' archive archive-copies rm base.apk
}

# archive NAME [COMMAND...]: the core is read without the files that COMMAND removes.
archive() { core "$1" 'gcc zip zipalign' "native/archive.c native/plug.c native/archive.truth native/archive-memory.truth" archive_core "${@:2}"; }

archive_core() {
	local note='' truth=archive lib
	mkdir -p lib/x86_64
	c archive -O2 -g "$native/archive.c" || return
	for lib in one two; do
		c "lib/x86_64/lib$lib.so" -O2 -g -fPIC -shared -nostdlib -Wl,--hash-style=both "-Wl,-soname,lib$lib.so" "$native/plug.c" || return
	done
	build zip -q -0 -X unaligned.apk lib/x86_64/libone.so lib/x86_64/libtwo.so &&
		build zipalign -p 4 unaligned.apk base.apk && rm unaligned.apk &&
		die "$dir/archive" base.apk lib/x86_64/libone.so lib/x86_64/libtwo.so || return
	[ $# -eq 0 ] || build "$@" || return
	[ -e base.apk ] || [ -e lib ] || truth=archive-memory
	[ -z "${args:-}" ] || extra='"args": '$args
	finish "$truth" archive
}

compiler_cores() {
	CC=clang crash clang-O0 segv -O0 -g
	CC=clang crash clang-O2 segv -O2 -g
	CC=clang crash clang-signal signal -O2 -g
	CC="gcc" crash i386 segv -m32 -O2 -g
	CC="gcc" crash i386-signal signal -m32 -O2 -g
}

# chain_cores: frames that only the chain of frame pointers leads through,
# because no call precedes the return address in them.
chain_cores() {
	core java 'java javac' native/Interpreted.java java_core -Xint
	fault go-stripped fault '-s -w'
	fault go-stripped-deferred fault-deferred '-s -w' deferred
	fault go fault ''
	core routine gcc 'native/routine.c native/routine.truth' routine_core
}

# under_valgrind VERDICT MODE LEVEL: valgrind writes the core, in which the program has a bare name.
under_valgrind() { core "valgrind-$2-$3" 'gcc valgrind' "native/crash.c native/crash-$2.truth" valgrind_core "$@"; }

valgrind_core() {
	extra='"args": ["-search", "."], "verdict": "'$1'"'
	c crash "-$3" -g "$native/crash.c" && die valgrind --vgdb=no -q "$dir/crash" "$2" && finish "crash-$2" crash
}

# routine_core: beyond the first function of a coroutine lies what is not its caller.
routine_core() {
	c routine -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables "$native/routine.c" &&
		build strip routine && die "$dir/routine" && finish routine routine
}

# java_core FLAG...: threads of interpreted Java; the program writes the truth.
java_core() {
	local java
	java=$(readlink -f "$(command -v java)")
	build javac -d . "$native/Interpreted.java" &&
		die "$java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-Xmx16m -Xshare:off -XX:+UseSerialGC "$@" -cp "$dir" Interpreted "$name" "$java" &&
		mv frames.json truth.json
}

# secrets_core: a program that spreads what it was started with, beside
# values.txt, which lists that.
secrets_core() {
	local umlaut long=''
	umlaut=$(printf 'p\303\244ssw\303\266rd-z9')
	for i in $(seq 700); do long+=$(printf 'L%03dq-' "$i"); done
	cat >values.txt <<-END
		tok-9f8e7d6c5b4a3921
		k3y7
		hunt3r2
		pg://joe:pw9x8y@db7.c0rp42.ex4mple:5432/shop
		pw9x8y
		/Xy8+abcQ/zz9kk==
		$umlaut
		two-words-5512
		eq-value-8841
		Sticky77
		plain-Argument-4242
		with spaces in 91 it
		ahov0jqxe1szgn2bipw3
		$long
	END
	c secrets -O1 -g "$native/secrets.c" -pthread &&
		die /usr/bin/env TOKEN=tok-9f8e7d6c5b4a3921 SHORT=k3y7 PASSWORD=hunt3r2 \
			DATABASE_URL=pg://joe:pw9x8y@db7.c0rp42.ex4mple:5432/shop BASE64=/Xy8+abcQ/zz9kk== UMLAUT="$umlaut" LONG="$long" \
			"$dir/secrets" --token two-words-5512 --password=eq-value-8841 -pSticky77 plain-Argument-4242 'with spaces in 91 it' &&
		finish secrets secrets
}

# seeds_core: cores of sources/native/seeds.cc, BUG.VARIANT.core, every bug by ten builds that are
# reached in other ways, at other depths, beside other threads. The core that truth.json
# is about is the first.
seeds_core() {
	local variants=("g++ -O0 -g" "g++ -O2 -g" "clang++ -O0 -g" "clang++ -O2 -g" "g++ -O1 -g -DSHIFT=1"
		"g++ -O3 -g" "g++ -O2" "clang++ -O1 -g -DSHIFT=1" "g++ -Os -g -static-pie" "g++ -O2 -g -flto -no-pie")
	local v bug
	for v in "${!variants[@]}"; do
		mkdir -p "v$v"
		CC=${variants[$v]%% *} c "v$v/seeds" -std=c++17 ${variants[$v]#* } "$native/seeds.cc" -pthread || return 1
		for bug in $("v$v/seeds"); do
			stack=512 die "$dir/v$v/seeds" "$bug" $((v * 7 % 23)) $((v % 4)) $((v % 3)) || return 1
			mv core "$bug.$v.core"
		done
	done
	cp list-sum.0.core core && rm -f out.txt # which is of the last one
	finish seeds v0/seeds
}

# tally PROGRAM COMPILER: a daemon that loses blocks, as three tools see it: valgrind.txt and lsan.txt have what Valgrind and LeakSanitizer
# say of it at the point where the core is taken. out.txt lists the blocks.
tally() {
	local source=native/tally-$1.c
	[ "$2" = gcc ] || source=${source}c
	core "tally-$1" "$2 valgrind" "$source native/tally.h native/tally-$1.truth" tally_core "$source" "$@"
}

tally_core() {
	local source=$staged/$1 program=tally-$2 compiler=$3
	extra='"verdict": "abort"'
	CC=$compiler c "$program" -O1 -g -pthread "$source" && CC=$compiler c lsan -O1 -g -pthread -fsanitize=leak "$source" || return
	tally_run LSAN_OPTIONS=exitcode=0:fast_unwind_on_malloc=0:allocator_may_return_null=1 "$dir/lsan" end 2>lsan.txt >/dev/null &&
		tally_run /usr/bin/valgrind --leak-check=no --num-callers=40 --show-leak-kinds=all --soname-synonyms=somalloc=nouserintercepts \
			--log-file=valgrind.txt "$dir/$program" end >/dev/null && rm lsan || return
	die "$dir/$program" && finish "$program" "$program"
}

# tally_run COMMAND...: runs it as bare does.
tally_run() { (bare "$@"); }

# forgets ALLOCATOR ARCH PACKAGE LIBRARY: sources/native/forgets.c with an allocator of Debian 12 on another architecture; out.txt lists the
# blocks, and those that are lost.
forgets() {
	local tools
	case $2 in
	i386) tools=gcc ;;
	armhf) tools='arm-linux-gnueabihf-gcc qemu-arm' ;;
	arm64) tools='aarch64-linux-gnu-gcc qemu-aarch64' ;;
	esac
	core "allocs-$1-$2" "$tools apt-get dpkg-deb" "native/forgets.c native/allocs.c native/blocks.c native/blocks.truth" forgets_core "$2" "$3" "$4"
}

forgets_core() {
	local triple qemu='' linker libs sysroot package=$2 library=$3 flags=(-O2 -g -pthread -DOLD -Wl,--wrap=abort)
	case $1 in
	i386) triple=i386-linux-gnu linker=/lib/ld-linux.so.2 CC=gcc && flags+=(-m32 -idirafter /usr/include/x86_64-linux-gnu) ;;
	armhf) triple=arm-linux-gnueabihf linker=/lib/ld-linux-armhf.so.3 qemu=qemu-arm CC=$triple-gcc ;;
	arm64) triple=aarch64-linux-gnu linker=/lib/ld-linux-aarch64.so.1 qemu=qemu-aarch64 CC=$triple-gcc ;;
	esac
	alloc_root bookworm "$package" "$1" || return
	libs=root/usr/lib/$triple
	if [ "$library" = libc.a ]; then
		libs=root/usr/lib/${triple%gnu*}musl
		c root/forgets "${flags[@]}" -static -no-pie -nostdinc -isystem "root/usr/include/${triple%gnu*}musl" -isystem "$($CC -print-file-name=include)" -nostdlib \
			"$libs/crt1.o" "$libs/crti.o" "$native/forgets.c" "$libs/libc.a" -lgcc "$libs/crtn.o" || return
		needs=prologue
	else
		c root/forgets "${flags[@]}" -nodefaultlibs "$native/forgets.c" -Wl,--no-as-needed "$libs/$library" "$libs/libc.so.6" -Wl,--as-needed -lgcc \
			-Wl,--allow-shlib-undefined,--dynamic-linker=$linker || return
	fi
	if [ -z "$qemu" ]; then
		alloc_finish forgets blocks 20000
		return
	fi
	extra='"args": ["-sysroot", "root", "-search", "root"], "verdict": "abort"'
	sysroot=$dir/root
	stack=512 die $qemu -s 262144 -L "$sysroot" "$sysroot"/forgets 20000 && of_the_guest && GDB=gdb-multiarch SYSROOT=$sysroot finish blocks root/forgets
}
