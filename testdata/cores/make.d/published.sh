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

unpublished= # sources that could not be had: they are not asked for again

# published SOURCE SUITE PATTERN: the files of a source package's upstream tarball that match.
published() {
	local at=$LIVE/published/$1
	[ -e "$at.done" ] && return
	[[ " $unpublished " != *" $1 "* ]] || return
	rm -rf "$at"
	mkdir -p "$at"
	(
		cd "$at"
		debian_source "$2" "$1" && rm -f ./*.asc && tar -x --strip-components=1 --wildcards -f "$1"_*.orig.tar.* "$3" && rm -rf apt ./*.orig.tar.*
	) >"$at.log" 2>&1 || { cat "$at.log" >&2; unpublished+=" $1"; return 1; }
	touch "$at.done"
}

published_cores() {
	local one
	for one in "${elfutils_cores[@]}"; do
		begin "elfutils-$one" apt-get bzip2 eu-readelf || continue
		echo "elfutils: tests/backtrace.$one.core" >>made.txt
		published elfutils bookworm '*/tests/backtrace.*' && elfutils_core "$one" || failed
	done
	for one in "${lldb_tests[@]}"; do
		begin "lldb-$one" apt-get xz || continue
		echo "llvm-toolchain: lldb/test/Shell/Register/Core/$one.test" >>made.txt
		published llvm-toolchain-19 bookworm '*/lldb/test/Shell/Register/Core/*' && lldb_core "$one" || failed
	done
}

# elfutils_core ARCH: its program has the name that the core says.
elfutils_core() {
	local at=$LIVE/published/elfutils/tests/backtrace.$1 exe
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
	file=$(grep -o 'Inputs/[^ ]*\.core' "$at/$1.test" | head -1)
	cp "$at/$file" core && cp "$at/$1.test" expected.txt || return
	for file in $(grep -o 'Inputs/[^ ]*\.check' "$at/$1.test"); do cat "$at/$file" >>expected.txt; done
	witness
	echo "{\"name\": \"$name\", \"core\": \"core\", \"threads\": []}" >truth.new
	mv truth.new truth.json
	made=$((made + 1))
	echo "$name $(du -k core | cut -f1)K"
}
