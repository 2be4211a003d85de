package liveset

import "slices"

// A Kind is a family of live cores.
type Kind struct {
	Name  string
	About string
	Cores []string // patterns on names
	For   []string // packages whose code these cores run; one that ends in "/" stands for all below it
}

// The packages that most kinds are for.
var (
	native = []string{"core", "core/elf/", "core/file", "core/find", "core/sym/", "walk/", "stack", "crash/",
		"commands", "commands/native", "corpus", "triage", "report", "export", "collect"}
	v8 = []string{"runtimes", "runtimes/v8/", "runtimes/heap/", "runtimes/machine", "walk/leave", "walk/step",
		"stack", "crash", "commands/js", "commands/heap", "core/bundle/"}
	node = slices.Concat(v8, []string{"runtimes/node/", "commands/node"})
	art  = []string{"runtimes", "runtimes/art/", "runtimes/heap/", "stack", "crash", "commands/java", "commands/heap",
		"commands/android", "core/bundle/"}
	golang = []string{"runtimes", "runtimes/golang", "core/sym/", "core/dwarf/", "walk/", "stack", "crash/",
		"commands/golang", "commands/values"}
	values = []string{"core/dwarf/", "core/sym/", "core/debugframe", "core/find", "commands/values", "core/bundle/"}
	waits  = []string{"crash/", "commands/native"}
	images = []string{"core/elf/", "core/sym/", "core/find", "core/debugframe", "core/debuginfod",
		"walk/cfi", "walk/tables"}
	macho = []string{"core/macho/", "core/sym/", "walk/compact", "walk/cfi", "walk/"}
)

