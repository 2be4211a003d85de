# hotspot.sh: cores of Java on HotSpot, of several releases, interpreted and compiled. Sourced by make.

readonly java17=/usr/lib/jvm/java-17-openjdk-amd64 java25=/usr/lib/jvm/temurin-25-jdk-amd64

# hotspot_cores: a name is hotspot-RELEASE-HOW. Those called "whole" have what the JVM leaves in a core when nobody tells it not to.
hotspot_cores() {
	local home release
	for release in 17 25; do
		home=java$release
		core "hotspot-$release-int" "gcc javac ${!home}/bin/java" "hotspot/Scene.java hotspot/scene.c" scene_core "${!home}" -Xint
		core "hotspot-$release-mixed" "gcc javac ${!home}/bin/java" "hotspot/Scene.java hotspot/scene.c" scene_core "${!home}" -XX:+UseSerialGC
		core "hotspot-$release-c1" "gcc javac ${!home}/bin/java" "hotspot/Scene.java hotspot/scene.c" scene_core "${!home}" -Xcomp -XX:TieredStopAtLevel=1
		core "hotspot-$release-c2" "gcc javac ${!home}/bin/java" "hotspot/Scene.java hotspot/scene.c" scene_core "${!home}" -Xcomp -XX:-TieredCompilation
		heap_cores "$release" "${!home}"
		core "java-thrown-$release-uncaught" "gcc javac ${!home}/bin/java" "hotspot/Thrown.java hotspot/thrown.c" thrown_core "${!home}" uncaught
		core "java-thrown-$release-int" "gcc javac ${!home}/bin/java" "hotspot/Thrown.java hotspot/thrown.c" thrown_core "${!home}" uncaught -Xint
		core "java-thrown-$release-pending" "gcc javac ${!home}/bin/java" "hotspot/Thrown.java hotspot/thrown.c" thrown_core "${!home}" pending
		core "java-$release-full" "javac ${!home}/bin/java" hotspot/Full.java full_core "${!home}"
	done
	core hotspot-17-whole "gcc javac $java17/bin/java" "hotspot/Scene.java hotspot/scene.c" scene_core "$java17" -XX:+UseParallelGC -XX:+DumpPrivateMappingsInCore -XX:+DumpSharedMappingsInCore -Xshare:auto
	jvm_of jvm-8 8 sid amd64 -XX:+UseSerialGC
	jvm_of jvm-8-comp 8 sid amd64 -XX:+UseParallelGC -Xcomp
	jvm_of jvm-11 11 bullseye amd64
	jvm_of jvm-21 21 trixie amd64
	jvm_of jvm-21-comp 21 trixie amd64 -XX:+UseSerialGC -Xcomp
	jvm_of jvm-21-light 21 trixie amd64 -XX:+UseSerialGC -XX:+UnlockExperimentalVMOptions -XX:LockingMode=2
	jvm_of jvm-25 25 trixie amd64 -XX:+UseSerialGC
	jvm_of jvm-25-compact 25 trixie amd64 -XX:+UseCompactObjectHeaders
	jvm_of jvm-27 27 sid amd64
	jvm_of jvm-8-int 8 sid amd64 -Xint
	jvm_of jvm-11-int 11 bullseye amd64 -Xint
	jvm_of jvm-11-comp 11 bullseye amd64 -XX:+UseParallelGC -Xcomp
	jvm_of jvm-17 17 bookworm amd64
	jvm_of jvm-17-int 17 bookworm amd64 -XX:+UseSerialGC -Xint
	jvm_of jvm-17-z 17 bookworm amd64 -XX:+UseZGC
	jvm_of jvm-17-shenandoah 17 bookworm amd64 -XX:+UseShenandoahGC
	jvm_of jvm-21-int 21 trixie amd64 -XX:+UseParallelGC -Xint
	jvm_of jvm-21-z 21 trixie amd64 -XX:+UseZGC -XX:+ZGenerational
	jvm_of jvm-25-int 25 trixie amd64 -Xint
	jvm_of jvm-25-comp 25 trixie amd64 -XX:+UseParallelGC -Xcomp
	jvm_of jvm-25-z 25 trixie amd64 -XX:+UseZGC -Xcomp -XX:TieredStopAtLevel=1
	jvm_of jvm-25-shenandoah 25 trixie amd64 -XX:+UseShenandoahGC
	jvm_of jvm-27-int 27 sid amd64 -XX:+UseSerialGC -Xint
	jvm_of jvm-a64-21 21 trixie arm64 -XX:+UseSerialGC -Xint
	jvm_of jvm-a64-17 17 bookworm arm64 -XX:+UseSerialGC -Xint
	jvm_of jvm-a64-17-comp 17 bookworm arm64 -XX:+UseSerialGC -Xcomp -XX:TieredStopAtLevel=1
	counted_of java-heap-21-z 21 trixie "Heap /libwait.so - /out" -XX:+UseZGC
	counted_of java-heap-21-generations 21 trixie "Heap /libwait.so - /out" -XX:+UseZGC -XX:+ZGenerational
	counted_of java-heap-21-shenandoah 21 trixie "Heap /libwait.so - /out" -XX:+UseShenandoahGC
	counted_of java-heap-27-g1 27 sid "Heap /libwait.so - /out" -XX:+UseG1GC
	counted_of java-counted-8-cms 8 sid "Moving 20000 wait" -XX:+UseConcMarkSweepGC -XX:MaxTenuringThreshold=1
	counted_of java-counted-11-cms 11 bullseye "Moving 20000 wait" -XX:+UseConcMarkSweepGC -XX:MaxTenuringThreshold=1
	counted_of java-counted-11-g1 11 bullseye "Moving 20000 wait" -XX:+UseG1GC
	full_of jvmfull-8 8 sid amd64
	full_of jvmfull-11 11 bullseye amd64
	full_of jvmfull-21 21 trixie amd64
	full_of jvmfull-25 25 trixie amd64
	full_of jvmfull-a64-21 21 trixie arm64
	for release in 21:trixie 25:trixie 27:sid; do
		ready_of "virtual-${release%:*}" Virtual java-deadlock "${release#*:}" -Djdk.virtualThreadScheduler.parallelism=12
		ready_of "virtual-${release%:*}-int" Virtual java-deadlock "${release#*:}" -Djdk.virtualThreadScheduler.parallelism=12 -XX:+UseSerialGC -Xint
	done
	ready_of virtual-21-comp Virtual java-deadlock trixie -Djdk.virtualThreadScheduler.parallelism=12 -XX:+UseParallelGC -Xcomp -XX:-TieredCompilation
	ready_of virtual-25-comp Virtual java-deadlock trixie -Djdk.virtualThreadScheduler.parallelism=12 -XX:+UseParallelGC -Xcomp -XX:-TieredCompilation
	ready_of virtual-27-comp Virtual java-deadlock sid -Djdk.virtualThreadScheduler.parallelism=12 -Xcomp -XX:-TieredCompilation
	ready_of javavars-11-int Vars killed bullseye -Xint
	ready_of javavars-21 Vars killed trixie
	ready_of javavars-25-int Vars killed trixie -Xint
	ready_of javavars-25-c1 Vars killed trixie -Xcomp -XX:TieredStopAtLevel=1
	ready_of javavars-25-c2 Vars killed trixie -Xcomp -XX:-TieredCompilation
	ready_of virtual-25-compact Virtual java-deadlock trixie -Djdk.virtualThreadScheduler.parallelism=12 -XX:+UseCompactObjectHeaders
	for release in 21:trixie 25:trixie; do
		mode_of javafrozen Frozen "int:$release" killed -Xint
		mode_of javafrozen Frozen "comp:$release" killed -Xcomp -XX:-TieredCompilation
	done
	stuck_cores
	leaking_cores
	grid_cores
	ready_of virtual-21-wide Virtual java-deadlock trixie -Djdk.virtualThreadScheduler.parallelism=12 -XX:-UseCompressedOops -XX:+UseSerialGC
}

