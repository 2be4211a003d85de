# contexts.sh: Node cores of programs that leak global contexts: those of vm, and windows of jsdom
# from npm; and one that leaks in a worker. And Node cores of values that are thrown, by a worker or not. Sourced by make.
#
# The package is pinned, and what it depends on by a date. None of their scripts is run.

readonly window_packages="jsdom@22.1.0"
readonly window_date=2026-01-01
context_versions="12.22.12 18.20.8 24.21.0 26.10.0"
window_versions="18.20.8 24.21.0 26.10.0"

# window_folder: prints the node_modules that has the packages, after fetching them if need be.
window_folder() {
	local to=$NODES/windows-$window_date
	[ -d "$to/node_modules" ] || locked "$to" window_install >&2 || return
	(cd "$to/node_modules" && pwd)
}

window_install() {
	[ ! -d "$to/node_modules" ] || return 0
	mkdir -p "$to/new"
	# shellcheck disable=SC2086 # a list
	npm install --silent --prefix "$to/new" --ignore-scripts --no-audit --no-fund --no-save \
		--no-package-lock --omit=optional --omit=peer "--before=$window_date" $window_packages &&
		mv "$to/new/node_modules" "$to/" && rm -rf "$to/new"
}

# context_core VERSION KIND: one core of contexts.js.
context_core() {
	local version=$1 kind=$2 node packages=''
	node=$(node_binary "$version") || return
	case $kind in windows | pages | plain) packages=$(window_folder) || return ;; esac
	cp "$v8/contexts.js" "$v8/truth.js" .
	echo "$node" >node
	die "$node" --expose-gc "$dir/contexts.js" "$dir" "$kind" ${packages:+"$packages"} && mv frames.json truth.json
}

one_context() { core "node-$1-contexts-$2" npm "v8/contexts.js v8/truth.js" context_core "$1" "$2"; }

context_cores() {
	local version kind
	for version in $context_versions; do
		for kind in sandbox timer worker; do one_context "$version" "$kind"; done
	done
	for version in $window_versions; do one_context "$version" windows; done
	for kind in function global few pages; do one_context 24.21.0 "$kind"; done
	# "plain" is the name of another program's cores
	core node-24.21.0-contexts-bare npm "v8/contexts.js v8/truth.js" context_core 24.21.0 plain
}

# thrown_value VERSION MODE: one core of thrown.js.
thrown_value() {
	local node
	node=$(node_binary "$1") || return
	cp "$v8/thrown.js" .
	die "$node" --abort-on-uncaught-exception --unhandled-rejections=strict "$dir/thrown.js" "$dir" "$2" && mv frames.json truth.json
}

# thrown_cores: values that are no error of V8's own.
thrown_cores() {
	local version mode
	for version in 16.20.2 20.20.2 24.21.0 26.10.0; do
		for mode in text rethrown rejected; do core "thrown-node-$mode-$version" npm v8/thrown.js thrown_value "$version" "$mode"; done
	done
	for version in 20.20.2 26.10.0; do
		for mode in wrapped collected; do core "thrown-node-$mode-$version" npm v8/thrown.js thrown_value "$version" "$mode"; done
	done
	for mode in object old worker; do core "thrown-node-$mode-20.20.2" npm v8/thrown.js thrown_value 20.20.2 "$mode"; done
}
