# musl.sh: programs with the older allocator of musl, which Debian's sources have beside the newer one. Sourced by make.

old_musl_cores() {
	old_musl musl-old bookworm 100000 -O2 -no-pie
	old_musl musl-old-stripped bookworm 20000 fenced -O2 -static -s
	old_musl musl-old-trixie trixie 20000 fenced -O2 -static
	core allocs-musl-old-i386 'gcc make apt-get' "native/forgets.c native/allocs.c native/blocks.c native/blocks.truth" old_forgets_core
	core harm-musl-old 'gcc make apt-get' "native/harm.c native/harm.truth" old_harm_core
}

# old_musl NAME SUITE COUNT [fenced] FLAG...: sources/native/allocs.c with a suite's musl; out.txt lists the blocks. Fenced: where brk gives
# no memory.
old_musl() {
	local truth=blocks
	case " $* " in *" -s "*) truth=allocs-stripped ;; esac
	core "allocs-$1" 'gcc make apt-get' "native/allocs.c native/blocks.c native/fenced.c native/$truth.truth" old_musl_core "$truth" "${@:2}"
}

old_musl_core() {
	local truth=$1 suite=$2 count=$3 sources=("$native/allocs.c") parts=()
	shift 3
	case " $* " in *" -static "*) parts=(--disable-shared) ;; esac
	if [ "$1" = fenced ]; then
		sources+=("$native/fenced.c")
		shift
	fi
	extra='"verdict": "abort"'
	musl_built "$suite" "${parts[@]}" && CC=musl/bin/musl-gcc c allocs "$@" -g -pthread "${sources[@]}" && die "$dir/allocs" "$count" &&
		needs=prologue finish "$truth" allocs && musl_trimmed
}

old_forgets_core() {
	local libs=musl/lib
	extra='"verdict": "abort"'
	musl_built bookworm --disable-shared --target=i386 CC='gcc -m32' AR=ar RANLIB=ranlib &&
		c forgets -m32 -O2 -g -pthread -static -no-pie -Wl,--wrap=abort -nostdinc -isystem musl/include -isystem "$(gcc -print-file-name=include)" -nostdlib \
			"$libs/crt1.o" "$libs/crti.o" "$native/forgets.c" "$libs/libc.a" -lgcc "$libs/crtn.o" &&
		die "$dir/forgets" 20000 && needs=prologue finish blocks forgets && musl_trimmed
}

old_harm_core() {
	musl_built bookworm --disable-shared && CC=musl/bin/musl-gcc harm_core -O0 -static && musl_trimmed
}

# musl_built SUITE [FLAG...]: ./musl with the musl of a suite of Debian, configured for its older allocator.
musl_built() {
	local suite=$1
	shift
	mkdir musl.src && cd musl.src || return
	if ! debian_source "$suite" musl >../musl.log 2>&1; then
		cd .. && say "$name: no source of musl of $suite ($(tail -1 musl.log))"
		return $left_out
	fi
	rm -f ./*.asc && echo musl_*.orig.tar.* ./configure --with-malloc=oldmalloc "$@" >>../made.txt && tar -x --strip-components=1 -f musl_*.orig.tar.* &&
		./configure --prefix="$dir/musl" --syslibdir="$dir/musl/lib" --with-malloc=oldmalloc "$@" >../musl.log 2>&1 && command make -s install >>../musl.log 2>&1 || {
		cd .. && tail -5 musl.log >&2
		return 1
	}
	cd .. && rm -r musl.src musl.log
}

# musl_trimmed: leaves of ./musl only the library that the process had.
musl_trimmed() { rm -rf musl/bin musl/include musl/lib/*.a musl/lib/*.o musl/lib/*.specs; }
