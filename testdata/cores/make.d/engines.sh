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
	sleep 2
	kill -XCPU "$pid"
	{ wait "$pid" || true; } 2>/dev/null
	echo "{\"engine\":\"$2\",\"version\":\"$3\"}" >said.json
	take_said killed
}

engine_cores() {
	local version
	for version in $bun_versions; do core "engine-bun-$version" npm v8/bun.js bun_core "$version"; done
	core engine-mozjs apt-get '' shell_engine_core js102 SpiderMonkey 102.15.1
	core engine-duktape apt-get '' shell_engine_core duk Duktape unknown
	core engine-mujs apt-get '' shell_engine_core mujs MuJS unknown
}
