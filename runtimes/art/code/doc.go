// Package code finds the methods of a runtime, the dex files that they are from,
// and their compiled code.
//
// The object chain: an ArtMethod's declaring_class is a mirror::Class, whose dex_cache leads to the DexFile;
// there the method's index gives its name, and the dex pc the line. The ClassLinker lists all dex files.
// Compiled code is found by an ArtMethod's entry point, in JitCodeCache's maps, or in an oat file by the place
// of the method in its class. Package codeinfo reads the data next to it.
//
// Files:
//
//	method.go         Index, Method: an ArtMethod with its names and bytecode
//	inlinedmethod.go  methods known only by their index in a dex file
//	runtimemethod.go  methods that stand for the runtime's own frames
//	modifiers.go      access flags in Java's words
//	dexfile.go        DexReader, DexFile: an art::DexFile, its bytes in memory or in a file that proves itself
//	vdex.go           dex files in vdex files
//	dexfiles.go       dex files of the ClassLinker, and dex files found in memory
//	dexplace.go       the place in a dex file at an address
//	jitcode.go        JitCodeCache; the frames of compiled code; the possible extents of compiled code
//	compiled.go       compiled code with its method header and CodeInfo
//	oatfiles.go       OatFile, and the methods in it
//	oatcode.go        the code that an oat file has for a method
//
// Upstream: runtime/art_method.h, runtime/class_linker.h, runtime/oat_file.h,
// runtime/jit/jit_code_cache.h, runtime/oat_quick_method_header.h,
// libdexfile/dex/modifiers.h of AOSP's art repository.
//
// Versions: as package layout; the list of dex files is not known for SDK 37, compiled code from SDK 29 on has
// positions.
//
// LIMITATIONS: a method that was inlined from another dex file is not resolved
// unless its ArtMethod is recorded. Quickened instructions of vdex files are shown
// as they are.
package code
