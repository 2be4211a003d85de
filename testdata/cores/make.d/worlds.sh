# worlds.sh: programs of managed languages whose objects have memory of the heap of C. They write down which. Sourced by make.

world_cores() {
	local version home
	for version in 16.20.2 20.20.2 24.21.0 26.10.0; do
		core "worlds-node-$version" 'npm gcc' 'v8/worlds.js v8/worlds.c' world_node_core "$version"
	done
	for version in 17 25; do
		home=java$version
		core "worlds-java-$version" "gcc javac ${!home}/bin/java" 'hotspot/Worlds.java hotspot/worlds.c' world_java_core "${!home}" -XX:+UseSerialGC
	done
	core worlds-java-17-g1 "gcc javac $java17/bin/java" 'hotspot/Worlds.java hotspot/worlds.c' world_java_core "$java17" -XX:+UseG1GC
}

# world_java_core HOME FLAG...: Worlds.java with its library.
world_java_core() {
	build javac --release 11 -d . "$staged/hotspot/Worlds.java" &&
		c libworlds.so -O1 -g -shared -fPIC "-I$java17/include" "-I$java17/include/linux" "$staged/hotspot/worlds.c" &&
		die "$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore \
			-XX:-UsePerfData -Xmx24m -Xshare:off "${@:2}" -cp "$dir" Worlds "$dir/libworlds.so" && grep '^[a-z]* 0x' out.txt >worlds.txt &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "needs": "runtime", "verdict": "abort"}\n' "$name" "$1/bin/java" >truth.json
}

# world_node_core VERSION: worlds.js with its module.
world_node_core() {
	local node
	node=$(node_binary "$1") && c worlds.node -O1 -fPIC -shared "$v8/worlds.c" || return
	cp "$v8/worlds.js" .
	die "$node" --no-deprecation "$dir/worlds.js" "$dir" && mv frames.json truth.json
}
