# gov8.sh: cores of programs of Go with V8 in them, which modules of Go bring built: with compressed pointers,
# the sandbox and symbols, but without tables to unwind its C++ by. Sourced by make.

# NAME:MODULE@VERSION.
gov8s="gov8-0.28.0:github.com/tommie/v8go@v0.28.0 gov8-0.34.0:github.com/tommie/v8go@v0.34.0"

# gov8_binary NAME LDFLAGS: prints where the program is, after fetching V8 and building it if need be.
gov8_binary() {
	local to=$NODES/$1${2:+-stripped} e module
	for e in $gov8s; do [ "${e%%:*}" != "$1" ] || module=${e#*:}; done
	if [ ! -x "$to/gov8" ]; then
		mkdir -p "$to/build"
		sed "s|MODULE|${module%@*}|" "$v8/gov8.go.in" >"$to/build/main.go"
		printf 'module gov8\n\ngo 1.21\n\nrequire %s %s\n' "${module%@*}" "${module#*@}" >"$to/build/go.mod"
		# what is fetched is large, and is needed once
		(cd "$to/build" && GOENV=off GOTOOLCHAIN=local GOMODCACHE="$to/build/modules" GOFLAGS='-mod=mod -modcacherw' CGO_ENABLED=1 \
			go build -trimpath "-ldflags=$2" -o ../gov8 . >&2) || return
		rm -rf "$to/build"
	fi
	(cd "$to" && echo "$PWD/gov8")
}

# gov8_core DIR NAME LDFLAGS: embedded.mjs as a script, killed while it runs. Go's own handler says what its goroutines were doing.
gov8_core() {
	local to=$1 program pid=''
	program=$(gov8_binary "$2" "$3") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* said.json out.txt
	cp "$v8/embedded.mjs" .
	embedded_whole | sed '1s|^|console.log = print; |' >embedded.js
	killed_by=ABRT embedder_start env GOTRACEBACK=crash "$program" embedded.js
	printed '^said: '
	sed -n 's/^said: //p' out.txt | head -1 >said.json
	waiting_core killed ABRT
}

gov8_cores() {
	local e
	for e in $gov8s; do
		if begin "${e%%:*}" go g++; then attempt gov8_core "$dir" "${e%%:*}" ''; fi
	done
	e=${e%%:*}
	if begin "$e-stripped" go g++; then attempt gov8_core "$dir" "$e" '-s -w'; fi
}
