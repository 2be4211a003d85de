package v8test

import "encoding/binary"

// Ulebs encodes numbers as base/vlq.h does.
func Ulebs(ns ...uint64) []byte {
	var out []byte
	for _, n := range ns {
		for n >= 0x80 {
			out = append(out, byte(n)|0x80)
			n >>= 7
		}
		out = append(out, byte(n))
	}
	return out
}

// Zig writes a signed number as base/vlq.h does, with its sign in bit 0.
func Zig(n int64) uint64 { return uint64(n)<<1 ^ uint64(n>>63) }

// Pos is a SourcePosition of the outermost function.
func Pos(offset int) int64 { return int64(offset+1) << 1 }

// Words writes a page of words.
func Words(list ...uint64) []byte {
	var b []byte
	for _, w := range list {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}
