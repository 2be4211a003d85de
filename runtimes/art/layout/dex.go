package layout

// dexRows is the way from ClassLinker to the dex files it knows. The offset is
// that of android-libart 10.0.0+r36 and 11.0.0+r48 (compiled from their
// headers) and of OpenCoreAnalysisKit's class_linker.cpp, which has the steps.
var dexRows = []row{
	{"ClassLinker.dex_caches_", "runtime/class_linker.h", []step{{26, 48, 24}, {28, 56, 28}}, nil},
}
