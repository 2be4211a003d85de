# maps.sh: cores of programs in TypeScript that compilers and bundlers have made JavaScript
# of, sources/v8/maps, or that a loader compiles while they run, sources/v8/typed, with
# their source maps. Sourced by make.
#
# The packages are pinned, and what they depend on by a date. None of their scripts is
# run, so those with machine code name it.

readonly map_packages="typescript@5.9.3 esbuild@0.28.2 @esbuild/linux-x64@0.28.2 webpack@5.112.2 @swc/core@1.16.22 @swc/core-linux-x64-gnu@1.16.22"
readonly map_date=2026-11-20
readonly map_builder=24.21.0 # the release of Node that builds
map_versions="16.20.2 18.20.8 20.20.2 22.23.3 24.21.0 26.10.0"

# map_folder: prints the node_modules that has the packages, after fetching them if
# need be.
map_folder() {
	local to=$NODES/maps-$map_date
	[ -d "$to/node_modules" ] || locked "$to" map_install >&2 || return
	(cd "$to/node_modules" && pwd)
}

map_install() {
	[ ! -d "$to/node_modules" ] || return 0
	mkdir -p "$to/new"
	# shellcheck disable=SC2086 # a list
	npm install --silent --prefix "$to/new" --ignore-scripts --no-audit --no-fund --no-save \
		--no-package-lock --omit=optional --omit=peer "--before=$map_date" $map_packages &&
		mv "$to/new/node_modules" "$to/" && rm -rf "$to/new"
}

# What compiles TypeScript while it runs.
readonly typed_packages="tsx@4.23.15 ts-node@10.9.2 typescript@5.9.3 esbuild@0.28.2 @esbuild/linux-x64@0.28.2 @types/node@24.10.1"

# typed_folder: map_folder of these.
typed_folder() {
	local to=$NODES/typed-$map_date
	[ -d "$to/node_modules" ] || locked "$to" typed_install >&2 || return
	(cd "$to/node_modules" && pwd)
}

typed_install() {
	[ ! -d "$to/node_modules" ] || return 0
	mkdir -p "$to/new"
	# shellcheck disable=SC2086 # a list
	npm install --silent --prefix "$to/new" --ignore-scripts --no-audit --no-fund --no-save \
		--no-package-lock --omit=optional --omit=peer --legacy-peer-deps "--before=$map_date" $typed_packages &&
		mv "$to/new/node_modules" "$to/" && rm -rf "$to/new"
}

# typed_core VERSION SOURCE MODE: SOURCE of sources/v8/typed in Node or Deno, compiled as MODE says.
typed_core() {
	local node program to=$dir pid='' modules flags='{"module":"commonjs","target":"es2020"}'
	cp "$v8/typed/$2" .
	if [ "$3" = deno ]; then
		program=$(embedder_binary "deno-$1") || return
		embedder_start "$program" run -A --no-check --no-config "$to/$2"
		waiting_core js-blocked-loop
		return
	fi
	modules=$(typed_folder) && node=$(node_binary "$1") || return
	case $3 in
	tsx) die "$node" --import "$modules/tsx/dist/loader.mjs" "$2" ;;
	tsnode) die "$node" "$modules/ts-node/dist/bin.js" -T --compiler "$modules/typescript" -O "$flags" "$2" ;;
	transform) die "$node" --experimental-transform-types "$2" ;;
	strip) die "$node" "$2" ;;
	esbuild)
		build "$modules/@esbuild/linux-x64/bin/esbuild" "$2" --bundle --platform=node --sourcemap=inline --outfile=made.js &&
			die "$node" --enable-source-maps made.js
		;;
	esac && sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$node\",\"verdict\":\"js-abort\",|" said.json >truth.new && mv truth.new truth.json
}

# one_typed VERSION SOURCE MODE: Error.stack has the places of the source.
one_typed() { core "typed-$3-$1" npm v8/typed typed_core "$@"; }

# map_core VERSION MODE [FLAG...]: one core; FLAGs go to node.
map_core() {
	local version=$1 mode=$2 node builder packages
	shift 2
	packages=$(map_folder) && builder=$(node_binary "$map_builder") && node=$(node_binary "$version") || return
	cp -r "$v8/maps/src" "$v8/maps/build.js" "$v8/maps/run.js" .
	echo "$node" >node
	build "$builder" build.js "$dir" "$packages" "$mode" &&
		die "$node" "$@" "$dir/run.js" "$dir" && mv frames.json truth.json
}

# one_map VERSION MODE: Error.stack has the places of the source.
one_map() { core "node-$1-maps-$2" npm v8/maps map_core "$1" "$2" --enable-source-maps; }

# map_cores: what each builder makes for each release, and more of what they can make for one.
map_cores() {
	local version mode
	for version in $map_versions; do
		for mode in tsc esbuild webpack swc; do one_map "$version" "$mode"; done
	done
	for mode in tsc-root tsc-inline esbuild-inline webpack-inline webpack-eval; do one_map 24.21.0 "$mode"; done
	# Node without source maps: Error.stack has the places in dist.
	for version in 16.20.2 26.10.0; do
		core "node-$version-maps-off" npm v8/maps map_core "$version" esbuild
	done
	one_typed 24.21.0 page.tsx tsx
	one_typed 20.20.2 shape.ts tsnode
	one_typed 24.21.0 shape.ts transform
	one_typed 26.10.0 strip.ts strip
	one_typed 24.21.0 shape.ts esbuild
	one_typed 2.4.4 page.tsx deno
	one_typed 2.9.6 shape.ts deno
}
