// Package codeinfo decodes what ART keeps beside compiled code: the header in
// front of it and the CodeInfo that the header leads to.
//
// The object chain: an entry point has an OatQuickMethodHeader right before it, whose word is the distance back
// to the CodeInfo. A CodeInfo is a string of bits: a few numbers (frame size, spilled registers, number of dex
// registers) and eight tables, with a bit width for each column. A StackMap row belongs to a native pc; it
// gives the dex pc and leads to the methods inlined there (InlineInfo, MethodInfo), and to the locations of the
// dex registers (masks of changes since the row before, indices into a catalog of locations).
//
// Files: version.go (oat formats), header.go (the header), bits.go (tables of bits), info.go (CodeInfo),
// stackmap.go (stack maps and inlined methods), registers.go (dex registers), encoded.go (the form of Android 8
// and 9).
//
// Versions are the versions of oat files, which change with the format: 124 and 131 (Android 8), 138 (9), 170
// (10), 183 (11), 195 and 199 (12), 225 (13), 230 (14), 239 and more (later updates of 14, 15, 16 and 17).
// Android 8 and 9 have another CodeInfo; see encoded.go.
//
// LIMITATIONS: the locations of dex registers in code of Android 8 and 9 are not decoded. No compiled code of
// Android 8 to 10 was at hand: their forms are tested against AOSP's description only.
//
// Sources: AOSP art/libartbase/base/bit_memory_region.h and bit_table.h,
// art/runtime/stack_map.h and .cc, dex_register_location.h,
// oat_quick_method_header.h, quick/quick_method_frame_info.h, of Android 10
// (10.0.0_r36), 11 (11.0.0_r48), 13 and 14; the oat versions in between from
// OpenCoreAnalysisKit, android/art/runtime/oat/stack_map.cpp.
package codeinfo
