# engines.sh: cores of engines of JavaScript that are not decoded, only recognized: Bun, from npm, and those that Debian
# has, unpacked, not installed. Sourced by make.

bun_versions="1.1.45 1.2.23"

# bun_binary VERSION: prints where it is, after fetching it if need be.
bun_binary() {
	local version=$1 to=$NODES/bun-$1
	[ -x "$to/bun" ] || locked "$to" bun_fetch >&2 || return
	(cd "$to" && echo "$PWD/bun")
}

# bun_fetch: gets the file that bun_binary looks for. It appears when it is whole.
bun_fetch() {
	local archive new=$to/new
	[ ! -x "$to/bun" ] || return 0
	rm -rf "$new"
	mkdir -p "$new"
	archive=$(cd "$new" && npm pack --silent "@oven/bun-linux-x64-baseline@$version" | tail -1) &&
		tar xzf "$new/$archive" -C "$new" --strip-components=2 package/bin/bun &&
		chmod +x "$new/bun" && mv "$new/bun" "$to/" && rm -rf "$new"
}

# bun_core VERSION: bun.js in one.
bun_core() {
	local program
	program=$(bun_binary "$1") || return
	cp "$v8/bun.js" .
	die "$program" "$dir/bun.js" "$dir" && mv frames.json truth.json
}

readonly engine_debs="duktape libduktape207 mujs libmujs2 libmozjs-102-dev"

# engine_root: prints the folder with Debian's engines, after fetching them if need be.
engine_root() {
	local to=$NODES/engines-debian
	[ -d "$to/usr" ] || locked "$to" engine_unpack >&2 || return
	(cd "$to" && pwd)
}

# engine_unpack: gets the packages, and those that they need and that are not installed.
engine_unpack() {
	local package new=$to/new
	[ ! -d "$to/usr" ] || return 0
	rm -rf "$new"
	mkdir -p "$new/debs"
	(
		cd "$new/debs" || exit
		# shellcheck disable=SC2086 # a list
		for package in $engine_debs $(apt-cache depends libmozjs-102-dev duktape mujs | awk '/^ *Depends: [a-z]/ {print $2}' | sort -u); do
			dpkg -s "$package" >/dev/null 2>&1 ||
				apt-get -qq -o APT::Sandbox::User=root download "$package" >/dev/null || exit
		done
		for package in *.deb; do dpkg-deb -x "$package" .. || exit; done
	) && mv "$new/usr" "$to/" && rm -rf "$new"
}

# shell_engine_core PROGRAM ENGINE VERSION: an engine's own shell, killed while it runs a loop. VERSION is what the engine says of
# itself, and "unknown" for one that keeps no text of it.
shell_engine_core() {
	local program root pid='' libraries=/usr/lib/x86_64-linux-gnu
	root=$(engine_root) || return
	program=$root/usr/bin/$1 libraries=$root$libraries
	echo 'for (var n = 0; ; n++) ;' >loop.js
	embedder_start env LD_LIBRARY_PATH="$libraries" "$program" "$PWD/loop.js"
	sleep 1
	spun "$pid"
	kill -XCPU "$pid"
	{ wait "$pid" || true; } 2>/dev/null
	echo "{\"engine\":\"$2\",\"version\":\"$3\"}" >said.json
	take_said killed
}

# hermes_binary VERSION: prints where it is, after fetching it if need be.
hermes_binary() {
	local version=$1 to=$NODES/hermes-$1
	[ -x "$to/hermes" ] || locked "$to" hermes_fetch >&2 || return
	(cd "$to" && echo "$PWD/hermes")
}

# hermes_fetch: gets the file that hermes_binary looks for. It appears when it is whole.
hermes_fetch() {
	local archive new=$to/new
	[ ! -x "$to/hermes" ] || return 0
	rm -rf "$new"
	mkdir -p "$new"
	archive=$(cd "$new" && npm pack --silent "hermes-engine-cli@$version" | tail -1) &&
		tar xzf "$new/$archive" -C "$new" --strip-components=2 package/linux64-bin/hermes &&
		chmod +x "$new/hermes" && mv "$new/hermes" "$to/" && rm -rf "$new"
}

# hermes_core VERSION: a loop in Hermes, by gcore, as Hermes outlives signals. The version is what it says of itself.
hermes_core() {
	local program pid='' said killed_by=KILL
	program=$(hermes_binary "$1") || return
	said=$("$program" --version | sed -n 's/.*Hermes release version: *//p')
	echo 'for (var n = 0; ; n++) ;' >loop.js
	embedder_start "$program" "$PWD/loop.js"
	sleep 2
	gcore -o core "$pid" >gcore.log 2>&1
	kill -KILL "$pid"
	{ wait "$pid" || true; } 2>/dev/null
	fallocate -d core.* # gdb writes the zeros of reserved memory
	rm -f gcore.log
	echo "{\"engine\":\"Hermes\",\"version\":\"$said\"}" >said.json
	take_said snapshot
}

readonly quickjs_module=github.com/buke/quickjs-go@v0.5.5 quickjs_version=2025-04-26

# quickjs_root: prints the folder with the library of QuickJS that a module of Go brings, after fetching it if need be.
quickjs_root() {
	local to=$NODES/quickjs-$quickjs_version
	[ -s "$to/libquickjs.a" ] || locked "$to" quickjs_fetch >&2 || return
	(cd "$to" && pwd)
}

# quickjs_fetch: gets the library and its header.
quickjs_fetch() {
	local modules=$to/modules deps
	[ ! -s "$to/libquickjs.a" ] || return 0
	mkdir -p "$modules"
	(cd "$to" && GOENV=off GOTOOLCHAIN=local GOMODCACHE="$modules" GOFLAGS='-mod=mod -modcacherw' go mod download "$quickjs_module") || return
	deps=$modules/${quickjs_module}/deps
	cp "$deps/include/quickjs.h" "$to/" && cp "$deps/libs/linux_amd64/libquickjs.a" "$to/new.a" && mv "$to/new.a" "$to/libquickjs.a" && rm -rf "$modules"
}

# quickjs_core: a program of C with QuickJS in it, killed while that runs a loop.
quickjs_core() {
	local root program=quickjs pid=''
	root=$(quickjs_root) || return
	build gcc -O1 -g "-I$root" "$native/quickjs.c" "$root/libquickjs.a" -lm -lpthread -ldl -o quickjs || return
	embedder_start "$PWD/quickjs"
	sleep 2
	kill -XCPU "$pid"
	{ wait "$pid" || true; } 2>/dev/null
	echo "{\"engine\":\"QuickJS\",\"version\":\"$quickjs_version\"}" >said.json
	take_said busy-loop
}

engine_cores() {
	local version
	for version in $bun_versions; do core "engine-bun-$version" npm v8/bun.js bun_core "$version"; done
	core engine-hermes-0.12.0 'npm gdb' '' hermes_core 0.12.0
	core engine-quickjs 'gcc go' native/quickjs.c quickjs_core
	core engine-mozjs apt-get '' shell_engine_core js102 SpiderMonkey 102.15.1
	core engine-duktape apt-get '' shell_engine_core duk Duktape unknown
	core engine-mujs apt-get '' shell_engine_core mujs MuJS unknown
}
