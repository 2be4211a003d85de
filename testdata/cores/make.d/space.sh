# space.sh: threads, libraries, large address spaces, cut and filtered cores,
# files that are not the ones that ran. Sourced by make.

space_cores() {
	thread_cores
	core dlopen gcc 'native/host.c native/plug.c native/host.truth' dlopen_core
	core dlopen-stripped gcc 'native/host.c native/plug.c native/host-stripped.truth' dlopen_core stripped
	core libs2000 gcc 'native/hop.S native/ferry.c native/ferry.truth' libs2000_core
	core mappings70000 gcc 'native/crash.c native/crash-mappings.truth' mappings70000_core
	core big8g gcc 'native/crash.c native/crash-big.truth' big8g_core
	partial_cores
	stranger_cores
}

# program NAME SOURCE TRUTH "ARG…" FLAG...: one file, one run.
program() { core "$1" "${CC:-gcc}" "native/$2 native/$3.truth" program_core "${@:2}"; }

program_core() {
	local source=$1 truth=$2 args=$3 exe=${1%.*} count
	shift 3
	count=${args##* }
	# shellcheck disable=SC2086 # args is a list
	c "$exe" "$@" "$native/$source" && die "$dir/$exe" $args && finish "$truth" "$exe" "$count"
}

thread_cores() {
	local n
	program threads threads.c threads '' -O2 -g -pthread
	program threads-O0 threads.c threads '' -O0 -g -pthread
	program threads-leave threads.c threads-leave '' -O2 -g -pthread -DLEAVE
	program threads-static threads.c threads '' -O2 -g -pthread -static
	program threads-fp threads.c threads '' -O2 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -pthread
	# Debian's musl has neither unwind tables nor frame pointers
	needs=prologue CC=musl-gcc program threads-musl threads.c threads '' -O2 -g -pthread
	for n in 100 1000 5000; do
		program "fleet-$n" fleet.c fleet "$n" -O2 -g -pthread
	done
}

dlopen_core() {
	c host -O2 -g "$native/host.c" -ldl && c libplug.so -O2 -g -fPIC -shared "$native/plug.c" || return
	local truth=host
	if [ -n "${1:-}" ]; then
		build strip libplug.so || return
		truth=host-stripped
	fi
	die "$dir/host" "$dir/libplug.so" && finish "$truth" host
}

# libs2000_core: 2,000 libraries of one function each, from hop.S.
libs2000_core() {
	local i
	echo "for i in 0001…2000: sed s/NNNN/\$i/g sources/native/hop.S | as -o hop.o; ld -shared --build-id -o lib\$i.so hop.o" >>made.txt
	for i in $(seq -w 1 2000); do
		sed -e '/^\/\*/d' -e "s/NNNN/$i/g" "$native/hop.S" | as -o hop.o - &&
			ld -shared --build-id --eh-frame-hdr -soname "lib$i.so" -o "lib$i.so" hop.o || return
	done
	rm -f hop.o
	c ferry -O2 -g "$native/ferry.c" -ldl && die "$dir/ferry" 1 2000 && finish ferry ferry
}

# mappings70000_core: more mappings than a 16-bit count holds: PN_XNUM.
mappings70000_core() {
	local was
	was=$(cat /proc/sys/vm/max_map_count)
	if [ "$was" -lt 70100 ] && ! echo 70100 2>/dev/null >/proc/sys/vm/max_map_count; then
		say "$name: vm.max_map_count is $was and cannot be raised"
		return $left_out
	fi
	c crash -O2 -g "$native/crash.c" && die "$dir/crash" mappings && finish crash-mappings crash
	local status=$?
	[ "$was" -ge 70100 ] || echo "$was" >/proc/sys/vm/max_map_count
	return $status
}

big8g_core() {
	local free
	free=$(df --output=avail -k . | tail -1)
	if [ "$free" -lt $((6 << 20)) ]; then
		say "$name wants 6 GiB of disk"
		return $left_out
	fi
	c crash -O2 -g "$native/crash.c" && die "$dir/crash" big && finish crash-big crash
}

partial_cores() {
	local crash='native/crash.c native/crash-segv.truth'
	filter=0 truth=filter-0 crash filter-00 segv -O2 -g
	filter=1 crash filter-01 segv -O2 -g
	filter=0x7f crash filter-7f segv -O2 -g
	filter=0x7f crash filter-7f-static segv -O2 -g -static
	# ulimit -c counts KiB: cut in the program's data, in the libraries, and in the stack
	limit=8 truth=cut crash cut-8k segv -O2 -g
	limit=32 truth=cut crash cut-32k segv -O2 -g
	limit=100 truth=cut crash cut-100k segv -O2 -g
	core cut-threads 'gcc eu-readelf' 'native/threads.c native/cut-threads.truth' cut_threads_core
	core core-zst 'gcc zstd' "$crash" compressed_core zstd -q --rm
	core core-xz 'gcc xz' "$crash" compressed_core xz
	core core-gz 'gcc gzip' "$crash" compressed_core gzip
	core core-lz4 'gcc lz4' "$crash" compressed_core lz4 -q --rm -m
	core gcore 'gcc gdb' 'native/crash.c native/crash-wait.truth' gcore_core
	core gcore-threads 'gcc gdb' 'native/threads.c native/threads-stay.truth' gcore_threads_core
	core cloned gcc 'native/cloned.c native/cloned.truth' cloned_core
}

cloned_core() {
	extra='"verdict": "killed"'
	c cloned -O2 -g -pthread "$native/cloned.c" && die "$dir/cloned" && finish cloned cloned
}

# compressed_core COMMAND…: as systemd-coredump leaves them.
compressed_core() {
	c crash -O2 -g "$native/crash.c" && die "$dir/crash" segv && finish crash-segv crash &&
		echo "$* core" >>made.txt && "$@" core && rm -f core &&
		sed "s/\"core\": \"core\"/\"core\": \"$(basename core.*)\"/" truth.json >truth.new && mv truth.new truth.json
}

# cut_threads_core: a whole core shows how many KiB come before libc (holes do not count for
# RLIMIT_CORE, pages of zeros that were touched do); the second one is cut there,
# after the threads' stacks. Runs touch a page more or less: the limit grows
# until the file reaches as far.
cut_threads_core() {
	local address offset kib
	c threads -O2 -g -pthread "$native/threads.c" && die "$dir/threads" || return
	address=$(eu-readelf -n core | awk '/libc\.so\.6$/ {sub("-.*", "", $1); print $1; exit}')
	offset=$(readelf -lW core | awk -v at="$address\$" '$1 == "LOAD" && $3 ~ at {print $2}')
	truncate -s $((offset)) core
	kib=$(du -k core | cut -f1)
	for kib in $(seq "$kib" 4 $((kib + 40))); do
		limit=$kib die "$dir/threads" || return
		if [ "$(stat -c %s core)" -ge $((offset)) ]; then
			finish cut-threads threads
			return
		fi
	done
	return 1
}

# alive COMMAND...: start it, and take its core with gcore once it has settled.
alive() {
	echo "$*, then gcore" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	bare "$@" >out.txt 2>&1 </dev/null &
	local pid=$! turn
	for turn in $(seq 50); do
		if [ "$(cut -d' ' -f3 "/proc/$pid/stat")" = S ] && [ -s out.txt ]; then break; fi
		sleep 0.1
	done
	gcore -o core "$pid" >gcore.log 2>&1
	kill "$pid"
	{ wait "$pid" || true; } 2>/dev/null
	take_core && rm -f gcore.log
}

gcore_core() {
	c crash -O2 -g "$native/crash.c" && alive "$dir/crash" wait && finish crash-wait crash
}

gcore_threads_core() {
	c threads -O2 -g -pthread -DSTAY "$native/threads.c" && alive "$dir/threads" && finish threads-stay threads
}

stranger_cores() {
	core replaced gcc 'native/crash.c native/replaced.truth' replaced_core
	core replaced-library gcc 'native/host.c native/plug.c native/replaced-library.truth' replaced_library_core
	core deleted gcc 'native/crash.c native/crash-stripped.truth' deleted_core
	core otherlibc 'gcc apt-get dpkg-deb' 'native/crash.c native/crash-abort.truth' otherlibc_core
}

# Without the file there are no unwind tables: these programs have frame pointers.
readonly decoy='-Dpoke=decoy_poke -Dleaf=decoy_leaf -Dmiddle=decoy_middle -Douter=decoy_outer'

replaced_core() {
	c crash -O2 -g -fno-omit-frame-pointer "$native/crash.c" && die "$dir/crash" segv && mv crash crash.ran &&
		c crash -O0 -g $decoy "$native/crash.c" || return
	note="crash was rebuilt after it died; crash.ran is the one that died"
	extra='"refused": ["crash"]'
	finish replaced
}

replaced_library_core() {
	c host -O2 -g -fno-omit-frame-pointer "$native/host.c" -ldl && c libplug.so -O2 -g -fno-omit-frame-pointer -fPIC -shared "$native/plug.c" &&
		die "$dir/host" "$dir/libplug.so" && mv libplug.so libplug.so.ran &&
		c libplug.so -O0 -g -fPIC -shared -Dplug_middle=decoy_middle -Dplug_entry=decoy_entry "$native/plug.c" || return
	note="libplug.so was rebuilt after the death; libplug.so.ran is the one that ran"
	extra='"refused": ["libplug.so"]'
	finish replaced-library host
}

deleted_core() {
	c crash -O2 -g -fno-omit-frame-pointer "$native/crash.c" && die "$dir/crash" segv && mv crash elsewhere || return
	note="the program was moved away; elsewhere is its new name"
	finish crash-stripped
}

# other_libc RELEASE ROOT [LIBRARY...]: a root directory with the libc of a release of Debian, fetched
# by apt without touching this machine's lists.
other_libc() {
	local apt=$dir/apt release=$1 root=$2 lib each
	shift 2
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$root/lib64" "$root/lib/x86_64-linux-gnu"
	echo "deb $(debian_mirror) $release main" >"$apt/sources.list"
	local options=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
	if ! (cd "$apt" && apt-get -qq "${options[@]}" update && apt-get -qq "${options[@]}" download "libc6/$release") >apt.log 2>&1; then
		say "$name: no package of another libc ($(tail -1 apt.log))"
		return $left_out
	fi
	echo "chroot with $(basename "$apt"/libc6_*.deb)" >>made.txt
	dpkg-deb -x "$apt"/libc6_*.deb "$apt/x"
	lib=$(dirname "$(find "$apt/x" -name libc.so.6)")
	for each in libc.so.6 "$@"; do cp -L "$lib/$each" "$root/lib/x86_64-linux-gnu/"; done
	cp -L "$lib/ld-linux-x86-64.so.2" "$root/lib64/"
	rm -rf "$apt" apt.log
}

# otherlibc_core: with Debian 13's libc (any but this machine's would do).
otherlibc_core() {
	local root=$dir/root
	other_libc trixie "$root" || return
	c root/crash -O2 -g "$native/crash.c" && cd root && die /usr/sbin/chroot "$root" /crash abort &&
		cd .. && mv root/core root/made.txt . || return
	note="without -sysroot, this machine's libc.so.6 must be refused"
	extra='"args": ["-sysroot", "root"]'
	SYSROOT=$root finish crash-abort root/crash
}