// Kinds lists the families. A core belongs to the first kind that has its name.
var Kinds = []Kind{
	{"passed", "a signal handler that passes the signal on", []string{"passed-*"}, native},
	{"i386", "programs for i386", []string{"i386", "i386-*", "cputime-i386"}, native},
	{"c", "C by GCC and Clang: optimised or not, static, linked otherwise",
		[]string{"c-*", "clang-*", "prologue*", "realign", "alloca", "nohdr"}, native},
	{"cxx", "C++: exceptions, virtual calls, a server", []string{"cxx-*", "server-*"}, native},
	{"frame pointers", "C that keeps frame pointers", []string{"fp-*", "selflink*"}, native},
	{"deaths", "C: one known death each", []string{"null", "null-O0", "wild", "data", "assert", "abort", "signal",
		"signal-O0", "siginfo", "nested", "timer", "smash"}, native},
	{"stacks", "stacks that are deep, left, or run out", []string{"deep", "deep-fp", "overflow", "overflowalt",
		"sigaltstack", "coroutine", "routine"}, native},
	{"debug frames", "tables in .debug_frame", []string{"debugframe*"}, images},
	{"debug files", "debugging information in files of its own",
		[]string{"stripped", "debuglink", "buildid", "minidebug"}, images},
	{"archives", "libraries mapped out of an archive", []string{"archive", "archive-*"}, images},
	{"libraries", "libraries that were loaded, replaced or deleted, or come from another release",
		[]string{"dlopen*", "libs2000", "replaced*", "deleted", "otherlibc"}, images},
	{"thread-local", "thread-local variables of programs and libraries, on glibc and musl, and variables without a type", []string{"local-*", "untyped", "untyped-*"}, append(slices.Clone(values), "core/tls", "commands")},
	{"musl", "programs on musl", []string{"musl", "musl-*", "threads-musl"}, native},
	{"rust", "Rust: panics, threads, both manglings", []string{"rust-*"},
		append(slices.Clone(native), "runtimes/abort")},
	{"valgrind", "cores that Valgrind writes", []string{"valgrind-*"}, native},
	{"threads", "programs with threads", []string{"threads*", "fleet-*", "cloned", "cputime-O2"}, native},
	{"partial", "cores that are cut short, filtered or compressed", []string{"cut-*", "filter-*", "core-*"},
		append(slices.Clone(native), "core/bundle/")},
	{"gcore", "processes that went on", []string{"gcore*"}, native},
	{"large", "large address spaces", []string{"mappings70000", "big8g"}, native},
	{"secrets", "a program whose memory holds secrets", []string{"secrets"}, []string{"core/bundle/", "core/minidump"}},
	{"heaps", "memory of malloc", []string{"heaps-*", "blocks-*", "leaky-*", "held-*",
		"capacity-*", "filled-*", "spoil-*", "allocs-*", "lost-*", "harm-*", "tally-*", "objects-*"},
		[]string{"runtimes/malloc", "runtimes/malloc/",
			"commands/malloc", "commands/native", "crash"}},
	{"seeds", "thirty bugs in ten builds", []string{"seeds"}, []string{"crash/", "triage", "internal/grouping",
		"bench/grouping"}},
	{"beyond", "callers beyond a library that can be left out", []string{"beyond-*"}, []string{"walk/"}},
	{"why", "one way to die each, with its verdict", []string{"why-*", "traps-*", "uncaughtd-*"},
		[]string{"crash/", "runtimes/abort", "runtimes/malloc", "core/minidump", "commands/native", "triage"}},
	{"hang", "programs that do not end, with their verdicts", []string{"hang-*"}, waits},
	{"waits", "threads that wait in C libraries of several releases", []string{"waits-*"}, waits},
	{"values on other processors", "variables of C, C++ and Rust on i386, arm64 and s390x",
		[]string{"values-i386-*", "values-a64-*", "values-s390x-*"}, values},
	{"values", "variables of C, C++, Rust, Fortran, Ada, Pascal, D and Nim by several compilers, and names of OCaml",
		[]string{"values-*", "home-*", "kinds-*", "names-*"}, values},
	{"go", "Go: faults, panics, fatal errors", []string{"go", "go-*", "lapse-*", "collecting-*", "circles-*",
		"golocks-*"}, golang},
	{"cgo", "Go with C, libraries and plugins", []string{"cfault-*", "golib-*", "goplug-*", "ckept-*"},
		append(slices.Clone(golang), "runtimes/malloc/slots", "commands/malloc")},
	{"goroutines", "Go: 270 goroutines, and a heap, in several releases and for three processors",
		[]string{"goroutines-*", "gomem-*"}, golang},
	{"govalues", "variables of Go in several releases", []string{"govalues-*", "keep-*"}, golang},
	{"hotspot", "Java on HotSpot", []string{"java", "java-*", "hotspot-*", "jvm-*", "jvmfull-*", "virtual-*",
		"javavars-*", "javastuck-*", "javaleak-*", "javafrozen-*", "javagrid-*"}, []string{"walk/", "stack", "crash/",
		"runtimes/abort", "runtimes/hotspot", "runtimes/hotspot/", "runtimes/java/", "runtimes/juc"}},
	{"node for arm64", "Node for arm64", []string{"a64-node-*"}, node},
	{"arm64", "C and C++ for arm64", []string{"a64-*"}, native},
	{"arm64 machine", "arm64 with scalable vectors and tagged memory", []string{"arm64-*"},
		[]string{"core", "core/elf/", "walk/", "commands/native"}},
	{"arm", "programs for 32-bit ARM", []string{"arm", "arm-*"}, append(slices.Clone(native), "walk/ehabi")},
	{"ppc", "programs for PowerPC", []string{"ppc*"}, native},
	{"s390x", "programs for s390x", []string{"s390x", "s390x-*"}, native},
	{"m68k", "programs for m68k", []string{"m68k", "m68k-*"}, native},
	{"mips", "programs for MIPS", []string{"mips*"}, native},
	{"elfutils", "cores that elfutils publishes", []string{"elfutils-*"}, native},
	{"lldb", "cores that LLDB publishes: FreeBSD, NetBSD, Linux", []string{"lldb-*"}, native},
	{"macho files", "Node's binaries for macOS", []string{"macho-files/*"}, macho},
	{"macho", "cores of macOS", []string{"macho-*"}, macho},
	{"art on other processors", "ART for i386, arm64 and armhf",
		[]string{"art-*-i386-*", "art-*-arm64-*", "art-*-armhf-*"}, art},
	{"art jni", "ART that refuses a call of JNI", []string{"jni-*"}, art},
	{"art hprof", "ART, with the heap dump of its own", []string{"art-*-hprof"}, art},
	{"art verdicts", "ART: programs that Java has ended or that hang",
		[]string{"art-*-uncaught", "art-*-causes", "art-*-filled", "art-*-anr", "art-*-waits-*", "art-*-thrown-*",
			"art-*-traced-*", "art-*-stuck-*", "art-*-hung-*", "art-*-killed*"}, art},
	{"art heaps", "ART: objects, leaks and class loaders", []string{"art-*-graph*", "art-*-values*", "art-*-garbage",
		"art-*-statics", "art-*-screens", "art-*-locals", "art-*-natives", "art-*-loader", "art-*-holders",
		"art-*-shapes", "art-*-vals-*"}, art},
	{"art", "ART: stacks and locks", []string{"art-*"}, art},
	{"node without symbols", "Node without symbols", []string{"stripped-*", "node-stripped-*"}, node},
	{"node maps", "Node, whose JavaScript was made from TypeScript", []string{"node-*-maps-*", "typed-*"},
		[]string{"runtimes/v8/sourcemap", "runtimes/deno/", "runtimes/v8/source", "commands/js", "commands/node"}},
	{"node inlined", "Node: calls that optimised code expands", []string{"node-*-inline-*", "node-*-newtiers",
		"node-*-constructs*"}, []string{"runtimes/v8/frame", "runtimes/v8/object", "runtimes/v8/source",
		"runtimes/v8/bytecode", "walk/leave", "walk/step"}},
	{"node programs", "Node: programs of others", []string{"node-*-typescript", "node-*-prettier", "node-*-fastify"},
		v8},
	{"node wasm", "Node: WebAssembly", []string{"node-*-wasm", "node-*-wasmhot"},
		[]string{"runtimes/v8/wasm", "runtimes/v8/frame", "runtimes/v8/object"}},
	{"node stacks", "Node: stacks, by the program's own account", []string{"node-*-deep", "node-*-plain",
		"node-*-uncaught", "node-*-loop", "node-*-shapes", "node-*-api", "node-*-registers", "node-*-random-*"}, node},
	{"node async", "Node: asynchronous calls, promises, timers, handles",
		[]string{"node-*-async", "node-*-nested", "node-*-env"}, node},
	{"node workers", "Node: several isolates", []string{"node-*-workers"}, node},
	{"node values", "Node: values of all kinds", []string{"node-*-kinds", "node-*-medley-*", "node-*-heap"}, v8},
	{"node heaps", "Node: heaps as V8 counts them, reachable or not",
		[]string{"node-*-limits", "node-*-garbage", "node-*-snapshot", "node-*-traced"},
		[]string{"runtimes/v8/page", "runtimes/v8/heap",
			"runtimes/v8", "runtimes/heap/", "runtimes/machine", "commands/heap", "commands/js"}},
	{"node leaks", "Node: programs that leak, and some that do not",
		[]string{"node-*-leak-*", "node-*-owners", "node-*-contexts-*", "handles-*"},
		[]string{"runtimes/heap/", "runtimes/node/", "runtimes/v8/page", "runtimes/v8/heap", "commands/heap"}},
	{"node ends", "Node: one way to end each, with its verdict", []string{"node-*-ends-*", "node-*-oom", "node-*-fatal",
		"node-*-hang-*", "thrown-*"}, append(slices.Clone(node), "crash/")},
	{"node collecting", "Node within a collection of garbage", []string{"node-*-scavenge", "node-*-evacuate"},
		[]string{"runtimes/v8/page", "runtimes/v8/heap", "runtimes/v8", "commands/heap"}},
	{"node packed", "Node with the program in a snapshot or in the executable",
		[]string{"node-*-startup", "node-*-sea", "pkg-*"}, node},
	{"engines", "engines of JavaScript that are not decoded", []string{"engine-*"}, []string{"runtimes/engine"}},
	{"chromium shell", "headless shells of Chromium", []string{"embedded-shell-*"}, v8},
	{"deno", "Deno", []string{"embedded-deno-*", "deno-*"}, append(slices.Clone(v8), "runtimes/deno/", "runtimes/node/",
		"commands/node")},
	{"workerd", "workerd", []string{"embedded-workerd-*", "idle-workerd-*", "workerd-*"},
		append(slices.Clone(v8), "runtimes/malloc/gtcmalloc")},
	{"bare", "Bare", []string{"embedded-bare-*"}, append(slices.Clone(v8), "runtimes/node/", "commands/node")},
	{"electron", "Electron", []string{"embedded-electron-*", "idle-electron-*"},
		append(slices.Clone(node), "runtimes/blink")},
	{"chromium", "Chromium and Qt WebEngine", []string{"embedded-chromium", "embedded-qt*", "chromium-*", "qt?-*"},
		append(slices.Clone(v8), "runtimes/blink")},
	{"crashpad", "Chromium, with the minidump that Crashpad wrote", []string{"crashpad-*"},
		append(slices.Clone(v8), "runtimes/blink", "core/minidump")},
	{"worlds", "managed objects that have memory of the heap of C", []string{"worlds-*"},
		[]string{"runtimes/v8", "runtimes/hotspot", "runtimes/java", "runtimes/malloc/graph", "runtimes/malloc/managed",
			"commands/native", "commands/heap"}},
	{"gov8", "Go with V8 in it", []string{"gov8-*"}, slices.Concat(v8, golang)},
}

// KindOf returns the kind of a core. It returns nil if no kind has the name.
func KindOf(name string) *Kind {
	for i := range Kinds {
		if k := &Kinds[i]; slices.ContainsFunc(k.Cores, func(pattern string) bool { return Is(name, pattern) }) {
			return k
		}
	}
	return nil
}

// slow are the kinds whose cores are slow to get, most for a large download, the seeds for their
// number.
var slow = []string{"macho files", "large", "seeds", "electron", "gov8"}

// Slow reports whether the quick set may lack the kind.
func (k *Kind) Slow() bool { return slices.Contains(slow, k.Name) }
