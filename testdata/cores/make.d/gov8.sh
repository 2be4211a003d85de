# gov8.sh: cores of programs of Go with V8 in them, which modules of Go bring built: with compressed pointers,
# the sandbox and symbols, but without tables to unwind its C++ by. Sourced by make.

# NAME:MODULE@VERSION.
gov8s="gov8-0.28.0:github.com/tommie/v8go@v0.28.0 gov8-0.34.0:github.com/tommie/v8go@v0.34.0"

# gov8_binary NAME LDFLAGS MODULE@VERSION: prints where the program is, after fetching V8 and building it if need be.
gov8_binary() {
	local to=$NODES/$1${2:+-stripped}
	[ -x "$to/gov8" ] || locked "$to" gov8_build "$2" "$3" >&2 || return
	(cd "$to" && echo "$PWD/gov8")
}

gov8_build() {
	[ ! -x "$to/gov8" ] || return 0
	mkdir -p "$to/build"
	sed "s|MODULE|${2%@*}|" "$v8/gov8.go.in" >"$to/build/main.go"
	printf 'module gov8\n\ngo 1.21\n\nrequire %s %s\n' "${2%@*}" "${2#*@}" >"$to/build/go.mod"
	# The modules are large, and needed once.
	(cd "$to/build" && GOENV=off GOTOOLCHAIN=local GOMODCACHE="$to/build/modules" GOFLAGS='-mod=mod -modcacherw' CGO_ENABLED=1 \
		go build -trimpath "-ldflags=$1" -o gov8 . && mv gov8 ..) && rm -rf "$to/build"
}

# gov8_core NAME LDFLAGS MODULE@VERSION: embedded.mjs as a script, killed while it runs. Go's own handler says what its goroutines were doing.
gov8_core() {
	local to=$dir program pid=''
	program=$(gov8_binary "$@") || return
	cp "$v8/embedded.mjs" .
	embedded_whole | sed '1s|^|console.log = print; |' >embedded.js
	killed_by=ABRT embedder_start env GOTRACEBACK=crash "$program" embedded.js
	printed '^said: '
	sed -n 's/^said: //p' out.txt | head -1 >said.json
	waiting_core killed ABRT
}

gov8_cores() {
	local e
	for e in $gov8s; do core "${e%%:*}" 'go g++' 'v8/gov8.go.in v8/embedded.mjs' gov8_core "${e%%:*}" '' "${e#*:}"; done
	core "${e%%:*}-stripped" 'go g++' 'v8/gov8.go.in v8/embedded.mjs' gov8_core "${e%%:*}" '-s -w' "${e#*:}"
}
