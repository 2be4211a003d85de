# golang.sh: programs of Go, of several releases, which come as modules. Sourced by make.

# go_cores: a Go program's own deaths, optimised or not, with its symbols and without.
go_cores() {
	local mode
	for mode in index text error own value map assert again goroutine unlock; do
		lapse "lapse-$mode" go-panic "$mode" '' ''
		lapse "lapse-$mode-O0" go-panic "$mode" '' 'all=-N -l'
	done
	lapse lapse-asleep deadlock asleep '' ''
	lapse lapse-asleep-O0 deadlock asleep '' 'all=-N -l'
	lapse lapse-deep stack-overflow deep '' ''
	lapse lapse-deep-O0 stack-overflow deep '' 'all=-N -l'
	for mode in own goroutine; do lapse "lapse-$mode-stripped" go-panic "$mode" '-s -w' ''; done
	lapse lapse-asleep-stripped deadlock asleep '-s -w' ''
	for mode in index text error own value assert; do arch=386 lapse "lapse-386-$mode" go-panic "$mode" '' ''; done
	arch=386 lapse lapse-386-asleep deadlock asleep '' ''
	arch=386 lapse lapse-386-stripped go-panic own '-s -w' ''
	local o
	for mode in local go1.16.15 go1.18.10 go1.22.12; do
		circles "circles-$mode" "$mode"
		circles "circles-$mode-O0" "$mode" '-gcflags=all=-N -l'
		circles "circles-$mode-stripped" "$mode" '-ldflags=-s -w'
	done
	for mode in local go1.16.15 go1.18.10 go1.22.12; do locks "golocks-$mode" "$mode"; done
	arch=386 locks golocks-386-local local
	locks golocks-local-O0 local '-gcflags=all=-N -l'
	locks golocks-local-stripped local '-ldflags=-s -w'
	for mode in local go1.18.10 go1.20.14 go1.23.12 go1.24.9; do
		keep "keep-$mode" "$mode" ''
		keep "keep-$mode-O0" "$mode" 'all=-N -l'
	done
	for mode in local go1.16.15 go1.18.10 go1.20.14 go1.22.12 go1.24.9 go1.25.5; do gomem "gomem-$mode" "$mode" ''; done
	gomem gomem-stripped local '-s -w'
	arch=386 gomem gomem-386 local ''
	for mode in local go1.18.10 go1.20.14 go1.22.12 go1.24.9 go1.25.5; do
		valued_go "govalues-$mode-O" "$mode" ''
		valued_go "govalues-$mode-O0" "$mode" 'all=-N -l'
	done
	for mode in local go1.16.15 go1.17.13 go1.18.10 go1.20.14 go1.22.12 go1.24.9 go1.25.5; do
		goroutines "goroutines-$mode-O" "$mode" panic
		goroutines "goroutines-$mode-O0" "$mode" panic '-gcflags=all=-N -l'
		goroutines "goroutines-$mode-stripped" "$mode" quit '-ldflags=-s -w'
	done
	goroutines goroutines-pie local quit -buildmode=pie
	goroutines goroutines-pie-stripped local panic -buildmode=pie '-ldflags=-s -w'
	for mode in go1.16.15 go1.18.10 go1.25.5; do
		goroutines "goroutines-pie-$mode-stripped" "$mode" quit -buildmode=pie '-ldflags=-s -w'
	done
	arch=386 goroutines goroutines-386-go1.16.15-stripped go1.16.15 quit '-ldflags=-s -w'
	arch=arm64 goroutines goroutines-arm64-go1.17.13-stripped go1.17.13 panic '-ldflags=-s -w'
	goroutines goroutines-late local late
	for mode in local go1.18.10; do
		arch=386 goroutines "goroutines-386-$mode" "$mode" panic
		arch=386 goroutines "goroutines-386-$mode-stripped" "$mode" quit '-ldflags=-s -w'
		arch=arm64 goroutines "goroutines-arm64-$mode" "$mode" panic
		arch=arm64 goroutines "goroutines-arm64-$mode-stripped" "$mode" panic '-ldflags=-s -w'
	done
	for o in O0 O2; do
		cfault "cfault-c-$o" null-dereference c "-$o" ''
		cfault "cfault-back-$o" go-panic back "-$o" ''
		cfault "cfault-thread-$o" null-dereference thread "-$o" ''
		cfault "cfault-abort-$o" abort abort "-$o" ''
	done
	for o in 1 2 3 4; do core "collecting-$o" go 'native/collect.go native/collect.truth' collecting_core; done
	truth=cfault-stripped cfault cfault-c-stripped null-dereference c -O2 '-s -w'
	golib golib-fault c-shared golib-fault 0 -O0 ''
	golib golib-stripped c-shared golib-stripped 0 -O2 '-s -w'
	golib golib-archive c-archive golib-fault 0 -O2 ''
	golib golib-panic c-archive golib-panic 1 -O0 ''
	verdict=go-panic golib golib-go1.20.14 c-shared golib-stripped 0 -O0 '-s -w' go1.20.14
	for mode in local go1.18.10 go1.20.14 go1.22.12 go1.24.9; do ckept "ckept-$mode" "$mode" ''; done
	ckept ckept-stripped local '-s -w'
	core goplug-stripped 'go gcc' 'native/goplug.go.in native/goplughost.go.in native/goplug.truth' goplug_core '-s -w'
}

