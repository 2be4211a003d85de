# chromium.sh: renderers of Debian's Chromium and Qt WebEngine, and headless shells from npm.
# Sourced by make.

# Versions of @sparticuz/chromium, which are those of Chromium, and of chrome-aws-lambda: Chromium 85, 88 and 91.
shells="aws-5.2.1 aws-5.5.0 aws-9.1.0 92.0.0 103.0.0 107.0.0 111.0.0 113.0.1 123.0.1 126.0.0 133.0.0"

# chromium_core: embedded.mjs in a page of Debian's Chromium, whose renderer is killed.
# It has the sandbox, and compressed pointers. What buffers keep outside of the heap is not in
# its cores: V8 reserves that memory with MADV_DONTDUMP (base/platform/platform-posix.cc).
chromium_core() {
	local to=$dir program=/usr/lib/chromium/chromium pid='' renderer='' began=''
	chromium_said --disable-breakpad || return
	chromium_kill XCPU
	take_said js-blocked-loop '"undumped":"buffer",'
}

# shell_core VERSION: embedded.mjs in a page of a headless shell of Chromium from npm.
shell_core() {
	local to=$dir program pid='' renderer='' began='' whole=''
	program=$(shell_binary "$1") || return
	case $1 in aws-*|9*) whole=yes ;; esac # without a list of the system's they do not know what an .mjs file is
	chromium_said --disable-breakpad --remote-debugging-port=0 || return # without, 112 to 127 open no page
	leave_out_reservations "$(busiest "$(pgrep -g "$(ps -o pgid= -p "$pid" | tr -d ' ')" -f -- --type=renderer)")"
	chromium_kill XCPU
	take_said js-blocked-loop
}

# leave_out_reservations PID: tells the kernel to leave large reservations out of a core in which no page
# was ever used, as V8 itself does in later versions: it takes minutes to find that they are holes.
leave_out_reservations() {
	awk '/^[0-9a-f]+-[0-9a-f]+ / { split($1, at, "-") } /^Rss:/ { rss = $2 } /^Size:/ { size = $2 }
		/^VmFlags:/ && rss == 0 && size > 65536 { printf "call (int)madvise((void*)0x%s, %.0f, 16)\n", at[1], size * 1024 }' "/proc/$1/smaps" >reservations
	gdb -nx -batch -iex 'set debuginfod enabled off' -p "$1" -x reservations >/dev/null 2>&1
	rm -f reservations
}

# shell_binary VERSION: prints where it is, after fetching it if need be.
shell_binary() {
	local to=$NODES/shell-$1
	[ -x "$to/headless_shell" ] || locked "$to" shell_fetch "$1" >&2 || return
	(cd "$to" && echo "$PWD/headless_shell")
}

shell_fetch() {
	local archive package
	[ ! -x "$to/headless_shell" ] || return 0
	case $1 in aws-*) package=chrome-aws-lambda@${1#aws-} ;; *) package=@sparticuz/chromium@$1 ;; esac
	mkdir -p "$to"
	archive=$(cd "$to" && npm pack --silent "$package" | tail -1) &&
		tar xzOf "$to/$archive" package/bin/chromium.br >"$to/packed.br" &&
		node -e 'const fs = require("fs"); fs.writeFileSync(process.argv[2], require("zlib").brotliDecompressSync(fs.readFileSync(process.argv[1])))' "$to/packed.br" "$to/headless_shell" &&
		chmod +x "$to/headless_shell" && rm -f "$to/$archive" "$to/packed.br"
}

