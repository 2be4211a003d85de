# worlds.sh: programs of managed languages whose objects have memory of the heap of C. They write down which. Sourced by make.

world_cores() {
	local version home
	for version in 16.20.2 20.20.2 24.21.0 26.10.0; do
		core "worlds-node-$version" 'npm gcc' 'v8/worlds.js v8/worlds.c' world_node_core "$version"
	done
	core worlds-service-24.21.0 npm v8/service.js world_service_core 24.21.0
	core worlds-python-bookworm 'apt-get dpkg-deb' native/worlds.py world_python_core bookworm python3.11-minimal
	core worlds-python-trixie 'apt-get dpkg-deb' native/worlds.py world_python_core trixie python3.13-minimal
	for version in local go1.18.10; do
		core "worlds-go-$version" 'go gcc' native/worlds.go.in world_go_core "$version"
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

# world_service_core VERSION: service.js, whose memory is streams of zlib.
world_service_core() {
	local node
	node=$(node_binary "$1") && cp "$v8/service.js" . && die "$node" "$dir/service.js" &&
		printf '{"name": "%s", "core": "core", "exe": "%s", "node": "%s", "verdict": "js-abort"}\n' "$name" "$node" "$1" >truth.json
}

# world_python_core RELEASE PACKAGE: worlds.py with an interpreter of Debian.
world_python_core() {
	alloc_root "$1" "$2" && cp "$native/worlds.py" root || return
	local program=usr/bin/${2%-minimal}
	cd root && die /usr/sbin/chroot "$dir/root" "/$program" -I -S /worlds.py && cd .. && mv root/core root/out.txt . || return
	cat root/made.txt >>made.txt && rm root/made.txt && grep '^[a-z]* 0x' out.txt >worlds.txt &&
		printf '{"name": "%s", "core": "core", "exe": "root/%s", "args": ["-sysroot", "root"], "verdict": "abort"}\n' "$name" "$program" >truth.json
}

# world_go_core RELEASE: worlds.go with memory of C.
world_go_core() {
	cp "$native/worlds.go.in" worlds.go
	CGO_ENABLED=1 GOENV=off GOTOOLCHAIN=$1 GOFLAGS='' GO111MODULE=off build go build -trimpath -o worlds worlds.go &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/worlds" && grep '^image[0-9]* 0x' out.txt >worlds.txt &&
		printf '{"name": "%s", "core": "core", "exe": "worlds", "needs": "runtime", "verdict": "go-panic"}\n' "$name" >truth.json
}

# world_node_core VERSION: worlds.js with its module.
world_node_core() {
	local node
	node=$(node_binary "$1") && c worlds.node -O1 -fPIC -shared "$v8/worlds.c" || return
	cp "$v8/worlds.js" .
	die "$node" --no-deprecation "$dir/worlds.js" "$dir" && mv frames.json truth.json
}