# stuck_cores: a name is javastuck-RELEASE-MODE, with the modes of sources/hotspot/Stuck.java.
stuck_cores() {
	local mode
	for mode in monitors:8:sid locks:8:sid mixed:11:bullseye upgrade:11:bullseye pool:17:bookworm pool:8:sid future:17:bookworm \
		classes:25:trixie classes:11:bullseye join:11:bullseye mutex:17:bookworm mutex:25:trixie common:21:trixie; do
		mode_of javastuck Stuck "$mode" java-deadlock
	done
	for mode in semaphore:21:trixie latch:25:trixie queue:8:sid signal:17:bookworm database:25:trixie; do
		mode_of javastuck Stuck "$mode" killed
	done
}

# leaking_cores: a name is javaleak-RELEASE-MODE, with the modes of sources/hotspot/Leaks.java.
leaking_cores() {
	local mode
	for mode in statics:8:sid locals:11:bullseye loaders:17:bookworm listeners:21:trixie cache:25:trixie finalizers:8:sid streams:17:bookworm \
		queue:21:trixie interned:25:trixie sessions:11:bullseye inner:17:bookworm keys:21:trixie deleted:25:trixie loaders:8:sid locals:25:trixie; do
		mode_of javaleak Leaks "$mode" killed
	done
}

