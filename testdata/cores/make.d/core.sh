# core.sh: how one core is begun, dumped and finished. Sourced by make.

made=0 had=0 missed=0 broken=0 listing='' int80=''
name= dir= note= extra=

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

# debian_mirror: where this machine's apt gets Debian from.
debian_mirror() {
	local found
	found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		grep -v '^[[:space:]]*#' | grep -oE 'https?://[^][:space:]]+/debian/?' | head -1)
	echo "${DEBIAN_MIRROR:-$found}"
}

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

# begin NAME [TOOL...]: true if NAME is wanted, not there yet, and can be made.
# Leaves us in its empty folder, with name and dir set.
begin() {
	local tool
	name=$1 note='' extra=''
	shift
	[[ $name =~ $FILTER ]] || return 1
	if [ -n "$listing" ]; then
		echo "$name"
		return 1
	fi
	dir=$LIVE/$name
	if [ -s "$dir/truth.json" ]; then
		had=$((had + 1))
		return 1
	fi
	for tool; do
		if ! have "$tool"; then
			say "$name is left out: no $tool"
			missed=$((missed + 1))
			return 1
		fi
	done
	rm -rf "$dir"
	mkdir -p "$dir"
	cd "$dir"
	: >made.txt
}

# build COMMAND...: run a compiler, and write down how, without this checkout's path.
build() {
	echo "$*" | sed "s|$here/||g; s|$dir/||g; s|$dir|.|g; s| -f[a-z]*-prefix-map=[^ ]*||g; s| --remap-path-prefix [^ ]*||g" >>made.txt
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
		sed "s|$here/||g; s|$dir/||g; s|$dir|.|g" >>made.txt
	(
		ulimit -c "${limit:-unlimited}"
		[ -z "${stack:-}" ] || ulimit -s "$stack"
		[ -z "${filter:-}" ] || echo "$filter" >/proc/self/coredump_filter
		bare "$@"
	) >out.txt 2>&1 </dev/null &
	reap $!
	take_core
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

# attempt COMMAND...: makes one core, three times at the most: a thread that is stepped
# while the others stand still (node_collect) may wait for them for ever, and another
# random moment is as good.
attempt() {
	if "$@" || "$@" || "$@"; then
		made=$((made + 1))
		echo "$name $(du -k core | cut -f1)K"
	else
		failed
	fi
}

# failed: one core that could not be made does not stop the others. What there is of
# it goes to LIVE/failed, where no test looks.
failed() {
	say "$name failed"
	broken=$((broken + 1))
	cd "$LIVE"
	mkdir -p failed
	rm -rf "failed/$name"
	[ ! -d "$name" ] || mv "$name" failed/
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
	awk -v name="$name" -v exe="$exe" -v n="$n" -v needs="${needs:-}" -v note="${note:-}" -v extra="${extra:-}" \
		-v source="sources/native/$truth.truth" -f "$here/make.d/truth.awk" "$native/$truth.truth" >truth.new
	mv truth.new truth.json
	made=$((made + 1))
	echo "$name $(du -k core | cut -f1)K"
}

# debian_source SUITE SOURCE: the files of a source package, in this folder.
debian_source() {
	kind=deb-src debian_packages amd64 "$1" && APT_CONFIG=$PWD/apt/conf apt-get -qq source --download-only "$2"
}

# debian_packages ARCH SUITES: an apt of its own in ./apt, with packages ($kind, default deb) of
# other releases or architectures, the last of the suites first. Nothing is installed.
debian_packages() {
	local suite
	mkdir -p apt/lists/partial apt/cache/archives/partial root
	: >apt/status
	for suite in $2; do
		echo "${kind:-deb} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) $suite main"
	done >apt/sources.list
	cat >apt/conf <<-X
		Dir::State "$PWD/apt"; Dir::State::status "$PWD/apt/status"; Dir::Cache "$PWD/apt/cache";
		Dir::Etc::SourceList "$PWD/apt/sources.list"; Dir::Etc::SourceParts "/dev/null";
		APT::Architecture "$1"; APT::Architectures { "$1"; }; APT::Sandbox::User "root"; APT::Default-Release "${2##* }";
		Acquire::Languages "none"; Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
	X
	APT_CONFIG=$PWD/apt/conf apt-get -qq update
}

# debian_unpack PACKAGE...: from there into ./root, and apt is removed.
debian_unpack() {
	(cd apt/cache/archives && APT_CONFIG=$OLDPWD/apt/conf apt-get -qq download "$@") && debian_unpacked
}

# debian_install PACKAGE...: the same, with all that they depend on.
debian_install() {
	APT_CONFIG=$PWD/apt/conf apt-get -qq -y --no-install-recommends --download-only install "$@" >/dev/null && debian_unpacked
}

debian_unpacked() {
	local deb
	for deb in apt/cache/archives/*.deb; do dpkg-deb -x "$deb" root || return; done
	rm -rf apt root/usr/share/{doc,man,locale}
}