# golib NAME MODE TRUTH HOW CFLAG LDFLAGS [RELEASE]: a program of C with a library of Go, which is built in that mode.
golib() { core "$1" 'go gcc' "native/golib.go.in native/golib.c native/$3.truth" golib_core "${@:2}"; }

golib_core() {
	local mode=$1 truth=$2 how=$3 c=$4 flags=$5 release=${6:-local} needs=runtime lib=golib.so
	[ "$mode" != c-archive ] || lib=golib.a
	extra='"verdict": "'${verdict:-null-dereference}'"'
	[ "$how" = 0 ] || extra='"verdict": "go-panic"'
	cp "$native/golib.go.in" golib.go
	GOENV=off GOTOOLCHAIN=$release CGO_ENABLED=1 CGO_CFLAGS="-g $c" GOFLAGS='' build go build -trimpath "-buildmode=$mode" "-ldflags=$flags" -o "$lib" golib.go &&
		c golib -g "$c" -I. "$native/golib.c" -L. "-l:$lib" -pthread "-Wl,-rpath,$dir" &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/golib" "$how" && finish "$truth" golib
}

# goplug_core LDFLAGS: a program of Go with a plugin.
goplug_core() {
	local flags=$1 needs=''
	extra='"verdict": "go-panic"'
	cp "$native/goplug.go.in" goplug.go
	cp "$native/goplughost.go.in" goplughost.go
	CGO_ENABLED=1 GOFLAGS='' GO111MODULE=off build go build -trimpath -buildmode=plugin "-ldflags=$flags" -o goplug.so goplug.go &&
		CGO_ENABLED=1 GOFLAGS='' GO111MODULE=off build go build -trimpath "-ldflags=$flags" -o goplughost goplughost.go &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/goplughost" && finish goplug goplughost
}

# ckept NAME RELEASE LDFLAGS: Go that keeps, and loses, blocks of the heap of C.
ckept() { core "$1" 'go gcc' 'native/ckept.go.in native/ckept.truth' ckept_core "${@:2}"; }

ckept_core() {
	local release=$1 flags=$2
	extra='"verdict": "go-panic"'
	cp "$native/ckept.go.in" ckept.go
	GOENV=off GOTOOLCHAIN=$release CGO_ENABLED=1 GOFLAGS='' build go build -trimpath "-ldflags=$flags" -o ckept ckept.go &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/ckept" && finish ckept ckept
}

# cfault NAME VERDICT MODE CFLAG LDFLAGS: Go that calls C; its source has another name beside programs without.
cfault() { core "$1" 'go gcc' "native/cfault.go.in native/${truth:-cfault-$3}.truth" cfault_core "${@:2}"; }

cfault_core() {
	local verdict=$1 mode=$2 c=$3 flags=$4 needs=runtime
	extra='"verdict": "'$verdict'"'
	cp "$native/cfault.go.in" cfault.go
	CGO_ENABLED=1 CGO_CFLAGS="-g $c" GOFLAGS='' GO111MODULE=off build go build -trimpath "-ldflags=$flags" -o cfault cfault.go &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/cfault" "$mode" && finish "${truth:-cfault-$mode}" cfault
}

# collecting_core: Go that is stopped while it collects garbage, wherever that is. It hangs where a thread that is stopped
# has the lock of what Go prints: then again.
collecting_core() {
	local needs=runtime turn
	GOFLAGS='' GO111MODULE=off build go build -trimpath -o collect "$native/collect.go" || return
	for turn in $(seq 10); do
		slain /usr/bin/env GOTRACEBACK=crash "$dir/collect" || continue
		! has_left out.txt || break
	done
	[ -f core ] && finish collect collect
}

