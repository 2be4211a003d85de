# maps.sh: Node cores of programs in TypeScript that compilers and bundlers have made
# JavaScript of, sources/v8/maps, with their source maps. Sourced by make.
#
# The packages are pinned, and what they depend on by a date. None of their scripts is
# run, so those with machine code name it.

map_packages="typescript@5.9.3 esbuild@0.28.2 @esbuild/linux-x64@0.28.2 webpack@5.112.2 @swc/core@1.16.22 @swc/core-linux-x64-gnu@1.16.22"
map_date=2026-11-20
map_builder=24.21.0 # the release of Node that builds
map_versions="16.20.2 18.20.8 20.20.2 22.23.3 24.21.0 26.10.0"

# map_folder: prints the node_modules that has the packages, after fetching them if
# need be.
map_folder() {
	local to=$NODES/maps-$map_date
	if [ ! -d "$to/node_modules" ]; then
		mkdir -p "$to/new"
		# shellcheck disable=SC2086 # a list
		npm install --silent --prefix "$to/new" --ignore-scripts --no-audit --no-fund --no-save \
			--no-package-lock --omit=optional --omit=peer "--before=$map_date" $map_packages >&2 &&
			mv "$to/new/node_modules" "$to/" && rmdir "$to/new" || return
	fi
	(cd "$to/node_modules" && pwd)
}

# map_core DIR VERSION MODE [FLAG...]: one core in DIR, which must be absolute; FLAGs go to
# node.
map_core() {
	local to=$1 version=$2 mode=$3 node builder packages
	shift 3
	packages=$(map_folder) && builder=$(node_binary "$map_builder") && node=$(node_binary "$version") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -rf dist es src frames.json
	cp -r "$v8/maps/src" "$v8/maps/build.js" "$v8/maps/run.js" .
	echo "$node" >node
	build "$builder" build.js "$to" "$packages" "$mode" &&
		die "$node" "$@" "$to/run.js" "$to" && mv frames.json truth.json
}

# one_map VERSION MODE: Error.stack has the places of the source.
one_map() {
	begin "node-$1-maps-$2" npm || return 0
	attempt map_core "$dir" "$1" "$2" --enable-source-maps
}

# map_cores: what each builder makes for each release, and more of what they can make for one.
map_cores() {
	local version mode
	for version in $map_versions; do
		for mode in tsc esbuild webpack swc; do one_map "$version" "$mode"; done
	done
	for mode in tsc-root tsc-inline esbuild-inline webpack-inline webpack-eval; do one_map 24.21.0 "$mode"; done
	# Node without source maps: Error.stack has the places in dist.
	for version in 16.20.2 26.10.0; do
		begin "node-$version-maps-off" npm || continue
		attempt map_core "$dir" "$version" esbuild
	done
}
