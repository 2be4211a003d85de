package codeinfo

import (
	"encoding/binary"
	"errors"
	"fmt"

	"coredbg/core"
)

// A MethodHeader is the OatQuickMethodHeader in front of compiled code.
type MethodHeader struct {
	Code core.Addr // of the first instruction, without the Thumb bit
	// CodeInfo is 0 if the code has none: a stub, or the interpreter.
	CodeInfo core.Addr
	// CodeSize is in bytes; 0 if only the CodeInfo tells it.
	CodeSize uint32
	// ShouldDeoptimize is set if the frame has a flag that asks for
	// deoptimization; known of versions before 192 only.
	ShouldDeoptimize bool
}

// ErrNoHeader is wrapped by the error of code whose header cannot be one.
var ErrNoHeader = errors.New("no OatQuickMethodHeader")

// maxDistance bounds how far a CodeInfo may lie before its code: oat files and
// code caches are smaller.
const maxDistance = 1 << 30

// ReadHeader reads the header of the code at an entry point; a Thumb bit is to
// be removed by the caller. From version 192 on the header is one word, whose
// form changes; it is told by its flags, because devices update ART without
// their Android.
func ReadHeader(mem core.Memory, code core.Addr, v Version) (MethodHeader, error) {
	h := MethodHeader{Code: code}
	c := core.NewCursor(mem, binary.LittleEndian, 8)
	word := c.U32(code - 4)
	distance := uint32(0)
	switch {
	case v < oatAndroid10:
		return h, v.check()
	case v < oatOneWord:
		distance, h.CodeSize = c.U32(code-8), word&^(1<<31)
		h.ShouldDeoptimize = word>>31 != 0
		if h.CodeSize == 0 {
			distance = 0
		}
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
	// Assembly that is no method has 0xff bytes in front of it, for this check.
	if word == 0xffffffff || distance >= maxDistance || core.Addr(distance) > code || h.CodeSize >= maxDistance {
		return h, fmt.Errorf("codeinfo: code at %v: %w (%#x)", code, ErrNoHeader, word)
	}
	if distance != 0 {
		h.CodeInfo = code - core.Addr(distance)
	}
	return h, nil
}
