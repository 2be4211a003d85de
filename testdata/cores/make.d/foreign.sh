# foreign.sh: other architectures, by cross compiler and qemu-user. Sourced by make.
# qemu writes the core itself: no NT_FILE, no NT_SIGINFO, its own thread order.
# (Not for riscv64, as of qemu 7.2: there the core would be qemu's own.)

# foreign NAME ARCH SOURCE TRUTH "ARG…" FLAG...: one program under qemu-user, which dies of $verdict.
foreign() {
	local arch=$2 source=$3 triple cc=gcc
	case $arch in
	aarch64 | s390x | m68k | mips) triple=$arch-linux-gnu ;;
	mips64el) triple=mips64el-linux-gnuabi64 ;;
	ppc) triple=powerpc-linux-gnu ;;
	ppc64) triple=powerpc64-linux-gnu ;;
	arm) triple=arm-linux-gnueabihf ;;
	ppc64le) triple=powerpc64le-linux-gnu ;;
	esac
	case $source in *.cc) cc=g++ ;; esac
	CC=$triple-$cc core "$1" "$triple-$cc qemu-$arch" "native/$source native/$4.truth" foreign_core "$triple" "${@:2}"
}

# foreign_core TRIPLE ARCH SOURCE TRUTH "ARG…" FLAG...
foreign_core() {
	local triple=$1 qemu=qemu-$2 source=$3 truth=$4 args=$5 exe=${3%.*} cpu='' flag static=''
	case $2 in
	aarch64 | arm) cpu='-cpu max' ;; # pointer authentication
	esac
	shift 5
	for flag; do
		if [ "$flag" = -static ]; then static=yes; fi
	done
	[ -n "$static" ] || extra="\"args\": [\"-sysroot\", \"/usr/$triple\", \"-search\", \".\"]"
	[ -z "${verdict:-}" ] || extra="${extra:+$extra, }\"verdict\": \"$verdict\""
	# a small stack, because qemu writes all of it; args and cpu are lists
	# shellcheck disable=SC2086
	c "$exe" "$@" "$native/$source" &&
		stack=512 die "$qemu" -s 262144 $cpu -L "/usr/$triple" "$dir/$exe" $args && of_the_guest &&
		GDB=gdb-multiarch SYSROOT=/usr/$triple finish "$truth" "$exe"
}

# of_the_guest: qemu itself has not died instead of its program. Its pages of
# zeros, which it writes out, become holes.
of_the_guest() {
	fallocate -d core 2>/dev/null || true
	readelf -h core 2>/dev/null | grep -q 'Machine:.*X86-64' || return 0
	say "$name: the core is qemu's own"
	return 1
}

foreign_cores() {
	rust_i386_cores
	unkept_cores
	local mode arch
	for arch in aarch64 arm; do
		verdict=null-dereference foreign "passed-null-$arch" "$arch" passed.c passed '' -O2 -g -pthread -fno-optimize-sibling-calls
	done
	verdict=null-dereference foreign passed-alternate-aarch64 aarch64 passed.c passed alternate -O2 -g -pthread -fno-optimize-sibling-calls
	verdict=wild-pointer foreign passed-wild-aarch64 aarch64 passed.c passed wild -O2 -g -pthread -fno-optimize-sibling-calls
	foreign a64-O0 aarch64 crash.c crash-segv segv -O0 -g
	foreign a64-O2 aarch64 crash.c crash-segv segv -O2 -g
	foreign a64-static aarch64 crash.c crash-segv segv -O2 -g -static
	foreign a64-nopie aarch64 crash.c crash-segv segv -O2 -g -fno-pie -no-pie
	for mode in null wild data assert abort signal sigaltstack nested timer alloca realign coroutine \
		selflink; do
		foreign "a64-$mode" aarch64 crash.c "crash-$mode" "$mode" -O2 -g
	done
	foreign a64-smash aarch64 crash.c crash-smash-link smash -O2 -g
	foreign a64-signal-static aarch64 crash.c crash-signal signal -O2 -g -static
	foreign a64-pac aarch64 crash.c crash-segv segv -O2 -g -mbranch-protection=standard
	foreign a64-pac-leaf aarch64 crash.c crash-signal signal -O2 -g -mbranch-protection=pac-ret+leaf
	foreign a64-pac-null aarch64 crash.c crash-null null -O2 -g -mbranch-protection=standard
	foreign a64-pac-fp aarch64 crash.c crash-segv segv -O2 -mbranch-protection=standard \
		-fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables
	foreign a64-pac-bkey aarch64 crash.c crash-segv segv -O2 -g -mbranch-protection=pac-ret+b-key
	foreign a64-fp aarch64 crash.c crash-segv segv -O2 -fno-omit-frame-pointer \
		-fno-asynchronous-unwind-tables -fno-unwind-tables
	foreign a64-debugframe aarch64 crash.c crash-segv segv -O2 -g -fomit-frame-pointer \
		-fno-asynchronous-unwind-tables -fno-unwind-tables
	foreign a64-threads aarch64 threads.c threads '' -O2 -g -pthread
	verdict=abort foreign a64-blocks aarch64 blocks.c blocks '20000' -O2 -g -pthread
	foreign a64-threads-pac aarch64 threads.c threads '' -O2 -g -pthread -mbranch-protection=standard
	for mode in segv catch throw dtor sort null; do
		foreign "a64-cxx-$mode" aarch64 shapes.cc "shapes-$mode" "$mode" -O2 -g
	done
	for mode in O0 O2; do
		foreign "values-a64-c-$mode" aarch64 values.c values '' "-$mode" -g
		foreign "values-a64-cxx-$mode" aarch64 values.cc values '' "-$mode" -g -std=c++17
		foreign "values-s390x-$mode" s390x values.c values '' "-$mode" -g
	done
	foreign a64-cxx-O0 aarch64 shapes.cc shapes-segv segv -O0 -g
	for arch in arm ppc64le s390x m68k mips mips64el ppc ppc64; do
		foreign "$arch" "$arch" crash.c crash-segv segv -O2 -g
		foreign "$arch-static" "$arch" crash.c crash-segv segv -O2 -g -static
		foreign "$arch-signal" "$arch" crash.c crash-signal signal -O2 -g
	done
	for mode in segv signal; do
		foreign "m68k-$mode-nofp" m68k crash.c "crash-$mode" "$mode" -O2 -fomit-frame-pointer \
			-fno-asynchronous-unwind-tables -fno-unwind-tables
	done
}

