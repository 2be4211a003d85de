# programs.sh: Node cores of programs from npm that nobody here wrote, driven by
# sources/v8/programs. Sourced by make.
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

# They are no part of the live set: which of their code is optimised where they
# die differs from run to run, and a few frames of some are not right yet (the
# README says how many).
more_program_cores() {
	local version program
	for version in $program_versions; do
		for program in typescript prettier fastify; do one_program "$version" "$program"; done
	done
}
