# take.sh: how a program is built, how it dies, and how its core is finished. Sourced by
# make.

int80=''

have() { if [ "$1" = int80 ]; then takes_int80; else command -v "$1" >/dev/null 2>&1; fi; }

# takes_int80: whether the kernel takes system calls of 32-bit programs, of which 20 is getpid; some take none.
takes_int80() {
	if [ -z "$int80" ]; then
		int80=no
		if {
			echo 'int main(void) { long n = 20; __asm__ volatile("int $0x80" : "+a"(n) : : "memory", "r8", "r9", "r10", "r11"); return n < 0; }' |
				gcc -x c - -o "$LIVE/int80" && (ulimit -c 0 && exec "$LIVE/int80")
		} >/dev/null 2>&1; then int80=yes; fi
		rm -f "$LIVE/int80"
	fi
	[ "$int80" = yes ]
}

say() { echo "make: $*" >&2; }

check_core_pattern() {
	local pattern
	pattern=$(cat /proc/sys/kernel/core_pattern)
	case $pattern in
	'|'* | */*)
		if ! echo core 2>/dev/null >/proc/sys/kernel/core_pattern; then
			say "kernel.core_pattern is '$pattern': set it to 'core' first"
			exit 1
		fi
		say "kernel.core_pattern was '$pattern', now 'core'"
		;;
	esac
}

# build COMMAND...: run a compiler, and write down how, without this checkout's path.
build() {
	echo "$*" | sed "s|$staged/|sources/|g; s|$dir/||g; s|$dir|.|g; s| -f[a-z]*-prefix-map=[^ ]*||g; s| --remap-path-prefix [^ ]*||g" >>made.txt
	"$@" 2>build.log || { cat build.log >&2; return 1; }
	rm -f build.log
}

# c OUTPUT FLAG...: compile C or C++ ($CC, default gcc); sources are named by the flags.
c() {
	local out=$1
	shift
	build "${CC:-gcc}" "-ffile-prefix-map=$native=." "-ffile-prefix-map=$dir=." -o "$out" "$@"
}

# bare COMMAND...: become it, with an empty environment, and signals as a login has them: who runs this may ignore some.
bare() { exec env -i --default-signal PATH=/usr/bin:/bin HOME=/nonexistent LANG=C "$@"; }

# die COMMAND...: run it in this folder with an empty environment, expect a core.
# The variables limit (for ulimit -c, default unlimited), stack (ulimit -s) and
# filter (coredump_filter) apply.
die() {
	rm -f core core.*
	echo "${limit:+ulimit -c $limit; }${stack:+ulimit -s $stack; }${filter:+coredump_filter $filter; }$*" |
		sed "s|$staged/|sources/|g; s|$dir/||g; s|$dir|.|g" >>made.txt
	(
		ulimit -c "${limit:-unlimited}"
		[ -z "${stack:-}" ] || ulimit -s "$stack"
		[ -z "${filter:-}" ] || echo "$filter" >/proc/self/coredump_filter
		bare "$@"
	) >out.txt 2>&1 </dev/null &
	reap $!
	take_core
}

# spun PID: waits until its first thread has run for half a second of the processor, which takes longer where others run.
spun() {
	local turn stat
	for turn in $(seq 600); do
		read -r -a stat <"/proc/$1/task/$1/stat" || return
		[ "${stat[13]}" -lt $(($(getconf CLK_TCK) / 2)) ] || break # no name has a space
		sleep 0.1
	done
}

# reap PID [SECONDS]: waits until a process of this shell has died; one that has not after so long is killed.
reap() {
	local guard
	sleep "${2:-120}" &
	guard=$!
	{ wait -n "$1" "$guard" || true; } 2>/dev/null # not the shell's own obituary
	if ! kill -0 "$guard" 2>/dev/null; then
		say "${name:-a process} hangs"
		kill -KILL "$1" 2>/dev/null || true
	fi
	{ kill "$guard" || true; wait "$guard" "$1" || true; } 2>/dev/null
}

# take_core: whatever name the kernel or qemu gave it, it is called core.
take_core() {
	local f
	for f in core.* qemu_*.core vgcore.*; do
		if [ -f "$f" ]; then mv "$f" core; fi
	done
	if [ ! -f core ]; then
		say "$name: no core was written; the program said:"
		tail -5 out.txt >&2
		return 1
	fi
	[ -s out.txt ] || rm -f out.txt
}

# witness [EXE]: keep what eu-stack and gdb make of it.
witness() {
	local exe=${1:-} gdb=${GDB:-gdb}
	if have eu-stack; then
		timeout 20 eu-stack -n 300 --core core ${exe:+-e "$exe"} 2>&1 | head -c 100000 >eu.txt || true
	fi
	if have "$gdb"; then
		{ timeout 20 "$gdb" -nx -batch -iex 'set debuginfod enabled off' -iex "set sysroot ${SYSROOT:-/}" \
			-ex 'thread apply all backtrace 60' ${exe:+"$exe"} core || true; } 2>&1 |
			grep -v -e '^warning: Can.t open file' -e '^\[New LWP' | head -c 100000 >gdb.txt || true
	fi 2>/dev/null # gdb itself may crash
}

# finish TRUTH [EXE [N]]: witnesses, then truth.json from sources/native/TRUTH.truth.
# note is a sentence; needs, what a debugger must be able to do beyond the ordinary;
# extra, further members of the object.
finish() {
	local truth=$1 exe=${2:-} n=${3:-1}
	witness "$exe"
	truth_json "$native/$truth.truth" "name=$name" "exe=$exe" "n=$n" "needs=${needs:-}" "note=${note:-}" "extra=${extra:-}" \
		"source=sources/native/$truth.truth" >truth.new && mv truth.new truth.json
}
