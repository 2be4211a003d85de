# programs.sh: Node cores whose hot code became optimised by itself: of programs
# from npm that nobody here wrote, driven by sources/v8/programs, and of
# sources/v8/inline.js. Sourced by make.
#
# The packages are pinned, and what they depend on by a date. They are installed
# beside the node binaries, with none of their scripts run.

program_packages="typescript@5.9.3 prettier@3.6.2 fastify@4.29.1 autocannon@7.15.0"
program_date=2026-01-01
program_versions="14.21.3 16.20.2 18.20.8 20.20.2 22.23.3 24.21.0 26.10.0"

# program_folder: prints the node_modules that has the packages, after fetching
# them if need be.
program_folder() {
	local to=$NODES/programs-$program_date
	if [ ! -d "$to/node_modules" ]; then
		mkdir -p "$to/new"
		# shellcheck disable=SC2086 # a list
		npm install --silent --prefix "$to/new" --ignore-scripts --no-audit --no-fund --no-save \
			--no-package-lock --omit=optional --omit=peer "--before=$program_date" $program_packages >&2 &&
			mv "$to/new/node_modules" "$to/" && rmdir "$to/new" || return
	fi
	(cd "$to/node_modules" && pwd)
}

# program_core DIR VERSION PROGRAM: one core in DIR, which must be absolute. No
# flag is given to node: what is hot becomes hot by itself.
program_core() {
	local to=$1 version=$2 program=$3 node packages
	packages=$(program_folder) && node=$(node_binary "$version") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	cp "$v8"/truth.js "$v8"/programs/*.js .
	echo "$node" >node
	die "$node" "$to/$program.js" "$to" "$packages" && mv frames.json truth.json
}

# one_program VERSION PROGRAM
one_program() {
	begin "node-$1-$2" npm || return 0
	program_core "$dir" "$1" "$2" && made=$((made + 1)) && echo "$name $(du -k core | cut -f1)K" || failed
}

# inline_core DIR VERSION HOW: one core of inline.js in DIR, which must be absolute.
inline_core() {
	local to=$1 version=$2 how=$3 node
	node=$(node_binary "$version") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	cp "$v8"/truth.js "$v8"/inline.js "$v8"/programs/hook.js .
	echo "$node" >node
	die "$node" "$to/inline.js" "$to" "$how" && mv frames.json truth.json
}

# one_inline VERSION HOW
one_inline() {
	begin "node-$1-inline-$2" npm || return 0
	inline_core "$dir" "$1" "$2" && made=$((made + 1)) && echo "$name $(du -k core | cut -f1)K" || failed
}

# Which code is optimised where these die differs from run to run: each run is
# another test.
program_cores() {
	local version program how
	for version in $program_versions; do
		for program in typescript prettier fastify; do one_program "$version" "$program"; done
	done
	for version in $node_last; do
		for how in none lazy every Base; do one_inline "$version" "$how"; done
	done
}

# more_program_cores: the other functions of inline.js that call twice, and first
# releases.
more_program_cores() {
	local version how
	for version in $node_last; do
		for how in mapped each reduced right filtered found index some twice promised from; do one_inline "$version" "$how"; done
	done
	for version in $node_first; do
		for how in none lazy every Base; do one_inline "$version" "$how"; done
	done
}
