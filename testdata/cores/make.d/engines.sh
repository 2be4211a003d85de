# engines.sh: cores of engines of JavaScript that are not decoded, only recognized: Bun, from npm. Sourced
# by make.

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

engine_cores() {
	local version
	for version in $bun_versions; do core "engine-bun-$version" npm v8/bun.js bun_core "$version"; done
}