# grid_cores: a name is javagrid-RELEASE-COLLECTOR-HOW. Those called "whole" hold libjvm, as they do by default.
grid_cores() {
	local each release suite collector how
	for each in 8:sid:g1:int 8:sid:serial:comp 8:sid:parallel:mixed 11:bullseye:serial:int 11:bullseye:g1:comp 11:bullseye:shenandoah:mixed \
		17:bookworm:shenandoah:int 17:bookworm:z:mixed 17:bookworm:parallel:comp 21:trixie:g1:int 21:trixie:shenandoah:comp 21:trixie:generations:mixed \
		25:trixie:parallel:int 25:trixie:shenandoah:c1 25:trixie:z:mixed 25:trixie:compact:mixed 27:sid:z:int 27:sid:serial:comp 27:sid:parallel:mixed \
		11:bullseye:parallel:whole 21:trixie:z:whole 25:trixie:g1:whole; do
		IFS=: read -r release suite collector how <<<"$each"
		core "javagrid-$release-$collector-$how" "gcc javac apt-get dpkg-deb unshare $java17/bin/jcmd" \
			"hotspot/Grid.java hotspot/Modern.java hotspot/grid.c" grid_core "$release" "$suite" "$collector" "$how"
	done
}

# grid_core RELEASE SUITE COLLECTOR HOW: JDK 17's jcmd has the JVM write all threads to threads.txt, from JDK 21 on, what it says of itself to
# vm.txt, its heap, and count its objects. Its thread dump in out.txt is the last that it does.
grid_core() {
	local release=$1 home pid turn flags=(-XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions -XX:-UsePerfData -Xmx32m -Xshare:off)
	jvm_root "$1" "$2" amd64 || return
	mkdir -p root/out
	build javac --release 8 -nowarn -g -d root/classes "$staged/hotspot/Grid.java" &&
		c root/libgrid.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/grid.c" || return
	[ "$release" -lt 17 ] || build javac --release 17 -nowarn -g -cp root/classes -d root/classes "$staged/hotspot/Modern.java" || return
	[ "$release" -lt 21 ] || flags+=(--enable-preview -Djdk.virtualThreadScheduler.parallelism=6)
	[ "$release" = 8 ] || flags+=(-XX:-DumpSharedMappingsInCore)
	[ "$release" = 8 ] || [ "$4" = whole ] || flags+=(-XX:-DumpPrivateMappingsInCore)
	case $3 in
	serial) flags+=(-XX:+UseSerialGC) ;;
	parallel) flags+=(-XX:+UseParallelGC) ;;
	g1) flags+=(-XX:+UseG1GC) ;;
	shenandoah) flags+=(-XX:+UseShenandoahGC) ;;
	z) flags+=(-XX:+UseZGC) ;;
	generations) flags+=(-XX:+UseZGC -XX:+ZGenerational) ;;
	compact) flags+=(-XX:+UseSerialGC -XX:+UseCompactObjectHeaders) ;;
	esac
	case $4 in
	int) flags+=(-Xint) ;;
	comp) flags+=(-Xcomp) ;;
	c1) flags+=(-Xcomp -XX:TieredStopAtLevel=1) ;;
	esac
	flags+=(-Dlibrary=/libgrid.so -cp /classes Grid)
	echo "Debian's $home: java ${flags[*]}, then kill -QUIT, jcmd, kill -ABRT" >>made.txt
	# shellcheck disable=SC2016 # for the inner shell
	(ulimit -c unlimited && bare unshare -m sh -c 'mount --bind /proc root/proc && mount --bind /dev root/dev && mount --bind /tmp root/tmp && exec /usr/sbin/chroot root "$@"' sh \
		"/$home/bin/java" "${flags[@]}") >out.txt 2>&1 </dev/null &
	pid=$!
	await_line ready "$pid"
	if [ "$release" -ge 21 ]; then "$java17/bin/jcmd" "$pid" Thread.dump_to_file /out/threads.txt >jcmd.txt || return; fi
	for turn in VM.version VM.flags VM.system_properties VM.command_line GC.heap_info; do
		"$java17/bin/jcmd" "$pid" "$turn" || true # JDK 8 has fewer
	done >vm.txt
	[ "$release" -lt 17 ] || "$java17/bin/jcmd" "$pid" VM.metaspace show-loaders scale=1 >>vm.txt || return
	"$java17/bin/jcmd" "$pid" GC.heap_dump -all /out/heap.hprof >>jcmd.txt && "$java17/bin/jcmd" "$pid" GC.class_histogram -all >histogram.txt || kill -KILL "$pid"
	kill -QUIT "$pid" || true
	await_line '^Heap' "$pid"
	sleep 1
	kill -ABRT "$pid" || true
	reap "$pid"
	rm -f "${TMPDIR:-/tmp}/.java_pid$pid"
	mv root/out/* . && mv root/core* core && rm -rf root/out && take_core && jvm_kept &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s/bin/java", "args": ["-sysroot", "root", "-search", "root"], "needs": "runtime", "verdict": "java-deadlock"}\n' \
			"$name" "$home" >truth.json
}

# mode_of KIND PROGRAM MODE:RELEASE:SUITE VERDICT FLAG...
mode_of() {
	local mode release suite
	IFS=: read -r mode release suite <<<"$3"
	core "$1-$release-$mode" 'gcc javac apt-get dpkg-deb unshare' "hotspot/$2.java hotspot/stuck.c" mode_core "$2" "$mode" "$release" "$suite" "${@:4}"
}

# mode_core PROGRAM MODE RELEASE SUITE VERDICT FLAG...: the property "mode" says what the program does. It is ended once it says "ready".
mode_core() {
	local pid home flags=(-XX:+UnlockDiagnosticVMOptions -XX:-UsePerfData -Xmx24m -Xshare:off -XX:+UseSerialGC)
	jvm_root "$3" "$4" amd64 || return
	build javac --release 8 -nowarn -g -d root/classes "$staged/hotspot/$1.java" &&
		c root/libstuck.so -O1 -g "-ffile-prefix-map=$staged/hotspot=." -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/stuck.c" || return
	[ "$3" = 8 ] || flags+=(-XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore)
	flags+=("${@:6}")
	echo "Debian's $home: java ${flags[*]} -Dmode=$2 $1, then kill -ABRT" >>made.txt
	# shellcheck disable=SC2016 # for the inner shell
	(ulimit -c unlimited && bare unshare -m sh -c 'mount --bind /proc root/proc && mount --bind /dev root/dev && exec /usr/sbin/chroot root "$@"' sh \
		"/$home/bin/java" "${flags[@]}" "-Dmode=$2" -Dlibrary=/libstuck.so -cp /classes "$1") >out.txt 2>&1 </dev/null &
	pid=$!
	await_line ready "$pid"
	sleep 0.5
	kill -ABRT "$pid" || true
	reap "$pid"
	[ ! -f root/core ] || mv root/core .
	take_core && jvm_kept &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s/bin/java", "args": ["-sysroot", "root", "-search", "root"], "needs": "runtime", "verdict": "%s"}\n' \
			"$name" "$home" "$5" >truth.json
}

# jvm_root RELEASE SUITE ARCH: unpacks the JVM of a release of Debian into root, and sets home to its folder there.
jvm_root() {
	local at=$LIVE/.jvm/$1-$2-$3 each
	locked "$at" jvm_packages "$@" || return
	for each in "$at"/*.deb; do dpkg-deb -x "$each" root || return; done
	for each in bin lib lib64; do
		[ -e "root/$each" ] || [ ! -e "root/usr/$each" ] || ln -s "usr/$each" "root/$each"
	done
	home=$(cd root && ls -d usr/lib/jvm/java-*"-$1-openjdk-$3" usr/lib/jvm/"java-$1-openjdk-$3" 2>/dev/null | head -1)
	[ ! -d "root/$home/jre" ] || home+=/jre
	mkdir -p root/proc root/dev root/tmp
}

# jvm_kept: of root stay the libraries and the program.
jvm_kept() {
	rm -rf root/proc root/dev root/tmp root/classes &&
		find root -type f ! -name '*.so*' ! -name java -delete && find root -type d -empty -delete
}

# await_line TEXT PID: waits until out.txt has the text, for two minutes at most, or the process has ended.
await_line() {
	local turn
	for turn in $(seq 600); do
		if ! kill -0 "$2" 2>/dev/null || grep -q "$1" out.txt; then return; fi
		sleep 0.2
	done
}

# ready_of NAME PROGRAM VERDICT SUITE FLAG...: a program of sources/hotspot on the JVM of a release of Debian, which the name has as its second part.
ready_of() {
	local release=${1#*-}
	core "$1" 'javac apt-get dpkg-deb unshare' "hotspot/$2.java" ready_core "$2" "$3" "${release%%-*}" "${@:4}"
}

# ready_core PROGRAM VERDICT RELEASE SUITE FLAG...: the program says "ready" once it stands still, and is then ended. root is the part of
# its system that the core does not have.
ready_core() {
	local program=$1 verdict=$2 at=$LIVE/.jvm/$3-$4-amd64 home pid turn
	locked "$at" jvm_packages "$3" "$4" amd64 || return
	for turn in "$at"/*.deb; do dpkg-deb -x "$turn" root || return; done
	for turn in bin lib lib64; do
		[ -e "root/$turn" ] || [ ! -e "root/usr/$turn" ] || ln -s "usr/$turn" "root/$turn"
	done
	home=usr/lib/jvm/java-$3-openjdk-amd64
	mkdir -p root/proc root/dev root/tmp
	build javac --release 8 -nowarn -g -d root/classes "$staged/hotspot/$program.java" || return
	set -- "/$home/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-UsePerfData -Xmx24m -Xshare:off \
		-XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore "${@:5}" -cp /classes "$program"
	echo "Debian's $home: $*, then kill -ABRT" >>made.txt
	# shellcheck disable=SC2016 # for the inner shell
	(ulimit -c unlimited && bare unshare -m sh -c 'mount --bind /proc root/proc && mount --bind /dev root/dev && exec /usr/sbin/chroot root "$@"' sh "$@") \
		>out.txt 2>&1 </dev/null &
	pid=$!
	for turn in $(seq 300); do
		if [ "$turn" = 300 ] || ! kill -0 "$pid" 2>/dev/null || grep -q ready out.txt; then break; fi
		sleep 0.2
	done
	sleep 0.5
	kill -ABRT "$pid" || true
	reap "$pid"
	[ ! -f root/core ] || mv root/core .
	take_core && rm -rf root/proc root/dev root/tmp root/classes &&
		find root -type f ! -name '*.so*' ! -name java -delete && find root -type d -empty -delete &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s/bin/java", "args": ["-sysroot", "root", "-search", "root"], "needs": "runtime", "verdict": "%s"}\n' \
			"$name" "$home" "$verdict" >truth.json
}

# counted_of NAME RELEASE SUITE PROGRAM FLAG...: a program that waits, on a JVM of a release of Debian.
counted_of() {
	core "$1" "gcc javac apt-get dpkg-deb unshare $java17/bin/jcmd" "hotspot/${4%% *}.java hotspot/wait.c" counted_core "${@:2}"
}

# counted_core RELEASE SUITE PROGRAM FLAG...: JDK 17's jcmd has the JVM write its heap and count its objects, as heap_core does.
counted_core() {
	local release=$1 class=${3%% *} at=$LIVE/.jvm/$1-$2-amd64 home pid turn run java=8 flags=(-XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions -XX:-UsePerfData -Xmx48m -Xshare:off)
	locked "$at" jvm_packages "$release" "$2" amd64 || return
	for turn in "$at"/*.deb; do dpkg-deb -x "$turn" root || return; done
	for turn in bin lib lib64; do
		[ -e "root/$turn" ] || [ ! -e "root/usr/$turn" ] || ln -s "usr/$turn" "root/$turn"
	done
	home=$(cd root && ls -d usr/lib/jvm/java-*"-$release-openjdk-amd64" usr/lib/jvm/"java-$release-openjdk-amd64" 2>/dev/null | head -1)
	[ ! -d "root/$home/jre" ] || home+=/jre
	mkdir -p root/proc root/dev root/tmp root/out
	[ "$class" != Heap ] || java=17
	build javac --release "$java" -d root/classes "$staged/hotspot/$class.java" &&
		c root/libwait.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/wait.c" || return
	[ "$release" = 8 ] || flags+=(-XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore)
	# shellcheck disable=SC2016 # for the inner shell
	run=(unshare -m sh -c 'mount --bind /proc root/proc && mount --bind /dev root/dev && mount --bind /tmp root/tmp && exec /usr/sbin/chroot root "$@"' sh "/$home/bin/java")
	# shellcheck disable=SC2206 # a class and its arguments
	flags+=("${@:4}" -cp /classes $3)
	echo "Debian's openjdk-$release of $2: java ${flags[*]}, then jcmd GC.heap_dump and GC.class_histogram, then kill -ABRT" >>made.txt
	(ulimit -c unlimited && bare "${run[@]}" "${flags[@]}") >out.txt 2>&1 </dev/null &
	pid=$!
	for turn in $(seq 600); do
		if [ "$turn" = 600 ] || ! kill -0 "$pid" 2>/dev/null || grep -q ready out.txt; then break; fi
		sleep 0.1
	done
	"$java17/bin/jcmd" "$pid" GC.heap_dump -all /out/heap.hprof >jcmd.txt && "$java17/bin/jcmd" "$pid" GC.class_histogram -all >histogram.txt || kill -KILL "$pid"
	kill -ABRT "$pid" || true
	reap "$pid"
	rm -f "${TMPDIR:-/tmp}/.java_pid$pid"
	mv root/out/* . && mv root/core* core && take_core && rm -rf root/proc root/dev root/tmp root/out &&
		find root -type f ! -name '*.so*' ! -name java -delete && find root -type d -empty -delete &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s/bin/java", "args": ["-sysroot", "root", "-search", "root"], "needs": "runtime", "verdict": "killed"}\n' "$name" "$home" >truth.json
}

# moving_core HOME COUNT BEGIN END FLAG...: the JVM dies while its collector moves objects, which it does between lines of its log with BEGIN
# and END. If it was faster it is run again.
moving_core() {
	local home=$1 count=$2 begin=$3 end=$4 turn='' line='' state='' lines=0 pid
	shift 4
	build javac --release 8 -d . "$staged/hotspot/Moving.java" && mkfifo log || return
	set -- "$home/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
		-XX:-UsePerfData -Xmx96m -Xshare:off -XX:ConcGCThreads=1 "$@" -cp . Moving "$count"
	echo "$*, then kill -ABRT at a line with \"$begin\"" >>made.txt
	for turn in $(seq 20); do
		state='' lines=0
		rm -f core core.*
		(ulimit -c unlimited && bare "$@") >log 2>&1 </dev/null &
		pid=$!
		while read -r line; do
			case $state,$line in
			,ready) state=ready ;;
			ready,*"$begin" | ready,*"$begin "*) kill -ABRT "$pid" && state=killed ;;
			killed,*"$end"*) state=late ;;
			esac
			[ $((lines += 1)) -lt 2000 ] || kill -KILL "$pid"
		done <log
		reap "$pid"
		[ "$state" != killed ] || break
	done
	rm -f log
	[ "$state" = killed ] || { say "$name: $turn times the collector was faster"; return 1; }
	take_core && printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "killed"}\n' "$name" "$home/bin/java" >truth.json
}

# full_of NAME RELEASE SUITE ARCH: sources/hotspot/Full.java on a JVM of a release of Debian, whose libjvm has no symbols.
full_of() {
	local tools='javac apt-get dpkg-deb unshare strip'
	[ "$4" = amd64 ] || tools+=' qemu-aarch64 aarch64-linux-gnu-strip'
	core "$1" "$tools" hotspot/Full.java jvmfull_core "${@:2}"
}

# jvmfull_core RELEASE SUITE ARCH: the heap is full, and the JVM prints to out.txt what it dies of. libjvm is stripped afterwards.
# root is the part of its system that the core does not have.
jvmfull_core() {
	local release=$1 arch=$3 at=$LIVE/.jvm/$1-$2-$3 strip=strip classes=/classes home deb run
	local flags=(-XX:+UnlockDiagnosticVMOptions -XX:-UsePerfData -Xmx16m -Xshare:off -XX:+UseSerialGC -XX:+CrashOnOutOfMemoryError)
	locked "$at" jvm_packages "$@" || return
	for deb in "$at"/*.deb; do dpkg-deb -x "$deb" root || return; done
	for deb in bin lib lib64; do
		[ -e "root/$deb" ] || [ ! -e "root/usr/$deb" ] || ln -s "usr/$deb" "root/$deb"
	done
	home=$(cd root && ls -d usr/lib/jvm/java-*"-$release-openjdk-$arch" usr/lib/jvm/"java-$release-openjdk-$arch" 2>/dev/null | head -1)
	[ ! -d "root/$home/jre" ] || home+=/jre
	mkdir -p root/proc root/dev root/tmp
	build javac --release 8 -d root/classes "$staged/hotspot/Full.java" || return
	[ "$release" = 8 ] || flags+=(-XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore)
	# shellcheck disable=SC2016 # for the inner shell
	run=(unshare -m sh -c 'mount --bind /proc root/proc && mount --bind /dev root/dev && exec /usr/sbin/chroot root "$@"' sh "/$home/bin/java")
	if [ "$arch" != amd64 ]; then
		strip=aarch64-linux-gnu-strip classes=root/classes run=(qemu-aarch64 -L root "root/$home/bin/java")
	fi
	echo "Debian's openjdk-$release of $2: java ${flags[*]} Full, then $strip libjvm.so" >>made.txt
	(ulimit -c unlimited && bare "${run[@]}" "${flags[@]}" -cp "$classes" Full) >out.txt 2>&1 </dev/null &
	reap $!
	[ ! -f root/core ] || mv root/core .
	take_core && of_an_arch "$arch" && rm -rf root/proc root/dev root/tmp &&
		find root -type f ! -name '*.so*' ! -name java -delete && find root -type d -empty -delete &&
		find root -name libjvm.so -exec "$strip" {} + &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s", "args": ["-sysroot", "root", "-search", "root"], "needs": "runtime", "verdict": "java-out-of-memory", "threads": [{"who": "crashed", "frames": %s, "lines": %s}]}\n' \
			"$name" "$home/bin/java" '["...", "Full.fill", "Full.main", "call_stub", "..."]' '["", "Full.java:10", "Full.java:14"]' >truth.json
}

# jvm_of NAME RELEASE SUITE ARCH FLAG...: sources/hotspot/Locks.java on a JVM of a release of Debian.
jvm_of() {
	local tools='javac apt-get dpkg-deb unshare'
	[ "$4" = amd64 ] || tools+=' qemu-aarch64'
	core "$1" "$tools" hotspot/Locks.java jvm_core "${@:2}"
}

# jvm_core RELEASE SUITE ARCH FLAG...: the JVM prints its thread dump to out.txt just before it dies. root is the part of
# its system that the core does not have.
jvm_core() {
	local release=$1 arch=$3 at=$LIVE/.jvm/$1-$2-$3 verdict=java-deadlock home pid turn run flags=(-XX:+UnlockDiagnosticVMOptions -XX:-UsePerfData -Xmx24m -Xshare:off)
	locked "$at" jvm_packages "$@" || return
	for turn in "$at"/*.deb; do dpkg-deb -x "$turn" root || return; done
	for turn in bin lib lib64; do
		[ -e "root/$turn" ] || [ ! -e "root/usr/$turn" ] || ln -s "usr/$turn" "root/$turn"
	done
	home=$(cd root && ls -d usr/lib/jvm/java-*"-$release-openjdk-$arch" usr/lib/jvm/"java-$release-openjdk-$arch" 2>/dev/null | head -1)
	[ ! -d "root/$home/jre" ] || home+=/jre
	mkdir -p root/proc root/dev root/tmp
	build javac --release 8 -d root/classes "$staged/hotspot/Locks.java" || return
	[ "$release" = 8 ] || flags+=(-XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore)
	# shellcheck disable=SC2016 # for the inner shell
	run=(unshare -m sh -c 'mount --bind /proc root/proc && mount --bind /dev root/dev && exec /usr/sbin/chroot root "$@"' sh "/$home/bin/java")
	[ "$arch" = amd64 ] || verdict=unknown # a core of qemu's guest does not say who sent the signal
	[ "$arch" = amd64 ] || run=(qemu-aarch64 -L root "root/$home/bin/java")
	flags+=("${@:4}" -cp "$([ "$arch" = amd64 ] || echo root)/classes" Locks)
	echo "Debian's openjdk-$release of $2: java ${flags[*]}, then kill -QUIT and -ABRT" >>made.txt
	(ulimit -c unlimited && bare "${run[@]}" "${flags[@]}") >out.txt 2>&1 </dev/null &
	pid=$!
	for turn in $(seq 600); do
		if [ "$turn" = 600 ] || ! kill -0 "$pid" 2>/dev/null; then break; fi
		if grep -q ready out.txt; then kill -QUIT "$pid" && break; fi
		sleep 0.2
	done
	for turn in $(seq 50); do
		if grep -q 'class space' out.txt; then break; fi
		sleep 0.2
	done
	sleep 1
	kill -ABRT "$pid" || true
	reap "$pid"
	[ ! -f root/core ] || mv root/core .
	take_core && of_an_arch "$arch" && rm -rf root/proc root/dev root/tmp &&
		find root -type f ! -name '*.so*' ! -name java -delete && find root -type d -empty -delete &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s/bin/java", "args": ["-sysroot", "root", "-search", "root"], "needs": "runtime", "verdict": "%s"}\n' "$name" "$home" "$verdict" >truth.json
}

# of_an_arch ARCH: the core is not that of qemu.
of_an_arch() { [ "$1" = amd64 ] || of_the_guest; }

# jvm_packages RELEASE SUITE ARCH: the packages of the JVM of a release of Debian, and of the libraries that it needs.
jvm_packages() {
	[ ! -e "$at/done" ] || return 0
	rm -rf "$at" && mkdir -p "$at" || return
	(
		cd "$at" && debian_packages "$3" "$2" && cd apt/cache/archives &&
			APT_CONFIG=$at/apt/conf apt-get -qq download "openjdk-$1-jre-headless" libc6 libgcc-s1 libstdc++6 zlib1g
	) >"$at.log" 2>&1 || {
		say "$name: no JVM of $2 ($(tail -1 "$at.log"))"
		return $left_out
	}
	mv "$at"/apt/cache/archives/*.deb "$at" && rm -rf "$at/apt" "$at/root" "$at.log" && touch "$at/done"
}

# scene_core HOME FLAG...: the JVM prints its thread dump to out.txt just before it dies. One of its threads spins.
scene_core() {
	local home=$1
	shift
	build javac -d . "$staged/hotspot/Scene.java" &&
		c libscene.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/scene.c" &&
		die "$home/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m -Xshare:off "$@" -cp "$dir" Scene "$dir/libscene.so" &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "verdict": "java-deadlock"}\n' "$name" "$home/bin/java" >truth.json
}

# thrown_core HOME MODE FLAG...: a thread ends the process with an exception.
thrown_core() {
	local verdict=java-uncaught frames='["...", "Thrown.die", "...", "java.lang.Thread.dispatchUncaughtException", "..."]'
	[ "$2" = uncaught ] || verdict=abort frames='["...", "Thrown.raise", "Thrown.serve", "..."]'
	build javac -d . "$staged/hotspot/Thrown.java" &&
		c libthrown.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/thrown.c" &&
		die "$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m -Xshare:off "${@:3}" -cp "$dir" Thrown "$dir/libthrown.so" "$2" &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "%s", "threads": [{"who": "crashed", "frames": %s}]}\n' \
			"$name" "$1/bin/java" "$verdict" "$frames" >truth.json
}

# heap_cores RELEASE HOME: a name is java-heap-RELEASE-COLLECTOR, or that of another form of objects.
heap_cores() {
	local tools="gcc javac $2/bin/java $2/bin/jcmd"
	core "java-heap-$1-serial" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -XX:+UseSerialGC
	core "java-heap-$1-parallel" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -XX:+UseParallelGC
	core "java-heap-$1-g1" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -XX:+UseG1GC
	core "java-heap-$1-archive" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:auto -XX:+UseG1GC
	core "java-heap-$1-wide" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -XX:+UseSerialGC -XX:-UseCompressedOops -XX:-UseCompressedClassPointers
	core "java-heap-$1-z" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -Xmx48m -XX:+UseZGC
	core "java-heap-$1-shenandoah" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -Xmx48m -XX:+UseShenandoahGC
	core "java-heap-$1-epsilon" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -Xmx48m -XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC
	core "java-service-$1" "javac $2/bin/java" hotspot/Service.java service_core "$2"
	core "java-direct-$1" "javac $2/bin/java" hotspot/Direct.java direct_core "$2" -XX:+UseSerialGC
	local begin="Pause Relocate Start"
	[ "$1" -lt 25 ] || begin="GC(1) Y: $begin" # the first one has nothing to move
	core "java-moving-$1-z" "javac $2/bin/java" hotspot/Moving.java moving_core "$2" 200000 "$begin" "Concurrent Relocate" -Xlog:gc+phases -XX:+UseZGC
	core "java-moving-$1-shenandoah" "javac $2/bin/java" hotspot/Moving.java moving_core "$2" 500000 "Concurrent evacuation" "Concurrent cleanup" "-Xlog:gc*" -XX:+UseShenandoahGC
	[ "$1" -lt 25 ] || core "java-moving-$1-compact" "javac $2/bin/java" hotspot/Moving.java moving_core "$2" 500000 "Concurrent evacuation" "Concurrent cleanup" "-Xlog:gc*" -XX:+UseShenandoahGC -XX:+UseCompactObjectHeaders
	[ "$1" -lt 25 ] || core "java-heap-$1-compact" "$tools" "hotspot/Heap.java hotspot/heap.c" heap_core "$2" -Xshare:off -XX:+UseSerialGC -XX:+UseCompactObjectHeaders
}

# heap_core HOME FLAG...: the JVM counts its objects just before it dies: histogram.txt, and all of them in heap.hprof.
heap_core() {
	local home=$1
	shift
	build javac -d . "$staged/hotspot/Heap.java" &&
		c libheap.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/heap.c" &&
		die "$home/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m "$@" -cp "$dir" Heap "$dir/libheap.so" "$home/bin/jcmd" "$dir" &&
		[ -s histogram.txt ] && [ -s heap.hprof ] &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "verdict": "abort"}\n' "$name" "$home/bin/java" >truth.json
}

# service_core HOME: the heap of a service is full, and the flag has the JVM die of it.
service_core() {
	build javac --release 11 -g -d . "$staged/hotspot/Service.java" &&
		die "$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m -Xshare:off -XX:+UseSerialGC -XX:+CrashOnOutOfMemoryError -cp "$dir" Service &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "java-out-of-memory"}\n' "$name" "$1/bin/java" >truth.json
}

# direct_core HOME FLAG...: the JVM counts its direct buffers in out.txt.
direct_core() {
	build javac --release 11 -d . "$staged/hotspot/Direct.java" &&
		die "$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m -Xshare:off "${@:2}" -cp "$dir" Direct &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "killed"}\n' "$name" "$1/bin/java" >truth.json
}

# full_core HOME FLAG...: the heap is full, and the flag has the JVM die of it.
full_core() {
	build javac -d . "$staged/hotspot/Full.java" &&
		die "$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx16m -Xshare:off -XX:+UseSerialGC -XX:+CrashOnOutOfMemoryError "${@:2}" -cp "$dir" Full &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "java-out-of-memory", "threads": [{"who": "crashed", "frames": %s, "lines": %s}]}\n' \
			"$name" "$1/bin/java" '["...", "Full.fill", "Full.main", "call_stub", "JavaCalls::call_helper", "..."]' '["", "Full.java:10", "Full.java:14"]' >truth.json
}
