// Package fit finds V8 in a process and the layout that its objects are read by.
//
// If the image has constants (v8dbg_*), they give the layout, and rows by version give the rest. If the version is
// unknown or functions do not decode, known objects of the core show some numbers too (Candidate.probe).
//
// If the image has no constants or is missing, texts, symbols and the pages of the heap reveal V8. Then the tables
// of near versions are tried with the instance types that the heap shows. Steps with declared needs correct each
// table (steps.go), and the table with the most functions that decode wins.
//
// Objects: the map of maps is its own map; pages lead to it by the maps of their first objects. From functions on
// stacks or in the heap one comes to SharedFunctionInfos, bytecode arrays, scripts, maps with their descriptors.
//
// Files:
//
//	fit.go         Probe
//	candidate.go   a layout that is tried
//	objects.go     functions and other objects that it is tried on
//	samples.go     what begins objects, without a layout
//	selftest.go    how many functions decode with it
//	probe.go       numbers that known objects show
//	recognize.go   a V8 without constants
//	heapprobe.go   the pages of its heap
//	undecoded.go   a V8 that cannot be decoded
//	heapless.go    its frames where the heap was left out
//	imageless.go   its version where the image is not at hand
//	cages.go       where compressed pointers lead
//	stripped.go    trying tables
//	steps.go       the steps that correct a table, and their order
//	types.go, jstypes.go, fieldtypes.go, rootnames.go  its instance types
//	builds.go, positions.go, elements.go, descriptors.go, code.go  differences between builds
//	texts.go       external strings
//	amended.go     what package amend corrects a layout with
//	trusted.go, sandbox.go  tables of the sandbox
//
// Versions: 7.4 to 14.6 by constants or rows; without constants as in package amend, and 9.2 to 15.8 as far as a
// table of a near version fits.
//
// LIMITATIONS: an image without constants is decoded only if functions of the core decode with the table of a
// near version. If the image is missing too, the exact version must be named by a text in memory and have a table.
// Three tables of the sandbox are read: trusted pointers, pages and external strings.
package fit
