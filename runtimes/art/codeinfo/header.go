package codeinfo

import (
	"encoding/binary"
	"errors"
	"fmt"

	"coredbg/core"
)

// A MethodHeader is the OatQuickMethodHeader before compiled code.
type MethodHeader struct {
	Code core.Addr // of the first instruction, without the Thumb bit
	// CodeInfo is 0 for code without CodeInfo: a stub, or the interpreter.
	CodeInfo core.Addr
	// CodeSize is in bytes; 0 if only the CodeInfo has it.
	CodeSize uint32
	// Frame describes the frame if the header does; nil if the CodeInfo does.
	Frame *Frame
	// MethodInfo is where the indices of inlined methods are; 0 if in the
	// CodeInfo.
	MethodInfo core.Addr
	// ShouldDeoptimize is set if the frame has a flag that requests deoptimization. It is known only in
	// versions before 238.
	ShouldDeoptimize bool
}

// A Frame is a QuickMethodFrameInfo: the size in bytes and the registers that
// are saved.
type Frame struct{ Size, CoreSpillMask, FPSpillMask uint32 }

// ErrNoHeader is wrapped by the error of code whose header cannot be one.
var ErrNoHeader = errors.New("no OatQuickMethodHeader")

// maxDistance bounds the distance of a CodeInfo before its code: oat files and code caches are smaller.
const maxDistance = 1 << 30

// ReadHeader reads the header of the code at an entry point; a Thumb bit is to
// be removed by the caller. From version 192 on the header is one word, whose
// form changes; it is known by its flags, because devices update ART without
// their Android.
func ReadHeader(mem core.Memory, code core.Addr, v Version) (MethodHeader, error) {
	h := MethodHeader{Code: code}
	c := core.NewCursor(mem, binary.LittleEndian, 8)
	word := c.U32(code - 4)
	distance := uint32(0)
	switch {
	case v.encoded():
		distance, h.CodeSize = c.U32(code-24), word&^(1<<31)
		h.ShouldDeoptimize = word>>31 != 0
		h.Frame = &Frame{c.U32(code - 16), c.U32(code - 12), c.U32(code - 8)}
		if off := c.U32(code - 20); off != 0 && off < maxDistance && core.Addr(off) <= code {
			h.MethodInfo = code - core.Addr(off)
		}
		if h.CodeSize == 0 {
			distance = 0
		}
	case v < oatAndroid10:
		return h, v.unknown()
	case v < oatOneWord:
		distance, h.CodeSize = c.U32(code-8), word&^(1<<31)
		h.ShouldDeoptimize = word>>31 != 0
		if h.CodeSize == 0 {
			distance = 0
		}
	case word>>30 == 3: // kShouldDeoptimizeMask and kIsCodeInfoMask, until 237
		distance, h.ShouldDeoptimize = word&(1<<30-1), true
	case word>>31 != 0:
		distance = word &^ (1 << 31)
	case word>>30 != 0:
		distance = word &^ (1 << 30)
	case v >= oatNoFlag:
		distance = word
	default:
		h.CodeSize = word
	}
	if err := c.Err(); err != nil {
		return h, fmt.Errorf("codeinfo: header of code at %v: %w", code, err)
	}
	// Assembly that is not a method has 0xff bytes before it, for this check.
	if word == 0xffffffff || distance >= maxDistance || core.Addr(distance) > code || h.CodeSize >= maxDistance {
		return h, fmt.Errorf("codeinfo: code at %v: %w (%#x)", code, ErrNoHeader, word)
	}
	if distance != 0 {
		h.CodeInfo = code - core.Addr(distance)
	}
	return h, nil
}

// Decode reads the CodeInfo that the header leads to; nil without one.
func (h MethodHeader) Decode(mem core.Memory, v Version) (*Info, error) {
	switch {
	case h.CodeInfo == 0:
		return nil, nil
	case v.encoded():
		return h.decodeEncoded(mem, v)
	}
	return Decode(mem, h.CodeInfo, v)
}