# crashpad_core SIGNAL VERDICT: the same, with the reporter of crashes that Chromium has:
# what Crashpad writes when SIGNAL kills the renderer is dump.dmp, and core is the kernel's of
# the same death, which follows. A dump does not say that code of WebAssembly may be run: without that.
crashpad_core() {
	local to=$dir signal=$1 verdict=$2 program=/usr/lib/chromium/chromium pid='' renderer='' began='' found plain=yes
	chromium_said --enable-crash-reporter || return
	chromium_kill "$signal"
	found=$(grep -l -- --type=renderer dumps/*/*.dmp 2>/dev/null | head -1) # its command line is in it
	[ -n "$found" ] && mv "$found" dump.dmp && rm -rf dumps || return
	take_core && [ -s dump.dmp ] &&
		printf '{"name":"%s","core":"core","exe":"%s","verdict":"%s","dump":"dump.dmp","signal":"SIG%s","pid":%s,"sender":%s,"began":%s,"written":%s,"page":"file://%s/page.html"}\n' \
			"$name" "$program" "$verdict" "$signal" "$renderer" "$BASHPID" "$began" "$(stat -c %Y dump.dmp)" "$to" >truth.new && mv truth.new truth.json
}

# chromium_said FLAG...: Chromium with embedded.mjs in a page, which has said what it is
# to say (said.json). It sets pid.
chromium_said() {
	local to=$dir
	mkdir dumps
	cp "$v8/embedded.mjs" .
	if [ -n "${whole:-}" ]; then
		embedded_page >page.html
	else
		echo "${plain:+<script>globalThis.plain = true</script>}"'<script type="module">import m from "./embedded.mjs"; m.fetch();</script>' >page.html
	fi
	chromium_start --allow-file-access-from-files "$@" "file://$to/page.html"
}

# chromium_start FLAG... URL: Chromium with a page, until it has said what it is to say. It sets pid.
chromium_start() {
	embedder_start env "BREAKPAD_DUMP_LOCATION=$dir/dumps" "$program" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--enable-logging=stderr --user-data-dir="$dir/profile" "$@"
	printed 'CONSOLE.*"said: '
	sed -n 's/.*CONSOLE.*"said: \(.*\)", source: .*/\1/p' out.txt | head -1 >said.json
	sleep 1
}

# chromium_kill SIGNAL: kills the renderer of the browser pid, and the browser. It sets renderer, and
# began: when that did, as ps says.
chromium_kill() {
	renderer=$(busiest "$(pgrep -g "$(ps -o pgid= -p "$pid" | tr -d ' ')" -f -- --type=renderer)")
	began=$(date -d "$(ps -o lstart= -p "$renderer")" +%s)
	embedder_kill "$1"
	rm -rf profile
	rmdir dumps 2>/dev/null || true
}

# embedder_kill SIGNAL: kills the process renderer, and then its browser, pid.
embedder_kill() {
	local turn
	echo "then kill -$1 of the renderer, with prlimit --core=unlimited" >>made.txt
	prlimit --pid "$renderer" --core=unlimited:unlimited && kill -"$1" "$renderer" || renderer=
	for turn in $(seq 300); do
		[ -d "/proc/${renderer:-none}" ] && ! grep -q '^State:.*zombie' "/proc/$renderer/status" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid"
	{ wait "$pid" || true; } 2>/dev/null
}

# busiest PIDS: prints which of these processes uses most of a processor now: others may have used
# more since they began.
busiest() {
	{ used_by $1; sleep 1; used_by $1; } |
		awk '{ if ($1 in first) print $2 - first[$1], $1; else first[$1] = $2 }' | sort -n | tail -1 | cut -d' ' -f2
}

# used_by PID...: prints each with the ticks that it has run in user mode.
used_by() {
	local p
	for p; do
		awk -v p="$p" '{ sub(/.*\) /, ""); print p, $12 }' "/proc/$p/stat" 2>/dev/null
	done
}

# qt_page is a browser of one page, of Qt WebEngine 5 or 6, which prints what the page says.
readonly qt_page='
import sys
release = sys.argv[1]
if release == "6":
    from PyQt6.QtCore import QUrl
    from PyQt6.QtWebEngineCore import QWebEnginePage, QWebEngineScript
    from PyQt6.QtWebEngineWidgets import QWebEngineView
    from PyQt6.QtWidgets import QApplication
else:
    from PyQt5.QtCore import QUrl
    from PyQt5.QtWebEngineWidgets import QWebEnginePage, QWebEngineScript, QWebEngineView
    from PyQt5.QtWidgets import QApplication
app = QApplication(["page"])
class Page(QWebEnginePage):
    def javaScriptConsoleMessage(self, level, message, line, source):
        print(message, flush=True)
view = QWebEngineView()
page = Page(view)
if len(sys.argv) > 3: # a script that runs in a world of its own
    kind = getattr(QWebEngineScript, "ScriptWorldId", QWebEngineScript)
    at = getattr(QWebEngineScript, "InjectionPoint", QWebEngineScript)
    script = QWebEngineScript()
    script.setSourceCode(open(sys.argv[3]).read())
    script.setInjectionPoint(at.DocumentCreation)
    script.setWorldId(kind.ApplicationWorld.value if release == "6" else kind.ApplicationWorld)
    script.setRunsOnSubFrames(True)
    page.scripts().insert(script)
view.setPage(page)
view.load(QUrl(sys.argv[2]))
view.show()
app.exec() if release == "6" else app.exec_()
'

# qt_core RELEASE PROGRAM: embedded.mjs in a page of Qt WebEngine 5 or 6, whose renderer is
# killed. Its V8 is of Chromium 87 or 102, with compressed pointers; the page is the module itself,
# without what those do not know, such as await outside of functions.
qt_core() {
	local to=$dir release=$1 program=$2 pid='' renderer='' x=''
	cp "$v8/embedded.mjs" .
	embedded_page >page.html
	qt_start "$release" '' "file://$to/page.html"
	qt_kill
	take_said js-blocked-loop
}

# embedded_page prints a page that has embedded.mjs in itself: of a file no page loads a module.
embedded_page() {
	printf '<script type=module>'
	embedded_whole
	echo '</script>'
}

# embedded_whole prints embedded.mjs as a script that begins by itself, line by line the same.
embedded_whole() {
	sed 's/^export default/const m =/; /^if (globalThis.Deno /d' embedded.mjs
	echo 'm.fetch();'
}

# x_server: sets x, an X server's process, and display.
x_server() {
	local turn
	Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>display >/dev/null 2>&1 &
	x=$!
	for turn in $(seq 100); do
		[ ! -s display ] || break
		sleep 0.1
	done
	display=:$(cat display)
}

# qt_start RELEASE FLAGS URL [SCRIPT]: Qt WebEngine 5 or 6 with a page, until it has said what it is to say.
# It sets pid, and x where there is an X server.
qt_start() {
	local release=$1 platform=offscreen display=''
	mkdir -m 700 home
	if [ "$release" = 5 ]; then # it wants OpenGL
		x_server
		platform=xcb
	fi
	embedder_start env HOME="$dir/home" XDG_RUNTIME_DIR="$dir/home" DISPLAY="$display" QT_QPA_PLATFORM="$platform" QTWEBENGINE_DISABLE_SANDBOX=1 \
		QTWEBENGINE_CHROMIUM_FLAGS="--no-sandbox --disable-gpu $2" python3 -c "$qt_page" "$release" "${@:3}"
	printed '^said: '
	sed -n 's/^said: //p' out.txt | head -1 >said.json
	sleep 1
}

# qt_kill: kills the renderer of the browser pid, the browser and the X server x.
qt_kill() {
	renderer=$(busiest "$(pgrep -g "$(ps -o pgid= -p "$pid" | tr -d ' ')" -x QtWebEngineProc)")
	embedder_kill XCPU
	[ -z "$x" ] || { kill "$x" && wait "$x"; } 2>/dev/null
	rm -rf home display
}

# documents_core BROWSER PROGRAM [PAGE FLAG]: documents and workers of many kinds (sources/v8/documents) in one
# renderer of Chromium, qt5 or qt6, each of which has said where it is; or those of PAGE.
documents_core() {
	local to=$dir program=$2 pid='' renderer='' x='' web port='' turn url together=${4:---disable-site-isolation-trials}
	cp -r "$v8"/documents/* .
	python3 -u -m http.server --bind 127.0.0.1 0 >served.txt 2>&1 &
	web=$!
	for turn in $(seq 100); do
		port=$(sed -n 's/^Serving .* port \([0-9]*\) .*/\1/p' served.txt)
		[ -z "$port" ] || break
		sleep 0.1
	done
	url="http://127.0.0.1:$port/${3:-page.html?loaded=yes#there}"
	if [ "$1" = chromium ]; then
		mkdir dumps
		chromium_start --disable-breakpad "--load-extension=$dir/extension" "$together" --disable-features=IsolateSandboxedIframes,OriginKeyedProcessesByDefault "$url"
		chromium_kill XCPU
	else
		qt_start "${1#qt}" "$together" "$url" "$dir/extension/content.js"
		qt_kill
	fi
	{ kill "$web" && wait "$web" || true; } 2>/dev/null
	rm -rf dumps
	take_said js-blocked-loop
}
