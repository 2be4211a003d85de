package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// stringData is where a java.lang.String's characters begin: after count_ and
// hash_code_ (runtime/mirror/string.h). Bit 0 of count_ is clear if there is
// one byte for each character, the rest is the length.
const stringData = 16

// stringBytes returns the bytes of the characters for a count_.
func stringBytes(count uint32) uint64 {
	if count&1 == 0 {
		return uint64(count >> 1)
	}
	return 2 * uint64(count>>1)
}

// A String is the text of a java.lang.String.
type String = java.Text

// IsString reports whether an object is a java.lang.String.
func (rd *Reader) IsString(at core.Addr) bool {
	k := rd.ClassOf(at)
	return k != nil && k.Flags&FlagString != 0
}

// String returns the string at an address, at most max of its UTF-16 units.
func (rd *ClassReader) String(at core.Addr, max int) (String, error) {
	count, ok := rd.U32(at + HeaderSize)
	if !ok {
		return String{}, fmt.Errorf("art: string at %v cannot be read", at)
	}
	s := String{Length: int(count >> 1)}
	n := min(s.Length, max)
	size := 1
	if count&1 != 0 {
		size = 2
	}
	for {
		b, err := rd.Space.Slice(at+stringData+core.Addr(s.Read*size), size*(n-s.Read))
		s.Value += java.Characters(b, size, rd.Order)
		if s.Read += len(b) / size; err == nil {
			return s, nil
		}
		skip := core.RedactedAt(rd.Space, at+stringData+core.Addr(s.Read*size), size*(n-s.Read)) / size
		if skip == 0 {
			return s, stringError(at, err)
		}
		s.Value += core.RedactedMark
		s.Read += skip
	}
}

// StringUnits reads UTF-16 units of the string at an address, beginning with number from, until units is full
// or the string ends. It returns the length of the string.
func (rd *Reader) StringUnits(at core.Addr, from uint64, units []uint16) (uint64, error) {
	count, ok := rd.U32(at + HeaderSize)
	if !ok {
		return 0, fmt.Errorf("art: string at %v cannot be read", at)
	}
	length := uint64(count >> 1)
	n := min(uint64(len(units)), length-min(from, length))
	if count&1 == 0 {
		b, err := rd.Space.Slice(at+stringData+core.Addr(from), int(n))
		for i, c := range b {
			units[i] = uint16(c)
		}
		return length, stringError(at, err)
	}
	b, err := rd.Space.Slice(at+stringData+core.Addr(2*from), 2*int(n))
	for i := range len(b) / 2 {
		units[i] = rd.Order.Uint16(b[2*i:])
	}
	return length, stringError(at, err)
}

func stringError(at core.Addr, err error) error {
	if err != nil {
		return fmt.Errorf("art: string at %v: %w", at, err)
	}
	return nil
}