# has_left FILE: reports whether of a thread both stacks are in a trace of Go with addresses: that of its goroutine,
# which systemstack has left, and its own. Go does not write them of each thread whenever it dies.
has_left() {
	awk '/^goroutine / { m = ""; first = 1; own = /^goroutine 0 gp=/; if (match($0, / m=[0-9]+/)) m = substr($0, RSTART, RLENGTH); next }
		first && /^runtime\.systemstack_switch/ && m != "" { left[m] = 1 }
		own && /^runtime\.systemstack\(/ { on[m] = 1 }
		{ first = 0 }
		END { for (m in left) if (m in on) exit 0; exit 1 }' "$1"
}

# lapse NAME VERDICT MODE LDFLAGS GCFLAGS
lapse() { core "$1" go "native/lapse.go native/lapse.truth" lapse_core "${@:2}"; }

lapse_core() {
	local verdict=$1 mode=$2 flags=$3 gc=$4
	extra='"verdict": "'$verdict'"'
	GOARCH=${arch:-amd64} GOFLAGS='' GO111MODULE=off build go build -trimpath "-ldflags=$flags" "-gcflags=$gc" -o lapse "$native/lapse.go" &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/lapse" "$mode" && finish lapse lapse
}

# circles NAME RELEASE FLAG...: goroutines that wait for each other, killed from outside.
circles() { core "$1" go "native/circles.go native/collect.truth" circles_core "${@:2}"; }

circles_core() {
	local release=$1
	shift
	extra='"verdict": "deadlock"'
	GOENV=off GOTOOLCHAIN=$release GOFLAGS='' GO111MODULE=off build go build -trimpath "$@" -o circles "$native/circles.go" &&
		slain /usr/bin/env GOTRACEBACK=crash "$dir/circles" && finish collect circles
}

# locks NAME RELEASE FLAG...: goroutines that wait for locks, in circles or not, killed from outside.
locks() { core "$1" go "native/locks.go native/collect.truth" locks_core "${@:2}"; }

locks_core() {
	local release=$1
	shift
	extra='"verdict": "deadlock"'
	GOENV=off GOTOOLCHAIN=$release GOFLAGS='' GO111MODULE=off GOARCH=${arch:-amd64} build go build -trimpath "$@" -o locks "$native/locks.go" &&
		slain /usr/bin/env GOTRACEBACK=crash "$dir/locks" && finish collect locks
}

# keep NAME RELEASE GCFLAGS: a release of Go comes as a module; out.txt says what variables hold.
keep() { core "$1" go "native/keep.go native/keep.truth" keep_core "${@:2}"; }

keep_core() {
	local release=$1 gc=$2
	extra='"verdict": "go-panic"'
	GOTOOLCHAIN=$release GOFLAGS='' build go build -trimpath "-gcflags=$gc" -o keep "$native/keep.go" &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/keep" && finish keep keep
}

# gomem NAME RELEASE LDFLAGS: sources/native/gomem.go.
gomem() { core "$1" go "native/gomem.go native/gomem.truth" gomem_core "${@:2}"; }

gomem_core() {
	local release=$1 flags=$2
	extra='"verdict": "go-panic"'
	GOARCH=${arch:-amd64} GOENV=off GOTOOLCHAIN=$release GOFLAGS='' build go build -trimpath "-ldflags=$flags" -o gomem "$native/gomem.go" &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/gomem" && finish gomem gomem
}

# valued_go NAME RELEASE GCFLAGS: sources/native/values.go.
valued_go() { core "$1" go "native/values.go native/govalues.truth" values_go_core "${@:2}"; }

values_go_core() {
	local release=$1 gc=$2
	extra='"verdict": "go-panic"'
	GOTOOLCHAIN=$release GOFLAGS='' build go build -trimpath "-gcflags=$gc" -o values "$native/values.go" &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/values" && finish govalues values
}

# goroutines NAME RELEASE HOW FLAG...: sources/native/goroutines.go for the processor arch; what is not the
# kernel's own qemu-user runs, and writes the core.
goroutines() {
	local tools=go
	[ "${arch:-amd64}" != arm64 ] || tools+=' qemu-aarch64'
	core "$1" "$tools" "native/goroutines.go native/goroutines.truth" goroutines_core "${@:2}"
}

goroutines_core() {
	local release=$1 how=$2 run='' needs=''
	extra='"verdict": "killed"'
	[ "$how" != panic ] || extra='"verdict": "go-panic"'
	shift 2
	[ "${arch:-amd64}" != arm64 ] || run=/usr/bin/qemu-aarch64
	GOARCH=${arch:-amd64} GOENV=off GOTOOLCHAIN=$release GOFLAGS='' build go build -trimpath "$@" -o goroutines "$native/goroutines.go" &&
		die /usr/bin/env GOTRACEBACK=crash $run "$dir/goroutines" "$how" && finish goroutines goroutines
}

# fault NAME TRUTH LDFLAGS [ARG]: the Go program. It leaves its stacks on stderr.
fault() { core "$1" go "native/fault.go native/$2.truth" fault_core "${@:2}"; }

fault_core() {
	local truth=$1 flags=$2
	shift 2
	GOFLAGS='' GO111MODULE=off build go build -trimpath "-ldflags=$flags" -o fault "$native/fault.go" &&
		die /usr/bin/env GOTRACEBACK=crash "$dir/fault" "$@" && finish "$truth" fault
}
