# hotspot.sh: cores of Java on HotSpot, of several releases, interpreted and compiled. Sourced by make.

readonly java17=/usr/lib/jvm/java-17-openjdk-amd64 java25=/usr/lib/jvm/temurin-25-jdk-amd64

# hotspot_cores: a name is hotspot-RELEASE-HOW. Those called "whole" have what the JVM leaves in a core when nobody tells it not to.
hotspot_cores() {
	local home release
	for release in 17 25; do
		home=java$release
		core "hotspot-$release-int" "gcc javac ${!home}/bin/java" hotspot scene_core "${!home}" -Xint
		core "hotspot-$release-mixed" "gcc javac ${!home}/bin/java" hotspot scene_core "${!home}" -XX:+UseSerialGC
		core "hotspot-$release-c1" "gcc javac ${!home}/bin/java" hotspot scene_core "${!home}" -Xcomp -XX:TieredStopAtLevel=1
		core "hotspot-$release-c2" "gcc javac ${!home}/bin/java" hotspot scene_core "${!home}" -Xcomp -XX:-TieredCompilation
		core "java-$release-full" "javac ${!home}/bin/java" hotspot full_core "${!home}"
	done
	core hotspot-17-whole "gcc javac $java17/bin/java" hotspot scene_core "$java17" -XX:+UseParallelGC -XX:+DumpPrivateMappingsInCore -XX:+DumpSharedMappingsInCore -Xshare:auto
}

# scene_core HOME FLAG...: the JVM prints its thread dump to out.txt just before it dies. One of its threads spins.
scene_core() {
	local home=$1
	shift
	build javac -d . "$staged/hotspot/Scene.java" &&
		c libscene.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/scene.c" &&
		die "$home/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m -Xshare:off "$@" -cp "$dir" Scene "$dir/libscene.so" &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "verdict": "busy-loop"}\n' "$name" "$home/bin/java" >truth.json
}

# full_core HOME FLAG...: the heap is full, and the flag has the JVM die of it.
full_core() {
	build javac -d . "$staged/hotspot/Full.java" &&
		die "$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx16m -Xshare:off -XX:+UseSerialGC -XX:+CrashOnOutOfMemoryError "${@:2}" -cp "$dir" Full &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "java-out-of-memory", "threads": [{"who": "crashed", "frames": %s, "lines": %s}]}\n' \
			"$name" "$1/bin/java" '["...", "Full.fill", "Full.main", "call_stub", "JavaCalls::call_helper", "..."]' '["", "Full.java:10", "Full.java:14"]' >truth.json
}
