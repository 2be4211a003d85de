package layout

// dexRows is the path from ClassLinker to its dex files. The offset comes from android-libart 10.0.0+r36 and
// 11.0.0+r48 (compiled from their headers) and from OpenCoreAnalysisKit's class_linker.cpp, which has the
// steps.
var dexRows = []row{
	{"ClassLinker.dex_caches_", "runtime/class_linker.h", []step{{26, 48, 24}, {28, 56, 28}}, nil},
}