# unkept_cores: a library without frame records, and callers with and without. It is in a
# folder of its own, so that it can be left out.
unkept_cores() {
	local mode how
	for mode in leaf inner outer visit; do
		for how in O0 O2 fomit-frame-pointer; do
			core "a64-unkept-$mode-${how%%-*}" 'aarch64-linux-gnu-gcc qemu-aarch64' \
				"native/unkept.c native/unkept-lib.c native/unkept-$mode.truth" unkept_core "$mode" "$how"
		done
	done
}

unkept_core() {
	local triple=aarch64-linux-gnu how=-$2
	[ "$2" != fomit-frame-pointer ] || how="-O2 -$2"
	extra="\"args\": [\"-sysroot\", \"/usr/$triple\", \"-search\", \"lib\", \"-search\", \".\"], \"verdict\": \"null-dereference\""
	mkdir lib
	# shellcheck disable=SC2086 # a list
	build $triple-gcc -O2 -g -fomit-frame-pointer -shared -fPIC -o lib/libunkept.so "$native/unkept-lib.c" &&
		build $triple-gcc $how -g -o unkept "$native/unkept.c" -Llib -lunkept &&
		stack=512 die qemu-aarch64 -s 262144 -L "/usr/$triple" -E "LD_LIBRARY_PATH=$dir/lib" "$dir/unkept" "$1" && of_the_guest &&
		GDB=gdb-multiarch SYSROOT=/usr/$triple finish "unkept-$1" unkept
}

# rust_i386_cores: Rust of 32 bits on this processor, by Debian's rustc and the library of its i386.
rust_i386_cores() {
	local mode how tools='/usr/bin/rustc gcc apt-get'
	for how in '-C opt-level=0' -O; do # without, some arguments have no place after they were moved
		# shellcheck disable=SC2086 # a list
		core "values-i386-rust$(printf %s "$how" | tr -d ' =')" "$tools" 'native/values.rs native/values.truth' rust_i386_values_core $how
	done
	for mode in segv index expect thread overflow; do
		core "rust-i386-$mode" "$tools" "native/ranks.rs native/ranks-$mode-legacy.truth" rust_i386_ranks_core "$mode"
	done
}

rust_i386_values_core() {
	rust_i386_build values "$@" && die "$dir/values" && finish values values
}

rust_i386_ranks_core() {
	case $1 in
	segv) extra='"verdict": "null-dereference"' ;;
	overflow) extra='"verdict": "stack-overflow"' ;;
	*) extra='"verdict": "rust-panic"' ;;
	esac
	rust_i386_build ranks -O -C panic=abort && stack=8192 die "$dir/ranks" "$1" && finish "ranks-$1-legacy" ranks
}

# rust_i386_build PROGRAM FLAG...
rust_i386_build() {
	local program=$1 at=$LIVE/rust-i386
	shift
	locked "$at" rust_i386_library || return
	build /usr/bin/rustc --edition 2021 -g "$@" --target i686-unknown-linux-gnu -L "$at/library" \
		-C linker=gcc -C link-arg=-m32 --remap-path-prefix "$native=." -o "$program" "$native/$program.rs"
}

rust_i386_library() {
	[ ! -e "$at/done" ] || return 0
	rm -rf "$at" && mkdir -p "$at" &&
		(cd "$at" && debian_packages i386 bookworm && debian_unpack libstd-rust-dev && mv root/usr/lib/rustlib/*/lib library && rm -rf root library/*.so && touch done)
}
