package liveset

import "slices"

// A Test says which kinds of cores a test or a benchmark uses.
type Test struct {
	Package string // its folder below the module's
	Name    string
	Kinds   []string // patterns of paths below the folder with the live cores
}

// Tests is the table that tests take their cores from.
var Tests = slices.Concat(testsOfCore, testsOfRuntimes, testsOfV8, testsOfJava, testsEndToEnd, testsOfCommand)

// Find returns the row of a test, nil if there is none.
func Find(pkg, name string) *Test {
	i := slices.IndexFunc(Tests, func(t Test) bool { return t.Package == pkg && t.Name == name })
	if i < 0 {
		return nil
	}
	return &Tests[i]
}

var testsOfCore = []Test{
	{"core/bundle/pack", "TestRoundTrip", []string{"cxx-O2/core", "node-24*-deep/core", "node-18*-uncaught/core"}},
	{"core/bundle/pack", "TestStacks", []string{"cxx-O2/core", "node-22*-plain/core"}},
	{"core/dwarf", "TestLiveLines", []string{"*/truth.json"}},
	{"core/elf/elfcore", "TestLiveSegments", []string{"*/core"}},
	{"core/elf/elfcore", "TestLiveRegisters", []string{"*/core"}},
	{"core/elf/elfcore", "TestLiveDamage", []string{"*/core"}},
	{"core/elf/elfcore", "TestLiveModules", []string{"*/core"}},
	{"core/elf/elfcore", "TestLiveScalable", []string{"arm64-sve-*/core", "arm64-ssve-*/core", "arm64-za-*/core",
		"arm64-both-*/core", "arm64-zt-*/core", "arm64-tags-*/core"}},
	{"core/macho", "TestChainedFixupsAgainstLLVM", []string{"macho-files/*", "macho-*/out/*"}},
	{"core/macho", "TestExportsAgainstLLVM", []string{"macho-files/*", "macho-*/out/*"}},
	{"core/macho", "TestFuncStartsAgainstLLVM", []string{"macho-files/*", "macho-*/out/*"}},
	{"core/macho", "TestOpcodesAgainstLLVM", []string{"macho-files/*", "macho-*/out/*"}},
	{"core/macho", "TestStubsAgainstLLVM", []string{"macho-files/*", "macho-*/out/*"}},
	{"core/macho", "TestSymbolsAgainstLLVM", []string{"macho-files/*", "macho-*/out/*"}},
	{"core/macho/machocore", "TestLiveFill", []string{"macho-*/out"}},
	{"core/sym", "TestMachOLines", []string{"macho-*/out/victim", "macho-*/out/libfoo.dylib"}},
	{"core/sym", "BenchmarkFindDemangled", []string{"node-24.21.0-deep/node"}},
	{"core/sym", "BenchmarkFirst", []string{"node-24.21.0-deep/node"}},
	{"core/sym", "BenchmarkIndex", []string{"node-24.21.0-deep/node"}},
	{"core/sym", "BenchmarkLines", []string{"cxx-O2/shapes"}},
	{"core/sym", "BenchmarkLookup", []string{"node-24.21.0-deep/node"}},
	{"core/sym", "BenchmarkNames", []string{"node-24.21.0-deep/node"}},
	{"core/sym", "BenchmarkPrefix", []string{"node-24.21.0-deep/node"}},
	{"walk", "TestBodies", []string{"macho-files/*"}},
	{"walk", "TestLiveCores", []string{"*/truth.json"}},
	{"walk", "TestReturnsWhole", []string{"macho-files/*"}},
	{"walk", "TestScannedFrames", []string{"*/truth.json"}},
	{"walk", "BenchmarkLive", []string{"deep/core", "deep-fp/core", "fleet-5000/core"}},
	{"walk/cfi", "TestLiveAgainstDelve", []string{"node-20.20.2-deep", "a64-node-24.21.0-deep", "a64-pac",
		"a64-pac-bkey"}},
	{"walk/compact", "TestObjdump", []string{"macho-files/*"}},
	{"walk/leave", "TestEnterBuiltins", []string{"*node-*/node"}},
	{"walk/leave", "TestLeaveBuiltins", []string{"*node-*/node"}},
}

