// Package bytecode decodes V8's bytecode and the tables that belong to it, from
// bytes alone.
//
// The chain: a BytecodeArray's bytes are decoded with the Set of a version into
// Bytecodes with their operands and jump targets (Decoder); its source position
// table, and the one that baseline code has, map code offsets to offsets in the
// script.
//
// Files: table.go, rows.go and intrinsics.go (the bytecodes of each version), decode.go (instructions),
// align.go and begins.go (which set a version has, and where bytecodes begin, by V8's own table of sizes),
// position.go (source positions, sizes, offsets of baseline code).
//
// Upstream: interpreter/bytecodes.h, interpreter/bytecode-operands.h,
// codegen/source-position-table.cc, baseline/bytecode-offset-iterator.h, base/vlq.h.
// Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: the names of bytecodes in V8 7.4 to 7.7 are assumed; versions between known ones take the
// nearest set whose lengths fit.
package bytecode
