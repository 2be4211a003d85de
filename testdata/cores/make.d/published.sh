# published.sh: cores that others publish, with what their authors say of them, out of
# Debian's source packages: systems and processors that no machine here has. Sourced by make.
#
#   elfutils-ARCH   a program of elfutils' tests with two threads, by the kernel of each
#                   processor (tests/backtrace-child.c; backtrace-subr.sh says the stacks)
#   lldb-NAME       registers that a program has set (lldb/test/Shell/Register/Core): expected.txt
#                   is the test, whose CHECK lines say the threads and their registers

elfutils_cores=(x86_64 x86_64.fp i386 i386.fp x32 aarch64 aarch64.fp ppc ppc64le.fp s390 s390x sparc)
lldb_tests=({x86-64,x86-32}-{freebsd,netbsd,linux}-{addr,gp,multithread} x86-{32,64}-{freebsd,linux}-fp x86-64-netbsd-fp
	aarch64-freebsd-{multithread,register-fields})

# published SOURCE SUITE PATTERN: the files of a source package's upstream tarball that match. A source that could not be
# had is not asked for again by the same run.
published() {
	local at=$LIVE/published/$1
	[ ! -e "$at.done" ] || return 0
	[ "$(cat "$at.missing" 2>/dev/null)" != $$ ] || return $left_out
	rm -rf "$at"
	mkdir -p "$at"
	(
		cd "$at"
		debian_source "$2" "$1" && rm -f ./*.asc && tar -x --strip-components=1 --wildcards -f "$1"_*.orig.tar.* "$3" && rm -rf apt ./*.orig.tar.*
	) >"$at.log" 2>&1 || { cat "$at.log" >&2; echo $$ >"$at.missing"; return $left_out; }
	touch "$at.done"
}

published_cores() {
	local one
	for one in "${elfutils_cores[@]}"; do
		core "elfutils-$one" 'apt-get bzip2 eu-readelf' native/published.truth elfutils_core "$one"
	done
	for one in "${lldb_tests[@]}"; do
		core "lldb-$one" 'apt-get xz' '' lldb_core "$one"
	done
}

# elfutils_core ARCH: its program has the name that the core says.
elfutils_core() {
	local at=$LIVE/published/elfutils/tests/backtrace.$1 exe
	echo "elfutils: tests/backtrace.$1.core" >>made.txt
	locked "$LIVE/published/elfutils" published elfutils bookworm '*/tests/backtrace.*' || return
	bunzip2 <"$at.core.bz2" >core || return
	exe=$(eu-readelf -n core | sed -n 's/.*psargs: \([^ ]*\).*/\1/p' | head -1)
	exe=${exe##*/}
	bunzip2 <"$at.exec.bz2" >"$exe" || return
	extra='"args": ["-search", "."]'
	GDB=gdb-multiarch finish published "$exe"
}

# lldb_core TEST: the core that a test of LLDB opens, and what it expects, which may be in another file.
lldb_core() {
	local at=$LIVE/published/llvm-toolchain-19/lldb/test/Shell/Register/Core file
	echo "llvm-toolchain: lldb/test/Shell/Register/Core/$1.test" >>made.txt
	locked "$LIVE/published/llvm-toolchain-19" published llvm-toolchain-19 bookworm '*/lldb/test/Shell/Register/Core/*' || return
	file=$(grep -o 'Inputs/[^ ]*\.core' "$at/$1.test" | head -1)
	cp "$at/$file" core && cp "$at/$1.test" expected.txt || return
	for file in $(grep -o 'Inputs/[^ ]*\.check' "$at/$1.test"); do cat "$at/$file" >>expected.txt; done
	witness
	echo "{\"name\": \"$name\", \"core\": \"core\", \"threads\": []}" >truth.new
	mv truth.new truth.json
}
