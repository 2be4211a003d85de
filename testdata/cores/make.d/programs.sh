# programs.sh: Node cores whose hot code became optimised by itself: of programs
# from npm that nobody here wrote, driven by sources/v8/programs, and of
# sources/v8/inline.js and wasmhot.js. Sourced by make.
#
# The packages are pinned, and what they depend on by a date. They are installed
# beside the node binaries, with none of their scripts run.

readonly program_packages="typescript@5.9.3 prettier@3.6.2 fastify@4.29.1 autocannon@7.15.0"
readonly program_date=2026-01-01
node_odd="13.14.0 15.14.0 17.9.1 21.7.3 23.11.1" # the last of lines without long support
program_versions="14.21.3 16.20.2 18.20.8 20.20.2 22.23.3 24.21.0 26.10.0"
program_versions_more="16.0.0 17.9.1 18.0.0 20.0.0 21.7.3 22.0.0 23.11.1 24.0.0 25.9.0 26.0.0"

# program_folder: prints the node_modules that has the packages, after fetching
# them if need be.
program_folder() {
	local to=$NODES/programs-$program_date
	[ -d "$to/node_modules" ] || locked "$to" program_install >&2 || return
	(cd "$to/node_modules" && pwd)
}

program_install() {
	[ ! -d "$to/node_modules" ] || return 0
	mkdir -p "$to/new"
	# shellcheck disable=SC2086 # a list
	npm install --silent --prefix "$to/new" --ignore-scripts --no-audit --no-fund --no-save \
		--no-package-lock --omit=optional --omit=peer "--before=$program_date" $program_packages &&
		mv "$to/new/node_modules" "$to/" && rm -rf "$to/new"
}

# node_program_core VERSION PROGRAM: one core. No flag is given to node: what is hot becomes hot by itself.
node_program_core() {
	local version=$1 program=$2 node packages
	packages=$(program_folder) && node=$(node_binary "$version") || return
	cp "$v8"/*.js "$v8"/programs/*.js .
	echo "$node" >node
	die "$node" "$dir/$program.js" "$dir" "$packages" && mv frames.json truth.json
}

# one_program VERSION PROGRAM
one_program() { core "node-$1-$2" npm "v8/truth.js v8/programs/hook.js v8/programs/$2.js" node_program_core "$@"; }

# one_hot VERSION PROGRAM [HOW]: inline.js or wasmhot.js.
one_hot() { core "node-$1-$2${3:+-$3}" npm "v8/truth.js v8/programs/hook.js v8/$2.js" hot_core "$@"; }

hot_core() {
	local version=$1 program=$2 how=${3:-} node
	node=$(node_binary "$version") || return
	cp "$v8"/*.js "$v8"/programs/hook.js .
	echo "$node" >node
	die "$node" "$dir/$program.js" "$dir" ${how:+"$how"} && mv frames.json truth.json
}

# Which code is optimised where these die differs from run to run: each run is
# another test.
program_cores() {
	local version program how
	for version in $program_versions; do
		for program in typescript prettier fastify; do one_program "$version" "$program"; done
		one_hot "$version" wasmhot
	done
	for version in $node_last; do
		for how in none lazy every Base; do one_hot "$version" inline "$how"; done
	done
}

# more_program_cores: other releases, and the other functions of inline.js that
# call twice.
more_program_cores() {
	local version program how mode
	for version in $program_versions_more; do
		for program in typescript prettier fastify; do one_program "$version" "$program"; done
	done
	for version in $node_last; do
		for how in mapped each reduced right filtered found index some twice promised from; do one_hot "$version" inline "$how"; done
	done
	for version in $node_first $node_odd; do
		for how in none lazy every Base; do one_hot "$version" inline "$how"; done
	done
	for version in $node_odd; do
		for mode in deep plain uncaught loop async workers wasm; do one_node "node-$version-$mode" "$version" "$mode"; done
	done
}