var testsOfRuntimes = []Test{
	{"runtimes/malloc", "TestLiveChunks", []string{"heaps-*"}},
	{"runtimes/malloc/leaks", "TestLiveLeaks", []string{"leaky-*"}},
	{"runtimes/malloc/leaks", "TestLiveCapacity", []string{"capacity-*"}},
	{"runtimes/malloc/leaks", "TestLiveTally", []string{"tally-*"}},
	{"runtimes/malloc/faults", "TestLiveFaults", []string{"spoil-*"}},
	{"internal/e2e", "TestLiveFull", []string{"filled-*"}},
	{"internal/e2e", "TestLiveHarm", []string{"harm-*"}},
	{"runtimes/malloc", "TestLiveHeld", []string{"held-*"}},
	{"runtimes/malloc", "TestLiveBlocks", []string{"blocks-*", "a64-blocks"}},
	{"runtimes/malloc", "TestLiveAllocs", []string{"allocs-*"}},
	{"runtimes/malloc", "TestLiveForgets", []string{"allocs-*-i386", "allocs-*-armhf", "allocs-*-arm64"}},
	{"runtimes/malloc", "BenchmarkAllocs", []string{"allocs-*"}},
	{"runtimes/node/uv", "TestMachOLibuv", []string{"macho-files/*darwin-*"}},
	{"runtimes/golang", "TestLiveHeap", []string{"gomem-*"}},
	{"runtimes/malloc/pymalloc", "TestLiveObjects", []string{"objects-*"}},
	{"runtimes/malloc/gtcmalloc", "TestLiveGoogle", []string{"embedded-workerd-*", "idle-workerd-*"}},
	{"report", "TestLiveMemory", []string{"leaky-O2", "ckept-local", "java-heap-17-g1", "node-14.21.3-leak-shared"}},
	{"runtimes/malloc", "TestLiveKept", []string{"ckept-*"}},
	{"runtimes/malloc", "TestLiveLost", []string{"lost-*"}},
}

// testsOfCommand has the cores that stories in testdata/script name, and the cores that editors see.
var testsOfCommand = []Test{
	{"cmd/coredbg", "TestLiveRecords", []string{"server-O2", "cxx-noexcept", "threads", "values-gcc-O2-g", "leaky-O2",
		"spoil-over-8", "rust-debug", "hang-two-killed-O0",
		"circles-local", "goroutines-local-O", "node-24.21.0-async", "node-16.20.2-heap", "node-26.10.0-deep",
		"deno-ts-2.9.6", "art-14-amd64-graph", "art-11-arm64-deep",
		"virtual-21", "javaleak-21-listeners", "objects-bookworm", "crashpad-chromium-SEGV", "a64-threads",
		"macho-arm64"}},
	{"cmd/coredbg", "TestLiveComplete", []string{"java-heap-17-g1", "java-heap-25-archive", "threads-O0",
		"values-shared-O2", "node-24.21.0-oom"}},
	{"cmd/coredbg", "TestLiveNext", []string{"beyond-back-O2", "embedded-shell-111.0.0", "circles-local",
		"art-14-amd64-uncaught", "art-14-amd64-anr", "art-14-amd64-filled", "java-thrown-17-uncaught",
		"node-24.21.0-oom", "arm64-tags-freed", "cxx-throw-O0", "rust-thread-debug", "overflow", "why-heap-overflow-O0",
		"waits-all-trixie", "deno-waits-2.4.4", "collecting-4", "gcore",
		"worlds-python-bookworm", "golib-stripped"}},
	{"cmd/coredbg/mcp", "TestLiveQuestions", []string{"javaleak-21-listeners", "leaky-O2", "objects-bookworm",
		"hang-two-killed-O0", "node-24.21.0-leak-cache",
		"node-24.21.0-leak-idle", "seeds", "virtual-21", "circles-local", "hotspot-17-c2", "crashpad-chromium-SEGV"}},
	{"cmd/coredbg/dap", "TestAsyncCalls", []string{"node-*-async"}},
	{"cmd/coredbg/dap", "TestVirtualThreads", []string{"virtual-*"}},
	{"cmd/coredbg", "TestScript", []string{"node-20.20.2-workers/core", "node-24.21.0-deep/core",
		"node-24.21.0-limits/core", "art-11-arm64-deep/core", "art-10-amd64-deep/core"}},
}
